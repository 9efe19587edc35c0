//! The loop: model call, tool calls, model call, until the model has given its answer. How far a run
//! has come is read off its history and nothing else; only the reply being streamed is kept beside
//! it. What the loop decides and could not decide again is an entry.

mod advance;
mod calls;
mod ends;
mod fingerprint;
mod inaction;
mod injection;
mod notices;
mod outcome;
mod reply;
mod retry;
mod unanswered;

use crate::context::{Exchange, History, Snapshot};
use crate::{Input, garbage};
use calls::{CallDisposition, Past};
pub use ends::MOST_AUTONOMOUS;
use ends::RoundEnd;
use protocol::RunId;
use protocol::agent::Mode;
use protocol::log::{Entry, EntryBody, NoticeKind, Outcome};
use protocol::model::Purpose;
use protocol::model::{ModelEvent, ModelFailure, StopReason, ToolCall, ToolResult, Usage};
use protocol::run::{Effect, RunGrant, RunSpec};
use reply::Reply;
pub use retry::gives_up;

/// Rounds of a run, if nobody says otherwise, and at most.
pub const ROUNDS: u32 = 25;
pub const MOST_ROUNDS: u32 = 50;

/// Model calls for each round, with those that are made again.
const CALLS_PER_ROUND: u32 = 4;

/// The number of rounds that a run with this limit has.
pub fn rounds(round_limit: u32) -> u32 {
    round_limit.clamp(1, MOST_ROUNDS)
}

/// The number of model calls that such a run makes at most, whatever fails: its turns are numbered
/// below it.
pub fn most_turns(round_limit: u32) -> u32 {
    rounds(round_limit) * CALLS_PER_ROUND
}

/// One execution of the loop.
#[derive(Clone, Debug)]
pub struct Run {
    id: RunId,
    spec: RunSpec,
    history: History,
    past: Past,
    phase: Phase,
    /// Of the loop's next own entry.
    ordinal: u32,
}

#[derive(Clone, Debug)]
enum Phase {
    Fresh,
    /// A model is asked on the side, before the call of `turn`.
    Asking {
        turn: u32,
        purpose: Purpose,
    },
    /// Something is looked up before the call of `turn`.
    Prefetching {
        turn: u32,
    },
    /// A pause before the call of `turn`.
    Waiting {
        turn: u32,
    },
    Calling {
        turn: u32,
        reply: Reply,
        usage: Option<Usage>,
    },
    /// These calls are under way.
    Working {
        turn: u32,
        calls: Vec<ToolCall>,
    },
    Finished,
}

impl Run {
    /// Takes the run up where the transcript leaves it: at its beginning, if none of its turns is
    /// in there. `transcript` is the conversation's entries, oldest first.
    pub fn resume(run: RunId, spec: RunSpec, transcript: &[Entry]) -> Self {
        let past = Snapshot::new(spec.clear_after_ms);
        Self::resume_from(past, run, spec, transcript)
    }

    /// The same, of a log whose beginning was read before: `transcript` is what came since.
    pub fn resume_from(past: Snapshot, run: RunId, spec: RunSpec, transcript: &[Entry]) -> Self {
        let history = past.take_all(transcript).seen_by(&run);
        let is_finished = history.run().is_some_and(|run| run.is_finished);
        let phase = if is_finished { Phase::Finished } else { Phase::Fresh };
        Self { id: run, spec, ordinal: history.own_entries(), history, past: Past::default(), phase }
    }

    /// The run that was granted to a driver.
    pub fn granted(grant: RunGrant) -> serde_json::Result<Self> {
        let past = Snapshot::parse(grant.past.as_deref(), &grant.spec)?;
        Ok(Self::resume_from(past, grant.run, grant.spec, &grant.transcript))
    }

    pub fn is_finished(&self) -> bool {
        matches!(self.phase, Phase::Finished)
    }

    /// Takes in what happened and says what to do, in order. An input that does not fit where the
    /// run is (a stale turn, an answer to no call, anything after the end) has no effects.
    pub fn handle(&mut self, input: Input) -> Vec<Effect> {
        match (input, &self.phase) {
            (Input::Resumed, Phase::Fresh) => self.begin(),
            (Input::Model { turn, event }, Phase::Calling { turn: current, .. }) if *current == turn => {
                self.take_model_event(turn, event)
            }
            (Input::Tool { turn, result, denied }, Phase::Working { turn: current, .. })
                if *current == turn =>
            {
                self.take_tool_result(turn, result, denied)
            }
            (Input::Timer { timer }, Phase::Waiting { turn }) if *turn == timer => self.advance(),
            (Input::Aside { turn, purpose, text }, Phase::Asking { turn: current, purpose: asked })
                if *current == turn && *asked == purpose =>
            {
                self.take_aside(turn, purpose, text)
            }
            (Input::Prefetched { turn, results }, Phase::Prefetching { turn: current })
                if *current == turn =>
            {
                self.looked_up(turn, &results)
            }
            (Input::Steer { seq, from, text, attachments }, phase) if !matches!(phase, Phase::Finished) => {
                let under_way = u32::from(matches!(phase, Phase::Calling { .. }));
                self.history.add_message(seq, &from, &text, &attachments);
                // Nothing is asked of a model for the sake of it: it is read along with results.
                if !from.is_person() {
                    return Vec::new();
                }
                if self.gives_way() {
                    return self.stop();
                }
                self.steer(self.whole_turns().saturating_add(under_way))
            }
            (Input::Stop, _) => self.stop(),
            (
                Input::Resumed
                | Input::Model { .. }
                | Input::Tool { .. }
                | Input::Timer { .. }
                | Input::Aside { .. }
                | Input::Prefetched { .. }
                | Input::Steer { .. },
                _,
            ) => Vec::new(),
        }
    }

    fn begin(&mut self) -> Vec<Effect> {
        if self.gives_way() {
            return vec![self.finish(Outcome::Stopped)];
        }
        let mut effects = self.steer(self.whole_turns());
        effects.extend(self.proceed());
        effects
    }

    /// Reads the messages that came while the run was under way, if a round is left that can.
    fn steer(&mut self, rounds_begun: u32) -> Vec<Effect> {
        if rounds_begun >= self.rounds() {
            return Vec::new();
        }
        let mut effects = self.read(self.history.unread());
        effects.extend(self.read(self.history.unread_notes()));
        effects
    }

    /// The next call of the model reads these.
    fn read(&mut self, unread: Vec<u64>) -> Vec<Effect> {
        let turn = self.next_turn();
        unread.into_iter().map(|seq| self.append(EntryBody::Steered { turn, seq })).collect()
    }

    /// Whether a person has something to say to a run that nobody asked for.
    fn gives_way(&self) -> bool {
        self.spec.mode == Mode::Ambient && !self.history.unread().is_empty()
    }

    /// Goes on from the last turn in the history.
    fn proceed(&mut self) -> Vec<Effect> {
        let Some((number, turn)) = self.exchange().last_turn() else {
            return self.advance();
        };
        if turn.stop().is_none() {
            return self.make_again(number);
        }
        if turn.has_calls() && self.whole_turns() < self.rounds() {
            return self.work(number);
        }
        self.end_of_reply()
    }

    /// Goes on after a turn that was not whole: with a pause, if one was due.
    fn make_again(&mut self, failed: u32) -> Vec<Effect> {
        let mut failures = self.exchange().failures();
        let failure = failures.next().filter(|(turn, _)| *turn == failed).map(|(_, failure)| failure);
        let former: Vec<&ModelFailure> = failures.map(|(_, failure)| failure).collect();
        match failure.map(|failure| retry::decide(failure, &former, false)) {
            Some(retry::RetryDecision::Wait { least_ms, most_ms }) => {
                let timer = failed.saturating_add(1);
                self.phase = Phase::Waiting { turn: timer };
                vec![Effect::Arm { timer, least_ms, most_ms }]
            }
            Some(retry::RetryDecision::Shorten | retry::RetryDecision::End) | None => self.advance(),
        }
    }

    /// Runs the next of the turn's calls that have no result.
    fn work(&mut self, number: u32) -> Vec<Effect> {
        let (refused, calls) = self.next_calls();
        let mut effects = Vec::new();
        for (call, why, text) in refused {
            effects.push(self.append(EntryBody::NotRun { turn: number, call: call.id, why, text }));
        }
        if calls.is_empty() {
            effects.extend(self.read(self.history.unread_notes()));
            effects.extend(self.advance());
            return effects;
        }
        effects.push(Effect::RunTools { turn: number, calls: calls.clone() });
        self.phase = Phase::Working { turn: number, calls };
        effects
    }

    /// Of the last turn: the calls that are not run and do not say so yet, and the next batch.
    fn next_calls(&mut self) -> (Vec<(ToolCall, NoticeKind, String)>, Vec<ToolCall>) {
        let exchange = self.history.run().expect("a run opens its own exchange");
        let Some((number, turn)) = exchange.whole().next_back() else {
            return (Vec::new(), Vec::new());
        };
        self.past.learn(exchange, number);
        let former = exchange.whole().rev().nth(1);
        let was_repaired = former.is_some_and(|(_, former)| former.was_refused(NoticeKind::Malformed));
        let repairs = !self.spec.native_tools && !was_repaired;
        let judged = calls::judge(&self.past, turn, repairs);
        let refused = judged.iter().filter_map(|(call, verdict)| match verdict {
            CallDisposition::Run { .. } => None,
            CallDisposition::Not { .. } if turn.is_answered(&call.id) => None,
            CallDisposition::Not { why, text } => Some(((*call).clone(), *why, text.clone())),
        });
        let run = judged.iter().filter_map(|(call, verdict)| match verdict {
            CallDisposition::Run { joins } => Some((*call, *joins)),
            CallDisposition::Not { .. } => None,
        });
        let mut open = calls::batches(run).into_iter().map(|batch| {
            let missing = batch.into_iter().filter(|call| !turn.is_answered(&call.id));
            missing.cloned().collect::<Vec<ToolCall>>()
        });
        (refused.collect(), open.find(|batch| !batch.is_empty()).unwrap_or_default())
    }

    /// Ends the run after a whole reply, or goes on for a reason.
    fn end_of_reply(&mut self) -> Vec<Effect> {
        let end = ends::of(&self.spec, self.exchange(), self.whole_turns() >= self.rounds());
        match end {
            RoundEnd::GoOn(None) => self.advance(),
            RoundEnd::GoOn(Some((kind, text))) => {
                let turn = self.next_turn();
                let mut effects = vec![self.append(EntryBody::Notice { turn, kind, text })];
                effects.extend(self.advance());
                effects
            }
            RoundEnd::Finish(note, outcome) => {
                let turn = self.next_turn();
                let told = ends::for_the_next(&self.spec, self.exchange(), &outcome);
                let note = note.filter(|note| !notices::is_said(self.exchange(), note));
                let notes = note.into_iter().chain(told);
                let append = |(kind, text)| self.append(EntryBody::Notice { turn, kind, text });
                let mut effects: Vec<Effect> = notes.map(append).collect();
                effects.push(self.finish(outcome));
                effects
            }
        }
    }

    fn take_model_event(&mut self, turn: u32, event: ModelEvent) -> Vec<Effect> {
        let Phase::Calling { reply, usage, .. } = &mut self.phase else {
            return Vec::new();
        };
        match event {
            ModelEvent::BlockStarted { index, kind } => {
                reply.start(index, &kind);
                Vec::new()
            }
            ModelEvent::Delta { index, text } => {
                reply.add(index, &text);
                Vec::new()
            }
            ModelEvent::BlockFinished { index, block } => {
                if !reply.finish(index) {
                    return Vec::new();
                }
                vec![self.append(EntryBody::Block { turn, index, block })]
            }
            ModelEvent::Usage { usage: used } => {
                *usage = Some(used);
                Vec::new()
            }
            ModelEvent::Stopped { .. } if reply.is_open() => self.fail(turn, outcome::cut()),
            ModelEvent::Stopped { reason } => {
                let usage = *usage;
                if let Some(failure) = self.garbage(turn, reason) {
                    return self.read_again(turn, failure);
                }
                if let Some(usage) = usage {
                    // The hub writes this entry; here it only becomes part of what the run knows.
                    let used = EntryBody::Used {
                        turn,
                        model: self.spec.model.clone(),
                        usage,
                        cost: None,
                        aside: None,
                    };
                    self.history.add(Some(&self.id), &used);
                }
                let mut effects = vec![self.append(EntryBody::TurnFinished { turn, stop: reason })];
                effects.extend(self.proceed());
                effects
            }
            ModelEvent::Failed { failure } => self.fail(turn, failure),
            ModelEvent::Cited { .. } | ModelEvent::Unknown { .. } => Vec::new(),
        }
    }

    /// What is wrong with a reply of words that nobody can read.
    fn garbage(&self, turn: u32, stop: StopReason) -> Option<ModelFailure> {
        let (_, reply) = self.exchange().last_turn().filter(|(number, _)| *number == turn)?;
        let is_cut_short = matches!(stop, StopReason::Refusal | StopReason::ContextFull);
        if is_cut_short || reply.has_calls() {
            return None;
        }
        garbage::inspect(&reply.text()).map(outcome::unreadable)
    }

    /// Makes a call again whose reply nobody can read, once in a round.
    fn read_again(&mut self, turn: u32, failure: ModelFailure) -> Vec<Effect> {
        let is_second = self.exchange().failures().any(|(_, former)| former.kind == failure.kind);
        if is_second {
            return self.break_off(turn, Outcome::Failed { failure });
        }
        let mut effects = vec![self.append(EntryBody::Retrying { turn, failure })];
        effects.extend(self.make_again(turn));
        effects
    }

    fn fail(&mut self, turn: u32, failure: ModelFailure) -> Vec<Effect> {
        let was_seen = matches!(&self.phase, Phase::Calling { reply, .. } if reply.was_seen());
        let former: Vec<&ModelFailure> = self.exchange().failures().map(|(_, failure)| failure).collect();
        match retry::decide(&failure, &former, was_seen) {
            retry::RetryDecision::End => self.break_off(turn, Outcome::Failed { failure }),
            retry::RetryDecision::Shorten | retry::RetryDecision::Wait { .. } => {
                let mut effects = vec![self.append(EntryBody::Retrying { turn, failure })];
                effects.extend(self.make_again(turn));
                effects
            }
        }
    }

    fn take_tool_result(&mut self, turn: u32, result: ToolResult, denied: bool) -> Vec<Effect> {
        // The hub writes this entry; here it only becomes part of what the run knows.
        let body = EntryBody::ToolFinished { turn, result, millis: 0, denied };
        self.history.add(Some(&self.id), &body);
        let Phase::Working { calls, .. } = &self.phase else {
            return Vec::new();
        };
        let (_, turn) = self.exchange().last_turn().expect("a run that works has a turn");
        if calls.iter().any(|call| !turn.is_answered(&call.id)) {
            return Vec::new();
        }
        self.proceed()
    }

    fn stop(&mut self) -> Vec<Effect> {
        match self.phase {
            Phase::Fresh | Phase::Waiting { .. } => vec![self.finish(Outcome::Stopped)],
            Phase::Asking { .. } => vec![Effect::AbortModel, self.finish(Outcome::Stopped)],
            Phase::Prefetching { .. } => vec![Effect::AbortTools, self.finish(Outcome::Stopped)],
            Phase::Calling { turn, .. } => {
                let mut effects = vec![Effect::AbortModel];
                effects.extend(self.break_off(turn, Outcome::Stopped));
                effects
            }
            Phase::Working { .. } => {
                vec![Effect::AbortTools, self.finish(Outcome::Stopped)]
            }
            Phase::Finished => Vec::new(),
        }
    }

    /// Ends the run in the middle of a reply, and keeps the text that a person has seen.
    fn break_off(&mut self, turn: u32, outcome: Outcome) -> Vec<Effect> {
        let mut effects = Vec::new();
        if let Phase::Calling { reply, .. } = &mut self.phase {
            for (index, block) in reply.take_text() {
                effects.push(self.append(EntryBody::Block { turn, index, block }));
            }
        }
        effects.push(self.finish(outcome));
        effects
    }

    fn append(&mut self, body: EntryBody) -> Effect {
        self.history.add(Some(&self.id), &body);
        Effect::Append { ordinal: self.next_ordinal(), body }
    }

    fn finish(&mut self, outcome: Outcome) -> Effect {
        self.phase = Phase::Finished;
        Effect::Finish { ordinal: self.next_ordinal(), outcome }
    }

    fn next_ordinal(&mut self) -> u32 {
        let ordinal = self.ordinal;
        self.ordinal = self.ordinal.saturating_add(1);
        ordinal
    }

    fn exchange(&self) -> &Exchange {
        self.history.run().expect("a run opens its own exchange")
    }

    fn rounds(&self) -> u32 {
        rounds(self.spec.round_limit)
    }

    /// The rounds that are over.
    fn whole_turns(&self) -> u32 {
        self.exchange().whole_turns()
    }

    /// The number of the next model call that has not been made yet.
    fn next_turn(&self) -> u32 {
        let made = match self.phase {
            Phase::Calling { turn, .. } => Some(turn),
            Phase::Fresh
            | Phase::Asking { .. }
            | Phase::Prefetching { .. }
            | Phase::Waiting { .. }
            | Phase::Working { .. }
            | Phase::Finished => None,
        };
        let known = self.exchange().end();
        made.map_or(known, |turn| known.max(turn.saturating_add(1)))
    }
}
