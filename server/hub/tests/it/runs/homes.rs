//! A run that loses its socket, changes its tab or its home in the middle: the same run, the same
//! events.

use super::driven::{Browser, forgeries};
use super::page::Page;
use super::trace::{self, trace, until_finished};
use super::{agent, open, outcome};
use crate::talk::a_moment;
use crate::world::{Endpoint, World, each_store};
use hub::Viewer;
use protocol::agent::{Home, ProviderKind};
use protocol::hub::HubFrame;
use protocol::log::{Entry, EntryBody, Outcome};
use protocol::run::RunReply;
use protocol::view::When;
use protocol::{AgentId, FailureKind, TabId};
use std::time::Duration;

/// A browser in the middle of a fresh agent's first run.
struct Scene {
    viewer: Viewer,
    agent: AgentId,
    laptop: Browser,
}

impl Scene {
    async fn begin(world: &World, endpoint: &Endpoint, person: &str, home: Home, script: &str) -> Self {
        let viewer = world.person(person).await;
        let agent = agent(world, &viewer, endpoint, ProviderKind::Anthropic, home).await.id;
        let mut laptop = Browser::new(open(world, &viewer, "laptop"), Page::default());
        laptop.show(&agent).await;
        let text = format!("script: {script}");
        let tab = TabId::from("laptop");
        world.hub.for_viewer(&viewer).runs().send_message(&agent, &text, None, Some(&tab)).await.unwrap();
        Self { viewer, agent, laptop }
    }

    /// Another browser of the same person, which shows the agent.
    async fn phone(&self, world: &World) -> Browser {
        let mut phone = Browser::new(open(world, &self.viewer, "phone"), Page::default());
        phone.show(&self.agent).await;
        phone
    }

    async fn entries(&self, world: &World) -> Vec<Entry> {
        world.hub.for_viewer(&self.viewer).conversations().entries(&self.agent, 0).await.unwrap()
    }
}

#[tokio::test]
async fn a_run_survives_its_socket_wherever_it_is_cut() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let mut whole = Scene::begin(&world, &endpoint, "uncut", Home::Browser, "tools").await;
        let expected = trace(&whole.laptop.until_finished().await);
        for cut in (2..).step_by(3) {
            let mut scene =
                Scene::begin(&world, &endpoint, &format!("cut{cut}"), Home::Browser, "tools").await;
            let mut entries = scene.laptop.take_frames(cut).await;
            // Nothing is left to be cut.
            if entries.last().is_some_and(|entry| matches!(entry.body, EntryBody::RunFinished { .. })) {
                break;
            }
            scene.laptop.break_link();
            // What is on its way to the tab is lost with the socket, and what it says as well.
            scene.laptop.come_back(open(&world, &scene.viewer, "laptop"), &scene.agent).await;
            entries.extend(scene.laptop.until_finished().await);
            assert_eq!(trace(&scene.entries(&world).await), expected, "cut at {cut}");
            assert_eq!(trace(&entries), expected, "cut at {cut}");
        }
    })
    .await;
}

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "this is a test, whose clock may be moved")]
async fn a_tab_that_lost_its_connection_has_a_minute_and_a_half_to_come_back() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        for (name, seconds, is_in_time) in [("early", 89, true), ("late", 91, false)] {
            let mut scene = Scene::begin(&world, &endpoint, name, Home::Browser, "tools").await;
            while !scene.laptop.is_driving() {
                scene.laptop.step().await;
            }
            scene.laptop.break_link();
            let mut watcher = open(&world, &scene.viewer, "watcher");
            watcher.follow(&scene.agent, 0).await.unwrap();
            drop(std::mem::replace(&mut scene.laptop.tab, open(&world, &scene.viewer, "elsewhere")));
            a_moment().await;
            tokio::time::pause();
            tokio::time::advance(Duration::from_secs(seconds)).await;
            tokio::time::resume();
            if is_in_time {
                scene.laptop.come_back(open(&world, &scene.viewer, "laptop"), &scene.agent).await;
                assert_eq!(outcome(&scene.laptop.until_finished().await), &Outcome::Completed);
            } else {
                let entries = until_finished(&mut watcher).await;
                let Outcome::Interrupted { why } = outcome(&entries) else { panic!("{entries:?}") };
                assert!(why.contains("did not come back"), "{why}");
            }
        }
    })
    .await;
}

#[tokio::test]
async fn a_page_that_was_closed_frees_its_run_at_once() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let mut scene = Scene::begin(&world, &endpoint, "ada", Home::Browser, "halves").await;
        let mut watcher = open(&world, &scene.viewer, "watcher");
        watcher.follow(&scene.agent, 0).await.unwrap();
        scene.laptop.until_text().await;
        scene.laptop.tab.leave();
        assert!(matches!(outcome(&until_finished(&mut watcher).await), Outcome::Interrupted { .. }));
    })
    .await;
}

#[tokio::test]
async fn only_the_tab_that_drove_a_run_can_rejoin_it() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let mut scene = Scene::begin(&world, &endpoint, "ada", Home::Browser, "halves").await;
        scene.laptop.until_text().await;
        let (run, token) = scene.laptop.lease().unwrap();
        let eve = world.person("eve").await;
        for (viewer, name, token, received) in [
            (&scene.viewer, "phone", token.as_str(), 0),
            (&eve, "laptop", token.as_str(), 0),
            (&scene.viewer, "laptop", "another token", 0),
            (&scene.viewer, "laptop", token.as_str(), u64::MAX),
        ] {
            let mut tab = open(&world, viewer, name);
            tab.rejoin(&run, token, received);
            assert!(matches!(trace::next(&mut tab).await, HubFrame::Run { reply: RunReply::Lost, .. }));
        }
        assert!(scene.laptop.is_driving());
    })
    .await;
}

#[tokio::test]
async fn another_tab_takes_over_in_the_middle_of_a_reply() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let mut scene = Scene::begin(&world, &endpoint, "ada", Home::Browser, "halves").await;
        let mut phone = scene.phone(&world).await;
        scene.laptop.until_text().await;
        let (run, token) = scene.laptop.lease().unwrap();
        let scoped = world.hub.for_viewer(&scene.viewer);
        scoped.runs().take_over(&scene.agent, &TabId::from("phone")).await.unwrap();
        for forged in forgeries() {
            scene.laptop.ask_as(&run, &token, forged).await;
        }
        phone.until_void().await;
        phone.until_gate().await;
        endpoint.open_gate().await;
        phone.until_finished().await;
        let entries = scene.entries(&world).await;
        assert_eq!(outcome(&entries), &Outcome::Completed);
        let runs = entries.iter().filter(|entry| matches!(entry.body, EntryBody::RunStarted { .. }));
        assert_eq!(runs.count(), 1);
        let moved = entries.iter().find_map(|entry| match &entry.body {
            EntryBody::Moved { driver, .. } => driver.clone(),
            _ => None,
        });
        assert_eq!(moved.unwrap().tab, TabId::from("phone"));
        while scene.laptop.is_driving() {
            scene.laptop.step().await;
        }
    })
    .await;
}

#[tokio::test]
async fn a_run_that_moves_after_its_turn_gives_the_events_of_one_that_stays() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let mut traces = Vec::new();
        for (person, from, to) in [
            ("hub", Home::Hub, None),
            ("browser", Home::Browser, None),
            ("in", Home::Hub, Some(Home::Browser)),
            ("out", Home::Browser, Some(Home::Hub)),
        ] {
            let mut scene = Scene::begin(&world, &endpoint, person, from, "gated-tool").await;
            let mut entries = scene.laptop.until_gate().await;
            let scoped = world.hub.for_viewer(&scene.viewer);
            if let Some(home) = to {
                let tab = TabId::from("laptop");
                scoped.runs().move_agent(&scene.agent, home, When::After, Some(&tab)).await.unwrap();
            }
            endpoint.open_gate().await;
            entries.extend(scene.laptop.until_finished().await);
            scoped
                .runs()
                .send_message(&scene.agent, "script: tools", None, Some(&TabId::from("laptop")))
                .await
                .unwrap();
            entries.extend(scene.laptop.until_finished().await);
            let moves = entries.iter().filter(|entry| matches!(entry.body, EntryBody::Moved { .. })).count();
            assert_eq!(moves, usize::from(to.is_some()), "{person}");
            assert_eq!(scoped.agents().get(&scene.agent).await.unwrap().home, to.unwrap_or(from), "{person}");
            entries.retain(|entry| !matches!(entry.body, EntryBody::Moved { .. }));
            traces.push(trace(&entries));
        }
        for other in &traces[1..] {
            assert_eq!(other, &traces[0]);
        }
    })
    .await;
}

#[tokio::test]
async fn a_run_that_moves_at_once_gives_up_its_reply_and_makes_it_again() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        for (person, from, to) in [("in", Home::Hub, Home::Browser), ("out", Home::Browser, Home::Hub)] {
            let mut scene = Scene::begin(&world, &endpoint, person, from, "halves").await;
            scene.laptop.until_text().await;
            let scoped = world.hub.for_viewer(&scene.viewer);
            scoped.runs().move_agent(&scene.agent, to, When::Now, None).await.unwrap();
            scene.laptop.until_void().await;
            scene.laptop.until_gate().await;
            endpoint.open_gate().await;
            scene.laptop.until_finished().await;
            let trace = trace(&scene.entries(&world).await);
            assert_eq!(trace.matches(" text ").count(), 1, "{trace}");
            assert!(trace.ends_with("finished completed\n"), "{trace}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_page_call_that_outlives_its_driver_is_answered_to_the_next_and_done_once() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let mut scene = Scene::begin(&world, &endpoint, "ada", Home::Hub, "draw").await;
        let mut calls = 0;
        loop {
            let frame = trace::next(&mut scene.laptop.tab).await;
            if let HubFrame::SkinCall { .. } = &frame {
                calls += 1;
                if calls == 1 {
                    let scoped = world.hub.for_viewer(&scene.viewer);
                    scoped.runs().move_agent(&scene.agent, Home::Browser, When::Now, None).await.unwrap();
                }
            }
            let entry = scene.laptop.take(frame).await;
            if entry.is_some_and(|entry| matches!(entry.body, EntryBody::RunFinished { .. })) {
                break;
            }
        }
        let entries = scene.entries(&world).await;
        assert_eq!(outcome(&entries), &Outcome::Completed);
        let trace = trace(&entries);
        assert_eq!(trace.matches("tool started").count(), calls, "{trace}");
        assert_eq!(trace.matches("error true").count(), 0, "{trace}");
    })
    .await;
}

#[tokio::test]
async fn between_turns_an_agent_moves_at_once() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let id = agent(&world, &viewer, &endpoint, ProviderKind::Anthropic, Home::Hub).await.id;
        let scoped = world.hub.for_viewer(&viewer);
        for home in [Home::Browser, Home::Browser, Home::Hub] {
            scoped.runs().move_agent(&id, home, When::After, None).await.unwrap();
            assert_eq!(scoped.agents().get(&id).await.unwrap().home, home);
        }
        let trace = trace(&scoped.conversations().entries(&id, 0).await.unwrap());
        assert_eq!(trace, "moved Browser\nmoved Hub\n");
    })
    .await;
}

#[tokio::test]
async fn what_cannot_be_taken_over_or_moved_stays() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let mut scene = Scene::begin(&world, &endpoint, "ada", Home::Hub, "halves").await;
        scene.laptop.until_text().await;
        let scoped = world.hub.for_viewer(&scene.viewer);
        let kind = |error: hub::Error| error.into_failure().kind;
        for tab in ["laptop", "nowhere"] {
            let refused = scoped.runs().take_over(&scene.agent, &TabId::from(tab)).await.unwrap_err();
            assert_eq!(kind(refused), FailureKind::Conflict, "{tab}");
        }
        scene.laptop.tab.set_active(None).await.unwrap();
        let refused =
            scoped.runs().move_agent(&scene.agent, Home::Browser, When::Now, None).await.unwrap_err();
        assert_eq!(kind(refused), FailureKind::Conflict);
        endpoint.open_gate().await;
        let entries = scene.laptop.until_finished().await;
        assert_eq!(outcome(&entries), &Outcome::Completed);
        assert!(!trace(&entries).contains("moved"));
        let eve = world.person("eve").await;
        let hers = world.hub.for_viewer(&eve);
        for refused in [
            hers.runs().take_over(&scene.agent, &TabId::from("laptop")).await.unwrap_err(),
            hers.runs().move_agent(&scene.agent, Home::Browser, When::After, None).await.unwrap_err(),
        ] {
            assert_eq!(kind(refused), FailureKind::NotFound);
        }
    })
    .await;
}
