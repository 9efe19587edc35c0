//! What large replies took of the process's memory goes back to the system.

use crate::live::agent;
use crate::world::{Endpoint, Program};
use futures_util::future::join_all;
use serde_json::json;
use std::fs;

#[tokio::test]
async fn what_large_replies_took_is_given_back() {
    let program = Program::start();
    let endpoint = Endpoint::start();
    let caller = program.caller("ada");
    let agent = agent(&caller, &endpoint).await;
    for number in 0..12 {
        let text = format!("{number} {}\nscript: hello", "word ".repeat(40_000));
        // Its run has ended before anything is measured.
        caller.call("/api/agents/ask", &json!({ "agent": agent, "text": text })).await;
    }
    let before = kilobytes(&program, "VmRSS");
    for _ in 0..4 {
        let path = format!("/api/agents/entries?agent={agent}&after=0");
        let parts = (0..32).map(|_| async { caller.get(&path).await.text().await });
        assert!(join_all(parts).await.iter().all(|part| part.as_ref().unwrap().len() > 800_000));
    }
    let most = kilobytes(&program, "VmHWM") - before;
    assert!(most > 4_000, "{most} KB are no large replies");
    // The last of it goes when the connections have seen that it was taken.
    let mut kept = most;
    for _ in 0..2_000 {
        kept = kilobytes(&program, "VmRSS").saturating_sub(before);
        if kept < most / 2 {
            return;
        }
        caller.get("/healthz").await;
    }
    panic!("{kept} of {most} KB stay");
}

fn kilobytes(program: &Program, field: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", program.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':')).unwrap();
    line.split_whitespace().next().unwrap().parse().unwrap()
}
