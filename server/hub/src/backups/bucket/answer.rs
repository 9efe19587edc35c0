//! What a store says, in XML without attributes, of which single texts are wanted.

/// The text between the first tags of this name.
pub(super) fn first(page: &str, name: &str) -> Option<String> {
    all(page, name).next().map(|text| html_escape::decode_html_entities(text).into_owned())
}

/// What stands between tags of this name, in order.
pub(super) fn all<'a>(page: &'a str, name: &str) -> impl Iterator<Item = &'a str> {
    let (open, close) = (format!("<{name}>"), format!("</{name}>"));
    let mut rest = page;
    std::iter::from_fn(move || {
        let begin = rest.find(&open)? + open.len();
        let length = rest[begin..].find(&close)?;
        let text = &rest[begin..begin + length];
        rest = &rest[begin + length + close.len()..];
        Some(text)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn single_texts_are_found_and_what_is_cut_is_none() {
        let page = "<R><Contents><Key>a&amp;b</Key></Contents><Contents><Key>c</Key></Contents><Size>1";
        assert_eq!(all(page, "Contents").count(), 2);
        assert_eq!(first(page, "Key").as_deref(), Some("a&b"));
        assert_eq!(first(page, "Size"), None);
    }
}
