//! When an agent thinks by itself. A finished run stays finished: whoever drives asks this rule when
//! another one is due, and starts it like any other. It is in the log by its notice, so the rule needs
//! nothing else.

use protocol::RunId;
use protocol::agent::Mode;
use protocol::log::{Class, Entry, EntryBody, LoopEvent, NoticeKind, Outcome, RunEvent, Sender};
use protocol::run::RunSpec;

/// Ambient runs since somebody last spoke.
pub const MAX_AMBIENT_RUNS: usize = 3;

/// When the next ambient run of a conversation may begin, in Unix milliseconds: `idle_ms` after the
/// last answer. `None`: not before somebody has spoken and was answered. `entries` are the
/// conversation's, oldest first.
pub fn due(entries: &[Entry], idle_ms: u64) -> Option<i64> {
    let mut answered_at = None;
    let mut made = 0;
    for entry in entries {
        match entry.body.class() {
            Class::Said {
                from:
                    Sender::PageEmit { .. }
                    | Sender::Devices
                    | Sender::Todo
                    | Sender::Rating
                    | Sender::Context { .. },
                ..
            } => {}
            Class::Said { .. } => {
                answered_at = None;
                made = 0;
            }
            Class::Run(RunEvent::Started { .. }) => answered_at = None,
            Class::Run(RunEvent::Finished { outcome }) => {
                answered_at = (*outcome == Outcome::Completed).then_some(entry.at);
            }
            Class::Loop(LoopEvent::Notice { kind: NoticeKind::Ambient, .. }) => made += 1,
            Class::Run(RunEvent::Moved)
            | Class::Reply(_)
            | Class::Call(_)
            | Class::Loop(_)
            | Class::Compaction(_)
            | Class::HubNotice { .. }
            | Class::Used { .. }
            | Class::Agent(_) => {}
        }
    }
    let idle = i64::try_from(idle_ms).unwrap_or(i64::MAX);
    answered_at.filter(|_| made < MAX_AMBIENT_RUNS).map(|at| at.saturating_add(idle))
}

/// Whether this run of the conversation was one: nobody waits for its answer.
pub fn is_ambient(entries: &[Entry], run: Option<&RunId>) -> bool {
    let mut notices = entries
        .iter()
        .filter(|entry| matches!(&entry.body, EntryBody::Notice { kind: NoticeKind::Ambient, .. }));
    run.is_some() && notices.any(|entry| entry.run.as_ref() == run)
}

/// The definition that such a run executes: one call, and no tools are run.
pub fn spec(spec: &RunSpec) -> RunSpec {
    RunSpec { mode: Mode::Ambient, round_limit: 1, ..spec.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::AgentId;
    use protocol::agent::Home;

    /// One letter for each entry: a person speaks, a run starts, thinks, answers, is stopped.
    fn check(story: &str, expected: Option<i64>) {
        let entries: Vec<Entry> = (1..)
            .zip(story.chars())
            .map(|(seq, letter)| {
                let body = match letter {
                    'p' => EntryBody::said(Sender::Person, "Hello".to_owned()),
                    'r' => EntryBody::RunStarted {
                        home: Home::Hub,
                        model: None,
                        rounds: None,
                        driver: None,
                        unverified: false,
                    },
                    'n' => EntryBody::Notice { turn: 0, kind: NoticeKind::Ambient, text: String::new() },
                    'a' => EntryBody::finished(Outcome::Completed),
                    's' => EntryBody::finished(Outcome::Stopped),
                    _ => unreachable!("no letter of a story"),
                };
                let at = i64::try_from(seq).unwrap_or(i64::MAX) * 1000;
                Entry { agent: AgentId::from("a"), seq, at, conversation: None, run: None, body }
            })
            .collect();
        assert_eq!(due(&entries, 500), expected, "{story}");
    }

    #[test]
    fn at_most_three_after_an_answer_and_none_while_somebody_waits() {
        for (story, expected) in [
            ("", None),
            ("p", None),
            ("pr", None),
            ("pra", Some(3500)),
            ("prs", None),
            ("prarna", Some(6500)),
            ("prarn", None),
            ("prarns", None),
            ("prarnarna", Some(9500)),
            ("prarnarnarna", None),
            ("prarnarnarnap", None),
            ("prarnarnarnapra", Some(15_500)),
            ("prarnp", None),
            ("prarnpsra", Some(9500)),
        ] {
            check(story, expected);
        }
    }

    #[test]
    fn no_rest_is_too_long() {
        let body = EntryBody::finished(Outcome::Completed);
        let entry = Entry { agent: AgentId::from("a"), seq: 1, at: 5, conversation: None, run: None, body };
        assert_eq!(due(&[entry], u64::MAX), Some(i64::MAX));
    }
}
