//! Texts of servers without what nobody sees.

/// At most so many characters of it; lines stay.
pub(super) fn visible(text: &str, most: usize) -> String {
    let mut shown = text.chars().filter(|char| !is_hidden(*char));
    let mut cut: String = shown.by_ref().take(most).collect();
    if shown.next().is_some() {
        cut.push('…');
    }
    cut
}

/// Nobody sees it, or it turns around what is seen, or hides letters in it.
fn is_hidden(char: char) -> bool {
    let is_break = matches!(char, '\n' | '\t');
    (char.is_control() && !is_break)
        || matches!(
            char,
            '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
                | '\u{feff}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0000}'..='\u{e0fff}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_sees_is_not_told() {
        for (text, expected) in [
            ("Adds two\nnumbers.", "Adds two\nnumbers."),
            ("a\u{202e}b\u{200b}c\u{0}d\u{1b}[2J", "abcd[2J"),
            ("a\u{e0041}\u{e0042}b", "ab"),
        ] {
            assert_eq!(visible(text, 100), expected, "{text:?}");
        }
        assert_eq!([visible("äöüx", 3), visible("äöü", 3)], ["äöü…", "äöü"]);
    }
}
