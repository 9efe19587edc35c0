//! Texts of a slide: lines and bullets.

use super::super::xml::escaped;
use super::layouts::BULLETS;
use super::room::Room;
use super::slide::{Canvas, Target};
use crate::engine::structure::{Align, Column, Item, Run, Words};
use unicode_width::UnicodeWidthStr;

/// EMU of a point, and of a letter in the middle, for each point of its size. Wide letters, as those of Chinese, count
/// as two.
const POINT: u64 = 12_700;
const LETTER: u64 = 6_350;
/// Of the size of letters, what a line is high, in hundredths.
const LINE: u64 = 130;
const CODE: &str = "Courier New";
/// Lets a link have the colour of its letters.
const KEPT: &str = "<a:extLst><a:ext uri=\"{A12FA001-AC4F-418D-AE19-62706E023703}\"><ahyp:hlinkClr \
    xmlns:ahyp=\"http://schemas.microsoft.com/office/drawing/2018/hyperlinkcolor\" val=\"tx\"/></a:ext></a:extLst>";

pub(super) struct Text<'c> {
    words: Option<&'c Words>,
    bullets: &'c [Item],
    /// Whether lines of words stand among bullets, where they have none.
    is_body: bool,
}

impl<'c> Text<'c> {
    pub(super) fn of(column: &'c Column) -> Self {
        Self { words: column.text.as_ref(), bullets: &column.bullets, is_body: true }
    }

    pub(super) fn plain(words: &'c Words) -> Self {
        Self { words: Some(words), bullets: &[], is_body: false }
    }

    pub(super) fn xml(&self, canvas: &mut Canvas) -> String {
        let unmarked = if self.is_body { "<a:pPr marL=\"0\" indent=\"0\"><a:buNone/></a:pPr>" } else { "" };
        let mut all = String::new();
        if let Some(words) = self.words {
            all.push_str(&format!("<a:p>{unmarked}{}</a:p>", runs(words, Letters::default(), canvas)));
        }
        for bullet in self.bullets {
            let level = bullet.level.saturating_sub(1);
            let runs = runs(&bullet.text, Letters::default(), canvas);
            all.push_str(&format!("<a:p><a:pPr lvl=\"{level}\"/>{runs}</a:p>"));
        }
        all
    }

    /// Says so where there is more of it than there is room for, by how wide letters are in the middle.
    pub(super) fn note_overflow(&self, place: &str, room: Room, notes: &mut Vec<String>) {
        let lines = |text: &Words, size: u32| -> u64 {
            let points = u64::from(size) / 100;
            let letters = (room.wide / (LETTER * points)).max(1);
            let lines =
                text.plain().lines().map(|line| (line.width() as u64).div_ceil(letters).max(1)).sum::<u64>();
            lines * points * POINT * LINE / 100
        };
        let size = |item: &Item| {
            BULLETS.get(usize::from(item.level.saturating_sub(1))).copied().unwrap_or(BULLETS[0])
        };
        let words = self.words.map_or(0, |words| lines(words, BULLETS[0]));
        let high = words + self.bullets.iter().map(|item| lines(&item.text, size(item))).sum::<u64>();
        if high > room.high {
            let part = (room.high * 100 / high).max(1);
            notes.push(format!(
                "{place} has more text than its place on the slide, by estimation for {part} % of it. Make it shorter, or two slides of it."
            ));
        }
    }
}

/// What somebody says to a slide, line by line.
pub(super) fn lines(text: &str) -> String {
    text.lines().map(|line| format!("<a:p><a:r><a:t>{}</a:t></a:r></a:p>", escaped(line))).collect()
}

/// What letters look like where their place does not say it.
#[derive(Clone, Copy, Default)]
pub(super) struct Letters {
    /// Hundredths of a point.
    pub(super) size: Option<u32>,
    pub(super) bold: bool,
    /// Of the theme.
    pub(super) colour: Option<&'static str>,
}

pub(super) fn runs(words: &Words, letters: Letters, canvas: &mut Canvas) -> String {
    words.0.iter().map(|run| one(run, letters, canvas)).collect()
}

fn one(run: &Run, letters: Letters, canvas: &mut Canvas) -> String {
    let mut properties = letters.size.map_or_else(String::new, |size| format!(" sz=\"{size}\""));
    for (is_so, says) in [
        (run.bold || letters.bold, " b=\"1\""),
        (run.italic, " i=\"1\""),
        (run.underline, " u=\"sng\""),
        (run.strike, " strike=\"sngStrike\""),
    ] {
        if is_so {
            properties.push_str(says);
        }
    }
    let mut within = match (run.color, letters.colour) {
        (Some(colour), _) => format!("<a:solidFill><a:srgbClr val=\"{colour}\"/></a:solidFill>"),
        (None, Some(name)) => format!("<a:solidFill><a:schemeClr val=\"{name}\"/></a:solidFill>"),
        (None, None) => String::new(),
    };
    if run.code {
        within.push_str(&format!("<a:latin typeface=\"{CODE}\"/><a:cs typeface=\"{CODE}\"/>"));
    }
    if let Some(link) = &run.link {
        let mark = canvas.lead_to(Target::Address(link.0.clone()));
        let kept = if run.color.is_some() || letters.colour.is_some() { KEPT } else { "" };
        within.push_str(&format!("<a:hlinkClick r:id=\"{mark}\">{kept}</a:hlinkClick>"));
    }
    let lines = run.text.split('\n').map(|line| match line {
        "" => String::new(),
        line => format!("<a:r><a:rPr{properties}>{within}</a:rPr><a:t>{}</a:t></a:r>", escaped(line)),
    });
    lines.collect::<Vec<_>>().join("<a:br/>")
}

pub(super) const fn alignment(align: Align) -> &'static str {
    match align {
        Align::Left => "l",
        Align::Center => "ctr",
        Align::Right => "r",
        Align::Justify => "just",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_letters_have_room_for_half_as_many() {
        let points = u64::from(BULLETS[0]) / 100;
        // One line of ten letters.
        let room = Room { x: 0, y: 0, wide: 10 * LETTER * points, high: points * POINT * LINE / 100 };
        for (text, is_too_long) in
            [("mossmossmo", false), ("mossmossmos", true), ("苔苔苔苔苔", false), ("苔苔苔苔苔苔", true)]
        {
            let mut notes = Vec::new();
            Text::plain(&Words::of(text)).note_overflow("slides[0]", room, &mut notes);
            assert_eq!(!notes.is_empty(), is_too_long, "{text}");
        }
    }
}
