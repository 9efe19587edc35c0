//! What becomes of the calls of a reply: which are run, which together, and which not. It follows
//! from the turns before and the reply alone, so a resumed run decides the same.

use crate::context::{Exchange, Turn};
use crate::tools::{self, Signature, Tool, access, searched};
use protocol::CallId;
use protocol::log::NoticeKind;
use protocol::model::ToolCall;
use serde_json::Value;
use std::collections::BTreeSet;

/// Calls that are run of one reply.
const MOST: usize = 5;
/// So many failures of a call disable it.
const FAILURES: usize = 2;
/// So many calls with the same arguments are let through, unless what they read was written between.
const IDENTICAL: usize = 2;

/// What becomes of one call.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Verdict {
    Run,
    Not { why: NoticeKind, text: String },
}

/// Decides about each call of `turn`, in order. `past` has the turns before it; `repairs` says that
/// calls which cannot be read are asked for again.
pub(super) fn judge<'a>(past: &Past, turn: &'a Turn, repairs: bool) -> Vec<(&'a ToolCall, Verdict)> {
    let mut runs: Vec<(&ToolCall, Called)> = Vec::new();
    let judged = turn.calls().map(|call| {
        if repairs && !call.input.is_object() {
            return (call, malformed());
        }
        let called = Called::of(call);
        // Between a call and its twin something else may have changed what it is about.
        let mut since = runs.iter().rev();
        let twin = since.find(|(_, known)| known.signature == called.signature || known.may_change(&called));
        let verdict = match twin {
            Some((twin, known)) if known.signature == called.signature => not(
                NoticeKind::Duplicate,
                format!("not run: it is the same as the call {} of this reply; see its result", twin.id),
            ),
            Some(_) | None if runs.len() == MOST => {
                not(NoticeKind::CallLimit, format!("not run: limit of {MOST} calls per reply"))
            }
            Some(_) | None => past.judge(&called),
        };
        if verdict == Verdict::Run {
            runs.push((call, called));
        }
        (call, verdict)
    });
    judged.collect()
}

/// The calls that are run, in groups: those of a group may be under way together, and a group begins
/// when the one before it has its results.
pub(super) fn batches<'a>(calls: impl Iterator<Item = &'a ToolCall>) -> Vec<Vec<&'a ToolCall>> {
    let mut batches: Vec<(bool, Vec<&ToolCall>)> = Vec::new();
    for call in calls {
        let resolved = tools::resolve(&call.name, &call.input);
        let input = resolved.as_ref().map_or(&call.input, |(_, input)| input);
        let joins = access::may_join(resolved.as_ref().map(|(tool, _)| *tool), input);
        match batches.last_mut() {
            Some((true, batch)) if joins => batch.push(call),
            Some(_) | None => batches.push((joins, vec![call])),
        }
    }
    batches.into_iter().map(|(_, batch)| batch).collect()
}

/// What the run has called before, kept from one reply to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Past {
    made: Vec<Made>,
    /// The turns before this one are in it.
    end: u32,
}

#[derive(Clone, Debug)]
struct Made {
    id: CallId,
    called: Called,
    failed: bool,
}

/// A call in the words of its tool.
#[derive(Clone, Debug)]
struct Called {
    tool: Option<&'static Tool>,
    input: Value,
    signature: Signature,
    searched: Option<(&'static str, BTreeSet<String>)>,
}

impl Called {
    fn of(call: &ToolCall) -> Self {
        let (tool, input) = match tools::resolve(&call.name, &call.input) {
            Some((tool, input)) => (Some(tool), input),
            None => (None, call.input.clone()),
        };
        Self { tool, input, signature: Signature::of(call), searched: searched(call) }
    }

    fn is_read_only(&self) -> bool {
        access::is_read_only(self.tool, &self.input)
    }

    /// Whether it may have changed what the other one is about.
    fn may_change(&self, other: &Self) -> bool {
        access::changes((self.tool, &self.input), (other.tool, &other.input))
    }
}

impl Past {
    /// Takes in the whole turns before `turn`.
    pub(super) fn learn(&mut self, run: &Exchange, turn: u32) {
        for (_, before) in run.whole_between(self.end, turn) {
            self.made.extend(before.answered().map(|(call, result)| Made {
                id: call.id.clone(),
                called: Called::of(call),
                failed: result.is_error,
            }));
        }
        self.end = turn;
    }

    fn judge(&self, call: &Called) -> Verdict {
        let same = |made: &&Made| made.called.signature == call.signature;
        if self.made.iter().filter(same).filter(|made| made.failed).count() >= FAILURES {
            return not(
                NoticeKind::Disabled,
                format!(
                    "not run: this call failed {FAILURES} times and is disabled for the rest of the run. Mend the cause or find another way."
                ),
            );
        }
        let since = self.made.iter().rposition(|made| made.called.may_change(call)).map_or(0, |at| at + 1);
        let counted = self.made.iter().skip(if call.is_read_only() { since } else { 0 });
        if counted.filter(same).count() >= IDENTICAL {
            return not(
                NoticeKind::Repeated,
                format!(
                    "not run: the same call was made {IDENTICAL} times in this run, and nothing has changed since. Use the results that you have."
                ),
            );
        }
        if call.searched.is_some()
            && let Some(made) =
                self.made[since..].iter().find(|made| !made.failed && made.called.searched == call.searched)
        {
            return not(
                NoticeKind::RepeatedSearch,
                format!("not run: the call {} searched for the same words; see its result", made.id),
            );
        }
        Verdict::Run
    }
}

fn malformed() -> Verdict {
    not(
        NoticeKind::Malformed,
        "not run: the call cannot be read. Write it once more, whole, in the form that you were shown: the name of the tool, and its arguments as one JSON object, with quotes and line breaks in strings escaped.".to_owned(),
    )
}

fn not(why: NoticeKind, text: String) -> Verdict {
    Verdict::Not { why, text }
}
