//! Addresses of endpoints, out of a base URL as people write it.

/// What people paste along with the base.
const ENDPOINTS: [&str; 11] = [
    "/chat/completions",
    "/completions",
    "/messages",
    "/models",
    "/responses",
    "/api/chat",
    "/api/generate",
    "/api/tags",
    "/audio/speech",
    "/audio/transcriptions",
    "/embeddings",
];

/// The address of `path` (which starts with a slash) under `base`. Where no part of the base's path
/// names a version, `/v1` is added, unless the base was written as a whole endpoint.
pub(super) fn endpoint(base: &str, path: &str) -> String {
    under(base, "/v1", path)
}

/// The address of `path` under `base`, with `version` between them where no part of the base's path
/// names one.
pub(super) fn under(base: &str, version: &str, path: &str) -> String {
    let (root, was_endpoint) = root(base);
    if was_endpoint || path_of(root).split('/').any(is_version) {
        return format!("{root}{path}");
    }
    format!("{root}{version}{path}")
}

/// The base alone: without query, closing slash and what people paste along. And whether they did.
pub(super) fn root(base: &str) -> (&str, bool) {
    let base = base.trim();
    let base = &base[..base.find(['?', '#']).unwrap_or(base.len())];
    let base = base.trim_end_matches('/');
    match ENDPOINTS.iter().find_map(|tail| base.strip_suffix(tail)) {
        Some(root) => (root, true),
        None => (base, false),
    }
}

/// One part of a path, percent-encoded but for what RFC 3986 calls unreserved.
#[cfg(feature = "cloud")]
pub(super) fn encode_part(part: &str) -> String {
    let mut encoded = String::new();
    for byte in part.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                encoded.push(char::from(byte))
            }
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}

/// The host's name in lower case, without port or user.
pub(super) fn host(base: &str) -> String {
    let rest = base.trim();
    let rest = rest.split_once("://").map_or(rest, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    let host = match host.rfind(']') {
        Some(end) => &host[..=end],
        None => host.split(':').next().unwrap_or_default(),
    };
    host.to_ascii_lowercase()
}

pub(super) fn path_of(base: &str) -> &str {
    let rest = base.split_once("://").map_or(base, |(_, rest)| rest);
    rest.find('/').map_or("", |slash| &rest[slash..])
}

fn is_version(segment: &str) -> bool {
    let mut chars = segment.chars();
    chars.next() == Some('v') && chars.next().is_some_and(|char| char.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_url_works_as_people_write_it() {
        let table = [
            ("https://api.openai.com", "https://api.openai.com/v1/models"),
            ("https://api.openai.com/", "https://api.openai.com/v1/models"),
            (" https://api.openai.com/v1 ", "https://api.openai.com/v1/models"),
            ("http://localhost:11434/v1/", "http://localhost:11434/v1/models"),
            ("http://localhost:11434//", "http://localhost:11434/v1/models"),
            ("http://[::1]:8080", "http://[::1]:8080/v1/models"),
            ("https://api.groq.com/openai", "https://api.groq.com/openai/v1/models"),
            (
                "https://r.openai.azure.com/openai/v1?api-version=preview#x",
                "https://r.openai.azure.com/openai/v1/models",
            ),
            (
                "https://generativelanguage.googleapis.com/v1beta/openai",
                "https://generativelanguage.googleapis.com/v1beta/openai/models",
            ),
            ("https://h/api/paas/v4", "https://h/api/paas/v4/models"),
            ("https://v2.example.com", "https://v2.example.com/v1/models"),
            ("https://h/v1/chat/completions", "https://h/v1/models"),
            ("https://h/inference/chat/completions", "https://h/inference/models"),
        ];
        for (base, expected) in table {
            assert_eq!(endpoint(base, "/models"), expected, "{base}");
        }
    }

    #[test]
    fn a_part_of_a_path_is_encoded_once() {
        let table = [
            ("gemini-2.5-pro", "gemini-2.5-pro"),
            ("us.anthropic.claude-x-v1:0", "us.anthropic.claude-x-v1%3A0"),
            ("arn:aws:bedrock:a/b", "arn%3Aaws%3Abedrock%3Aa%2Fb"),
            ("../é?#", "..%2F%C3%A9%3F%23"),
        ];
        for (part, expected) in table {
            assert_eq!(encode_part(part), expected);
        }
    }

    #[test]
    fn a_host_is_found_in_any_base_url() {
        let table = [
            ("https://API.openai.com/v1", "api.openai.com"),
            ("http://localhost:11434", "localhost"),
            ("http://[::1]:8080/v1", "[::1]"),
            ("https://api.openai.com@evil.example/v1", "evil.example"),
            ("https://evil.example?api.openai.com", "evil.example"),
            ("api.openai.com", "api.openai.com"),
        ];
        for (base, expected) in table {
            assert_eq!(host(base), expected, "{base}");
        }
    }
}
