//! ODT, ODP, RTF and EPUB: what an agent reads of them, and what it is told of those that are locked or have macros.

use super::{keep, reader};
use crate::archives::zipped::Zipped;
use crate::talk::calls;
use crate::world::{Endpoint, World, on_sqlite};
use serde_json::{Value, json};

/// A presentation in one file, which is the content of an ODP.
const DECK: &[u8] = include_bytes!("../fixtures/documents/office/deck.fodp");

/// With this as its content.
pub fn open_document(content: &[u8]) -> Zipped {
    Zipped::new().with("META-INF/manifest.xml", b"<manifest:manifest/>").with("content.xml", content)
}

pub fn text(body: &str) -> Vec<u8> {
    format!(
        "<office:document-content><office:body><office:text>{body}</office:text></office:body>\
         </office:document-content>"
    )
    .into_bytes()
}

/// A book whose list is called so, with these chapters.
pub fn book(list: &str, chapters: &[&str]) -> Vec<u8> {
    let container = format!("<container><rootfiles><rootfile full-path=\"{list}\"/></rootfiles></container>");
    let numbers = 1..=chapters.len();
    let files: String = numbers
        .clone()
        .map(|number| format!("<item id=\"c{number}\" href=\"text/c{number}.xhtml\"/>"))
        .collect();
    let order: String = numbers.map(|number| format!("<itemref idref=\"c{number}\"/>")).collect();
    let package = format!(
        "<package><metadata><dc:title>On moss</dc:title><dc:creator>Ada</dc:creator></metadata>\
         <manifest>{files}</manifest><spine>{order}</spine></package>"
    );
    let zipped = Zipped::new()
        .with("mimetype", b"application/epub+zip")
        .with("META-INF/container.xml", container.as_bytes())
        .with("OEBPS/book.opf", package.as_bytes());
    let chapters = (1..).zip(chapters);
    let zipped = chapters.fold(zipped, |zipped, (number, chapter)| {
        zipped.with(&format!("OEBPS/text/c{number}.xhtml"), chapter.as_bytes())
    });
    zipped.bytes()
}

#[tokio::test]
async fn texts_decks_and_books_of_open_formats_are_read_by_their_parts() {
    let letter = text(
        "<text:h text:outline-level=\"1\">On moss</text:h><text:p>It grows &amp; grows.</text:p>\
         <table:table><table:table-row><table:table-cell><text:p>Kind</text:p></table:table-cell></table:table-row>\
         <table:table-row><table:table-cell><text:p>Star moss</text:p></table:table-cell></table:table-row>\
         </table:table>",
    );
    let chapter = |title: &str, words: &str| {
        format!(
            "<html xmlns=\"http://www.w3.org/1999/xhtml\"><head><title/></head><body><h1>{title}</h1>\
             <p>{words}</p></body></html>"
        )
    };
    let chapters = [chapter("Where", "In the shade."), chapter("When", "In May.")];
    let files: [(&str, Vec<u8>); 6] = [
        ("letter.odt", open_document(&letter).bytes()),
        ("macros.odt", open_document(&letter).with("Basic/script-lc.xml", b"<library/>").bytes()),
        ("deck.odp", open_document(DECK).bytes()),
        (
            "letter.rtf",
            br"{\rtf1\ansi\pard\outlinelevel0 On moss\par\pard It grows {\b slowly}.\par}".to_vec(),
        ),
        ("letter.doc", br"{\rtf1\ansi It is RTF.\par}".to_vec()),
        ("book.epub", book("OEBPS/book.opf", &chapters.each_ref().map(String::as_str))),
    ];
    let read: [(Value, &[&str]); 8] = [
        (
            json!({ "path": "letter.odt" }),
            &["# On moss\n\nIt grows & grows.\n\n| Kind |\n| --- |\n| Star moss |"],
        ),
        (json!({ "path": "macros.odt" }), &["It has macros. They were not read"]),
        (
            json!({ "path": "deck.odp" }),
            &[
                "## Slide 1 of 2\n\n### On moss\n\n- On stones\n- In bogs\n\n> **Notes:**\n> Speak slowly",
                "## Slide 2 of 2\n\n### Where",
            ],
        ),
        (json!({ "path": "letter.rtf" }), &["# On moss\n\nIt grows slowly."]),
        (json!({ "path": "letter.rtf", "pages": "1" }), &["has no pages of its own"]),
        (json!({ "path": "letter.doc" }), &["It is RTF."]),
        (
            json!({ "path": "book.epub", "pages": "1" }),
            &["## Chapter 1 of 2\n\n# On moss\n\nBy Ada", "In the shade.", "the chapters 1 to 1 of 2"],
        ),
        (json!({ "path": "book.epub", "pages": "2" }), &["## Chapter 2 of 2", "In May."]),
    ];
    let endpoint = Endpoint::start();
    on_sqlite(async |world: World| {
        let (viewer, agent, talk) = reader(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        for (name, bytes) in &files {
            keep(&scoped, &agent, &[(*name, bytes.as_slice())]).await;
        }
        let asked: Vec<(&str, Value)> = read.iter().map(|(input, _)| ("read", input.clone())).collect();
        let results = calls(&scoped, &agent.id, &talk, &asked).await;
        for ((input, has), (_, result)) in read.iter().zip(&results) {
            let told: Value = serde_json::from_str(result).unwrap_or_else(|_| json!({ "text": result }));
            let text = told["text"].as_str().unwrap_or(result);
            let text = format!("{text}\n{}\n{}", told["more"], told["note"]);
            for part in *has {
                assert!(text.contains(part), "{input}: {part:?} is not in {text}");
            }
        }
    })
    .await;
}
