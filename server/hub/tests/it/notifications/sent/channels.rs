//! What each kind of channel gets.

use super::{HERE, REACHED, settled};
use crate::notifications::mail::draft;
use crate::notifications::{list, say};
use crate::talk::{a_moment, ada};
use crate::world::{Endpoint, PushService, World, each_store};
use hmac::{Hmac, KeyInit, Mac};
use hub::Reached;
use protocol::Language;
use protocol::view::{ChannelDraft, ChannelKind, DeliveryState};
use serde_json::Value;
use sha2::Sha256;
use std::time::Duration;

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
