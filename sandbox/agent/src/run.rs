//! The loop: model call, tool calls, model call, until the model calls no more tools. How far a
//! run has come is read off its history and nothing else; only the reply being streamed is kept
//! beside it.

mod outcome;
mod reply;

use crate::Input;
use crate::context::{self, History};
use protocol::RunId;
use protocol::hub::{Effect, RunSpec};
use protocol::log::{Entry, EntryBody, Outcome};
use protocol::model::{ModelEvent, ToolResult};
use reply::Reply;

/// One execution of the loop.
#[derive(Clone, Debug)]
pub struct Run {
    id: RunId,
    spec: RunSpec,
    history: History,
    phase: Phase,
    /// Of the loop's next own entry.
    ordinal: u32,
}

#[derive(Clone, Debug)]
enum Phase {
    Fresh,
    Calling { turn: u32, reply: Reply },
    Working { turn: u32 },
    Finished,
}

impl Run {
    /// Takes the run up where the transcript leaves it: at its beginning, if none of its turns is
    /// in there. `transcript` is the conversation's entries, oldest first.
    pub fn resume(run: RunId, spec: RunSpec, transcript: &[Entry]) -> Self {
        let history = History::of(&run, transcript);
        let phase = if history.is_finished() { Phase::Finished } else { Phase::Fresh };
        Self { id: run, spec, ordinal: history.own_entries(), history, phase }
    }

    pub fn is_finished(&self) -> bool {
        matches!(self.phase, Phase::Finished)
    }

    /// Takes in what happened and says what to do, in order. An input that does not fit where the
    /// run is (a stale turn, an answer to no call, anything after the end) has no effects.
    pub fn handle(&mut self, input: Input) -> Vec<Effect> {
        match input {
            Input::Resumed { .. } => match self.phase {
                Phase::Fresh => self.proceed(),
                Phase::Calling { .. } | Phase::Working { .. } | Phase::Finished => Vec::new(),
            },
            Input::Model { turn, event, .. } => match self.phase {
                Phase::Calling { turn: current, .. } if current == turn => self.hear(turn, event),
                Phase::Fresh | Phase::Calling { .. } | Phase::Working { .. } | Phase::Finished => Vec::new(),
            },
            Input::Tool { turn, result, .. } => match self.phase {
                Phase::Working { turn: current } if current == turn => self.take(turn, result),
                Phase::Fresh | Phase::Calling { .. } | Phase::Working { .. } | Phase::Finished => Vec::new(),
            },
            Input::Stop { .. } => self.stop(),
        }
    }

    /// Goes on from the last turn in the history.
    fn proceed(&mut self) -> Vec<Effect> {
        let Some((number, turn)) = self.history.last_turn() else {
            return self.call_model(0);
        };
        let next = number.saturating_add(1);
        let Some(stop) = turn.stop() else {
            return self.call_model(next);
        };
        let calls = turn.unanswered();
        if !calls.is_empty() {
            self.phase = Phase::Working { turn: number };
            return vec![Effect::RunTools { turn: number, calls }];
        }
        if turn.has_calls() {
            return self.call_model(next);
        }
        let outcome = outcome::of_reply(stop, turn);
        vec![self.finish(outcome)]
    }

    fn call_model(&mut self, turn: u32) -> Vec<Effect> {
        if turn >= self.spec.round_limit {
            return vec![self.finish(Outcome::RoundLimit)];
        }
        self.phase = Phase::Calling { turn, reply: Reply::default() };
        vec![Effect::CallModel { turn, request: context::request(&self.spec, &self.history) }]
    }

    fn hear(&mut self, turn: u32, event: ModelEvent) -> Vec<Effect> {
        let Phase::Calling { reply, .. } = &mut self.phase else {
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
            ModelEvent::Stopped { .. } if reply.is_open() => {
                self.break_off(turn, Outcome::Failed { failure: outcome::cut() })
            }
            ModelEvent::Stopped { reason } => {
                let mut effects = vec![self.append(EntryBody::TurnFinished { turn, stop: reason })];
                effects.extend(self.proceed());
                effects
            }
            ModelEvent::Failed { failure } => self.break_off(turn, Outcome::Failed { failure }),
            ModelEvent::Usage { .. } | ModelEvent::Unknown { .. } => Vec::new(),
        }
    }

    fn take(&mut self, turn: u32, result: ToolResult) -> Vec<Effect> {
        // The hub writes this entry; here it only becomes part of what the run knows.
        let body = EntryBody::ToolFinished { turn, result, millis: 0 };
        self.history.add(Some(&self.id), &body);
        let is_waiting = self.history.last_turn().is_some_and(|(_, turn)| !turn.unanswered().is_empty());
        if is_waiting {
            return Vec::new();
        }
        self.proceed()
    }

    fn stop(&mut self) -> Vec<Effect> {
        match self.phase {
            Phase::Fresh => vec![self.finish(Outcome::Stopped)],
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
}
