//! What becomes of the calls of a reply: which are run, which together, and which not. It follows
//! from the turns before and the reply alone, so a resumed run decides the same.

use super::signature::{Signature, search};
use crate::context::Turn;
use crate::tools;
use crate::tools::access;
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
    let mut judged: Vec<(&ToolCall, Verdict)> = Vec::new();
    let mut runs = 0;
    for call in turn.calls() {
        let same = |other: &&ToolCall| Signature::of(other) == Signature::of(call);
        let mut since = judged.iter().rev().map(|(other, _)| *other);
        let twin = since.find(|other| same(other) || changes(other, call)).filter(same);
        let verdict = match twin {
            Some(twin) => not(
                NoticeKind::Duplicate,
                format!("not run: it is the same as the call {} of this reply; see its result", twin.id),
            ),
            None => past.judge(call),
        };
        let verdict = match verdict {
            Verdict::Run if runs == MOST => {
                not(NoticeKind::CallLimit, format!("not run: limit of {MOST} calls per reply"))
            }
            Verdict::Run => {
                runs += 1;
                Verdict::Run
            }
            Verdict::Not { .. } => verdict,
        };
        judged.push((call, verdict));
    }
    judged
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

    fn judge(&self, call: &ToolCall) -> Verdict {
        let signature = Signature::of(call);
        let same = || self.0.iter().filter(|made| made.signature == signature);
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
        if counted.filter(|made| made.signature == signature).count() >= IDENTICAL {
            return not(
                NoticeKind::Repeated,
                format!(
                    "not run: the same call was made {IDENTICAL} times in this run, and nothing has changed since. Use the results that you have."
                ),
            );
        }
        if let Some(wanted) = search(call)
            && let Some(made) = self.0[since..]
                .iter()
                .find(|made| !made.failed && search(made.call).as_ref() == Some(&wanted))
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
