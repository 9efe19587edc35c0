//! What agents convert from one format to another.

use crate::talk::{ada, calls};
use crate::world::{Definition, Endpoint, World, on_sqlite};
use serde_json::{Value, json};

const CSV: &[u8] = b"kind;count\nstar moss;007\n\"fern; royal\";2\n";

#[tokio::test]
async fn records_go_from_file_to_file_and_what_does_not_fit_is_told() {
    let endpoint = Endpoint::start();
    on_sqlite(async |world: World| {
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        Definition::like(&agent).tools(["read", "convert"]).replace(&scoped, &agent.id).await;
        let talk = scoped.conversations().create(&agent.id).await.unwrap().id;
        scoped.files().write(&agent.id, "kinds.csv", CSV).await.unwrap();
        scoped.files().write(&agent.id, "notes.txt", b"Moss.").await.unwrap();
        scoped.files().write(&agent.id, "picture.bin", &[0xff, 0xfe, 0x00]).await.unwrap();
        let many: Vec<Value> = (0..4000).map(|at| json!({ "number": at })).collect();
        let cases = [
            (json!({ "path": "kinds.csv", "to": "kinds.yaml" }), r#""created":true"#),
            (json!({ "path": "kinds.yaml", "format": "markdown" }), r"| star moss | 007 |"),
            (json!({ "path": "kinds.yaml" }), r#"\"count\": \"007\""#),
            (json!({ "text": "# A", "from": "markdown", "format": "html" }), "<h1>A</h1>"),
            (json!({ "text": "b\n2\n", "from": "csv", "to": "kinds.yaml" }), r#""version":2"#),
            (json!({ "text": "{", "from": "json", "format": "yaml" }), "it is no JSON"),
            (json!({ "text": "a: &a [*a, *a]", "from": "yaml" }), "cannot be converted"),
            (json!({ "path": "picture.bin", "from": "csv" }), "no text"),
            (json!({ "path": "notes.txt" }), "txt is no format here"),
            (json!({ "text": "a" }), "Say in from"),
            (json!({ "from": "csv" }), "Give what is to be converted"),
            (json!({ "path": "kinds.csv", "to": "/uploads/a.json" }), "/uploads"),
            (
                json!({ "text": json!(many).to_string(), "from": "json", "format": "yaml" }),
                "Give a file in `to`",
            ),
        ];
        let asked: Vec<(&str, Value)> = cases.iter().map(|(input, _)| ("convert", input.clone())).collect();
        let told = calls(&scoped, &agent.id, &talk, &asked).await;
        for ((input, expected), told) in cases.iter().zip(&told) {
            assert!(told.1.contains(expected), "{input}: {}", told.1);
        }
        let formulas = r#"[{ "kind": "=1+1", "count": -2 }, { "kind": "Grüße", "count": "-1,5" }]"#;
        let asked = [
            ("convert", json!({ "text": formulas, "from": "json", "to": "formulas.csv" })),
            ("convert", json!({ "text": formulas, "from": "json", "format": "csv" })),
            ("convert", json!({ "path": "formulas.csv" })),
        ];
        let told = calls(&scoped, &agent.id, &talk, &asked).await;
        let written = scoped.files().read(&agent.id, "formulas.csv").await.unwrap();
        assert_eq!(
            String::from_utf8(written).unwrap(),
            "\u{feff}kind,count\n'=1+1,-2\nGrüße,\"-1,5\"\n",
            "{told:?}"
        );
        assert!(told[1].1.contains(r"kind,count\n=1+1,-2\nGrüße"), "a text is as it was: {told:?}");
        assert!(told[2].1.contains(r#"\"kind\": \"'=1+1\""#), "{told:?}");
        let parsed = calls(&scoped, &agent.id, &talk, &[("parse_csv", json!({ "text": "a\n1\n" }))]).await;
        assert!(parsed[0].1.contains(r#"\"a\": \"1\""#), "{parsed:?}");
    })
    .await;
}
