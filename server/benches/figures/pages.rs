//! P16: the first byte of a page, for eight people at once who each ask again as soon as they have the whole of it;
//! how long the page is, and how much of it is there for the browser's program alone.

use crate::caller::Caller;
use crate::figure::{Figure, title};
use crate::model::{Model, Speech};
use crate::program::Program;
use futures_util::future::join_all;
use serde_json::json;
use std::time::Instant;

const CLIENTS: usize = 8;
const ROUNDS: usize = 100;
/// What a page says to the browser's program about what it shows.
const HANDED_ON: &str = "__RESOLVED_RESOURCES";

pub async fn measure() {
    let program = Program::start();
    let token = program.token("ada");
    let model = Model::start().await;
    model.speak(Speech::Short(20));
    let caller = Caller::new(&program.url, &token);
    let agent = caller.agent("Ada", &model.url).await;
    for number in 0..20 {
        caller.call("/api/agents/ask", &json!({ "agent": agent, "text": format!("Fern {number}.") })).await;
    }
    title(&format!("P16 the first byte of a page, {CLIENTS} clients, {ROUNDS} times each"));
    for (name, path) in [
        ("sign-in", "/sign-in".to_owned()),
        ("dashboard", "/".to_owned()),
        ("conversation of 20 exchanges", format!("/agents/{agent}")),
        ("files", format!("/agents/{agent}/files")),
    ] {
        let token = if name == "sign-in" { "" } else { &token };
        first_byte(name, &program.url, token, &path).await;
    }
}

async fn first_byte(name: &str, url: &str, token: &str, path: &str) {
    let caller = Caller::new(url, token);
    let page = caller.get(path, "identity").await.text().await.unwrap();
    let again: usize = page.split("<script").filter(|part| part.contains(HANDED_ON)).map(str::len).sum();
    println!("| {name}: bytes | {} | of which for the program {again} |", page.len());
    let clients: Vec<Caller> = (0..CLIENTS).map(|_| Caller::new(url, token)).collect();
    let mut first = Figure::new(format!("{name}: first byte"), "ms");
    let took = join_all(clients.iter().map(|client| rounds(client, path))).await;
    first.raw = took.into_iter().flatten().collect();
    println!("| {name}: first byte, p99 | {:.2} ms | |", first.at(99));
    println!("| {name}: first byte, median | {:.2} ms | |", first.median());
}

/// Milliseconds to the headers, which come with the first part of the page.
async fn rounds(client: &Caller, path: &str) -> Vec<f64> {
    let mut took = Vec::new();
    for _ in 0..ROUNDS {
        let began = Instant::now();
        let response = client.get(path, "identity").await;
        took.push(began.elapsed().as_secs_f64() * 1e3);
        response.bytes().await.unwrap();
    }
    took
}
