//! What becomes of the calls of a reply: which are run, which together, and which not. It follows
//! from the turns before and the reply alone, so a resumed run decides the same.

use crate::context::{Exchange, Turn};
use crate::tools::{ResolvedCall, Signature};
use protocol::CallId;
use protocol::log::NoticeKind;
use protocol::model::ToolCall;
use std::collections::BTreeSet;

/// Calls that are run of one reply.
const MAX_CALLS_PER_REPLY: usize = 5;
/// So many failures of a call disable it.
const FAILURES: usize = 2;
/// So many calls with the same arguments are let through, unless what they read was written between.
const IDENTICAL: usize = 2;

/// What becomes of one call.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum CallDisposition {
    /// `joins`: it may be under way beside others that do.
    Run {
        joins: bool,
    },
    Not {
        why: NoticeKind,
        text: String,
    },
}

/// Decides about each call of `turn`, in order. `past` has the turns before it; `repairs` says that
/// calls which cannot be read are asked for again.
pub(super) fn judge<'a>(past: &Past, turn: &'a Turn, repairs: bool) -> Vec<(&'a ToolCall, CallDisposition)> {
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
            Some(_) | None if runs.len() == MAX_CALLS_PER_REPLY => {
                not(NoticeKind::CallLimit, format!("not run: limit of {MAX_CALLS_PER_REPLY} calls per reply"))
            }
            Some(_) | None => past.judge(&called),
        };
        if let CallDisposition::Run { .. } = verdict {
            runs.push((call, called));
        }
        (call, verdict)
    });
    judged.collect()
}

/// The calls that are run, each with whether it joins others, in groups: those of a group may be under way together, and a group begins
/// when the one before it has its results.
pub(super) fn batches<'a>(calls: impl Iterator<Item = (&'a ToolCall, bool)>) -> Vec<Vec<&'a ToolCall>> {
    let mut batches: Vec<(bool, Vec<&ToolCall>)> = Vec::new();
    for (call, joins) in calls {
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
    made: Vec<MadeCall>,
    /// The turns before this one are in it.
    end: u32,
}

#[derive(Clone, Debug)]
struct MadeCall {
    id: CallId,
    called: Called,
    failed: bool,
}

/// A call, and what others are compared with it by.
#[derive(Clone, Debug)]
struct Called {
    call: ResolvedCall,
    signature: Signature,
    searched: Option<(&'static str, BTreeSet<String>)>,
}

impl Called {
    fn of(call: &ToolCall) -> Self {
        let call = ResolvedCall::of(call.clone());
        Self { signature: call.signature(), searched: call.searched(), call }
    }

    /// Whether it may have changed what the other one is about.
    fn may_change(&self, other: &Self) -> bool {
        self.call.may_change(&other.call)
    }
}

impl Past {
    /// Takes in the whole turns before `turn`.
    pub(super) fn learn(&mut self, run: &Exchange, turn: u32) {
        for (_, before) in run.whole_between(self.end, turn) {
            self.made.extend(before.answered().map(|(call, result)| MadeCall {
                id: call.id.clone(),
                called: Called::of(call),
                failed: result.is_error,
            }));
        }
        self.end = turn;
    }

    fn judge(&self, call: &Called) -> CallDisposition {
        let same = |made: &&MadeCall| made.called.signature == call.signature;
        if self.made.iter().filter(same).filter(|made| made.failed).count() >= FAILURES {
            return not(
                NoticeKind::Disabled,
                format!(
                    "not run: this call failed {FAILURES} times and is disabled for the rest of the run. Mend the cause or find another way."
                ),
            );
        }
        let since = self.made.iter().rposition(|made| made.called.may_change(call)).map_or(0, |at| at + 1);
        let counted = self.made.iter().skip(if call.call.is_read_only() { since } else { 0 });
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
        CallDisposition::Run { joins: call.call.may_join() }
    }
}

fn malformed() -> CallDisposition {
    not(
        NoticeKind::Malformed,
        "not run: the call cannot be read. Write it once more, whole, in the form that you were shown: the name of the tool, and its arguments as one JSON object, with quotes and line breaks in strings escaped.".to_owned(),
    )
}

fn not(why: NoticeKind, text: String) -> CallDisposition {
    CallDisposition::Not { why, text }
}
