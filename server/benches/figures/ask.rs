//! What it costs that an agent asks another one, beside the same question of their person.

use crate::caller::Caller;
use crate::figure::{Figure, title};
use crate::model::{Model, Speech};
use crate::program::Program;
use crate::stop::{follow, hear};
use serde_json::json;
use std::time::{Duration, Instant};
use tokio::time::sleep;

const ROUNDS: usize = 20;
/// An agent asks others twice a second.
const PACE: Duration = Duration::from_millis(600);

pub async fn measure() {
    let program = Program::start();
    let token = program.token("ada");
    let caller = Caller::new(&program.url, &token);
    let (asking, answering) = (Model::start().await, Model::start().await);
    let input = json!({ "agents": ["Bea"], "text": "Speak.", "wait_seconds": 20 });
    asking.speak(Speech::Call { name: "agent_ask", input: input.to_string() });
    answering.speak(Speech::Short(1));
    let asked = caller.agent("Bea", &answering.url).await;
    let provider = json!({ "name": "Asking", "kind": "open_ai", "base_url": asking.url, "key": "key-good" });
    let provider = caller.call("/api/providers/save", &provider).await;
    let draft = json!({
        "name": "Ada", "colour": "#3a7d44", "provider": provider["id"], "model": "gpt-5-mini",
        "tools": ["agent_ask"], "home": "hub",
    });
    let agent = caller.call("/api/agents/create", &draft).await["id"].as_str().unwrap().to_owned();
    caller.call("/api/policy/add", &json!({ "agent": agent, "tool": "agent_ask", "verdict": "allow" })).await;
    let mut socket = follow(&program, &token, &agent).await;

    title("An agent asks another one, SQLite");
    let mut by_agent = Figure::new("agent_ask, from the call to its result", "ms");
    let mut by_person = Figure::new("the same question of the person, from the request to its answer", "ms");
    for _ in 0..ROUNDS {
        caller.call("/api/agents/send", &json!({ "agent": agent, "text": "Go on." })).await;
        let began = hear(&mut socket, "tool_started").await;
        let ended = hear(&mut socket, "tool_finished").await;
        hear(&mut socket, "run_finished").await;
        by_agent.raw.push((ended - began).as_secs_f64() * 1e3);
        let began = Instant::now();
        caller.call("/api/agents/ask", &json!({ "agent": asked, "text": "Speak." })).await;
        by_person.raw.push(began.elapsed().as_secs_f64() * 1e3);
        sleep(PACE).await;
    }
    by_agent.print_beside(&by_person);
    println!("| = more | {:.2} ms | |", by_agent.median() - by_person.median());
}
