//! Text compared as a person would: without regard to case, accents, punctuation and order.

use std::collections::BTreeSet;

/// Lower case, without the accents of Latin letters.
pub fn fold(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).filter_map(plain).collect()
}

/// The words of the text, folded, each once.
pub(crate) fn words(text: &str) -> BTreeSet<String> {
    let folded = fold(text);
    let words = folded.split(|letter: char| !letter.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// `None` for an accent that stands for itself.
fn plain(letter: char) -> Option<char> {
    Some(match letter {
        '\u{300}'..='\u{36f}' => return None,
        'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' | 'ā' | 'ă' | 'ą' => 'a',
        'ç' | 'ć' | 'č' => 'c',
        'ď' | 'đ' => 'd',
        'è' | 'é' | 'ê' | 'ë' | 'ē' | 'ė' | 'ę' | 'ě' => 'e',
        'ğ' => 'g',
        'ì' | 'í' | 'î' | 'ï' | 'ī' | 'ı' => 'i',
        'ł' => 'l',
        'ñ' | 'ń' | 'ň' => 'n',
        'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ø' | 'ō' | 'ő' => 'o',
        'ř' => 'r',
        'ś' | 'š' | 'ş' | 'ș' => 's',
        'ť' | 'ț' => 't',
        'ù' | 'ú' | 'û' | 'ü' | 'ū' | 'ů' | 'ű' => 'u',
        'ý' | 'ÿ' => 'y',
        'ź' | 'ż' | 'ž' => 'z',
        other => other,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_accents_and_order_do_not_matter() {
        for (one, other, equal) in [
            ("Café Zürich", "zurich cafe", true),
            ("São-Paulo, weather", "WEATHER sao paulo", true),
            ("cafe\u{301}", "Café", true),
            ("東京 天気", "天気 東京", true),
            ("weather Paris", "weather Rome", false),
        ] {
            assert_eq!(words(one) == words(other), equal, "{one} / {other}");
        }
    }
}
