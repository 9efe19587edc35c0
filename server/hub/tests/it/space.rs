//! A person's agents keep so much, and what would be more is refused without losing anything.

use crate::schedules::hourly;
use crate::talk::PATIENCE;
use crate::world::{Definition, Endpoint, World, each_store};
use hub::{Hub, Viewer};
use protocol::agent::ProviderKind;
use protocol::log::Outcome;
use protocol::schedule::FiringState;
use protocol::view::{AgentDraft, Space};
use protocol::{AgentId, FailureKind, TabId};
use serde_json::json;

const MOST_KEPT: u64 = 200_000;
#[tokio::test]
async fn whoever_keeps_as_much_as_they_may_is_told_so_and_loses_nothing() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (ada, eve) = (world.person("ada").await, world.person("eve").await);
        let hub = world.narrow(MOST_KEPT).await;
        let (adas, eves) = (agent(&hub, &ada, &endpoint).await, agent(&hub, &eve, &endpoint).await);
        let scoped = hub.for_viewer(&ada);
        assert_eq!(scoped.space().read().await.unwrap(), Space { kept: 0, most: Some(MOST_KEPT) });
        let text: Vec<String> = (0..5_000).map(|leaf| format!("leaf-{leaf}")).collect();
        let text = text.join(" ");
        // The answer to what was let in is kept as well.
        let last = scoped.runs().send_message(&adas, &text, Some("last"), None).await.unwrap();
        while scoped.space().read().await.unwrap().kept < MOST_KEPT {
            let answered = scoped.runs().ask(&adas, &text, None, PATIENCE).await.unwrap();
            assert_eq!(answered.outcome, Some(Outcome::Completed));
        }
        let schedule = scoped.schedules().create(&adas, &hourly("Look around.")).await.unwrap();
        let kept = scoped.space().read().await.unwrap().kept;
        assert!(kept < 2 * MOST_KEPT, "{kept}");

        let refused =
            scoped.runs().send_message(&adas, "One more", None, None).await.unwrap_err().into_failure();
        assert_eq!(refused.kind, FailureKind::Limit);
        assert!(refused.message.starts_with("Your agents keep 0 MB, and you may keep 0 MB"), "{refused}");
        let tab = hub.open_tab(ada.clone(), TabId::from("page")).unwrap();
        assert!(tab.set_state(&adas, "leaf".to_owned(), json!(1)).await.is_err());
        assert!(scoped.copies().make(&adas).await.is_err());
        assert!(scoped.files().write(&adas, "leaf.txt", b"leaf").await.is_err());
        let draft =
            AgentDraft { name: "Moss".to_owned(), colour: "#3a7d44".to_owned(), ..AgentDraft::default() };
        assert!(scoped.agents().create(draft).await.is_err());
        let view = scoped.agents().get(&adas).await.unwrap();
        let same = Definition::like(&view).tools(["state"]).output(1024).draft();
        let other = AgentDraft { instructions: "Be brief.".to_owned(), ..same.clone() };
        assert!(scoped.agents().edit(&adas, other).await.is_err());
        scoped.agents().edit(&adas, same).await.unwrap();
        // What was taken before is not refused when it comes again.
        assert_eq!(scoped.runs().send_message(&adas, &text, Some("last"), None).await.unwrap().seq, last.seq);
        scoped.schedules().run_now(&schedule).await.unwrap();
        let fired = scoped.schedules().of_agent(&adas).await.unwrap().remove(0).last.unwrap().state;
        assert_eq!(fired, FiringState::OverLimit);
        assert_eq!(scoped.space().read().await.unwrap().kept, kept);

        hub.for_viewer(&eve).runs().ask(&eves, "Hello", None, PATIENCE).await.unwrap();
        scoped.agents().delete(&adas).await.unwrap();
        assert_eq!(scoped.space().read().await.unwrap().kept, 0);
        let again = agent(&hub, &ada, &endpoint).await;
        scoped.runs().ask(&again, "Hello", None, PATIENCE).await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn what_a_page_writes_over_and_over_is_kept_once() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let ada = world.person("ada").await;
        let agent = agent(&world.hub, &ada, &endpoint).await;
        let tab = world.hub.open_tab(ada.clone(), TabId::from("page")).unwrap();
        for second in 0..10 {
            let value = json!(format!("{second}{}", "ä".repeat(2_000)));
            tab.set_state(&agent, "clock".to_owned(), value).await.unwrap();
        }
        let Space { kept, .. } = world.hub.for_viewer(&ada).space().read().await.unwrap();
        assert!((4_000..8_000).contains(&kept), "{kept}");
    })
    .await;
}

async fn agent(hub: &Hub, viewer: &Viewer, endpoint: &Endpoint) -> AgentId {
    let scoped = hub.for_viewer(viewer);
    let known = scoped.providers().list().await.unwrap().into_iter().next().map(|provider| provider.id);
    let provider = match known {
        Some(provider) => provider,
        None => endpoint.provider(&scoped, ProviderKind::OpenAi).await,
    };
    Definition::on(&provider, "gpt-5-mini").tools(["state"]).output(1024).create(&scoped).await.id
}
