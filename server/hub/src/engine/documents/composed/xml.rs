//! Text as it stands in XML.

use office_oxide::core::xml::sanitize_xml_text;

/// Within an element or an attribute, without what XML has no letter for.
pub(super) fn escaped(text: &str) -> String {
    let mut all = String::with_capacity(text.len());
    for letter in sanitize_xml_text(text).chars() {
        match letter {
            '&' => all.push_str("&amp;"),
            '<' => all.push_str("&lt;"),
            '>' => all.push_str("&gt;"),
            '"' => all.push_str("&quot;"),
            letter => all.push(letter),
        }
    }
    all
}
