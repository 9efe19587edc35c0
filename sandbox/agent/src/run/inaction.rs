//! Replies of models without native tools that announce an action and do nothing, told by their form and not by
//! their words, which may be of any language. A model that calls tools by itself means what it says, so nobody
//! looks at its replies.

/// How a reply does nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inaction {
    /// It breaks off where something was to come: "I look it up:"
    Announced,
    /// A name of a tool in prose or code, and no call.
    Described,
}

/// How far into the last words it looks, in characters.
const TAIL_CHARS: usize = 240;

pub(super) fn find(text: &str, tools: &[&str]) -> Option<Inaction> {
    let text = text.trim();
    let skipped = text.chars().count().saturating_sub(TAIL_CHARS);
    let end: String = text.chars().skip(skipped).collect();
    let calls = |tool: &&str| end.contains(&format!("{tool}(")) || end.contains(&format!("`{tool}`"));
    if tools.iter().any(calls) {
        return Some(Inaction::Described);
    }
    let announces = end.ends_with([':', '\u{ff1a}', '…']) || end.ends_with("...");
    announces.then_some(Inaction::Announced)
}

impl Inaction {
    pub(super) fn nudge(self) -> &'static str {
        match self {
            Self::Announced => {
                "[You said what you will do, but called no tool. Call it now, or give your answer.]"
            }
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
    fn the_form_of_a_reply_tells_in_any_language_that_nothing_was_done() {
        for (text, expected) in [
            ("Let me check the state:", Some(Inaction::Announced)),
            ("Ich sehe nach…", Some(Inaction::Announced)),
            ("我来看看：", Some(Inaction::Announced)),
            ("Un momento...", Some(Inaction::Announced)),
            ("First `dom` with create, then done", Some(Inaction::Described)),
            ("dom({\"action\":\"create\"})", Some(Inaction::Described)),
            ("The clock is there. It shows the time.", None),
            ("You can use a tool for that.", None),
            ("Welche Farbe magst du?", None),
            ("I will", None),
        ] {
            assert_eq!(find(text, &["dom", "state"]), expected, "{text}");
        }
    }
}
