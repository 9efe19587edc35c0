//! Texts made shorter, with a note of what is left out.

use std::borrow::Cow;

/// The beginning of the text, to the end of a sentence if there is one in its last third, and a note
/// of the whole size. `longest` counts bytes, without the note.
pub(super) fn at_a_sentence(text: &str, longest: usize) -> Cow<'_, str> {
    if text.len() <= longest {
        return Cow::Borrowed(text);
    }
    let kept = &text[..text.floor_char_boundary(longest)];
    let kept = &kept[..end_of_sentence(kept)];
    let left_out = text.len() - kept.len();
    Cow::Owned(format!("{kept}\n[cut here: {left_out} of {} bytes left out]", text.len()))
}

/// Beginning and end of the text, with a note between them.
pub(super) fn in_the_middle(text: &str, longest: usize) -> Cow<'_, str> {
    if text.len() <= longest {
        return Cow::Borrowed(text);
    }
    let start = &text[..text.floor_char_boundary(longest / 3 * 2)];
    let end = &text[text.ceil_char_boundary(text.len() - longest / 3)..];
    let left_out = text.len() - start.len() - end.len();
    Cow::Owned(format!("{start}\n[… {left_out} bytes left out …]\n{end}"))
}

/// One line of at most so many characters.
pub(super) fn to_a_line(text: &str, longest: usize) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        if line.chars().count() > longest {
            let mut short: String = line.chars().take(longest).collect();
            short.push('…');
            return short;
        }
    }
    line
}

/// Where the last sentence or line ends, if that is in the last third.
fn end_of_sentence(text: &str) -> usize {
    let mut end = text.len();
    let least = text.len() / 3 * 2;
    let mut former = ' ';
    for (at, letter) in text.char_indices().rev() {
        if at < least {
            return text.len();
        }
        let next = former;
        former = letter;
        let ends = letter == '\n' || (matches!(letter, '.' | '!' | '?') && next.is_whitespace());
        if ends && at + letter.len_utf8() < end {
            end = at + letter.len_utf8();
            return end;
        }
        if matches!(letter, '。' | '！' | '？') {
            return at + letter.len_utf8();
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_at_a_sentence() {
        for (text, longest, expected) in [
            ("Short.", 6, "Short."),
            ("One. Two three. Four", 17, "One. Two three.\n[cut here: 5 of 20 bytes left out]"),
            ("Version 1.2 is out and more", 12, "Version 1.2 \n[cut here: 15 of 27 bytes left out]"),
            ("a line\nand more", 8, "a line\n\n[cut here: 8 of 15 bytes left out]"),
            ("äöü", 3, "ä\n[cut here: 4 of 6 bytes left out]"),
            ("これは。それは", 13, "これは。\n[cut here: 9 of 21 bytes left out]"),
        ] {
            assert_eq!(at_a_sentence(text, longest), expected, "{text:?}");
        }
    }

    #[test]
    fn the_middle_is_left_out() {
        assert_eq!(in_the_middle("0123456789", 10), "0123456789");
        assert_eq!(in_the_middle("0123456789", 6), "0123\n[… 4 bytes left out …]\n89");
        assert_eq!(to_a_line("  a \n b  c ", 10), "a b c");
        assert_eq!(to_a_line("one two", 5), "one t…");
    }
}
