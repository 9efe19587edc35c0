//! Several browsers on one agent: which of them performs a call to the page.

use super::driven::Browser;
use super::page::Page;
use super::trace;
use super::{agent, outcome};
use crate::world::{Endpoint, PASSWORD, World, each_store};
use hub::Viewer;
use protocol::AgentId;
use protocol::agent::Ability;
use protocol::agent::{Home, ProviderKind};
use protocol::approval::{Decision, PolicyDraft};
use protocol::hub::HubFrame;
use protocol::log::{DeviceWait, Entry, EntryBody, Outcome, Sender};
use protocol::view::Status;
use std::time::Duration;

const ANDROID: &str =
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/156.0.0.0 Mobile Safari/537.36";
const LINUX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0";

/// The person's browser with this user agent, which shows the agent's page.
async fn browser(world: &World, user_agent: &str, agent: &AgentId, abilities: &[Ability]) -> Browser {
    browser_of(world, "ada", user_agent, agent, abilities).await
}

async fn browser_of(
    world: &World,
    person: &str,
    user_agent: &str,
    agent: &AgentId,
    abilities: &[Ability],
) -> Browser {
    let device =
        world.hub.accounts().sign_in(person, PASSWORD, user_agent).await.unwrap().done().unwrap().viewer;
    page_on(world, &device, agent, abilities).await
}

/// A page of the agent on this device.
async fn page_on(world: &World, device: &Viewer, agent: &AgentId, abilities: &[Ability]) -> Browser {
    let tab = super::open(world, device, &device.device().unwrap().0);
    let mut browser = Browser::new(tab, Page::default());
    browser.show(agent).await;
    browser.tab.set_able(abilities.to_vec(), true);
    browser
}

async fn told(world: &World, viewer: &Viewer, agent: &AgentId, script: &str) {
    let text = format!("script: {script}");
    world.hub.for_viewer(viewer).runs().send_message(agent, &text, None, None).await.unwrap();
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
                format!("The call was not made: Fridge is no device of your person's. {there}").as_str(),
                r#"{"backend":"page","done":1}"#,
            ]
        );
        assert_eq!((phone.performed, laptop.performed), (1, 0));
    })
    .await;
}

#[tokio::test]
async fn a_call_that_no_device_can_perform_waits_in_sight_until_one_comes() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        for (person, home) in [("ada", Home::Hub), ("bob", Home::Browser)] {
            let viewer = world.person(person).await;
            let id = agent(&world, &viewer, &endpoint, ProviderKind::Anthropic, home).await.id;
            let mut laptop = browser_of(&world, person, LINUX, &id, &[Ability::Screen]).await;
            told(&world, &viewer, &id, "camera").await;
            laptop.until_entry(is_wait).await;
            assert_eq!(status(&world, &viewer).await, Status::Waiting);

            let mut phone = browser_of(&world, person, ANDROID, &id, &[Ability::Camera]).await;
            let (_, entries) = tokio::join!(laptop.until_finished(), phone.until_finished());
            assert_eq!(outcome(&entries), &Outcome::Completed);
            assert_eq!(results(&entries), [r#"{"backend":"page","done":1}"#]);
            assert_eq!((phone.performed, laptop.performed), (1, 0));
            assert_eq!(ends(&entries), [Some("Chrome on Android")]);
            assert_eq!(status(&world, &viewer).await, Status::Idle);
        }
    })
    .await;
}

#[tokio::test]
async fn a_call_waits_three_minutes_at_most_and_then_says_that_nothing_was_done() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let id = agent(&world, &viewer, &endpoint, ProviderKind::Anthropic, Home::Hub).await.id;
        let mut laptop = browser(&world, LINUX, &id, &[Ability::Screen]).await;
        told(&world, &viewer, &id, "camera").await;
        laptop.until_entry(is_wait).await;
        world.clock.advance(Duration::from_secs(3 * 60));
        let entries = laptop.until_finished().await;
        assert_eq!(
            results(&entries),
            ["The call was not made: it waited 3 minutes for a device with a camera, and none came. There \
              are: Firefox on Linux (screen)."]
        );
        assert_eq!(ends(&entries), [None]);
        assert_eq!(outcome(&entries), &Outcome::Completed);
    })
    .await;
}

#[tokio::test]
async fn a_run_that_waits_for_a_device_can_be_stopped() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let id = agent(&world, &viewer, &endpoint, ProviderKind::Anthropic, Home::Hub).await.id;
        let mut laptop = browser(&world, LINUX, &id, &[Ability::Screen]).await;
        told(&world, &viewer, &id, "camera").await;
        laptop.until_entry(is_wait).await;
        world.hub.for_viewer(&viewer).runs().stop(&id).await.unwrap();
        assert_eq!(outcome(&laptop.until_finished().await), &Outcome::Stopped);
        assert_eq!(status(&world, &viewer).await, Status::Idle);
        let mut phone = browser(&world, ANDROID, &id, &[Ability::Camera]).await;
        phone.tab.send(&HubFrame::Pong);
        while trace::next(&mut phone.tab).await != HubFrame::Pong {}
        assert_eq!(phone.performed, 0);
    })
    .await;
}

#[tokio::test]
async fn an_agent_waits_as_long_as_one_of_its_calls_does_whatever_becomes_of_the_others() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let id = agent(&world, &viewer, &endpoint, ProviderKind::Anthropic, Home::Hub).await.id;
        let ask = PolicyDraft { verdict: "ask".into(), tool: "datetime".into(), ..PolicyDraft::default() };
        scoped.policies().add(&ask).await.unwrap();
        let mut laptop = browser(&world, LINUX, &id, &[Ability::Screen]).await;
        let calls = r#"turns: [[{"tool":"dom","input":{"action":"query","selector":"p","needs":"camera"}},{"tool":"datetime","input":{}}],[{"text":"Done."}]]"#;
        for device_is_first in [false, true] {
            scoped.runs().send_message(&id, calls, None, None).await.unwrap();
            let mut entries = laptop.until_entry(is_asked).await;
            if !entries.iter().any(|entry| is_wait(&entry.body)) {
                entries.extend(laptop.until_entry(is_wait).await);
            }
            let approval = entries
                .iter()
                .find_map(|entry| match &entry.body {
                    EntryBody::ApprovalAsked { approval } => Some(approval.clone()),
                    _ => None,
                })
                .unwrap();
            let answer = async || {
                scoped.approvals().answer(&approval.id, &approval.hash, Decision::Once, "").await.unwrap();
            };
            let end_wait = async || world.clock.advance(Duration::from_secs(3 * 60));
            if device_is_first {
                end_wait().await;
            } else {
                answer().await;
            }
            laptop.until_entry(|body| matches!(body, EntryBody::ToolFinished { .. })).await;
            assert_eq!(status(&world, &viewer).await, Status::Waiting, "device first: {device_is_first}");
            if device_is_first {
                answer().await;
            } else {
                end_wait().await;
            }
            assert_eq!(outcome(&laptop.until_finished().await), &Outcome::Completed);
        }
    })
    .await;
}

#[tokio::test]
async fn a_call_that_waited_for_a_device_when_the_hub_stopped_waits_again_unless_one_had_it() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        for (person, was_offered) in [("ada", false), ("bob", true)] {
            let viewer = world.person(person).await;
            let id = agent(&world, &viewer, &endpoint, ProviderKind::Anthropic, Home::Hub).await.id;
            let mut laptop = browser_of(&world, person, LINUX, &id, &[Ability::Screen]).await;
            told(&world, &viewer, &id, "camera").await;
            let seen = laptop.until_entry(is_wait).await.last().unwrap().seq;
            let mut phone = None;
            if was_offered {
                let phone = phone.insert(browser_of(&world, person, ANDROID, &id, &[Ability::Camera]).await);
                while !matches!(trace::next(&mut phone.tab).await, HubFrame::SkinCall { .. }) {}
            }
            let hub = world.reopened().await;
            let mut tab = hub.open_tab(viewer.clone(), "after".into()).unwrap();
            tab.follow(&id, seen).await.unwrap();
            let after = match was_offered {
                true => trace::until_finished(&mut tab).await,
                false => trace::until(&mut tab, is_wait).await,
            };
            assert_eq!(ends(&after), [None], "{}", trace::trace(&after));
            let said = results(&after);
            match was_offered {
                true => assert!(said[0].starts_with("outcome unknown: the hub stopped"), "{said:?}"),
                false => assert!(said.is_empty(), "{said:?}"),
            }
            hub.for_viewer(&viewer).runs().stop(&id).await.unwrap();
            crate::approvals::counts::agree(&world).await;
        }
    })
    .await;
}

#[tokio::test]
async fn an_agent_is_told_of_devices_with_its_next_run_and_only_what_changed() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let id = agent(&world, &viewer, &endpoint, ProviderKind::Anthropic, Home::Hub).await.id;
        let mut laptop = browser(&world, LINUX, &id, &[Ability::Screen]).await;
        let say = async |laptop: &mut Browser| {
            let text = r#"turns: [[{"text":"Told: {devices}"}]]"#;
            world.hub.for_viewer(&viewer).runs().send_message(&id, text, None, None).await.unwrap();
            trace::trace(&laptop.until_finished().await)
        };
        let first = say(&mut laptop).await;
        assert!(first.contains(r#"text "Told: ""#), "{first}");

        let device =
            world.hub.accounts().sign_in("ada", PASSWORD, ANDROID).await.unwrap().done().unwrap().viewer;
        drop(page_on(&world, &device, &id, &[]).await);
        let nobody = say(&mut laptop).await;
        assert_eq!(nobody.matches("message devices").count(), 0, "closed before it said a word: {nobody}");

        let phone = page_on(&world, &device, &id, &[Ability::Camera]).await;
        let second = say(&mut laptop).await;
        let came = "Chrome on Android shows your page now (camera).";
        assert_eq!(second.matches("message devices").count(), 1, "{second}");
        assert!(second.contains(&format!("text \"Told: {came}\"")), "{second}");

        drop(phone);
        drop(page_on(&world, &device, &id, &[Ability::Camera]).await);
        let third = say(&mut laptop).await;
        assert_eq!(third.matches("message devices").count(), 0, "gone for a moment: {third}");

        world.clock.advance(Duration::from_secs(10));
        let fourth = say(&mut laptop).await;
        let went = "Chrome on Android does not show your page any more.";
        assert!(fourth.contains(&format!("text \"Told: {went}\"")), "{fourth}");
    })
    .await;
}

#[tokio::test]
async fn a_run_reads_which_devices_came_with_the_results_that_it_waits_for() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        for (person, home) in [("ada", Home::Hub), ("bob", Home::Browser)] {
            let viewer = world.person(person).await;
            let id = agent(&world, &viewer, &endpoint, ProviderKind::Anthropic, home).await.id;
            let mut laptop = browser_of(&world, person, LINUX, &id, &[Ability::Screen]).await;
            told(&world, &viewer, &id, "camera").await;
            laptop.until_entry(is_wait).await;
            let _tablet = browser_of(&world, person, ANDROID, &id, &[Ability::Touch]).await;
            world.clock.advance(Duration::from_secs(2));
            laptop.until_entry(is_from_devices).await;
            world.clock.advance(Duration::from_secs(3 * 60));
            let read = trace::trace(&laptop.until_finished().await);
            assert!(read.contains("1 steered"), "{home:?}: {read}");
            assert!(read.contains("Chrome on Android shows your page now (touch)."), "{home:?}: {read}");
            assert!(read.ends_with("finished completed\n"), "{home:?}: {read}");
        }
    })
    .await;
}

fn is_asked(body: &EntryBody) -> bool {
    matches!(body, EntryBody::ApprovalAsked { .. })
}

fn is_wait(body: &EntryBody) -> bool {
    matches!(body, EntryBody::DeviceWait { wait: DeviceWait::Begun { .. }, .. })
}

fn is_from_devices(body: &EntryBody) -> bool {
    matches!(body, EntryBody::Message { from: Sender::Devices, .. })
}

/// Who took the calls that waited.
fn ends(entries: &[Entry]) -> Vec<Option<&str>> {
    entries
        .iter()
        .filter_map(|entry| match &entry.body {
            EntryBody::DeviceWait { wait: DeviceWait::Ended { by }, .. } => Some(by.as_deref()),
            _ => None,
        })
        .collect()
}

async fn status(world: &World, viewer: &Viewer) -> Status {
    world.hub.for_viewer(viewer).agents().list().await.unwrap()[0].status
}
