//! What a person has sent to see whether it gets there.

use super::REACHED;
use crate::notifications::list;
use crate::notifications::mail::draft;
use crate::world::{MailReceiver, PushService, World, each_store};
use hub::Scoped;
use protocol::view::{ChannelDraft, ChannelKind};
use protocol::{ChannelId, FailureKind};
use serde_json::Value;

const TITLE: &str = "A test: notifications of Vivarium reach you here";

/// How it failed; absent: it was taken.
async fn tried(scoped: &Scoped<'_>, target: &ChannelId) -> Option<(FailureKind, String)> {
    let failure = scoped.notifications().try_channel(target).await.err()?.into_failure();
    Some((failure.kind, failure.message))
}

#[tokio::test]
async fn a_test_gets_there_or_says_why_not_and_is_no_notification() {
    each_store(async |world: World| {
        let service = PushService::start();
        let (viewer, eve) = (world.person("ada").await, world.person("eve").await);
        let (scoped, other) = (world.hub.for_viewer(&viewer), world.hub.for_viewer(&eve));
        let own = scoped.notifications();
        let at = |path: &str| format!("{}/{path}", service.url);
        let channels = [
            (draft(ChannelKind::Webhook, &at("hook?answers=200"), ""), None),
            (draft(ChannelKind::Webhook, &at("refusing?answers=403"), ""), Some("answered 403")),
            (
                draft(ChannelKind::Webhook, &at("gone?answers=410"), ""),
                Some("There is nothing at this address"),
            ),
            (draft(ChannelKind::Ntfy, &at("moss"), ""), None),
            (
                ChannelDraft {
                    room: "!moss:example.org".to_owned(),
                    ..draft(ChannelKind::Matrix, &service.url, "syt_revoked")
                },
                Some("answered 401"),
            ),
        ];
        for (count, (channel, expected)) in channels.into_iter().enumerate() {
            let id = own.add_channel(&channel, REACHED).await.unwrap().view.id;
            let failure = tried(&scoped, &id).await;
            match expected {
                None => assert_eq!(failure, None, "{channel:?}"),
                Some(words) => {
                    let (kind, told) = failure.expect("it is not taken");
                    assert!(kind == FailureKind::Upstream && told.contains(words), "{channel:?}: {told}");
                }
            }
            let came = service.received().await;
            assert_eq!(came.len(), count + 1, "{channel:?}: it is sent once");
            let body = came[count]["body"].as_str().unwrap();
            assert!(body.contains(TITLE) && body.contains("/notifications/settings"), "{channel:?}: {body}");
            let strangers = tried(&other, &id).await.unwrap();
            assert_eq!(strangers, tried(&other, &"missing".into()).await.unwrap());
            assert_eq!(strangers.0, FailureKind::NotFound);
        }
        assert!(list(&scoped).await.is_empty());
    })
    .await;
}

#[tokio::test]
async fn a_device_is_tried_by_its_id_and_one_that_its_service_forgot_is_notified_no_more() {
    each_store(async |world: World| {
        let service = PushService::start();
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        service.notify(&scoped, "201,410", true).await;
        let device = ChannelId(viewer.device().expect("a browser").0.clone());
        assert_eq!(tried(&scoped, &device).await, None);
        let came: Value = service.received().await.remove(0);
        assert_eq!(came["message"]["notification"]["title"], TITLE);
        let (kind, told) = tried(&scoped, &device).await.unwrap();
        assert!(kind == FailureKind::Upstream && told.contains("once more"), "{told}");
        assert!(scoped.notifications().reach().await.unwrap().devices.is_empty());
        assert_eq!(tried(&scoped, &device).await.unwrap().0, FailureKind::NotFound);
        assert!(list(&scoped).await.is_empty());
    })
    .await;
}

#[tokio::test]
async fn an_address_that_waits_for_its_code_is_sent_no_test() {
    each_store(async |world: World| {
        let receiver = MailReceiver::start();
        let viewer = world.person("ada").await;
        let hub = world.with_mail(&receiver).await;
        let scoped = hub.for_viewer(&viewer);
        let own = scoped.notifications();
        let added = own.add_channel(&draft(ChannelKind::Mail, "ada@example.org", ""), REACHED).await.unwrap();
        receiver.mail(0).await;
        assert_eq!(tried(&scoped, &added.view.id).await.unwrap().0, FailureKind::Conflict);
        world.execute("UPDATE notification_channels SET code_hash = NULL").await;
        assert_eq!(tried(&scoped, &added.view.id).await, None);
        let mail = receiver.mail(1).await;
        assert_eq!(mail["headers"]["subject"], TITLE);
        assert_eq!(receiver.received().len(), 2);
        hub.close().await;
    })
    .await;
}
