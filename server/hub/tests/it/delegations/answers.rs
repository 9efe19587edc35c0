//! What an agent gets of those that it asked: all at once or the first, part by part, or why there is nothing.

use super::{all, answer, asks, beside, leader, log, results, says, spawn, states, until, wait};
use crate::talk::{GATED, a_moment, ada, ask, calls};
use crate::world::{Endpoint, World, each_store};
use hub::Scoped;
use protocol::log::{EntryBody, Sender};
use protocol::view::{AgentView, DelegationState, DelegationView};
use protocol::{Caps, DelegationId, Micros};
use serde_json::{Value, json};
use std::time::Duration;

/// The result of the last call of an agent.
async fn told(scoped: &Scoped<'_>, agent: &AgentView) -> Value {
    let (is_error, told) = results(&log(scoped, &agent.id).await).pop().unwrap();
    assert!(!is_error, "{told}");
    serde_json::from_str(&told).unwrap()
}

fn gated() -> String {
    says(json!([[{ "text": "some words gate b", "gate": "gate" }]]))
}

#[tokio::test]
async fn of_several_that_are_asked_at_once_what_was_said_in_time_is_given_and_who_is_silent_is_named() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let leader = leader(&scoped, &view).await;
        let (_bo, cy) = (beside(&scoped, &leader, "Bo").await, beside(&scoped, &leader, "Cy").await);
        scoped.runs().send_message(&cy.id, GATED, None, None).await.unwrap();
        let text = says(json!([[asks(&["Bo", "Cy"], "Who are you?")], answer()]));
        scoped.runs().send_message(&leader.id, &text, None, None).await.unwrap();
        until(&scoped, |all| states(all) == [DelegationState::Completed, DelegationState::Queued]).await;
        let is_over = |body: &EntryBody| matches!(body, EntryBody::RunFinished { .. });
        while !log(&scoped, &leader.id).await.iter().any(|entry| is_over(&entry.body)) {
            world.clock.advance(Duration::from_secs(2));
            a_moment().await;
        }
        let told = told(&scoped, &leader).await;
        let (bo, cy) = (&told["results"][0], &told["results"][1]);
        assert_eq!((&bo["name"], &bo["text"]), (&json!("Bo"), &json!("You said: Who are you?")));
        assert_eq!((&cy["state"], &cy["text"]), (&json!("queued"), &Value::Null));
        assert_eq!(told["not_done"], json!(["Cy"]));
    })
    .await;
}

#[tokio::test]
async fn who_waits_for_any_goes_on_with_the_first_and_says_more_to_the_other_or_stops_it() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let leader = leader(&scoped, &view).await;
        let any = json!({ "tool": "agent_wait", "input": { "ids": "{ids}", "for": "any" } });
        let text = says(json!([[spawn("Moss", &gated()), spawn("Fern", "Say fern.")], [any], answer()]));
        ask(&scoped, &leader.id, &leader.conversation, &text).await;
        let waited = told(&scoped, &leader).await;
        assert_eq!(waited["not_done"], json!(["Ada › Moss"]));
        assert_eq!(waited["results"][1]["text"], "You said: Say fern.");

        let one = async |name: &str| all(&scoped).await.into_iter().find(|one| one.name == name).unwrap();
        let (moss, fern) = (one("Ada › Moss").await, one("Ada › Fern").await);
        let more = |id: &DelegationId| ("agent_send", json!({ "id": id, "text": "And lichen?" }));
        let made = [more(&fern.id), more(&moss.id), ("agent_stop", json!({ "id": moss.id }))];
        let came = calls(&scoped, &leader.id, &leader.conversation, &made).await;
        assert!(came[0].0 && came[0].1.contains("It is over"), "{came:?}");
        assert!(!came[1].0 && came[1].1.contains("\"said\":true"), "{came:?}");
        assert!(!came[2].0, "{came:?}");
        let is_stopped = |one: &DelegationView| one.id == moss.id && one.state == DelegationState::Stopped;
        until(&scoped, |all| all.iter().any(is_stopped)).await;
        let heard = log(&scoped, &moss.agent).await.into_iter().filter_map(|entry| match entry.body {
            EntryBody::Message { from: Sender::Agent { .. }, text, .. } => Some(text),
            _ => None,
        });
        assert_eq!(heard.skip(1).collect::<Vec<_>>(), ["And lichen?"]);
    })
    .await;
}

#[tokio::test]
async fn a_long_answer_is_read_part_by_part() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let leader = leader(&scoped, &view).await;
        // No two parts of it are alike: a reply that goes round in circles is none.
        let whole = (0..1_602).map(|number| format!("{number:04}")).collect::<Vec<_>>().join(" ");
        let parts = [&whole[..4_000], &whole[4_000..8_000], &whole[8_000..]];
        let moss = spawn("Moss", &says(json!([[{ "text": whole }]])));
        let text = says(json!([[moss], [wait()], answer()]));
        ask(&scoped, &leader.id, &leader.conversation, &text).await;
        let id = all(&scoped).await.remove(0).id;
        let reads: Vec<(&str, Value)> = [0, 4_000, 8_000, 20_000]
            .into_iter()
            .map(|from| ("agent_result", json!({ "id": id, "from": from })))
            .collect();
        let came = calls(&scoped, &leader.id, &leader.conversation, &reads).await;
        let told = |at: usize| serde_json::from_str::<Value>(&came[at].1).unwrap();
        for (at, part) in parts.iter().enumerate() {
            assert_eq!(told(at)["text"], json!(part), "part {at}");
        }
        let more = |at: usize| told(at)["more"].as_str().map(str::to_owned);
        assert_eq!(more(1).as_deref(), Some("8000 of 8009 characters. agent_result has more."));
        assert_eq!((more(2), told(3)["text"].clone(), more(3)), (None, json!(""), None));
    })
    .await;
}

#[tokio::test]
async fn who_is_asked_and_fails_or_may_spend_nothing_ends_the_wait_in_words() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let leader = leader(&scoped, &view).await;
        let (_bo, cy) = (beside(&scoped, &leader, "Bo").await, beside(&scoped, &leader, "Cy").await);
        let caps = Caps { ever: Some(Micros(1)), ..Caps::default() };
        scoped.ledger().limit_agent(&cy.id, &caps).await.unwrap();
        let fails = says(json!([{ "status": 400, "type": "invalid_request_error", "message": "No moss." }]));
        for (name, text, state, words) in
            [("Bo", fails.as_str(), "failed", "No moss."), ("Cy", "Who are you?", "over_budget", "may spend")]
        {
            let asked = says(json!([[asks(&[name], text)], answer()]));
            ask(&scoped, &leader.id, &leader.conversation, &asked).await;
            let told = told(&scoped, &leader).await;
            let one = &told["results"][0];
            assert_eq!((&one["state"], &told["not_done"]), (&json!(state), &Value::Null), "{told}");
            assert!(one["why"].as_str().unwrap().contains(words), "{told}");
        }
    })
    .await;
}
