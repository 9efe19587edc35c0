//! PDF that an agent makes: as others' programs read it, and what comes of a text that asks too much.

use super::{keep, made::read_by_others, reader};
use crate::talk::calls;
use crate::world::{Endpoint, World, on_sqlite};
use protocol::files::FilePreview;
use serde_json::{Value, json};

const REPORT: &str = "# On moss\n\nMoss grows **slowly** and *quietly*, see [more](https://example.org/moss) \
    and `moss.csv`.[^1] Мох и βρύα.\n\n## Kinds\n\n- Star moss\n  1. green\n- [x] Counted\n\n\
    | Kind | Where | Count |\n| --- | --- | ---: |\n| Star | Where the wall is dry and nobody has been for years, which \
    is most of it | 3 |\n\n### Seen\n\n> Wait.\n\n```\nlet moss = 1;\n```\n\n![A wall](pictures/wall.jpg)\n\n\
    [^1]: Twice.\n";
const WALL: &[u8] = include_bytes!("../fixtures/pictures/wide.jpg");
const BOMB: &[u8] = include_bytes!("../fixtures/pictures/bomb.png");

#[tokio::test]
async fn a_pdf_reads_in_order_in_the_programs_of_others_and_is_looked_at_like_any() {
    let endpoint = Endpoint::start();
    on_sqlite(async |world: World| {
        let (viewer, agent, talk) = reader(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        keep(&scoped, &agent, &[("pictures/wall.jpg", WALL)]).await;
        let rows: String = (11..=50).map(|row| format!("| {row} | stone |\n")).collect();
        let long = format!("# Stones\n\n| No. | Of |\n| --- | --- |\n{rows}");
        let made = [
            (
                "document",
                json!({ "path": "report.pdf", "content": REPORT, "author": "Fern", "title": "Mosses" }),
            ),
            ("create_pdf", json!({ "path": "stones.pdf", "content": long, "paper": "letter" })),
            ("read", json!({ "path": "stones.pdf", "pages": "2" })),
        ];
        let results = calls(&scoped, &agent.id, &talk, &made).await;
        assert!(results[0].1.contains("\"pages\":1") && !results[0].1.contains("notes"), "{results:?}");
        assert!(results[1].1.contains("\"pages\":2"), "{results:?}");
        assert!(results[2].1.contains("50 stone"), "{results:?}");
        let folder = tempfile::tempdir().unwrap();
        for path in ["report.pdf", "stones.pdf"] {
            let bytes = scoped.files().read(&agent.id, path).await.unwrap();
            std::fs::write(folder.path().join(path), bytes).unwrap();
        }
        let others = read_by_others(folder.path());
        let report = json!({
            "pages": [[
                "On moss", "Fern", "Moss grows slowly and quietly, see more and moss.csv.", "1", " Мох и βρύα.", "Kinds",
                "• Star moss", "1. green", "✓ Counted", "Kind Where Count",
                "Star Where the wall is dry and nobody has been for years, which is most of it 3",
                "Seen", "Wait.", "let moss = 1;", "A wall", "1. Twice.",
            ]],
            "size": [595, 842],
            "title": "Mosses",
            "author": "Fern",
            "outline": [[1, "On moss", 1], [2, "Kinds", 1], [3, "Seen", 1]],
            "links": ["https://example.org/moss"],
            "pictures": [[1568, 105]],
            "structure": [["Document",
                "H1", "P", ["P", "Link"], "H2",
                ["L",
                    ["LI", "Lbl", ["LBody", "P", ["L", ["LI", "Lbl", ["LBody", "P"]]]]],
                    ["LI", "Lbl", ["LBody", "P"]]],
                ["Table", ["TR", "TH", "TH", "TH"], ["TR", "TD", "TD", "TD"]],
                "H3", ["BlockQuote", "P"], "Code", "Figure", ["Note", "Lbl", ["LBody", "P"]],
            ]],
        });
        for (key, expected) in report.as_object().unwrap() {
            assert_eq!(&others["report.pdf"][key], expected, "{key}");
        }
        let stones = &others["stones.pdf"];
        assert_eq!((&stones["size"], &stones["title"]), (&json!([612, 792]), &json!("Stones")));
        let second: Vec<String> = serde_json::from_value(stones["pages"][1].clone()).unwrap();
        assert_eq!(second[..2], ["No. Of", "36 stone"], "the heads stand on each page: {second:?}");
        assert_eq!(second[second.len() - 3..], ["50 stone", "Stones", "2 / 2"], "{second:?}");

        match scoped.files().detail(&agent.id, "report.pdf").await.unwrap().preview {
            FilePreview::Document { parts, whole: true, pages: 1 } => assert!(parts[0].text.contains("Moss grows")),
            preview => panic!("{preview:?}"),
        }
    })
    .await;
}

#[tokio::test]
async fn what_a_page_cannot_hold_or_show_is_said_and_the_hub_lives_on() {
    let deep = |mark: &str, depth: usize| {
        (0..depth).map(|at| format!("{}{mark} level {at}\n", "  ".repeat(at))).collect::<String>()
    };
    let texts = [
        (
            "rows.md",
            format!("| a | b |\n| - | - |\n{}", "| moss | 1 |\n".repeat(100_000)),
            "more than 300 pages",
        ),
        ("word.md", "m".repeat(200_000), "\"pages\":"),
        ("lists.md", deep("-", 500), "\"pages\":"),
        ("quotes.md", format!("{} deep\n", ">".repeat(20_000)), "\"pages\":1"),
        ("marks.md", format!("{}{}", "*".repeat(50_000), "[".repeat(50_000)), "\"pages\":"),
        (
            "columns.md",
            format!("|{}\n|{}\n|{}\n", "a|".repeat(300), "-|".repeat(300), "word|".repeat(300)),
            "\"pages\":",
        ),
        ("others.md", "שלום 🌱🌱 苔 \u{202e}moss\u{202c}".to_owned(), "letters stand as □"),
        ("bomb.md", "![Bomb](bomb.png) and after".to_owned(), "40000 × 40000 pixels"),
        ("text.md", "![Text](others.md)".to_owned(), "no picture"),
        ("none.md", "![None](none.png)".to_owned(), "There is no file /agent/none.png"),
        ("far.md", "![Far](https://example.org/a.png)".to_owned(), "pictures are taken out of files"),
        ("many.md", (0..60).map(|at| format!("![]({at}.png)\n")).collect(), "40 pictures at most"),
        ("empty.md", "\n\n".to_owned(), "\"pages\":1"),
    ];
    let endpoint = Endpoint::start();
    on_sqlite(async |world: World| {
        let (viewer, agent, talk) = reader(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        keep(&scoped, &agent, &[("bomb.png", BOMB)]).await;
        let mut asked: Vec<(&str, Value)> = Vec::new();
        for (name, text, _) in &texts {
            keep(&scoped, &agent, &[(*name, text.as_bytes())]).await;
            asked.push(("convert", json!({ "path": name, "to": name.replace(".md", ".pdf") })));
        }
        let results = calls(&scoped, &agent.id, &talk, &asked).await;
        for ((name, _, word), (is_error, told)) in texts.iter().zip(&results) {
            assert!(told.contains(word), "{name}: {word:?} is not in {told}");
            assert_eq!(*is_error, word.contains("300"), "{name}: {told}");
        }
        let none = json!({ "text": "a", "from": "markdown", "format": "pdf" });
        let html = json!({ "text": "<h1>Moss</h1><p>grows</p>", "from": "html", "to": "moss.pdf" });
        let read = json!({ "path": "moss.pdf" });
        let results =
            calls(&scoped, &agent.id, &talk, &[("convert", none), ("convert", html), ("read", read)]).await;
        assert!(results[0].1.contains("a path that ends in .pdf"), "{results:?}");
        assert!(results[2].1.contains("Moss\\ngrows"), "{results:?}");
    })
    .await;
}
