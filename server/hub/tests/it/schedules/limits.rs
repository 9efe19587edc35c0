//! Money: what a schedule may spend, and what is said when nobody looks at what it does.

use super::{HOUR, all, begin, hourly, once, only, outcome, state, told};
use crate::runs::trace::{until, until_finished};
use crate::world::{Definition, Endpoint, World, each_store};
use protocol::Caps;
use protocol::log::{Entry, EntryBody, NoticeKind, Outcome};
use protocol::model::ModelFailureKind;
use protocol::schedule::{FiringState, ScheduleEvent};
use protocol::view::{NotificationKind, PipelineState, Status};
use protocol::{LimitOf, Micros};
use serde_json::json;
use std::time::Duration;

#[tokio::test]
async fn a_limit_of_a_schedule_stops_what_it_begins_and_nothing_else_until_it_is_raised() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let (agent, mut tab) = begin(&world, &viewer, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let id = scoped.schedules().create(&agent.id, &hourly("Look around.")).await.unwrap();
        let tight = Caps { per_day: Some(Micros(100)), ..Caps::default() };
        scoped.schedules().limit(&id, &tight).await.unwrap();
        scoped.schedules().run_now(&id).await.unwrap();
        let entries = until_finished(&mut tab).await;
        let EntryBody::RunFinished { outcome: Outcome::Failed { failure }, stopped_by } =
            &entries.last().unwrap().body
        else {
            panic!("{entries:?}")
        };
        assert_eq!((failure.kind, *stopped_by), (ModelFailureKind::OverBudget, Some(LimitOf::Schedule)));
        let words = "The schedule that began this run may spend $0.000100 a day. $0.00 is spent.";
        assert!(failure.message.starts_with(words), "{}", failure.message);
        assert_eq!(state(&world.hub, &viewer, &agent.id).await, FiringState::WaitsForYou);
        assert_eq!(scoped.agents().list().await.unwrap()[0].status, Status::Waiting);
        assert!(endpoint.requests().await.is_empty());

        scoped.schedules().run_now(&id).await.unwrap();
        assert_eq!(state(&world.hub, &viewer, &agent.id).await, FiringState::OverLimit);
        assert_eq!(told(&all(&world.hub, &viewer, &agent.id).await).len(), 1, "the same words once a day");

        scoped
            .schedules()
            .limit(&id, &Caps { per_day: Some(Micros(1_000_000)), ..Caps::default() })
            .await
            .unwrap();
        assert_eq!(outcome(&until_finished(&mut tab).await), &Outcome::Completed);
        let spent = only(&world.hub, &viewer, &agent.id).await.budget.spent;
        assert!(spent.day > Micros(0) && spent.day == spent.ever);
        assert_eq!(Some(spent.day), scoped.agents().list().await.unwrap()[0].spent.cost);

        scoped.schedules().limit(&id, &tight).await.unwrap();
        scoped.runs().send_message(&agent.id, "Hello", None, None).await.unwrap();
        assert_eq!(outcome(&until_finished(&mut tab).await), &Outcome::Completed, "a person's own words");
        assert_eq!(only(&world.hub, &viewer, &agent.id).await.budget.spent, spent);
    })
    .await;
}

#[tokio::test]
async fn a_schedule_under_a_limit_tells_its_person_once_and_again_when_it_ran_in_between() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let (agent, mut tab) = begin(&world, &viewer, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let id = scoped.schedules().create(&agent.id, &hourly("Look around.")).await.unwrap();
        let told = async || {
            let list = scoped.notifications().list(None).await.unwrap().list;
            list.iter().filter(|told| told.kind == NotificationKind::Schedule).count()
        };
        let left_out = async |firings: usize| {
            let history = scoped.schedules().history(&id).await.unwrap();
            let of_limit = history.iter().filter(|firing| firing.state == FiringState::OverLimit).count();
            of_limit == firings
        };
        let tight = Caps { per_day: Some(Micros(100)), ..Caps::default() };
        for round in 1..=2 {
            scoped.schedules().limit(&id, &tight).await.unwrap();
            scoped.schedules().run_now(&id).await.unwrap();
            assert!(matches!(outcome(&until_finished(&mut tab).await), Outcome::Failed { .. }));
            for time in 1..=3 {
                world.clock.advance(Duration::from_secs(1));
                scoped.schedules().run_now(&id).await.unwrap();
                once(async || left_out(3 * (round - 1) + time).await).await;
                assert_eq!(told().await, round, "round {round}, time {time}");
            }
            scoped.schedules().limit(&id, &Caps::default()).await.unwrap();
            assert_eq!(outcome(&until_finished(&mut tab).await), &Outcome::Completed);
        }
    })
    .await;
}

#[tokio::test]
async fn a_limit_for_a_run_holds_for_what_a_schedule_begins() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let (agent, mut tab) = begin(&world, &viewer, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let id = scoped.schedules().create(&agent.id, &hourly("Look around.")).await.unwrap();
        for (caps, per) in [
            (Caps { per_call: Some(Micros(10)), ..Caps::default() }, "a call"),
            (Caps { per_run: Some(Micros(10)), ..Caps::default() }, "a run"),
            (Caps { per_month: Some(Micros(10)), ..Caps::default() }, "a month"),
            (Caps { ever: Some(Micros(10)), ..Caps::default() }, "in all"),
        ] {
            scoped.schedules().limit(&id, &caps).await.unwrap();
            scoped.schedules().run_now(&id).await.unwrap();
            let entries = until_finished(&mut tab).await;
            let Outcome::Failed { failure } = outcome(&entries) else { panic!("{entries:?}") };
            assert!(failure.message.contains(&format!("may spend $0.000010 {per}.")), "{}", failure.message);
            scoped.schedules().limit(&id, &Caps::default()).await.unwrap();
            assert_eq!(outcome(&until_finished(&mut tab).await), &Outcome::Completed);
        }
    })
    .await;
}

#[tokio::test]
async fn a_limit_of_one_schedule_is_not_in_the_way_of_another() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let (agent, mut tab) = begin(&world, &viewer, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let stopped = scoped.schedules().create(&agent.id, &hourly("Look around.")).await.unwrap();
        let free = scoped.schedules().create(&agent.id, &hourly("Look at the moss.")).await.unwrap();
        let caps = Caps { per_day: Some(Micros(100)), ..Caps::default() };
        scoped.schedules().limit(&stopped, &caps).await.unwrap();
        scoped.schedules().run_now(&stopped).await.unwrap();
        assert!(matches!(outcome(&until_finished(&mut tab).await), Outcome::Failed { .. }));
        scoped.schedules().run_now(&free).await.unwrap();
        let entries = until_finished(&mut tab).await;
        assert_eq!((told(&entries), outcome(&entries)), (vec!["Look at the moss."], &Outcome::Completed));
    })
    .await;
}

#[tokio::test]
async fn most_of_a_schedule_s_limit_is_said_once_in_a_period_and_on_the_wall() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let (agent, mut tab) = begin(&world, &viewer, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let id = scoped.schedules().create(&agent.id, &hourly("Look around.")).await.unwrap();
        let caps = Caps { per_day: Some(Micros(1_000_000)), ..Caps::default() };
        scoped.schedules().limit(&id, &caps).await.unwrap();
        for (spent, notices, on_the_wall) in [(0, 0, 0), (850_000, 1, 1), (850_000, 0, 1)] {
            spend(&world, spent).await;
            scoped.schedules().run_now(&id).await.unwrap();
            assert_eq!(said(&until_finished(&mut tab).await).len(), notices, "{spent}");
            assert_eq!(scoped.ledger().limit_warnings().await.unwrap().len(), on_the_wall, "{spent}");
        }
        let wall = scoped.ledger().limit_warnings().await.unwrap().remove(0);
        assert_eq!((wall.of, wall.agent), (LimitOf::Schedule, Some(agent.id.clone())));
        let words = format!("The schedule Rounds of {} may spend $1.00 a day. $0.85", agent.name);
        assert!(wall.message.starts_with(&words), "{}", wall.message);

        scoped.runs().send_message(&agent.id, "Hello", None, None).await.unwrap();
        assert!(said(&until_finished(&mut tab).await).is_empty(), "a person's own words are none of it");
        world.clock.advance(24 * HOUR);
        until_finished(&mut tab).await;
        assert!(scoped.ledger().limit_warnings().await.unwrap().is_empty(), "another day is another limit");
        spend(&world, 850_000).await;
        scoped.schedules().run_now(&id).await.unwrap();
        let entries = until_finished(&mut tab).await;
        let said = said(&entries);
        assert_eq!(said.len(), 1, "{entries:?}");
        assert!(said[0].starts_with("The schedule that began this run may spend $1.00 a day."), "{said:?}");
    })
    .await;
}

#[tokio::test]
async fn what_a_schedule_began_does_not_go_on_when_the_schedule_is_gone_or_rests() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let (agent, mut tab) = begin(&world, &viewer, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let tight = Caps { per_day: Some(Micros(100)), ..Caps::default() };
        for (whose, ends) in [
            (LimitOf::Schedule, Ends::Deleted),
            (LimitOf::Schedule, Ends::Paused),
            (LimitOf::Agent, Ends::Deleted),
        ] {
            let id = scoped.schedules().create(&agent.id, &hourly("Look around.")).await.unwrap();
            match whose {
                LimitOf::Schedule => scoped.schedules().limit(&id, &tight).await.unwrap(),
                _ => scoped.ledger().limit_agent(&agent.id, &tight).await.unwrap(),
            }
            scoped.schedules().run_now(&id).await.unwrap();
            until_finished(&mut tab).await;
            assert_eq!(scoped.agents().list().await.unwrap()[0].status, Status::Waiting);

            let why = match ends {
                Ends::Deleted => {
                    scoped.schedules().delete(&id).await.unwrap();
                    "A limit had stopped what Rounds began, and Rounds was deleted."
                }
                Ends::Paused => {
                    scoped.schedules().pause(&id).await.unwrap();
                    "A limit had stopped what Rounds began, and Rounds rests."
                }
            };
            assert_eq!(scoped.agents().list().await.unwrap()[0].status, Status::Idle, "{why}");
            let given_up =
                until(&mut tab, |body| matches!(body, EntryBody::Notice { kind: NoticeKind::GivenUp, .. }));
            let EntryBody::Notice { text, .. } = &given_up.await.last().unwrap().body.clone() else {
                unreachable!()
            };
            assert_eq!(text, why);
            let before = endpoint.requests().await.len();
            match (whose, ends) {
                (LimitOf::Schedule, Ends::Paused) => {
                    scoped.schedules().limit(&id, &Caps::default()).await.unwrap();
                    scoped.schedules().delete(&id).await.unwrap();
                }
                _ => scoped.ledger().limit_agent(&agent.id, &Caps::default()).await.unwrap(),
            }
            assert_eq!(endpoint.requests().await.len(), before, "nobody pays for it any more");
            assert_eq!(scoped.agents().list().await.unwrap()[0].status, Status::Idle);
        }
        scoped.runs().send_message(&agent.id, "Hello", None, None).await.unwrap();
        assert_eq!(outcome(&until_finished(&mut tab).await), &Outcome::Completed);
    })
    .await;
}

#[tokio::test]
async fn what_is_under_way_ends_with_its_schedule_and_does_not_wait_for_one_that_rests() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let (agent, mut tab) = begin(&world, &viewer, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let message = r#"turns: [[{"text":"a gate b","gate":"gate"},{"tool":"list_tools","input":{}}],[{"text":"Done."}]]"#;
        for (at, ends) in [Ends::Deleted, Ends::Paused].into_iter().enumerate() {
            let id = scoped.schedules().create(&agent.id, &hourly(message)).await.unwrap();
            scoped.schedules().run_now(&id).await.unwrap();
            once(async || endpoint.requests().await.len() > at).await;
            match ends {
                Ends::Deleted => {
                    scoped.schedules().delete(&id).await.unwrap();
                    assert_eq!(outcome(&until_finished(&mut tab).await), &Outcome::Stopped);
                }
                Ends::Paused => {
                    scoped.schedules().pause(&id).await.unwrap();
                    let tight = Caps { per_day: Some(Micros(1)), ..Caps::default() };
                    scoped.ledger().limit_agent(&agent.id, &tight).await.unwrap();
                    endpoint.open_gate().await;
                    until(&mut tab, |body| matches!(body, EntryBody::Notice { kind: NoticeKind::GivenUp, .. }))
                        .await;
                    scoped.ledger().limit_agent(&agent.id, &Caps::default()).await.unwrap();
                }
            }
            assert_eq!(scoped.agents().list().await.unwrap()[0].status, Status::Idle, "{at}");
        }
        assert_eq!(endpoint.requests().await.len(), 2, "nobody pays for it any more");
    })
    .await;
}

#[tokio::test]
async fn a_schedule_at_which_nobody_looks_is_said_once_with_what_it_costs() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let (agent, mut tab) = begin(&world, &viewer, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        scoped.schedules().create(&agent.id, &hourly("Look around.")).await.unwrap();
        let is_idle =
            |body: &EntryBody| matches!(body, EntryBody::Schedule { news: ScheduleEvent::Idle { .. }, .. });
        for _ in 0..4 {
            world.clock.advance(HOUR);
            until_finished(&mut tab).await;
        }
        assert_eq!(only(&world.hub, &viewer, &agent.id).await.idle, None);
        world.clock.advance(HOUR);
        let entries = until(&mut tab, is_idle).await;
        let cost = scoped.agents().list().await.unwrap()[0].spent.cost.unwrap();
        let EntryBody::Schedule { news, .. } = &entries.last().unwrap().body else { panic!("{entries:?}") };
        assert_eq!(news, &ScheduleEvent::Idle { times: 5, cost });
        for _ in 0..2 {
            world.clock.advance(HOUR);
            assert!(!until_finished(&mut tab).await.iter().any(|entry| is_idle(&entry.body)));
        }
        let idle = only(&world.hub, &viewer, &agent.id).await;
        assert_eq!(idle.idle.unwrap().times, 7);
        assert_eq!(scoped.schedules().idle_schedules().await.unwrap(), [idle]);

        world.clock.advance(Duration::from_secs(1));
        tab.set_active(Some(agent.id.clone())).await.unwrap();
        assert_eq!(only(&world.hub, &viewer, &agent.id).await.idle, None, "somebody looks");
        assert!(scoped.schedules().idle_schedules().await.unwrap().is_empty());
        tab.set_active(None).await.unwrap();
        for _ in 0..5 {
            world.clock.advance(HOUR);
            until_finished(&mut tab).await;
        }
        once(async || {
            all(&world.hub, &viewer, &agent.id).await.iter().filter(|entry| is_idle(&entry.body)).count() == 2
        })
        .await;
    })
    .await;
}

/// What becomes of a schedule.
#[derive(Clone, Copy)]
enum Ends {
    Deleted,
    Paused,
}

/// Puts this much on the meter of the schedules that spent something today.
async fn spend(world: &World, cost: i64) {
    let store = world.store().await;
    let mut tx = store.write().await.unwrap();
    sqlx::query(
        "UPDATE schedule_spending SET cost = $1 WHERE day = (SELECT MAX(s.day) FROM schedule_spending s)",
    )
    .bind(cost)
    .execute(&mut *tx)
    .await
    .unwrap();
    tx.commit().await.unwrap();
}

/// What was said of limits.
fn said(entries: &[Entry]) -> Vec<&str> {
    let said = entries.iter().filter_map(|entry| match &entry.body {
        EntryBody::Notice { kind: NoticeKind::Limit, text, .. } => Some(text.as_str()),
        _ => None,
    });
    said.collect()
}

#[tokio::test]
async fn what_the_tasks_of_a_pipeline_cost_that_its_run_made_counts_for_a_schedule() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let (agent, _tab) = begin(&world, &viewer, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        Definition::like(&agent).tools(["pipeline_create"]).replace(&scoped, &agent.id).await;
        let tasks = json!([{ "id": "moss", "title": "Moss", "instruction": "Say moss." }]);
        let makes = json!({ "tool": "pipeline_create", "input": { "title": "Moss", "tasks": tasks } });
        let turns = json!([[makes], [{ "text": "Made." }]]);
        let id = scoped.schedules().create(&agent.id, &hourly(&format!("turns: {turns}"))).await.unwrap();
        scoped.schedules().run_now(&id).await.unwrap();
        once(async || {
            let all = scoped.pipelines().list().await.unwrap();
            all.first().is_some_and(|card| card.state == PipelineState::Completed && card.cost > Micros(0))
        })
        .await;
        once(async || {
            let counted = only(&world.hub, &viewer, &agent.id).await.budget.spent.ever;
            counted == scoped.ledger().own_budget().await.unwrap().spent.ever
        })
        .await;
    })
    .await;
}
