//! What is told later, many in one: after quiet hours, or after many at once.

use super::{HERE, REACHED, asked};
use crate::approvals::add_rule;
use crate::notifications::mail::draft;
use crate::notifications::{list, say};
use crate::talk::{a_moment, ada, until};
use crate::world::{Definition, Endpoint, PushService, World, each_store};
use hub::Scoped;
use protocol::view::{ChannelKind, DeliveryState, NotificationKind, NotificationSettings, QuietHours};
use sqlx::Row as _;
use std::net::TcpListener;
use std::time::Duration;

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
