//! What a server says to somebody who did not say who they are (RFC 6750 and 9728).

/// What of it counts.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Challenge {
    /// Where it is written who says who asks.
    pub(super) resource_metadata: Option<String>,
    pub(super) scope: Option<String>,
}

impl Challenge {
    /// Of several schemes only `Bearer` counts.
    pub(super) fn parse(header: &str) -> Self {
        let mut challenge = Self::default();
        let mut rest = header;
        let mut is_bearer = false;
        loop {
            rest = rest.trim_start_matches([' ', ',', '\t']);
            let end = rest.find(['=', ' ', ',']).unwrap_or(rest.len());
            let (name, after) = rest.split_at(end);
            if name.is_empty() && after.is_empty() {
                return challenge;
            }
            let Some(value) = after.strip_prefix('=') else {
                is_bearer = name.eq_ignore_ascii_case("bearer");
                // What stands here alone is skipped with its separator.
                rest = after.get(1..).unwrap_or_default();
                continue;
            };
            let (value, after) = value_of(value);
            rest = after;
            let slot = match name.to_ascii_lowercase().as_str() {
                "resource_metadata" if is_bearer => &mut challenge.resource_metadata,
                "scope" if is_bearer => &mut challenge.scope,
                _ => continue,
            };
            slot.get_or_insert(value);
        }
    }
}

/// A token or a quoted text, and what comes after it.
fn value_of(text: &str) -> (String, &str) {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find([',', ' ']).unwrap_or(text.len());
        return (text[..end].to_owned(), &text[end..]);
    };
    let (mut value, mut escaped) = (String::new(), false);
    for (at, char) in quoted.char_indices() {
        match char {
            _ if escaped => {
                value.push(char);
                escaped = false;
            }
            '\\' => escaped = true,
            '"' => return (value, &quoted[at + 1..]),
            _ => value.push(char),
        }
    }
    (value, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_challenge_only_what_bearer_says_counts() {
        for (header, metadata, scope) in [
            ("", None, None),
            ("Bearer", None, None),
            (
                "Bearer error=\"invalid_token\", resource_metadata=\"https://a.example/x\"",
                Some("https://a.example/x"),
                None,
            ),
            (
                "bearer scope=\"read write\",resource_metadata=https://a.example/y",
                Some("https://a.example/y"),
                Some("read write"),
            ),
            ("Basic realm=\"a, b=c\", Bearer scope=read", None, Some("read")),
            ("Bearer scope=one, DPoP scope=two", None, Some("one")),
            ("Basic scope=\"x\"", None, None),
            ("Bearer scope=\"a\\\"b", None, Some("a\"b")),
            ("=,=,\"", None, None),
        ] {
            let expected =
                Challenge { resource_metadata: metadata.map(str::to_owned), scope: scope.map(str::to_owned) };
            assert_eq!(Challenge::parse(header), expected, "{header}");
        }
    }
}
