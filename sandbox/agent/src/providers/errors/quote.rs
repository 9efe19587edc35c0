//! A provider's own words within a message of ours: short, on one line, without keys.

use protocol::told;

const LENGTH_LIMIT: usize = 300;

/// How keys begin at the providers that mark them.
const KEY_STARTS: [&str; 8] = ["sk-", "sk_", "gsk_", "xai-", "pplx-", "AIza", "csk-", "nvapi-"];

/// `sentence`, followed by what the provider said if it said anything.
pub(super) fn append(sentence: &str, words: &str) -> String {
    let words = shorten(words);
    match words.is_empty() {
        true => sentence.to_owned(),
        false => told!("{sentence} The provider said: “{words}”"),
    }
}

fn shorten(words: &str) -> String {
    let line: Vec<&str> = words
        .split(|char: char| char.is_whitespace() || char.is_control())
        .filter(|word| !word.is_empty())
        .map(|word| if is_secret(word) { "…" } else { word })
        .collect();
    let line = line.join(" ");
    if line.chars().count() <= LENGTH_LIMIT {
        return line;
    }
    let mut short: String = line.chars().take(LENGTH_LIMIT - 1).collect();
    short.push('…');
    short
}

fn is_secret(word: &str) -> bool {
    word.contains("***") || KEY_STARTS.iter().any(|start| word.contains(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_providers_words_are_short_and_hold_no_key() {
        let long = "é".repeat(301);
        let cut = format!("{}…", "é".repeat(299));
        let table = [
            ("", ""),
            (" two\n\u{7} words\t", "two words"),
            ("key sk-ant-123. is wrong", "key … is wrong"),
            ("key ab***yz is wrong", "key … is wrong"),
            ("model: claude-sonnet-4-5", "model: claude-sonnet-4-5"),
            (&long, &cut),
        ];
        for (words, expected) in table {
            assert_eq!(shorten(words), expected);
        }
    }
}
