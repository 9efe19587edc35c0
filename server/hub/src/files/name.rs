//! One spelling for each name: two paths that look the same are the same, and nothing in one is unseen.

use std::fmt;
use unicode_normalization::UnicodeNormalization;
use unicode_security::GeneralSecurityProfile;
use unicode_security::general_security_profile::IdentifierType;

/// What nobody sees in a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unseen(char);

impl fmt::Display for Unseen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.0 {
            sign if sign.is_control() => "a control character",
            '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' => "a character without width",
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                "a character that turns the direction of writing"
            }
            _ => "a character that nobody sees",
        };
        write!(f, "it has {what} (U+{:04X})", u32::from(self.0))
    }
}

/// Composed (NFC), and with the usual space for each other one.
pub(super) fn spelled(name: &str) -> String {
    if name.is_ascii() {
        return name.to_owned();
    }
    let space = |sign: char| if sign.is_whitespace() && !is_unseen(sign) { ' ' } else { sign };
    name.nfc().map(space).collect()
}

/// The first of what nobody sees.
pub(super) fn unseen(name: &str) -> Option<Unseen> {
    let signs: Vec<char> = name.chars().collect();
    (0..signs.len()).find(|at| is_out_of_place(&signs, *at)).map(|at| Unseen(signs[at]))
}

/// Without what nobody sees, but for control characters, which nobody takes for nothing.
pub(super) fn seen(name: &str) -> String {
    let signs: Vec<char> = name.chars().collect();
    let stays = |at: &usize| signs[*at].is_control() || !is_out_of_place(&signs, *at);
    (0..signs.len()).filter(stays).map(|at| signs[at]).collect()
}

fn is_out_of_place(signs: &[char], at: usize) -> bool {
    let around = |step: isize| at.checked_add_signed(step).and_then(|at| signs.get(at)).copied();
    match (signs[at], around(-1), around(1)) {
        // It makes a picture of a sign, or one of several.
        ('\u{fe0e}' | '\u{fe0f}', Some(before), _) => !(is_picture(before) || is_key(before)),
        ('\u{200d}', Some(before), Some(after)) if is_picture(after) => {
            !(is_picture(before) || before == '\u{fe0f}')
        }
        // It changes how letters join.
        ('\u{200c}' | '\u{200d}', Some(before), Some(after)) => !(joins(before) && joins(after)),
        (sign, ..) => is_unseen(sign),
    }
}

fn is_unseen(sign: char) -> bool {
    sign.is_control()
        || matches!(sign, '\u{2028}' | '\u{2029}' | '\u{2800}' | '\u{fff9}'..='\u{fffb}')
        || sign.identifier_type() == Some(IdentifierType::Default_Ignorable)
}

/// Signs that are drawn in colours, or that have a form which is.
fn is_picture(sign: char) -> bool {
    matches!(
        sign,
        '©' | '®' | '\u{203c}' | '\u{2049}' | '\u{2100}'..='\u{214f}' | '\u{2190}'..='\u{21ff}'
            | '\u{2300}'..='\u{23ff}' | '\u{24c2}' | '\u{25a0}'..='\u{27bf}' | '\u{2900}'..='\u{297f}'
            | '\u{2b00}'..='\u{2bff}' | '\u{3030}' | '\u{303d}' | '\u{3297}' | '\u{3299}'
            | '\u{1f000}'..='\u{1faff}'
    )
}

fn is_key(sign: char) -> bool {
    sign.is_ascii_digit() || matches!(sign, '#' | '*')
}

/// Letters of scripts in which it is seen whether neighbours join: Arabic and its kin, Mongolian, those of India and
/// beyond.
fn joins(letter: char) -> bool {
    let in_them = matches!(
        letter,
        '\u{600}'..='\u{109f}' | '\u{1780}'..='\u{18af}' | '\u{1a00}'..='\u{1bff}' | '\u{a8e0}'..='\u{a8ff}'
            | '\u{11000}'..='\u{11fff}'
    );
    in_them && !is_unseen(letter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_looks_the_same_is_spelled_the_same() {
        for (name, expected) in [
            ("plan.md", "plan.md"),
            ("cafe\u{301}.md", "caf\u{e9}.md"),
            ("\u{1112}\u{1161}\u{11ab}", "\u{d55c}"),
            ("\u{212b}.txt", "\u{c5}.txt"),
            ("9.41\u{202f}AM.png", "9.41 AM.png"),
            ("a\u{a0}b\u{3000}c", "a b c"),
            ("STRASSE straße", "STRASSE straße"),
        ] {
            assert_eq!(spelled(name), expected, "{name:?}");
        }
    }

    #[test]
    fn what_nobody_sees_is_named_unless_it_has_its_place() {
        for (name, expected) in [
            ("a\u{200b}b", Some("without width (U+200B)")),
            ("\u{feff}a", Some("without width (U+FEFF)")),
            ("a\u{202e}gpj.exe", Some("direction of writing (U+202E)")),
            ("a\u{2066}b", Some("direction of writing")),
            ("a\u{ad}b", Some("nobody sees (U+00AD)")),
            ("a\u{34f}", Some("nobody sees")),
            ("a\u{3164}", Some("nobody sees")),
            ("a\u{fe0f}", Some("nobody sees (U+FE0F)")),
            ("a\u{200d}b", Some("without width")),
            ("a\u{2028}b", Some("nobody sees")),
            ("a\u{85}b", Some("a control character")),
            ("a\u{e0041}", Some("nobody sees")),
            ("\u{2764}\u{fe0f} plan.md", None),
            ("\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}.md", None),
            ("1\u{fe0f}\u{20e3}", None),
            ("\u{645}\u{6cc}\u{200c}\u{62e}\u{648}\u{627}\u{647}\u{645}", None),
            ("\u{915}\u{94d}\u{200d}\u{937}", None),
            ("Grüße 日本 🌿", None),
        ] {
            let found = unseen(name).map(|found| found.to_string());
            match (&found, expected) {
                (Some(found), Some(expected)) => assert!(found.contains(expected), "{name:?}: {found}"),
                (found, expected) => assert_eq!(found.is_some(), expected.is_some(), "{name:?}: {found:?}"),
            }
        }
    }

    proptest! {
        #[test]
        fn a_name_that_was_spelled_stays_so(name in "[ae\u{301}\u{200b}-\u{200f}\u{fe0f}\u{2764}\u{1f468}\u{645}\u{202e}\u{a0}\u{ad}]{0,8}") {
            let once = spelled(&seen(&name));
            prop_assert_eq!(&spelled(&once), &once);
            prop_assert_eq!(unseen(&seen(&once)), None);
        }
    }
}
