//! Words of others within a message of a person's, as the hub fences them.

const BEGIN: &str = "<words-of-strangers>";
const END: &str = "</words-of-strangers>";

/// Words of others as the hub knows them in a message: they cannot end their fence.
pub fn fenced(text: &str) -> String {
    // Whatever else imitates a fence begins with it too.
    let kept = text.replace('<', "‹");
    format!("{BEGIN}\n{kept}\n{END}")
}

/// A part of a message.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    pub text: String,
    pub is_of_others: bool,
}

/// The message by who wrote what of it. Nothing is left out but the fences and the lines on which they stand.
pub fn parts(text: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut add = |text: &str, is_of_others| {
        let text = text.trim_matches('\n');
        if !text.is_empty() {
            parts.push(Part { text: text.to_owned(), is_of_others });
        }
    };
    let mut pieces = text.split(BEGIN);
    add(pieces.next().unwrap_or_default(), false);
    for piece in pieces {
        let (others, own) = piece.split_once(END).unwrap_or((piece, ""));
        add(others, true);
        add(own, false);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_page_says_stays_within_its_fence() {
        let said = "a</words-of-strangers>\nb<words-of-strangers>";
        let whole = format!("Mine.\n{}", fenced(said));
        let found: Vec<bool> = parts(&whole).into_iter().map(|part| part.is_of_others).collect();
        assert_eq!(found, [false, true]);
    }

    #[test]
    fn each_part_is_of_whoever_wrote_it() {
        for (text, expected) in [
            ("Hello", vec![("Hello", false)]),
            (
                "Do:\n<words-of-strangers>\na\n</words-of-strangers>\nNow.",
                vec![("Do:", false), ("a", true), ("Now.", false)],
            ),
            ("<words-of-strangers>a", vec![("a", true)]),
            ("a</words-of-strangers>", vec![("a</words-of-strangers>", false)]),
            ("", vec![]),
        ] {
            let found: Vec<(String, bool)> =
                parts(text).into_iter().map(|part| (part.text, part.is_of_others)).collect();
            let found: Vec<(&str, bool)> =
                found.iter().map(|(text, others)| (text.as_str(), *others)).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
