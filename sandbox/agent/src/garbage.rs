//! Replies that no person wants to read and no loop should go on from.

/// What is wrong with a finished reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// It goes round in a circle.
    Repeats,
    /// Control characters, or bytes that were no text.
    Binary,
    /// Text that was read in the wrong encoding.
    Mojibake,
}

type Check = fn(&str) -> bool;

/// The first thing that is wrong with a reply's text.
pub fn inspect(text: &str) -> Option<Defect> {
    let checks: [(Defect, Check); 3] =
        [(Defect::Binary, is_binary), (Defect::Mojibake, is_mojibake), (Defect::Repeats, repeats)];
    checks.into_iter().find(|(_, is_so)| is_so(text)).map(|(defect, _)| defect)
}

/// A few may be quoted; more than one in fifty is no text.
fn is_binary(text: &str) -> bool {
    let is_strange = |char: &char| {
        *char == char::REPLACEMENT_CHARACTER
            || (char.is_control() && !matches!(char, '\n' | '\r' | '\t' | '\u{1b}'))
    };
    let strange = text.chars().filter(is_strange).count();
    strange >= 3 && strange * 50 > text.chars().count()
}

/// UTF-8 read as Latin-1 or Windows-1252: `Ã¼`, `â€™`, `ðŸ™‚`. A single one may be quoted.
fn is_mojibake(text: &str) -> bool {
    let chars: Vec<char> = text.chars().collect();
    let is_pair = |pair: &[char]| match (pair[0], pair[1]) {
        ('Ã' | 'Â', second) => ('\u{80}'..='\u{bf}').contains(&second),
        ('â', second) => matches!(second, '€' | '\u{80}'),
        ('ð', second) => matches!(second, 'Ÿ' | '\u{9f}'),
        _ => false,
    };
    chars.windows(2).filter(|pair| is_pair(pair)).count() >= 3
}

/// The same line again and again, or an end that is one piece of text over and over.
fn repeats(text: &str) -> bool {
    const LINES: usize = 8;
    let lines: Vec<&str> =
        text.lines().map(str::trim).filter(|line| line.chars().any(char::is_alphanumeric)).collect();
    let same = |window: &[&str]| window[0].len() >= 8 && window.iter().all(|line| *line == window[0]);
    lines.windows(LINES).any(same) || ends_in_circles(text)
}

fn ends_in_circles(text: &str) -> bool {
    const MAX_PERIOD_CHARS: usize = 200;
    const TIMES: usize = 8;
    const LEAST: usize = 240;
    let mut tail: Vec<char> = text.trim_end().chars().rev().take(MAX_PERIOD_CHARS * TIMES).collect();
    tail.reverse();
    (1..=MAX_PERIOD_CHARS).any(|period| {
        let span = (period * TIMES).max(LEAST);
        let Some(start) = tail.len().checked_sub(span) else { return false };
        let end = &tail[start..];
        // Rules and blanks are drawn so.
        let says_something = end[..period].iter().any(|char| char.is_alphanumeric());
        says_something && end.iter().zip(&end[period..]).all(|(one, next)| one == next)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_defect_is_told_from_what_only_looks_like_it() {
        let table: [(String, Option<Defect>); 19] = [
            (String::new(), None),
            ("A plain answer, with Äpfeln, naïve café and 🙂.".to_owned(), None),
            ("I am done. ".repeat(30), Some(Defect::Repeats)),
            (format!("First this. {}", "and then ".repeat(40)), Some(Defect::Repeats)),
            ("the same line here\n".repeat(8), Some(Defect::Repeats)),
            ("the same line here\n".repeat(4), None),
            ("a".repeat(300), Some(Defect::Repeats)),
            ("-".repeat(400), None),
            ("| 0 | 0 |\n".repeat(4), None),
            ("}\n".repeat(40), None),
            ("ok \u{0}\u{1}\u{2}".to_owned(), Some(Defect::Binary)),
            ("\u{fffd}\u{fffd}\u{fffd} text".to_owned(), Some(Defect::Binary)),
            (format!("{} \u{7}", "A bell rings once in a long text. Then it is quiet, and so on."), None),
            ("FÃ¼r GrÃ¶ÃŸe und MÃ¼he".to_owned(), Some(Defect::Mojibake)),
            ("Itâ€™s whatâ€™s leftâ€¦".to_owned(), Some(Defect::Mojibake)),
            ("The bytes show as Ã¼ then.".to_owned(), None),
            ("<tool_call>{\"name\":".to_owned(), None),
            ("```rust\nfn main() {".to_owned(), None),
            ("```rust\nfn main() {}\n```".to_owned(), None),
        ];
        for (text, expected) in table {
            assert_eq!(inspect(&text), expected, "{text}");
        }
    }
}
