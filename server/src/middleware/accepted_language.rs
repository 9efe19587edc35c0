//! The language that a browser asks for.

use http::{HeaderMap, header};
use protocol::Language;

/// The most wanted of those that the interface has; English if none of them is.
pub fn of(headers: &HeaderMap) -> Language {
    let wanted = headers.get_all(header::ACCEPT_LANGUAGE).iter().filter_map(|line| line.to_str().ok());
    let mut best = None;
    for (tag, quality) in wanted.flat_map(|line| line.split(',')).map(quality_of) {
        let Some(language) = Language::of_tag(tag).filter(|_| quality > 0.0) else { continue };
        // Of two that are wanted as much, the first.
        if best.is_none_or(|(_, most)| quality > most) {
            best = Some((language, quality));
        }
    }
    best.map(|(language, _)| language).unwrap_or_default()
}

/// `de-AT;q=0.8`
fn quality_of(range: &str) -> (&str, f32) {
    let (tag, parameter) = range.split_once(';').unwrap_or((range, ""));
    let quality = parameter.trim().strip_prefix("q=").and_then(|number| number.parse().ok());
    (tag.trim(), quality.unwrap_or(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    #[test]
    fn the_most_wanted_language_is_spoken() {
        for (line, expected) in [
            ("", Language::English),
            ("de", Language::German),
            ("de-AT,de;q=0.9,en;q=0.8", Language::German),
            ("fr, en;q=0.5, de;q=0.7", Language::German),
            ("en-GB,en;q=0.9,de;q=0.9", Language::English),
            ("de;q=0, en;q=0.1", Language::English),
            ("ja", Language::English),
            ("de;q=much", Language::German),
        ] {
            let headers = HeaderMap::from_iter([(header::ACCEPT_LANGUAGE, HeaderValue::from_static(line))]);
            assert_eq!(of(&headers), expected, "{line}");
        }
    }
}
