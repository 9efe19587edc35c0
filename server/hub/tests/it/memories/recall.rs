//! A search of memories beside the full text of the database that they are in.

#[path = "../../../../benches/figures/memory_recall/planted.rs"]
mod planted;

use crate::world::{World, each_store};
use hub::store::{Dialect, Store};
use planted::{DEPTHS, Planted, Question, Score, plant};
use serde_json::json;
use sqlx::{AssertSqlSafe, Row as _};
use std::collections::BTreeSet;

/// Each thing of each language once.
const ROUNDS: usize = 24;
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

#[tokio::test]
async fn no_less_is_recalled_than_by_the_full_text_of_the_database() {
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let memories = scoped.memories();
        let planted = plant(ROUNDS);
        let now = world.clock.now();
        let told = planted.facts.iter().map(
            |fact| json!({ "text": fact.text, "importance": 3, "written_at": now - fact.days_ago * DAY_MS }),
        );
        let file = json!({ "format": "vivarium.memories.1", "memories": told.collect::<Vec<_>>() });
        let report = memories.import(&file.to_string()).await.unwrap();
        assert_eq!(usize::try_from(report.added).unwrap(), planted.facts.len());

        let store = world.store().await;
        keep_plainly(&store, &planted).await;
        let (mut ours, mut plain, mut kinds) = (Score::default(), Score::default(), BTreeSet::new());
        for question in &planted.questions {
            let found = memories.list(&question.text, 0).await.unwrap().kept;
            ours.add(question, &found.into_iter().map(|memory| memory.text).collect::<Vec<_>>());
            plain.add(question, &found_plainly(&store, question).await);
            kinds.insert((question.language, question.kind));
        }
        store.close().await;
        assert_eq!(kinds.len(), 12, "each kind in each language");
        let recalled = [ours.recall(), plain.recall()];
        for (depth, (ours, plain)) in DEPTHS.iter().zip(recalled[0].iter().zip(recalled[1])) {
            assert!(*ours >= plain && plain > 0.3, "among the first {depth}: {recalled:?}");
        }
        let misled = [ours.misled(), plain.misled()];
        assert!(misled[0] < misled[1], "{misled:?}");
    })
    .await;
}

async fn keep_plainly(store: &Store, planted: &Planted) {
    let mut tx = store.write().await.unwrap();
    let table = match store.dialect() {
        Dialect::Sqlite => "CREATE VIRTUAL TABLE plain USING fts5(text, tokenize = 'porter unicode61')",
        Dialect::Postgres => "CREATE TABLE plain (id BIGSERIAL, text TEXT NOT NULL)",
    };
    sqlx::query(table).execute(&mut *tx).await.unwrap();
    for fact in &planted.facts {
        sqlx::query("INSERT INTO plain (text) VALUES ($1)")
            .bind(fact.text.clone())
            .execute(&mut *tx)
            .await
            .unwrap();
    }
    tx.commit().await.unwrap();
}

/// What has any of the question's words, in the order of the database's own rank. PostgreSQL is told its language.
async fn found_plainly(store: &Store, Question { text, language, .. }: &Question) -> Vec<String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    let (statement, sought) = match store.dialect() {
        Dialect::Sqlite => (
            "SELECT text FROM plain WHERE plain MATCH $1 ORDER BY rank LIMIT 10".to_owned(),
            words.map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(" OR "),
        ),
        Dialect::Postgres => (
            format!(
                "SELECT text FROM plain, to_tsquery('{language}', $1) q, to_tsvector('{language}', text) w
                 WHERE w @@ q ORDER BY ts_rank(w, q) DESC, id LIMIT 10"
            ),
            words.collect::<Vec<_>>().join(" | "),
        ),
    };
    let rows = sqlx::query(AssertSqlSafe(statement)).bind(sought).fetch_all(store.read()).await.unwrap();
    rows.iter().map(|row| row.get(0)).collect()
}
