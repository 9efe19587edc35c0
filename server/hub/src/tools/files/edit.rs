//! Exact replacements in a text: each fits one place or says to replace all, and all are made or none. Line ends
//! and a mark at the beginning stay as the file has them.

/// One change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Edit {
    pub(super) old: String,
    pub(super) new: String,
    pub(super) all: bool,
}

/// Lines that are named where several places fit.
const NAMED: usize = 10;

/// The text after all changes, or why there is none. Numbers of changes count from 1.
pub(super) fn edited(text: &str, edits: &[Edit]) -> Result<String, String> {
    let has_crlf = text.contains("\r\n");
    let mut now = if has_crlf { text.replace("\r\n", "\n") } else { text.to_owned() };
    for (edit, number) in edits.iter().zip(1..) {
        now = one(&now, edit).map_err(|why| match edits.len() {
            1 => why,
            _ => format!("Change {number}: {why} None of the changes was made."),
        })?;
    }
    Ok(if has_crlf { now.replace('\n', "\r\n") } else { now })
}

fn one(text: &str, edit: &Edit) -> Result<String, String> {
    let (old, new) = (edit.old.replace("\r\n", "\n"), edit.new.replace("\r\n", "\n"));
    if old == new {
        return Err("The old and the new text are the same.".to_owned());
    }
    if old.is_empty() {
        return Err(
            "The text to replace is empty. To add to the file, append to it or name what stands beside."
                .to_owned(),
        );
    }
    let places: Vec<usize> = text.match_indices(&old).map(|(at, _)| at).collect();
    match places.len() {
        0 => Err(not_found(text, &old)),
        1 => Ok(text.replacen(&old, &new, 1)),
        _ if edit.all => Ok(text.replace(&old, &new)),
        count => {
            let lines: Vec<String> = places
                .iter()
                .take(NAMED)
                .map(|at| (1 + text[..*at].matches('\n').count()).to_string())
                .collect();
            let more = if count > NAMED { " and more" } else { "" };
            Err(format!(
                "The text to replace is there {count} times, at the lines {}{more}. Take in more of the lines around it, or say replace_all.",
                lines.join(", ")
            ))
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
        Edit { old: old.to_owned(), new: new.to_owned(), all: false }
    }

    #[test]
    fn a_change_fits_one_place_or_says_why_not() {
        let all = Edit { all: true, ..edit("a", "x") };
        for (text, edits, expected) in [
            ("one two", vec![edit("two", "2")], Ok("one 2")),
            ("a b a", vec![all], Ok("x b x")),
            ("a\r\nb\r\n", vec![edit("a\nb", "c\nd")], Ok("c\r\nd\r\n")),
            ("\u{feff}a", vec![edit("a", "b")], Ok("\u{feff}b")),
            ("a b", vec![edit("a", "c"), edit("c b", "d")], Ok("d")),
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

    /// The changes as one would make them by hand, one after the other, or none of them.
    fn by_hand(text: &str, edits: &[Edit]) -> Option<String> {
        edits.iter().try_fold(text.to_owned(), |now, Edit { old, new, all }| {
            let parts: Vec<&str> =
                if old.is_empty() { Vec::new() } else { now.split(old.as_str()).collect() };
            let fits = old != new && (parts.len() == 2 || *all && parts.len() > 2);
            fits.then(|| parts.join(new))
        })
    }

    fn edits() -> impl Strategy<Value = Vec<Edit>> {
        let edit = ("[ab]{0,2}", "[abc]{0,2}", any::<bool>());
        prop::collection::vec(edit.prop_map(|(old, new, all)| Edit { old, new, all }), 1..5)
    }

    proptest! {
        #[test]
        fn all_changes_are_made_as_by_hand_or_none_is(text in "[ab\n]{0,10}", edits in edits()) {
            prop_assert_eq!(edited(&text, &edits).ok(), by_hand(&text, &edits));
            let crlf = |text: &str| text.replace('\n', "\r\n");
            let by_hand = by_hand(&text, &edits);
            prop_assert_eq!(edited(&crlf(&text), &edits).ok(), by_hand.map(|text| crlf(&text)));
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
