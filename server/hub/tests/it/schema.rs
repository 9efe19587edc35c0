//! A database that this version does not know is refused in words, and nothing of it is changed.

use crate::world::each_store;

#[tokio::test]
async fn a_database_of_a_newer_version_is_refused_in_our_words() {
    each_store(async |world| {
        let store = world.store().await;
        let mut tx = store.write().await.unwrap();
        let later = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
                     SELECT version + 1000, description, success, checksum, execution_time
                     FROM _sqlx_migrations ORDER BY version DESC LIMIT 1";
        sqlx::query(later).execute(&mut *tx).await.unwrap();
        tx.commit().await.unwrap();
        let refused = world.try_store().await.unwrap_err().to_string();
        assert!(refused.contains("made by a newer version of Vivarium"), "{refused}");
    })
    .await;
}

#[tokio::test]
async fn a_hub_whose_database_was_set_back_under_it_says_that_its_schema_is_not_there() {
    each_store(async |world| {
        world.hub.try_schema().await.unwrap();
        let last = "DELETE FROM _sqlx_migrations WHERE version = (SELECT MAX(version) FROM _sqlx_migrations)";
        world.execute(last).await;
        let missing = world.hub.try_schema().await.unwrap_err().to_string();
        assert!(missing.contains("Start it again"), "{missing}");
    })
    .await;
}
