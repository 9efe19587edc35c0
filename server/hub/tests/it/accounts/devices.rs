//! Devices, their sessions and tokens, and how each ends.

use super::{CHROME, DAY_MS, MINUTE_MS, count, join, pass, refused};
use crate::world::{PASSWORD, World, each_store};
use hub::Via;
use protocol::FailureKind;
use protocol::hub::HubFrame;
use protocol::view::{NewToken, OneTime};
use std::time::Duration;

#[tokio::test]
async fn a_person_sees_and_ends_their_own_devices_only() {
    each_store(async |world: World| {
        let laptop = join(&world, "ada").await;
        let phone = world.hub.accounts().sign_in("ada", PASSWORD, CHROME).await.unwrap().done().unwrap();
        let ben = join(&world, "ben").await;

        let devices = world.hub.for_viewer(&laptop.viewer).account().devices().await.unwrap();
        let seen: Vec<_> = devices.iter().map(|device| (device.name.as_str(), device.current)).collect();
        assert_eq!(seen, [("Firefox on Linux", true), ("Chrome on Android", false)]);

        let phones_id = devices[1].id.clone();
        let answer = world.hub.for_viewer(&ben.viewer).account().revoke_device(&phones_id).await;
        refused(answer, FailureKind::NotFound, "no such device");
        assert!(world.hub.accounts().viewer_by_session(&phone.secret).await.unwrap().is_some());

        world.hub.for_viewer(&laptop.viewer).account().revoke_device(&phones_id).await.unwrap();
        assert!(world.hub.accounts().viewer_by_session(&phone.secret).await.unwrap().is_none());
        let answer = world.hub.for_viewer(&laptop.viewer).account().revoke_device(&phones_id).await;
        refused(answer, FailureKind::NotFound, "no such device");

        world.hub.for_viewer(&laptop.viewer).account().sign_out().await.unwrap();
        assert!(world.hub.accounts().viewer_by_session(&laptop.secret).await.unwrap().is_none());
        assert!(world.hub.accounts().viewer_by_session(&ben.secret).await.unwrap().is_some());
    })
    .await;
}

#[tokio::test]
async fn a_session_ends_after_thirty_days() {
    each_store(async |world: World| {
        let laptop = join(&world, "ada").await;
        pass(&world, "devices", "expires_at", 30 * DAY_MS - MINUTE_MS).await;
        assert!(world.hub.accounts().viewer_by_session(&laptop.secret).await.unwrap().is_some());
        pass(&world, "devices", "expires_at", MINUTE_MS).await;
        assert!(world.hub.accounts().viewer_by_session(&laptop.secret).await.unwrap().is_none());
        assert!(world.hub.for_viewer(&laptop.viewer).account().devices().await.unwrap().is_empty());

        world.hub.accounts().sign_in("ada", PASSWORD, CHROME).await.unwrap();
        assert_eq!(count(&world, "devices").await, 1);
    })
    .await;
}

#[tokio::test]
async fn when_a_device_was_last_seen_is_written_once_a_minute() {
    each_store(async |world: World| {
        let laptop = join(&world, "ada").await;
        let last_seen =
            async || world.hub.for_viewer(&laptop.viewer).account().devices().await.unwrap()[0].last_seen_at;
        for (ago_ms, written) in [(MINUTE_MS / 4, false), (MINUTE_MS, true)] {
            pass(&world, "devices", "last_seen_at", ago_ms).await;
            let before = last_seen().await;
            world.hub.accounts().viewer_by_session(&laptop.secret).await.unwrap().unwrap();
            assert_eq!(last_seen().await > before, written, "{ago_ms}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_new_password_signs_the_other_devices_out() {
    each_store(async |world: World| {
        let laptop = join(&world, "ada").await;
        let phone = world.hub.accounts().sign_in("ada", PASSWORD, CHROME).await.unwrap().done().unwrap();
        let ben = join(&world, "ben").await;
        let change = async |old: &str, new: &str| {
            world.hub.for_viewer(&laptop.viewer).account().change_password(old, new).await
        };

        refused(
            change("a wrong password", "another password").await,
            FailureKind::Invalid,
            "current password is wrong",
        );
        refused(change(PASSWORD, "short").await, FailureKind::Invalid, "10 to 200 characters");
        assert!(world.hub.accounts().viewer_by_session(&phone.secret).await.unwrap().is_some());

        change(PASSWORD, "another password").await.unwrap();
        assert!(world.hub.accounts().viewer_by_session(&phone.secret).await.unwrap().is_none());
        assert!(world.hub.accounts().viewer_by_session(&ben.secret).await.unwrap().is_some());
        refused(
            world.hub.accounts().sign_in("ada", PASSWORD, CHROME).await,
            FailureKind::Invalid,
            "is wrong",
        );
        world.hub.accounts().sign_in("ada", "another password", CHROME).await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_new_password_renews_the_secret_of_the_session_that_asked() {
    each_store(async |world: World| {
        let laptop = join(&world, "ada").await;
        world.clock.advance(Duration::from_secs(24 * 60 * 60));
        let scoped = world.hub.for_viewer(&laptop.viewer);
        let renewed = scoped.account().change_password(PASSWORD, "another password").await.unwrap().unwrap();
        assert!(world.hub.accounts().viewer_by_session(&laptop.secret).await.unwrap().is_none());
        let viewer = world.hub.accounts().viewer_by_session(&renewed.secret).await.unwrap().unwrap();
        assert_eq!(viewer.via, laptop.viewer.via);
        assert!((1..=hub::SESSION_SECONDS - 24 * 60 * 60).contains(&renewed.seconds), "{renewed:?}");
        assert!(!format!("{renewed:?}").contains(&renewed.secret));
    })
    .await;
}

#[tokio::test]
async fn a_socket_ends_with_the_thirty_days_of_its_session() {
    each_store(async |world: World| {
        let laptop = join(&world, "ada").await;
        let token =
            world.hub.for_viewer(&laptop.viewer).account().create_token("backup").await.unwrap().token;
        let program = world.hub.accounts().viewer_by_token(&token).await.unwrap().unwrap();
        let mut tab = world.hub.open_tab(laptop.viewer.clone(), "laptop".into()).unwrap();
        let mut stays = world.hub.open_tab(program, "program".into()).unwrap();
        for tab in [&mut tab, &mut stays] {
            tab.send(&HubFrame::Pong);
            assert!(text(tab.next().await).contains("pong"));
        }
        world.clock.advance(Duration::from_secs(30 * 24 * 60 * 60));
        assert!(text(tab.next().await).contains("signed_out"));
        assert_eq!(tab.next().await, None);
        stays.send(&HubFrame::Pong);
        assert!(text(stays.next().await).contains("pong"));
        // Nor is there a new one.
        let mut late = world.hub.open_tab(laptop.viewer.clone(), "late".into()).unwrap();
        assert!(text(late.next().await).contains("signed_out"));
        assert_eq!(late.next().await, None);
    })
    .await;
}

fn text(frame: Option<hub::Frame>) -> String {
    String::from_utf8(frame.expect("a frame").text.to_vec()).unwrap()
}

#[tokio::test]
async fn who_guesses_the_current_password_has_to_wait_but_locks_no_one_out() {
    each_store(async |world: World| {
        let laptop = join(&world, "ada").await;
        let change = async |old: &str| {
            world.hub.for_viewer(&laptop.viewer).account().change_password(old, "another password").await
        };
        for _ in 0..5 {
            refused(change("a wrong password").await, FailureKind::Invalid, "current password is wrong");
        }
        refused(change(PASSWORD).await, FailureKind::Limit, "Try again in ");
        world.hub.accounts().sign_in("ada", PASSWORD, CHROME).await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_token_stands_for_its_person_until_it_is_revoked() {
    each_store(async |world: World| {
        let ada = join(&world, "ada").await;
        let ben = join(&world, "ben").await;
        let hers = world.hub.for_viewer(&ada.viewer);
        refused(
            hers.account().create_token(" ").await,
            FailureKind::Invalid,
            "A token's name has 1 to 40 characters",
        );
        let NewToken { token, view } = hers.account().create_token(" backup ").await.unwrap();
        assert!(token.starts_with("viv_") && token.len() > 40, "{token}");
        assert_eq!((view.name.as_str(), view.last_used_at), ("backup", None));
        assert_eq!(hers.account().tokens().await.unwrap(), std::slice::from_ref(&view));
        assert!(world.hub.for_viewer(&ben.viewer).account().tokens().await.unwrap().is_empty());

        let viewer = world.hub.accounts().viewer_by_token(&token).await.unwrap().unwrap();
        assert_eq!((viewer.me, viewer.via), (ada.viewer.me.clone(), Via::Token(view.id.clone())));
        assert!(hers.account().tokens().await.unwrap()[0].last_used_at.is_some());
        for guess in ["", "viv_", "viv_guess", token.trim_start_matches("viv_"), ada.secret.as_str()] {
            assert!(world.hub.accounts().viewer_by_token(guess).await.unwrap().is_none(), "{guess}");
        }
        assert!(world.hub.accounts().viewer_by_session(&token).await.unwrap().is_none());

        let answer = world.hub.for_viewer(&ben.viewer).account().revoke_token(&view.id).await;
        refused(answer, FailureKind::NotFound, "no such token");
        hers.account().revoke_token(&view.id).await.unwrap();
        assert!(world.hub.accounts().viewer_by_token(&token).await.unwrap().is_none());
        refused(hers.account().revoke_token(&view.id).await, FailureKind::NotFound, "no such token");
    })
    .await;
}

#[tokio::test]
async fn a_token_is_no_device() {
    each_store(async |world: World| {
        let ada = join(&world, "ada").await;
        let token = world.hub.for_viewer(&ada.viewer).account().create_token("backup").await.unwrap();
        let program = world.hub.accounts().viewer_by_token(&token.token).await.unwrap().unwrap();
        let program = world.hub.for_viewer(&program);
        refused(program.account().sign_out().await, FailureKind::Invalid, "revoke it");
        program.account().show_once(OneTime::Token(token.clone()));
        assert_eq!(program.account().take_shown_once(), None);

        let laptop = world.hub.for_viewer(&ada.viewer);
        laptop.account().show_once(OneTime::Token(token.clone()));
        assert_eq!(laptop.account().take_shown_once(), Some(OneTime::Token(token)));
        assert_eq!(laptop.account().take_shown_once(), None);
    })
    .await;
}
