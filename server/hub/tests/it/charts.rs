//! Charts that an agent draws of rows and of a CSV: as files, as pictures for its model, and what is refused.

use crate::talk::calls;
use crate::world::{Definition, Endpoint, World, on_postgres, on_sqlite};
use hub::{FileListing, Scoped};
use protocol::agent::ProviderKind;
use protocol::files::FilePreview;
use protocol::log::EntryBody;
use protocol::{AgentId, ConversationId};
use serde_json::{Value, json};

const SALES: &str = "Month,Sold,Returned,Note\nJanuary,120,4,\nFebruary,\"1,5\",8,cold\nMarch,180.5,6,\n";

async fn drawer(scoped: &Scoped<'_>, endpoint: &Endpoint) -> (AgentId, ConversationId) {
    let provider = endpoint.provider(scoped, ProviderKind::Anthropic).await;
    let agent =
        Definition::on(&provider, "claude-sonnet-4-5").tools(["chart", "read"]).create(scoped).await.id;
    let talk = scoped.conversations().create(&agent).await.unwrap().id;
    (agent, talk)
}

#[tokio::test]
async fn a_chart_is_a_file_and_a_picture_that_the_model_sees() {
    on_postgres(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let (agent, talk) = drawer(&scoped, &endpoint).await;
        scoped.files().write(&agent, "sales.csv", SALES.as_bytes()).await.unwrap();
        let columns = json!(["Kind", "Count"]);
        let rows = json!([["Star <moss>", 3], ["Peat", "4.5"], ["Empty", null]]);
        let told = calls(&scoped, &agent, &talk, &[
            ("chart", json!({ "kind": "bar", "to": "charts/sales.png", "path": "sales.csv", "title": "Sales" })),
            ("chart", json!({ "kind": "line", "to": "charts/sales.svg", "path": "sales.csv", "y": ["Returned"] })),
            ("chart", json!({ "kind": "pie", "to": "pie.svg", "columns": columns, "rows": rows })),
            ("chart", json!({ "kind": "scatter", "to": "points.png", "columns": ["a", "b"], "rows": [[1, 2], [3, 4]] })),
        ])
        .await;
        let told: Vec<Value> = told
            .into_iter()
            .map(|(is_error, told)| {
                assert!(!is_error, "{told}");
                serde_json::from_str(&told).unwrap()
            })
            .collect();
        let points: Vec<u64> = told.iter().map(|told| told["points"].as_u64().unwrap()).collect();
        assert_eq!(points, [5, 3, 2, 2]);
        let note = "Cells of Sold that are no numbers are left out, 1 in number: 1,5. Numbers are written as 1234.5.";
        assert_eq!(told[0]["notes"], json!([note]));
        assert_eq!(told[0]["picture"], json!({ "mime": "image/png", "width": 1400, "height": 840 }));

        let svg = String::from_utf8(scoped.files().read(&agent, "pie.svg").await.unwrap()).unwrap();
        assert!(svg.contains("Star &lt;moss&gt;") && svg.contains("4.5 (60.0 %)"), "{svg}");
        assert!(svg.contains("prefers-color-scheme: dark") && !svg.contains("<script"), "{svg}");
        let png = scoped.files().detail(&agent, "charts/sales.png").await.unwrap();
        assert!(matches!(png.preview, FilePreview::Picture) && png.file.unwrap().size > 5_000);
        let entries = scoped.conversations().entries(&agent, 0).await.unwrap();
        let shown = entries.iter().filter(|entry| {
            matches!(&entry.body, EntryBody::ToolFinished { result, .. } if result.media.len() == 1)
        });
        assert_eq!(shown.count(), 4, "an SVG is looked at as a picture as well");
        let sent = endpoint.requests().await.last().unwrap()["body"].to_string();
        assert_eq!(sent.matches("\"media_type\":\"image/png\"").count(), 4);
    })
    .await;
}

#[tokio::test]
async fn what_cannot_be_drawn_says_why_and_leaves_nothing() {
    let many: Vec<Value> = (0..4_000).map(|at| json!([at, at, at])).collect();
    let wide = "x".repeat(5_000);
    let cases = [
        (json!({ "kind": "bar", "to": "a.gif", "columns": ["a"], "rows": [] }), "end in .png or .svg"),
        (json!({ "kind": "bar", "to": "a.png" }), "the path of a CSV, or columns and rows"),
        (json!({ "kind": "bar", "to": "a.png", "path": "b.csv" }), "There is no file /agent/b.csv"),
        (
            json!({ "kind": "bar", "to": "a.png", "path": "b.csv", "columns": ["a"], "rows": [] }),
            "Give either the path of a CSV",
        ),
        (
            json!({ "kind": "bar", "to": "/uploads/a.png", "columns": ["a"], "rows": [] }),
            "belongs to your person",
        ),
        (
            json!({ "kind": "bar", "to": "a.png", "columns": ["a"], "rows": [] }),
            "There is no column of numbers",
        ),
        (
            json!({ "kind": "line", "to": "a.png", "columns": ["a", "b", "c"], "rows": many }),
            "It has 8000 points, and a chart can have 5000",
        ),
        (
            json!({ "kind": "pie", "to": "a.png", "columns": ["a", "b"], "rows": [["x", -1], ["y", 2]] }),
            "less than nothing",
        ),
        (
            json!({ "kind": "bar", "to": "a.png", "columns": ["a", "b"], "rows": [[wide, 1]], "y": ["c"] }),
            "There is no column c. There are: a, b.",
        ),
    ];
    let endpoint = Endpoint::start();
    on_sqlite(async |world: World| {
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let (agent, talk) = drawer(&scoped, &endpoint).await;
        let asked: Vec<(&str, Value)> = cases.iter().map(|(input, _)| ("chart", input.clone())).collect();
        let results = calls(&scoped, &agent, &talk, &asked).await;
        for ((_, word), (is_error, told)) in cases.iter().zip(&results) {
            assert!(*is_error && told.contains(word), "{word}: {told}");
        }
        assert!(scoped.files().list(&agent, &FileListing::default()).await.unwrap().is_empty());
    })
    .await;
}
