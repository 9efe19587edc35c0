//! What becomes of the calls of a reply: which are run, which together, and which not. It follows
//! from the turns before and the reply alone, so a resumed run decides the same.

use crate::context::Turn;
use crate::tools::{self, Signature, access, searched};
use protocol::log::NoticeKind;
use protocol::model::ToolCall;

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

/// Decides about each call of `turn`, in order. `before` are the whole turns of the run before it.
pub(super) fn judge<'a>(before: &[&Turn], turn: &'a Turn) -> Vec<(&'a ToolCall, Verdict)> {
    let past = Past::of(before);
    let mut runs: Vec<(&ToolCall, Signature)> = Vec::new();
    let judged = turn.calls().map(|call| {
        let signature = Signature::of(call);
        // Between a call and its twin something else may have changed what it is about.
        let mut since = runs.iter().rev();
        let twin = since.find(|(other, known)| *known == signature || changes(other, call));
        let verdict = match twin {
            Some((twin, known)) if *known == signature => not(
                NoticeKind::Duplicate,
                format!("not run: it is the same as the call {} of this reply; see its result", twin.id),
            ),
            Some(_) | None if runs.len() == MOST => {
                not(NoticeKind::CallLimit, format!("not run: limit of {MOST} calls per reply"))
            }
            Some(_) | None => past.judge(call, &signature),
        };
        if verdict == Verdict::Run {
            runs.push((call, signature));
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

/// What the run has called before.
struct Past<'a>(Vec<Made<'a>>);

struct Made<'a> {
    call: &'a ToolCall,
    signature: Signature,
    failed: bool,
}

impl<'a> Past<'a> {
    fn of(before: &[&'a Turn]) -> Self {
        let answered = before.iter().flat_map(|turn| turn.answered());
        Self(
            answered
                .map(|(call, result)| Made { call, signature: Signature::of(call), failed: result.is_error })
                .collect(),
        )
    }

    fn judge(&self, call: &ToolCall, signature: &Signature) -> Verdict {
        let same = || self.0.iter().filter(|made| made.signature == *signature);
        if same().filter(|made| made.failed).count() >= FAILURES {
            return not(
                NoticeKind::Disabled,
                format!(
                    "not run: this call failed {FAILURES} times and is disabled for the rest of the run. Mend the cause or find another way."
                ),
            );
        }
        let since = self.0.iter().rposition(|made| changes(made.call, call)).map_or(0, |at| at + 1);
        let reads = is_read_only(call);
        let counted = self.0.iter().skip(if reads { since } else { 0 });
        if counted.filter(|made| made.signature == *signature).count() >= IDENTICAL {
            return not(
                NoticeKind::Repeated,
                format!(
                    "not run: the same call was made {IDENTICAL} times in this run, and nothing has changed since. Use the results that you have."
                ),
            );
        }
        if let Some(wanted) = searched(call)
            && let Some(made) = self.0[since..]
                .iter()
                .find(|made| !made.failed && searched(made.call).as_ref() == Some(&wanted))
        {
            return not(
                NoticeKind::RepeatedSearch,
                format!("not run: the call {} searched for the same words; see its result", made.call.id),
            );
        }
        Verdict::Run
    }
}

fn not(why: NoticeKind, text: String) -> Verdict {
    Verdict::Not { why, text }
}

fn is_read_only(call: &ToolCall) -> bool {
    tools::resolve(&call.name, &call.input)
        .is_some_and(|(tool, input)| access::is_read_only(Some(tool), &input))
}

/// Whether the first call may have changed what the second one is about.
fn changes(made: &ToolCall, call: &ToolCall) -> bool {
    let made_as = tools::resolve(&made.name, &made.input);
    let called_as = tools::resolve(&call.name, &call.input);
    let made = made_as.as_ref().map_or((None, &made.input), |(tool, input)| (Some(*tool), input));
    let call = called_as.as_ref().map_or((None, &call.input), |(tool, input)| (Some(*tool), input));
    access::changes(made, call)
}
