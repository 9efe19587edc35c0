//! What a conversation is called until somebody names it: the beginning of what was said first.

use crate::error::{Error, Result};
use crate::skills;

/// Longest title, in characters.
const LONGEST: usize = 120;
/// Characters of a first message that become a title.
const FIRST_WORDS: usize = 60;
/// What a title has none of: it is shown as it is.
const MARKUP: [char; 11] = ['*', '_', '`', '#', '<', '>', '[', ']', '|', '~', '\\'];

/// A title as a person wrote it, on one line.
pub(super) fn checked(title: &str) -> Result<String> {
    let title = on_one_line(title);
    if title.is_empty() {
        return Err(Error::invalid("Give the conversation a name."));
    }
    if title.chars().count() > LONGEST {
        return Err(Error::Limit(format!("A name has at most {LONGEST} characters.")));
    }
    Ok(title)
}

/// The beginning of a message. It ends between two words where there is a space to end at.
pub(super) fn of_message(text: &str) -> String {
    let line = on_one_line(text);
    let Some((end, _)) = line.char_indices().nth(FIRST_WORDS) else { return line };
    let beginning = &line[..end];
    let cut = match beginning.rfind(' ') {
        Some(space) if space >= end / 2 => &beginning[..space],
        Some(_) | None => beginning,
    };
    format!("{cut}\u{2026}")
}

/// What it was called elsewhere, as much of it as is kept, or what was said first.
pub(crate) fn of_elsewhere(title: &str, first_words: &str) -> String {
    let title = on_one_line(title);
    match title.char_indices().nth(LONGEST) {
        None if title.is_empty() => of_message(first_words),
        None => title,
        Some(_) => title.chars().take(LONGEST - 1).chain(['\u{2026}']).collect(),
    }
}

/// What a model called it: its first line, plain and short. `None`: nothing is left of it.
pub(crate) fn by_model(said: &str) -> Option<String> {
    let answer = said.rsplit_once("</think>").map_or(said, |(_, answer)| answer);
    let line = answer.lines().find(|line| line.chars().any(char::is_alphanumeric))?;
    let plain: String =
        skills::visible(line).chars().map(|c| if MARKUP.contains(&c) { ' ' } else { c }).collect();
    let title = of_message(plain.trim().trim_matches(is_around));
    let title = title.trim_matches(is_around).trim();
    title.chars().any(char::is_alphanumeric).then(|| title.to_owned())
}

/// What stands around a title and is no part of it.
fn is_around(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            '"' | '\''
                | '“'
                | '”'
                | '„'
                | '‘'
                | '’'
                | '«'
                | '»'
                | '「'
                | '」'
                | '.'
                | '。'
                | '-'
                | '–'
                | ':'
        )
}

pub(super) fn on_one_line(text: &str) -> String {
    let is_shown = |c: &char| c.is_whitespace() || !c.is_control();
    let shown: String = text.chars().filter(is_shown).collect();
    shown.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_the_beginning_of_the_first_message() {
        let long = "word ".repeat(40);
        for (text, title) in [
            ("Plan a trip", "Plan a trip".to_owned()),
            ("  Two\n lines\t\u{7}here ", "Two lines here".to_owned()),
            (long.as_str(), format!("{}\u{2026}", "word ".repeat(12).trim_end())),
            (&"\u{65e5}".repeat(70), format!("{}\u{2026}", "\u{65e5}".repeat(60))),
            (&format!("a {}", "b".repeat(90)), format!("a {}\u{2026}", "b".repeat(58))),
        ] {
            assert_eq!(of_message(text), title, "{text}");
        }
    }

    #[test]
    fn a_title_from_elsewhere_is_kept_as_far_as_it_is_not_long() {
        for (title, title_here) in [
            (" Trip\nto\0 Rome ", "Trip to Rome".to_owned()),
            ("\u{7}", "Hello".to_owned()),
            (&"x".repeat(120), "x".repeat(120)),
            (&"x".repeat(100_000), format!("{}\u{2026}", "x".repeat(119))),
        ] {
            assert_eq!(of_elsewhere(title, "Hello"), title_here);
        }
    }

    #[test]
    fn a_title_by_a_model_is_one_short_plain_line() {
        let long = "word ".repeat(500);
        for (said, title) in [
            ("Trip to Rome", Some("Trip to Rome")),
            ("\n\n  \u{201c}Reise nach Rom\u{201d}.\n\nMore words", Some("Reise nach Rom")),
            ("# **Ro\u{200b}me**", Some("Rome")),
            ("<script>alert(1)</script>", Some("script alert(1) /script")),
            ("[Rome](https://evil.example)", Some("Rome (https://evil.example)")),
            ("safe \u{202e}txet", Some("safe txet")),
            ("<think>Let me see</think>\nローマへの旅行。", Some("ローマへの旅行")),
            ("a\u{e0041}\u{e0042}b\u{7}", Some("ab")),
            ("", None),
            ("\u{200b}\n***\n", None),
            (&long, Some("word word word word word word word word word word word word…")),
        ] {
            assert_eq!(by_model(said).as_deref(), title, "{said:?}");
        }
    }

    #[test]
    fn a_name_is_one_line_that_is_not_empty_and_not_long() {
        assert_eq!(checked(" Trip\nto Rome ").unwrap(), "Trip to Rome");
        assert!(matches!(checked(" \u{7}\n"), Err(Error::Invalid(_))));
        assert!(matches!(checked(&"x".repeat(121)), Err(Error::Limit(_))));
    }
}
