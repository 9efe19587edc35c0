//! Many tabs on one agent: an event is encoded once however many follow, and a tab that does not read
//! is closed without the others noticing.

use crate::world::{Definition, World, each_store};
use hub::{Hub, Tab, Viewer};
use protocol::hub::HubFrame;
use protocol::{AgentId, TabId};
use serde_json::json;

#[tokio::test]
async fn an_event_is_encoded_once_however_many_follow() {
    each_store(async |world: World| {
        let (ada, agent) = ada_and_her_agent(&world).await;
        let mut tabs = Vec::new();
        for number in 0..200 {
            tabs.push(follow(&world.hub, &ada, &agent, &format!("tab {number}")).await);
        }
        let before = world.hub.encoded_events();
        for value in 0..50 {
            tabs[0].set_state(&agent, "count".to_owned(), json!(value)).await.unwrap();
        }
        assert_eq!(world.hub.encoded_events() - before, 50);
        for tab in &mut tabs {
            assert_eq!(heard(tab, 50).await, (1..=50).collect::<Vec<_>>());
        }
    })
    .await;
}

#[tokio::test]
async fn nothing_is_encoded_that_nobody_follows() {
    each_store(async |world: World| {
        let (ada, agent) = ada_and_her_agent(&world).await;
        let mut tab = follow(&world.hub, &ada, &agent, "tab").await;
        tab.unfollow(&agent);
        let before = world.hub.encoded_events();
        tab.set_state(&agent, "count".to_owned(), json!(1)).await.unwrap();
        assert_eq!(world.hub.encoded_events(), before);
    })
    .await;
}

#[tokio::test]
async fn a_tab_that_never_reads_is_closed_and_the_others_do_not_notice() {
    each_store(async |world: World| {
        let (ada, agent) = ada_and_her_agent(&world).await;
        let mut slow = follow(&world.hub, &ada, &agent, "slow").await;
        let mut quick = follow(&world.hub, &ada, &agent, "quick").await;
        fill_but_one(&slow);
        for value in 0..5 {
            quick.set_state(&agent, "count".to_owned(), json!(value)).await.unwrap();
        }
        assert_eq!(heard(&mut quick, 5).await, [1, 2, 3, 4, 5]);

        let mut seqs = Vec::new();
        while let Some(frame) = slow.next().await {
            seqs.extend(frame.seq);
        }
        assert_eq!(seqs, [1], "what was queued before is handed out, then it closes");
        drop(slow);
        let mut back = world.hub.open_tab(ada.clone(), TabId::from("slow")).unwrap();
        back.follow(&agent, 1).await.unwrap();
        assert_eq!(heard(&mut back, 4).await, [2, 3, 4, 5], "it comes back and misses nothing");
    })
    .await;
}

async fn ada_and_her_agent(world: &World) -> (Viewer, AgentId) {
    let ada = world.person("ada").await;
    let agent = Definition::named("Ada's").create(&world.hub.for_viewer(&ada)).await.id;
    (ada, agent)
}

/// A tab that has been told everything so far.
async fn follow(hub: &Hub, viewer: &Viewer, agent: &AgentId, tab: &str) -> Tab {
    let mut tab = hub.open_tab(viewer.clone(), TabId::from(tab)).unwrap();
    tab.follow(agent, 0).await.unwrap();
    for expected in ["subscribed", "caught_up"] {
        let frame = tab.next().await.unwrap();
        assert!(String::from_utf8_lossy(&frame.text).contains(expected));
    }
    tab
}

/// Leaves room for a single frame in the tab's queue, which holds 2048.
fn fill_but_one(tab: &Tab) {
    for _ in 0..2047 {
        tab.send(&HubFrame::Pong);
    }
}

/// The next `count` entries' numbers.
async fn heard(tab: &mut Tab, count: usize) -> Vec<u64> {
    let mut seqs = Vec::new();
    while seqs.len() < count {
        seqs.extend(tab.next().await.expect("an open tab").seq);
    }
    seqs
}
