//! How times become runs: put off, in each other's way, failing, under a condition; and what is told of them.

use super::{HOUR, all, begin, hourly, is_told, once, only, outcome, state, told};
use crate::runs::trace::{until, until_finished};
use crate::world::{Endpoint, World, each_store};
use hub::{Tab, Viewer};
use protocol::log::{EntryBody, Outcome};
use protocol::schedule::{
    FiringCause, FiringState, Overlap, ScheduleDraft, ScheduleEvent, Timing, TimingKind,
};
use protocol::{AgentId, FailureKind, ScheduleId, TabId};
use serde_json::{Value, json};
use std::time::Duration;

const FAILS: &str = r#"turns: [{ "status": 400, "type": "invalid_request_error", "message": "No." }]"#;

async fn states(world: &World, viewer: &Viewer, id: &ScheduleId) -> Vec<FiringState> {
    let history = world.hub.for_viewer(viewer).schedules().history(id).await.unwrap();
    history.into_iter().map(|firing| firing.state).collect()
}

/// The agent is at work until it is stopped.
async fn hang(world: &World, viewer: &Viewer, agent: &AgentId, tab: &mut Tab) {
    world.hub.for_viewer(viewer).runs().send_message(agent, "script: hang", None, None).await.unwrap();
    until(tab, |body| matches!(body, EntryBody::RunStarted { .. })).await;
}

#[tokio::test]
async fn a_delay_is_counted_from_now_and_ends_in_one_run() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let (agent, mut tab) = begin(&world, &viewer, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let draft = ScheduleDraft {
            kind: TimingKind::After,
            delay: "20".to_owned(),
            zone: "Europe/Berlin".to_owned(),
            ..hourly("script: hello")
        };
        let before = world.clock.now();
        let id = scoped.schedules().create(&agent.id, &draft).await.unwrap();
        let made = only(&world.hub, &viewer, &agent.id).await;
        assert!(matches!(&made.timing, Timing::Once { .. }));
        let delay = made.next_at.unwrap() - before;
        assert!((20 * 60_000..21 * 60_000).contains(&delay), "{delay}");
        world.clock.advance(Duration::from_secs(21 * 60));
        until(&mut tab, is_told).await;
        assert_eq!(outcome(&until_finished(&mut tab).await), &Outcome::Completed);
        assert_eq!(only(&world.hub, &viewer, &agent.id).await.next_at, None);
        assert_eq!(states(&world, &viewer, &id).await, [FiringState::Done]);
        for delay in ["", "0", "soon", "999999999"] {
            let draft = ScheduleDraft { delay: delay.to_owned(), ..draft.clone() };
            let error = scoped.schedules().create(&agent.id, &draft).await.unwrap_err().into_failure();
            assert_eq!(error.kind, FailureKind::Invalid, "{delay}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_time_at_which_the_agent_works_is_left_out_or_waits_as_its_schedule_says() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        for (overlap, runs) in [(Overlap::Skip, 0), (Overlap::Newest, 1), (Overlap::Each, 3)] {
            let (agent, mut tab) = begin(&world, &viewer, &endpoint).await;
            let scoped = world.hub.for_viewer(&viewer);
            hang(&world, &viewer, &agent.id, &mut tab).await;
            let draft = ScheduleDraft { overlap, ..hourly("script: hello") };
            let id = scoped.schedules().create(&agent.id, &draft).await.unwrap();
            for times in 1..=3 {
                world.clock.advance(HOUR);
                once(async || {
                    let states = states(&world, &viewer, &id).await;
                    let is_taken = |state: &FiringState| match overlap {
                        Overlap::Skip => *state == FiringState::Skipped,
                        Overlap::Newest | Overlap::Each => *state == FiringState::Queued,
                    };
                    states.len() == times && states.first().is_some_and(is_taken)
                })
                .await;
            }
            scoped.runs().stop(&agent.id).await.unwrap();
            once(async || {
                let states = states(&world, &viewer, &id).await;
                !states.contains(&FiringState::Queued) && !states.contains(&FiringState::Running)
            })
            .await;
            assert_eq!(told(&all(&world.hub, &viewer, &agent.id).await).len(), runs, "{overlap:?}");
            scoped.schedules().pause(&id).await.unwrap();
        }
    })
    .await;
}

#[tokio::test]
async fn a_schedule_that_fails_so_often_in_a_row_is_switched_off_until_somebody_switches_it_on() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let (agent, mut tab) = begin(&world, &viewer, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let draft = ScheduleDraft { breaker: "2".to_owned(), ..hourly(FAILS) };
        let id = scoped.schedules().create(&agent.id, &draft).await.unwrap();
        for rounds in 1..=2 {
            for _ in 0..2 {
                assert!(!only(&world.hub, &viewer, &agent.id).await.paused);
                world.clock.advance(HOUR);
                let entries = until_finished(&mut tab).await;
                assert!(matches!(outcome(&entries), Outcome::Failed { .. }));
            }
            once(async || only(&world.hub, &viewer, &agent.id).await.paused).await;
            let now = only(&world.hub, &viewer, &agent.id).await;
            assert!(now.broken.is_some_and(|why| why.contains("No.")));
            assert_eq!(now.next_at, None);
            let entries = all(&world.hub, &viewer, &agent.id).await;
            let broken = entries.iter().filter(|entry| {
                matches!(
                    &entry.body,
                    EntryBody::Schedule { news: ScheduleEvent::Broken { times: 2, .. }, .. }
                )
            });
            assert_eq!(broken.count(), rounds);
            scoped.schedules().resume(&id).await.unwrap();
            assert_eq!(only(&world.hub, &viewer, &agent.id).await.broken, None);
        }
        let never = ScheduleDraft { breaker: "0".to_owned(), ..hourly(FAILS) };
        scoped.schedules().edit(&id, &never).await.unwrap();
        for _ in 0..3 {
            world.clock.advance(HOUR);
            until_finished(&mut tab).await;
        }
        assert!(!only(&world.hub, &viewer, &agent.id).await.paused);
    })
    .await;
}

#[tokio::test]
async fn what_its_condition_does_not_allow_asks_no_model_and_says_so() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let (agent, mut tab) = begin(&world, &viewer, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let draft = ScheduleDraft {
            only_if_key: "inbox".to_owned(),
            only_if: ".open > 0".to_owned(),
            ..hourly("script: hello")
        };
        let id = scoped.schedules().create(&agent.id, &draft).await.unwrap();
        world.clock.advance(HOUR);
        once(async || states(&world, &viewer, &id).await == [FiringState::Unmet]).await;
        assert_eq!(scoped.schedules().preview(&id).await.unwrap().condition, Some(false));
        assert!(endpoint.requests().await.is_empty());

        set(&world, &viewer, &agent.id, json!({ "open": 2 })).await;
        assert_eq!(scoped.schedules().preview(&id).await.unwrap().condition, Some(true));
        world.clock.advance(HOUR);
        until(&mut tab, is_told).await;
        until_finished(&mut tab).await;

        set(&world, &viewer, &agent.id, json!({ "open": 0 })).await;
        scoped.schedules().run_now(&id).await.unwrap();
        until(&mut tab, is_told).await;
        until_finished(&mut tab).await;
        for only_if in ["changed", "always", ">"] {
            let draft = ScheduleDraft { only_if: only_if.to_owned(), ..draft.clone() };
            let error = scoped.schedules().create(&agent.id, &draft).await.unwrap_err().into_failure();
            assert_eq!(error.kind, FailureKind::Invalid, "{only_if}");
        }
    })
    .await;
}

#[tokio::test]
async fn the_history_says_why_what_and_for_how_much_and_a_preview_does_nothing() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let (agent, mut tab) = begin(&world, &viewer, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let id = scoped.schedules().create(&agent.id, &hourly("script: hello")).await.unwrap();
        let preview = scoped.schedules().preview(&id).await.unwrap();
        assert_eq!(preview.text, "[your person's schedule is due: Rounds]\nscript: hello");
        assert_eq!((preview.next.len(), preview.condition), (5, None));
        assert_eq!(preview.next[0], only(&world.hub, &viewer, &agent.id).await.next_at.unwrap());
        assert!(scoped.schedules().history(&id).await.unwrap().is_empty());

        world.clock.advance(HOUR);
        until_finished(&mut tab).await;
        scoped.schedules().run_now(&id).await.unwrap();
        until_finished(&mut tab).await;
        once(async || state(&world.hub, &viewer, &agent.id).await == FiringState::Done).await;
        let history = scoped.schedules().history(&id).await.unwrap();
        let causes: Vec<_> = history.iter().map(|firing| firing.cause).collect();
        assert_eq!(causes, [FiringCause::Person, FiringCause::Time]);
        for firing in &history {
            assert_eq!(firing.state, FiringState::Done);
            assert!(firing.cost.0 > 0 && firing.conversation.is_some());
        }
    })
    .await;
}

async fn set(world: &World, viewer: &Viewer, agent: &AgentId, value: Value) {
    let tab = world.hub.open_tab(viewer.clone(), TabId::from("desk")).unwrap();
    tab.set_state(agent, "inbox".to_owned(), value).await.unwrap();
}

#[tokio::test]
async fn the_last_time_of_a_schedule_is_told_though_what_it_said_is_damaged() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let (agent, mut tab) = begin(&world, &viewer, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let conversations = scoped.conversations();
        scoped.schedules().create(&agent.id, &hourly("Look around.")).await.unwrap();
        world.clock.advance(HOUR);
        until_finished(&mut tab).await;
        drop(tab);
        once(async || state(&world.hub, &viewer, &agent.id).await == FiringState::Done).await;
        conversations.create(&agent.id).await.unwrap();
        let ms = 40_i64 * 24 * 60 * 60 * 1000;
        let old =
            format!("UPDATE conversations SET created_at = created_at - {ms}, used_at = used_at - {ms}");
        world.execute(&old).await;
        conversations.pack_after(Some(30)).await.unwrap();
        once(async || conversations.packed().await.unwrap().conversations == 1).await;
        world.execute("UPDATE packed_conversations SET digest = digest || 'x'").await;
        let last = state(&world.hub, &viewer, &agent.id).await;
        assert!(matches!(&last, FiringState::Failed { why } if why.contains("is damaged")), "{last:?}");
    })
    .await;
}
