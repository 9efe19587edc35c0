//! S11: guessing has to wait, and keeps nobody out who was here before.

use crate::world::{PASSWORD, World, each_store};
use hub::{Error, Hub, Visitor};
use protocol::view::Role;
use sqlx::Row;
use std::time::Duration;

const WRONG: &str = "a wrong password";

async fn attempt(hub: &Hub, name: &str, password: &str, address: &str, known: Option<&str>) -> &'static str {
    let visitor = Visitor { user_agent: "test", address: Some(address.parse().unwrap()), known };
    match hub.accounts().sign_in(name, password, visitor).await {
        Ok(_) => "in",
        Err(Error::Invalid(_)) => "wrong",
        Err(Error::TooOften { .. }) => "wait",
        Err(error) => panic!("{error}"),
    }
}

#[tokio::test]
async fn strangers_cannot_keep_a_known_browser_out() {
    each_store(async |world: World| {
        let hub = &world.hub;
        hub.accounts().add_user("ada", PASSWORD, Role::Member).await.unwrap();
        hub.accounts().add_user("ben", PASSWORD, Role::Member).await.unwrap();
        let home = Visitor { user_agent: "test", address: Some("192.0.2.1".parse().unwrap()), known: None };
        let known = hub.accounts().sign_in("ada", PASSWORD, home).await.unwrap().done().unwrap().known;
        for (guess, expected) in
            ["wrong", "wrong", "wrong", "wrong", "wrong", "wait", "wait"].into_iter().enumerate()
        {
            assert_eq!(attempt(hub, "ada", WRONG, "198.51.100.9", None).await, expected, "guess {guess}");
        }
        // Nobody gets in under that name from a browser that is not known, not even at home.
        assert_eq!(attempt(hub, "ada", PASSWORD, "192.0.2.1", None).await, "wait");
        assert_eq!(attempt(hub, "ada", PASSWORD, "192.0.2.1", Some("made up")).await, "wait");
        // The cookie is good for its own person only.
        for _ in 0..5 {
            attempt(hub, "ben", WRONG, "198.51.100.9", None).await;
        }
        assert_eq!(attempt(hub, "ben", PASSWORD, "192.0.2.1", Some(&known)).await, "wait");
        // From anywhere.
        let away = Visitor {
            user_agent: "test",
            address: Some("203.0.113.7".parse().unwrap()),
            known: Some(&known),
        };
        let session = hub.accounts().sign_in("ada", PASSWORD, away).await.unwrap().done().unwrap();
        // The browser was given another secret, and the one before is worth nothing.
        assert_eq!(attempt(hub, "ada", PASSWORD, "192.0.2.1", Some(&known)).await, "wait");
        // Who has the cookie can guess no more than anybody.
        for expected in ["wrong", "wrong", "wrong", "wrong", "wrong", "wait"] {
            assert_eq!(attempt(hub, "ada", WRONG, "192.0.2.1", Some(&session.known)).await, expected);
        }
    })
    .await;
}

#[tokio::test]
async fn a_browser_of_two_people_is_known_to_both() {
    each_store(async |world: World| {
        let hub = &world.hub;
        let mut known: Option<String> = None;
        for name in ["ada", "ben"] {
            hub.accounts().add_user(name, PASSWORD, Role::Member).await.unwrap();
            let visitor = Visitor { user_agent: "test", address: None, known: known.as_deref() };
            known =
                Some(hub.accounts().sign_in(name, PASSWORD, visitor).await.unwrap().done().unwrap().known);
        }
        for name in ["ada", "ben"] {
            for _ in 0..5 {
                attempt(hub, name, WRONG, "198.51.100.9", None).await;
            }
            assert_eq!(attempt(hub, name, PASSWORD, "198.51.100.9", None).await, "wait");
        }
        assert_eq!(attempt(hub, "ada", PASSWORD, "198.51.100.9", known.as_deref()).await, "in");
    })
    .await;
}

#[tokio::test]
async fn an_address_waits_whatever_names_it_tries() {
    each_store(async |world: World| {
        let hub = &world.hub;
        hub.accounts().add_user("ada", PASSWORD, Role::Member).await.unwrap();
        let mut outcomes = Vec::new();
        for guess in 0..22 {
            // Of IPv6 whoever has one address has all that begin alike.
            let address = format!("2001:db8:1:2::{guess:x}");
            outcomes.push(attempt(hub, &format!("name {guess}"), WRONG, &address, None).await);
            // A success in between gives the address nothing back but itself.
            if guess == 10 {
                outcomes.push(attempt(hub, "ada", PASSWORD, &address, None).await);
            }
        }
        let count = |word: &str| outcomes.iter().filter(|outcome| **outcome == word).count();
        assert_eq!((count("wrong"), count("in"), count("wait")), (20, 1, 2));
        assert_eq!(attempt(hub, "ada", PASSWORD, "2001:db8:1:2::ffff", None).await, "wait");
        assert_eq!(attempt(hub, "ada", PASSWORD, "2001:db8:1:3::1", None).await, "in");
        world.clock.advance(Duration::from_secs(31));
        assert_eq!(attempt(hub, "ada", PASSWORD, "2001:db8:1:2::1", None).await, "in");
    })
    .await;
}

#[tokio::test]
async fn a_refusal_says_how_long_to_wait() {
    each_store(async |world: World| {
        for _ in 0..5 {
            attempt(&world.hub, "ada", WRONG, "198.51.100.9", None).await;
        }
        let Err(Error::TooOften { message, wait_seconds }) =
            world.hub.accounts().sign_in("ada", WRONG, "test").await
        else {
            panic!("it has to wait");
        };
        assert!((29..=30).contains(&wait_seconds), "{wait_seconds}");
        assert_eq!(
            message,
            format!("Too many failed attempts for this name. Try again in {wait_seconds} seconds.")
        );
    })
    .await;
}

#[tokio::test]
async fn a_name_that_was_tried_is_not_kept_as_it_was_typed() {
    each_store(async |world: World| {
        attempt(&world.hub, "hunter2hunter2", WRONG, "198.51.100.9", None).await;
        let store = world.store().await;
        let rows = sqlx::query("SELECT key FROM attempts").fetch_all(store.read()).await.unwrap();
        let keys: Vec<String> = rows.iter().map(|row| row.get("key")).collect();
        assert_eq!(keys.len(), 2, "the address and the name");
        assert!(!keys.iter().any(|key| key.contains("hunter")), "{keys:?}");
    })
    .await;
}
