//! Replies of models without native tools that announce an action and do nothing. A model that calls
//! tools by itself means what it says, so nobody looks at its words.

use crate::words::fold;

/// How a reply does nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inaction {
    /// "I will look it up."
    Announced,
    /// "Shall I look it up?"
    Asked,
    /// "You could look it up in …"
    HandedBack,
    /// A name of a tool in prose or code, and no call.
    Described,
}

const ANNOUNCED: &[&str] =
    &["i will ", "i'll ", "let me ", "i am going to ", "i'm going to ", "one moment", "next, i "];
const ASKED: &[&str] =
    &["shall i ", "should i ", "would you like me to ", "do you want me to ", "may i proceed"];
const HANDED_BACK: &[&str] =
    &["you can run ", "you could run ", "you can use ", "please run ", "try running "];

/// How far into the last words it looks, in characters.
const END: usize = 240;

pub(super) fn find(text: &str, tools: &[&str]) -> Option<Inaction> {
    let plain = fold(text.trim()).replace('\u{2019}', "'");
    let skipped = plain.chars().count().saturating_sub(END);
    let end: String = plain.chars().skip(skipped).collect();
    let has = |phrases: &[&str]| phrases.iter().any(|phrase| end.contains(phrase));
    let calls = |tool: &&str| end.contains(&format!("{tool}(")) || end.contains(&format!("`{tool}`"));
    if end.ends_with('?') && has(ASKED) {
        return Some(Inaction::Asked);
    }
    if has(HANDED_BACK) && tools.iter().any(|tool| end.contains(tool)) {
        return Some(Inaction::HandedBack);
    }
    if tools.iter().any(calls) {
        return Some(Inaction::Described);
    }
    let announces = end.ends_with([':', '…']) || end.ends_with("...") || end.ends_with('.');
    (announces && has(ANNOUNCED)).then_some(Inaction::Announced)
}

impl Inaction {
    pub(super) fn nudge(self) -> &'static str {
        match self {
            Self::Announced => {
                "[You said what you will do, but called no tool. Call it now, or give your answer.]"
            }
            Self::Asked => {
                "[Your person already asked for this. Do it with your tools now, or give your answer.]"
            }
            Self::HandedBack => "[You have the tools for this yourself. Call them, or give your answer.]",
            Self::Described => {
                "[You wrote about a tool but did not call it. Call it now, or give your answer.]"
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_four_kinds_are_told_apart_from_answers() {
        for (text, expected) in [
            ("I will draw the clock now.", Some(Inaction::Announced)),
            ("Let me check the state:", Some(Inaction::Announced)),
            ("Shall I draw it?", Some(Inaction::Asked)),
            ("You can use the dom tool for that.", Some(Inaction::HandedBack)),
            ("First `dom` with create, then done", Some(Inaction::Described)),
            ("dom({\"action\":\"create\"})", Some(Inaction::Described)),
            ("The clock is there. It shows the time.", None),
            ("What colour do you like?", None),
            ("I will", None),
        ] {
            assert_eq!(find(text, &["dom", "state"]), expected, "{text}");
        }
    }
}
