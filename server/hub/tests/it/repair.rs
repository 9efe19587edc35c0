//! What is broken on purpose is found and put right, and nothing else changes.

use crate::search::find;
use crate::talk::{ada, ask};
use crate::world::{Endpoint, World, each_store};
use hub::DraftChange;
use hub::backups::{Contents, contents};
use hub::repair::{Ailment, keep, look, mend};
use hub::store::{DatabaseUrl, Dialect};
use sqlx::{AnyConnection, Connection, Executor};

/// The database as it is, with nothing wrong.
async fn healthy(world: &World) -> Contents {
    let place = world.place();
    assert_eq!(look(&place, world.clock.now()).await.unwrap(), []);
    contents(&place).await.unwrap()
}

/// Breaks it so, and expects this to be found alone, put right, and all the rest as it was.
async fn check(world: &World, broken: &[&str], expected: Ailment) {
    let before = healthy(world).await;
    let place = world.place();
    let (DatabaseUrl::Sqlite { url } | DatabaseUrl::Postgres { url, .. }) = &place;
    let mut connection = AnyConnection::connect(url).await.unwrap();
    for statement in broken {
        connection.execute(sqlx::AssertSqlSafe((*statement).to_owned())).await.unwrap();
    }
    connection.close().await.unwrap();
    let now = world.clock.now();
    let found = look(&place, now).await.unwrap();
    assert_eq!(
        found.iter().map(|(ailment, _)| *ailment).collect::<Vec<_>>(),
        [expected],
        "{broken:?} {found:?}"
    );
    mend(&place, &[expected], now).await.unwrap();
    assert_eq!(healthy(world).await, before, "{broken:?}");
}

#[tokio::test]
async fn what_is_broken_is_put_right_and_nothing_else_changes() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        ask(&scoped, &agent.id, &agent.conversation, "Where do ferns grow?").await;
        assert_eq!(find(&scoped, "ferns").await.hits.len(), 2);
        // A file is not over as long as a draft has it, however old it is.
        let file = scoped.attachments().take_in("fern.txt", b"Fern".to_vec()).await.unwrap();
        let change = DraftChange { attach: &[file.id], ..DraftChange::default() };
        scoped.conversations().keep_draft(&agent.conversation, change).await.unwrap();
        world.execute("UPDATE attachments SET at = at - 172800000").await;
        world.hub.close().await;
        let place = world.place();
        let wordless: &[&str] = match place.dialect() {
            Dialect::Sqlite => &["DELETE FROM search_index_docsize"],
            Dialect::Postgres => &["UPDATE search_documents SET words = NULL"],
        };
        check(&world, wordless, Ailment::Search).await;
        let hub = world.reopened().await;
        assert_eq!(find(&hub.for_viewer(&viewer), "ferns").await.hits.len(), 2, "it was read anew");
        hub.close().await;
        check(&world, &["UPDATE search_progress SET seq = seq + 9"], Ailment::Search).await;
        let over = "INSERT INTO used_challenges (challenge_hash, expires_at) VALUES ('x', 1)";
        check(&world, &[over], Ailment::Over).await;
        let now = world.clock.now();
        if place.dialect() == Dialect::Sqlite {
            let off = "PRAGMA foreign_keys = OFF";
            for orphan in [
                "INSERT INTO muted_agents (agent_id) VALUES ('gone')",
                "INSERT INTO push_answers (secret_hash, notification_id, device_id) VALUES ('x', 'gone', 'gone')",
            ] {
                check(&world, &[off, orphan], Ailment::Orphans).await;
            }
            let damaged = "UPDATE search_index_data SET block = x'00' WHERE id > 10";
            let hub = world.reopened().await;
            assert_eq!(find(&hub.for_viewer(&viewer), "ferns").await.hits.len(), 2);
            hub.close().await;
            check(&world, &[damaged], Ailment::Search).await;
        }
        let copy = world.folder.path().join("kept");
        keep(&place, &copy, now).await.unwrap();
        let of_copy = match place.dialect() {
            Dialect::Sqlite => {
                let copy = DatabaseUrl::named(&format!("sqlite://{}", copy.display())).unwrap();
                contents(&copy).await.unwrap()
            }
            Dialect::Postgres => hub::backups::check(&copy).unwrap().contents,
        };
        assert_eq!(of_copy, contents(&place).await.unwrap());
    })
    .await;
}
