//! What may stand in the audit of what people call things: a name into which somebody pasted a
//! secret loses it.

const MAX_TEXT_CHARS: usize = 120;
/// Words from this length on may be keys.
const KEY: usize = 20;
/// Tokens of the hub's begin so, and may have no digit.
const TOKEN: &str = "viv_";
/// Letters and digits in such a word that follow each other, and do not stand apart as in names of models.
const MIXED: usize = 5;

pub(super) fn scrub(text: &str) -> String {
    let words: Vec<&str> =
        text.split_whitespace().map(|word| if looks_like_a_key(word) { "[secret]" } else { word }).collect();
    words.join(" ").chars().filter(|c| !c.is_control()).take(MAX_TEXT_CHARS).collect()
}

fn looks_like_a_key(word: &str) -> bool {
    let is_mixed = |piece: &str| {
        let has = |kind: fn(&char) -> bool| piece.chars().any(|c| kind(&c));
        piece.chars().count() >= MIXED && has(char::is_ascii_digit) && has(char::is_ascii_alphabetic)
    };
    word.chars().count() >= KEY && (word.contains(TOKEN) || word.split(['-', '.', ':', '/']).any(is_mixed))
}

#[cfg(test)]
mod tests {
    use super::scrub;

    #[test]
    fn keys_are_taken_out_and_names_stay() {
        check("backup script", "backup script");
        check("Firefox on Linux", "Firefox on Linux");
        check("viv_q1W2e3R4t5Y6u7I8o9P0a1S2d3F4g5H6j7K8l9Z0", "[secret]");
        check("(viv_stoqbLnsaDGNTxIORKyOnmtJvPAYfxvvwbpx", "[secret]");
        check("key sk-proj-4f9d8a7b6c5e4f3a2b1c for work", "key [secret] for work");
        check("AIzaSyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY", "[secret]");
        check("01a20685-d079-774d-9af4-c9a7e5122006", "[secret]");
        check("claude-sonnet-4-5-20250929: 3 and 15", "claude-sonnet-4-5-20250929: 3 and 15");
        check("gpt-4o-mini-2024-07-18", "gpt-4o-mini-2024-07-18");
        check("Donaudampfschifffahrtsgesellschaft", "Donaudampfschifffahrtsgesellschaft");
        check("a\u{7}b \n c", "ab c");
        check(&"é ".repeat(200), &"é ".repeat(60));
        check("", "");
    }

    fn check(text: &str, expected: &str) {
        assert_eq!(scrub(text), expected, "{text}");
    }
}
