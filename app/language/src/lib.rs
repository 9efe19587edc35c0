//! The words of the interface in the language that its person chose. In the source they are English, and that
//! English is the key in the catalogue of every other language (`app/public/languages`). On the server the language
//! is the request's; a browser has one, that of its document. What was written down for whoever
//! reads it later comes as a whole English sentence and is recognised ([`sentence`]).

mod catalogue;
mod current;
mod sentence;

pub use catalogue::Malformed;
pub use current::current;
#[cfg(not(feature = "ssr"))]
pub use current::speak;
pub use language_macros::{key, plural, say, view};
pub use protocol::Language;
pub use sentence::sentence;
#[cfg(feature = "ssr")]
pub use sentence::sentence_in;

use leptos::tachys::html::InertElement;
use std::fmt::{Display, Write};

/// A text in the language of its reader; as it is, where that has none for it.
pub fn t(english: &'static str) -> &'static str {
    current::catalogue().and_then(|it| it.text(english)).unwrap_or(english)
}

/// What [`view!`] makes of a part in which nothing changes but the words: HTML and texts in turns, the first is HTML.
pub fn still(parts: &'static [&'static str]) -> InertElement {
    let mut html = String::with_capacity(parts.iter().map(|part| part.len() + 8).sum());
    for (index, part) in parts.iter().enumerate() {
        if index.is_multiple_of(2) {
            html.push_str(part);
        } else {
            html_escape::encode_double_quoted_attribute_to_string(t(part), &mut html);
        }
    }
    InertElement::new(html)
}

/// What [`say!`] makes: a text with the values that it speaks of, by the names in its braces.
pub fn fill(english: &'static str, values: &[(&str, &dyn Display)]) -> String {
    filled(t(english), values)
}

/// What [`plural!`] makes: the text for this many, with values. The English for more than one is the key.
pub fn fill_plural(
    count: u64,
    one: &'static str,
    other: &'static str,
    values: &[(&str, &dyn Display)],
) -> String {
    let own = if count == 1 { one } else { other };
    let text = current::catalogue().and_then(|it| it.for_count(other, count)).unwrap_or(own);
    filled(text, values)
}

/// Puts each value where its name stands in braces. Braces without a name are filled in their order.
fn filled(text: &str, values: &[(&str, &dyn Display)]) -> String {
    let mut whole = String::with_capacity(text.len() + 16 * values.len());
    let mut unnamed = values.iter().filter(|(name, _)| name.is_empty());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        whole.push_str(before);
        let Some((name, after)) = after.split_once('}') else {
            whole.push('{');
            rest = after;
            continue;
        };
        let value = match name {
            "" => unnamed.next(),
            _ => values.iter().find(|(of, _)| *of == name),
        };
        match value {
            Some((_, value)) => write!(whole, "{value}").expect("a string takes everything"),
            None => {
                whole.push('{');
                whole.push_str(name);
                whole.push('}');
            }
        }
        rest = after;
    }
    whole.push_str(rest);
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stand_where_the_text_wants_them() {
        let values: [(&str, &dyn Display); 3] = [("name", &"Fern"), ("", &1), ("", &2)];
        for (text, expected) in [
            ("{name} has {} of {}", "Fern has 1 of 2"),
            ("{} von {} hat {name}", "1 von 2 hat Fern"),
            ("{other} and {", "{other} and {"),
            ("no", "no"),
        ] {
            assert_eq!(filled(text, &values), expected);
        }
    }
}
