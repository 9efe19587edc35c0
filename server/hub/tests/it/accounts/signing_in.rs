//! Signing in with a name and a password, and guessing them.

use super::{CHROME, FIREFOX, MINUTE_MS, count, join, pass, password_hash, refused, run, weak_hash};
use crate::world::{PASSWORD, World, each_store};
use hub::{Error, HashCost, Setup};
use protocol::FailureKind;

#[tokio::test]
async fn a_sign_in_opens_a_session_of_its_own() {
    each_store(async |world: World| {
        let laptop = join(&world, "Ada").await;
        let phone = world.hub.accounts().sign_in(" ADA ", PASSWORD, CHROME).await.unwrap().done().unwrap();
        assert_ne!(laptop.secret, phone.secret);
        assert_ne!(laptop.viewer.via, phone.viewer.via);
        for session in [&laptop, &phone] {
            let viewer = world.hub.accounts().viewer_by_session(&session.secret).await.unwrap().unwrap();
            assert_eq!((&viewer.me, &viewer.via), (&laptop.viewer.me, &session.viewer.via));
        }
        assert!(world.hub.accounts().viewer_by_session("guess").await.unwrap().is_none());
        assert!(world.hub.accounts().viewer_by_session("").await.unwrap().is_none());
    })
    .await;
}

#[tokio::test]
async fn an_unknown_name_and_a_wrong_password_get_the_same_answer() {
    each_store(async |world: World| {
        join(&world, "ada").await;
        let long = "x".repeat(201);
        for (name, password) in [
            ("ada", "a wrong password"),
            ("ada", ""),
            ("ada", long.as_str()),
            ("eve", PASSWORD),
            ("", PASSWORD),
            ("ada\u{0}", PASSWORD),
            (long.as_str(), PASSWORD),
        ] {
            let answer = world.hub.accounts().sign_in(name, password, FIREFOX).await;
            refused(answer, FailureKind::Invalid, "The name or the password is wrong.");
        }
    })
    .await;
}

#[tokio::test]
async fn failures_make_a_name_wait_whether_or_not_it_exists() {
    each_store(async |world: World| {
        let laptop = join(&world, "ada").await;
        join(&world, "ben").await;
        for name in ["ada", "eve"] {
            for _ in 0..5 {
                let answer = world.hub.accounts().sign_in(name, "a wrong password", FIREFOX).await;
                refused(answer, FailureKind::Invalid, "is wrong");
            }
            for password in ["a wrong password", PASSWORD] {
                let answer = world.hub.accounts().sign_in(name, password, FIREFOX).await;
                refused(answer, FailureKind::Limit, "Try again in ");
            }
        }
        assert!(world.hub.accounts().viewer_by_session(&laptop.secret).await.unwrap().is_some());
        world.hub.accounts().sign_in("ben", PASSWORD, FIREFOX).await.unwrap();

        pass(&world, "attempts", "last_at", 31_000).await;
        refused(
            world.hub.accounts().sign_in("ada", "a wrong password", FIREFOX).await,
            FailureKind::Invalid,
            "is wrong",
        );
        pass(&world, "attempts", "last_at", 31_000).await;
        refused(
            world.hub.accounts().sign_in("ada", PASSWORD, FIREFOX).await,
            FailureKind::Limit,
            "Try again in ",
        );

        pass(&world, "attempts", "last_at", 30_000).await;
        world.hub.accounts().sign_in("ada", PASSWORD, FIREFOX).await.unwrap();
        refused(
            world.hub.accounts().sign_in("ada", "a wrong password", FIREFOX).await,
            FailureKind::Invalid,
            "is wrong",
        );
        world.hub.accounts().sign_in("ada", PASSWORD, FIREFOX).await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn many_guesses_at_once_are_counted_one_by_one() {
    each_store(async |world: World| {
        join(&world, "ada").await;
        let guess = || world.hub.accounts().sign_in("ada", "a wrong password", FIREFOX);
        let answers = tokio::join!(guess(), guess(), guess(), guess(), guess(), guess(), guess(), guess());
        let answers: [_; 8] = answers.into();
        let looked_at = answers.iter().filter(|answer| matches!(answer, Err(Error::Invalid(_)))).count();
        let turned_away =
            answers.iter().filter(|answer| matches!(answer, Err(Error::TooOften { .. }))).count();
        assert_eq!((looked_at, turned_away), (5, 3));
    })
    .await;
}

#[tokio::test]
async fn failures_are_forgotten_after_a_quarter_of_an_hour() {
    each_store(async |world: World| {
        for round in 0..2 {
            for _ in 0..5 {
                let answer = world.hub.accounts().sign_in("eve", PASSWORD, FIREFOX).await;
                refused(answer, FailureKind::Invalid, "is wrong");
            }
            assert_eq!(count(&world, "attempts").await, 1, "round {round}");
            pass(&world, "attempts", "last_at", 15 * MINUTE_MS).await;
        }
        join(&world, "ada").await;
        assert_eq!(count(&world, "attempts").await, 0);
    })
    .await;
}

#[tokio::test]
async fn a_sign_in_replaces_a_hash_of_too_little_work() {
    each_store(async |world: World| {
        let world = world.with(|setup| Setup { passwords: HashCost::default(), ..setup }).await;
        join(&world, "ada").await;
        let strong = password_hash(&world).await;
        assert!(strong.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{strong}");
        world.hub.accounts().sign_in("ada", PASSWORD, FIREFOX).await.unwrap();
        assert_eq!(password_hash(&world).await, strong);

        let weak = weak_hash(PASSWORD);
        run(&world, format!("UPDATE users SET password_hash = '{weak}'")).await;
        refused(
            world.hub.accounts().sign_in("ada", "a wrong password", FIREFOX).await,
            FailureKind::Invalid,
            "is wrong",
        );
        assert_eq!(password_hash(&world).await, weak);
        world.hub.accounts().sign_in("ada", PASSWORD, FIREFOX).await.unwrap();
        assert!(password_hash(&world).await.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
        world.hub.accounts().sign_in("ada", PASSWORD, FIREFOX).await.unwrap();
    })
    .await;
}
