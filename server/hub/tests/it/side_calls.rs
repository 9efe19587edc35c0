//! Model calls in the background, after an answer: names of conversations, and what is remembered.

use crate::talk::{GATED, PATIENCE, a_moment, ask, calls, until};
use crate::world::{Definition, Endpoint, World, each_store};
use hub::{Scoped, Tab, Viewer};
use protocol::agent::ProviderKind;
use protocol::hub::HubFrame;
use protocol::view::{AgentView, CallKind, MemoryAuthor, SideCallSettings};
use protocol::{AgentId, Caps, ConversationId, FailureKind, Micros, TabId};
use serde_json::{Value, json};
use sqlx::Row as _;

const DEAR: &str = "claude-sonnet-4-5";
const CHEAP: &str = "claude-haiku-4-5";
const REMEMBERS: &str = "You look for what is worth remembering.";
const NAMES: &str = "You name conversations.";

/// A person who wants them, an agent of theirs, and a tab that follows it.
async fn wanted(world: &World, endpoint: &Endpoint) -> (Viewer, AgentView, Tab) {
    let viewer = world.person("ada").await;
    let scoped = world.hub.for_viewer(&viewer);
    let provider = endpoint.provider(&scoped, ProviderKind::Anthropic).await;
    let agent = Definition::named("Ada").model(&provider, DEAR).create(&scoped).await;
    Definition::named("Cheap").model(&provider, CHEAP).create(&scoped).await;
    scoped.side_calls().set(SideCallSettings { titles: true, memories: false }).await.unwrap();
    let mut tab = world.hub.open_tab(viewer.clone(), TabId::from("watcher")).unwrap();
    tab.follow(&agent.id, u64::MAX).await.unwrap();
    (viewer, agent, tab)
}

/// Waits until a tab is told that something changed, and the conversation is called this.
async fn named(tab: &mut Tab, scoped: &Scoped<'_>, id: &ConversationId, expected: &str) {
    let told = async {
        loop {
            let frame = tab.next().await.unwrap();
            let is_news = matches!(serde_json::from_slice(&frame.text).unwrap(), HubFrame::Changed { .. });
            if is_news && title(scoped, id).await == expected {
                return;
            }
        }
    };
    tokio::time::timeout(PATIENCE, told).await.expect("it is named");
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
            a_moment().await;
        }
    };
    tokio::time::timeout(PATIENCE, fitting).await.expect("it is asked")
}

/// Waits until a model was told these words.
async fn reached(endpoint: &Endpoint, words: &str) {
    let is_there = |request: &Value| request["body"]["messages"].to_string().contains(words);
    until(async || endpoint.requests().await.iter().any(is_there)).await;
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
        named(&mut tab, &scoped, &talk, "Was im Mai blüht").await;

        let request = asked(&endpoint, NAMES, 1).await.remove(0);
        assert_eq!(request["body"]["model"], CHEAP);
        let text = request["body"]["messages"].to_string();
        assert!(text.contains("<words-of-strangers>") && text.contains("Was blüht im Mai?"), "{text}");
        assert_eq!(request["body"].get("tools"), None, "it can do nothing");

        let usage = scoped.ledger().usage().await.unwrap();
        let paid: Vec<_> = usage.kinds.iter().filter(|of| of.kind == CallKind::Title).collect();
        assert!(paid.len() == 1 && paid[0].line.calls == 1 && paid[0].line.cost > Micros(0), "{usage:?}");
        let card =
            scoped.agents().list().await.unwrap().into_iter().find(|card| card.id == agent.id).unwrap();
        assert!(card.spent.cost > Some(paid[0].line.cost), "the answer cost something too");
        assert_eq!(holds(&world).await, 0);

        // A second answer names nothing, and nothing that a person named.
        ask(&scoped, &agent.id, &talk, "And in June?\ntitle: Another").await;
        let other = begun(&scoped, &agent.id).await;
        scoped.conversations().rename(&other, "Mine").await.unwrap();
        ask(&scoped, &agent.id, &other, "Hello\ntitle: Not mine").await;
        let third = begun(&scoped, &agent.id).await;
        ask(&scoped, &agent.id, &third, "Hello\ntitle: The third").await;
        named(&mut tab, &scoped, &third, "The third").await;
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
        // Its answer is paid for already.
        reached(&endpoint, "A poor one").await;
        scoped.ledger().limit_own(&Caps { ever: Some(Micros(1)), ..Caps::default() }).await.unwrap();
        endpoint.with_open_gates(finished(&scoped, &agent.id)).await;
        assert_eq!(asked(&endpoint, NAMES, 1).await.len(), 1);
        assert!(title(&scoped, &empty).await.starts_with("Hello there"));
        assert!(title(&scoped, &poor).await.starts_with("A poor one"));

        // Who wants none has none, whatever money there is. What is remembered comes after the name.
        scoped.ledger().limit_own(&Caps::default()).await.unwrap();
        scoped.side_calls().set(SideCallSettings { titles: false, memories: true }).await.unwrap();
        scoped.agents().edit(&agent.id, Definition::like(&agent).tools(["memory"]).draft()).await.unwrap();
        let off = begun(&scoped, &agent.id).await;
        ask(&scoped, &agent.id, &off, "Hello\ntitle: Off").await;
        asked(&endpoint, REMEMBERS, 1).await;
        scoped.side_calls().set(SideCallSettings { titles: true, memories: false }).await.unwrap();
        let on = begun(&scoped, &agent.id).await;
        ask(&scoped, &agent.id, &on, "Hello\ntitle: On").await;
        named(&mut tab, &scoped, &on, "On").await;
        assert!(title(&scoped, &off).await.starts_with("Hello"));
        until(async || holds(&world).await == 0).await;
    })
    .await;
}

#[tokio::test]
async fn a_call_that_ends_while_the_database_is_away_is_paid_for_when_it_is_back() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent, mut tab) = wanted(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let enough = Caps { ever: Some(Micros(100_000_000)), ..Caps::default() };
        scoped.ledger().limit_own(&enough).await.unwrap();
        let talk = begun(&scoped, &agent.id).await;
        ask(&scoped, &agent.id, &talk, "Hello\ntitle: Behind the gate").await;
        asked(&endpoint, NAMES, 1).await;
        let whole_name = async {
            endpoint.open_gate().await;
            until(async || endpoint.requests().await.iter().all(|call| !call["ended"].is_null())).await;
            // By the time that the second is refused, so was what the call used.
            for _ in 0..2 {
                scoped.conversations().create(&agent.id).await.unwrap_err();
            }
        };
        world.without_store(whole_name).await;
        named(&mut tab, &scoped, &talk, "Behind the gate").await;
        let usage = scoped.ledger().usage().await.unwrap();
        let paid: Vec<_> = usage.kinds.iter().filter(|of| of.kind == CallKind::Title).collect();
        assert!(paid.len() == 1 && paid[0].line.calls == 1, "{usage:?}");
        assert_eq!(holds(&world).await, 0);
    })
    .await;
}

#[tokio::test]
async fn a_call_whose_agent_is_deleted_meanwhile_is_paid_for_and_nothing_stays_held() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent, _tab) = wanted(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let enough = Caps { ever: Some(Micros(100_000_000)), ..Caps::default() };
        scoped.ledger().limit_own(&enough).await.unwrap();
        let talk = begun(&scoped, &agent.id).await;
        ask(&scoped, &agent.id, &talk, "Hello\ntitle: Behind the gate").await;
        asked(&endpoint, NAMES, 1).await;
        scoped.agents().delete(&agent.id).await.unwrap();
        endpoint.open_gate().await;
        let paid = async || {
            let usage = scoped.ledger().usage().await.unwrap();
            usage.kinds.iter().filter(|of| of.kind == CallKind::Title).map(|of| of.line.calls).sum::<u64>()
        };
        until(async || paid().await == 1).await;
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
    until(async || !at_work().await).await;
}

async fn holds(world: &World) -> i64 {
    let store = world.store().await;
    let count = sqlx::query("SELECT COUNT(*) FROM holds").fetch_one(store.read()).await.unwrap().get(0);
    store.close().await;
    count
}

#[tokio::test]
async fn what_matters_of_what_a_person_said_is_remembered_once_and_never_what_they_forgot() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent, _tab) = wanted(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        scoped.side_calls().set(SideCallSettings { titles: false, memories: true }).await.unwrap();
        let talk = begun(&scoped, &agent.id).await;
        let say = async |text: &str, memories: serde_json::Value| {
            ask(&scoped, &agent.id, &talk, &format!("{text}\nmemories: {memories}")).await
        };
        say("I live in Graz.", json!([{ "text": "Ada has no memory here." }])).await;
        scoped.agents().edit(&agent.id, Definition::like(&agent).tools(["memory"]).draft()).await.unwrap();

        say("I live in Graz.", json!([{ "text": "Ada lives in Gr\u{200b}az.", "importance": 9 }])).await;
        kept(&scoped, &["Ada lives in Graz."]).await;
        let noted = scoped.memories().list("", 0).await.unwrap().kept.remove(0);
        let (author, told) = (noted.author, noted.writer_name.as_deref());
        assert_eq!((author, told), (MemoryAuthor::Background, Some("Ada")), "no agent wrote it");
        say("Still in Graz.", json!([{ "text": "Ada lives in Graz." }, { "text": "Ada has a cat." }])).await;
        kept(&scoped, &["Ada has a cat.", "Ada lives in Graz."]).await;
        let cat = scoped.memories().list("cat", 0).await.unwrap().kept.remove(0).id;
        scoped.memories().forget(&cat).await.unwrap();
        say("A cat.", json!([{ "text": "Ada has a cat." }, { "text": "Ada plays the piano." }])).await;
        kept(&scoped, &["Ada lives in Graz.", "Ada plays the piano."]).await;

        let requests = asked(&endpoint, REMEMBERS, 3).await;
        assert_eq!(requests.len(), 3, "not for an agent without a memory");
        let last = requests[2]["body"]["messages"].to_string();
        assert!(
            last.contains("A cat.") && !last.contains("Still in Graz."),
            "only what was said since: {last}"
        );
        let usage = scoped.ledger().usage().await.unwrap();
        assert!(
            usage.kinds.iter().any(|of| of.kind == CallKind::Memories && of.line.calls == 3),
            "{usage:?}"
        );

        // Of an agent that has read words of strangers it waits for the person.
        scoped
            .agents()
            .edit(&agent.id, Definition::like(&agent).tools(["memory", "state"]).draft())
            .await
            .unwrap();
        let tab = world.hub.open_tab(viewer.clone(), TabId::from("page")).unwrap();
        tab.set_state(&agent.id, "said".to_owned(), json!("Ada has a dog.")).await.unwrap();
        calls(&scoped, &agent.id, &talk, &[("state", json!({ "action": "get", "key": "said" }))]).await;
        say("I have a dog.", json!([{ "text": "Ada has a dog." }])).await;
        until(async || !scoped.memories().list("", 0).await.unwrap().proposed.is_empty()).await;
        kept(&scoped, &["Ada lives in Graz.", "Ada plays the piano."]).await;
    })
    .await;
}

#[tokio::test]
async fn neither_an_answer_nor_the_next_message_waits_for_what_is_to_be_remembered() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent, _tab) = wanted(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        scoped.side_calls().set(SideCallSettings { titles: false, memories: true }).await.unwrap();
        scoped.agents().edit(&agent.id, Definition::like(&agent).tools(["memory"]).draft()).await.unwrap();
        let talk = begun(&scoped, &agent.id).await;
        let silent = json!([{ "text": "Ada waits at the gate here." }]);
        let answer = ask(&scoped, &agent.id, &talk, &format!("Hello\nmemories: {silent}")).await;
        assert!(answer.contains("Hello"), "{answer}");
        asked(&endpoint, REMEMBERS, 1).await;
        let answer = ask(&scoped, &agent.id, &talk, "And now?").await;
        assert!(answer.contains("And now?"), "{answer}");

        // The first of these calls has still not said what it has to say.
        let call = asked(&endpoint, REMEMBERS, 1).await.remove(0);
        assert!(call["ended"].is_null() && call["body"]["messages"].to_string().contains("Hello"), "{call}");
        assert_eq!(scoped.memories().list("", 0).await.unwrap().kept, []);
        endpoint.with_open_gates(kept(&scoped, &["Ada waits at the gate here."])).await;
    })
    .await;
}

/// Waits until exactly these are kept.
async fn kept(scoped: &Scoped<'_>, texts: &[&str]) {
    let fits = async {
        loop {
            let kept = scoped.memories().list("", 0).await.unwrap().kept;
            let mut kept: Vec<String> = kept.into_iter().map(|memory| memory.text).collect();
            kept.sort();
            if kept == texts {
                return;
            }
        }
    };
    tokio::time::timeout(PATIENCE, fits).await.expect("these are kept");
}

#[tokio::test]
async fn a_proposal_of_an_agent_makes_nothing_and_is_its_persons_to_pay() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, stranger) = (world.person("ada").await, world.person("eve").await);
        let scoped = world.hub.for_viewer(&viewer);
        let provider = endpoint.provider(&scoped, ProviderKind::Anthropic).await;
        let enough = Caps { ever: Some(Micros(100_000_000)), ..Caps::default() };
        scoped.ledger().limit_own(&enough).await.unwrap();
        let sentence = " It keeps my ferns.\nagent: Fern **keeper** ";
        let found = scoped.side_calls().propose_agent(sentence, &provider, CHEAP).await.unwrap();
        assert_eq!(
            (found.name.as_str(), found.instructions.as_str()),
            ("Fern keeper", "You do what a model proposed.")
        );
        let request = asked(&endpoint, "You set up agents.", 1).await.remove(0);
        assert_eq!(request["body"]["model"], CHEAP);
        let text = request["body"]["messages"].to_string();
        assert!(text.contains("<words-of-strangers>") && text.contains("It keeps my ferns."), "{text}");
        assert_eq!(request["body"].get("tools"), None, "it can do nothing");
        assert!(scoped.agents().list().await.unwrap().is_empty());
        let usage = scoped.ledger().usage().await.unwrap();
        let paid: Vec<_> = usage.kinds.iter().filter(|of| of.kind == CallKind::Proposal).collect();
        assert!(paid.len() == 1 && paid[0].line.calls == 1 && paid[0].line.cost > Micros(0), "{usage:?}");
        assert_eq!(holds(&world).await, 0);

        scoped.ledger().limit_own(&Caps { ever: Some(Micros(1)), ..Caps::default() }).await.unwrap();
        let strange = world.hub.for_viewer(&stranger);
        for (scoped, sentence, expected) in [
            (scoped, "Ferns.", FailureKind::Limit),
            (scoped, " ", FailureKind::Invalid),
            (strange, "Ferns.", FailureKind::NotFound),
        ] {
            let refused = scoped.side_calls().propose_agent(sentence, &provider, CHEAP).await.unwrap_err();
            assert_eq!(refused.into_failure().kind, expected, "{sentence:?}");
        }
        assert_eq!(asked(&endpoint, "You set up agents.", 1).await.len(), 1);
        assert_eq!(holds(&world).await, 0);
    })
    .await;
}
