//! Replays recorded streams against the codecs, whole and in ragged pieces:
//! `cargo run -p agent --example replay -- FOLDER`.
//!
//! `FOLDER` holds `anthropic-messages/*.jsonl` and `openai-chat/*.jsonl`, one event per line without
//! its framing. Fails when pieces give other events than the whole, or when a reply seems cut or
//! malformed.

#[path = "../tests/it/providers/reduction.rs"]
mod reduction;

use agent::providers::Wire;
use protocol::model::{ModelEvent, ModelFailureKind};
use reduction::{decode, reduce};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(folder) = std::env::args_os().nth(1) else {
        eprintln!("usage: replay FOLDER");
        return ExitCode::FAILURE;
    };
    let (mut files, mut problems) = (0, 0);
    for (wire, name) in [(Wire::Anthropic, "anthropic-messages"), (Wire::OpenAiChat, "openai-chat")] {
        for file in recordings(&Path::new(&folder).join(name)) {
            println!("== {}", file.display());
            files += 1;
            if let Err(problem) = replay(wire, &file) {
                println!("PROBLEM {problem}");
                problems += 1;
            }
        }
    }
    println!("{files} files, {problems} with problems");
    match (files, problems) {
        (1.., 0) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

fn recordings(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|found| found == "jsonl"))
        .collect();
    files.sort();
    files
}

fn replay(wire: Wire, file: &Path) -> Result<(), String> {
    let lines = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    let body = frame(wire, &lines);
    let whole = decode(wire.decoder(), [body.as_slice()]);
    print!("{}", reduce(&whole));
    for size in [1, 2, 3, 7, 64, 1000] {
        if decode(wire.decoder(), body.chunks(size)) != whole {
            return Err(format!("pieces of {size} bytes give other events"));
        }
    }
    match whole.last() {
        Some(ModelEvent::Failed { failure })
            if matches!(failure.kind, ModelFailureKind::Malformed | ModelFailureKind::Cut) =>
        {
            Err(failure.message.clone())
        }
        _ => Ok(()),
    }
}

fn frame(wire: Wire, lines: &str) -> Vec<u8> {
    let mut body = String::new();
    for line in lines.lines().filter(|line| !line.trim().is_empty()) {
        if wire == Wire::Anthropic {
            let event: Value = serde_json::from_str(line).unwrap_or_default();
            let name = event["type"].as_str().unwrap_or_default();
            body.push_str(&format!("event: {name}\n"));
        }
        body.push_str(&format!("data: {line}\n\n"));
    }
    if wire == Wire::OpenAiChat {
        body.push_str("data: [DONE]\n\n");
    }
    body.into_bytes()
}
