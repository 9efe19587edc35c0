//! Documents that an agent makes, as it reads them itself and as others' libraries do.

use super::reader;
use crate::talk::calls;
use crate::world::{Endpoint, World, each_store, on_sqlite};
use hub::FileListing;
use protocol::files::FileAuthor;
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

const LETTER: &str = "# On moss\n\nMoss grows **slowly** and *quietly*, see [more](https://example.org/moss). ![A leaf](leaf.png)\n\n\
    ## Kinds\n\n- Star moss\n- Peat moss\n\n1. Look\n2. Wait\n\n| Kind | Count |\n| --- | --- |\n| Star | 3 |\n\n\
    ```\nlet moss = 1;\n```\n";
const DECK: &str = "# On moss\n\nA talk\n\n# Where\n\n- In the shade ![A leaf](leaf.png) ![Gone](gone.png)\n- On stones\n\n---\n\n## Kinds\n\n\
    | Kind | Count |\n| --- | --- |\n| Star | 3 |\n\n---\n\n## Leaves\n\n![One](leaf.png) ![Two](leaf.png)\n";

/// All that is made, by its path and what it is made of.
fn drafts() -> [(&'static str, Value); 4] {
    let columns = json!([
        { "name": "Kind", "format": "text", "width": 30 }, { "name": "Found" },
        { "name": "Count", "format": "#,##0.00" }, { "name": "Real" },
    ]);
    let rows = json!([
        ["=Star", "2026-03-01", 3, true],
        ["Peat", "2026-03-02 18:05", 4.5, null],
        ["Sum", null, "=SUM(C2:C3)", "=1+1"],
    ]);
    let chart = json!({ "kind": "column", "title": "Mosses", "categories": "Kind", "values": ["Count"] });
    let more = json!([{ "kind": "line", "values": ["Count"] }]);
    let sheet = json!({
        "name": "Mosses", "columns": columns, "rows": rows, "chart": chart, "charts": more, "merge": ["A4:B4"],
    });
    let looks = json!({
        "name": "Looks", "columns": [{ "name": "Kind" }, { "name": "Count" }], "rows": [["Star", 3], ["Peat", null]],
        "look": {
            "styles": [
                { "cells": "A2:B3", "style": {
                    "bold": true, "color": "#b00020", "fill": "#ffeeaa", "align": "center", "border": "thin", "wrap": true,
                } },
                { "cells": "B", "style": { "format": "0.0" } },
            ],
            "conditional": [
                { "cells": "B2:B3", "is": "greater", "value": 2, "style": { "fill": "#c6efce" } },
                { "cells": "A2:A3", "is": "duplicate" },
            ],
            "pictures": [{ "path": "leaf.png", "at": "D2", "alt": "A leaf", "width": 32 }],
            "autofilter": true,
        },
    });
    let other = json!({ "columns": [{ "name": "A" }], "rows": [["ä"]] });
    let plain =
        json!({ "columns": [{ "name": "a" }, { "name": "b" }], "rows": [["x, \"y\"", -1], ["=1+1", null]] });
    [
        ("letter.docx", json!({ "content": LETTER, "title": "Mosses", "author": "Fern" })),
        ("deck.pptx", json!({ "content": DECK, "title": "Mosses" })),
        ("mosses.xlsx", json!({ "sheets": [sheet, other, looks] })),
        ("plain.csv", json!({ "sheets": [plain] })),
    ]
}

/// What others find in them.
fn found() -> Value {
    let leaf = |alt: &str| json!([alt, "image/png", 64, 48]);
    json!({
        "deck.pptx": [
            { "title": "On moss", "texts": ["A talk"], "tables": [], "pictures": [] },
            { "title": "Where", "texts": ["In the shade Gone\nOn stones"], "tables": [], "pictures": [] },
            { "title": "Where", "texts": [], "tables": [], "pictures": [leaf("A leaf")] },
            { "title": "Kinds", "texts": [], "tables": [[["Kind", "Count"], ["Star", "3"]]], "pictures": [] },
            { "title": "Leaves", "texts": [], "tables": [], "pictures": [leaf("One"), leaf("Two")] },
        ],
        "letter.docx": {
            "paragraphs": [
                ["Heading 1", "On moss"],
                [null, "Moss grows slowly and quietly, see more."],
                ["Heading 2", "Kinds"],
                ["List Paragraph", "Star moss"],
                ["List Paragraph", "Peat moss"],
                ["List Paragraph", "Look"],
                ["List Paragraph", "Wait"],
                ["Code", "let moss = 1;"],
            ],
            "bold": ["slowly"],
            "italic": ["quietly"],
            "links": ["https://example.org/moss"],
            "tables": [[["Kind", "Count"], ["Star", "3"]]],
            "pictures": [leaf("A leaf")],
        },
        "mosses.xlsx": {
            "Mosses": {
                "rows": [
                    ["Kind", "Found", "Count", "Real"],
                    ["=Star", "2026-03-01 00:00:00", 3, true],
                    ["Peat", "2026-03-02 18:05:00", 4.5, null],
                    ["Sum", null, "=SUM(C2:C3)", "=1+1"],
                ],
                "formats": ["General", "yyyy-mm-dd", "#,##0.00", "General"],
                "head is bold": true,
                "stays": "A2",
                "widths": { "A": 31, "B": 19, "C": 13 },
                "charts": [["BarChart", 1], ["LineChart", 1]],
                "merged": ["A4:B4"],
            },
            "Sheet 2": {
                "rows": [["A"], ["ä"]],
                "formats": ["General"],
                "head is bold": true,
                "stays": "A2",
                "widths": { "A": 9 },
                "charts": [],
                "merged": [],
            },
            "Looks": {
                "rows": [["Kind", "Count"], ["Star", 3], ["Peat", null]],
                "formats": ["General", "0.0"],
                "head is bold": true,
                "stays": "A2",
                "widths": { "A": 9, "B": 9 },
                "charts": [],
                "merged": [],
            },
        },
        "plain.csv": [["a", "b"], ["x, \"y\"", "-1"], ["'=1+1", ""]],
    })
}

#[tokio::test]
async fn what_an_agent_makes_opens_in_the_programs_of_others() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, agent, talk) = reader(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let leaf = include_bytes!("../fixtures/pictures/holes.png");
        scoped.files().write(&agent.id, "leaf.png", leaf).await.unwrap();
        let made: Vec<(&str, Value)> = drafts()
            .into_iter()
            .map(|(path, mut draft)| {
                draft["path"] = path.into();
                ("document", draft)
            })
            .collect();
        let results = calls(&scoped, &agent.id, &talk, &made).await;
        let folder = tempfile::tempdir().unwrap();
        for ((path, _), (is_error, told)) in drafts().iter().zip(&results) {
            assert!(!is_error && told.contains("\"created\":true"), "{path}: {told}");
            let gone = told.contains("The picture gone.png is not in it: There is no file /agent/gone.png.");
            assert_eq!(gone, *path == "deck.pptx", "{path}: {told}");
            let bytes = scoped.files().read(&agent.id, path).await.unwrap();
            std::fs::write(folder.path().join(path), bytes).unwrap();
        }
        let (others, expected) = (read_by_others(folder.path()), found());
        for (path, _) in drafts() {
            assert_eq!(others[path], expected[path], "{path}");
        }
        assert_eq!(others["whole"]["letter.docx"]["properties"], json!(["Mosses", "Fern"]));
        assert_eq!(others["whole"]["deck.pptx"]["title"], "Mosses");
        let styled = json!([true, "FFB00020", "FFFFEEAA", "center", "thin", true]);
        let looks = json!({
            "cells": { "A2": styled.clone(), "B3": styled },
            "conditions": [["A2:A3", "duplicateValues", null, []], ["B2:B3", "cellIs", "greaterThan", ["2"]]],
            "pictures": [[3, 1]],
            "filter": "A1:B3",
        });
        assert_eq!(others["whole"]["mosses.xlsx"]["Looks"], looks);

        let again = json!({ "path": "letter.docx", "content": "# Again" });
        let results = calls(
            &scoped,
            &agent.id,
            &talk,
            &[
                ("document", again.clone()),
                ("read", json!({ "path": "mosses.xlsx", "sheet": "mosses" })),
                ("read", json!({ "path": "deck.pptx", "pages": "4" })),
            ],
        )
        .await;
        let versions = scoped.files().versions(&agent.id, "letter.docx").await.unwrap();
        assert_eq!(versions.iter().map(|kept| kept.version).collect::<Vec<_>>(), [2, 1]);
        let is_here = |author: &Option<FileAuthor>| {
            matches!(author, Some(FileAuthor::Agent { conversation, .. }) if *conversation == talk)
        };
        assert!(is_here(&versions[0].author), "{versions:?}");
        assert!(results[1].1.contains("| 4 | Sum |  | [=SUM(C2:C3)] | [=1+1] |"), "{results:?}");
        assert!(results[2].1.contains("## Slide 4 of 5\\n\\n### Kinds"), "{results:?}");
        scoped.files().undo(&agent.id, "letter.docx", 2).await.unwrap();
        let other = scoped.conversations().create(&agent.id).await.unwrap().id;
        let results = calls(&scoped, &agent.id, &other, &[("document", again)]).await;
        assert!(results[0].1.contains("has not been read in this conversation"), "{results:?}");
    })
    .await;
}

#[tokio::test]
async fn what_cannot_be_made_says_why_and_leaves_nothing() {
    let endpoint = Endpoint::start();
    let sheet = |chart: Value| json!([{ "columns": [{ "name": "a" }], "rows": [[1]], "chart": chart }]);
    let twice = json!([
        { "name": "A", "columns": [{ "name": "a" }], "rows": [] },
        { "name": "a", "columns": [{ "name": "a" }], "rows": [] },
    ]);
    let cases = [
        (json!({ "path": "a.odt", "content": "x" }), "made as .docx, .pptx, .pdf, .xlsx and .csv"),
        (json!({ "path": "a.docx", "format": "pptx", "content": "x" }), "a path that ends in .pptx"),
        (json!({ "path": "a.docx" }), "as Markdown in content"),
        (json!({ "path": "a.xlsx", "content": "x" }), "columns and rows in sheets"),
        (json!({ "path": "a.csv", "sheets": twice.clone() }), "A CSV has one sheet"),
        (json!({ "path": "a.xlsx", "sheets": twice }), "already"),
        (
            json!({ "path": "a.xlsx", "sheets": sheet(json!({ "kind": "pie", "values": ["b"] })) }),
            "\"b\\\" is none of the sheet's",
        ),
        (
            json!({ "path": "a.xlsx", "sheets": [{ "columns": [{ "name": "a" }], "rows": [[1], [2]], "merge": ["A2:A3"] }] }),
            "A2:A3 cannot be one cell: more than its first cell holds something",
        ),
        (
            json!({ "path": "a.xlsx", "sheets": [{ "columns": [{ "name": "a" }], "rows": [], "merge": ["moss"] }] }),
            "write it like A5:C5",
        ),
        (
            json!({ "path": "a.xlsx", "sheets": [{ "columns": [{ "name": "a" }], "rows": [], "merge": ["A1:ZZZ4294967295"] }] }),
            "within a sheet",
        ),
        (json!({ "path": "a.pptx", "content": "# a\n".repeat(300) }), "It has 300 slides"),
        (json!({ "path": "/uploads/a.docx", "content": "x" }), "belongs to your person"),
    ];
    on_sqlite(async |world: World| {
        let (viewer, agent, talk) = reader(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let asked: Vec<(&str, Value)> = cases.iter().map(|(input, _)| ("document", input.clone())).collect();
        let results = calls(&scoped, &agent.id, &talk, &asked).await;
        for ((input, word), (is_error, told)) in cases.iter().zip(&results) {
            let told_plainly = told.replace("\\\"", "\"");
            let word = word.replace("\\\"", "\"");
            assert!(*is_error && told_plainly.contains(&word), "{input}: {told}");
        }
        assert!(scoped.files().list(&agent.id, &FileListing::default()).await.unwrap().is_empty());
    })
    .await;
}

pub fn read_by_others(folder: &Path) -> Value {
    let readers = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/readers");
    let output = Command::new(readers.join(".venv/bin/python"))
        .arg(readers.join("read.py"))
        .arg(folder)
        .output()
        .expect("`.ci/tools.sh test` installs the readers");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}
