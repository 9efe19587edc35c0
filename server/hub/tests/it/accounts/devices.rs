//! Devices, their sessions and tokens, and how each ends.

use super::{CHROME, DAY_MS, MINUTE_MS, count, join, pass, refused};
use crate::world::{PASSWORD, World, each_store};
use hub::Via;
use protocol::FailureKind;
use protocol::view::{NewToken, OneTime};

#[tokio::test]
async fn a_person_sees_and_ends_their_own_devices_only() {
    each_store(async |world: World| {
        let laptop = join(&world, "ada").await;
        let phone = world.hub.sign_in("ada", PASSWORD, CHROME).await.unwrap().done().unwrap();
        let ben = join(&world, "ben").await;

        let devices = world.hub.for_viewer(&laptop.viewer).devices().await.unwrap();
        let seen: Vec<_> = devices.iter().map(|device| (device.name.as_str(), device.current)).collect();
        assert_eq!(seen, [("Firefox on Linux", true), ("Chrome on Android", false)]);

        let phones_id = devices[1].id.clone();
        let answer = world.hub.for_viewer(&ben.viewer).revoke_device(&phones_id).await;
        refused(answer, FailureKind::NotFound, "no such device");
        assert!(world.hub.viewer_by_session(&phone.secret).await.unwrap().is_some());

        world.hub.for_viewer(&laptop.viewer).revoke_device(&phones_id).await.unwrap();
        assert!(world.hub.viewer_by_session(&phone.secret).await.unwrap().is_none());
        let answer = world.hub.for_viewer(&laptop.viewer).revoke_device(&phones_id).await;
        refused(answer, FailureKind::NotFound, "no such device");

        world.hub.for_viewer(&laptop.viewer).sign_out().await.unwrap();
        assert!(world.hub.viewer_by_session(&laptop.secret).await.unwrap().is_none());
        assert!(world.hub.viewer_by_session(&ben.secret).await.unwrap().is_some());
    })
    .await;
}

#[tokio::test]
async fn a_session_ends_after_thirty_days() {
    each_store(async |world: World| {
        let laptop = join(&world, "ada").await;
        pass(&world, "devices", "expires_at", 30 * DAY_MS - MINUTE_MS).await;
        assert!(world.hub.viewer_by_session(&laptop.secret).await.unwrap().is_some());
        pass(&world, "devices", "expires_at", MINUTE_MS).await;
        assert!(world.hub.viewer_by_session(&laptop.secret).await.unwrap().is_none());
        assert!(world.hub.for_viewer(&laptop.viewer).devices().await.unwrap().is_empty());

        world.hub.sign_in("ada", PASSWORD, CHROME).await.unwrap();
        assert_eq!(count(&world, "devices").await, 1);
    })
    .await;
}

#[tokio::test]
async fn when_a_device_was_last_seen_is_written_once_a_minute() {
    each_store(async |world: World| {
        let laptop = join(&world, "ada").await;
        let last_seen =
            async || world.hub.for_viewer(&laptop.viewer).devices().await.unwrap()[0].last_seen_at;
        for (ago_ms, written) in [(MINUTE_MS / 4, false), (MINUTE_MS, true)] {
            pass(&world, "devices", "last_seen_at", ago_ms).await;
            let before = last_seen().await;
            world.hub.viewer_by_session(&laptop.secret).await.unwrap().unwrap();
            assert_eq!(last_seen().await > before, written, "{ago_ms}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_new_password_signs_the_other_devices_out() {
    each_store(async |world: World| {
        let laptop = join(&world, "ada").await;
        let phone = world.hub.sign_in("ada", PASSWORD, CHROME).await.unwrap().done().unwrap();
        let ben = join(&world, "ben").await;
        let change =
            async |old: &str, new: &str| world.hub.for_viewer(&laptop.viewer).change_password(old, new).await;

        refused(
            change("a wrong password", "another password").await,
            FailureKind::Invalid,
            "current password is wrong",
        );
        refused(change(PASSWORD, "short").await, FailureKind::Invalid, "10 to 200 characters");
        assert!(world.hub.viewer_by_session(&phone.secret).await.unwrap().is_some());

        change(PASSWORD, "another password").await.unwrap();
        assert!(world.hub.viewer_by_session(&laptop.secret).await.unwrap().is_some());
        assert!(world.hub.viewer_by_session(&phone.secret).await.unwrap().is_none());
        assert!(world.hub.viewer_by_session(&ben.secret).await.unwrap().is_some());
        refused(world.hub.sign_in("ada", PASSWORD, CHROME).await, FailureKind::Invalid, "is wrong");
        world.hub.sign_in("ada", "another password", CHROME).await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn who_guesses_the_current_password_has_to_wait_but_locks_no_one_out() {
    each_store(async |world: World| {
        let laptop = join(&world, "ada").await;
        let change = async |old: &str| {
            world.hub.for_viewer(&laptop.viewer).change_password(old, "another password").await
        };
        for _ in 0..5 {
            refused(change("a wrong password").await, FailureKind::Invalid, "current password is wrong");
        }
        refused(change(PASSWORD).await, FailureKind::Limit, "Try again in ");
        world.hub.sign_in("ada", PASSWORD, CHROME).await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_token_stands_for_its_person_until_it_is_revoked() {
    each_store(async |world: World| {
        let ada = join(&world, "ada").await;
        let ben = join(&world, "ben").await;
        let hers = world.hub.for_viewer(&ada.viewer);
        refused(hers.create_token(" ").await, FailureKind::Invalid, "A token's name has 1 to 40 characters");
        let NewToken { token, view } = hers.create_token(" backup ").await.unwrap();
        assert!(token.starts_with("viv_") && token.len() > 40, "{token}");
        assert_eq!((view.name.as_str(), view.last_used_at), ("backup", None));
        assert_eq!(hers.tokens().await.unwrap(), std::slice::from_ref(&view));
        assert!(world.hub.for_viewer(&ben.viewer).tokens().await.unwrap().is_empty());

        let viewer = world.hub.viewer_by_token(&token).await.unwrap().unwrap();
        assert_eq!((viewer.me, viewer.via), (ada.viewer.me.clone(), Via::Token(view.id.clone())));
        assert!(hers.tokens().await.unwrap()[0].last_used_at.is_some());
        for guess in ["", "viv_", "viv_guess", token.trim_start_matches("viv_"), ada.secret.as_str()] {
            assert!(world.hub.viewer_by_token(guess).await.unwrap().is_none(), "{guess}");
        }
        assert!(world.hub.viewer_by_session(&token).await.unwrap().is_none());

        let answer = world.hub.for_viewer(&ben.viewer).revoke_token(&view.id).await;
        refused(answer, FailureKind::NotFound, "no such token");
        hers.revoke_token(&view.id).await.unwrap();
        assert!(world.hub.viewer_by_token(&token).await.unwrap().is_none());
        refused(hers.revoke_token(&view.id).await, FailureKind::NotFound, "no such token");
    })
    .await;
}

#[tokio::test]
async fn a_token_is_no_device() {
    each_store(async |world: World| {
        let ada = join(&world, "ada").await;
        let token = world.hub.for_viewer(&ada.viewer).create_token("backup").await.unwrap();
        let program = world.hub.viewer_by_token(&token.token).await.unwrap().unwrap();
        let program = world.hub.for_viewer(&program);
        refused(program.sign_out().await, FailureKind::Invalid, "revoke it");
        program.show_once(OneTime::Token(token.clone()));
        assert_eq!(program.take_shown_once(), None);

        let laptop = world.hub.for_viewer(&ada.viewer);
        laptop.show_once(OneTime::Token(token.clone()));
        assert_eq!(laptop.take_shown_once(), Some(OneTime::Token(token)));
        assert_eq!(laptop.take_shown_once(), None);
    })
    .await;
}
