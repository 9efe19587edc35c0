//! What is sent to devices and channels, and what becomes of it.

mod answered;
mod channels;
mod gathered;
mod tried;

use super::mail::draft;
use super::{SET, list, say};
use crate::talk::{a_moment, ada, statements_while_saving};
use crate::world::{Endpoint, PASSWORD, PushService, World, each_store, on_sqlite};
use hub::{AuditQuery, Hub, Reached, Scoped, Viewer};
use protocol::agent::{Home, ProviderKind};
use protocol::view::{AuditAction, ChannelKind, DeliveryState};
use protocol::{AgentId, FailureKind, Language};
use serde_json::Value;
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
