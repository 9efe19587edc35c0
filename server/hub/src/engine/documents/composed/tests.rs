use super::*;
use crate::documents::{blocks, slides};
use crate::engine::documents::read;
use crate::engine::job::{DocumentFile, DocumentKind, Paper, Wanted};
use proptest::prelude::*;
use serde_json::{Value, json};

fn made(parts: Parts, kind: DocumentKind) -> Vec<String> {
    let paper = Paper::A4;
    let draft = PartsDraft {
        parts,
        title: None,
        author: None,
        is_pdf: false,
        paper,
        pictures: Vec::new(),
        tables: Vec::new(),
    };
    let bytes = make(&draft).unwrap().bytes;
    let text = read(&DocumentFile { kind, bytes, wanted: Wanted::default() }).unwrap();
    text.parts.into_iter().map(|part| part.text).collect()
}

/// As it stands in Markdown with nothing to escape.
fn words() -> impl Strategy<Value = String> {
    prop::collection::vec("[a-zäßж]{1,8}", 1..5).prop_map(|words| words.join(" "))
}

fn rows(columns: usize) -> impl Strategy<Value = Vec<Vec<String>>> {
    prop::collection::vec(prop::collection::vec(words(), columns), 1..4)
}

fn markdown_of(rows: &[Vec<String>]) -> String {
    let line = |row: &Vec<String>| format!("| {} |", row.join(" | "));
    let mut lines: Vec<String> = rows.iter().map(line).collect();
    lines.insert(1, format!("|{}", " --- |".repeat(rows[0].len())));
    lines.join("\n")
}

/// A block and what it reads as, without what marks letters as bold.
fn block() -> impl Strategy<Value = (Value, String)> {
    prop_oneof![
        (words(), 1..=6_usize).prop_map(|(text, level)| {
            let expected = format!("{} {text}", "#".repeat(level));
            (json!({ "type": "heading", "text": text, "level": level }), expected)
        }),
        words().prop_map(|text| (json!({ "type": "paragraph", "text": text.clone() }), text)),
        (words(), words()).prop_map(|(first, second)| {
            let runs = json!([{ "text": first.clone(), "bold": true }, " ", second.clone()]);
            (json!({ "type": "paragraph", "text": runs }), format!("{first} {second}"))
        }),
        prop::collection::vec(words(), 1..4).prop_map(|items| {
            let lines: Vec<String> = items.iter().map(|item| format!("- {item}")).collect();
            (json!({ "type": "list", "items": items }), lines.join("\n"))
        }),
        (1..4_usize).prop_flat_map(rows).prop_map(|rows| {
            (json!({ "type": "table", "header": &rows[0], "rows": &rows[1..] }), markdown_of(&rows))
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn what_blocks_say_is_read_again(all in prop::collection::vec(block(), 1..8)) {
        let (written, expected): (Vec<Value>, Vec<String>) = all.into_iter().unzip();
        let text = made(blocks(&Value::Array(written), None).unwrap(), DocumentKind::Docx).join("\n");
        let lines = |text: &str| -> Vec<String> {
            let lines = text.replace("**", "").lines().map(|line| line.trim().to_owned()).collect::<Vec<_>>();
            lines.into_iter().filter(|line| !line.is_empty()).collect()
        };
        prop_assert_eq!(lines(&text), lines(&expected.join("\n")), "{}", text);
    }

    #[test]
    fn what_slides_say_is_read_again(
        all in prop::collection::vec((words(), prop::collection::vec(words(), 1..4), rows(2), words()), 1..5),
    ) {
        let slide = |(title, bullets, rows, notes): &(String, Vec<String>, Vec<Vec<String>>, String)| {
            let table = json!({ "header": &rows[0], "rows": &rows[1..] });
            json!({ "title": title, "bullets": bullets, "table": table, "notes": notes })
        };
        let written: Vec<Value> = all.iter().map(slide).collect();
        let read = made(slides(&Value::Array(written), None).unwrap(), DocumentKind::Pptx);
        prop_assert_eq!(read.len(), all.len());
        for (text, (title, bullets, rows, notes)) in read.iter().zip(&all) {
            let text = text.replace("**", "");
            let bullets: Vec<String> = bullets.iter().map(|bullet| format!("- {bullet}")).collect();
            for part in [format!("### {title}"), bullets.join("\n"), markdown_of(rows), format!("> {notes}")] {
                prop_assert!(text.contains(&part), "{:?} is not in {}", part, text);
            }
        }
    }
}

#[test]
fn what_a_chart_shows_is_read_again() {
    let rows = json!([["Star", 3], ["Peat", 5.5]]);
    let chart = json!({ "kind": "bar", "title": "Mosses", "columns": ["Kind", "Count"], "rows": rows });
    let mut block = chart.clone();
    block["type"] = "chart".into();
    let letter = made(blocks(&json!([block]), None).unwrap(), DocumentKind::Docx);
    let deck =
        made(slides(&json!([{ "title": "Counts", "chart": chart }]), None).unwrap(), DocumentKind::Pptx);
    for text in letter.iter().chain(&deck) {
        for line in ["Title: Mosses", "Categories: Star, Peat", "Count: 3, 5.5"] {
            assert!(text.contains(line), "{line:?} is not in {text:?}");
        }
    }
}
