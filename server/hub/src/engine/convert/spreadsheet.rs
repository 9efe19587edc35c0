//! What programs with sheets make of a CSV beyond its letters, and how it stays what it is.

/// What begins a file: without it Excel takes the text for one in the code page of the machine.
pub(crate) const MARK: &str = "\u{feff}";
/// A text that begins with one of these is reckoned by whoever opens the file.
const FORMULAS: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// The text of a cell, so that it is nothing but one.
pub(crate) fn guarded(text: &str) -> String {
    match text.starts_with(FORMULAS) && !is_number(text) {
        true => format!("'{text}"),
        false => text.to_owned(),
    }
}

/// With a point or a comma before its decimals.
fn is_number(text: &str) -> bool {
    let signless = text.strip_prefix(['+', '-']).unwrap_or(text);
    let is_plain = signless.starts_with(|char: char| char.is_ascii_digit())
        && signless.chars().all(|char| char.is_ascii_digit() || matches!(char, '.' | ','));
    is_plain || text.parse::<f64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::guarded;

    #[test]
    fn what_would_be_reckoned_is_a_text_and_a_number_stays_one() {
        for (text, expected) in [
            ("=1+1", "'=1+1"),
            ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
            ("-1+1", "'-1+1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "'\t=1"),
            ("\r=1", "'\r=1"),
            ("-5", "-5"),
            ("-1.5e3", "-1.5e3"),
            ("-1.234,56", "-1.234,56"),
            ("+49", "+49"),
            ("moss = green", "moss = green"),
            ("", ""),
        ] {
            assert_eq!(guarded(text), expected, "{text:?}");
        }
    }
}
