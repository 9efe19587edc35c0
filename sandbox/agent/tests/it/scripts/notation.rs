//! The scripts' notation, read and written.

use agent::{Effect, Input};
use protocol::RunId;
use protocol::agent::Home;
use protocol::agent::{Hook, Mode};
use protocol::log::{Class, CompactionEvent, EntryBody, LoopEvent, Outcome, ReplyEvent, Sender};
use protocol::model::{
    Block, BlockKind, ModelEvent, ModelFailure, ModelMessage, ToolCall, ToolChoice, ToolResult, Usage,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::fmt::Write;

pub enum Line {
    Comment,
    Rounds(u32),
    /// Something else of the run's spec.
    Set(Setting),
    /// Time passes, in milliseconds.
    Rest(u32),
    Log(Option<RunId>, EntryBody),
    /// The driver is gone, and so many of the last entries were not written; the next input goes to a
    /// run that is resumed.
    Cut(u32),
    Input(Input),
    Effect,
}

pub enum Setting {
    Tools(Vec<String>),
    Deferred(Vec<String>),
    Context(u32),
    NoNativeTools,
    Plan,
    Hook(Hook),
    Mode(Mode),
    ClearAfter(u32),
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
            "tools" => Line::Set(Setting::Tools(self.words())),
            "deferred" => Line::Set(Setting::Deferred(self.words())),
            "context" => Line::Set(Setting::Context(self.number())),
            "no_native_tools" => Line::Set(Setting::NoNativeTools),
            "plan" => Line::Set(Setting::Plan),
            "hook" => Line::Set(Setting::Hook(self.json())),
            "mode" => Line::Set(Setting::Mode(self.json())),
            "clear_after" => Line::Set(Setting::ClearAfter(self.number())),
            "rest" => Line::Rest(self.number()),
            "cut" if self.rest.is_empty() => Line::Cut(0),
            "cut" => Line::Cut(self.number()),
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
            "told" => Sender::PageEmit { name: self.json() },
            "errors" => Sender::PageErrors,
            "rule" => Sender::Rule { key: self.json() },
            "devices" => Sender::Devices,
            "todo" => Sender::Todo,
            "context" => Sender::Context { source: self.name(), untrusted: false },
            "foreign" => Sender::Context { source: self.name(), untrusted: true },
            run => {
                let run = RunId::from(run);
                return Line::Log(Some(run), self.entry());
            }
        };
        let text = self.json();
        Line::Log(None, EntryBody::said(from, text))
    }

    fn entry(&mut self) -> EntryBody {
        match self.word() {
            "start" => {
                let model = self.word();
                let model = (!model.is_empty()).then(|| model.to_owned());
                let rounds = model.as_ref().map(|_| self.number());
                EntryBody::RunStarted { home: Home::Hub, model, rounds, driver: None, unverified: false }
            }
            "block" => EntryBody::Block { turn: self.number(), index: self.number(), block: self.block() },
            "turn" => EntryBody::TurnFinished { turn: self.number(), stop: self.name() },
            "call" => EntryBody::ToolStarted { turn: self.number(), call: self.call() },
            "result" => {
                let (turn, (result, denied)) = (self.number(), self.result());
                EntryBody::ToolFinished { turn, result, millis: 1, denied }
            }
            "notice" => EntryBody::Notice { turn: self.number(), kind: self.name(), text: self.json() },
            "used" => EntryBody::Used {
                turn: self.number(),
                model: "m".to_owned(),
                usage: self.usage(),
                cost: None,
                aside: None,
            },
            "finish" => EntryBody::finished(self.outcome()),
            _ => self.fail("an entry"),
        }
    }

    fn input(&mut self) -> Input {
        match self.word() {
            "resumed" => Input::Resumed,
            "stop" => Input::Stop,
            "tool" => {
                let (turn, (result, denied)) = (self.number(), self.result());
                Input::Tool { turn, result, denied }
            }
            "steer" => {
                Input::Steer { seq: 0, from: Sender::Person, text: self.json(), attachments: Vec::new() }
            }
            "devices" => {
                Input::Steer { seq: 0, from: Sender::Devices, text: self.json(), attachments: Vec::new() }
            }
            "todo" => Input::Steer { seq: 0, from: Sender::Todo, text: self.json(), attachments: Vec::new() },
            "timer" => Input::Timer { timer: self.number() },
            "aside" => Input::Aside { turn: self.number(), purpose: self.name(), text: self.json() },
            "prefetched" => {
                let (turn, mut results) = (self.number(), Vec::new());
                while !self.rest.is_empty() {
                    results.push(self.result().0);
                }
                Input::Prefetched { turn, results }
            }
            "model" => Input::Model { turn: self.number(), event: self.event() },
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

    /// A result, and whether the call was denied.
    fn result(&mut self) -> (ToolResult, bool) {
        let (call, name) = (self.word().into(), self.word().to_owned());
        let (is_error, denied) = match self.word() {
            "ok" => (false, false),
            "error" => (true, false),
            "denied" => (true, true),
            _ => self.fail("ok, error or denied"),
        };
        (ToolResult { call, name, content: self.json(), media: Vec::new(), is_error }, denied)
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
        let (kind, message) = (self.name(), self.json());
        let retry_after_ms = (!self.rest.is_empty()).then(|| self.number().into());
        ModelFailure { kind, message, retry_after_ms }
    }

    fn word(&mut self) -> &'a str {
        let (word, rest) = self.rest.split_once(' ').unwrap_or((self.rest, ""));
        self.rest = rest;
        word
    }

    fn words(&mut self) -> Vec<String> {
        let words = std::mem::take(&mut self.rest);
        words.split(' ').map(str::to_owned).collect()
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
            if request.tools.iter().any(|tool| tool.name == "tool_search") {
                let names: Vec<&str> = request.tools.iter().map(|tool| tool.name.as_str()).collect();
                writeln!(lines, "<   declares {}", names.join(" ")).expect("strings take everything");
            }
            if let ToolChoice::None = request.tool_choice {
                lines.push_str("<   tool_choice none\n");
            }
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
        Effect::Prefetch { turn, calls, deadline_ms } => {
            let calls: Vec<String> = calls.iter().map(call).collect();
            format!("< prefetch {turn} {deadline_ms} {}\n", calls.join(", "))
        }
        Effect::Arm { timer, least_ms, most_ms } => format!("< arm {timer} {least_ms} {most_ms}\n"),
        Effect::Aside { turn, purpose, deadline_ms, .. } => {
            format!("< aside {turn} {} {deadline_ms}\n", name(purpose))
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
    match body.class() {
        Class::Reply(ReplyEvent::Block { turn, index, block: piece }) => {
            format!("block {turn} {index} {}", block(piece))
        }
        Class::Reply(ReplyEvent::Finished { turn, stop }) => format!("turn {turn} {}", name(&stop)),
        Class::Reply(ReplyEvent::Retrying { turn, failure }) => {
            format!("retrying {turn} {} {}", name(&failure.kind), json(&failure.message))
        }
        Class::Loop(LoopEvent::NotRun { turn, call, why, text }) => {
            format!("not_run {turn} {call} {} {}", name(&why), json(&text))
        }
        Class::Loop(LoopEvent::Notice { turn, kind, text }) => {
            format!("notice {turn} {} {}", name(&kind), json(&text))
        }
        Class::Loop(LoopEvent::Steered { turn, seq }) => format!("steered {turn} {seq}"),
        Class::Compaction(CompactionEvent::Digested { turn, upto }) => {
            format!("digested {turn} before {} {}", upto.run, upto.turn)
        }
        Class::Compaction(CompactionEvent::Clipped { turn, longest }) => format!("clipped {turn} {longest}"),
        Class::Compaction(CompactionEvent::Summary { turn, by, upto, text }) => {
            format!("summary {turn} by {} before {} {} {}", name(&by), upto.run, upto.turn, json(&text))
        }
        Class::Said { .. }
        | Class::Run(_)
        | Class::Call(_)
        | Class::HubNotice { .. }
        | Class::Used { .. }
        | Class::Agent(_) => panic!("not the loop's to write: {body:?}"),
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
