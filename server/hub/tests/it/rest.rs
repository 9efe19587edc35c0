//! What becomes of an agent to which nobody says anything for a while, against a model server that
//! records what it is sent.

use crate::runs::trace::{next, until, until_finished};
use crate::talk::{self, PATIENCE};
use crate::world::{Definition, Endpoint, PASSWORD, World, each_store};
use hub::{Tab, Viewer};
use protocol::agent::{Home, ProviderKind};
use protocol::hub::HubFrame;
use protocol::log::{Entry, EntryBody, NoticeKind, Outcome};
use protocol::view::{AgentView, LoopSettings};
use protocol::{FailureKind, TabId};
use std::time::Duration;

/// After which the agents here think things over.
const REST: Duration = Duration::from_secs(5 * 60);

#[tokio::test]
async fn after_a_rest_a_message_begins_with_an_empty_context_if_the_person_wants_that() {
    each_store(async |world: World| {
        let viewer = world.person("ada").await;
        let clear = LoopSettings { clear_after_minutes: Some(20), ..LoopSettings::default() };
        for (settings, minutes, is_told) in
            [(clear.clone(), 20, false), (clear, 19, true), (LoopSettings::default(), 100_000, true)]
        {
            let endpoint = Endpoint::start();
            let agent = agent(&world, &viewer, &endpoint, settings).await;
            say(&world, &viewer, &agent, "The moss is dry.").await;
            world.clock.advance(Duration::from_secs(minutes * 60));
            say(&world, &viewer, &agent, "And the ferns?").await;
            let requests = endpoint.requests().await;
            let sent = requests.last().unwrap()["body"]["messages"].to_string();
            assert!(sent.contains("And the ferns?"), "{minutes}: {sent}");
            assert_eq!(sent.contains("The moss is dry."), is_told, "{minutes}: {sent}");
        }
    })
    .await;
}

#[tokio::test]
async fn an_agent_that_is_to_thinks_at_most_three_times_until_somebody_speaks() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let agent = agent(&world, &viewer, &endpoint, musing()).await;
        let mut tab = follow(&world, &viewer, &agent).await;
        for _ in 0..2 {
            say(&world, &viewer, &agent, "Hello").await;
            until_finished(&mut tab).await;
            for _ in 0..3 {
                world.clock.advance(REST);
                let thought = until_finished(&mut tab).await;
                assert!(has_mused(&thought), "{thought:?}");
                assert!(thought.iter().any(|entry| matches!(entry.body, EntryBody::Used { .. })));
            }
            world.clock.advance(20 * REST);
        }
        say(&world, &viewer, &agent, "And now?").await;
        let entries = world.hub.for_viewer(&viewer).conversations().entries(&agent.id, 0).await.unwrap();
        assert_eq!(runs(&entries), 3 + 2 * 3);
        let requests = endpoint.requests().await;
        let sent = requests.last().unwrap()["body"]["messages"].to_string();
        assert!(sent.contains("Nobody is asking you"), "what it thought is before the message: {sent}");
    })
    .await;
}

#[tokio::test]
async fn an_agent_thinks_in_the_conversation_in_which_somebody_spoke_last() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let agent = agent(&world, &viewer, &endpoint, musing()).await;
        let mut tab = follow(&world, &viewer, &agent).await;
        say(&world, &viewer, &agent, "Hello").await;
        until_finished(&mut tab).await;
        let empty = scoped.conversations().create(&agent.id).await.unwrap();
        assert_ne!(empty.id, agent.conversation);
        world.clock.advance(REST);
        let thought = until_finished(&mut tab).await;
        assert!(has_mused(&thought));
        assert_eq!(thought.last().unwrap().conversation, Some(agent.conversation));
    })
    .await;
}

#[tokio::test]
async fn an_agent_that_is_gone_or_is_not_to_think_any_more_does_not() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let mut others = Vec::new();
        for change in ["silent", "switched off", "moved", "conversation deleted", "deleted"] {
            let settings = if change == "silent" { musing() } else { LoopSettings::default() };
            let made = agent(&world, &viewer, &endpoint, musing()).await;
            if change != "silent" {
                say(&world, &viewer, &made, "Hello").await;
            }
            match change {
                "deleted" => scoped.agents().delete(&made.id).await.unwrap(),
                "conversation deleted" => {
                    scoped.conversations().delete(&made.conversation).await.unwrap();
                    others.push(made);
                }
                _ => {
                    let home = if change == "moved" { Home::Browser } else { Home::Hub };
                    let kept = if change == "moved" { musing() } else { settings };
                    Definition::like(&made).home(home).settings(kept).replace(&scoped, &made.id).await;
                    others.push(made);
                }
            }
        }
        let thinks = agent(&world, &viewer, &endpoint, musing()).await;
        let mut tab = follow(&world, &viewer, &thinks).await;
        say(&world, &viewer, &thinks, "Hello").await;
        until_finished(&mut tab).await;
        world.clock.advance(REST);
        assert!(has_mused(&until_finished(&mut tab).await));
        for other in others {
            assert!(!has_mused(&scoped.conversations().entries(&other.id, 0).await.unwrap()), "{other:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_person_is_answered_at_once_whatever_the_agent_thinks_about() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let agent = agent(&world, &viewer, &endpoint, musing()).await;
        let mut tab = follow(&world, &viewer, &agent).await;
        say(&world, &viewer, &agent, "script: then-halves").await;
        until_finished(&mut tab).await;
        world.clock.advance(REST);
        while !matches!(next(&mut tab).await, HubFrame::Delta { .. }) {}
        say(&world, &viewer, &agent, "script: hello").await;
        let entries = world.hub.for_viewer(&viewer).conversations().entries(&agent.id, 0).await.unwrap();
        let outcomes: Vec<&Outcome> = entries
            .iter()
            .filter_map(|entry| match &entry.body {
                EntryBody::RunFinished { outcome, .. } => Some(outcome),
                _ => None,
            })
            .collect();
        assert_eq!(outcomes, [&Outcome::Completed, &Outcome::Stopped, &Outcome::Completed]);
    })
    .await;
}

#[tokio::test]
async fn a_thought_that_was_stopped_or_failed_is_not_offered_again() {
    each_store(async |world: World| {
        for is_stopped in [true, false] {
            let endpoint = Endpoint::start();
            let viewer = world.person(if is_stopped { "ada" } else { "eve" }).await;
            let agent = agent(&world, &viewer, &endpoint, musing()).await;
            let scoped = world.hub.for_viewer(&viewer);
            let mut tab = follow(&world, &viewer, &agent).await;
            say(&world, &viewer, &agent, "script: then-halves").await;
            until_finished(&mut tab).await;
            if !is_stopped {
                scoped.providers().delete(agent.provider.as_ref().unwrap()).await.unwrap();
            }
            world.clock.advance(REST);
            until(&mut tab, |body| matches!(body, EntryBody::Notice { .. })).await;
            if is_stopped {
                scoped.runs().stop(&agent.id).await.unwrap();
            }
            let ended = until_finished(&mut tab).await;
            assert!(!matches!(
                ended.last().unwrap().body,
                EntryBody::RunFinished { outcome: Outcome::Completed, .. }
            ));
            let refused = scoped.runs().retry(&agent.id, None).await.unwrap_err().into_failure();
            assert_eq!(refused.kind, FailureKind::Conflict, "{refused}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_hub_that_starts_again_knows_who_was_to_think() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let agent = agent(&world, &viewer, &endpoint, musing()).await;
        say(&world, &viewer, &agent, "Hello").await;
        world.hub.close().await;
        world.clock.advance(REST);
        let hub = world.reopened().await;
        let mut tab = hub.open_tab(viewer.clone(), TabId::from("late")).unwrap();
        tab.follow(&agent.id, 0).await.unwrap();
        until_finished(&mut tab).await;
        assert!(has_mused(&until_finished(&mut tab).await));
    })
    .await;
}

#[tokio::test]
async fn an_agent_does_not_think_about_what_was_said_before_a_word_that_is_packed() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let conversations = world.hub.for_viewer(&viewer).conversations();
        let old = agent(&world, &viewer, &endpoint, musing()).await;
        let mut tab = follow(&world, &viewer, &old).await;
        say(&world, &viewer, &old, "Hello").await;
        until_finished(&mut tab).await;
        conversations.pin(&old.conversation, true).await.unwrap();
        conversations.create(&old.id).await.unwrap();
        say(&world, &viewer, &old, "Hello again").await;
        until_finished(&mut tab).await;
        for _ in 0..3 {
            world.clock.advance(REST);
            assert!(has_mused(&until_finished(&mut tab).await));
        }
        conversations.create(&old.id).await.unwrap();
        drop(tab);
        world.clock.advance(Duration::from_secs(40 * 24 * 60 * 60));
        conversations.pack_after(Some(30)).await.unwrap();
        talk::until(async || conversations.packed().await.unwrap().conversations == 1).await;
        let fresh = agent(&world, &viewer, &endpoint, musing()).await;
        say(&world, &viewer, &fresh, "Hello").await;
        world.hub.close().await;

        world.clock.advance(REST);
        let hub = world.reopened().await;
        // What she was signed in with then is out of date.
        let viewer = hub.accounts().sign_in("ada", PASSWORD, "test").await.unwrap().done().unwrap().viewer;
        let mut tab = hub.open_tab(viewer.clone(), TabId::from("late")).unwrap();
        tab.follow(&fresh.id, 0).await.unwrap();
        until_finished(&mut tab).await;
        assert!(has_mused(&until_finished(&mut tab).await));
        let entries = hub.for_viewer(&viewer).conversations().entries(&old.id, 0).await.unwrap();
        assert_eq!(runs(&entries), 2 + 3);
    })
    .await;
}

fn musing() -> LoopSettings {
    LoopSettings { ambient_after_minutes: Some(5), ..LoopSettings::default() }
}

fn has_mused(entries: &[Entry]) -> bool {
    entries.iter().any(|entry| matches!(entry.body, EntryBody::Notice { kind: NoticeKind::Ambient, .. }))
}

fn runs(entries: &[Entry]) -> usize {
    entries.iter().filter(|entry| matches!(entry.body, EntryBody::RunStarted { .. })).count()
}

async fn follow(world: &World, viewer: &Viewer, agent: &AgentView) -> Tab {
    let mut tab = world.hub.open_tab(viewer.clone(), TabId::from("tab-1")).unwrap();
    tab.follow(&agent.id, 0).await.unwrap();
    tab
}

async fn agent(world: &World, viewer: &Viewer, endpoint: &Endpoint, settings: LoopSettings) -> AgentView {
    let scoped = world.hub.for_viewer(viewer);
    let provider = endpoint.provider(&scoped, ProviderKind::OpenAi).await;
    Definition::on(&provider, "gpt-5-mini").settings(settings).create(&scoped).await
}

async fn say(world: &World, viewer: &Viewer, agent: &AgentView, text: &str) {
    let answered = world.hub.for_viewer(viewer).runs().ask(&agent.id, text, None, PATIENCE).await.unwrap();
    assert_eq!(answered.outcome, Some(Outcome::Completed), "{:?}", answered.error);
}
