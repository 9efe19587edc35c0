//! Runs at both homes, against a model server that speaks the providers' wires.

mod alone;
mod away;
mod device;
mod device_key;
mod devices;
pub mod driven;
mod homes;
mod on_device;
pub mod page;
mod page_calls;
mod page_life;
mod sampling;
mod together;
pub mod trace;
mod without_a_page;

use crate::world::{Definition, Endpoint, World, each_store, on_sqlite};
use driven::Browser;
use hub::{Tab, Viewer};
use page::Page;
use protocol::agent::{Home, ProviderKind};
use protocol::log::{EntryBody, Outcome};
use protocol::page::SkinPage;
use protocol::view::{AgentView, Status};
use protocol::{AgentId, FailureKind, ProviderId, TabId};
use std::collections::HashSet;
use trace::{trace, until_finished};

const TOOLS: [&str; 6] = ["dom", "runjs", "state", "storage", "capabilities", "datetime"];

pub async fn agent(
    world: &World,
    viewer: &Viewer,
    endpoint: &Endpoint,
    kind: ProviderKind,
    home: Home,
) -> AgentView {
    let model = match kind {
        ProviderKind::Anthropic => "claude-sonnet-4-5",
        _ => "gpt-5-mini",
    };
    let scoped = world.hub.for_viewer(viewer);
    let provider = endpoint.provider(&scoped, kind).await;
    agent_with(world, viewer, provider, model, home).await
}

pub async fn agent_with(
    world: &World,
    viewer: &Viewer,
    provider: ProviderId,
    model: &str,
    home: Home,
) -> AgentView {
    let scoped = world.hub.for_viewer(viewer);
    Definition::on(&provider, model).tools(TOOLS).home(home).create(&scoped).await
}

pub fn open(world: &World, viewer: &Viewer, name: &str) -> Tab {
    world.hub.open_tab(viewer.clone(), TabId::from(name)).unwrap()
}

/// Sends `text` to a fresh agent and gives the trace of what followed in its log.
async fn told(
    world: &World,
    person: &str,
    endpoint: &Endpoint,
    kind: ProviderKind,
    home: Home,
    text: &str,
) -> String {
    let viewer = world.person(person).await;
    let agent = agent(world, &viewer, endpoint, kind, home).await;
    let mut browser = Browser::new(open(world, &viewer, "tab-1"), Page::default());
    browser.show(&agent.id).await;
    let tab = TabId::from("tab-1");
    world.hub.for_viewer(&viewer).runs().send_message(&agent.id, text, None, Some(&tab)).await.unwrap();
    trace(&browser.until_finished().await)
}

#[tokio::test]
async fn both_wires_and_both_homes_give_the_same_events() {
    on_sqlite(async |world: World| {
        let endpoint = Endpoint::start();
        for script in ["hello", "tools", "draw", "rounds"] {
            let text = format!("script: {script}");
            let mut traces = Vec::new();
            for (place, kind, home) in [
                ("ah", ProviderKind::Anthropic, Home::Hub),
                ("oh", ProviderKind::OpenAi, Home::Hub),
                ("ab", ProviderKind::Anthropic, Home::Browser),
                ("ob", ProviderKind::OpenAi, Home::Browser),
            ] {
                let person = format!("{script}{place}");
                traces.push(told(&world, &person, &endpoint, kind, home, &text).await);
            }
            assert!(traces[0].ends_with("finished completed\n"), "{}", traces[0]);
            for other in &traces[1..] {
                assert_eq!(other, &traces[0], "{script}");
            }
        }
    })
    .await;
}

#[tokio::test]
async fn seq_has_no_gap_and_a_late_tab_reads_the_same() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let agent = agent(&world, &viewer, &endpoint, ProviderKind::Anthropic, Home::Hub).await;
        let mut early = Browser::new(open(&world, &viewer, "early"), Page::default());
        early.show(&agent.id).await;
        world
            .hub
            .for_viewer(&viewer)
            .runs()
            .send_message(&agent.id, "script: draw", None, None)
            .await
            .unwrap();
        let live = early.until_finished().await;
        for (index, entry) in live.iter().enumerate() {
            assert_eq!(entry.seq, index as u64 + 1);
        }
        for cut in 0..=live.len() {
            let mut late = open(&world, &viewer, "late");
            late.follow(&agent.id, cut as u64).await.unwrap();
            assert_eq!(until_caught_up(&mut late).await, live[cut..], "cut at {cut}");
        }
        let card = &world.hub.for_viewer(&viewer).agents().list().await.unwrap()[0];
        assert_eq!((card.status, card.skin_version), (Status::Idle, 2));
        assert!(card.spent.input_tokens > 0 && card.spent.cost.is_some());
    })
    .await;
}

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "what a test starts belongs to the test")]
async fn stop_aborts_the_request_and_keeps_what_was_said() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        for home in [Home::Hub, Home::Browser] {
            let agent = agent(&world, &viewer, &endpoint, ProviderKind::Anthropic, home).await;
            let mut browser = Browser::new(open(&world, &viewer, "tab-1"), Page::default());
            browser.show(&agent.id).await;
            let scoped = world.hub.for_viewer(&viewer);
            scoped
                .runs()
                .send_message(&agent.id, "script: slow", None, Some(&TabId::from("tab-1")))
                .await
                .unwrap();
            browser.until_text().await;
            let hub = world.hub.clone();
            let (stopper, id) = (viewer.clone(), agent.id.clone());
            let stopped = tokio::spawn(async move { hub.for_viewer(&stopper).runs().stop(&id).await });
            let entries = browser.until_finished().await;
            stopped.await.unwrap().unwrap();
            assert_eq!(outcome(&entries), &Outcome::Stopped, "{home:?}");
            assert!(trace(&entries).contains("text "), "{home:?}: {}", trace(&entries));
        }
    })
    .await;
}

#[tokio::test]
async fn a_failed_run_says_why_and_retry_goes_on_from_there() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let agent = agent(&world, &viewer, &endpoint, ProviderKind::OpenAi, Home::Hub).await;
        let scoped = world.hub.for_viewer(&viewer);
        let mut tab = open(&world, &viewer, "tab-1");
        tab.follow(&agent.id, 0).await.unwrap();
        scoped.runs().send_message(&agent.id, "script: fail529", None, None).await.unwrap();
        let Outcome::Failed { failure } = outcome(&until_finished(&mut tab).await).clone() else {
            panic!("an overloaded provider fails the run");
        };
        assert!(!failure.message.is_empty());
        assert_eq!(scoped.agents().list().await.unwrap()[0].status, Status::Error);
        scoped.runs().retry(&agent.id, None).await.unwrap();
        until_finished(&mut tab).await;
        scoped.runs().send_message(&agent.id, "script: hello", None, None).await.unwrap();
        assert_eq!(outcome(&until_finished(&mut tab).await), &Outcome::Completed);
        let refused = scoped.runs().retry(&agent.id, None).await.unwrap_err().into_failure();
        assert_eq!(refused.kind, FailureKind::Conflict);
    })
    .await;
}

#[tokio::test]
async fn what_a_reply_used_before_it_broke_off_is_booked() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        for (person, home) in [("ada", Home::Hub), ("bob", Home::Browser)] {
            let viewer = world.person(person).await;
            let agent = agent(&world, &viewer, &endpoint, ProviderKind::Anthropic, home).await;
            let mut browser = Browser::new(open(&world, &viewer, "tab-1"), Page::default());
            browser.show(&agent.id).await;
            let scoped = world.hub.for_viewer(&viewer);
            scoped
                .runs()
                .send_message(&agent.id, "script: cut", None, Some(&TabId::from("tab-1")))
                .await
                .unwrap();
            let entries = browser.until_finished().await;
            assert!(matches!(outcome(&entries), Outcome::Failed { .. }), "{home:?}");
            assert_eq!(trace(&entries).matches("used").count(), 1, "{home:?}: {}", trace(&entries));
            let card = &scoped.agents().list().await.unwrap()[0];
            assert!(card.spent.input_tokens > 0 && card.spent.cost.is_some(), "{home:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_message_during_a_run_reaches_its_very_next_call() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        for home in [Home::Hub, Home::Browser] {
            let agent = agent(&world, &viewer, &endpoint, ProviderKind::Anthropic, home).await;
            let mut browser = Browser::new(open(&world, &viewer, "tab-1"), Page::default());
            browser.show(&agent.id).await;
            let scoped = world.hub.for_viewer(&viewer);
            let tab = TabId::from("tab-1");
            scoped.runs().send_message(&agent.id, "script: halves", None, Some(&tab)).await.unwrap();
            browser.until_text().await;
            scoped.runs().send_message(&agent.id, "And you?", None, Some(&tab)).await.unwrap();
            endpoint.open_gate().await;
            let entries = browser.until_finished().await;
            assert_eq!(outcome(&entries), &Outcome::Completed, "{home:?}");
            let trace = trace(&entries);
            assert!(!trace.contains("\nstarted\n"), "{home:?}: {trace}");
            assert!(trace.contains("1 steered\n"), "{home:?}: {trace}");
            assert!(trace.contains("1.0 text \"You said: And you?\""), "{home:?}: {trace}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_message_that_comes_again_under_its_key_is_one_message() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let agent = agent(&world, &viewer, &endpoint, ProviderKind::Anthropic, Home::Hub).await;
        let other = world.hub.for_viewer(&viewer).copies().make(&agent.id).await.unwrap();
        let scoped = world.hub.for_viewer(&viewer);
        let send = async |to: &AgentId, key| {
            scoped.runs().send_message(to, "hi", Some(key), None).await.unwrap().seq
        };
        let first = send(&agent.id, "k1").await;
        let both = tokio::join!(send(&agent.id, "k2"), send(&agent.id, "k2"));
        assert_eq!(both.0, both.1);
        assert_eq!(send(&agent.id, "k1").await, first);
        assert_ne!(both.0, first);
        send(&other.id, "k1").await;
        for (id, expected) in [(&agent.id, 2), (&other.id, 1)] {
            let entries = scoped.conversations().entries(id, 0).await.unwrap();
            let said = entries.iter().filter(|entry| matches!(entry.body, EntryBody::Message { .. }));
            assert_eq!(said.count(), expected);
        }
        for bad in ["", &"k".repeat(101)] {
            let refused = scoped.runs().send_message(&agent.id, "hi", Some(bad), None).await.unwrap_err();
            assert_eq!(refused.into_failure().kind, FailureKind::Invalid);
        }
    })
    .await;
}

#[tokio::test]
async fn a_text_that_a_store_cannot_hold_is_the_senders_mistake() {
    each_store(async |world: World| {
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        for failure in [
            scoped.conversations().entries(&AgentId::from("a\0"), 0).await.map(|_| ()).unwrap_err(),
            scoped.runs().retry(&AgentId::from("\0"), None).await.unwrap_err(),
        ] {
            let kind = failure.into_failure().kind;
            assert!(matches!(kind, FailureKind::Invalid | FailureKind::NotFound), "{kind:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_page_event_wakes_the_agent_and_an_ask_is_answered() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let agent = agent(&world, &viewer, &endpoint, ProviderKind::Anthropic, Home::Hub).await;
        let mut browser = Browser::new(open(&world, &viewer, "tab-1"), Page::default());
        browser.show(&agent.id).await;
        browser.tab.page_ask(&agent.id, 7, "What is this?").await.unwrap();
        browser.until_finished().await;
        assert_eq!(browser.answer(7).await, "You said: [page question]\n> What is this?");
        browser.tab.page_notify(&agent.id, "click #go", &serde_json::json!({"n": 1})).await.unwrap();
        let entries = browser.until_finished().await;
        assert!(trace(&entries).starts_with("message page event click #go\n"), "{}", trace(&entries));
    })
    .await;
}

#[tokio::test]
async fn a_page_that_another_program_shows_drives_no_run() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        for (person, is_elsewhere) in [("ada", true), ("eve", false)] {
            let viewer = world.person(person).await;
            let agent = agent(&world, &viewer, &endpoint, ProviderKind::Anthropic, Home::Browser).await;
            let tab = match is_elsewhere {
                true => world.hub.open_page_elsewhere(viewer.clone()).unwrap(),
                false => open(&world, &viewer, "tab-1"),
            };
            tab.page_notify(&agent.id, "click #go", &serde_json::Value::Null).await.unwrap();
            let scoped = world.hub.for_viewer(&viewer);
            let entries = scoped.conversations().entries(&agent.id, 0).await.unwrap();
            let drivers = entries.iter().filter_map(|entry| match &entry.body {
                EntryBody::RunStarted { driver, .. } => Some(driver.is_some()),
                _ => None,
            });
            assert_eq!(drivers.collect::<Vec<_>>(), [!is_elsewhere]);
        }
    })
    .await;
}

#[tokio::test]
async fn a_loop_in_a_browser_can_append_only_what_was_streamed() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let agent = agent(&world, &viewer, &endpoint, ProviderKind::Anthropic, Home::Browser).await;
        for forged in driven::forgeries() {
            let mut browser = Browser::new(open(&world, &viewer, "tab-1"), Page::default());
            browser.show(&agent.id).await;
            let scoped = world.hub.for_viewer(&viewer);
            scoped
                .runs()
                .send_message(&agent.id, "script: hello", None, Some(&TabId::from("tab-1")))
                .await
                .unwrap();
            let (run, token) = browser.grant_without_driving().await;
            browser.ask_as(&run, "not-the-token", forged.clone()).await;
            browser.ask_as(&run, &token, forged.clone()).await;
            let entries = browser.until_finished().await;
            assert!(matches!(outcome(&entries), Outcome::Interrupted { .. }), "{forged:?}");
            assert_eq!(trace(&entries).matches("forged").count(), 0, "{forged:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn after_a_crash_a_run_goes_on_and_what_may_have_changed_something_is_not_done_twice() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let agent = agent(&world, &viewer, &endpoint, ProviderKind::Anthropic, Home::Hub).await;
        let mut tab = open(&world, &viewer, "tab-1");
        tab.follow(&agent.id, 0).await.unwrap();
        // Nobody answers the page's calls, so this run stays in the middle of a tool.
        tab.set_active(Some(agent.id.clone())).await.unwrap();
        world.hub.for_viewer(&viewer).runs().send_message(&agent.id, "script: draw", None, None).await.unwrap();
        trace::until(&mut tab, |body| matches!(body, EntryBody::ToolStarted { .. })).await;

        let after = world.reopened().await;
        let mut tab = after.open_tab(viewer.clone(), "after".into()).unwrap();
        tab.follow(&agent.id, 0).await.unwrap();
        let entries = until_finished(&mut tab).await;
        assert_eq!(outcome(&entries), &Outcome::Completed, "{}", trace(&entries));
        let unknown = entries.iter().filter(|entry| {
            matches!(&entry.body, EntryBody::ToolFinished { result, .. } if result.content.starts_with("outcome unknown"))
        });
        assert_eq!(unknown.count(), 1);
        let began = entries.iter().filter_map(|entry| match &entry.body {
            EntryBody::ToolStarted { turn, call } => Some((*turn, call.id.clone())),
            _ => None,
        });
        let began: Vec<_> = began.collect();
        let once: HashSet<_> = began.iter().collect();
        assert_eq!(once.len(), began.len(), "{}", trace(&entries));
        crate::approvals::counts::agree(&world).await;
    })
    .await;
}

#[tokio::test]
async fn an_agent_of_somebody_else_is_as_one_that_does_not_exist() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let ada = world.person("ada").await;
        let eve = world.person("eve").await;
        let agent = agent(&world, &ada, &endpoint, ProviderKind::Anthropic, Home::Hub).await;
        let missing = AgentId::from("0198c0ffee");
        let scoped = world.hub.for_viewer(&eve);
        let mut tab = open(&world, &eve, "tab-1");
        for id in [&agent.id, &missing] {
            let failures = [
                scoped.runs().send_message(id, "hello", None, None).await.map(|_| ()).unwrap_err(),
                scoped.runs().retry(id, None).await.unwrap_err(),
                scoped.runs().stop(id).await.unwrap_err(),
                scoped.conversations().entries(id, 0).await.map(|_| ()).unwrap_err(),
                tab.follow(id, 0).await.unwrap_err(),
                tab.set_active(Some(id.clone())).await.unwrap_err(),
                tab.page_notify(id, "x", &serde_json::Value::Null).await.unwrap_err(),
                tab.set_state(id, "k".to_owned(), serde_json::Value::Null).await.unwrap_err(),
                tab.page_emit(id, "x", &serde_json::Value::Null).await.unwrap_err(),
                tab.page_problems(id, &[]).await.unwrap_err(),
                tab.page_snapshot(id, 1, &SkinPage::default()).await.unwrap_err(),
                scoped.runs().repair(id, None).await.unwrap_err(),
                scoped.skins().versions(id).await.map(|_| ()).unwrap_err(),
                scoped.skins().restore(id, 1).await.map(|_| ()).unwrap_err(),
                scoped.policies().list(id).await.map(|_| ()).unwrap_err(),
            ];
            for failure in failures {
                assert_eq!(failure.into_failure().to_string(), "There is no such agent.");
            }
        }
    })
    .await;
}

pub fn outcome(entries: &[protocol::log::Entry]) -> &Outcome {
    let last = entries.iter().rev().find_map(|entry| match &entry.body {
        EntryBody::RunFinished { outcome, .. } => Some(outcome),
        _ => None,
    });
    last.expect("the run has finished")
}

async fn until_caught_up(tab: &mut Tab) -> Vec<protocol::log::Entry> {
    let mut entries = Vec::new();
    loop {
        match trace::next(tab).await {
            protocol::hub::HubFrame::Entry { entry } => entries.push(entry),
            protocol::hub::HubFrame::CaughtUp { .. } => return entries,
            _ => {}
        }
    }
}
