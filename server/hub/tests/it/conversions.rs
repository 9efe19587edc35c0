//! What agents convert from one format to another.

use crate::archives::zipped::{Odd, Zipped};
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

#[tokio::test]
async fn documents_become_records_and_markdown_without_being_read_by_the_model() {
    let endpoint = Endpoint::start();
    on_sqlite(async |world: World| {
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        Definition::like(&agent).tools(["convert", "document"]).replace(&scoped, &agent.id).await;
        let talk = scoped.conversations().create(&agent.id).await.unwrap().id;
        let sheets = json!([
            { "name": "Kinds", "columns": [{ "name": "kind" }, { "name": "found" }, { "name": "count" }, { "name": "real" }],
              "rows": [["Star \"moss\", tall", "2026-03-01", 3, true], ["Peat", null, 4.5, null]] },
            { "name": "Other", "columns": [{ "name": "a" }], "rows": [["x"]] },
        ]);
        let made = [
            ("document", json!({ "path": "kinds.xlsx", "sheets": sheets })),
            ("document", json!({ "path": "letter.docx", "content": "# On moss\n\nIt is **slow**.\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n" })),
        ];
        for told in calls(&scoped, &agent.id, &talk, &made).await {
            assert!(!told.0, "{}", told.1);
        }
        scoped.files().write(&agent.id, "broken.xlsx", b"PK\x03\x04 no").await.unwrap();
        let cases = [
            (json!({ "path": "kinds.xlsx", "to": "kinds.json" }), r#""created":true"#),
            (json!({ "path": "kinds.xlsx", "to": "kinds.csv" }), r#""created":true"#),
            (json!({ "path": "kinds.xlsx", "format": "csv", "sheet": "other" }), r"a\nx\n"),
            (json!({ "path": "kinds.xlsx", "sheet": "none" }), "It has: Kinds, Other."),
            (json!({ "path": "letter.docx", "to": "letter.md" }), r#""created":true"#),
            (json!({ "path": "letter.docx", "to": "letter.pdf" }), r#""pages":1"#),
            (json!({ "path": "letter.pdf", "format": "markdown" }), "On moss"),
            (json!({ "path": "broken.xlsx" }), "broken.xlsx was not converted. It is broken"),
        ];
        let asked: Vec<(&str, Value)> = cases.iter().map(|(input, _)| ("convert", input.clone())).collect();
        let told = calls(&scoped, &agent.id, &talk, &asked).await;
        for ((input, expected), told) in cases.iter().zip(&told) {
            assert!(told.1.contains(expected), "{input}: {}", told.1);
        }
        let text = async |path: &str| {
            String::from_utf8(scoped.files().read(&agent.id, path).await.unwrap()).unwrap()
        };
        let records: Value = serde_json::from_str(&text("kinds.json").await).unwrap();
        let expected = json!([
            { "kind": "Star \"moss\", tall", "found": "2026-03-01", "count": 3, "real": true },
            { "kind": "Peat", "found": null, "count": 4.5, "real": null },
        ]);
        assert_eq!(records, expected);
        assert_eq!(
            text("kinds.csv").await,
            "\u{feff}kind,found,count,real\n\"Star \"\"moss\"\", tall\",2026-03-01,3,true\nPeat,,4.5,\n"
        );
        let markdown = text("letter.md").await;
        assert!(markdown.contains("# On moss") && markdown.contains("**slow**") && markdown.contains("| 1 | 2 |"), "{markdown}");
    })
    .await;
}

#[tokio::test]
async fn an_agent_without_a_terminal_sees_what_is_in_a_zip_and_takes_files_out() {
    let endpoint = Endpoint::start();
    let bomb = "m".repeat(4 * 1024 * 1024);
    let zip = Zipped::new()
        .with("notes/", b"")
        .with("notes/fern.md", "Grüße\n".as_bytes())
        .with("data/kinds.csv", CSV)
        .with("picture.bin", b"\xff\xfe\0")
        .with("bomb.txt", bomb.as_bytes())
        .with_odd("link", b"/etc/hostname", Odd::Link)
        .with_odd("locked.txt", b"moss", Odd::Encrypted)
        .with("../out.txt", b"out")
        .bytes();
    on_sqlite(async |world: World| {
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        Definition::like(&agent).tools(["read", "convert"]).replace(&scoped, &agent.id).await;
        let talk = scoped.conversations().create(&agent.id).await.unwrap().id;
        scoped.files().write(&agent.id, "all.zip", &zip).await.unwrap();
        scoped.files().write(&agent.id, "no.zip", b"Moss.").await.unwrap();
        let taken = |entry: &str, to: &str| match to {
            "" => json!({ "path": "all.zip", "entry": entry }),
            to => json!({ "path": "all.zip", "entry": entry, "to": to }),
        };
        let cases = [
            (json!({ "path": "all.zip" }), Ok(r#""entry":"notes/fern.md""#)),
            (taken("notes/fern.md", ""), Ok(r#""text":"Grüße\n""#)),
            (taken("data/kinds.csv", "kinds.csv"), Ok(r#""created":true"#)),
            (json!({ "path": "kinds.csv" }), Ok("star moss")),
            (taken("../out.txt", "/agent/out.txt"), Ok(r#""path":"/agent/out.txt""#)),
            (taken("picture.bin", ""), Err("Give a path in `to`")),
            (taken("picture.bin", "picture.bin"), Ok(r#""bytes":3"#)),
            (taken("bomb.txt", "bomb.txt"), Err("more than 100 times larger")),
            (taken("link", "link"), Err("it is a link")),
            (taken("locked.txt", "locked.txt"), Err("it is encrypted")),
            (taken("none.txt", "none.txt"), Err("There is no none.txt in it")),
            (json!({ "path": "all.zip", "to": "all" }), Err("Say in entry")),
            (json!({ "path": "all.zip", "entry": "link", "format": "json" }), Err("leave format away")),
            (json!({ "path": "no.zip" }), Err("This is no zip archive")),
        ];
        let asked: Vec<(&str, Value)> = cases.iter().map(|(input, _)| ("convert", input.clone())).collect();
        // A run has so many rounds and no more.
        let mut told = Vec::new();
        for some in asked.chunks(12) {
            told.extend(calls(&scoped, &agent.id, &talk, some).await);
        }
        assert!(told[0].1.contains(r#""files":7"#), "{told:?}");
        for ((input, expected), (failed, said)) in cases.iter().zip(&told) {
            let (Ok(part) | Err(part)) = expected;
            assert!(*failed == expected.is_err() && said.contains(part), "{input}: {said}");
        }
        assert_eq!(scoped.files().read(&agent.id, "kinds.csv").await.unwrap(), CSV);
    })
    .await;
}
