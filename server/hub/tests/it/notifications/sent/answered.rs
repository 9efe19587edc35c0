//! What is answered on a notification: with a button, or in words.

use super::{asked, sign_in};
use crate::approvals::{add_rule, answer, until_asked};
use crate::notifications::list;
use crate::runs::open;
use crate::runs::trace::until_finished;
use crate::talk::ada;
use crate::world::{Definition, Endpoint, PushService, World, each_store};
use hub::Scoped;
use protocol::approval::Decision;
use protocol::{AgentId, FailureKind};
use serde_json::{Value, json};

async fn answer_with(
    scoped: &Scoped<'_>,
    secret: &str,
    decision: Decision,
) -> Result<(), (FailureKind, String)> {
    scoped.approvals().answer_notified(secret, decision).await.map_err(|error| {
        let failure = error.into_failure();
        (failure.kind, failure.message)
    })
}

#[tokio::test]
async fn a_secret_answers_one_question_once_from_the_device_that_got_it() {
    each_store(async |world: World| {
        let (endpoint, service) = (Endpoint::start(), PushService::start());
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        add_rule(&world.hub, &viewer, "ask", "state", "").await;
        service.notify(&scoped, "201", true).await;
        let mut tab = open(&world, &viewer, "laptop");
        tab.follow(&agent.id, 0).await.unwrap();
        let secret = asked(&scoped, &agent.id, &service, 1).await;
        until_asked(&mut tab).await;

        let other = sign_in(&world.hub).await;
        let elsewhere = world.hub.for_viewer(&other);
        for (scoped, secret, decision) in [
            (&elsewhere, secret.as_str(), Decision::Once),
            (&scoped, "no-secret", Decision::Once),
            (&scoped, secret.as_str(), Decision::Always),
        ] {
            answer_with(scoped, secret, decision).await.unwrap_err();
        }
        assert!(world.hub.for_viewer(&viewer).states().read(&agent.id).await.unwrap().is_empty());
        answer_with(&scoped, &secret, Decision::Once).await.unwrap();
        until_finished(&mut tab).await;
        assert_eq!(scoped.states().read(&agent.id).await.unwrap().len(), 1);
        let (kind, why) = answer_with(&scoped, &secret, Decision::Deny).await.unwrap_err();
        assert!(kind == FailureKind::Conflict && why.contains("answered already"), "{why}");

        // The end of the run was pushed too.
        let secret = asked(&scoped, &agent.id, &service, 3).await;
        let stale = until_asked(&mut tab).await;
        answer(&world.hub, &viewer, &stale, Decision::Deny).await.unwrap();
        let (kind, why) = answer_with(&scoped, &secret, Decision::Once).await.unwrap_err();
        assert!(kind == FailureKind::Conflict && why.contains("denied already"), "{why}");
    })
    .await;
}

#[tokio::test]
async fn a_call_is_allowed_where_a_notification_shows_all_of_it_and_denied_from_any() {
    each_store(async |world: World| {
        let (endpoint, service) = (Endpoint::start(), PushService::start());
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        add_rule(&world.hub, &viewer, "ask", "state", "").await;
        service.notify(&scoped, "201", true).await;
        let mut came = 0;
        for (value, shown) in [
            ("dry".to_owned(), Some(r#"action: "set", key: "bed", value: "dry""#)),
            ("word ".repeat(100), None),
            ("two  spaces".to_owned(), None),
            ("dry\u{202e}yrd".to_owned(), None),
        ] {
            let call = json!({ "tool": "state", "input": { "action": "set", "key": "bed", "value": value } });
            let turns = json!([[call], [{ "text": "Done." }]]);
            scoped.runs().send_message(&agent.id, &format!("turns: {turns}"), None, None).await.unwrap();
            let push = service.until_received(came + 1).await.remove(came);
            let notification = &push["message"]["notification"];
            let data = &notification["data"];
            if let Some(shown) = shown {
                assert_eq!(notification["body"], shown);
                assert!(data["deny"].is_null(), "{data}");
                let secret = data["answer"].as_str().expect("a secret");
                answer_with(&scoped, secret, Decision::Once).await.unwrap();
            } else {
                assert!(data["answer"].is_null(), "{data}");
                let secret = data["deny"].as_str().expect("a secret");
                let (kind, why) = answer_with(&scoped, secret, Decision::Once).await.unwrap_err();
                assert!(kind == FailureKind::Invalid && why.contains("did not show all"), "{why}");
                answer_with(&scoped, secret, Decision::Deny).await.unwrap();
            }
            // The end of the run is pushed too.
            came += 2;
            service.until_received(came).await;
        }
    })
    .await;
}

/// Lets the agent ask this and say the answer, and gives what its person can do where that is shown.
async fn asked_by_it(
    scoped: &Scoped<'_>,
    agent: &AgentId,
    service: &PushService,
    (input, count): (Value, usize),
) -> Value {
    let turns = json!([[{ "tool": "ask_user", "input": input }], [{ "text": "{results}" }]]);
    scoped.runs().send_message(agent, &format!("turns: {turns}"), None, None).await.unwrap();
    let mut push = service.until_received(count).await.remove(count - 1);
    push["message"]["notification"]["data"].take()
}

async fn reply_with(scoped: &Scoped<'_>, secret: &Value, text: &str) -> Result<(), (FailureKind, String)> {
    scoped.approvals().reply_notified(secret.as_str().expect("a secret"), text).await.map_err(|error| {
        let failure = error.into_failure();
        (failure.kind, failure.message)
    })
}

#[tokio::test]
async fn words_on_a_notification_answer_what_it_asks_or_go_to_the_conversation_that_it_tells_of() {
    each_store(async |world: World| {
        let (endpoint, service) = (Endpoint::start(), PushService::start());
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        Definition::like(&agent).tools(["ask_user"]).replace(&scoped, &agent.id).await;
        service.notify(&scoped, "201", true).await;
        let other = sign_in(&world.hub).await;
        let elsewhere = world.hub.for_viewer(&other);
        let colours = |labels: &[&str]| {
            let options: Vec<Value> = labels.iter().map(|label| json!({ "label": label })).collect();
            json!({ "question": "Which colour?", "kind": "choice", "options": options })
        };
        let text = json!({ "question": "Which bed?", "kind": "text" });
        let two = colours(&["Green", "Blue"]);
        let mut came = 0;
        for (input, options, refused, words) in
            [(text, json!([]), "", "The last one"), (two, json!(["Green", "Blue"]), "Red", "Blue")]
        {
            let shown = asked_by_it(&scoped, &agent.id, &service, (input, came + 1)).await;
            assert_eq!((&shown["options"], &shown["waits"]), (&options, &json!(true)));
            let secret = &shown["reply"];
            reply_with(&elsewhere, secret, words).await.unwrap_err();
            reply_with(&scoped, secret, refused).await.unwrap_err();
            answer_with(&scoped, secret.as_str().unwrap(), Decision::Once).await.unwrap_err();
            reply_with(&scoped, secret, words).await.unwrap();
            came += 2;
            service.until_received(came).await;
            assert!(list(&scoped).await[0].body.contains(words));
            let (kind, why) = reply_with(&scoped, secret, words).await.unwrap_err();
            assert!(kind == FailureKind::Conflict && why.contains("answered already"), "{why}");
        }

        // What was used last is another conversation by now.
        let told = list(&scoped).await.remove(0);
        scoped.conversations().create(&agent.id).await.unwrap();
        let end = service.received().await.remove(came - 1);
        let data = &end["message"]["notification"]["data"];
        assert!(data["waits"].is_null() && data["options"].is_null(), "{data}");
        reply_with(&elsewhere, &data["reply"], "Go on").await.unwrap_err();
        reply_with(&scoped, &data["reply"], "Go on").await.unwrap();
        came += 1;
        service.until_received(came).await;
        let answered = list(&scoped).await.remove(0);
        assert_eq!((answered.body.as_str(), &answered.link), ("You said: Go on", &told.link));
        reply_with(&scoped, &data["reply"], "Go on").await.unwrap_err();

        // More than there are buttons for, and more than a notification shows.
        let three = colours(&["Green", "Blue", "Red"]);
        assert!(asked_by_it(&scoped, &agent.id, &service, (three, came + 1)).await.is_null());
        scoped.runs().stop(&agent.id).await.unwrap();
        let long = json!({ "question": "word ".repeat(100), "kind": "text" });
        assert!(asked_by_it(&scoped, &agent.id, &service, (long, came + 2)).await.is_null());
    })
    .await;
}
