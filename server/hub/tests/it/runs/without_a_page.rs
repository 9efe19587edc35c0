//! A run at home in a browser whose browser is gone, of an agent whose person chose when the hub goes on.

use super::driven::{Browser, forgeries};
use super::page::Page;
use super::trace::trace;
use super::{TOOLS, open, outcome};
use crate::approvals::add_rule;
use crate::world::{Definition, Endpoint, World, each_store};
use hub::Viewer;
use protocol::agent::{Home, ProviderKind};
use protocol::approval::Decision;
use protocol::log::{Entry, EntryBody, Outcome};
use protocol::view::LoopSettings;
use protocol::{AgentId, ProviderId, TabId};
use serde_json::json;
use std::time::Duration;

const MINUTE: Duration = Duration::from_secs(60);
const LAPTOP: &str = "laptop";

/// A browser in the middle of a fresh agent's first run.
struct Scene {
    viewer: Viewer,
    agent: AgentId,
    laptop: Browser,
}

impl Scene {
    async fn begin(world: &World, endpoint: &Endpoint, person: &str, minutes: u32, text: &str) -> Self {
        let viewer = world.person(person).await;
        let provider = endpoint.provider(&world.hub.for_viewer(&viewer), ProviderKind::Anthropic).await;
        let mut scene = Self::with(world, viewer, &provider, minutes).await;
        scene.says(world, text).await;
        while !scene.laptop.is_driving() {
            scene.laptop.step().await;
        }
        scene
    }

    async fn with(world: &World, viewer: Viewer, provider: &ProviderId, minutes: u32) -> Self {
        let settings = LoopSettings { hub_after_minutes: Some(minutes), ..LoopSettings::default() };
        let definition = Definition::on(provider, "claude-sonnet-4-5").tools(TOOLS).home(Home::Browser);
        let agent = definition.settings(settings).create(&world.hub.for_viewer(&viewer)).await.id;
        let mut laptop = Browser::new(open(world, &viewer, LAPTOP), Page::default());
        laptop.show(&agent).await;
        Self { viewer, agent, laptop }
    }

    async fn says(&self, world: &World, text: &str) {
        let tab = TabId::from(LAPTOP);
        world
            .hub
            .for_viewer(&self.viewer)
            .runs()
            .send_message(&self.agent, text, None, Some(&tab))
            .await
            .unwrap();
    }

    /// Somebody who reads along, and shows no page.
    async fn watcher(&self, world: &World) -> Browser {
        let watcher = open(world, &self.viewer, "watcher");
        let mut watcher = Browser::new(watcher, Page::default());
        watcher.tab.follow(&self.agent, 0).await.unwrap();
        watcher
    }

    async fn entries(&self, world: &World) -> Vec<Entry> {
        world.hub.for_viewer(&self.viewer).conversations().entries(&self.agent, 0).await.unwrap()
    }

    async fn home(&self, world: &World) -> Home {
        world.hub.for_viewer(&self.viewer).agents().get(&self.agent).await.unwrap().home
    }
}

#[tokio::test]
async fn a_run_whose_page_was_closed_goes_on_in_the_hub_after_the_time_that_its_person_chose() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let mut scene = Scene::begin(&world, &endpoint, "ada", 5, "script: halves").await;
        scene.laptop.until_gate().await;
        let (run, token) = scene.laptop.lease().unwrap();
        let mut watcher = scene.watcher(&world).await;
        scene.laptop.tab.leave();
        watcher.until_void().await;
        world.clock.advance(4 * MINUTE);
        assert!(moves(&scene.entries(&world).await).is_empty());
        world.clock.advance(MINUTE);
        watcher.until_entry(is_move).await;
        for forged in forgeries() {
            scene.laptop.ask_as(&run, &token, forged).await;
        }
        watcher.until_gate().await;
        endpoint.open_gate().await;
        watcher.until_finished().await;

        let entries = scene.entries(&world).await;
        assert_eq!(outcome(&entries), &Outcome::Completed);
        assert_eq!(moves(&entries), [(Home::Hub, None, true)]);
        let told = trace(&entries);
        assert_eq!((told.matches("started\n").count(), told.matches(" text ").count()), (1, 1), "{told}");
        assert!(!serde_json::to_string(&entries).unwrap().contains("forged"), "{told}");
        assert_eq!(scene.home(&world).await, Home::Browser);

        scene.laptop = Browser::new(open(&world, &scene.viewer, LAPTOP), Page::default());
        scene.laptop.tab.follow(&scene.agent, entries.last().unwrap().seq).await.unwrap();
        scene.laptop.tab.set_active(Some(scene.agent.clone())).await.unwrap();
        scene.says(&world, "script: tools").await;
        let begins_here = |body: &EntryBody| {
            matches!(body, EntryBody::RunStarted { home: Home::Browser, driver: Some(_), .. })
        };
        scene.laptop.until_entry(begins_here).await;
        assert_eq!(outcome(&scene.laptop.until_finished().await), &Outcome::Completed);
    })
    .await;
}

#[tokio::test]
async fn a_run_whose_page_was_closed_goes_on_in_the_next_page_that_opens_in_time() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let mut scene = Scene::begin(&world, &endpoint, "ada", 5, "script: halves").await;
        scene.laptop.until_gate().await;
        let mut watcher = scene.watcher(&world).await;
        scene.laptop.tab.leave();
        watcher.until_void().await;
        world.clock.advance(4 * MINUTE);
        let mut phone = Browser::new(open(&world, &scene.viewer, "phone"), Page::default());
        phone.show(&scene.agent).await;
        phone.until_entry(is_move).await;
        phone.until_gate().await;
        world.clock.advance(60 * MINUTE);
        endpoint.open_gate().await;
        phone.until_finished().await;
        let entries = scene.entries(&world).await;
        assert_eq!(outcome(&entries), &Outcome::Completed);
        assert_eq!(moves(&entries), [(Home::Browser, Some(TabId::from("phone")), false)]);
    })
    .await;
}

#[tokio::test]
async fn a_tab_that_lost_its_connection_comes_back_before_the_hub_goes_on_and_is_fenced_off_after() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        for (person, seconds, is_in_time) in [("early", 20, true), ("late", 61, false)] {
            let mut scene = Scene::begin(&world, &endpoint, person, 1, "script: halves").await;
            scene.laptop.until_gate().await;
            let mut watcher = scene.watcher(&world).await;
            scene.laptop.break_link();
            drop(std::mem::replace(&mut scene.laptop.tab, open(&world, &scene.viewer, "elsewhere")));
            world.clock.advance(Duration::from_secs(seconds));
            if !is_in_time {
                watcher.until_entry(is_move).await;
                watcher.until_gate().await;
            }
            scene.laptop.come_back(open(&world, &scene.viewer, LAPTOP), &scene.agent).await;
            if !is_in_time {
                while scene.laptop.is_driving() {
                    scene.laptop.step().await;
                }
            }
            endpoint.open_gate().await;
            scene.laptop.until_finished().await;
            let entries = scene.entries(&world).await;
            assert_eq!(outcome(&entries), &Outcome::Completed, "{person}");
            let expected = if is_in_time { vec![] } else { vec![(Home::Hub, None, true)] };
            assert_eq!(moves(&entries), expected, "{person}");
        }
    })
    .await;
}

#[tokio::test]
async fn the_time_without_a_browser_goes_on_while_the_hub_dies_and_stops() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let mut scene = Scene::begin(&world, &endpoint, "ada", 5, "script: halves").await;
        scene.laptop.until_gate().await;
        let mut watcher = scene.watcher(&world).await;
        scene.laptop.tab.leave();
        watcher.until_void().await;
        world.clock.advance(2 * MINUTE);
        let second = world.reopened().await;
        world.clock.advance(MINUTE);
        second.close().await;
        let third = world.reopened().await;
        let after = third.open_tab(scene.viewer.clone(), TabId::from("after")).unwrap();
        let mut watcher = Browser::new(after, Page::default());
        watcher.tab.follow(&scene.agent, 0).await.unwrap();
        world.clock.advance(2 * MINUTE);
        watcher.until_entry(is_move).await;
        watcher.until_gate().await;
        endpoint.open_gate().await;
        watcher.until_finished().await;
        let entries = scene.entries(&world).await;
        assert_eq!(outcome(&entries), &Outcome::Completed);
        assert_eq!(moves(&entries), [(Home::Hub, None, true)]);
    })
    .await;
}

#[tokio::test]
async fn a_question_of_such_a_run_is_answered_to_the_hub_and_its_call_is_made_once() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let call = json!({ "tool": "state", "input": { "action": "set", "key": "a", "value": 1 } });
        let turns = format!("turns: {}", json!([[call], [{ "text": "Done." }]]));
        let viewer = world.person("ada").await;
        add_rule(&world.hub, &viewer, "ask", "state", "").await;
        let provider = endpoint.provider(&world.hub.for_viewer(&viewer), ProviderKind::Anthropic).await;
        let mut scene = Scene::with(&world, viewer, &provider, 5).await;
        scene.says(&world, &turns).await;
        let asked = scene.laptop.until_entry(|body| matches!(body, EntryBody::ApprovalAsked { .. })).await;
        let Some(EntryBody::ApprovalAsked { approval }) = asked.last().map(|entry| &entry.body) else {
            panic!("{asked:?}")
        };
        let mut watcher = scene.watcher(&world).await;
        scene.laptop.tab.leave();
        world.clock.advance(5 * MINUTE);
        watcher.until_entry(is_move).await;
        let scoped = world.hub.for_viewer(&scene.viewer);
        scoped.approvals().answer(&approval.id, &approval.hash, Decision::Once, "").await.unwrap();
        let entries = watcher.until_finished().await;
        assert_eq!(outcome(&entries), &Outcome::Completed);
        let told = trace(&scene.entries(&world).await);
        assert_eq!(told.matches("tool started state").count(), 1, "{told}");
        assert_eq!(scoped.states().read(&scene.agent).await.unwrap()["a"], json!(1));
    })
    .await;
}

#[tokio::test]
async fn a_run_that_only_a_browser_can_go_on_with_stays_at_home_and_says_why() {
    each_store(async |world: World| {
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let providers = scoped.providers();
        let near = providers.save_device_provider(None, "Near", ProviderKind::Ollama, None).await.unwrap();
        let keyed =
            providers.save_device_key_provider(None, "Mine", ProviderKind::Anthropic, None).await.unwrap();
        for (provider, words) in
            [(near.id, "its model is on a device"), (keyed.id, "the key of Mine is kept on your devices")]
        {
            let mut scene = Scene::with(&world, viewer.clone(), &provider, 5).await;
            scene.says(&world, "Hello").await;
            scene.laptop.grant_without_driving().await;
            let mut watcher = scene.watcher(&world).await;
            scene.laptop.tab.leave();
            world.clock.advance(5 * MINUTE);
            let entries = watcher.until_finished().await;
            let Outcome::Interrupted { why } = outcome(&entries) else { panic!("{entries:?}") };
            assert!(why.contains(words), "{why}");
            assert!(moves(&entries).is_empty(), "{entries:?}");
            assert_eq!(scene.home(&world).await, Home::Browser);
        }
    })
    .await;
}

fn is_move(body: &EntryBody) -> bool {
    matches!(body, EntryBody::Moved { .. })
}

/// Where it went, to which tab, and whether the run went alone.
fn moves(entries: &[Entry]) -> Vec<(Home, Option<TabId>, bool)> {
    let moved = entries.iter().filter_map(|entry| match &entry.body {
        EntryBody::Moved { home, driver, only_run } => {
            Some((*home, driver.as_ref().map(|driver| driver.tab.clone()), *only_run))
        }
        _ => None,
    });
    moved.collect()
}
