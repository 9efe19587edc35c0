//! Servers that a person names in a message, by a whole address or as people write hosts.

use crate::outbound::Target;

/// Ends of names of files that are ends of hosts as well. Who says `readme.md` means no server.
const FILES: [&str; 6] = ["md", "mov", "py", "rs", "sh", "zip"];
/// What may stand around a word.
const AROUND: &[char] = &['(', ')', '[', ']', '<', '>', '"', '\'', '`', '*', '.', ',', ';', ':', '!', '?'];

/// Whether the text names the server on which the target is.
pub(super) fn names(text: &str, target: &Target) -> bool {
    let named = text.split_whitespace().filter_map(|word| server(word.trim_matches(AROUND)));
    let target = target.without_www();
    named.map(|named| named.without_www()).any(|named| named.is_server_of(&target))
}

fn server(word: &str) -> Option<Target> {
    if word.contains("://") {
        return Target::parse_without_fragment(word).ok();
    }
    let host = word.split(['/', '?', '#']).next().unwrap_or_default();
    let name = host.split_once(':').map_or(host, |(name, _port)| name);
    let (_, end) = name.rsplit_once('.')?;
    let is_end = end.chars().count() >= 2 && end.chars().all(char::is_alphabetic);
    if !is_end || FILES.contains(&end.to_ascii_lowercase().as_str()) {
        return None;
    }
    Target::parse_without_fragment(&format!("https://{word}")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_named_by_its_address_or_its_host() {
        for (text, url, expected) in [
            ("Read https://a.example/x and tell me.", "https://a.example/y?z", true),
            ("Read (https://a.example/x).", "https://a.example/y", true),
            ("Read http://a.example/x", "https://a.example/", true),
            ("Read https://a.example", "http://a.example/", false),
            ("What is new at a.example?", "https://a.example/", true),
            ("What is new at a.example?", "http://a.example/", false),
            ("What is new at a.example/news?", "https://a.example/", true),
            ("What is new at A.Example:8443", "https://a.example:8443/", true),
            ("What is new at A.Example:8443", "https://a.example/", false),
            ("What is new at a.example", "https://www.a.example/", true),
            ("What is new at www.a.example", "https://a.example/", true),
            ("What is new at a.example", "https://b.a.example/", false),
            ("What is new at b.a.example", "https://a.example/", false),
            ("What is new at bücher.example", "https://xn--bcher-kva.example/", true),
            ("Write to me@a.example", "https://a.example/", false),
            ("Look at https://a.example@b.example/", "https://b.example/", false),
            ("Write readme.md and run.sh", "https://readme.md/", false),
            ("Write https://readme.md/", "https://readme.md/", true),
            ("It costs 3.50, see 1.2.3", "https://1.2.3/", false),
            ("a", "https://a/", false),
            ("", "https://a.example/", false),
        ] {
            let target = Target::parse(url).unwrap();
            assert_eq!(names(text, &target), expected, "{text} {url}");
        }
    }
}
