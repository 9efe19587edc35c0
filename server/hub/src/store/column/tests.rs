use super::super::{Json, Row, Store, query};
use crate::error::{Error, Result};
use protocol::agent::Home;
use protocol::{AgentId, Micros};
use std::error::Error as _;
use tempfile::TempDir;

struct World {
    store: Store,
    _folder: TempDir,
}

impl World {
    async fn new() -> Self {
        let folder = TempDir::new().unwrap();
        Self { store: Store::open_folder(folder.path()).await.unwrap(), _folder: folder }
    }
}

/// Everything that an error says, down to its cause.
fn told<T: std::fmt::Debug>(result: Result<T>) -> String {
    let error = result.unwrap_err();
    let mut words = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        words.push_str(&format!(" {error}"));
        cause = error.source();
    }
    words
}

#[tokio::test]
async fn what_a_statement_is_given_comes_back_as_it_was() {
    let world = World::new().await;
    let given = (AgentId::from("a1"), Home::Browser, true, 7_u32, Some(Micros(3)), None::<Micros>);
    let found: (AgentId, Home, bool, u32, Option<Micros>, Option<Micros>) =
        query("SELECT $1, $2, $3, $4, $5, $6", given.clone()).fetch_one(world.store.read()).await.unwrap();
    assert_eq!(found, given);
    let (json, bytes): (Json<Vec<u8>>, Vec<u8>) =
        query("SELECT $1, $2", (Json(vec![1, 2]), &b"\0x"[..])).fetch_one(world.store.read()).await.unwrap();
    assert_eq!((json.0, bytes.as_slice()), (vec![1, 2], &b"\0x"[..]));
}

#[tokio::test]
async fn columns_hold_what_they_always_held() {
    let world = World::new().await;
    let stored: (String, i64, String) = query("SELECT $1, $2, $3", (Home::Browser, true, Json(["x"])))
        .fetch_one(world.store.read())
        .await
        .unwrap();
    assert_eq!(stored, ("browser".to_owned(), 1, r#"["x"]"#.to_owned()));
}

#[tokio::test]
async fn a_value_that_the_program_does_not_know_is_an_error_with_its_name_and_its_column() {
    let world = World::new().await;
    let row: Row = query("SELECT 'attic' AS home, 2 AS paused, -1 AS seq", ())
        .fetch_one(world.store.read())
        .await
        .unwrap();
    for (words, expected) in [
        (told(row.get::<Home>("home")), ["home", "attic"]),
        (told(row.get::<bool>("paused")), ["paused", "2"]),
        (told(row.get::<u64>("seq")), ["seq", "out of range"]),
        (told(row.get::<Json<u64>>("home")), ["home", "expected value"]),
        (told(row.get::<String>("colour")), ["colour", "no column"]),
    ] {
        assert!(expected.iter().all(|part| words.contains(part)), "{words}");
    }
}

#[tokio::test]
async fn a_value_that_no_column_holds_is_an_error_before_anything_is_written() {
    let world = World::new().await;
    let refused = query("INSERT INTO settings (key, value) VALUES ('k', $1)", (u64::MAX,))
        .execute(world.store.read())
        .await;
    assert!(matches!(refused, Err(Error::Internal(_))), "{refused:?}");
}

#[tokio::test]
async fn parts_of_a_text_are_joined_by_a_space() {
    let world = World::new().await;
    let found: Vec<i64> = query(["SELECT 1", "WHERE $1 = 1", "UNION SELECT 2 ORDER BY 1"], (1_i64,))
        .fetch_all(world.store.read())
        .await
        .unwrap();
    assert_eq!(found, [1, 2]);
}
