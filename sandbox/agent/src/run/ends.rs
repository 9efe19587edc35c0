//! What follows a whole reply without calls: the end of the run, or a reason to go on.

use super::inaction::{self, Inaction};
use super::{notices, outcome, unanswered};
use crate::context::{Exchange, Turn};
use crate::hooks;
use protocol::agent::{HookEvent, Mode};
use protocol::log::{NoticeKind, Outcome};
use protocol::model::StopReason;
use protocol::run::RunSpec;
use protocol::words;

/// Nudges of a model that only announces what it does.
const NUDGES: usize = 6;
/// Times that hooks on `stop` can make a run go on.
const CONTINUES: usize = 3;
/// Times that an autonomous run goes on at most, whatever its agent says.
pub const MOST_AUTONOMOUS: u32 = 20;

pub(super) type Note = (NoticeKind, String);

pub(super) enum RoundEnd {
    /// The model is called again, with these words if any.
    GoOn(Option<Note>),
    Finish(Option<Note>, Outcome),
}

/// `is_over` says that the run has no rounds left.
pub(super) fn of(spec: &RunSpec, run: &Exchange, is_over: bool) -> RoundEnd {
    let Some((_, turn)) = run.whole().next_back() else {
        return RoundEnd::GoOn(None);
    };
    let stop = turn.stop().unwrap_or(StopReason::Other);
    if is_over {
        let outcome = last(stop, turn);
        let note = (outcome == Outcome::RoundLimit).then(|| unanswered::note(run)).flatten();
        return RoundEnd::Finish(note, outcome);
    }
    if run.pending().any(|note| note.kind.is_none_or(asks)) {
        return RoundEnd::GoOn(None);
    }
    match stop {
        StopReason::Refusal => RoundEnd::Finish(None, outcome::of_stop(stop)),
        StopReason::ContextFull if run.count(NoticeKind::Context) == 0 => continue_with(
            NoticeKind::Context,
            "[Your reply did not fit into the context. What was said earlier is shortened now. Go on where you stopped.]",
        ),
        StopReason::ContextFull => RoundEnd::Finish(None, outcome::of_stop(stop)),
        StopReason::MaxTokens if turn.is_empty() => empty(run),
        StopReason::MaxTokens if run.count(NoticeKind::OutputLimit) == 0 => continue_with(
            NoticeKind::OutputLimit,
            "[Your reply reached the output limit. Go on exactly where it stopped, without repeating anything.]",
        ),
        StopReason::MaxTokens => {
            let note = words!("The answer reached the output limit twice and was left as it is.").to_owned();
            RoundEnd::Finish(Some((NoticeKind::CutShort, note)), Outcome::Completed)
        }
        StopReason::EndTurn | StopReason::ToolUse | StopReason::StopSequence | StopReason::Other => {
            if turn.is_empty() { empty(run) } else { answered(spec, run, &turn.text()) }
        }
    }
}

/// What hooks on the end of the run tell the next one, as far as it is not said yet. They look at the
/// answer, or at why there is none.
pub(super) fn for_the_next(spec: &RunSpec, run: &Exchange, outcome: &Outcome) -> Vec<Note> {
    let text = match outcome {
        Outcome::Failed { failure } => failure.message.clone(),
        Outcome::Completed | Outcome::Stopped | Outcome::RoundLimit | Outcome::Interrupted { .. } => {
            run.whole().next_back().map(|(_, turn)| turn.text()).unwrap_or_default()
        }
    };
    let told = hooks::evaluate(&spec.hooks, HookEvent::AgentEnd, None, &text).context.into_iter();
    let notes = told.map(|text| (NoticeKind::Hook, format!("[{text}]")));
    notes.filter(|note| !notices::is_said(run, note)).collect()
}

/// Whether a notice asks the model to go on.
fn asks(kind: NoticeKind) -> bool {
    match kind {
        NoticeKind::Empty
        | NoticeKind::Inaction
        | NoticeKind::OutputLimit
        | NoticeKind::Context
        | NoticeKind::Continue
        | NoticeKind::Autonomous => true,
        NoticeKind::FinalAnswer
        | NoticeKind::CutShort
        | NoticeKind::Unanswered
        | NoticeKind::CallLimit
        | NoticeKind::Duplicate
        | NoticeKind::Repeated
        | NoticeKind::Disabled
        | NoticeKind::RepeatedSearch
        | NoticeKind::Denied
        | NoticeKind::Malformed
        | NoticeKind::Injection
        | NoticeKind::NoSummary
        | NoticeKind::Hook
        | NoticeKind::Hint
        | NoticeKind::Plan
        | NoticeKind::Prefetch
        | NoticeKind::Ambient
        | NoticeKind::Limit
        | NoticeKind::GivenUp
        | NoticeKind::KeyWanted
        | NoticeKind::Sources
        | NoticeKind::Fallback => false,
    }
}

fn last(stop: StopReason, turn: &Turn) -> Outcome {
    match stop {
        StopReason::Refusal => outcome::of_stop(stop),
        StopReason::EndTurn
        | StopReason::ToolUse
        | StopReason::MaxTokens
        | StopReason::StopSequence
        | StopReason::ContextFull
        | StopReason::Other => {
            if turn.text().trim().is_empty() {
                Outcome::RoundLimit
            } else {
                Outcome::Completed
            }
        }
    }
}

/// After results of tools silence is an end, at which they speak for themselves; otherwise it is asked for again, once.
fn empty(run: &Exchange) -> RoundEnd {
    if run.whole().any(|(_, turn)| turn.has_calls()) {
        return RoundEnd::Finish(unanswered::note(run), Outcome::Completed);
    }
    if run.count(NoticeKind::Empty) == 0 {
        return continue_with(NoticeKind::Empty, "[Your reply was empty. Please answer.]");
    }
    RoundEnd::Finish(None, outcome::empty())
}

fn answered(spec: &RunSpec, run: &Exchange, text: &str) -> RoundEnd {
    if let Some(kind) = announced(spec, run, text) {
        return continue_with(NoticeKind::Inaction, kind.nudge());
    }
    if run.count(NoticeKind::Continue) < CONTINUES
        && let Some(more) = hooks::evaluate(&spec.hooks, HookEvent::Stop, None, text).continues
    {
        return RoundEnd::GoOn(Some((NoticeKind::Continue, format!("[{more}]"))));
    }
    match &spec.mode {
        Mode::Autonomous { turns, done }
            if !text.contains(done.as_str())
                && run.count(NoticeKind::Autonomous) < (*turns).min(MOST_AUTONOMOUS) as usize =>
        {
            let note =
                format!("[You work by yourself. Go on with the next step, or say {done} when all is done.]");
            RoundEnd::GoOn(Some((NoticeKind::Autonomous, note)))
        }
        Mode::Autonomous { .. } | Mode::Answering | Mode::Ambient => {
            RoundEnd::Finish(None, Outcome::Completed)
        }
    }
}

fn announced(spec: &RunSpec, run: &Exchange, text: &str) -> Option<Inaction> {
    if spec.native_tools || spec.tools.is_empty() || run.count(NoticeKind::Inaction) >= NUDGES {
        return None;
    }
    let tools: Vec<&str> = spec.tools.iter().map(|tool| tool.name.as_str()).collect();
    inaction::find(text, &tools)
}

fn continue_with(kind: NoticeKind, text: &str) -> RoundEnd {
    RoundEnd::GoOn(Some((kind, text.to_owned())))
}
