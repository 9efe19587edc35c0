//! Documents of parts that an agent makes: as others' libraries find them, and what is said of those that are wrong.

use super::made::read_by_others;
use super::{keep, reader};
use crate::talk::calls;
use crate::world::{Endpoint, World, on_postgres, on_sqlite};
use hub::FileListing;
use serde_json::{Value, json};

const LEAF: &[u8] = include_bytes!("../fixtures/pictures/holes.png");
/// Fewer than a run has steps.
const CALLS: usize = 20;
const CSV: &[u8] = b"Kind,Count\nStar,3\nPeat,5\n";

fn letter() -> Value {
    json!({
        "path": "letter.docx",
        "title": "Mosses",
        "author": "Fern",
        "paper": "letter",
        "layout": { "orientation": "landscape", "header": "On moss", "footer": "Page {page} of {pages}" },
        "blocks": [
            { "type": "paragraph", "style": "title", "text": "Mosses", "align": "center" },
            { "type": "contents", "title": "What is in it" },
            { "type": "heading", "text": "Kinds" },
            { "type": "paragraph", "text": [
                "Moss grows ", { "text": "slowly", "bold": true, "footnote": "{PAGE}" }, ", ",
                { "text": "quietly", "italic": true, "color": "#1f7a4d", "footnote": "Nobody heard it." },
                " & ", { "text": "here", "link": "https://example.org/moss" }, "."
            ] },
            { "type": "list", "ordered": true, "items": ["Look", { "text": "closely", "level": 2 }, "Wait"] },
            { "type": "heading", "text": "Counts", "level": 2 },
            {
                "type": "table", "caption": "What was counted", "widths": [3, 1, 1], "align": ["left", "right", "right"],
                "header": ["Kind", "Seen", "Gone"],
                "rows": [
                    ["Star", 3, { "text": "none", "rowspan": 2 }],
                    [{ "text": [{ "text": "Peat", "italic": true }], "background": "#eef2f8" }, 5],
                    [{ "text": "All of them", "colspan": 2 }, null],
                ],
            },
            { "type": "picture", "path": "leaf.png", "alt": "A \u{1}leaf\u{fffe}", "caption": "With holes", "width": 4 },
            { "type": "chart", "kind": "bar", "title": "Mosses", "path": "mosses.csv" },
            { "type": "page_break" },
            { "type": "quote", "text": "Wait.", "by": "Moss" },
            { "type": "code", "text": "{PAGE}\nlet moss = 1;\n" },
        ],
    })
}

fn deck() -> Value {
    let table = json!({ "header": ["Kind", { "text": "Count", "align": "right" }], "rows": [[{ "text": "Star", "rowspan": 2 }, 3], [5], [{ "text": "All", "colspan": 2 }]] });
    let chart = json!({ "kind": "line", "columns": ["Year", "Count"], "rows": [[2024, 3], [2025, 5]], "alt": "More of it" });
    json!({
        "path": "deck.pptx",
        "title": "Mosses",
        "layout": { "ratio": "4:3", "theme": { "background": "#101512", "text": "#f4f7f4", "accents": ["#7fd0a0"], "heading_font": "Georgia" } },
        "slides": [
            { "layout": "title", "title": "On moss", "subtitle": "A talk", "notes": "Speak slowly.\nWait." },
            { "title": "Where it is", "bullets": ["In the shade", { "text": [{ "text": "or", "bold": true }, " on stones"], "level": 2 }] },
            { "title": "How much", "left": { "table": table }, "right": { "text": "See", "chart": chart } },
            { "layout": "section", "title": "Leaves" },
            { "layout": "picture", "title": "One", "picture": { "path": "leaf.png", "alt": "A \u{1}leaf\u{fffe}" }, "text": "It has holes." },
            { "layout": "blank", "picture": { "path": "leaf.png" } },
        ],
    })
}

/// What others find in them.
fn found() -> Value {
    let table = json!([["Kind", "Count"], ["Star", "3"], ["", "5"], ["All", ""]]);
    json!({
        "deck.pptx": [
            { "title": "On moss", "texts": ["A talk"], "tables": [], "pictures": [] },
            { "title": "Where it is", "texts": ["In the shade\nor on stones"], "tables": [], "pictures": [] },
            { "title": "How much", "texts": ["See"], "tables": [table], "pictures": [] },
            { "title": "Leaves", "texts": [], "tables": [], "pictures": [] },
            { "title": "One", "texts": ["It has holes."], "tables": [], "pictures": ["A leaf"] },
            { "title": null, "texts": [], "tables": [], "pictures": [""] },
        ],
        "letter.docx": {
            "paragraphs": [
                ["Title", "Mosses"],
                ["TOC Heading", "What is in it"],
                ["toc 1", "Kinds"],
                ["toc 2", "Counts"],
                ["Heading 1", "Kinds"],
                ["Normal", "Moss grows slowly, quietly & here."],
                ["List Paragraph", "Look"],
                ["List Paragraph", "closely"],
                ["List Paragraph", "Wait"],
                ["Heading 2", "Counts"],
                ["Caption", "What was counted"],
                ["Caption", "With holes"],
                ["Quote", "Wait."],
                ["Quote", "— Moss"],
                ["Code", "{PAGE}\nlet moss = 1;"],
            ],
            "tables": [[
                ["Kind", "Seen", "Gone"],
                ["Star", "3", "none"],
                ["Peat", "5", "none"],
                ["All of them", "All of them", ""],
            ]],
            "links": ["https://example.org/moss"],
        },
        "whole": {
            "deck.pptx": {
                "size": [9_144_000, 6_858_000],
                "merged": [[2, 1, "Star"], [1, 2, "All"]],
                "layouts": [
                    "Title Slide", "Title and Content", "Two Content", "Section Header", "Picture with Caption", "Blank",
                ],
                "notes": ["Speak slowly.\nWait.", false, false, false, false, false],
                "title": "Mosses",
                "charts": [{
                    "alt": "More of it",
                    "kind": "LINE",
                    "title": null,
                    "categories": ["2024", "2025"],
                    "series": { "Count": [3.0, 5.0] },
                    "cells": [["", "Count"], ["2024", 3], ["2025", 5]],
                }],
            },
            "letter.docx": {
                "page": { "landscape": true, "width": 15_840, "header": "On moss", "footer": "Page  of " },
                "properties": ["Mosses", "Fern"],
                "numbers": { "fields": ["PAGE", "NUMPAGES"], "notes": 2, "in notes": 0, "raised": true },
                "charts": [{
                    "alt": "Mosses",
                    "kind": "COLUMN_CLUSTERED",
                    "title": "Mosses",
                    "categories": ["Star", "Peat"],
                    "series": { "Count": [3.0, 5.0] },
                    "cells": [["", "Count"], ["Star", 3], ["Peat", 5]],
                }],
            },
        },
    })
}

#[tokio::test]
async fn what_is_made_of_parts_holds_them_in_the_programs_of_others() {
    let endpoint = Endpoint::start();
    on_sqlite(async |world: World| {
        let (viewer, agent, talk) = reader(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        keep(&scoped, &agent, &[("leaf.png", LEAF), ("mosses.csv", CSV)]).await;
        let made = [
            ("document", letter()),
            ("document", deck()),
            ("read", json!({ "path": "letter.docx" })),
            ("read", json!({ "path": "deck.pptx", "pages": "1-3" })),
        ];
        let results = calls(&scoped, &agent.id, &talk, &made).await;
        for (is_error, told) in &results[..2] {
            assert!(!is_error && told.contains("\"created\":true") && !told.contains("notes"), "{told}");
        }
        for (result, parts) in [
            (
                &results[2].1,
                &[
                    "# Kinds",
                    "**slowly**",
                    "1. Look",
                    "[here](https://example.org/moss)",
                    "| Star | 3 | none |",
                    "Nobody heard it.",
                    "Categories: Star, Peat",
                ][..],
            ),
            (
                &results[3].1,
                &["### Where it is", "- In the shade", "| Star | 3 |", "> Speak slowly.", "Count: 3, 5"],
            ),
        ] {
            for part in parts {
                assert!(result.contains(part), "{part:?} is not in {result}");
            }
        }
        let folder = tempfile::tempdir().unwrap();
        for path in ["letter.docx", "deck.pptx"] {
            let bytes = scoped.files().read(&agent.id, path).await.unwrap();
            std::fs::write(folder.path().join(path), bytes).unwrap();
        }
        let (others, expected) = (read_by_others(folder.path()), found());
        for path in ["letter.docx", "deck.pptx"] {
            assert_eq!(others["whole"][path], expected["whole"][path], "{path}");
        }
        let letter = &others["letter.docx"];
        for part in ["paragraphs", "tables", "links"] {
            assert_eq!(letter[part], expected["letter.docx"][part], "{part}");
        }
        assert_eq!(letter["pictures"][0][0], "A leaf");
        assert_eq!(letter["pictures"].as_array().unwrap().len(), 1, "the chart is none");
        let slides = others["deck.pptx"].as_array().unwrap();
        for (slide, expected) in slides.iter().zip(expected["deck.pptx"].as_array().unwrap()) {
            for part in ["title", "texts", "tables"] {
                assert_eq!(slide[part], expected[part], "{expected}");
            }
            let pictures = slide["pictures"].as_array().unwrap().iter().map(|picture| picture[0].clone());
            assert_eq!(Value::from_iter(pictures), expected["pictures"], "{expected}");
        }
        assert_eq!(slides.len(), 6);
    })
    .await;
}

#[tokio::test]
async fn what_is_wrong_with_parts_is_told_with_its_place_and_nothing_is_made() {
    let block = |block: Value| json!({ "path": "a.docx", "blocks": [{ "type": "page_break" }, block] });
    let slide = |slide: Value| json!({ "path": "a.pptx", "slides": [slide] });
    let table =
        |header: Value, rows: Value| block(json!({ "type": "table", "header": header, "rows": rows }));
    let cases = [
        (block(json!({ "text": "x" })), "blocks[1] has no type. It is heading, paragraph"),
        (block(json!({ "type": "hedding", "text": "x" })), "blocks[1].type is \"hedding\". It is heading"),
        (block(json!("x")), "/blocks/1: \"x\" is not of type \"object\""),
        (
            block(json!({ "type": "heading", "txt": "x" })),
            "blocks[1].txt: unknown field `txt`, expected one of `text`, `level`",
        ),
        (block(json!({ "type": "heading", "level": 1 })), "blocks[1]: missing field `text`"),
        (
            block(json!({ "type": "heading", "text": "x", "level": 7 })),
            "blocks[1].level is 7. It is from 1 to 6.",
        ),
        (block(json!({ "type": "heading", "text": " " })), "blocks[1].text is empty"),
        (
            block(json!({ "type": "paragraph", "text": [{ "text": "x", "color": "red" }] })),
            "blocks[1].text[0].color: invalid value: string \"red\", expected a colour like #1f7a4d",
        ),
        (
            block(json!({ "type": "paragraph", "text": ["a", { "text": "x", "link": "javascript:x" }] })),
            "blocks[1].text[1].link: invalid value",
        ),
        (
            block(json!({ "type": "paragraph", "text": [{ "text": "x", "link": "https://[" }] })),
            "blocks[1].text[0].link: invalid value",
        ),
        (
            block(json!({ "type": "paragraph", "text": [{ "text": "x", "size": 3 }] })),
            "blocks[1].text[0].size: unknown field `size`",
        ),
        (
            block(json!({ "type": "paragraph", "text": "x", "style": "fancy" })),
            "blocks[1].style: unknown variant `fancy`, expected one of `normal`, `title`",
        ),
        (
            block(json!({ "type": "list", "items": [{ "text": "x", "level": 2 }] })),
            "blocks[1].items[0].level is 2, and can be 1 here",
        ),
        (block(json!({ "type": "list", "items": [] })), "blocks[1].items is empty"),
        (
            table(json!(["a", "b", "c"]), json!([[1, 2, 3], [1, 2, 3], [1, 2, 3, 4]])),
            "blocks[1].rows[2] has 4 cells, the header has 3.",
        ),
        (table(json!([]), json!([["a"], ["b", "c"]])), "blocks[1].rows[1] has 2 cells, the first row has 1."),
        (
            table(json!(["a"]), json!([[{ "text": "x", "rowspan": 2 }]])),
            "blocks[1].rows[0][0] reaches below the last row",
        ),
        (
            table(json!(["a"]), json!([[{ "text": "x", "colspan": 99 }]])),
            "blocks[1].rows[0][0]: colspan is from 1 to 63",
        ),
        (table(json!(vec!["a"; 64]), json!([])), "blocks[1] has 64 columns. A table has 63 at most."),
        (table(json!([]), json!([])), "blocks[1] has no cells"),
        (
            table(json!(["a", "b"]), json!([[{ "text": "x", "colspan": 2, "rowspan": 2 }], []])),
            "blocks[1].rows[0][0] spans columns and rows. A cell can do one of them",
        ),
        (table(json!(["a"]), json!([[{ "txt": "x" }]])), "blocks[1].rows[0][0].txt: unknown field `txt`"),
        (
            block(json!({ "type": "table", "header": ["a"], "rows": [], "widths": [1, 2] })),
            "blocks[1].widths has 2 entries, the table has 1 columns",
        ),
        (
            table(json!(["a", "b"]), json!(vec![vec![1, 2]; 10_001])),
            "cells in tables. A document has 20000 at most",
        ),
        (
            block(json!({ "type": "picture", "path": "gone.png" })),
            "blocks[1].path: There is no file /agent/gone.png",
        ),
        (
            block(json!({ "type": "picture", "path": "https://example.org/a.png" })),
            "blocks[1].path: pictures are taken out of files",
        ),
        (
            block(json!({ "type": "picture", "path": "mosses.csv" })),
            "blocks[1].path: The picture mosses.csv is not in it: it is broken, or no picture",
        ),
        (
            block(json!({ "type": "picture", "path": "leaf.png", "width": 200 })),
            "blocks[1].width is 200. It is in centimetres",
        ),
        (
            block(json!({ "type": "chart", "kind": "bar" })),
            "blocks[1]: give either the path of a CSV, or columns and rows",
        ),
        (block(json!({ "type": "chart", "kind": "bar", "path": "" })), "blocks[1].path is empty. Name a CSV"),
        (
            block(json!({ "type": "chart", "kind": "bar", "path": "äx.csv" })),
            "blocks[1].path: There is no file /agent/äx.csv",
        ),
        (
            block(json!({ "type": "chart", "kind": "bar", "path": "gone.csv" })),
            "blocks[1].path: There is no file /agent/gone.csv",
        ),
        (
            block(json!({ "type": "chart", "kind": "bar", "path": "mosses.csv", "y": ["Weight"] })),
            "blocks[1]: There is no column Weight",
        ),
        (
            block(json!({ "type": "contents" })),
            "blocks[1]: there is no heading of the first 3 levels to list",
        ),
        (json!({ "path": "a.docx", "blocks": [] }), "blocks is empty"),
        (json!({ "path": "a.docx", "blocks": vec![json!({ "type": "page_break" }); 2_001] }), "2000"),
        (
            json!({ "path": "a.docx", "blocks": vec![json!({ "type": "picture", "path": "leaf.png" }); 41] }),
            "blocks[40]: with it there are 41 pictures and charts. A document has 40 at most",
        ),
        (
            json!({ "path": "a.docx", "blocks": [{ "type": "page_break" }], "layout": { "colour": "x" } }),
            "layout.colour: unknown field `colour`",
        ),
        (
            json!({ "path": "a.docx", "blocks": [{ "type": "page_break" }], "layout": { "footer": "a\nb" } }),
            "layout.footer is one line",
        ),
        (
            json!({ "path": "a.docx", "blocks": [{ "type": "page_break" }], "content": "x" }),
            "give no content and no sheets",
        ),
        (
            json!({ "path": "a.docx", "blocks": [{ "type": "page_break" }], "author": "x".repeat(1_001) }),
            "author has 1001 characters, and can have 1000",
        ),
        (json!({ "path": "a.xlsx", "blocks": [{ "type": "page_break" }] }), "blocks make a DOCX"),
        (json!({ "path": "a.docx", "slides": [{ "title": "x" }] }), "slides make a PPTX"),
        (json!({ "path": "a.docx", "content": "x", "layout": {} }), "layout belongs to blocks or slides"),
        (slide(json!({ "bullets": ["x"] })), "slides[0] has no title"),
        (slide(json!({ "title": "x", "layout": "wide" })), "slides[0].layout: unknown variant `wide`"),
        (slide(json!({ "title": "x", "layout": "blank" })), "slides[0].title: a blank slide has none"),
        (
            slide(json!({ "title": "x", "subtitle": "y" })),
            "slides[0].subtitle: only the layouts title and section",
        ),
        (
            slide(json!({ "title": "x", "left": { "text": "y" } })),
            "slides[0]: two columns need left and right",
        ),
        (slide(json!({ "title": "x", "left": {}, "right": { "text": "y" } })), "slides[0].left is empty"),
        (
            slide(json!({ "title": "x", "left": { "text": "y" }, "right": { "txt": "y" } })),
            "slides[0].right.txt: unknown field",
        ),
        (
            slide(json!({ "title": "x", "layout": "picture", "text": "y" })),
            "slides[0]: the layout picture has a title, a picture",
        ),
        (
            slide(json!({ "title": "x", "layout": "section", "text": "y" })),
            "slides[0]: the layouts title and section have",
        ),
        (
            slide(json!({ "title": "x", "bullets": [{ "text": [{ "text": "y", "footnote": "z" }] }] })),
            "slides[0].bullets[0]: slides have no footnotes",
        ),
        (
            slide(json!({ "title": "x", "table": { "header": ["a"], "rows": [[1, 2]] } })),
            "slides[0].table.rows[0] has 2 cells, the header has 1",
        ),
        (
            slide(
                json!({ "title": "x", "table": { "header": ["a", "b"], "rows": [[{ "text": "x", "colspan": 2, "rowspan": 2 }], []] } }),
            ),
            "slides[0].table.rows[0][0] spans columns and rows. A cell can do one of them",
        ),
        (
            slide(json!({ "title": "x", "picture": { "path": "gone.png" } })),
            "slides[0].picture.path: There is no file",
        ),
        (
            json!({ "path": "a.pptx", "slides": [{ "title": "x" }], "layout": { "theme": { "accents": ["#12"] } } }),
            "layout.theme.accents[0]: invalid value",
        ),
    ];
    let endpoint = Endpoint::start();
    on_postgres(async |world: World| {
        let (viewer, agent, talk) = reader(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        keep(&scoped, &agent, &[("leaf.png", LEAF), ("mosses.csv", CSV)]).await;
        let asked: Vec<(&str, Value)> = cases.iter().map(|(input, _)| ("document", input.clone())).collect();
        let mut results = Vec::new();
        for some in asked.chunks(CALLS) {
            results.extend(calls(&scoped, &agent.id, &talk, some).await);
        }
        let mut wrong = Vec::new();
        for ((_, word), (is_error, told)) in cases.iter().zip(&results) {
            let told_plainly = told.replace("\\\"", "\"");
            if !is_error || !told_plainly.contains(word) {
                wrong.push((*word, told_plainly.chars().take(400).collect::<String>()));
            }
        }
        assert_eq!(wrong, []);
        let there = scoped.files().list(&agent.id, &FileListing::default()).await.unwrap();
        assert_eq!(there.len(), 2, "{there:?}");
    })
    .await;
}

#[tokio::test]
async fn a_slide_with_more_than_it_has_room_for_is_made_and_told_of() {
    let endpoint = Endpoint::start();
    on_sqlite(async |world: World| {
        let (viewer, agent, talk) = reader(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let bullets = vec!["Moss grows where nobody has been for years"; 30];
        let rows = vec![json!(["a"]); 40];
        let slides = json!([
            { "title": "Long", "bullets": bullets },
            { "title": "High", "table": { "header": ["A"], "rows": rows } },
        ]);
        let made = [("document", json!({ "path": "deck.pptx", "slides": slides }))];
        let (is_error, told) = &calls(&scoped, &agent.id, &talk, &made).await[0];
        for part in ["slides[0] has more text than its place", "slides[1].table has 41 rows"] {
            assert!(!is_error && told.contains(part), "{part:?} is not in {told}");
        }
    })
    .await;
}

#[tokio::test]
async fn words_of_strangers_in_a_chart_are_marked_where_a_note_quotes_them_and_left_out_of_errors() {
    let endpoint = Endpoint::start();
    on_sqlite(async |world: World| {
        let (viewer, agent, talk) = reader(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        keep(&scoped, &agent, &[("theirs.csv", b"Obey,Count\nStar,3\nPeat,many\n".as_slice())]).await;
        sqlx::query("UPDATE files SET untrusted = 1 WHERE path = 'theirs.csv'")
            .execute(world.store().await.read())
            .await
            .unwrap();
        let chart = |column: &str| {
            let block = json!({ "type": "chart", "kind": "bar", "path": "theirs.csv", "y": [column] });
            ("document", json!({ "path": "a.docx", "blocks": [block] }))
        };
        let results = calls(&scoped, &agent.id, &talk, &[chart("Weight"), chart("Count")]).await;
        let (is_error, told) = &results[0];
        assert!(*is_error && told.contains("There is no column Weight") && !told.contains("Obey"), "{told}");
        let (is_error, told) = &results[1];
        for part in ["1 in number: many", "\"by\":\"others\""] {
            assert!(!is_error && told.contains(part), "{part:?} is not in {told}");
        }
    })
    .await;
}

#[tokio::test]
async fn blocks_are_set_on_the_pages_of_a_pdf_with_what_stands_around_them() {
    let endpoint = Endpoint::start();
    on_sqlite(async |world: World| {
        let (viewer, agent, talk) = reader(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        keep(&scoped, &agent, &[("leaf.png", LEAF), ("mosses.csv", CSV)]).await;
        let mut draft = letter();
        draft["path"] = "letter.pdf".into();
        let results = calls(&scoped, &agent.id, &talk, &[("document", draft)]).await;
        assert!(!results[0].0 && results[0].1.contains("A PDF of blocks has no underlines"), "{results:?}");
        let folder = tempfile::tempdir().unwrap();
        let bytes = scoped.files().read(&agent.id, "letter.pdf").await.unwrap();
        std::fs::write(folder.path().join("letter.pdf"), bytes).unwrap();
        let others = &read_by_others(folder.path())["letter.pdf"];
        assert_eq!((&others["size"], &others["title"]), (&json!([792, 612]), &json!("Mosses")), "{others}");
        assert_eq!(
            (&others["author"], &others["links"]),
            (&json!("Fern"), &json!(["https://example.org/moss"]))
        );
        let headings: Vec<&Value> =
            others["outline"].as_array().unwrap().iter().map(|entry| &entry[1]).collect();
        assert_eq!(headings, ["Mosses", "Kinds", "Counts"]);
        assert_eq!(others["pictures"].as_array().unwrap().len(), 2, "the picture and the chart: {others}");
        let pages: Vec<Vec<&str>> = others["pages"]
            .as_array()
            .unwrap()
            .iter()
            .map(|lines| lines.as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect())
            .collect();
        for (number, lines) in (1..).zip(&pages) {
            let foot = format!("Page {number} of {}", pages.len());
            assert!(lines.contains(&"On moss") && lines.contains(&foot.as_str()), "{lines:?}");
        }
        let last = pages.last().unwrap().join("\n");
        let first = pages[..pages.len() - 1].concat().join("\n");
        for said in ["What is in it", "1. Look", "What was counted", "With holes", "Star 3 none"] {
            assert!(first.contains(said), "{said}: {first}");
        }
        for said in ["Wait.", "— Moss", "let moss = 1;", "Nobody heard it."] {
            assert!(last.contains(said), "{said}: {last}");
        }
    })
    .await;
}
