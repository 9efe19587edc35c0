//! Exact replacements in a text: each fits one place or says to replace all, and all are made or none. What is not
//! replaced stays as it is, line ends and a mark at the beginning among it.

use super::ends::Lines;
use crate::files::LARGEST_FILE;

/// What can stand in front of a text to say how it is encoded. It stays there.
const MARK: char = '\u{feff}';

/// One change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Edit {
    Replace {
        old: String,
        new: String,
        all: bool,
    },
    /// Behind the line of this number, counted from 1. 0: at the beginning.
    Insert {
        line: usize,
        new: String,
    },
}

/// Lines that are named where several places fit.
const NAMED: usize = 10;

/// The text after all changes, or why there is none. Numbers of changes count from 1.
pub(super) fn edited(text: &str, edits: &[Edit]) -> Result<String, String> {
    let (mark, text) = without_mark(text);
    let mut now = Lines::of(text);
    for (edit, number) in edits.iter().zip(1..) {
        one(&mut now, edit, mark).map_err(|why| match edits.len() {
            1 => why,
            _ => format!("Change {number}: {why} None of the changes was made."),
        })?;
    }
    Ok(format!("{mark}{}", now.written()))
}

/// The mark at the beginning, which may be none, and the text behind it.
pub(super) fn without_mark(text: &str) -> (&str, &str) {
    text.split_at(text.strip_prefix(MARK).map_or(0, |_| MARK.len_utf8()))
}

/// Of a text that has the mark in front, which a change may name or not.
fn one(now: &mut Lines, edit: &Edit, mark: &str) -> Result<(), String> {
    let unmarked = |text: &str| plain(text.strip_prefix(mark).unwrap_or(text));
    match edit {
        Edit::Insert { line, new } => insert(now, *line, &unmarked(new)),
        Edit::Replace { old, new, all } => replace(now, &unmarked(old), &unmarked(new), *all),
    }
}

fn plain(text: &str) -> String {
    text.replace("\r\n", "\n")
}

fn insert(now: &mut Lines, line: usize, new: &str) -> Result<(), String> {
    if line > now.count() {
        return Err(format!("The file has {} lines, and nothing stands behind line {line}.", now.count()));
    }
    let lines: Vec<&str> = new.strip_suffix('\n').unwrap_or(new).split('\n').collect();
    now.replace_lines(line, 0, &lines);
    Ok(())
}

fn replace(now: &mut Lines, old: &str, new: &str, all: bool) -> Result<(), String> {
    if old == new {
        return Err("The old and the new text are the same.".to_owned());
    }
    if old.is_empty() {
        return Err(
            "The text to replace is empty. To add to the file, append to it, name what stands beside or say insert_line."
                .to_owned(),
        );
    }
    let places: Vec<usize> = now.text().match_indices(old).map(|(at, _)| at).collect();
    match places.len() {
        0 => Err(not_found(now.text(), old)),
        count if count > 1 && !all => {
            let lines: Vec<String> = places
                .iter()
                .take(NAMED)
                .map(|at| (1 + now.text()[..*at].matches('\n').count()).to_string())
                .collect();
            let more = if count > NAMED { " and more" } else { "" };
            Err(format!(
                "The text to replace is there {count} times, at the lines {}{more}. Take in more of the lines around it, or say replace_all.",
                lines.join(", ")
            ))
        }
        count => {
            // Reckoned first: a few short changes, each made everywhere, can ask for more than there is memory.
            let after =
                (now.text().len() - count * old.len()).saturating_add(count.saturating_mul(new.len()));
            if after > LARGEST_FILE.max(now.text().len()) {
                return Err(format!(
                    "The file would have {after} bytes with it, and a file is no larger than 5 MB. Replace fewer places, or put less there."
                ));
            }
            now.replace(&places, old.len(), new);
            Ok(())
        }
    }
}

/// Names the line that is most like the first one that was looked for.
fn not_found(text: &str, old: &str) -> String {
    let wanted = old.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim();
    let near = text
        .lines()
        .zip(1..)
        .find(|(line, _)| !wanted.is_empty() && line.trim() == wanted)
        .map(|(_, number)| number);
    match near {
        Some(number) => format!(
            "The text to replace is not there. Its first line is like line {number} of the file: compare the spaces and what follows."
        ),
        None => "The text to replace is not there. Read the file again and give it exactly.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn edit(old: &str, new: &str) -> Edit {
        Edit::Replace { old: old.to_owned(), new: new.to_owned(), all: false }
    }

    fn insert(line: usize, new: &str) -> Edit {
        Edit::Insert { line, new: new.to_owned() }
    }

    #[test]
    fn a_change_fits_one_place_or_says_why_not() {
        let all = Edit::Replace { old: "a".to_owned(), new: "x".to_owned(), all: true };
        for (text, edits, expected) in [
            ("one two", vec![edit("two", "2")], Ok("one 2")),
            ("a b a", vec![all], Ok("x b x")),
            ("a\r\nb\r\n", vec![edit("a\nb", "c\nd")], Ok("c\r\nd\r\n")),
            ("a\r\nb\nc\n", vec![edit("b", "B\nb")], Ok("a\r\nB\nb\nc\n")),
            ("a\r\nb\nc\r\n", vec![edit("a\nb", "x")], Ok("x\nc\r\n")),
            ("a\r\nb\r\nc\n", vec![edit("b\r\n", "b\r\nd\r\n")], Ok("a\r\nb\r\nd\r\nc\n")),
            ("\u{feff}a", vec![edit("a", "b")], Ok("\u{feff}b")),
            ("\u{feff}a\n", vec![insert(0, "x")], Ok("\u{feff}x\na\n")),
            ("\u{feff}a", vec![edit("\u{feff}a", "\u{feff}b")], Ok("\u{feff}b")),
            ("a b", vec![edit("a", "c"), edit("c b", "d")], Ok("d")),
            ("a\nb\n", vec![insert(1, "x")], Ok("a\nx\nb\n")),
            ("a\r\nb", vec![insert(2, "x\ny\n")], Ok("a\r\nb\r\nx\r\ny")),
            ("a\n", vec![insert(0, "x\n")], Ok("x\na\n")),
            ("", vec![insert(0, "x")], Ok("x\n")),
            ("a\n", vec![insert(2, "x")], Err("has 1 lines")),
            ("a", vec![edit("a", "a")], Err("the same")),
            ("a", vec![edit("", "b")], Err("is empty")),
            ("a\nb\na\n", vec![edit("a", "c")], Err("2 times, at the lines 1, 3")),
            ("  a\nb", vec![edit("a\nc", "d")], Err("like line 1")),
            ("a", vec![edit("z", "b")], Err("not there")),
            ("a b", vec![edit("a", "c"), edit("z", "d")], Err("Change 2: ")),
        ] {
            match (edited(text, &edits), expected) {
                (Ok(now), Ok(expected)) => assert_eq!(now, expected),
                (Err(why), Err(part)) => assert!(why.contains(part), "{why}"),
                (found, expected) => panic!("{text:?}: {found:?}, not {expected:?}"),
            }
        }
    }

    #[test]
    fn changes_that_each_grow_the_text_a_thousandfold_are_refused_before_they_are_made() {
        let grow = Edit::Replace { old: "a".to_owned(), new: "a".repeat(1000), all: true };
        let refused = edited("a", &vec![grow; 50]).unwrap_err();
        assert!(refused.starts_with("Change 3: The file would have 1000000000 bytes"), "{refused}");
        assert!(refused.contains("no larger than 5 MB"), "{refused}");
        let whole = "a".repeat(LARGEST_FILE);
        assert!(edited(&whole, &[insert(0, "b")]).is_ok(), "what is added is bounded where it is written");
        let all = |new: &str| Edit::Replace { old: "a".to_owned(), new: new.to_owned(), all: true };
        assert_eq!(edited(&whole, &[all("b")]).map(|now| now.len()), Ok(LARGEST_FILE));
        assert!(edited(&whole, &[all("bb")]).is_err());
    }

    /// The changes as one would make them by hand, one after the other, or none of them.
    fn by_hand(text: &str, edits: &[(String, String, bool)]) -> Option<String> {
        edits.iter().try_fold(text.to_owned(), |now, (old, new, all)| {
            let parts: Vec<&str> =
                if old.is_empty() { Vec::new() } else { now.split(old.as_str()).collect() };
            let fits = old != new && (parts.len() == 2 || *all && parts.len() > 2);
            fits.then(|| parts.join(new))
        })
    }

    fn edits() -> impl Strategy<Value = Vec<(String, String, bool)>> {
        prop::collection::vec(("[ab]{0,2}", "[abc]{0,2}", any::<bool>()), 1..5)
    }

    fn edits_of(edits: &[(String, String, bool)]) -> Vec<Edit> {
        let edit = |(old, new, all): &(String, String, bool)| Edit::Replace {
            old: old.clone(),
            new: new.clone(),
            all: *all,
        };
        edits.iter().map(edit).collect()
    }

    proptest! {
        #[test]
        fn all_changes_are_made_as_by_hand_or_none_is(text in "[ab\n]{0,10}", edits in edits()) {
            let by_hand = by_hand(&text, &edits);
            let edits = edits_of(&edits);
            prop_assert_eq!(edited(&text, &edits).ok(), by_hand.clone());
            let crlf = |text: &str| text.replace('\n', "\r\n");
            prop_assert_eq!(edited(&crlf(&text), &edits).ok(), by_hand.map(|text| crlf(&text)));
        }

        #[test]
        fn what_stands_around_a_change_stays_to_the_byte(
            mark in "\u{feff}?",
            before in "([a-c]{0,3}(\r\n|\n|\r)){0,6}",
            after in "((\r\n|\n|\r)[a-c]{0,3}){0,6}",
            old in "X[a-c]{0,2}(\r\n|\n)?[a-c]{0,2}Y",
            new in "[d-f]{0,3}(\n[d-f]{0,2}){0,3}",
        ) {
            let now = edited(&format!("{mark}{before}{old}{after}"), &[edit(&old, &new)]).unwrap();
            let middle = now.strip_prefix(&format!("{mark}{before}")).and_then(|rest| rest.strip_suffix(&after));
            prop_assert_eq!(middle.map(plain), Some(new));
        }

        #[test]
        fn a_change_and_its_opposite_give_the_text_back(before in "[a-c\n]{0,20}", after in "[a-c\n]{0,20}", old in "X[a-z]{0,5}", new in "Y[a-z]{0,5}") {
            let text = format!("{before}{old}{after}");
            let there = edited(&text, &[edit(&old, &new)]);
            prop_assert!(there.is_ok());
            prop_assert_eq!(edited(&there.unwrap(), &[edit(&new, &old)]), Ok(text));
        }
    }
}
