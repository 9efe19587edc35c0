//! Codes that count once, and the step between the password and the code.

use super::{STEP_MS, WRONG, next_step, owes_a_code, refused, with_code, with_factor};
use crate::world::{PASSWORD, World, each_store};
use hub::PendingSignIn;
use protocol::FailureKind;
use protocol::view::NewReset;
use std::time::Duration;

#[tokio::test]
async fn a_code_counts_once_and_none_before_it_does() {
    each_store(async |world: World| {
        let hub = &world.hub;
        let (_, app, _) = with_factor(&world, "ada").await;
        // The one that turned it on was used by that.
        let used = app.code(hub.now());
        refused(with_code(hub, &used).await, FailureKind::Invalid, "used already");
        let next = app.code(hub.now() + STEP_MS);
        with_code(hub, &next).await.unwrap();
        refused(with_code(hub, &next).await, FailureKind::Invalid, "used already");
        refused(with_code(hub, &used).await, FailureKind::Invalid, "used already");
        world.clock.advance(Duration::from_secs(60));
        next_step(&world);
        for (away, fits) in [(-2, false), (2, false), (-1, true), (0, true), (1, true)] {
            let answer = with_code(hub, &app.code(hub.now() + away * STEP_MS)).await;
            assert_eq!(answer.is_ok(), fits, "{away}");
        }
        world.clock.advance(Duration::from_secs(60));
        next_step(&world);
        let spaced = app.code(hub.now());
        with_code(hub, &format!(" {} {} ", &spaced[..3], &spaced[3..])).await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn of_two_who_bring_the_same_code_one_gets_in() {
    each_store(async |world: World| {
        let hub = &world.hub;
        let (_, app, codes) = with_factor(&world, "ada").await;
        next_step(&world);
        for code in [app.code(hub.now()), codes[0].clone()] {
            let (one, other) = (owes_a_code(hub, "ada").await, owes_a_code(hub, "ada").await);
            let (first, second) = tokio::join!(
                hub.accounts().sign_in_with_code(&one.secret, &code, "test"),
                hub.accounts().sign_in_with_code(&other.secret, &code, "test"),
            );
            assert_eq!([first.is_ok(), second.is_ok()].iter().filter(|won| **won).count(), 1, "{code}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_recovery_code_counts_once_and_new_ones_void_the_former() {
    each_store(async |world: World| {
        let hub = &world.hub;
        let (ada, app, codes) = with_factor(&world, "ada").await;
        let hers = hub.for_viewer(&ada);
        let (other, _, others) = with_factor(&world, "eve").await;
        with_code(hub, &codes[0].to_uppercase().replace('-', " ")).await.unwrap();
        refused(with_code(hub, &codes[0]).await, FailureKind::Invalid, "used already");
        refused(with_code(hub, &others[0]).await, FailureKind::Invalid, "used already");
        assert_eq!(hers.account().second_factor().await.unwrap().recovery_codes, 9);
        assert_eq!(hub.for_viewer(&other).account().second_factor().await.unwrap().recovery_codes, 10);

        refused(
            hers.account().renew_recovery_codes(WRONG, &codes[1]).await,
            FailureKind::Invalid,
            "password is wrong",
        );
        refused(
            hers.account().renew_recovery_codes(PASSWORD, &codes[0]).await,
            FailureKind::Invalid,
            "used already",
        );
        next_step(&world);
        let renewed =
            hers.account().renew_recovery_codes(PASSWORD, &app.code(hub.now())).await.unwrap().codes;
        refused(with_code(hub, &codes[1]).await, FailureKind::Invalid, "used already");
        with_code(hub, &renewed[1]).await.unwrap();
        assert_eq!(hers.account().second_factor().await.unwrap().recovery_codes, 9);
    })
    .await;
}

#[tokio::test]
async fn the_step_between_is_short_and_good_once() {
    each_store(async |world: World| {
        let hub = &world.hub;
        let (ada, app, codes) = with_factor(&world, "ada").await;
        let gone = async |pending: &PendingSignIn, why: &str| {
            assert_eq!(hub.accounts().pending_name(&pending.secret).await.unwrap(), None, "{why}");
            let answer =
                hub.accounts().sign_in_with_code(&pending.secret, &app.code(hub.now()), "test").await;
            refused(answer, FailureKind::Invalid, "name and password again");
        };
        gone(&PendingSignIn { secret: String::new() }, "made up").await;
        next_step(&world);
        let used = owes_a_code(hub, "ada").await;
        hub.accounts().sign_in_with_code(&used.secret, &app.code(hub.now()), "test").await.unwrap();
        next_step(&world);
        gone(&used, "used").await;

        let late = owes_a_code(hub, "ada").await;
        world.clock.advance(Duration::from_secs(5 * 60));
        gone(&late, "late").await;

        let before = owes_a_code(hub, "ada").await;
        hub.for_viewer(&ada).account().change_password(PASSWORD, "another password").await.unwrap();
        gone(&before, "another password since").await;
        hub.for_viewer(&ada).account().change_password("another password", PASSWORD).await.unwrap();

        let root = world.admin("root").await;
        let admin = hub.as_admin(&root).unwrap();
        let out = owes_a_code(hub, "ada").await;
        admin.people().disable(&ada.me.id).await.unwrap();
        gone(&out, "disabled").await;
        admin.people().enable(&ada.me.id).await.unwrap();
        gone(&out, "enabled again").await;

        // A reset link brings a password and no way past the code.
        let reset = owes_a_code(hub, "ada").await;
        let NewReset { path, .. } = admin.people().reset_password(&ada.me.id).await.unwrap();
        hub.accounts()
            .choose_password(path.strip_prefix("/reset/").unwrap(), PASSWORD, "test")
            .await
            .unwrap();
        gone(&reset, "a reset password").await;
        with_code(hub, &codes[0]).await.unwrap();
    })
    .await;
}
