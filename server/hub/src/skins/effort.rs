//! How much work a text would make for the HTML parser, told without parsing it. The parser looks
//! through all open elements at many a tag, and opens all open formatting elements anew in each
//! paragraph: a megabyte that is written for it takes hours, or all memory.

use std::collections::HashMap;

/// Open elements that are looked through, over the whole text.
const STEPS: usize = 200_000_000;
/// Formatting elements that are made anew.
const COPIES: usize = 1_000_000;

const FORMATTING: &[&str] =
    &["a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"];
const VOID: &[&str] =
    &["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"];
/// What is inside these is no markup.
const RAW: &[&str] = &["script", "style", "textarea", "title"];

pub(super) fn is_bearable(html: &str) -> bool {
    let mut open: HashMap<String, usize> = HashMap::new();
    let (mut depth, mut formatting) = (0_usize, 0_usize);
    let (mut steps, mut copies) = (0_usize, 0_usize);
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        let (is_end, name) = tag(rest);
        if name.is_empty() {
            continue;
        }
        let is_formatting = FORMATTING.contains(&name.as_str());
        steps += depth;
        copies += formatting;
        if steps > STEPS || copies > COPIES {
            return false;
        }
        if is_end {
            if let Some(count) = open.get_mut(&name).filter(|count| **count > 0) {
                *count -= 1;
                depth -= 1;
                formatting -= usize::from(is_formatting);
            }
        } else if RAW.contains(&name.as_str()) {
            rest = after_raw(rest, &name);
        } else if !VOID.contains(&name.as_str()) {
            *open.entry(name).or_default() += 1;
            depth += 1;
            formatting += usize::from(is_formatting);
        }
    }
    true
}

/// Whether a tag that begins here ends an element, and its name; an empty one if it is no tag.
fn tag(text: &str) -> (bool, String) {
    let (is_end, text) = match text.strip_prefix('/') {
        Some(text) => (true, text),
        None => (false, text),
    };
    let is_part = |c: char| !c.is_whitespace() && !matches!(c, '/' | '>');
    let length = text.find(|c| !is_part(c)).unwrap_or(text.len());
    let name = &text[..length];
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic());
    (is_end, if is_name { name.to_ascii_lowercase() } else { String::new() })
}

fn after_raw<'a>(text: &'a str, name: &str) -> &'a str {
    let mut from = 0;
    while let Some(at) = text[from..].find("</") {
        from += at;
        if tag(&text[from + 1..]) == (true, name.to_owned()) {
            return &text[from..];
        }
        from += 2;
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::is_bearable;

    #[test]
    fn what_people_write_is_bearable_and_what_is_written_against_the_parser_is_not() {
        let ids: String = (0..50_000).map(|n| format!("<b id={n}>")).collect();
        for (html, expected) in [
            (String::new(), true),
            ("a < b and </> <3 <".to_owned(), true),
            ("<div><p>some <b>bold</b> words</p></div>".repeat(40_000), true),
            ("<li>an item".repeat(10_000), true),
            (format!("<script>{}</script><p>", "if (a <b ) c();".repeat(100_000)), true),
            ("<script>".repeat(200_000), true),
            (ids.clone(), false),
            (format!("{}{}", &ids[..20_000], "<p>x".repeat(100_000)), false),
            ("<div>".repeat(300_000), false),
            ("<div></x>".repeat(200_000), false),
            ("<DIV/>".repeat(300_000), false),
        ] {
            assert_eq!(is_bearable(&html), expected, "{}…", html.chars().take(40).collect::<String>());
        }
    }
}
