//! How long something may take is counted from its beginning, and what never begins is given up.

use super::{all, answer, beside, leader, log, results, says, spawn, states, tab_of, turns_of, until, wait};
use crate::approvals::add_rule;
use crate::runs::trace::{self, until_finished};
use crate::talk::{self, GATED, ada};
use crate::world::{Endpoint, World, each_store};
use hub::Tab;
use protocol::approval::Decision;
use protocol::log::EntryBody;
use protocol::view::{DelegationState, DelegationView};
use serde_json::{Value, json};
use std::time::Duration;

fn minutes(minutes: u64) -> Duration {
    Duration::from_secs(minutes * 60)
}

/// Works until a gate is opened, at most so many minutes.
fn works(label: &str, minutes: i64) -> Value {
    let mut call = spawn(label, &says(json!([[{ "text": "some words gate b", "gate": "gate" }]])));
    call["input"]["minutes"] = json!(minutes);
    call
}

/// Waits until its run begins to wait for what it asked.
async fn until_it_waits(tab: &mut Tab) {
    let waits =
        |body: &EntryBody| matches!(body, EntryBody::ToolStarted { call, .. } if call.name == "agent_wait");
    trace::until(tab, waits).await;
}

#[tokio::test]
async fn the_time_of_a_sub_agent_begins_with_its_work() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let leader = leader(&scoped, &view).await;
        let first: Vec<Value> = (0..4).map(|at| works(&format!("Moss {at}"), 60)).collect();
        let text = turns_of(first, vec![json!([works("Fern", 5)]), json!([wait()]), answer()]);
        scoped.runs().send_message(&leader.id, &text, None, None).await.unwrap();
        let of_fern =
            |all: &[DelegationView]| all.iter().find(|one| one.name == "Ada › Fern").map(|one| one.state);
        until(&scoped, |all| of_fern(all) == Some(DelegationState::Queued)).await;
        world.clock.advance(minutes(8));
        endpoint.open_one_gate().await;
        let begun =
            until(&scoped, |all| of_fern(all).is_some_and(|state| state != DelegationState::Queued)).await;
        assert_eq!(of_fern(&begun), Some(DelegationState::Running), "it was given five minutes of work");
        world.clock.advance(minutes(5));
        let over = until(&scoped, |all| of_fern(all).is_some_and(DelegationState::is_over)).await;
        assert_eq!(of_fern(&over), Some(DelegationState::TimedOut));
        let running = states(&over).iter().filter(|state| **state == DelegationState::Running).count();
        assert_eq!(running, 3, "they have an hour: {:?}", states(&over));
        let are_over = |all: &[DelegationView]| all.iter().all(|one| one.state.is_over());
        endpoint.with_open_gates(until(&scoped, are_over)).await;
    })
    .await;
}

#[tokio::test]
async fn what_never_begins_is_given_up_and_who_waits_for_it_hears_so() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let leader = leader(&scoped, &view).await;
        let bo = beside(&scoped, &leader, "Bo").await;
        scoped.runs().send_message(&bo.id, GATED, None, None).await.unwrap();
        let mut tab = tab_of(&world.hub, &viewer);
        tab.follow(&leader.id, 0).await.unwrap();
        let asks =
            json!({ "tool": "agent_ask", "input": { "agents": ["Bo"], "text": "Hello.", "minutes": 1 } });
        let waits = json!({ "tool": "agent_wait", "input": { "ids": "{ids}", "seconds": 1800 } });
        let text = says(json!([[asks], [waits], [waits], answer()]));
        scoped.runs().send_message(&leader.id, &text, None, None).await.unwrap();
        until_it_waits(&mut tab).await;
        world.clock.advance(minutes(31));
        until_it_waits(&mut tab).await;
        assert_eq!(states(&all(&scoped).await), [DelegationState::Queued], "Bo is at work on something else");
        world.clock.advance(Duration::from_secs(29 * 60 + 30));
        until_finished(&mut tab).await;
        let (is_error, told) = results(&log(&scoped, &leader.id).await).pop().unwrap();
        assert!(!is_error && told.contains("timed_out"), "{told}");
        assert!(told.contains("It never came to its turn."), "{told}");
        assert_eq!(states(&all(&scoped).await), [DelegationState::TimedOut]);
        scoped.runs().stop(&bo.id).await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_sub_agent_has_the_time_too_that_stood_still_for_who_made_it() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let leader = leader(&scoped, &view).await;
        add_rule(&world.hub, &viewer, "ask", "write", "").await;
        world.clock.stand_still();
        let write = json!({ "tool": "write", "input": { "path": "/agent/moss.md", "content": "Moss" } });
        let by_moss = says(json!([[write], [works("Fern", 60)], [{ "text": "Fern works." }]]));
        let mut moss = spawn("Moss", &by_moss);
        moss["input"]["minutes"] = json!(5);
        let text = says(json!([[moss], [wait()], answer()]));
        scoped.runs().send_message(&leader.id, &text, None, None).await.unwrap();
        talk::until(async || !scoped.approvals().list().await.unwrap().is_empty()).await;
        let asked = scoped.approvals().list().await.unwrap().remove(0).approval;
        world.clock.advance(minutes(4));
        scoped.approvals().answer(&asked.id, &asked.hash, Decision::Once, "").await.unwrap();
        let fern_is = |all: &[DelegationView], state: DelegationState| {
            all.iter().any(|one| one.name == "Ada › Moss › Fern" && one.state == state)
        };
        until(&scoped, |all| fern_is(all, DelegationState::Running)).await;
        // Seven minutes after the first one began, which has five, and was waited for in four of them.
        world.clock.advance(minutes(3));
        endpoint.with_open_gates(until(&scoped, |all| fern_is(all, DelegationState::Completed))).await;
    })
    .await;
}
