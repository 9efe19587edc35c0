//! What agents tell their person of their own accord.

use super::{list, look};
use crate::talk::{ada, calls};
use crate::world::{Definition, Endpoint, World, each_store};
use protocol::view::{NotificationKind, NotificationSettings};
use serde_json::{Value, json};
use std::time::Duration;

#[tokio::test]
async fn an_agent_notifies_who_looks_elsewhere_a_few_times_an_hour_and_nobody_who_wants_none() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        Definition::like(&agent).tools(["notify"]).replace(&scoped, &agent.id).await;
        let talk = scoped.conversations().create(&agent.id).await.unwrap().id;
        let notify = async |text: &str| {
            let (failed, told) =
                calls(&scoped, &agent.id, &talk, &[("notify", json!({ "text": text }))]).await.remove(0);
            (failed, serde_json::from_str::<Value>(&told).unwrap_or(told.into()))
        };
        let only = async |kinds: Vec<NotificationKind>| {
            scoped.notifications().set(NotificationSettings { kinds, quiet: None }).await.unwrap();
        };
        only(vec![NotificationKind::Message]).await;

        for number in 1..=6 {
            assert_eq!(
                notify(&format!("Bed {number} is dry.\nNow.")).await,
                (false, json!({ "notified": true }))
            );
        }
        let told = list(&scoped).await;
        assert_eq!(told.len(), 6);
        assert_eq!((told[0].kind, &*told[0].body), (NotificationKind::Message, "Bed 6 is dry. Now."));
        assert_eq!(told[0].title, format!("{} tells you something", agent.name));
        assert!(told[0].link.contains(&talk.0), "{}", told[0].link);
        let (refused, why) = notify("Bed 7 is dry.").await;
        assert!(refused && why.to_string().contains("6 times within an hour"), "{why}");
        world.clock.advance(Duration::from_secs(60 * 60));
        assert_eq!(notify("Bed 8 is dry.").await.1["notified"], true);

        let tab = look(&world, &scoped, &agent.id, &viewer).await;
        let told = notify("Bed 9 is dry.").await.1;
        assert_eq!(told["notified"], false);
        assert!(told["why"].as_str().unwrap().contains("look at you"), "{told}");
        drop(tab);
        only(vec![NotificationKind::Finished]).await;
        assert!(notify("Bed 9 is dry.").await.1["why"].as_str().unwrap().contains("want no such"));
        assert!(notify("  ").await.0);
    })
    .await;
}
