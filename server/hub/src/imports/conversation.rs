//! A conversation as it is brought in, whatever product it comes from: who said what and when, and what of it
//! stays behind.

use super::line::Line;
use jiff::Timestamp;
use protocol::todo::TodoList;
use serde_json::Value;

/// Longest message, in bytes: as long as one that is written here.
const MESSAGE: usize = 256 * 1024;
/// Most messages of a conversation. The latest are kept.
pub(super) const MESSAGES: usize = 10_000;
/// Longest id that is kept as it is, in bytes.
const ID: usize = 100;
/// Nobody exported anything before 2000, nor after 2100: in Unix milliseconds.
const EARLIEST: i64 = 946_684_800_000;
const LATEST: i64 = 4_102_444_800_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Speaker {
    Person,
    Agent,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Turn {
    pub(super) by: Speaker,
    /// Unix milliseconds.
    pub(super) at: Option<i64>,
    pub(super) text: String,
    /// The number of its entry, and its run, where the file says them.
    pub(super) seq: u64,
    pub(super) run: Option<String>,
}

/// What there was to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Todo {
    /// The number of its entry.
    pub(super) seq: u64,
    /// Unix milliseconds.
    pub(super) at: Option<i64>,
    pub(super) list: TodoList,
}

/// What was said in another branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Branch {
    /// Which one it left: 0 is the conversation itself, 1 the first of its branches.
    pub(super) of: usize,
    /// The first entry of that one that it does not have, the first message, and what it has something else instead of.
    pub(super) end: u64,
    pub(super) messages_end: u64,
    pub(super) at: u64,
    pub(super) turns: Vec<Turn>,
    pub(super) todos: Vec<Todo>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Conversation {
    /// Its id there; empty if it has none.
    pub(super) id: String,
    pub(super) title: String,
    /// When it was begun, in Unix milliseconds.
    pub(super) at: Option<i64>,
    pub(super) turns: Vec<Turn>,
    pub(super) todos: Vec<Todo>,
    /// Those that others left stand behind them.
    pub(super) branches: Vec<Branch>,
    /// The one that is shown, counted like [`Branch::of`].
    pub(super) shown: usize,
    pub(super) left_out: LeftOut,
}

/// What of a conversation stays behind, counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct LeftOut {
    pub(super) pictures: u32,
    pub(super) files: u32,
    pub(super) tools: u32,
    pub(super) hidden: u32,
    pub(super) thoughts: u32,
    /// Messages of pages, programs, schedules and other agents.
    pub(super) others: u32,
    /// Messages of other branches.
    pub(super) branches: u32,
    pub(super) unreadable: u32,
    /// Messages that were too long and are cut.
    pub(super) cut: u32,
    /// The oldest messages of too many.
    pub(super) oldest: u32,
    /// What was said before cannot be found from here: the messages go in a circle, or one is missing.
    pub(super) is_broken: bool,
}

impl Conversation {
    pub(super) fn new(id: Option<&Value>, title: Option<&Value>, at: Option<i64>) -> Self {
        let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
        let id = Some(text(id)).filter(|id| id.len() <= ID && !id.chars().any(char::is_control));
        Self { id: id.unwrap_or_default(), title: text(title), at, ..Self::default() }
    }

    /// When it was begun and when something was said in it last, in Unix milliseconds.
    pub(super) fn begun_at(&self) -> Option<i64> {
        self.at.or_else(|| self.turns.iter().find_map(|turn| turn.at))
    }

    pub(super) fn said_at(&self) -> Option<i64> {
        let branches = self.branches.iter().flat_map(|branch| &branch.turns);
        self.turns.iter().chain(branches).filter_map(|turn| turn.at).max().or(self.at)
    }

    /// In all branches.
    pub(super) fn messages(&self) -> usize {
        self.turns.len() + self.branches.iter().map(|branch| branch.turns.len()).sum::<usize>()
    }

    /// Takes in what was said. What nobody said a word of is no turn.
    pub(super) fn say(&mut self, by: Speaker, at: Option<i64>, text: &str) {
        let text = clean(text);
        if text.is_empty() {
            return;
        }
        let text = match text.len() {
            0..=MESSAGE => text,
            _ => {
                self.left_out.cut += 1;
                text[..text.floor_char_boundary(MESSAGE)].to_owned()
            }
        };
        self.turns.push(Turn { by, at, text, seq: 0, run: None });
    }

    /// Takes in what follows of the line on which it stands.
    pub(super) fn note_line<T>(&mut self, line: &Line<T>) {
        self.left_out.is_broken |= line.is_broken;
    }

    /// The same with no more messages than a conversation has, and with times that go forward.
    pub(super) fn finish(mut self) -> Self {
        let surplus = self.turns.len().saturating_sub(MESSAGES);
        self.turns.drain(..surplus);
        self.left_out.oldest += u32::try_from(surplus).unwrap_or(u32::MAX);
        let begun = self.at;
        let branches = self.branches.iter_mut().map(|branch| &mut branch.turns);
        for turns in std::iter::once(&mut self.turns).chain(branches) {
            let mut last = begun;
            for turn in turns {
                turn.at = turn.at.max(last);
                last = turn.at;
            }
        }
        self
    }
}

impl LeftOut {
    /// All of it together.
    pub(super) fn of_all(conversations: &[Conversation]) -> Self {
        let mut all = Self::default();
        for Conversation { left_out, .. } in conversations {
            for (of, more) in [
                (&mut all.pictures, left_out.pictures),
                (&mut all.files, left_out.files),
                (&mut all.tools, left_out.tools),
                (&mut all.hidden, left_out.hidden),
                (&mut all.thoughts, left_out.thoughts),
                (&mut all.others, left_out.others),
                (&mut all.branches, left_out.branches),
                (&mut all.unreadable, left_out.unreadable),
                (&mut all.cut, left_out.cut),
                (&mut all.oldest, left_out.oldest),
            ] {
                *of = of.saturating_add(more);
            }
            all.is_broken |= left_out.is_broken;
        }
        all
    }

    /// A sentence each.
    pub(super) fn sentences(&self) -> Vec<String> {
        let counted = [
            (self.pictures, "picture was", "pictures were", "left out."),
            (self.files, "file was", "files were", "left out."),
            (
                self.tools,
                "call of a tool or its result was",
                "calls of tools and their results were",
                "left out.",
            ),
            (self.hidden, "message that nobody saw was", "messages that nobody saw were", "left out."),
            (
                self.thoughts,
                "part that the model only thought was",
                "parts that the model only thought were",
                "left out.",
            ),
            (
                self.others,
                "message that neither of you said was",
                "messages that neither of you said were",
                "left out.",
            ),
            (
                self.branches,
                "message of another branch was",
                "messages of other branches were",
                "left out: the branch that was looked at last is taken.",
            ),
            (self.unreadable, "message or part of one", "messages or parts of them", "could not be read."),
            (self.cut, "message was", "messages were", "longer than 256 KB and cut there."),
            (self.oldest, "message was", "messages were", "left out: the latest 10,000 are taken."),
        ];
        let sentence = |(count, one, more, rest): (u32, &str, &str, &str)| match count {
            0 => None,
            1 => Some(format!("1 {one} {rest}")),
            _ => Some(format!("{count} {more} {rest}")),
        };
        let broken = "What was said before its first message cannot be found in the file.";
        counted.into_iter().filter_map(sentence).chain(self.is_broken.then(|| broken.to_owned())).collect()
    }
}

/// Adds to a count of what may be very many.
pub(super) fn count(of: &mut u32, more: usize) {
    *of = of.saturating_add(u32::try_from(more).unwrap_or(u32::MAX));
}

/// A time as seconds or milliseconds since 1970, or as it is written.
pub(super) fn time(value: Option<&Value>) -> Option<i64> {
    let ms = match value? {
        Value::Number(number) => {
            let number = number.as_f64()?;
            // In seconds no date of ours has so many digits.
            if number.abs() < 1e11 { number * 1_000.0 } else { number }
        }
        Value::String(text) => {
            return text.parse::<Timestamp>().ok().map(Timestamp::as_millisecond).filter(is_sane);
        }
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => return None,
    };
    // A number that is too large becomes one that is not sane.
    Some(ms as i64).filter(is_sane)
}

fn is_sane(ms: &i64) -> bool {
    (EARLIEST..LATEST).contains(ms)
}

/// Without what is no text: PostgreSQL takes no NUL, and nobody sees the others.
fn clean(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let kept: String = text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect();
    kept.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_time_is_taken_in_seconds_milliseconds_or_words_and_only_if_it_can_be_one() {
        for (value, expected) in [
            (json!(1_700_000_000), Some(1_700_000_000_000)),
            (json!(1_700_000_000.5), Some(1_700_000_000_500)),
            (json!(1_700_000_000_123_i64), Some(1_700_000_000_123)),
            (json!("2024-04-09T14:32:05.230Z"), Some(1_712_673_125_230)),
            (json!("yesterday"), None),
            (json!(-5), None),
            (json!(1e300), None),
            (json!("9999-01-01T00:00:00Z"), None),
            (json!(null), None),
            (json!([1_700_000_000]), None),
        ] {
            assert_eq!(time(Some(&value)), expected, "{value}");
        }
    }

    #[test]
    fn what_is_said_is_cleaned_cut_and_bounded_and_times_go_forward() {
        let mut conversation = Conversation::default();
        conversation.say(Speaker::Person, Some(EARLIEST + 5), " a\0\u{7}\r\nb\t ");
        conversation.say(Speaker::Agent, Some(EARLIEST), &"\u{65e5}".repeat(MESSAGE));
        conversation.say(Speaker::Agent, None, "\0 \n");
        let conversation = conversation.finish();
        assert_eq!(conversation.turns[0].text, "a\nb");
        assert!(
            conversation.turns[1].text.len() <= MESSAGE && conversation.turns[1].text.len() > MESSAGE - 4
        );
        assert_eq!(conversation.turns[1].at, Some(EARLIEST + 5));
        assert_eq!((conversation.turns.len(), conversation.left_out.cut), (2, 1));

        let mut long = Conversation::default();
        for number in 0..100_000 {
            long.say(Speaker::Person, None, &number.to_string());
        }
        let long = long.finish();
        assert_eq!((long.turns.len(), long.left_out.oldest), (MESSAGES, 90_000));
        assert_eq!(long.turns[0].text, "90000");
        assert_eq!(long.left_out.sentences(), ["90000 messages were left out: the latest 10,000 are taken."]);
    }
}
