//! Runs whose model is on a device: the browser tells what it said, and the hub believes the shape of
//! it and no more.

use super::driven::Browser;
use super::page::Page;
use super::trace::{self, trace};
use super::{agent_with, open, outcome};
use crate::world::{Endpoint, World, each_store};
use hub::Viewer;
use protocol::Caps;
use protocol::agent::{Home, ProviderKind};
use protocol::hub::HubFrame;
use protocol::log::{EntryBody, Outcome};
use protocol::model::Purpose;
use protocol::model::{
    Block, BlockKind, ModelEvent, ModelFailure, ModelFailureKind, StopReason, ToolCall, Usage,
};
use protocol::run::{Effect, RunAsk};
use protocol::view::{AgentView, ProviderReach, When};
use protocol::{FailureKind, Micros, RunId, TabId};
use serde_json::json;
use std::time::Duration;

const TAB: &str = "tab-1";

async fn agent(world: &World, viewer: &Viewer, home: Home) -> AgentView {
    let scoped = world.hub.for_viewer(viewer);
    let provider =
        scoped.providers().save_device_provider(None, "Mine", ProviderKind::Ollama, None).await.unwrap();
    agent_with(world, viewer, provider.id, "gpt-5-mini", home).await
}

#[tokio::test]
async fn the_browsers_own_model_needs_no_address_and_is_nobody_elses_to_call() {
    each_store(async |world: World| {
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let keyed =
            scoped.providers().save(None, "Here", ProviderKind::InBrowser, None, Some("key-good")).await;
        assert_eq!(keyed.unwrap_err().into_failure().kind, FailureKind::Invalid);
        let saved = scoped.providers().save(None, "Here", ProviderKind::InBrowser, None, None).await.unwrap();
        assert_eq!((saved.reach, saved.base_url, saved.has_key), (ProviderReach::Device, None, false));
        assert_eq!(scoped.providers().models(&saved.id).await.unwrap().models, ["in-browser"]);
        assert!(scoped.providers().device_origins().await.unwrap().is_empty());
        let agent = agent_with(&world, &viewer, saved.id, "whatever", Home::Browser).await;
        let (mut browser, id) = (Browser::new(open(&world, &viewer, TAB), Page::default()), agent.id);
        browser.show(&id).await;
        scoped.runs().send_message(&id, "Hello", None, Some(&TabId::from(TAB))).await.unwrap();
        let spec = browser.granted_spec().await;
        let on_device = spec.on_device.unwrap();
        assert_eq!((on_device.kind, on_device.address.as_str()), (ProviderKind::InBrowser, ""));
        assert_eq!((spec.model.as_str(), spec.native_tools), ("in-browser", false));
    })
    .await;
}

#[tokio::test]
async fn a_run_says_whether_its_model_looks_at_pictures() {
    each_store(async |world: World| {
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let saved = scoped.providers().save_device_provider(None, "Mine", ProviderKind::Ollama, None).await;
        let provider = saved.unwrap().id;
        // Of the last nothing is known, and a picture is tried.
        for (model, sees) in [("gpt-5-mini", true), ("llama-3.3-70b-versatile", false), ("my-own", true)] {
            let agent = agent_with(&world, &viewer, provider.clone(), model, Home::Browser).await;
            let mut browser = Browser::new(open(&world, &viewer, TAB), Page::default());
            browser.show(&agent.id).await;
            scoped.runs().send_message(&agent.id, "Hello", None, Some(&TabId::from(TAB))).await.unwrap();
            let spec = browser.granted_spec().await;
            assert_eq!(spec.on_device.unwrap().sees, sees, "{model}");
            assert!(!scoped.pages().latest(&agent.id).await.unwrap().takes_pdf);
        }
    })
    .await;
}

/// A run of this agent that a tab was given and does not drive.
async fn granted(world: &World, viewer: &Viewer, agent: &AgentView) -> (Browser, RunId, String) {
    let mut browser = Browser::new(open(world, viewer, TAB), Page::default());
    browser.show(&agent.id).await;
    let scoped = world.hub.for_viewer(viewer);
    scoped.runs().send_message(&agent.id, "Hello", None, Some(&TabId::from(TAB))).await.unwrap();
    let (run, token) = browser.grant_without_driving().await;
    (browser, run, token)
}

#[tokio::test]
async fn what_the_device_says_is_shown_kept_and_costs_nothing() {
    each_store(async |world: World| {
        let viewer = world.person("ada").await;
        let agent = agent(&world, &viewer, Home::Browser).await;
        let (browser, run, token) = granted(&world, &viewer, &agent).await;
        let mut phone = open(&world, &viewer, "phone");
        phone.follow(&agent.id, 0).await.unwrap();
        for ask in [
            told(0, text_begins(0)),
            told(0, delta(0, "Good ")),
            told(0, delta(0, "morning")),
            told(0, text_ends(0, "Good morning")),
            append(0, EntryBody::Block { turn: 0, index: 0, block: text("Good morning") }),
            told(0, ModelEvent::Usage { usage: Usage { input: 12, output: 2, ..Usage::default() } }),
            told(0, stopped()),
            append(1, EntryBody::TurnFinished { turn: 0, stop: StopReason::EndTurn }),
            RunAsk::AsideTold { turn: 1, purpose: Purpose::Plan, usage: Some(Usage::default()) },
            finish(2),
        ] {
            browser.ask_as(&run, &token, ask).await;
        }
        let (mut seen, mut entries) = (String::new(), Vec::new());
        loop {
            match trace::next(&mut phone).await {
                HubFrame::Delta { text, .. } => seen.push_str(&text),
                HubFrame::Entry { entry } => {
                    let is_last = matches!(entry.body, EntryBody::RunFinished { .. });
                    entries.push(entry);
                    if is_last {
                        break;
                    }
                }
                _ => {}
            }
        }
        assert_eq!(outcome(&entries), &Outcome::Completed, "{}", trace(&entries));
        assert!(
            entries.iter().any(|entry| matches!(entry.body, EntryBody::RunStarted { unverified: true, .. }))
        );
        let costs = entries.iter().filter_map(|entry| match &entry.body {
            EntryBody::Used { cost, .. } => Some(*cost),
            _ => None,
        });
        assert_eq!(costs.collect::<Vec<_>>(), [Some(Micros(0)), Some(Micros(0))]);
        assert_eq!(seen, "Good morning");
    })
    .await;
}

/// A piece each millisecond, for two hundred: the first one at once, and then what came within twenty.
#[tokio::test]
async fn pieces_that_come_soon_behind_each_other_are_told_as_one_and_none_of_them_is_lost() {
    each_store(async |world: World| {
        let viewer = world.person("ada").await;
        let agent = agent(&world, &viewer, Home::Browser).await;
        let (browser, run, token) = granted(&world, &viewer, &agent).await;
        let mut phone = open(&world, &viewer, "phone");
        phone.follow(&agent.id, 0).await.unwrap();
        browser.ask_as(&run, &token, told(0, text_begins(0))).await;
        world.clock.stand_still();
        let mut whole = String::new();
        for number in 0..200 {
            let piece = format!("{number} ");
            whole.push_str(&piece);
            browser.ask_as(&run, &token, told(0, delta(0, &piece))).await;
            world.clock.advance(Duration::from_millis(1));
        }
        for ask in [
            told(0, text_ends(0, &whole)),
            append(0, EntryBody::Block { turn: 0, index: 0, block: text(&whole) }),
        ] {
            browser.ask_as(&run, &token, ask).await;
        }
        let (mut pieces, mut said) = (0, String::new());
        loop {
            match trace::next(&mut phone).await {
                HubFrame::Delta { offset, text, .. } => {
                    assert_eq!(offset, said.len() as u64);
                    pieces += 1;
                    said.push_str(&text);
                }
                HubFrame::Entry { entry } if matches!(entry.body, EntryBody::Block { .. }) => break,
                _ => {}
            }
        }
        assert_eq!(said, whole, "it is told before the entry that has all of it");
        assert_eq!(pieces, 11);
    })
    .await;
}

#[tokio::test]
async fn counts_that_no_model_reaches_stop_no_run_and_leave_the_meter_readable() {
    each_store(async |world: World| {
        let viewer = world.person("ada").await;
        let agent = agent(&world, &viewer, Home::Browser).await;
        let most = u64::MAX;
        let usage = Usage { input: most, output: most, cache_read: most, cache_write: most, reasoning: most };
        for _ in 0..2 {
            let (mut browser, run, token) = granted(&world, &viewer, &agent).await;
            for ask in
                [told(0, text_begins(0)), told(0, ModelEvent::Usage { usage }), told(0, stopped()), finish(0)]
            {
                browser.ask_as(&run, &token, ask).await;
            }
            let entries = browser.until_finished().await;
            assert_eq!(outcome(&entries), &Outcome::Completed, "{}", trace(&entries));
        }
        let lines = world.hub.for_viewer(&viewer).ledger().usage().await.unwrap().models;
        assert_eq!(lines.iter().map(|line| (line.calls, line.cost)).collect::<Vec<_>>(), [(2, Micros(0))]);
    })
    .await;
}

#[tokio::test]
async fn a_limit_does_not_hold_up_what_costs_nothing() {
    each_store(async |world: World| {
        let viewer = world.person("ada").await;
        let agent = agent(&world, &viewer, Home::Browser).await;
        let scoped = world.hub.for_viewer(&viewer);
        scoped
            .ledger()
            .limit_agent(&agent.id, &Caps { ever: Some(Micros(1)), ..Caps::default() })
            .await
            .unwrap();
        let (mut browser, run, token) = granted(&world, &viewer, &agent).await;
        let usage = Usage { input: 1_000_000, output: 1_000_000, ..Usage::default() };
        for ask in
            [told(0, text_begins(0)), told(0, ModelEvent::Usage { usage }), told(0, stopped()), finish(0)]
        {
            browser.ask_as(&run, &token, ask).await;
        }
        let entries = browser.until_finished().await;
        assert_eq!(outcome(&entries), &Outcome::Completed, "{}", trace(&entries));
        let usage = scoped.ledger().usage().await.unwrap();
        let lines: Vec<_> = usage.models.iter().map(|line| (line.calls, line.unpriced, line.cost)).collect();
        assert_eq!(lines, [(1, 0, Micros(0))]);
    })
    .await;
}

#[tokio::test]
async fn what_was_told_is_not_told_again_after_a_lost_connection() {
    each_store(async |world: World| {
        let viewer = world.person("ada").await;
        let agent = agent(&world, &viewer, Home::Browser).await;
        let (browser, run, token) = granted(&world, &viewer, &agent).await;
        let asks = [
            told(0, text_begins(0)),
            told(0, delta(0, "Good ")),
            told(0, delta(0, "morning")),
            told(0, text_ends(0, "Good morning")),
            append(0, EntryBody::Block { turn: 0, index: 0, block: text("Good morning") }),
            told(0, stopped()),
            append(1, EntryBody::TurnFinished { turn: 0, stop: StopReason::EndTurn }),
            finish(2),
        ];
        for ask in asks.iter().take(2) {
            browser.ask_as(&run, &token, ask.clone()).await;
        }
        drop(browser);
        let mut browser = Browser::new(open(&world, &viewer, TAB), Page::default());
        browser.show(&agent.id).await;
        browser.tab.rejoin(&run, &token, 0);
        let taken = loop {
            if let HubFrame::Rejoined { taken, .. } = trace::next(&mut browser.tab).await {
                break taken;
            }
        };
        for ask in asks.into_iter().skip(usize::try_from(taken).unwrap()) {
            browser.ask_as(&run, &token, ask).await;
        }
        let entries = browser.until_finished().await;
        assert_eq!(outcome(&entries), &Outcome::Completed, "{}", trace(&entries));
    })
    .await;
}

#[tokio::test]
async fn whoever_lost_the_run_tells_nothing_more() {
    each_store(async |world: World| {
        let viewer = world.person("ada").await;
        let agent = agent(&world, &viewer, Home::Browser).await;
        let (browser, run, token) = granted(&world, &viewer, &agent).await;
        browser.ask_as(&run, &token, told(0, text_begins(0))).await;
        let mut phone = Browser::new(open(&world, &viewer, "phone"), Page::default());
        phone.show(&agent.id).await;
        let scoped = world.hub.for_viewer(&viewer);
        scoped.runs().take_over(&agent.id, &TabId::from("phone")).await.unwrap();
        let (same, fresh) = phone.grant_without_driving().await;
        assert_eq!(same, run);
        browser.ask_as(&run, &token, told(0, delta(0, "late"))).await;
        for ask in [
            told(0, text_begins(0)),
            told(0, text_ends(0, "")),
            told(0, stopped()),
            append(0, EntryBody::TurnFinished { turn: 0, stop: StopReason::EndTurn }),
            finish(1),
        ] {
            phone.ask_as(&run, &fresh, ask).await;
        }
        let entries = phone.until_finished().await;
        assert_eq!(outcome(&entries), &Outcome::Completed, "{}", trace(&entries));
    })
    .await;
}

#[tokio::test]
async fn such_an_agent_does_not_move_to_the_hub() {
    each_store(async |world: World| {
        let viewer = world.person("ada").await;
        let agent = agent(&world, &viewer, Home::Browser).await;
        let scoped = world.hub.for_viewer(&viewer);
        let refused = scoped.runs().move_agent(&agent.id, Home::Hub, When::After, None).await.unwrap_err();
        assert_eq!(refused.into_failure().kind, FailureKind::Conflict);
        assert_eq!(scoped.agents().get(&agent.id).await.unwrap().home, Home::Browser);
    })
    .await;
}

#[tokio::test]
async fn what_is_no_stream_ends_the_run() {
    each_store(async |world: World| {
        let viewer = world.person("ada").await;
        let agent = agent(&world, &viewer, Home::Browser).await;
        let call = ToolCall { id: "c".into(), name: "state".to_owned(), input: json!({ "action": "list" }) };
        let tool_begins = || ModelEvent::BlockStarted {
            index: 0,
            kind: BlockKind::ToolUse { id: "c".into(), name: "dom".to_owned() },
        };
        let failed = || ModelEvent::Failed {
            failure: ModelFailure {
                kind: ModelFailureKind::Cut,
                message: "x".to_owned(),
                retry_after_ms: None,
            },
        };
        let table = [
            vec![told(0, delta(0, "a"))],
            vec![told(0, text_begins(1))],
            vec![told(0, text_begins(0)), told(0, text_begins(0))],
            vec![told(0, text_begins(0)), told(0, delta(0, "a")), told(0, text_ends(0, "b"))],
            vec![told(0, text_begins(0)), told(0, text_ends(0, "")), told(0, delta(0, "a"))],
            vec![
                told(0, tool_begins()),
                told(0, ModelEvent::BlockFinished { index: 0, block: Block::ToolUse(call.clone()) }),
            ],
            vec![told(0, stopped()), told(0, stopped())],
            vec![told(0, failed()), told(0, text_begins(0))],
            vec![told(1, text_begins(0)), told(0, text_begins(0))],
            vec![told(100, text_begins(0))],
            vec![told(0, text_begins(0)), told(0, delta(0, &"a".repeat(5_000_000)))],
            vec![told(0, text_begins(0)), effect(Effect::AbortModel), told(0, delta(0, "a"))],
            vec![effect(Effect::RunTools { turn: 0, calls: vec![call] })],
            vec![append(0, EntryBody::Block { turn: 0, index: 0, block: text("never told") })],
        ];
        for asks in table {
            let (mut browser, run, token) = granted(&world, &viewer, &agent).await;
            for ask in asks.clone() {
                browser.ask_as(&run, &token, ask).await;
            }
            let entries = browser.until_finished().await;
            assert!(matches!(outcome(&entries), Outcome::Interrupted { .. }), "{asks:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_run_whose_model_the_hub_calls_is_told_nothing() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let agent = super::agent(&world, &viewer, &endpoint, ProviderKind::Anthropic, Home::Browser).await;
        for ask in [
            told(0, text_begins(0)),
            RunAsk::AsideTold { turn: 0, purpose: Purpose::Plan, usage: Some(Usage::default()) },
        ] {
            let (mut browser, run, token) = granted(&world, &viewer, &agent).await;
            browser.ask_as(&run, &token, ask).await;
            let entries = browser.until_finished().await;
            assert!(matches!(outcome(&entries), Outcome::Interrupted { .. }), "{}", trace(&entries));
        }
    })
    .await;
}

#[tokio::test]
async fn on_the_hub_such_an_agent_says_at_once_what_to_do() {
    each_store(async |world: World| {
        let viewer = world.person("ada").await;
        let agent = agent(&world, &viewer, Home::Hub).await;
        let mut tab = open(&world, &viewer, TAB);
        tab.follow(&agent.id, 0).await.unwrap();
        world.hub.for_viewer(&viewer).runs().send_message(&agent.id, "Hello", None, None).await.unwrap();
        let entries = trace::until_finished(&mut tab).await;
        let Outcome::Failed { failure } = outcome(&entries) else { panic!("{}", trace(&entries)) };
        assert_eq!(failure.kind, ModelFailureKind::NotConfigured);
        assert!(failure.message.contains("Let it run in the browser"), "{}", failure.message);
    })
    .await;
}

fn told(turn: u32, event: ModelEvent) -> RunAsk {
    RunAsk::Told { turn, event }
}

fn effect(effect: Effect) -> RunAsk {
    RunAsk::Effect { effect }
}

fn append(ordinal: u32, body: EntryBody) -> RunAsk {
    effect(Effect::Append { ordinal, body })
}

fn finish(ordinal: u32) -> RunAsk {
    effect(Effect::Finish { ordinal, outcome: Outcome::Completed })
}

fn text(text: &str) -> Block {
    Block::Text { text: text.to_owned() }
}

fn text_begins(index: u32) -> ModelEvent {
    ModelEvent::BlockStarted { index, kind: BlockKind::Text }
}

fn text_ends(index: u32, whole: &str) -> ModelEvent {
    ModelEvent::BlockFinished { index, block: text(whole) }
}

fn delta(index: u32, text: &str) -> ModelEvent {
    ModelEvent::Delta { index, text: text.to_owned() }
}

fn stopped() -> ModelEvent {
    ModelEvent::Stopped { reason: StopReason::EndTurn }
}
