//! Text without the markup in which sources send it.

use html_escape::decode_html_entities;

/// Characters of a text that are looked at: far more than are told of any.
const READ: usize = 8000;

/// At most so many characters, on one line, without tags and with each entity as what it stands for.
pub(crate) fn plain(text: &str, most: usize) -> String {
    let start = text.char_indices().nth(READ).map_or(text, |(end, _)| &text[..end]);
    let untagged = without_tags(start);
    let decoded = decode_html_entities(&untagged);
    let visible: String = decoded.chars().map(|char| if is_hidden(char) { ' ' } else { char }).collect();
    let line = visible.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(most) {
        None => line,
        Some(_) => {
            let end = line.char_indices().nth(most - 1).map_or(line.len(), |(end, _)| end);
            format!("{}…", line[..end].trim_end())
        }
    }
}

/// What begins like a tag and does not end is text.
fn without_tags(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        plain.push_str(&rest[..at]);
        let tag = &rest[at + 1..];
        let begins = tag.starts_with(|char: char| char.is_ascii_alphabetic() || matches!(char, '/' | '!'));
        match tag.find('>').filter(|_| begins) {
            Some(end) => {
                if breaks(tag) {
                    plain.push(' ');
                }
                rest = &tag[end + 1..];
            }
            None => {
                plain.push('<');
                rest = tag;
            }
        }
    }
    plain.push_str(rest);
    plain
}

/// Whether what follows the tag stands on a line of its own.
fn breaks(tag: &str) -> bool {
    let name: String = tag.trim_start_matches('/').chars().take_while(char::is_ascii_alphanumeric).collect();
    matches!(
        name.to_ascii_lowercase().as_str(),
        "br" | "p" | "div" | "li" | "pre" | "tr" | "td" | "h1" | "h2"
    )
}

/// Nobody sees it, or it turns around what is seen.
fn is_hidden(char: char) -> bool {
    char.is_control()
        || matches!(char, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_goes_and_words_stay() {
        for (text, expected) in [
            ("<b>Moss</b> and<br>fern", "Moss and fern"),
            ("a < b and c > d", "a < b and c > d"),
            ("x <unclosed", "x <unclosed"),
            ("<p>One</p><p>two</p>", "One two"),
            ("Q&amp;A &quot;x&quot; &#8211; &nbsp;y &unknown;", "Q&A \"x\" – y &unknown;"),
            ("&lt;script&gt;", "<script>"),
            ("a\u{202e}b\u{200b}c\u{0}d", "a b c d"),
            ("<!-- said to a model -->seen", "seen"),
            ("", ""),
        ] {
            assert_eq!(plain(text, 100), expected, "{text:?}");
        }
        assert_eq!(plain("äöü äöü", 5), "äöü…");
        assert_eq!(plain("äöü", 3), "äöü");
        assert_eq!(plain(&"<b>".repeat(2000), 10), "");
    }
}
