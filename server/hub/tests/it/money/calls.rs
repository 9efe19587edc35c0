//! What model calls of runs cost, however they end and whatever asks for them.

#![expect(clippy::disallowed_methods, reason = "what a test starts belongs to the test")]

use super::{PATIENCE, costs};
use crate::approvals::counts::agree;
use crate::providers::server::Server;
use crate::runs::driven::Browser;
use crate::runs::page::Page;
use crate::runs::{agent, open, trace};
use crate::talk::{a_moment, until};
use crate::world::{Endpoint, World, each_store};
use hub::{Api, OpenedAgents, Viewer};
use protocol::Caps;
use protocol::agent::{Home, ProviderKind};
use protocol::hub::HubFrame;
use protocol::log::{Entry, EntryBody, Outcome};
use protocol::model::Purpose;
use protocol::model::{MessageList, ModelEvent, ModelMessage, ModelRequest, ToolCall, Usage};
use protocol::run::{Effect, RunAsk, RunReply};
use protocol::view::{AgentView, TokenScope};
use protocol::{Micros, RunId, TabId};
use serde_json::{Value, json};
use sqlx::Row as _;

const WIRES: [ProviderKind; 2] = [ProviderKind::Anthropic, ProviderKind::OpenAi];
const TAB: &str = "tab-1";
/// Said before the gate of its script, and more events than a browser is sent without its word.
const LONG: &str = r#"turns: [[{"text":"WORDS gate more","gate":"gate"}]]"#;

/// A run whose loop in the browser is somebody else's: it asks for what it likes.
struct Replaced {
    browser: Browser,
    run: RunId,
    token: String,
}

impl Replaced {
    async fn begin(world: &World, viewer: &Viewer, agent: &AgentView) -> Self {
        let mut browser = Browser::new(open(world, viewer, TAB), Page::default());
        browser.show(&agent.id).await;
        let scoped = world.hub.for_viewer(viewer);
        scoped.runs().send_message(&agent.id, "Hello", None, Some(&TabId::from(TAB))).await.unwrap();
        let (run, token) = browser.grant_without_driving().await;
        Self { browser, run, token }
    }

    async fn ask(&self, effect: Effect) {
        self.browser.ask_as(&self.run, &self.token, RunAsk::Effect { effect }).await;
    }

    async fn finish(&mut self) -> Vec<Entry> {
        self.ask(Effect::Finish { ordinal: 0, outcome: Outcome::Stopped }).await;
        self.browser.until_finished().await
    }
}

#[tokio::test]
async fn what_was_looked_up_too_late_has_an_end_and_is_counted() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let agent = agent(&world, &viewer, &endpoint, WIRES[0], Home::Browser).await;
        let mut replaced = Replaced::begin(&world, &viewer, &agent).await;
        let call = ToolCall { id: "early".into(), name: "datetime".to_owned(), input: json!({}) };
        replaced.ask(Effect::Prefetch { turn: 0, calls: vec![call], deadline_ms: 0 }).await;
        let store = world.store().await;
        let ended = async || {
            let row = sqlx::query("SELECT COUNT(*) FROM tool_calls WHERE finished_at IS NOT NULL");
            row.fetch_one(store.read()).await.unwrap().get::<i64, _>(0)
        };
        until(async || ended().await > 0).await;
        agree(&world).await;
        replaced.finish().await;
    })
    .await;
}

#[tokio::test]
async fn calls_that_a_loop_asks_for_at_once_are_made_one_after_the_other_and_each_is_paid() {
    each_store(async |world: World| {
        for (at, kind) in WIRES.into_iter().enumerate() {
            let endpoint = Endpoint::start();
            let viewer = world.person(&format!("ada{at}")).await;
            let agent = agent(&world, &viewer, &endpoint, kind, Home::Browser).await;
            limit(&world, &viewer, &agent).await;
            let mut replaced = Replaced::begin(&world, &viewer, &agent).await;
            for turn in 0..3 {
                replaced.ask(Effect::CallModel { turn, request: saying("script: hang") }).await;
                requests(&endpoint, usize::try_from(turn).unwrap() + 1).await;
            }
            for turn in 3..6 {
                let request = saying("script: hang");
                let (purpose, deadline_ms) = (Purpose::Plan, 60_000);
                replaced.ask(Effect::Aside { turn, purpose, request, deadline_ms }).await;
                requests(&endpoint, usize::try_from(turn).unwrap() + 1).await;
            }
            let all_but_the_last = |asked: &[Value]| {
                asked.len() == 6 && asked[..5].iter().all(|asked| asked["ended"] == "aborted")
            };
            until_asked(&endpoint, all_but_the_last).await;
            assert_eq!(holds(&world).await, 1, "money is held for one");
            let used = used(&replaced.finish().await);
            assert_eq!(used.len(), 6, "{kind:?}: {used:?}");
            assert!(used.iter().all(|usage| usage.input > 0), "{kind:?}: {used:?}");
            assert_eq!(holds(&world).await, 0);
        }
    })
    .await;
}

#[tokio::test]
async fn a_reply_that_is_cut_or_stopped_costs_what_was_asked_and_what_was_said() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let whole = |text: &str| LONG.replace("WORDS", text);
        for (at, (kind, home)) in
            WIRES.into_iter().flat_map(|kind| [(kind, Home::Hub), (kind, Home::Browser)]).enumerate()
        {
            for (name, script, is_stopped, has_words) in [
                ("cut", "script: cut".to_owned(), false, true),
                ("hang", "script: hang".to_owned(), true, true),
                ("silent", r#"turns: ["hang"]"#.to_owned(), true, false),
                ("long", whole(&"word ".repeat(200)), true, true),
            ] {
                let viewer = world.person(&format!("{name}{at}")).await;
                let scoped = world.hub.for_viewer(&viewer);
                let agent = agent(&world, &viewer, &endpoint, kind, home).await;
                limit(&world, &viewer, &agent).await;
                let before = endpoint.requests().await.len();
                let mut browser = Browser::new(open(&world, &viewer, TAB), Page::default());
                browser.show(&agent.id).await;
                scoped.runs().send_message(&agent.id, &script, None, Some(&TabId::from(TAB))).await.unwrap();
                let entries = if is_stopped {
                    if has_words {
                        browser.until_text().await;
                    } else {
                        while home == Home::Browser && !browser.is_driving() {
                            browser.step().await;
                        }
                        requests(&endpoint, before + 1).await;
                    }
                    let (hub, stopper, id) = (world.hub.clone(), viewer.clone(), agent.id.clone());
                    let stopped =
                        tokio::spawn(async move { hub.for_viewer(&stopper).runs().stop(&id).await });
                    let entries = browser.until_finished().await;
                    stopped.await.unwrap().unwrap();
                    entries
                } else {
                    browser.until_finished().await
                };
                let used = used(&entries);
                assert_eq!(used.len(), 1, "{kind:?} {home:?} {name}: {}", trace::trace(&entries));
                assert!(used[0].input > 0, "{kind:?} {home:?} {name}: {used:?}");
                assert_eq!(used[0].output > 1, has_words, "{kind:?} {home:?} {name}: {used:?}");
                assert!(scoped.ledger().own_budget().await.unwrap().spent.day > Micros(0));
                assert_eq!(holds(&world).await, 0, "{kind:?} {home:?} {name}");
            }
        }
    })
    .await;
}

#[tokio::test]
async fn what_a_reply_used_whose_agent_went_meanwhile_is_spent_all_the_same() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let agent = agent(&world, &viewer, &endpoint, ProviderKind::Anthropic, Home::Hub).await;
        limit(&world, &viewer, &agent).await;
        scoped.runs().send_message(&agent.id, LONG, None, None).await.unwrap();
        requests(&endpoint, 1).await;
        // As where a message begins a run while its agent is being deleted.
        world.execute("DELETE FROM agents").await;
        endpoint.open_gate().await;
        until(async || scoped.ledger().own_budget().await.unwrap().spent.day > Micros(0)).await;
        until(async || holds(&world).await == 0).await;
    })
    .await;
}

#[tokio::test]
async fn a_call_that_is_not_answered_in_time_costs_what_was_asked() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let agent = agent(&world, &viewer, &endpoint, ProviderKind::Anthropic, Home::Hub).await;
        limit(&world, &viewer, &agent).await;
        let silent = r#"turns: ["hang"]"#;
        scoped.runs().send_message(&agent.id, silent, None, None).await.unwrap();
        requests(&endpoint, 1).await;
        tokio::time::pause();
        tokio::time::advance(std::time::Duration::from_secs(301)).await;
        tokio::time::resume();
        until(async || scoped.ledger().own_budget().await.unwrap().spent.day > Micros(0)).await;
        scoped.runs().stop(&agent.id).await.unwrap();
        until(async || holds(&world).await == 0).await;
    })
    .await;
}

#[tokio::test]
async fn a_browser_that_takes_no_more_events_pays_for_what_the_provider_has_said() {
    each_store(async |world: World| {
        for (at, kind) in WIRES.into_iter().enumerate() {
            let endpoint = Endpoint::start();
            let viewer = world.person(&format!("ada{at}")).await;
            let agent = agent(&world, &viewer, &endpoint, kind, Home::Browser).await;
            limit(&world, &viewer, &agent).await;
            // Wherever the sixty-four events end: the last ones of the reply are not taken.
            for words in 55..66 {
                let mut replaced = Replaced::begin(&world, &viewer, &agent).await;
                let text = format!(r#"turns: [[{{"text":"{}"}}]]"#, "word ".repeat(words));
                replaced.ask(Effect::CallModel { turn: 0, request: saying(&text) }).await;
                replaced.browser.until_text().await;
                let entries = replaced.finish().await;
                let used = used(&entries);
                assert_eq!(used.len(), 1, "{kind:?} {words}: {}", trace::trace(&entries));
                assert!(used[0].input > 0 && used[0].output > 0, "{kind:?} {words}: {used:?}");
            }
        }
    })
    .await;
}

#[tokio::test]
async fn a_reply_without_a_word_of_what_it_used_is_no_gift() {
    let chunk = |delta: Value, stop: Value| {
        json!({ "id": "c", "object": "chat.completion.chunk", "created": 1, "model": "gpt-5-mini",
                "choices": [{ "index": 0, "delta": delta, "finish_reason": stop }] })
    };
    let said = chunk(json!({ "role": "assistant", "content": "Good morning to everybody." }), Value::Null);
    let end = chunk(json!({}), json!("stop"));
    let answer = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\ndata: {said}\n\ndata: {end}\n\ndata: [DONE]\n\n"
    );
    each_store(async |world: World| {
        let answer = answer.clone();
        let server = Server::start(move |_| answer.clone()).await;
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let url = Some(server.url.as_str());
        let provider =
            scoped.providers().save(None, "Test", ProviderKind::OpenAi, url, Some("key-good")).await.unwrap();
        for home in [Home::Hub, Home::Browser] {
            let agent =
                crate::runs::agent_with(&world, &viewer, provider.id.clone(), "gpt-5-mini", home).await;
            let mut browser = Browser::new(open(&world, &viewer, TAB), Page::default());
            browser.show(&agent.id).await;
            scoped.runs().send_message(&agent.id, "Hello", None, Some(&TabId::from(TAB))).await.unwrap();
            let entries = browser.until_finished().await;
            let used = used(&entries);
            assert_eq!(used.len(), 1, "{home:?}: {}", trace::trace(&entries));
            assert!(used[0].input > 0 && used[0].output > 0, "{home:?}: {used:?}");
        }
        let made = scoped
            .account()
            .make_token("script", TokenScope::Models, hub::Words::Own, None, OpenedAgents::All)
            .await
            .unwrap();
        let program = world.hub.accounts().bearer(&made.token, "").await.unwrap().unwrap().program;
        let body = json!({ "model": "gpt-5-mini", "messages": [{ "role": "user", "content": "Hello" }] });
        let reply = world.hub.for_program(&program).answer(Api::Chat, body.to_string().into()).await;
        assert_eq!(reply.status, 200);
        let programs = scoped.ledger().usage().await.unwrap().programs;
        assert!(programs[0].input_tokens > 0 && programs[0].cost > Micros(0), "{programs:?}");
    })
    .await;
}

#[tokio::test]
async fn a_whole_reply_that_its_driver_does_not_take_holds_what_it_cost_and_no_more() {
    each_store(async |world: World| {
        for (at, kind) in WIRES.into_iter().enumerate() {
            let endpoint = Endpoint::start();
            let viewer = world.person(&format!("ada{at}")).await;
            let agent = agent(&world, &viewer, &endpoint, kind, Home::Browser).await;
            limit(&world, &viewer, &agent).await;
            let mut replaced = Replaced::begin(&world, &viewer, &agent).await;
            replaced.ask(Effect::CallModel { turn: 0, request: saying("script: hello") }).await;
            loop {
                let frame = trace::next(&mut replaced.browser.tab).await;
                if let HubFrame::Run {
                    reply: RunReply::Model { event: ModelEvent::Stopped { .. }, .. },
                    ..
                } = frame
                {
                    break;
                }
            }
            let held = held(&world).await;
            let entries = replaced.finish().await;
            assert_eq!(costs(&entries), held, "{kind:?}: {}", trace::trace(&entries));
            assert!(held > 0, "{kind:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn nothing_is_held_while_a_run_waits_to_make_its_call_again() {
    each_store(async |world: World| {
        for (at, kind) in WIRES.into_iter().enumerate() {
            let endpoint = Endpoint::start();
            let viewer = world.person(&format!("ada{at}")).await;
            let scoped = world.hub.for_viewer(&viewer);
            let agent = agent(&world, &viewer, &endpoint, kind, Home::Hub).await;
            limit(&world, &viewer, &agent).await;
            let mut tab = open(&world, &viewer, TAB);
            tab.follow(&agent.id, 0).await.unwrap();
            let slow =
                r#"turns: [{"status":429,"type":"rate_limit_error","message":"Slow.","retry_after":"2"}]"#;
            scoped.runs().send_message(&agent.id, slow, None, None).await.unwrap();
            let entries = trace::until(&mut tab, |body| matches!(body, EntryBody::Retrying { .. })).await;
            assert_eq!(used(&entries), [], "what was refused costs nothing");
            assert_eq!(holds(&world).await, 0);
            scoped.runs().stop(&agent.id).await.unwrap();
        }
    })
    .await;
}

/// High enough for one call, and for no second one beside it.
async fn limit(world: &World, viewer: &Viewer, agent: &AgentView) {
    let scoped = world.hub.for_viewer(viewer);
    let caps = Caps { per_call: Some(Micros(5_000_000)), ever: Some(Micros(10_000_000)), ..Caps::default() };
    scoped.ledger().limit_agent(&agent.id, &caps).await.unwrap();
}

fn saying(text: &str) -> ModelRequest {
    let message = ModelMessage::User { text: text.to_owned(), media: Vec::new() };
    ModelRequest {
        model: String::new(),
        system: String::new(),
        tools: Vec::new(),
        tool_choice: Default::default(),
        messages: MessageList::from_iter([message]),
        max_output_tokens: 100,
        effort: None,
        sampling: Default::default(),
    }
}

/// As soon as the model was asked so often.
async fn requests(endpoint: &Endpoint, count: usize) {
    until_asked(endpoint, |asked| asked.len() >= count).await;
}

async fn until_asked(endpoint: &Endpoint, fits: impl Fn(&[Value]) -> bool) {
    let asked = async {
        while !fits(&endpoint.requests().await) {
            a_moment().await;
        }
    };
    let in_time = tokio::time::timeout(PATIENCE, asked).await;
    assert!(in_time.is_ok(), "{:?}", endpoint.requests().await);
}

/// The money that is held.
async fn held(world: &World) -> i64 {
    let store = world.store().await;
    let row =
        sqlx::query("SELECT CAST(SUM(amount) AS BIGINT) FROM holds").fetch_one(store.read()).await.unwrap();
    row.get(0)
}

async fn holds(world: &World) -> i64 {
    let store = world.store().await;
    let row = sqlx::query("SELECT COUNT(*) FROM holds").fetch_one(store.read()).await.unwrap();
    row.get(0)
}

fn used(entries: &[Entry]) -> Vec<Usage> {
    let used = |entry: &Entry| match &entry.body {
        EntryBody::Used { usage, .. } => Some(*usage),
        _ => None,
    };
    entries.iter().filter_map(used).collect()
}
