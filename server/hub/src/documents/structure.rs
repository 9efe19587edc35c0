//! What models write of a document's parts: read, with the place of what is wrong in each answer, and held within
//! what a document may have.

mod block;
mod limits;
mod names;
mod place;
mod slide;
mod table;

pub(crate) use names::{Named, names};

use crate::engine::structure::{Block, Look, Page, Parts, Slide};
use limits::Limits;
use place::read;
use serde_json::Value;

/// Of an array, of which each is a block.
pub(crate) fn blocks(value: &Value, layout: Option<&Value>) -> Result<Parts, String> {
    let page: Page = read("layout", &of_object(layout))?;
    let values = array("blocks", value)?;
    let mut limits = Limits::of_blocks(values.len())?;
    for (name, line) in [("header", &page.header), ("footer", &page.footer)] {
        if line.as_ref().is_some_and(|line| line.contains(['\n', '\r'])) {
            return Err(format!("layout.{name} is one line."));
        }
        limits.text(&format!("layout.{name}"), line.as_ref().map_or(0, String::len), 1)?;
    }
    let blocks =
        values.iter().enumerate().map(|(at, value)| block::read_one(&format!("blocks[{at}]"), value));
    let blocks: Vec<Block> = blocks.collect::<Result<_, String>>()?;
    for (at, block) in blocks.iter().enumerate() {
        block::check(&format!("blocks[{at}]"), block, &mut limits)?;
    }
    block::check_contents(&blocks)?;
    Ok(Parts::Blocks { blocks, page })
}

/// Of an array, of which each is a slide.
pub(crate) fn slides(value: &Value, layout: Option<&Value>) -> Result<Parts, String> {
    let look: Look = read("layout", &of_object(layout))?;
    slide::check_look(&look)?;
    let values = array("slides", value)?;
    let mut limits = Limits::of_slides(values.len())?;
    let slides = values.iter().enumerate().map(|(at, value)| read(&format!("slides[{at}]"), value));
    let slides: Vec<Slide> = slides.collect::<Result<_, String>>()?;
    for (at, slide) in slides.iter().enumerate() {
        slide::check(&format!("slides[{at}]"), slide, &mut limits)?;
    }
    Ok(Parts::Slides { slides, look })
}

fn of_object(layout: Option<&Value>) -> Value {
    layout
        .filter(|layout| !layout.is_null())
        .cloned()
        .unwrap_or_else(|| Value::Object(serde_json::Map::new()))
}

fn array<'v>(name: &str, value: &'v Value) -> Result<&'v [Value], String> {
    match value.as_array() {
        Some(values) if !values.is_empty() => Ok(values),
        Some(_) => Err(format!("{name} is empty. Give at least one.")),
        None => Err(format!("{name} is a list: [{{…}}, {{…}}].")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn more_than_a_document_has_is_told_with_how_many_there_are() {
        let block = json!({ "type": "page_break" });
        let slide = json!({ "title": "x" });
        for (why, expected) in [
            (
                blocks(&json!(vec![block; 2_001]), None).map(|_| ()),
                "blocks: with it there are 2001 blocks. A document has 2000 at most.",
            ),
            (
                slides(&json!(vec![slide; 251]), None).map(|_| ()),
                "slides: with it there are 251 slides. A document has 250 at most.",
            ),
        ] {
            assert!(why.unwrap_err().starts_with(expected), "{expected}");
        }
    }

    #[test]
    fn whatever_a_document_says_counts_as_its_text() {
        let long = "a".repeat(2 * 1024 * 1024 + 1);
        let link = format!("https://example.org/{long}");
        let chart = |field: &str, value: Value| {
            let mut chart = json!({ "type": "chart", "kind": "bar", "columns": ["a"], "rows": [] });
            chart[field] = value;
            chart
        };
        for (block, layout, place) in [
            (
                json!({ "type": "paragraph", "text": { "text": "x", "link": link } }),
                json!({}),
                "blocks[0].text[0]",
            ),
            (json!({ "type": "quote", "text": "x", "by": long }), json!({}), "blocks[0].by"),
            (json!({ "type": "contents", "title": long }), json!({}), "blocks[0].title"),
            (chart("title", json!(long)), json!({}), "blocks[0]"),
            (chart("columns", json!([long])), json!({}), "blocks[0]"),
            (chart("rows", json!([[1, long]])), json!({}), "blocks[0]"),
            (chart("y", json!([long])), json!({}), "blocks[0]"),
            (json!({ "type": "page_break" }), json!({ "header": long }), "layout.header"),
            (json!({ "type": "page_break" }), json!({ "footer": long }), "layout.footer"),
        ] {
            let why = blocks(&json!([block]), Some(&layout)).map(|_| ()).unwrap_err();
            assert!(
                why.starts_with(&format!("{place}: ")) && why.contains("bytes of text"),
                "{place}: {why}"
            );
        }
    }
}
