//! Guesses of codes and of passwords, which are counted, and what they make wait.

use super::{WRONG, next_step, owes_a_code, refused, with_code, with_factor};
use crate::world::{PASSWORD, World, each_store};
use hub::{Error, SignIn, Visitor};
use protocol::FailureKind;
use protocol::view::Role;
use std::time::Duration;

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

#[tokio::test]
async fn guesses_of_codes_are_counted_with_those_of_passwords() {
    each_store(async |world: World| {
        let hub = &world.hub;
        let (_, app, _) = with_factor(&world, "ada").await;
        let known = {
            next_step(&world);
            with_code(hub, &app.code(hub.now())).await.unwrap().known
        };
        next_step(&world);
        assert!(matches!(hub.accounts().sign_in("ada", WRONG, "test").await, Err(Error::Invalid(_))));
        let pending = owes_a_code(hub, "ada").await;
        // The right password in between gives no more guesses.
        for guess in 0..4 {
            let answer = hub.accounts().sign_in_with_code(&pending.secret, "no", "test").await;
            refused(answer, FailureKind::Invalid, "is wrong");
            if guess < 3 {
                owes_a_code(hub, "ada").await;
            }
        }
        let right = app.code(hub.now());
        let answer = hub.accounts().sign_in_with_code(&pending.secret, &right, "test").await;
        refused(answer, FailureKind::Limit, "Try again in");
        refused(hub.accounts().sign_in("ada", PASSWORD, "test").await, FailureKind::Limit, "Try again in");
        // Who was here before has a count of their own.
        let home = Visitor { user_agent: "test", address: None, known: Some(&known) };
        let SignIn::CodeNeeded(mine) = hub.accounts().sign_in("ada", PASSWORD, home).await.unwrap() else {
            panic!("a code is owed");
        };
        hub.accounts().sign_in_with_code(&mine.secret, &right, home).await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn wrong_codes_are_not_forgotten_by_waiting_and_a_right_one_makes_an_end_of_them() {
    each_store(async |world: World| {
        let hub = &world.hub;
        let (ada, app, _) = with_factor(&world, "ada").await;
        let known = {
            next_step(&world);
            with_code(hub, &app.code(hub.now())).await.unwrap().known
        };
        // Whoever knows the password guesses whenever they may, for ten days.
        let (begin, mut guesses) = (hub.now(), 0);
        let wait = |error: Error| match error {
            Error::TooOften { wait_seconds, .. } => world.clock.advance(Duration::from_secs(wait_seconds)),
            error => panic!("{error}"),
        };
        while hub.now() - begin < 10 * DAY_MS {
            let pending = match hub.accounts().sign_in("ada", PASSWORD, "test").await {
                Ok(SignIn::CodeNeeded(pending)) => pending,
                Ok(SignIn::Done(_)) => panic!("a code is owed"),
                Err(error) => {
                    wait(error);
                    continue;
                }
            };
            match hub.accounts().sign_in_with_code(&pending.secret, "no", "test").await.unwrap_err() {
                Error::Invalid(_) => guesses += 1,
                error => wait(error),
            }
        }
        assert!((5..=30).contains(&guesses), "{guesses}");
        // The person is let in where they were before, and nowhere for longer than a day.
        let home = Visitor { user_agent: "test", address: None, known: Some(&known) };
        let SignIn::CodeNeeded(mine) = hub.accounts().sign_in("ada", PASSWORD, home).await.unwrap() else {
            panic!("a code is owed");
        };
        hub.accounts().sign_in_with_code(&mine.secret, &app.code(hub.now()), home).await.unwrap();
        world.clock.advance(Duration::from_secs(24 * 60 * 60));
        with_code(hub, &app.code(hub.now())).await.unwrap();
        next_step(&world);
        for _ in 0..4 {
            refused(with_code(hub, "no").await, FailureKind::Invalid, "is wrong");
        }
        // A new password is not known to whoever guessed.
        hub.for_viewer(&ada).account().change_password(PASSWORD, "another password").await.unwrap();
        hub.for_viewer(&ada).account().change_password("another password", PASSWORD).await.unwrap();
        world.clock.advance(Duration::from_secs(15 * 60));
        for _ in 0..4 {
            refused(with_code(hub, "no").await, FailureKind::Invalid, "is wrong");
        }
    })
    .await;
}

#[tokio::test]
async fn codes_that_a_signed_in_person_is_asked_for_are_counted_as_long() {
    each_store(async |world: World| {
        let (ada, app, _) = with_factor(&world, "ada").await;
        let hers = world.hub.for_viewer(&ada);
        for _ in 0..5 {
            refused(
                hers.account().stop_second_factor(PASSWORD, "no").await,
                FailureKind::Invalid,
                "is wrong",
            );
            world.clock.advance(Duration::from_secs(16 * 60));
        }
        refused(hers.account().stop_second_factor(PASSWORD, "no").await, FailureKind::Invalid, "is wrong");
        let code = app.code(world.hub.now());
        refused(hers.account().stop_second_factor(PASSWORD, &code).await, FailureKind::Limit, "with a code");
        world.clock.advance(Duration::from_secs(61));
        hers.account().stop_second_factor(PASSWORD, &app.code(world.hub.now())).await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn an_attempt_that_is_given_back_does_not_begin_a_wait_anew() {
    each_store(async |world: World| {
        let hub = &world.hub;
        let (_, app, _) = with_factor(&world, "ada").await;
        for _ in 0..5 {
            hub.accounts().sign_in("ada", WRONG, "test").await.unwrap_err();
        }
        refused(hub.accounts().sign_in("ada", PASSWORD, "test").await, FailureKind::Limit, "Try again in");
        world.clock.advance(Duration::from_secs(31));
        let pending = owes_a_code(hub, "ada").await;
        hub.accounts().sign_in_with_code(&pending.secret, &app.code(hub.now()), "test").await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_success_does_not_make_its_address_wait_anew() {
    each_store(async |world: World| {
        let hub = &world.hub;
        for name in ["ada", "ben"] {
            hub.accounts().add_user(name, PASSWORD, Role::Member).await.unwrap();
        }
        let here =
            Visitor { user_agent: "test", address: Some("198.51.100.9".parse().unwrap()), known: None };
        for guess in 0..20 {
            hub.accounts().sign_in(&format!("name {guess}"), WRONG, here).await.unwrap_err();
        }
        refused(hub.accounts().sign_in("ada", PASSWORD, here).await, FailureKind::Limit, "from your network");
        world.clock.advance(Duration::from_secs(31));
        for name in ["ada", "ben"] {
            hub.accounts().sign_in(name, PASSWORD, here).await.unwrap();
        }
    })
    .await;
}
