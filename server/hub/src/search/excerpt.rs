//! The part of a text that somebody looked for, with what was found in it.

use super::terms::Terms;
use protocol::view::ExcerptPart;

/// Characters before what was found first, and all of them.
const BEFORE: usize = 60;
const LENGTH: usize = 240;

/// Parts in turn found and not, on one line. Where nothing is found, the beginning.
pub(super) fn excerpt(text: &str, terms: &Terms) -> Vec<ExcerptPart> {
    let places = terms.places(text);
    let first = places.first().map_or(0, |place| place.start);
    let start = text[..first].char_indices().rev().nth(BEFORE - 1).map_or(0, |(at, _)| at);
    let start = word_at(text, start);
    let end = text[start..].char_indices().nth(LENGTH).map_or(text.len(), |(at, _)| start + at);
    let mut parts = Vec::new();
    let mut at = start;
    let mut push = |text: &str, is_hit: bool| {
        let text = on_one_line(text);
        if !text.is_empty() {
            parts.push(ExcerptPart { text, is_hit });
        }
    };
    if start > 0 {
        push("\u{2026} ", false);
    }
    for place in places.into_iter().filter(|place| place.start >= start && place.end <= end) {
        if place.start < at {
            continue;
        }
        push(&text[at..place.start], false);
        push(&text[place.clone()], true);
        at = place.end;
    }
    push(&text[at..end], false);
    if end < text.len() {
        push(" \u{2026}", false);
    }
    parts
}

/// The first word that begins there or after, or the place itself where none does soon.
fn word_at(text: &str, start: usize) -> usize {
    if start == 0 {
        return 0;
    }
    let mut near = text[start..].char_indices().take(BEFORE / 2);
    near.find(|(_, letter)| letter.is_whitespace()).map_or(start, |(at, space)| start + at + space.len_utf8())
}

/// Spaces stay where two parts meet.
fn on_one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for letter in text.chars() {
        let letter = if letter.is_whitespace() || letter.is_control() { ' ' } else { letter };
        if letter != ' ' || !line.ends_with(' ') {
            line.push(letter);
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, wanted: &str) -> String {
        let parts = excerpt(text, &Terms::of(wanted)).into_iter();
        parts.map(|part| if part.is_hit { format!("[{}]", part.text) } else { part.text }).collect()
    }

    #[test]
    fn an_excerpt_shows_what_was_found_in_its_line() {
        assert_eq!(shown("Water the\nfern, then ferns.", "fern"), "Water the [fern], then [ferns].");
        assert_eq!(shown("Nothing here", "fern"), "Nothing here");
        let long = format!("{}fern {}", "moss ".repeat(100), "lichen ".repeat(100));
        let part = shown(&long, "fern");
        assert!(part.starts_with("\u{2026} moss") && part.ends_with(" \u{2026}"), "{part}");
        assert!(part.contains("[fern]") && part.chars().count() < LENGTH + 10, "{part}");
    }

    #[test]
    fn a_text_of_one_long_word_is_cut_at_a_letter() {
        let text = format!("{}天気{}", "雨".repeat(500), "雪".repeat(500));
        assert!(shown(&text, "天気").contains("[天気]"));
    }
}
