//! Several browsers on one agent: which of them performs a call to the page.

use super::driven::Browser;
use super::page::Page;
use super::trace;
use super::{agent, outcome};
use crate::world::{Endpoint, PASSWORD, World, each_store};
use hub::Viewer;
use protocol::hub::{Ability, HubFrame};
use protocol::log::{Entry, EntryBody, Outcome};
use protocol::view::{Home, ProviderKind};
use protocol::{AgentId, TabId};

const ANDROID: &str =
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/156.0.0.0 Mobile Safari/537.36";
const LINUX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0";

/// The person's browser with this user agent, which shows the agent's page.
async fn browser(world: &World, user_agent: &str, agent: &AgentId, abilities: &[Ability]) -> Browser {
    let viewer = world.hub.sign_in("ada", PASSWORD, user_agent).await.unwrap().done().unwrap().viewer;
    let tab = world.hub.open_tab(viewer, TabId::from(user_agent.split_at(60).0)).unwrap();
    let mut browser = Browser::new(tab, Page::default());
    browser.show(agent).await;
    browser.tab.set_able(abilities.to_vec(), true);
    browser
}

async fn told(world: &World, viewer: &Viewer, agent: &AgentId, script: &str) {
    let text = format!("script: {script}");
    world.hub.for_viewer(viewer).send_message(agent, &text, None, None).await.unwrap();
}

/// The results of the run's calls, in their order.
fn results(entries: &[Entry]) -> Vec<&str> {
    entries
        .iter()
        .filter_map(|entry| match &entry.body {
            EntryBody::ToolFinished { result, .. } => Some(result.content.as_str()),
            _ => None,
        })
        .collect()
}

#[tokio::test]
async fn a_tab_that_is_silent_is_passed_over_and_performs_nothing_later() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let id = agent(&world, &viewer, &endpoint, ProviderKind::Anthropic, Home::Hub).await.id;
        let mut laptop = browser(&world, LINUX, &id, &[Ability::Screen]).await;
        let mut asleep = browser(&world, ANDROID, &id, &[Ability::Screen]).await;
        told(&world, &viewer, &id, "draw").await;
        let entries = laptop.until_finished().await;
        assert_eq!(outcome(&entries), &Outcome::Completed);
        let trace = trace::trace(&entries);
        assert_eq!(trace.matches("error true").count(), 0, "{trace}");
        assert_eq!(laptop.performed, trace.matches("tool started").count(), "{trace}");

        asleep.until_finished().await;
        asleep.tab.send(&HubFrame::Pong);
        while trace::next(&mut asleep.tab).await != HubFrame::Pong {}
        assert_eq!(asleep.performed, 0);
    })
    .await;
}

#[tokio::test]
async fn while_no_page_answers_the_engine_does() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let id = agent(&world, &viewer, &endpoint, ProviderKind::Anthropic, Home::Hub).await.id;
        let _laptop = browser(&world, LINUX, &id, &[Ability::Screen]).await;
        let _phone = browser(&world, ANDROID, &id, &[Ability::Screen]).await;
        let mut watching = super::open(&world, &viewer, "watching");
        watching.follow(&id, 0).await.unwrap();
        told(&world, &viewer, &id, "runjs").await;
        let entries = trace::until_finished(&mut watching).await;
        assert_eq!(outcome(&entries), &Outcome::Completed);
        let results = results(&entries);
        assert!(results.iter().all(|result| result.contains(r#""backend":"hub""#)), "{results:?}");
    })
    .await;
}

#[tokio::test]
async fn a_call_goes_to_a_device_that_can_do_it_and_says_which_there_are() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let id = agent(&world, &viewer, &endpoint, ProviderKind::Anthropic, Home::Hub).await.id;
        let mut phone = browser(&world, ANDROID, &id, &[Ability::Camera, Ability::Touch]).await;
        let mut laptop = browser(&world, LINUX, &id, &[Ability::Screen]).await;
        told(&world, &viewer, &id, "devices").await;
        let (entries, _) = tokio::join!(phone.until_finished(), laptop.until_finished());
        let there = "There are: Firefox on Linux (screen); Chrome on Android (touch, camera).";
        assert_eq!(
            results(&entries),
            [
                format!("No device Fridge shows your page, so nothing was done. {there}").as_str(),
                r#"{"backend":"page","done":1}"#,
                format!("No device with listen shows your page, so nothing was done. {there}").as_str(),
            ]
        );
        assert_eq!((phone.performed, laptop.performed), (1, 0));
    })
    .await;
}
