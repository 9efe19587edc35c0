//! A model that says what a list tells it, and tools that answer at once: enough of a world to
//! drive a run to its end, input by input.

use crate::world::World;
use agent::{Effect, Input, Run, RunSpec};
use proptest::prelude::*;
use protocol::log::{EntryBody, Sender};
use protocol::model::{
    Block, BlockKind, ModelEvent, ModelFailure, ModelFailureKind, StopReason, ToolCall, ToolResult, Usage,
};
use protocol::{CallId, RunId};
use serde_json::json;
use std::collections::VecDeque;

/// What the model says in one turn.
#[derive(Clone, Debug)]
pub struct Reply {
    pieces: Vec<Piece>,
    end: End,
    /// A person says something in the middle of it.
    is_steered: bool,
}

#[derive(Clone, Debug)]
enum Piece {
    Text(String),
    Reasoning(String),
    /// One of a few calls that do and do not get in each other's way.
    Call(usize),
}

#[derive(Clone, Debug)]
enum End {
    Stopped(StopReason),
    /// In the middle of the last piece.
    Failed(ModelFailureKind),
}

pub fn replies() -> impl Strategy<Value = Vec<Reply>> {
    let piece = prop_oneof![
        1 => "[a-z ]{0,4}".prop_map(Piece::Text),
        1 => "[a-z]{0,4}".prop_map(Piece::Reasoning),
        2 => (0..CALLS.len()).prop_map(Piece::Call),
    ];
    let end = prop_oneof![
        3 => Just(End::Stopped(StopReason::ToolUse)),
        3 => Just(End::Stopped(StopReason::EndTurn)),
        1 => Just(End::Stopped(StopReason::MaxTokens)),
        1 => Just(End::Stopped(StopReason::Refusal)),
        1 => Just(End::Failed(ModelFailureKind::Server)),
        1 => Just(End::Failed(ModelFailureKind::ContextTooLong)),
    ];
    let reply = (prop::collection::vec(piece, 0..8), end, prop::bool::weighted(0.3))
        .prop_map(|(pieces, end, is_steered)| Reply { pieces, end, is_steered });
    prop::collection::vec(reply, 0..5)
}

const CALLS: &[(&str, &str, &str)] = &[
    ("dom", "get_listeners", ""),
    ("state", "get", "x"),
    ("state", "set", "x"),
    ("state", "get", "y"),
    ("runjs", "", ""),
    ("broken", "", ""),
];

/// An effect, and how many entries the log had when it came.
#[derive(Clone, Debug)]
pub struct Step {
    pub at: usize,
    pub effect: Effect,
}

/// A run that is being driven.
pub struct Play<'a> {
    id: &'a RunId,
    replies: &'a [Reply],
    run: Run,
    inputs: VecDeque<Input>,
    pub steps: Vec<Step>,
}

impl<'a> Play<'a> {
    pub fn resume(world: &World, id: &'a RunId, spec: &RunSpec, replies: &'a [Reply]) -> Self {
        Self {
            id,
            replies,
            run: world.resume(id, spec),
            inputs: VecDeque::from([Input::Resumed]),
            steps: Vec::new(),
        }
    }

    /// Plays the next input; `false` if there is none.
    pub fn step(&mut self, world: &mut World) -> bool {
        let Some(input) = self.inputs.pop_front() else {
            return false;
        };
        self.put(world, input);
        true
    }

    pub fn fingerprint(&self) -> u64 {
        self.run.fingerprint()
    }

    pub fn finish(mut self, world: &mut World) -> Vec<Step> {
        while self.step(world) {}
        assert!(self.run.is_finished(), "the run waits for nothing");
        self.steps
    }

    /// Stops the run, and answers its open tool calls after its end.
    pub fn stop(&mut self, world: &mut World) {
        let open: Vec<Input> = self.inputs.drain(..).collect();
        self.put(world, Input::Stop);
        for input in open {
            self.put(world, input);
        }
        assert!(self.run.is_finished(), "a stopped run is finished");
    }

    fn put(&mut self, world: &mut World, mut input: Input) {
        match &mut input {
            Input::Tool { turn, result, denied, .. } => world.write_result(self.id, *turn, result, *denied),
            Input::Model { turn, event: ModelEvent::Usage { usage }, .. } => {
                let used = EntryBody::Used {
                    turn: *turn,
                    model: "m".to_owned(),
                    usage: *usage,
                    cost: None,
                    aside: None,
                };
                world.write(Some(self.id), used);
            }
            Input::Steer { seq, from, text, .. } => {
                let (from, text) = (from.clone(), text.clone());
                world.write(None, EntryBody::said(from, text));
                *seq = world.entries.len() as u64;
            }
            Input::Model { .. }
            | Input::Resumed
            | Input::Timer { .. }
            | Input::Prefetched { .. }
            | Input::Aside { .. }
            | Input::Stop => {}
        }
        for effect in self.run.handle(input) {
            self.steps.push(Step { at: world.entries.len(), effect: effect.clone() });
            world.perform(self.id, &effect);
            self.answer(world, effect);
        }
    }

    fn answer(&mut self, world: &World, effect: Effect) {
        match effect {
            Effect::CallModel { turn, .. } => {
                let (events, is_steered) = self.reply(world);
                let mut inputs: Vec<Input> =
                    events.into_iter().map(|event| Input::Model { turn, event }).collect();
                if is_steered {
                    let (from, text) = (Sender::Person, "Wait".to_owned());
                    inputs.insert(
                        inputs.len() / 2,
                        Input::Steer { seq: 0, from, text, attachments: Vec::new() },
                    );
                }
                self.inputs.extend(inputs);
            }
            Effect::RunTools { turn, calls } => {
                self.inputs.extend(calls.into_iter().rev().map(|call| {
                    let result = ToolResult {
                        content: format!("result of {}", call.id),
                        media: Vec::new(),
                        call: call.id,
                        is_error: call.name == "broken",
                        name: call.name,
                    };
                    let denied = result.is_error;
                    Input::Tool { turn, result, denied }
                }));
            }
            Effect::Arm { timer, .. } => self.inputs.push_back(Input::Timer { timer }),
            Effect::Prefetch { turn, calls, .. } => {
                let results = calls.into_iter().map(|call| ToolResult {
                    content: format!("result of {}", call.id),
                    media: Vec::new(),
                    call: call.id,
                    is_error: false,
                    name: call.name,
                });
                self.inputs.push_back(Input::Prefetched { turn, results: results.collect() });
            }
            Effect::Aside { turn, purpose, .. } => {
                let text = Some("In short.".to_owned());
                self.inputs.push_back(Input::Aside { turn, purpose, text });
            }
            Effect::AbortModel | Effect::AbortTools | Effect::Append { .. } | Effect::Finish { .. } => {}
        }
    }

    /// What the model says now. It knows how many turns are whole, so it says the same again in a
    /// turn that is made again.
    fn reply(&self, world: &World) -> (Vec<ModelEvent>, bool) {
        let entries = world.entries.iter();
        let whole = entries
            .filter(|entry| entry.run.as_ref() == Some(self.id))
            .filter(|entry| matches!(entry.body, EntryBody::TurnFinished { .. }))
            .count();
        let done = Reply {
            pieces: vec![Piece::Text("Done.".to_owned())],
            end: End::Stopped(StopReason::EndTurn),
            is_steered: false,
        };
        let reply = self.replies.get(whole).unwrap_or(&done);
        (reply.events(whole), reply.is_steered)
    }
}

impl Reply {
    fn events(&self, whole: usize) -> Vec<ModelEvent> {
        let mut events = Vec::new();
        for (index, piece) in (0..).zip(&self.pieces) {
            let id = CallId(format!("call-{whole}-{index}"));
            let (kind, text, block) = piece.told(id);
            events.push(ModelEvent::BlockStarted { index, kind });
            events.push(ModelEvent::Delta { index, text });
            events.push(ModelEvent::BlockFinished { index, block });
        }
        if let End::Failed(_) = self.end {
            events.pop();
        }
        events.push(ModelEvent::Usage { usage: Usage::default() });
        events.push(match self.end {
            End::Stopped(reason) => ModelEvent::Stopped { reason },
            End::Failed(kind) => ModelEvent::Failed {
                failure: ModelFailure {
                    kind,
                    message: "The provider failed.".to_owned(),
                    retry_after_ms: None,
                },
            },
        });
        events
    }
}

impl Piece {
    fn told(&self, id: CallId) -> (BlockKind, String, Block) {
        match self {
            Self::Text(text) => {
                let block = Block::Text { text: text.clone() };
                (BlockKind::Text, text.clone(), block)
            }
            Self::Reasoning(text) => {
                let block = Block::Reasoning { text: text.clone(), signature: Some("signed".to_owned()) };
                (BlockKind::Reasoning, text.clone(), block)
            }
            Self::Call(which) => {
                let (name, action, key) = CALLS[*which];
                let name = name.to_owned();
                let kind = BlockKind::ToolUse { id: id.clone(), name: name.clone() };
                let input = json!({ "action": action, "key": key });
                let text = input.to_string();
                (kind, text, Block::ToolUse(ToolCall { id, name, input }))
            }
        }
    }
}
