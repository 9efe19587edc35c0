//! S12: the master key rotates beside a hub that works, whatever happens on the way.

use super::server::Server;
use super::{KEY, save};
use crate::world::{World, each_store};
use hub::{Hub, RotationStep, Viewer};
use protocol::ProviderId;
use std::fs;

/// More than are wrapped at once.
const PROVIDERS: usize = 40;

#[tokio::test]
async fn a_rotation_goes_on_wherever_it_was_cut_off() {
    each_store(async |world| {
        let (ada, server, mut ids) = providers(&world).await;
        world.key_file();
        let working = world.with_key_file().await;
        let before = keys_in_file(&world);
        let mut steps = 0;
        let last = loop {
            let mut rotation = world.with_key_file().await.secrets().rotate_master_key().await.unwrap();
            let mut last = None;
            for _ in 0..steps {
                last = rotation.step().await.unwrap();
            }
            drop(rotation);
            for hub in [&working, &world.with_key_file().await] {
                all_open(hub, &ada, &ids).await;
                let scoped = hub.for_viewer(&ada);
                let url = Some(server.url.as_str());
                scoped.providers().save(Some(&ids[0]), "Again", KIND, url, Some(KEY)).await.unwrap();
            }
            if let Some(RotationStep::Over { lost, .. }) = last {
                break lost;
            }
            steps += 1;
        };
        assert_eq!((last, steps), (0, 5), "kept, took over, two batches, over");
        let after = keys_in_file(&world);
        assert_eq!(after.len(), 1);
        assert!(!before.contains(&after[0]), "the former key is gone");

        // Keys come and go as before, and the former key opens nothing.
        let added = save(&world, &ada, None, &server.url, Some(KEY)).await.unwrap();
        ids.push(added.id);
        let stale = world.hub.for_viewer(&ada).providers().models(&ids[1]).await.unwrap_err();
        assert!(stale.to_string().contains("cannot be opened"), "{stale}");
    })
    .await;
}

#[tokio::test]
async fn a_swapped_row_opens_nowhere_and_is_counted() {
    each_store(async |world| {
        let (ada, _server, ids) = providers(&world).await;
        let eve = world.person("eve").await;
        let evil = Server::start(|_| super::json(200, r#"{"data":[]}"#)).await;
        let hers = save(&world, &eve, None, &evil.url, Some("sk-eve-0123456789")).await.unwrap();
        let mut tx = world.store().await.write().await.unwrap();
        sqlx::query(
            "UPDATE secrets SET sealed_key = (SELECT sealed_key FROM secrets WHERE provider_id = $1),
                                sealed_value = (SELECT sealed_value FROM secrets WHERE provider_id = $1)
             WHERE provider_id = $2",
        )
        .bind(&ids[0].0)
        .bind(&hers.id.0)
        .execute(&mut *tx)
        .await
        .unwrap();
        tx.commit().await.unwrap();
        world.key_file();
        let hub = world.with_key_file().await;
        for _ in 0..2 {
            let refused = hub.for_viewer(&eve).providers().models(&hers.id).await.unwrap_err();
            assert!(refused.to_string().contains("cannot be opened"), "{refused}");
            assert!(hub.secrets().examine().await.unwrap_err().to_string().starts_with("1 of 41"));
            let mut rotation = hub.secrets().rotate_master_key().await.unwrap();
            let mut last = None;
            while let Some(step) = rotation.step().await.unwrap() {
                last = Some(step);
            }
            assert!(matches!(last, Some(RotationStep::Over { lost: 1, .. })), "{last:?}");
        }
        all_open(&hub, &ada, &ids).await;
        assert!(evil.heads().is_empty());
    })
    .await;
}

#[tokio::test]
async fn a_key_that_was_given_is_rotated_by_giving_two() {
    each_store(async |world| {
        let (ada, _server, ids) = providers(&world).await;
        let refused = world.hub.secrets().rotate_master_key().await.unwrap_err();
        assert!(refused.to_string().contains("Put a new key before it"), "{refused}");
        all_open(&world.rotated().await, &ada, &ids).await;
        assert!(world.hub.for_viewer(&ada).providers().models(&ids[0]).await.is_err());
    })
    .await;
}

#[tokio::test]
async fn one_rotation_at_a_time() {
    each_store(async |world| {
        world.key_file();
        let (one, other) = (world.with_key_file().await, world.with_key_file().await);
        let first = one.secrets().rotate_master_key().await.unwrap();
        assert!(other.secrets().rotate_master_key().await.is_err());
        drop(first);
        assert!(other.secrets().rotate_master_key().await.is_ok());
    })
    .await;
}

const KIND: protocol::agent::ProviderKind = protocol::agent::ProviderKind::OpenAi;

async fn providers(world: &World) -> (Viewer, Server, Vec<ProviderId>) {
    let ada = world.person("ada").await;
    let server = Server::with_models(KEY, &["one"]).await;
    let mut ids = Vec::new();
    for _ in 0..PROVIDERS {
        ids.push(save(world, &ada, None, &server.url, Some(KEY)).await.unwrap().id);
    }
    (ada, server, ids)
}

/// Every key arrives at its server.
async fn all_open(hub: &Hub, ada: &Viewer, ids: &[ProviderId]) {
    for id in ids {
        assert!(hub.for_viewer(ada).providers().models(id).await.unwrap().live);
    }
}

fn keys_in_file(world: &World) -> Vec<String> {
    let text = fs::read_to_string(world.folder.path().join("master.key")).unwrap();
    text.lines().map(str::to_owned).collect()
}
