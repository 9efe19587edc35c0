//! Blocks of a model.

use super::limits::Limits;
use super::place::read;
use super::table;
use crate::engine::structure::{Block, ChartPart, Item, PicturePart, Words};
use serde_json::Value;

const KINDS: &str = "heading, paragraph, list, table, picture, chart, quote, code, page_break or contents";
/// Levels of headings and of lists.
const HEADINGS: u8 = 6;
pub(super) const LEVELS: u8 = 9;
/// Centimetres.
const WIDTHS: std::ops::RangeInclusive<f64> = 0.5..=60.0;

pub(super) fn read_one(place: &str, value: &Value) -> Result<Block, String> {
    let Some(fields) = value.as_object() else {
        return Err(format!("{place} is an object like {{\"type\": \"paragraph\", \"text\": \"Moss\"}}."));
    };
    let mut fields = fields.clone();
    let kind = match fields.remove("type") {
        Some(Value::String(kind)) => kind,
        Some(kind) => return Err(format!("{place}.type is {kind}. It is {KINDS}.")),
        None => return Err(format!("{place} has no type. It is {KINDS}.")),
    };
    let fields = Value::Object(fields);
    match kind.as_str() {
        "heading" => read(place, &fields).map(Block::Heading),
        "paragraph" => read(place, &fields).map(Block::Paragraph),
        "list" => read(place, &fields).map(Block::List),
        "table" => read(place, &fields).map(Block::Table),
        "picture" => read(place, &fields).map(Block::Picture),
        "chart" => read(place, &fields).map(Block::Chart),
        "quote" => read(place, &fields).map(Block::Quote),
        "code" => read(place, &fields).map(Block::Code),
        "page_break" => read(place, &fields).map(Block::PageBreak),
        "contents" => read(place, &fields).map(Block::Contents),
        other => Err(format!("{place}.type is {other:?}. It is {KINDS}.")),
    }
}

pub(super) fn check(place: &str, block: &Block, limits: &mut Limits) -> Result<(), String> {
    let text = format!("{place}.text");
    match block {
        Block::Heading(heading) => {
            level(place, heading.level, HEADINGS)?;
            needed(&text, &heading.text)?;
            words(&text, &heading.text, limits)
        }
        Block::Paragraph(paragraph) => words(&text, &paragraph.text, limits),
        Block::List(list) if list.items.is_empty() => Err(format!("{place}.items is empty.")),
        Block::List(list) => items(&format!("{place}.items"), &list.items, LEVELS, limits),
        Block::Table(table) => table::check(place, table, limits),
        Block::Picture(part) => picture(place, part, limits),
        Block::Chart(part) => chart(place, part, limits),
        Block::Quote(quote) => {
            words(&text, &quote.text, limits)?;
            limits.text(&format!("{place}.by"), quote.by.as_ref().map_or(0, String::len), 1)
        }
        Block::Code(code) => limits.text(&text, code.text.len(), code.text.lines().count()),
        Block::PageBreak(_) => Ok(()),
        Block::Contents(contents) => {
            level_of(&format!("{place}.levels"), contents.levels, HEADINGS)?;
            limits.text(&format!("{place}.title"), contents.title.as_ref().map_or(0, String::len), 1)
        }
    }
}

/// Headings are listed once, and there are some.
pub(super) fn check_contents(blocks: &[Block]) -> Result<(), String> {
    let mut listed = None;
    for (at, block) in blocks.iter().enumerate() {
        let Block::Contents(contents) = block else { continue };
        if let Some(first) = listed.replace(at) {
            return Err(format!(
                "blocks[{at}]: the contents stand at blocks[{first}] already. Give them once."
            ));
        }
        let is_listed = |block: &Block| matches!(block, Block::Heading(one) if one.level <= contents.levels);
        if !blocks.iter().any(is_listed) {
            return Err(format!(
                "blocks[{at}]: there is no heading of the first {} levels to list.",
                contents.levels
            ));
        }
    }
    Ok(())
}

pub(super) fn words(place: &str, words: &Words, limits: &mut Limits) -> Result<(), String> {
    for (at, run) in words.0.iter().enumerate() {
        let note = run.footnote.as_ref().map_or(0, String::len);
        let link = run.link.as_ref().map_or(0, |link| link.0.len());
        let bytes = run.text.len() + note + link;
        limits.text(&format!("{place}[{at}]"), bytes, 1 + run.text.lines().count())?;
    }
    Ok(())
}

pub(super) fn needed(place: &str, words: &Words) -> Result<(), String> {
    match words.is_empty() {
        true => Err(format!("{place} is empty.")),
        false => Ok(()),
    }
}

/// The points of a list, none more than a level below the one before it.
pub(super) fn items(place: &str, items: &[Item], most: u8, limits: &mut Limits) -> Result<(), String> {
    limits.items(place, items.len())?;
    let mut above = 0;
    for (at, item) in items.iter().enumerate() {
        let place = format!("{place}[{at}]");
        level(&place, item.level, most)?;
        if item.level > above + 1 {
            let most = above + 1;
            return Err(format!(
                "{place}.level is {}, and can be {most} here: what is above it has {above}.",
                item.level
            ));
        }
        above = item.level;
        needed(&place, &item.text)?;
        words(&place, &item.text, limits)?;
    }
    Ok(())
}

fn level(place: &str, level: u8, most: u8) -> Result<(), String> {
    level_of(&format!("{place}.level"), level, most)
}

fn level_of(place: &str, level: u8, most: u8) -> Result<(), String> {
    match (1..=most).contains(&level) {
        true => Ok(()),
        false => Err(format!("{place} is {level}. It is from 1 to {most}.")),
    }
}

pub(super) fn picture(place: &str, part: &PicturePart, limits: &mut Limits) -> Result<(), String> {
    limits.picture(place)?;
    if part.path.trim().is_empty() {
        return Err(format!("{place}.path is empty. Name a file that you may read."));
    }
    around(place, part.alt.as_deref(), part.caption.as_deref(), part.width, limits)
}

pub(super) fn chart(place: &str, part: &ChartPart, limits: &mut Limits) -> Result<(), String> {
    limits.picture(place)?;
    match (&part.path, &part.columns, &part.rows) {
        (Some(path), None, None) if path.trim().is_empty() => {
            return Err(format!("{place}.path is empty. Name a CSV that you may read."));
        }
        (Some(_), None, None) | (None, Some(_), Some(_)) => {}
        _ => return Err(format!("{place}: give either the path of a CSV, or columns and rows.")),
    }
    limits.text(place, bytes_drawn(part), 0)?;
    around(place, part.alt.as_deref(), part.caption.as_deref(), part.width, limits)
}

/// Of all that a chart says.
fn bytes_drawn(part: &ChartPart) -> usize {
    let titles = [&part.title, &part.x_title, &part.y_title, &part.x].into_iter().flatten();
    let names = titles.chain(part.columns.iter().flatten()).chain(&part.y);
    let cell = |cell: &Value| cell.as_str().map_or_else(|| cell.to_string().len(), str::len);
    names.map(String::len).sum::<usize>() + part.rows.iter().flatten().flatten().map(cell).sum::<usize>()
}

fn around(
    place: &str,
    alt: Option<&str>,
    caption: Option<&str>,
    width: Option<f64>,
    limits: &mut Limits,
) -> Result<(), String> {
    limits.text(place, alt.map_or(0, str::len) + caption.map_or(0, str::len), 2)?;
    match width {
        Some(width) if !WIDTHS.contains(&width) => {
            Err(format!("{place}.width is {width}. It is in centimetres, from 0.5 to 60."))
        }
        _ => Ok(()),
    }
}
