//! Model calls in the background, after an answer: names of conversations.

use crate::talk::{GATED, PATIENCE, ask};
use crate::world::{Definition, Endpoint, World, each_store};
use hub::{Scoped, Tab, Viewer};
use protocol::agent::ProviderKind;
use protocol::hub::HubFrame;
use protocol::view::{AgentView, CallKind, SideCallSettings};
use protocol::{AgentId, Caps, ConversationId, Micros, TabId};
use serde_json::Value;
use sqlx::Row as _;

const DEAR: &str = "claude-sonnet-4-5";
const CHEAP: &str = "claude-haiku-4-5";
const NAMES: &str = "You name conversations.";

/// A person who wants them, an agent of theirs, and a tab that follows it.
async fn wanted(world: &World, endpoint: &Endpoint) -> (Viewer, AgentView, Tab) {
    let viewer = world.person("ada").await;
    let scoped = world.hub.for_viewer(&viewer);
    let provider = endpoint.provider(&scoped, ProviderKind::Anthropic).await;
    let agent = Definition::named("Ada").model(&provider, DEAR).create(&scoped).await;
    Definition::named("Cheap").model(&provider, CHEAP).create(&scoped).await;
    scoped.side_calls().set(SideCallSettings { titles: true }).await.unwrap();
    let mut tab = world.hub.open_tab(viewer.clone(), TabId::from("watcher")).unwrap();
    tab.follow(&agent.id, u64::MAX).await.unwrap();
    (viewer, agent, tab)
}

/// Waits until something changed that stands in no entry.
async fn changed(tab: &mut Tab) {
    loop {
        let frame = tokio::time::timeout(PATIENCE, tab.next()).await.expect("it comes").unwrap();
        if matches!(serde_json::from_slice(&frame.text).unwrap(), HubFrame::Changed { .. }) {
            return;
        }
    }
}

/// The calls whose system prompt begins like this, once there are so many.
async fn asked(endpoint: &Endpoint, prompt: &str, count: usize) -> Vec<Value> {
    let fitting = async {
        loop {
            let mut requests = endpoint.requests().await;
            requests.retain(|request| request["body"]["system"].to_string().contains(prompt));
            if requests.len() >= count {
                return requests;
            }
        }
    };
    tokio::time::timeout(PATIENCE, fitting).await.expect("it is asked")
}

async fn title(scoped: &Scoped<'_>, id: &ConversationId) -> String {
    scoped.conversations().get(id).await.unwrap().title
}

async fn begun(scoped: &Scoped<'_>, agent: &AgentId) -> ConversationId {
    scoped.conversations().create(agent).await.unwrap().id
}

#[tokio::test]
async fn a_conversation_is_named_once_by_the_cheapest_model_and_it_is_paid_for() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent, mut tab) = wanted(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        scoped
            .ledger()
            .limit_own(&Caps { ever: Some(Micros(100_000_000)), ..Caps::default() })
            .await
            .unwrap();
        let talk = begun(&scoped, &agent.id).await;
        ask(
            &scoped,
            &agent.id,
            &talk,
            "Was blüht im Mai?\ntitle: \u{201c}Was im **Mai** bl\u{200b}üht\u{201d}.",
        )
        .await;
        changed(&mut tab).await;
        assert_eq!(title(&scoped, &talk).await, "Was im Mai blüht");

        let request = asked(&endpoint, NAMES, 1).await.remove(0);
        assert_eq!(request["body"]["model"], CHEAP);
        let text = request["body"]["messages"].to_string();
        assert!(text.contains("<words-of-strangers>") && text.contains("Was blüht im Mai?"), "{text}");
        assert_eq!(request["body"].get("tools"), None, "it can do nothing");

        let usage = scoped.ledger().usage().await.unwrap();
        let named: Vec<_> = usage.kinds.iter().filter(|of| of.kind == CallKind::Title).collect();
        assert!(named.len() == 1 && named[0].line.calls == 1 && named[0].line.cost > Micros(0), "{usage:?}");
        let card =
            scoped.agents().list().await.unwrap().into_iter().find(|card| card.id == agent.id).unwrap();
        assert!(card.spent.cost > Some(named[0].line.cost), "the answer cost something too");
        assert_eq!(holds(&world).await, 0);

        // A second answer names nothing, and nothing that a person named.
        ask(&scoped, &agent.id, &talk, "And in June?\ntitle: Another").await;
        let other = begun(&scoped, &agent.id).await;
        scoped.conversations().rename(&other, "Mine").await.unwrap();
        changed(&mut tab).await;
        ask(&scoped, &agent.id, &other, "Hello\ntitle: Not mine").await;
        let third = begun(&scoped, &agent.id).await;
        ask(&scoped, &agent.id, &third, "Hello\ntitle: The third").await;
        changed(&mut tab).await;
        for (id, expected) in [(&talk, "Was im Mai blüht"), (&other, "Mine"), (&third, "The third")] {
            assert_eq!(title(&scoped, id).await, expected);
        }
        assert_eq!(asked(&endpoint, NAMES, 2).await.len(), 2);
    })
    .await;
}

#[tokio::test]
async fn a_name_that_is_none_and_one_without_money_leave_the_first_words() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent, mut tab) = wanted(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let empty = begun(&scoped, &agent.id).await;
        ask(&scoped, &agent.id, &empty, "Hello there\ntitle: ***").await;
        asked(&endpoint, NAMES, 1).await;

        let poor = begun(&scoped, &agent.id).await;
        let (runs, said) =
            (scoped.runs().of_conversation(Some(&poor)), format!("A poor one\ntitle: Rich\n{GATED}"));
        runs.send_message(&agent.id, &said, None, None).await.unwrap();
        scoped.ledger().limit_own(&Caps { ever: Some(Micros(1)), ..Caps::default() }).await.unwrap();
        endpoint.with_open_gates(finished(&scoped, &agent.id)).await;
        assert_eq!(asked(&endpoint, NAMES, 1).await.len(), 1);
        assert!(title(&scoped, &empty).await.starts_with("Hello there"));
        assert!(title(&scoped, &poor).await.starts_with("A poor one"));

        // Who wants none has none, whatever money there is.
        scoped.ledger().limit_own(&Caps::default()).await.unwrap();
        scoped.side_calls().set(SideCallSettings { titles: false }).await.unwrap();
        let off = begun(&scoped, &agent.id).await;
        ask(&scoped, &agent.id, &off, "Hello\ntitle: Off").await;
        scoped.side_calls().set(SideCallSettings { titles: true }).await.unwrap();
        let on = begun(&scoped, &agent.id).await;
        ask(&scoped, &agent.id, &on, "Hello\ntitle: On").await;
        changed(&mut tab).await;
        assert_eq!(title(&scoped, &on).await, "On");
        assert!(title(&scoped, &off).await.starts_with("Hello"));
        assert_eq!(holds(&world).await, 0);
    })
    .await;
}

/// Waits for the end of the run under way.
async fn finished(scoped: &Scoped<'_>, agent: &AgentId) {
    let at_work = async || {
        let cards = scoped.agents().list().await.unwrap();
        cards.iter().any(|card| card.id == *agent && card.status == protocol::view::Status::Running)
    };
    let ended = async { while at_work().await {} };
    tokio::time::timeout(PATIENCE, ended).await.expect("it ends");
}

async fn holds(world: &World) -> i64 {
    let store = world.store().await;
    let count = sqlx::query("SELECT COUNT(*) FROM holds").fetch_one(store.read()).await.unwrap().get(0);
    store.close().await;
    count
}
