//! What a step of the loop costs: bare, after ten and after a thousand steps, and in a long
//! conversation, with the first request that a run makes of its log. `cargo bench -p agent` prints the
//! figures; they are wall-clock time of one thread that does nothing else, medians of many. Encoding
//! for a provider is not in them. `langgraph` has the same steps in another product.

use agent::{Input, Run, RunSpec, context, tools};
use protocol::agent::Home;
use protocol::agent::Mode;
use protocol::log::{Entry, EntryBody, Sender};
use protocol::model::{Block, ModelEvent, StopReason, ToolCall, ToolResult};
use protocol::{AgentId, RunId};
use serde_json::json;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Rounds of one run. The history is that of many runs.
const ROUNDS: u32 = 40;

fn main() {
    let (early, late) = (step_after(10), step_after(1000));
    println!("step after    10 steps  {:>9.1} µs", micros(early));
    println!("step after 1,000 steps  {:>9.1} µs  ({:.2} ×)", micros(late), micros(late) / micros(early));
    let log = log_of(3250);
    let messages = context::assemble(&spec(), &RunId::from("next"), &log).messages.len();
    println!("with {messages} messages in {} entries:", log.len());
    println!("  a step                {:>9.2} ms", millis(step_after(3250)));
    println!("  the first request     {:>9.2} ms", millis(first_of(&log)));
}

/// A model call and one tool call, when so many steps went before.
fn step_after(steps: u32) -> Duration {
    let mut log = log_of(steps);
    let id = RunId::from("next");
    write(&mut log, None, EntryBody::said(Sender::Person, "Go on".to_owned()));
    write(&mut log, Some(&id), started());
    let mut run = Run::resume(id, spec(), &log);
    run.handle(Input::Resumed);
    let mut took = Vec::new();
    for turn in 0..ROUNDS - 2 {
        let inputs = inputs(turn, steps + turn);
        let begin = Instant::now();
        for input in inputs {
            black_box(run.handle(input));
        }
        took.push(begin.elapsed());
    }
    took.sort();
    took[took.len() / 2]
}

/// From the log to the first call of the model.
fn first_of(log: &[Entry]) -> Duration {
    let spec = spec();
    let mut took: Vec<Duration> = (0..40)
        .map(|_| {
            let (id, spec) = (RunId::from("next"), spec.clone());
            let begin = Instant::now();
            let mut run = Run::resume(id, spec, log);
            let effects = run.handle(Input::Resumed);
            let elapsed = begin.elapsed();
            black_box((run, effects));
            elapsed
        })
        .collect();
    took.sort();
    took[took.len() / 2]
}

fn inputs(turn: u32, number: u32) -> Vec<Input> {
    let call = call(number);
    let result = result(&call);
    let event = |event| Input::Model { turn, event };
    vec![
        event(ModelEvent::BlockFinished { index: 0, block: Block::ToolUse(call) }),
        event(ModelEvent::Stopped { reason: StopReason::ToolUse }),
        Input::Tool { turn, result, denied: false },
    ]
}

/// The log of runs with so many steps in all.
fn log_of(steps: u32) -> Vec<Entry> {
    let mut log = Vec::new();
    for number in 0..steps {
        let (run, turn) = (RunId(format!("run-{}", number / ROUNDS)), number % ROUNDS);
        if turn == 0 {
            let text = "Do the next part of the work.".to_owned();
            write(&mut log, None, EntryBody::said(Sender::Person, text));
            write(&mut log, Some(&run), started());
        }
        let call = call(number);
        let result = result(&call);
        write(&mut log, Some(&run), EntryBody::Block { turn, index: 0, block: Block::ToolUse(call) });
        write(&mut log, Some(&run), EntryBody::TurnFinished { turn, stop: StopReason::ToolUse });
        write(&mut log, Some(&run), EntryBody::ToolFinished { turn, result, millis: 1, denied: false });
    }
    log
}

fn write(log: &mut Vec<Entry>, run: Option<&RunId>, body: EntryBody) {
    let seq = log.len() as u64 + 1;
    log.push(Entry { agent: AgentId::from("a"), seq, at: 0, conversation: None, run: run.cloned(), body });
}

fn started() -> EntryBody {
    EntryBody::RunStarted {
        home: Home::Hub,
        model: Some("m".to_owned()),
        rounds: Some(ROUNDS),
        driver: None,
        unverified: false,
    }
}

fn call(number: u32) -> ToolCall {
    let input = json!({ "action": "query", "selector": format!("#part-{number}") });
    ToolCall { id: format!("call-{number}").into(), name: "dom".to_owned(), input }
}

fn result(call: &ToolCall) -> ToolResult {
    ToolResult {
        call: call.id.clone(),
        name: call.name.clone(),
        content: format!("{{\"matched\":1,\"of\":\"{}\"}}", call.id),
        media: Vec::new(),
        is_error: false,
    }
}

/// A context that everything here fits into, so that nothing is shortened.
fn spec() -> RunSpec {
    RunSpec {
        name: "Ada".to_owned(),
        instructions: String::new(),
        agents_md: String::new(),
        workspace_md: String::new(),
        memories: String::new(),
        model: "m".to_owned(),
        tools: tools::specs(&["dom".to_owned(), "runjs".to_owned()]),
        deferred: Vec::new(),
        max_output_tokens: 4096,
        round_limit: ROUNDS,
        context_tokens: 100_000_000,
        native_tools: true,
        plan: false,
        effort: None,
        sampling: Box::default(),
        skills: Vec::new(),
        listed_skills: Vec::new(),
        hooks: Vec::new(),
        mode: Mode::Answering,
        clear_after_ms: None,
        on_device: None,
    }
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}
