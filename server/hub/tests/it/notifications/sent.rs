//! What is sent to devices and channels, and what becomes of it.

use super::mail::draft;
use super::{SET, list, say};
use crate::approvals::{add_rule, answer, until_asked};
use crate::runs::open;
use crate::runs::trace::until_finished;
use crate::talk::{a_moment, ada, statements_while_saving, until};
use crate::world::{Definition, Endpoint, PASSWORD, PushService, World, each_store, on_sqlite};
use hmac::{Hmac, KeyInit, Mac};
use hub::{AuditQuery, Hub, Reached, Scoped, Viewer};
use protocol::agent::{Home, ProviderKind};
use protocol::approval::Decision;
use protocol::view::{
    AuditAction, ChannelDraft, ChannelKind, DeliveryState, NotificationKind, NotificationSettings, QuietHours,
};
use protocol::{AgentId, FailureKind, Language};
use serde_json::{Value, json};
use sha2::Sha256;
use sqlx::Row as _;
use std::net::TcpListener;
use std::time::Duration;

pub const HERE: &str = "https://hub.example";
pub const REACHED: Reached<'_> = Reached { origin: HERE, language: Language::English };

/// What became of the newest notification, as soon as it is no more on its way.
pub async fn settled(scoped: &Scoped<'_>) -> (DeliveryState, Option<String>) {
    loop {
        let told = list(scoped).await;
        let delivery = told[0].deliveries[0].clone();
        if delivery.state != DeliveryState::Waiting {
            return (delivery.state, delivery.failure);
        }
        a_moment().await;
    }
}

#[tokio::test]
async fn what_is_pushed_is_read_by_its_device_and_newer_takes_the_place_of_older() {
    each_store(async |world: World| {
        let (endpoint, service) = (Endpoint::start(), PushService::start());
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        service.notify(&scoped, "201", true).await;
        say(&scoped, &agent.id, "Hello").await;
        let first = service.until_received(1).await.remove(0);
        let notification = &first["message"]["notification"];
        assert_eq!(notification["title"], format!("{} is done", agent.name));
        let told = list(&scoped).await.remove(0);
        assert_eq!(notification["navigate"], format!("{HERE}{}", told.link));
        assert!(notification["data"]["answer"].is_null(), "there is nothing to allow");
        assert_eq!(first["sub"], HERE);
        assert_eq!(first["key"], Value::from(scoped.notifications().push_key().await.unwrap()));
        assert_eq!((&first["urgency"], &first["ttl"]), (&"normal".into(), &"86400".into()));
        assert_eq!(settled(&scoped).await, (DeliveryState::Sent, None));
        let longer: Vec<String> = (0..80).map(|number: i32| number.to_string()).collect();
        say(&scoped, &agent.id, &longer.join(" ")).await;
        let second = service.until_received(2).await.remove(1);
        assert_eq!(second["message"]["notification"]["title"], notification["title"]);
        for same in ["topic", "length"] {
            assert_eq!(first[same], second[same], "{same}");
        }
        let again = world.reopened().await;
        let key = again.for_viewer(&viewer).notifications().push_key().await.unwrap();
        assert_eq!(first["key"], Value::from(key), "the hub has one key");
        again.close().await;
    })
    .await;
}

#[tokio::test]
async fn what_does_not_arrive_is_sent_again_and_given_up_and_a_device_that_is_gone_is_forgotten() {
    each_store(async |world: World| {
        let (endpoint, service) = (Endpoint::start(), PushService::start());
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        service.notify(&scoped, "503", false).await;
        say(&scoped, &agent.id, "Hello").await;
        for tries in 1..=5 {
            service.until_received(tries).await;
            let failure = loop {
                let delivery = list(&scoped).await[0].deliveries[0].clone();
                if let Some(failure) = delivery.failure {
                    break failure;
                }
                a_moment().await;
            };
            assert!(failure.contains("answered 503"), "{failure}");
            // The try is written down a moment after it came.
            world.clock.advance(Duration::from_secs(30 * 60));
        }
        let (state, _) = settled(&scoped).await;
        assert_eq!((state, service.received().await.len()), (DeliveryState::GivenUp, 5));

        service.notify(&scoped, "410", true).await;
        say(&scoped, &agent.id, "Hello").await;
        assert_eq!(settled(&scoped).await.0, DeliveryState::GivenUp);
        let own = scoped.notifications();
        assert!(own.reach().await.unwrap().devices.is_empty());
        say(&scoped, &agent.id, "Hello").await;
        assert!(list(&scoped).await[0].deliveries.is_empty());

        // Its browser has another address by now, and what its person wanted there stays.
        let other = sign_in(&world.hub).await;
        let fresh = service.subscription("201").await;
        let refused = world.hub.for_viewer(&other).notifications().push_renew(&fresh).await.unwrap_err();
        assert!(refused.to_string().contains("is not notified"), "{refused}");
        let ten: Vec<String> = (0..10)
            .map(|number| format!("('{number}', '{}', '{number}', 'other', 0, 0, 0)", viewer.me.id))
            .collect();
        let columns = "id, user_id, session_hash, name, created_at, last_seen_at, expires_at";
        world.execute(&format!("INSERT INTO devices ({columns}) VALUES {}", ten.join(", "))).await;
        world
            .execute(
                "INSERT INTO push_devices
                     (device_id, user_id, endpoint, public_key, auth, buttons, origin, made_at)
                 SELECT d.id, d.user_id, 'https://push.example', p.public_key, p.auth, 0, p.origin, p.made_at
                 FROM devices d CROSS JOIN push_devices p WHERE d.name = 'other'",
            )
            .await;
        let full = own.push_renew(&fresh).await.unwrap_err();
        assert_eq!(full.into_failure().kind, FailureKind::Limit, "others came in its place");
        world.execute("DELETE FROM devices WHERE name = 'other'").await;
        own.push_renew(&fresh).await.unwrap();
        own.push_renew(&fresh).await.unwrap();
        let audit = scoped.audit().read(&AuditQuery::default()).await.unwrap();
        let lines = audit.lines.iter().filter(|line| line.action == AuditAction::PushOn);
        assert_eq!(lines.count(), 3, "the same address is no news");
        say(&scoped, &agent.id, "Hello").await;
        assert_eq!(settled(&scoped).await, (DeliveryState::Sent, None));
        let devices = own.reach().await.unwrap().devices;
        assert!(devices.len() == 1 && devices[0].buttons, "{devices:?}");
        own.push_off().await.unwrap();
        own.push_renew(&fresh).await.unwrap_err();
    })
    .await;
}

#[tokio::test]
async fn what_came_in_quiet_hours_is_told_in_one_when_they_end_and_only_if_nobody_read_it() {
    each_store(async |world: World| {
        let (endpoint, service) = (Endpoint::start(), PushService::start());
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        service.notify(&scoped, "201", true).await;
        let hook = format!("{}/hook?answers=200,200", service.url);
        scoped.notifications().add_channel(&draft(ChannelKind::Webhook, &hook, ""), REACHED).await.unwrap();
        be_quiet(&world, &scoped).await;
        for text in ["Hello", "Hello", "Hello"] {
            say(&scoped, &agent.id, text).await;
        }
        let told = list(&scoped).await;
        assert!(told.iter().all(|told| told.quiet && told.deliveries.len() == 2));
        assert!(service.received().await.is_empty());
        scoped.notifications().mark_read(&told[1].id).await.unwrap();

        world.clock.advance(Duration::from_secs(12 * 3600));
        let came = service.until_received(3).await;
        let (pushed, hooked): (Vec<_>, Vec<_>) = came.iter().partition(|one| one["message"].is_object());
        assert_eq!((pushed.len(), hooked.len()), (1, 2), "a program reads each");
        let notification = &pushed[0]["message"]["notification"];
        assert_eq!(notification["title"], "2 notifications of one agent");
        assert_eq!(notification["body"], "Ada is done · Ada is done");
        assert_eq!(notification["navigate"], format!("{HERE}/notifications"));
        assert!(notification["data"].is_null(), "nothing says to which of them an answer would be");
        until(async || states(&scoped).await.iter().all(|state| *state != DeliveryState::Waiting)).await;
        let skipped = states(&scoped).await.into_iter().filter(|state| *state == DeliveryState::Skipped);
        assert_eq!(skipped.count(), 2);
    })
    .await;
}

#[tokio::test]
async fn what_is_gathered_goes_once_however_long_it_takes_and_only_what_was_tried_enough_is_given_up() {
    each_store(async |world: World| {
        let (endpoint, service) = (Endpoint::start(), PushService::start());
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let own = scoped.notifications();
        // It takes connections and says nothing.
        let silent = TcpListener::bind("127.0.0.1:0").unwrap();
        let topic = format!("http://{}/moss", silent.local_addr().unwrap());
        own.add_channel(&draft(ChannelKind::Ntfy, &topic, ""), REACHED).await.unwrap();
        be_quiet(&world, &scoped).await;
        for text in ["Hello", "Hello"] {
            say(&scoped, &agent.id, text).await;
        }
        let newest = list(&scoped).await.remove(0).id;
        let tried =
            format!("UPDATE notification_deliveries SET tries = 4 WHERE notification_id = '{newest}'");
        world.execute(&tried).await;
        world.clock.advance(Duration::from_secs(12 * 3600));
        silent.set_nonblocking(true).unwrap();
        let first = loop {
            match silent.accept() {
                Ok(first) => break first,
                Err(_) => a_moment().await,
            }
        };

        // It takes longer than the pause after a first try.
        world.clock.advance(Duration::from_secs(11));
        own.set(NotificationSettings { kinds: NotificationKind::ALL.to_vec(), quiet: None }).await.unwrap();
        let hook = format!("{}/hook?answers=200", service.url);
        own.add_channel(&draft(ChannelKind::Webhook, &hook, ""), REACHED).await.unwrap();
        say(&scoped, &agent.id, "Hello").await;
        service.until_received(1).await;
        let store = world.store().await;
        let tries = "SELECT CAST(SUM(tries) AS BIGINT) FROM notification_deliveries WHERE gathered = 1";
        let tries: i64 = sqlx::query(tries).fetch_one(store.read()).await.unwrap().get(0);
        store.close().await;
        assert_eq!(tries, 1 + 5, "they are on their way");

        drop((first, silent));
        let state = async |place: usize| list(&scoped).await[place].deliveries[0].state;
        until(async || state(1).await == DeliveryState::GivenUp).await;
        assert_eq!(state(2).await, DeliveryState::Waiting, "it was tried once");
    })
    .await;
}

/// Has it noon, within hours of a whole day in which nothing is told.
async fn be_quiet(world: &World, scoped: &Scoped<'_>) {
    let whole_day = QuietHours {
        from: "00:00".to_owned(),
        until: "23:59".to_owned(),
        zone: "UTC".to_owned(),
        but_waiting: false,
    };
    let settings = NotificationSettings { kinds: NotificationKind::ALL.to_vec(), quiet: Some(whole_day) };
    scoped.notifications().set(settings).await.unwrap();
    // For who runs this in the last minute of a day.
    let now = world.clock.now();
    world.clock.set(12 * 3_600_000 - now.rem_euclid(24 * 3_600_000));
}

/// What became of everything that was to be sent somewhere.
async fn states(scoped: &Scoped<'_>) -> Vec<DeliveryState> {
    list(scoped).await.iter().flat_map(|told| &told.deliveries).map(|delivery| delivery.state).collect()
}

#[tokio::test]
async fn more_than_five_within_a_minute_are_gathered_and_what_waits_for_its_person_is_not() {
    each_store(async |world: World| {
        let (endpoint, service) = (Endpoint::start(), PushService::start());
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let other = Definition::like(&agent).create(&scoped).await;
        service.notify(&scoped, "201", true).await;
        for count in 1..=5 {
            say(&scoped, &agent.id, "Hello").await;
            service.until_received(count).await;
        }
        // However long this takes, it was within the last minute.
        world.execute("UPDATE notifications SET at = at + 3600000").await;
        for agent in [&agent.id, &other.id] {
            say(&scoped, agent, "Hello").await;
        }
        add_rule(&world.hub, &viewer, "ask", "state", "").await;
        asked(&scoped, &agent.id, &service, 6).await;
        assert_eq!(service.received().await.len(), 6, "the question went before them");
        world.clock.advance(Duration::from_secs(60));
        let last = service.until_received(7).await.remove(6);
        assert_eq!(last["message"]["notification"]["title"], "2 agents have news for you");
    })
    .await;
}

#[tokio::test]
async fn a_device_that_signed_out_hears_nothing() {
    each_store(async |world: World| {
        let (endpoint, service) = (Endpoint::start(), PushService::start());
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        service.notify(&scoped, "201", false).await;
        let other = sign_in(&world.hub).await;
        scoped.account().sign_out().await.unwrap();
        let scoped = world.hub.for_viewer(&other);
        say(&scoped, &agent.id, "Hello").await;
        assert!(list(&scoped).await[0].deliveries.is_empty());
        assert!(service.received().await.is_empty());
    })
    .await;
}

async fn sign_in(hub: &Hub) -> Viewer {
    hub.accounts().sign_in("ada", PASSWORD, "test").await.unwrap().done().unwrap().viewer
}

/// Lets the agent ask, and gives the secret that came to the device.
async fn asked(scoped: &Scoped<'_>, agent: &AgentId, service: &PushService, count: usize) -> String {
    scoped.runs().send_message(agent, SET, None, None).await.unwrap();
    let push = service.until_received(count).await.remove(count - 1);
    assert_eq!(push["urgency"], "high", "{push}");
    push["message"]["notification"]["data"]["answer"].as_str().expect("a secret").to_owned()
}

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

#[tokio::test]
async fn who_reads_another_language_is_told_in_it_and_an_agent_s_words_stay() {
    each_store(async |world: World| {
        let (endpoint, service) = (Endpoint::start(), PushService::start());
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let reached = Reached { language: Language::German, ..REACHED };
        let hook = format!("{}/hook?answers=200,200", service.url);
        scoped.notifications().add_channel(&draft(ChannelKind::Webhook, &hook, ""), reached).await.unwrap();
        for (chosen, before) in [(None, "[de] "), (Some(Language::English), "")] {
            scoped.account().set_language(chosen).await.unwrap();
            say(&scoped, &agent.id, "Hello").await;
            let count = list(&scoped).await.len();
            let sent = service.until_received(count).await.remove(count - 1);
            let body: Value = serde_json::from_str(sent["body"].as_str().unwrap()).unwrap();
            assert_eq!(body["title"], format!("{before}Ada is done"));
            assert_eq!(body["body"], "You said: Hello");
        }
    })
    .await;
}

#[tokio::test]
async fn a_webhook_gets_signed_json_and_a_topic_what_ntfy_reads() {
    each_store(async |world: World| {
        let (endpoint, service) = (Endpoint::start(), PushService::start());
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let own = scoped.notifications();
        let hook = format!("{}/hook?answers=200", service.url);
        let hook = own.add_channel(&draft(ChannelKind::Webhook, &hook, ""), REACHED).await.unwrap();
        say(&scoped, &agent.id, "Hello").await;
        let told = list(&scoped).await.remove(0);
        let sent = service.until_received(1).await.remove(0);
        let (header, body) =
            (sent["headers"]["vivarium-signature"].as_str().unwrap(), sent["body"].as_str().unwrap());
        let (time, signature) = header.split_once(",v1=").unwrap();
        let mut mac = Hmac::<Sha256>::new_from_slice(hook.secret.unwrap().as_bytes()).unwrap();
        mac.update(format!("{}.{body}", time.strip_prefix("t=").unwrap()).as_bytes());
        let expected: String = mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(signature, expected);
        let body: Value = serde_json::from_str(body).unwrap();
        assert_eq!(body["kind"], "finished");
        assert_eq!(body["link"], format!("{HERE}{}", told.link));

        own.remove_channel(&hook.view.id).await.unwrap();
        let topic = format!("{}/moss", service.url);
        let topic = own.add_channel(&draft(ChannelKind::Ntfy, &topic, "tk_canary"), REACHED).await.unwrap();
        assert_eq!((topic.secret, topic.view.place), (None, service.url.clone()));
        say(&scoped, &agent.id, "Hello").await;
        let sent = service.until_received(2).await.remove(1);
        assert_eq!(
            (&sent["path"], &sent["headers"]["authorization"]),
            (&"/".into(), &"Bearer tk_canary".into())
        );
        let body: Value = serde_json::from_str(sent["body"].as_str().unwrap()).unwrap();
        assert_eq!((&body["topic"], &body["priority"]), (&"moss".into(), &3.into()));
        assert!(body["title"].as_str().unwrap().ends_with(" is done"));
        for address in ["ftp://ntfy.example/a", "http://ntfy.example/a", &service.url] {
            assert!(
                own.add_channel(&draft(ChannelKind::Ntfy, address, ""), REACHED).await.is_err(),
                "{address}"
            );
        }
    })
    .await;
}

#[tokio::test]
async fn a_room_of_matrix_is_told_once_however_often_it_is_sent() {
    each_store(async |world: World| {
        let (endpoint, service) = (Endpoint::start(), PushService::start());
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let own = scoped.notifications();
        let matrix = |room: &str, token: &str| ChannelDraft {
            room: room.to_owned(),
            ..draft(ChannelKind::Matrix, &format!("{}/home/", service.url), token)
        };
        for (room, token) in [("#moss:example.org", "syt_canary"), ("!moss:example.org", "")] {
            own.add_channel(&matrix(room, token), REACHED).await.unwrap_err();
        }
        let added = own.add_channel(&matrix("!moss:example.org", "syt_canary"), REACHED).await.unwrap();
        assert_eq!((added.secret, &added.view.place), (None, &service.url));
        say(&scoped, &agent.id, "Hello").await;
        // The server took it, and its answer was lost.
        service.until_received(1).await;
        while list(&scoped).await[0].deliveries[0].failure.is_none() {
            a_moment().await;
        }
        world.clock.advance(Duration::from_secs(60));
        let came = service.until_received(2).await;
        assert_eq!(settled(&scoped).await, (DeliveryState::Sent, None));
        let told = list(&scoped).await.remove(0);
        let name = format!("{}.{}", told.id, added.view.id);
        for sent in &came {
            let path = format!("/home/_matrix/client/v3/rooms/!moss:example.org/send/m.room.message/{name}");
            assert_eq!((&sent["path"], &sent["method"]), (&path.as_str().into(), &"PUT".into()));
            assert_eq!(sent["headers"]["authorization"], "Bearer syt_canary");
        }
        let body: Value = serde_json::from_str(came[0]["body"].as_str().unwrap()).unwrap();
        assert_eq!(body["msgtype"], "m.text");
        let words = format!("{}\n{}\n{HERE}{}", told.title, told.body, told.link);
        assert_eq!(body["body"], words);
        own.remove_channel(&added.view.id).await.unwrap();
        own.add_channel(&matrix("!moss:example.org", "syt_revoked"), REACHED).await.unwrap();
        say(&scoped, &agent.id, "Hello").await;
        let (state, why) = settled(&scoped).await;
        assert!(state == DeliveryState::GivenUp && why.unwrap().contains("answered 401"));
    })
    .await;
}

#[tokio::test]
async fn a_server_that_does_not_answer_holds_up_nobody_else() {
    each_store(async |world: World| {
        let (endpoint, service) = (Endpoint::start(), PushService::start());
        let (viewer, agent) = ada(&world, &endpoint).await;
        let eve = world.person("eve").await;
        let of_eve = crate::runs::agent(&world, &eve, &endpoint, ProviderKind::Anthropic, Home::Hub).await;
        let (scoped, other) = (world.hub.for_viewer(&viewer), world.hub.for_viewer(&eve));
        // It takes connections and says nothing.
        let silent = TcpListener::bind("127.0.0.1:0").unwrap();
        let place = silent.local_addr().unwrap();
        for number in 0..10 {
            let hook = draft(ChannelKind::Webhook, &format!("http://{place}/{number}"), "");
            scoped.notifications().add_channel(&hook, REACHED).await.unwrap();
        }
        service.notify(&other, "201", false).await;
        say(&scoped, &agent.id, "Hello").await;
        // Some of them are on their way.
        silent.set_nonblocking(true).unwrap();
        let _first = loop {
            match silent.accept() {
                Ok(first) => break first,
                Err(_) => a_moment().await,
            }
        };
        say(&other, &of_eve.id, "Hello").await;
        service.until_received(1).await;
        let told = list(&scoped).await.remove(0);
        assert_eq!(told.deliveries.len(), 10);
        for delivery in told.deliveries {
            assert_eq!(
                (delivery.state, delivery.failure),
                (DeliveryState::Waiting, None),
                "it is tried still"
            );
        }
    })
    .await;
}

#[tokio::test]
async fn what_cannot_be_written_down_is_not_tried_without_a_pause_and_is_sent_when_it_can_be() {
    const SAVED: u64 = 200;
    on_sqlite(async |world: World| {
        let (endpoint, service) = (Endpoint::start(), PushService::start());
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        service.notify(&scoped, "201", false).await;
        let quiet = statements_while_saving(&world.hub, &scoped, SAVED).await;
        world.refuse_updates("notification_deliveries").await;
        say(&scoped, &agent.id, "Hello").await;
        let refused = statements_while_saving(&world.hub, &scoped, SAVED).await;
        assert!(refused < quiet + SAVED, "{refused} statements, and {quiet} without it");
        assert!(service.received().await.is_empty(), "nothing is sent that may be sent again");
        world.take_updates("notification_deliveries").await;
        service.until_received(1).await;
        assert_eq!(settled(&scoped).await, (DeliveryState::Sent, None));
    })
    .await;
}
