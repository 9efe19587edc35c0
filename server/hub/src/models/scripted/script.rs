//! What the guide says and does next, decided from the messages alone.

use agent::context::{is_counter, is_note};
use protocol::CallId;
use protocol::model::{Block, ModelMessage, ModelRequest, ToolCall, ToolResult};
use serde_json::{Value, json};

const HELLO: &str = include_str!("hello.md");
const NOT_DRAWN: &str = include_str!("not_drawn.md");
const DRAWN: &str = include_str!("drawn.md");
const OTHER: &str = include_str!("other.md");
const NO_TOOLS: &str = include_str!("no_tools.md");
const NOT_GROWN: &str = include_str!("not_grown.md");
const LEAVES: &str = include_str!("leaves.md");
const FULL: &str = include_str!("full.md");
const PAGE: &str = include_str!("page.html");
const GROW: &str = include_str!("grow.js");

/// How many leaves the page has when it is drawn.
const FIRST_LEAVES: usize = 3;
/// How the words of a page begin.
const EVENT: &str = "[page event: ";

/// One thing that it does in its page. A call's id begins with the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Draw,
    Listen,
    Grow,
}

const STEPS: [Step; 3] = [Step::Draw, Step::Listen, Step::Grow];

impl Step {
    fn name(self) -> &'static str {
        match self {
            Self::Draw => "draw",
            Self::Listen => "listen",
            Self::Grow => "grow",
        }
    }

    fn of(call: &CallId) -> Option<Self> {
        STEPS.into_iter().find(|step| call.0.starts_with(step.name()))
    }
}

/// How things stand after some messages.
#[derive(Debug, Default)]
struct Scene {
    greeted: bool,
    drawn: bool,
    listening: bool,
    presses: usize,
}

impl Scene {
    fn after(messages: &[&ModelMessage]) -> Self {
        let mut scene = Self::default();
        for message in messages {
            match message {
                ModelMessage::User { text, .. } => scene.presses += presses(text),
                ModelMessage::Assistant { .. } => scene.greeted = true,
                ModelMessage::Tools { results } => results.iter().for_each(|result| scene.note(result)),
            }
        }
        scene
    }

    fn note(&mut self, result: &ToolResult) {
        match (Step::of(&result.call), result.is_error) {
            (Some(Step::Draw), false) => (self.drawn, self.presses) = (true, 0),
            (Some(Step::Draw), true) => {}
            (Some(Step::Listen), is_error) => self.listening = !is_error,
            (Some(Step::Grow), is_error) => self.drawn = !is_error,
            (None, _) => {}
        }
    }
}

/// The whole next reply: the same for the same request.
pub(super) fn next_reply(request: &ModelRequest) -> Vec<Block> {
    let may_draw = ["dom", "runjs"].iter().all(|name| request.tools.iter().any(|tool| tool.name == *name));
    if !may_draw {
        return vec![say(NO_TOOLS)];
    }
    let heard = heard(request);
    let scene = Scene::after(&heard);
    let turn = heard.len();
    match heard.last() {
        Some(ModelMessage::Tools { results }) => match results.last() {
            Some(result) => after_step(&scene, result, turn),
            None => vec![say(OTHER)],
        },
        Some(ModelMessage::User { text, .. }) if scene.drawn && presses(text) > 0 => grow(&scene, turn),
        Some(ModelMessage::User { .. }) if !scene.drawn && scene.greeted => {
            vec![step(Step::Draw, draw(), turn)]
        }
        Some(ModelMessage::User { .. }) if !scene.drawn => vec![say(HELLO), step(Step::Draw, draw(), turn)],
        Some(ModelMessage::User { .. }) if !scene.listening => vec![step(Step::Listen, listen(), turn)],
        Some(ModelMessage::User { .. } | ModelMessage::Assistant { .. }) | None => vec![say(OTHER)],
    }
}

/// The messages without what the loop itself says after each round, and without the hub's notes.
fn heard(request: &ModelRequest) -> Vec<&ModelMessage> {
    let is_heard = |message: &&ModelMessage| match message {
        ModelMessage::User { text, .. } => !text.split("\n\n").all(|part| is_counter(part) || is_note(part)),
        ModelMessage::Assistant { .. } | ModelMessage::Tools { .. } => true,
    };
    request.messages.iter().filter(is_heard).collect()
}

fn after_step(scene: &Scene, result: &ToolResult, turn: usize) -> Vec<Block> {
    match (Step::of(&result.call), result.is_error) {
        (Some(Step::Draw), false) => vec![step(Step::Listen, listen(), turn)],
        (Some(Step::Draw | Step::Listen), true) => vec![say(NOT_DRAWN)],
        (Some(Step::Listen), false) => vec![say(DRAWN)],
        (Some(Step::Grow), false) => vec![say(leaf_line(scene.presses).unwrap_or(FULL))],
        (Some(Step::Grow), true) => vec![say(NOT_GROWN)],
        (None, _) => vec![say(OTHER)],
    }
}

fn grow(scene: &Scene, turn: usize) -> Vec<Block> {
    let Some(line) = leaf_line(scene.presses) else { return vec![say(FULL)] };
    let leaves = FIRST_LEAVES + scene.presses;
    let said = line.split_once(". ").map_or(line, |(first, _)| first).trim_end_matches('.');
    let code = format!("const leaves = {leaves};\nconst said = {};\n{GROW}", Value::from(format!("{said}.")));
    vec![step(Step::Grow, json!({ "code": code }), turn)]
}

/// What it says after so many presses. `None` before the first and after the last.
fn leaf_line(presses: usize) -> Option<&'static str> {
    LEAVES.lines().nth(presses.checked_sub(1)?)
}

fn presses(text: &str) -> usize {
    text.lines().filter(|line| line.starts_with(EVENT)).count()
}

fn say(text: &str) -> Block {
    Block::Text { text: text.trim_end().to_owned() }
}

fn draw() -> Value {
    json!({ "action": "create", "selector": "body", "position": "replace", "html": PAGE })
}

fn listen() -> Value {
    json!({ "action": "listen", "selector": "#grow", "event": "click" })
}

fn step(step: Step, input: Value, turn: usize) -> Block {
    let name = match step {
        Step::Draw | Step::Listen => "dom",
        Step::Grow => "runjs",
    };
    Block::ToolUse(ToolCall { id: CallId(format!("{}-{turn}", step.name())), name: name.to_owned(), input })
}

#[cfg(test)]
mod tests;
