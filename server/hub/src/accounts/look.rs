//! What people see of a name: letters that stand for each other, and letters that are not seen.

use unicode_normalization::UnicodeNormalization;
use unicode_security::general_security_profile::IdentifierType;
use unicode_security::{GeneralSecurityProfile, MixedScript, confusable_detection};

/// Letters that are the same to a reader as one letter (NFKC), and one space for several.
pub(super) fn in_one_spelling(text: &str) -> String {
    let composed: String = text.nfkc().collect();
    let mut words =
        composed.split(|c: char| c.is_whitespace() && !c.is_control()).filter(|word| !word.is_empty());
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |text, word| format!("{text} {word}"))
}

/// Whether a letter has no shape of its own: one that is left out when text is drawn, or an empty pattern.
pub(crate) fn is_hidden(letter: char) -> bool {
    letter == '\u{2800}' || letter.identifier_type() == Some(IdentifierType::Default_Ignorable)
}

/// Whether a word has letters of scripts that are not written together.
pub(super) fn mixes_scripts(text: &str) -> bool {
    !text.split(|c: char| !c.is_alphanumeric()).all(|word| word.is_single_script())
}

/// The same for all texts that look alike (Unicode Technical Standard 39).
pub(super) fn skeleton(text: &str) -> String {
    let seen: String = in_one_spelling(text).chars().filter(|&letter| !is_hidden(letter)).collect();
    confusable_detection::skeleton(&seen).collect()
}
