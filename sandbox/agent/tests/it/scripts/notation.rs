//! The scripts' notation, read and written.

use agent::{Effect, Input};
use protocol::RunId;
use protocol::log::{EntryBody, Outcome, Sender};
use protocol::model::{
    Block, BlockKind, ModelEvent, ModelFailure, ModelMessage, ToolCall, ToolResult, Usage,
};
use protocol::view::Home;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::fmt::Write;

pub enum Line {
    Comment,
    Rounds(u32),
    Log(Option<RunId>, EntryBody),
    /// The driver is gone; the next input goes to a run that is resumed.
    Cut,
    Input(Input),
    Effect,
}

/// Takes a line apart, word by word.
pub struct Reader<'a> {
    line: &'a str,
    rest: &'a str,
}

impl<'a> Reader<'a> {
    pub fn new(line: &'a str) -> Self {
        Self { line, rest: line }
    }

    pub fn line(mut self) -> Line {
        let line = match self.word() {
            "" | "#" => return Line::Comment,
            "<" => return Line::Effect,
            "rounds" => Line::Rounds(self.number()),
            "cut" => Line::Cut,
            "=" => self.log(),
            ">" => Line::Input(self.input()),
            _ => self.fail("a line mark"),
        };
        if !self.rest.is_empty() {
            self.fail("the end of the line");
        }
        line
    }

    fn log(&mut self) -> Line {
        let from = match self.word() {
            "person" => Sender::Person,
            "event" => Sender::PageNotify { name: self.json() },
            "question" => Sender::PageAsk,
            run => {
                let run = RunId::from(run);
                return Line::Log(Some(run), self.entry());
            }
        };
        let text = self.json();
        Line::Log(None, EntryBody::Message { from, text })
    }

    fn entry(&mut self) -> EntryBody {
        match self.word() {
            "start" => EntryBody::RunStarted { home: Home::Hub },
            "block" => EntryBody::Block { turn: self.number(), index: self.number(), block: self.block() },
            "turn" => EntryBody::TurnFinished { turn: self.number(), stop: self.name() },
            "call" => EntryBody::ToolStarted { turn: self.number(), call: self.call() },
            "result" => EntryBody::ToolFinished { turn: self.number(), result: self.result(), millis: 1 },
            "used" => EntryBody::Used {
                turn: self.number(),
                model: "m".to_owned(),
                usage: self.usage(),
                cost: None,
            },
            "finish" => EntryBody::RunFinished { outcome: self.outcome() },
            _ => self.fail("an entry"),
        }
    }

    fn input(&mut self) -> Input {
        let now = 0;
        match self.word() {
            "resumed" => Input::Resumed { now },
            "stop" => Input::Stop { now },
            "tool" => Input::Tool { now, turn: self.number(), result: self.result() },
            "model" => Input::Model { now, turn: self.number(), event: self.event() },
            _ => self.fail("an input"),
        }
    }

    fn event(&mut self) -> ModelEvent {
        match self.word() {
            "start" => ModelEvent::BlockStarted {
                index: self.number(),
                kind: match self.word() {
                    "text" => BlockKind::Text,
                    "reasoning" => BlockKind::Reasoning,
                    "call" => BlockKind::ToolUse { id: self.word().into(), name: self.word().to_owned() },
                    _ => self.fail("a kind of block"),
                },
            },
            "delta" => ModelEvent::Delta { index: self.number(), text: self.json() },
            "block" => ModelEvent::BlockFinished { index: self.number(), block: self.block() },
            "usage" => ModelEvent::Usage { usage: self.usage() },
            "stop" => ModelEvent::Stopped { reason: self.name() },
            "fail" => ModelEvent::Failed { failure: self.failure() },
            "unknown" => ModelEvent::Unknown { what: self.json() },
            _ => self.fail("a model event"),
        }
    }

    fn block(&mut self) -> Block {
        match self.word() {
            "text" => Block::Text { text: self.json() },
            "reasoning" => Block::Reasoning { text: self.json(), signature: None },
            "call" => Block::ToolUse(self.call()),
            _ => self.fail("a block"),
        }
    }

    fn call(&mut self) -> ToolCall {
        ToolCall { id: self.word().into(), name: self.word().to_owned(), input: self.json() }
    }

    fn result(&mut self) -> ToolResult {
        ToolResult {
            call: self.word().into(),
            name: self.word().to_owned(),
            is_error: match self.word() {
                "ok" => false,
                "error" => true,
                _ => self.fail("ok or error"),
            },
            content: self.json(),
            media: Vec::new(),
        }
    }

    fn usage(&mut self) -> Usage {
        Usage { input: self.number().into(), output: self.number().into(), ..Usage::default() }
    }

    fn outcome(&mut self) -> Outcome {
        match self.word() {
            "completed" => Outcome::Completed,
            "stopped" => Outcome::Stopped,
            "round_limit" => Outcome::RoundLimit,
            "failed" => Outcome::Failed { failure: self.failure() },
            "interrupted" => Outcome::Interrupted { why: self.json() },
            _ => self.fail("an outcome"),
        }
    }

    fn failure(&mut self) -> ModelFailure {
        ModelFailure { kind: self.name(), message: self.json(), retry_after_ms: None }
    }

    fn word(&mut self) -> &'a str {
        let (word, rest) = self.rest.split_once(' ').unwrap_or((self.rest, ""));
        self.rest = rest;
        word
    }

    fn number(&mut self) -> u32 {
        let word = self.word();
        word.parse().unwrap_or_else(|_| self.fail("a number"))
    }

    /// A variant by its name on the wire.
    fn name<T: DeserializeOwned>(&mut self) -> T {
        let word = Value::String(self.word().to_owned());
        serde_json::from_value(word).unwrap_or_else(|_| self.fail("a name"))
    }

    fn json<T: DeserializeOwned>(&mut self) -> T {
        let mut values = serde_json::Deserializer::from_str(self.rest).into_iter();
        let Some(Ok(value)) = values.next() else { self.fail("JSON") };
        self.rest = self.rest[values.byte_offset()..].trim_start();
        value
    }

    #[track_caller]
    fn fail(&self, expected: &str) -> ! {
        panic!("expected {expected} in {:?}", self.line)
    }
}

/// The lines of an effect.
pub fn effect(effect: &Effect) -> String {
    match effect {
        Effect::CallModel { turn, request } => {
            let mut lines = format!("< call_model {turn}\n");
            for told in &request.messages {
                writeln!(lines, "<   {}", message(told)).expect("strings take everything");
            }
            lines
        }
        Effect::AbortModel => "< abort_model\n".to_owned(),
        Effect::RunTools { turn, calls } => {
            let calls: Vec<String> = calls.iter().map(call).collect();
            format!("< run_tools {turn} {}\n", calls.join(", "))
        }
        Effect::AbortTools => "< abort_tools\n".to_owned(),
        Effect::Append { ordinal, body } => format!("< append #{ordinal} {}\n", own_entry(body)),
        Effect::Finish { ordinal, outcome: how } => format!("< finish #{ordinal} {}\n", outcome(how)),
    }
}

fn message(message: &ModelMessage) -> String {
    match message {
        ModelMessage::User { text, .. } => format!("user {}", json(text)),
        ModelMessage::Assistant { blocks } => {
            let blocks: Vec<String> = blocks.iter().map(block).collect();
            format!("assistant {}", blocks.join(", "))
        }
        ModelMessage::Tools { results } => {
            let results: Vec<String> = results.iter().map(result).collect();
            format!("tools {}", results.join(", "))
        }
    }
}

fn own_entry(body: &EntryBody) -> String {
    match body {
        EntryBody::Block { turn, index, block: piece } => format!("block {turn} {index} {}", block(piece)),
        EntryBody::TurnFinished { turn, stop } => format!("turn {turn} {}", name(stop)),
        EntryBody::Message { .. }
        | EntryBody::RunStarted { .. }
        | EntryBody::ToolStarted { .. }
        | EntryBody::ToolFinished { .. }
        | EntryBody::Used { .. }
        | EntryBody::RunFinished { .. }
        | EntryBody::Skin { .. }
        | EntryBody::State { .. } => panic!("not the loop's to write: {body:?}"),
    }
}

fn block(block: &Block) -> String {
    match block {
        Block::Text { text } => format!("text {}", json(text)),
        Block::Reasoning { text, .. } => format!("reasoning {}", json(text)),
        Block::ToolUse(called) => format!("call {}", call(called)),
    }
}

fn call(call: &ToolCall) -> String {
    format!("{} {} {}", call.id, call.name, json(&call.input))
}

fn result(result: &ToolResult) -> String {
    let how = if result.is_error { "error" } else { "ok" };
    let content = json(&result.content);
    format!("{} {} {how} {content}", result.call, result.name)
}

fn outcome(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Completed => "completed".to_owned(),
        Outcome::Stopped => "stopped".to_owned(),
        Outcome::RoundLimit => "round_limit".to_owned(),
        Outcome::Failed { failure } => {
            let message = json(&failure.message);
            format!("failed {} {message}", name(&failure.kind))
        }
        Outcome::Interrupted { why } => format!("interrupted {}", json(why)),
    }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("plain values serialise")
}

fn name(value: &impl Serialize) -> String {
    json(value).trim_matches('"').to_owned()
}
