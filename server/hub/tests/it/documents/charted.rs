//! Charts of documents that an agent makes, as others' libraries find them.

use super::made::read_by_others;
use super::reader;
use crate::talk::calls;
use crate::world::{Endpoint, World, on_sqlite};
use serde_json::{Value, json};

/// Each as it is asked for, and what others find of it.
fn charts() -> [(Value, Value); 6] {
    let counts = json!([["Star", 3, 1.5], ["Peat & bog", null, 2]]);
    [
        (
            json!({
                "kind": "column", "title": "Mosses", "x_title": "Kind", "y_title": "Seen",
                "categories": "Kind", "values": ["Count", "Lost"],
                "columns": ["Kind", "Count", "Lost"], "rows": counts,
            }),
            json!({
                "alt": "Mosses", "kind": "COLUMN_CLUSTERED", "title": "Mosses",
                "categories": ["Star", "Peat & bog"],
                "series": { "Count": [3.0, null], "Lost": [1.5, 2.0] },
                "cells": [["Kind", "Count", "Lost"], ["Star", 3, 1.5], ["Peat & bog", null, 2]],
            }),
        ),
        (
            json!({ "kind": "line", "columns": ["m", "n"], "rows": [["2026-01-01", 1], ["2026-02-01", 2], ["2026-03-01", 4]] }),
            json!({
                "alt": null, "kind": "LINE", "title": null,
                "categories": ["2026-01-01", "2026-02-01", "2026-03-01"],
                "series": { "n": [1.0, 2.0, 4.0] },
                "cells": [["", "n"], ["2026-01-01", 1], ["2026-02-01", 2], ["2026-03-01", 4]],
            }),
        ),
        (
            json!({ "kind": "line", "columns": ["m", "n"], "rows": [["2026-01-01", 1], ["2026-01-02", 2], ["2026-03-01", 4]] }),
            json!({
                "alt": null, "kind": "XY_SCATTER_LINES_NO_MARKERS", "title": null,
                "categories": [],
                "series": { "n": [1.0, 2.0, 4.0] },
                "cells": [
                    ["", "n"], ["2026-01-01 00:00:00", 1], ["2026-01-02 00:00:00", 2], ["2026-03-01 00:00:00", 4],
                ],
            }),
        ),
        (
            json!({ "kind": "pie", "title": "Parts", "columns": ["m", "n"], "rows": [["a", 1], ["b", 3], ["c", 0]] }),
            json!({
                "alt": "Parts", "kind": "PIE", "title": "Parts",
                "categories": ["b", "a"],
                "series": { "n": [3.0, 1.0] },
                "cells": [["", "n"], ["b", 3], ["a", 1]],
            }),
        ),
        (
            json!({ "kind": "scatter", "alt": "Points", "columns": ["m", "n"], "rows": [[0.5, 1], [2, 3]] }),
            json!({
                "alt": "Points", "kind": "XY_SCATTER", "title": null,
                "categories": [],
                "series": { "n": [1.0, 3.0] },
                "cells": [["", "n"], [0.5, 1], [2, 3]],
            }),
        ),
        (
            json!({ "kind": "bar", "columns": ["m", "n"], "rows": [["=1+1", 1], ["<b>", -2]] }),
            json!({
                "alt": null, "kind": "COLUMN_CLUSTERED", "title": null,
                "categories": ["=1+1", "<b>"],
                "series": { "n": [1.0, -2.0] },
                "cells": [["", "n"], ["=1+1", 1], ["<b>", -2]],
            }),
        ),
    ]
}

#[tokio::test]
async fn charts_of_a_letter_and_of_a_deck_have_their_numbers_and_a_workbook_to_change_them() {
    let endpoint = Endpoint::start();
    on_sqlite(async |world: World| {
        let (viewer, agent, talk) = reader(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let block = |(asked, _): &(Value, Value)| {
            let mut block = asked.clone();
            block["type"] = "chart".into();
            block
        };
        let blocks: Vec<Value> = charts().iter().map(block).collect();
        let slides: Vec<Value> =
            charts().iter().map(|(asked, _)| json!({ "title": "Mosses", "chart": asked })).collect();
        let made = [
            ("document", json!({ "path": "charts.docx", "blocks": blocks })),
            ("document", json!({ "path": "charts.pptx", "slides": slides })),
            ("read", json!({ "path": "charts.docx" })),
            ("read", json!({ "path": "charts.pptx" })),
        ];
        let results = calls(&scoped, &agent.id, &talk, &made).await;
        for (is_error, told) in &results[..2] {
            assert!(!is_error && !told.contains("notes"), "{told}");
        }
        for (_, told) in &results[2..] {
            for said in ["Title: Mosses — Kind — Seen", "Categories: Star, Peat & bog", "Lost: 1.5, 2"] {
                assert!(told.contains(said), "{said:?} is not in {told}");
            }
            assert!(!told.contains("other files within it"), "its charts have workbooks alone: {told}");
        }
        let folder = tempfile::tempdir().unwrap();
        for path in ["charts.docx", "charts.pptx"] {
            let bytes = scoped.files().read(&agent.id, path).await.unwrap();
            std::fs::write(folder.path().join(path), bytes).unwrap();
        }
        let others = read_by_others(folder.path());
        for path in ["charts.docx", "charts.pptx"] {
            let found = others["whole"][path]["charts"].as_array().unwrap();
            assert_eq!(found.len(), charts().len(), "{path}");
            for (found, (asked, expected)) in found.iter().zip(charts()) {
                assert_eq!(*found, expected, "{path}: {asked}");
            }
        }
    })
    .await;
}
