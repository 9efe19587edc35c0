//! The codecs at their boundary: recorded bytes in, events out; a request in, a body out.

mod asked;
mod counted;
mod encoding;
mod failures;
mod faults;
mod faulty;
mod in_browser;
mod model_lists;
mod passing;
mod recording;
mod reduction;
mod robustness;
mod served;
mod streams;

use agent::providers::{Dialect, Wire};
use std::path::{Path, PathBuf};

const CHAT: Wire = Wire::OpenAiChat(&Dialect::OTHER);

/// Each wire with the folder of its fixtures.
const WIRES: [(Wire, &str); 6] = [
    (Wire::Anthropic, "anthropic"),
    (CHAT, "openai-chat"),
    (Wire::OpenAiResponses, "openai-responses"),
    (Wire::Gemini, "gemini"),
    (Wire::Ollama, "ollama"),
    (Wire::Bedrock, "bedrock"),
];

/// The streams of a wire: whole bodies, or for the binary framing events to be framed.
fn streams(wire: Wire, folder: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let extension = match wire {
        Wire::Anthropic | Wire::OpenAiChat(_) | Wire::OpenAiResponses | Wire::Gemini => "sse",
        Wire::Ollama => "ndjson",
        Wire::Bedrock => "jsonl",
    };
    let read = |path: PathBuf| {
        let bytes = std::fs::read(&path).expect("a readable fixture");
        let body = match wire {
            Wire::Bedrock => recording::body(wire, &String::from_utf8(bytes).expect("a fixture of text")),
            Wire::Anthropic | Wire::OpenAiChat(_) | Wire::OpenAiResponses | Wire::Gemini | Wire::Ollama => {
                bytes
            }
        };
        (path, body)
    };
    files(&fixtures().join(folder), extension).into_iter().map(read).collect()
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

/// The files in `folder` that end in `.extension`, by name.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a readable entry").path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no .{extension} in {}", folder.display());
    files
}

/// Compares with the text in `path`, or writes it there when `UPDATE_EXPECT` is set.
pub fn expect_file(path: &Path, actual: &str) {
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(path, actual).expect("a writable fixture");
    }
    let expected = std::fs::read_to_string(path).unwrap_or_default();
    assert_eq!(actual, expected, "{}", path.display());
}
