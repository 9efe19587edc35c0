//! Slides of a model: what each layout has.

use super::block::{chart, items, needed, picture, words};
use super::limits::Limits;
use super::table;
use crate::engine::structure::{Column, Layout, Look, Slide, Words};

/// Levels of bullets, as programs for slides have them.
const LEVELS: u8 = 5;
const MOST_ACCENTS: usize = 6;
/// Characters of a font's name.
const FONT: usize = 60;

pub(super) fn check(place: &str, slide: &Slide, limits: &mut Limits) -> Result<(), String> {
    let body = slide.body();
    let layout = slide.layout();
    let refused = |field: &str, why: &str| Err(format!("{place}.{field}: {why}"));
    match layout {
        Layout::Blank if slide.title.is_some() => {
            return refused("title", "a blank slide has none. Take the layout content, or leave it out.");
        }
        Layout::Blank => {}
        _ => match &slide.title {
            Some(title) => needed(&format!("{place}.title"), title)?,
            None => return Err(format!("{place} has no title. Give one, or take the layout blank.")),
        },
    }
    let has_subtitle = matches!(layout, Layout::Title | Layout::Section);
    if slide.subtitle.is_some() && !has_subtitle {
        return refused("subtitle", "only the layouts title and section have one. Take text.");
    }
    if has_subtitle && body.things() > 0 {
        return Err(format!(
            "{place}: the layouts title and section have a title, a subtitle and notes. Put the rest on the next slide."
        ));
    }
    match (layout, &slide.left, &slide.right) {
        (Layout::TwoColumns, Some(_), Some(_)) if body.things() > 0 => {
            return Err(format!(
                "{place}: what stands in two columns is in left and right, not beside them."
            ));
        }
        (Layout::TwoColumns, Some(_), Some(_)) => {}
        (Layout::TwoColumns, ..) => {
            return Err(format!("{place}: two columns need left and right."));
        }
        (_, None, None) => {}
        _ => return Err(format!("{place}: left and right belong to the layout two_columns.")),
    }
    if layout == Layout::Picture && (body.picture.is_none() || body.table.is_some() || body.chart.is_some()) {
        return Err(format!("{place}: the layout picture has a title, a picture, and text or bullets."));
    }
    for (field, text) in [("title", &slide.title), ("subtitle", &slide.subtitle)] {
        if let Some(text) = text {
            plain(&format!("{place}.{field}"), text, limits)?;
        }
    }
    column(place, &body, limits)?;
    for (name, of) in [("left", &slide.left), ("right", &slide.right)] {
        let Some(of) = of else { continue };
        let place = format!("{place}.{name}");
        if of.things() == 0 {
            return Err(format!("{place} is empty. Give text, bullets, a table, a picture or a chart."));
        }
        column(&place, of, limits)?;
    }
    limits.text(&format!("{place}.notes"), slide.notes.as_ref().map_or(0, String::len), 1)
}

fn column(place: &str, column: &Column, limits: &mut Limits) -> Result<(), String> {
    if let Some(text) = &column.text {
        plain(&format!("{place}.text"), text, limits)?;
    }
    let bullets = format!("{place}.bullets");
    items(&bullets, &column.bullets, LEVELS, limits)?;
    for (at, bullet) in column.bullets.iter().enumerate() {
        without_notes(&format!("{bullets}[{at}]"), &bullet.text)?;
    }
    if let Some(of) = &column.table {
        let place = format!("{place}.table");
        table::check(&place, of, limits)?;
        for cell in of.all_rows().flatten() {
            without_notes(&place, &cell.text)?;
        }
        if of.caption.is_some() {
            return Err(format!(
                "{place}.caption: what stands on a slide has none. Say it in the title or in text."
            ));
        }
    }
    if let Some(of) = &column.picture {
        let place = format!("{place}.picture");
        picture(&place, of, limits)?;
        fitted(&place, of.caption.as_deref(), of.width)?;
    }
    if let Some(of) = &column.chart {
        let place = format!("{place}.chart");
        chart(&place, of, limits)?;
        fitted(&place, of.caption.as_deref(), of.width)?;
    }
    Ok(())
}

fn fitted(place: &str, caption: Option<&str>, width: Option<f64>) -> Result<(), String> {
    match (caption, width) {
        (None, None) => Ok(()),
        (Some(_), _) => {
            Err(format!("{place}.caption: what stands on a slide has none. Say it in the title or in text."))
        }
        (None, Some(_)) => {
            Err(format!("{place}.width: on a slide it is as large as its place. Leave it out."))
        }
    }
}

fn plain(place: &str, text: &Words, limits: &mut Limits) -> Result<(), String> {
    without_notes(place, text)?;
    words(place, text, limits)
}

fn without_notes(place: &str, text: &Words) -> Result<(), String> {
    match text.0.iter().any(|run| run.footnote.is_some()) {
        true => Err(format!("{place}: slides have no footnotes. Put it into notes.")),
        false => Ok(()),
    }
}

pub(super) fn check_look(look: &Look) -> Result<(), String> {
    let theme = &look.theme;
    if theme.accents.len() > MOST_ACCENTS {
        return Err(format!(
            "layout.theme.accents has {} colours, and can have {MOST_ACCENTS}.",
            theme.accents.len()
        ));
    }
    for (name, font) in [("heading_font", &theme.heading_font), ("body_font", &theme.body_font)] {
        let is_name = |font: &String| {
            !font.trim().is_empty() && font.chars().count() <= FONT && !font.contains(char::is_control)
        };
        if font.as_ref().is_some_and(|font| !is_name(font)) {
            return Err(format!("layout.theme.{name} is the name of a font, of {FONT} characters at most."));
        }
    }
    Ok(())
}
