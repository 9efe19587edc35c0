//! Replays recorded streams against the codecs, whole and in ragged pieces:
//! `cargo run -p agent --example replay -- FOLDER`.
//!
//! `FOLDER` holds `anthropic-messages`, `openai-chat`, `openai-responses`, `gemini`, `ollama` and
//! `bedrock-converse` with `*.jsonl`, one event per line without its framing. Fails when pieces give other events than the whole, or when a reply seems cut or
//! malformed.

#[path = "../tests/it/providers/recording.rs"]
mod recording;
#[path = "../tests/it/providers/reduction.rs"]
mod reduction;

use agent::providers::{Dialect, Wire};
use protocol::model::{ModelEvent, ModelFailureKind};
use reduction::{decode, reduce};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const WIRES: [(Wire, &str); 6] = [
    (Wire::Anthropic, "anthropic-messages"),
    (Wire::OpenAiChat(&Dialect::OTHER), "openai-chat"),
    (Wire::OpenAiResponses, "openai-responses"),
    (Wire::Gemini, "gemini"),
    (Wire::Ollama, "ollama"),
    (Wire::Bedrock, "bedrock-converse"),
];

fn main() -> ExitCode {
    let Some(folder) = std::env::args_os().nth(1) else {
        eprintln!("usage: replay FOLDER");
        return ExitCode::FAILURE;
    };
    let (mut files, mut problems) = (0, 0);
    for (wire, name) in WIRES {
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
    let body = recording::body(wire, &lines);
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
