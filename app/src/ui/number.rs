//! Numbers as people read them.

use language::{Language, current};

/// Digits in groups of three, with a space that does not break.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// A number that is written with a point, as the language of its reader has it.
pub fn decimal(number: &str) -> String {
    decimal_in(current(), number)
}

pub(super) fn decimal_in(language: Language, number: &str) -> String {
    match language {
        Language::English => number.to_owned(),
        Language::German => number.replace('.', ","),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_language_has_its_decimal_sign() {
        for (language, number, text) in [
            (Language::English, "2.5", "2.5"),
            (Language::German, "2.5", "2,5"),
            (Language::German, "$0.0123", "$0,0123"),
            (Language::German, "12", "12"),
        ] {
            assert_eq!(decimal_in(language, number), text);
        }
    }
}
