//! P24: what a message costs the hub at a hundred messages and at three thousand, through the hub with its
//! store, and the page of the conversation then.

use crate::caller::Caller;
use crate::figure::{Figure, title};
use crate::model::{Model, Speech};
use crate::process::Process;
use crate::program::{self, token};
use serde_json::json;
use tempfile::TempDir;

/// A message and its answer are two of them.
const SHORT: usize = 100;
const LONG: usize = 3_000;
/// Messages in one raw figure, and raw figures.
const ROUND: usize = 50;
const ROUNDS: usize = 4;
const PAGES: usize = 20;

pub async fn measure() {
    let folder = TempDir::new().unwrap();
    let token = token(folder.path(), "ada");
    let hub = Process::greeted(program::command(folder.path()).env("VIVARIUM_PERSON_REQUESTS", "0"));
    let url = hub.greeting.strip_prefix("Vivarium is at ").expect("it says where it is");
    let caller = Caller::new(&url.replace("localhost", "127.0.0.1"), &token);
    let model = Model::start().await;
    model.speak(Speech::Short(10));
    let agent = caller.agent("Ada", &model.url).await;
    let mut messages = 0;
    let mut figures = Vec::new();
    title("P24 a message in a long conversation, SQLite");
    for length in [SHORT, LONG] {
        while messages < length {
            say(&caller, &agent, messages).await;
            messages += 2;
        }
        let mut figure = Figure::new(format!("a message at {length}"), "ms CPU");
        for _ in 0..ROUNDS {
            let before = hub.cpu();
            for _ in 0..ROUND {
                say(&caller, &agent, messages).await;
                messages += 2;
            }
            let spent = hub.cpu() - before;
            figure.raw.push(spent.as_secs_f64() * 1e3 / f64::from(u32::try_from(ROUND).unwrap()));
        }
        figures.push(figure);
    }
    figures[1].print_beside(&figures[0]);
    page(&hub, &caller, &agent).await;
}

async fn say(caller: &Caller, agent: &str, number: usize) {
    let text =
        format!("Message {number}: how are the ferns on the balcony today, and is there anything to do?");
    caller.call("/api/agents/ask", &json!({ "agent": agent, "text": text })).await;
}

async fn page(hub: &Process, caller: &Caller, agent: &str) {
    let path = format!("/agents/{agent}");
    let before = hub.memory("Rss");
    let mut size = Figure::new("its page", "KB of HTML");
    for _ in 0..PAGES {
        let html = caller.get(&path, "identity").await.bytes().await.unwrap();
        size.raw.push(f64::from(u32::try_from(html.len()).unwrap()) / 1024.0);
    }
    let mut memory = Figure::new(format!("memory after {PAGES} loads of it"), "MiB more");
    memory.raw.push(hub.memory("Rss") - before);
    size.print();
    memory.print();
}
