//! One question to an agent, by chat completions: who hangs up stops the run.

use super::{Ask, Caller, STOPPED, answered};
use serde_json::{Value, json};
use std::io::{Read as _, Write as _, stdin, stdout};
use std::process::ExitCode;

/// Longest line of a stream, in bytes.
const LINE: usize = 4 * 1024 * 1024;

pub(super) async fn ask(asked: Ask) -> Result<ExitCode, String> {
    let text = match asked.text.as_deref() {
        Some(text) if text != "-" => text.to_owned(),
        Some(_) | None => {
            let mut text = String::new();
            stdin()
                .read_to_string(&mut text)
                .map_err(|error| format!("Standard input cannot be read: {error}"))?;
            text
        }
    };
    let caller = asked.place.client()?;
    let model = format!("agent/{}", asked.agent);
    let body = json!({ "model": model, "stream": true, "messages": [{ "role": "user", "content": text }] });
    tokio::select! {
        done = follow(&caller, &body) => done.map(|()| ExitCode::SUCCESS),
        _ = tokio::signal::ctrl_c() => {
            eprintln!("vivarium: Stopped.");
            Ok(ExitCode::from(STOPPED))
        }
    }
}

async fn follow(caller: &Caller<'_>, body: &Value) -> Result<(), String> {
    let mut response = answered(caller.post("/v1/chat/completions", body)?).await?;
    let mut rest = Vec::new();
    let mut is_over = false;
    while let Some(part) = response.chunk().await.map_err(|error| format!("The answer broke off: {error}"))? {
        rest.extend_from_slice(&part);
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = rest.drain(..=end).collect();
            let line = String::from_utf8_lossy(&line);
            let Some(data) = line.trim_end().strip_prefix("data: ") else { continue };
            if data == "[DONE]" {
                is_over = true;
                continue;
            }
            show(caller, data)?;
        }
        if rest.len() > LINE {
            return Err("The hub sends what is no stream of events.".to_owned());
        }
    }
    if !caller.place.json {
        println!();
    }
    if is_over { Ok(()) } else { Err("The answer broke off.".to_owned()) }
}

fn show(caller: &Caller<'_>, data: &str) -> Result<(), String> {
    let event: Value =
        serde_json::from_str(data).map_err(|error| format!("An event cannot be read: {error}"))?;
    let mut out = stdout().lock();
    let written = if caller.place.json {
        writeln!(out, "{event}")
    } else {
        let words = event["choices"][0]["delta"]["content"].as_str().unwrap_or_default();
        out.write_all(words.as_bytes())
    };
    written.and_then(|()| out.flush()).map_err(|error| format!("It cannot be written: {error}"))?;
    match event["error"]["message"].as_str() {
        Some(failure) => Err(failure.to_owned()),
        None => Ok(()),
    }
}
