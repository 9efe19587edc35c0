//! Mutates the committed streams and feeds them to every parser that reads what others wrote:
//! `cargo run -p agent --release --example fuzz -- SECONDS [SEED]`.
//!
//! The same seed makes the same inputs. Fails when a parser panics, when pieces give other events than
//! the whole, when the order of events is not kept, or when there is not one end; the input is then
//! written to a file in the temporary folder.

#[path = "../tests/it/providers/recording.rs"]
mod recording;
#[path = "../tests/it/providers/reduction.rs"]
mod reduction;

use agent::providers::{Candidate, Dialect, Wire, candidates};
use agent::text_lane::Lane;
use protocol::model::{Block, BlockKind, ModelEvent, ModelRequest, StopReason, ToolChoice, ToolSpec};
use reduction::{decode, reduce};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

const WIRES: [(Wire, &str); 6] = [
    (Wire::Anthropic, "anthropic"),
    (Wire::OpenAiChat(&Dialect::OTHER), "openai-chat"),
    (Wire::OpenAiResponses, "openai-responses"),
    (Wire::Gemini, "gemini"),
    (Wire::Ollama, "ollama"),
    (Wire::Bedrock, "bedrock"),
];

/// Pieces that mean something somewhere.
const WORDS: [&str; 24] = [
    "data: ",
    "event: error\n",
    "\n\n",
    "\r\n",
    "[DONE]",
    "null",
    "-1",
    "18446744073709551616",
    "1e999",
    "\"\"",
    "{}",
    "[]",
    "\"index\":",
    "\"tool_calls\":",
    "\"usage\":",
    "<tool_call>",
    "</tool_call>",
    "[TOOL_CALL]",
    "```json\n",
    "look|{",
    "<function=look>",
    "\u{feff}",
    "🐙",
    "\\u0000",
];

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse::<u64>());
    let Some(Ok(seconds)) = arguments.next() else {
        eprintln!("usage: fuzz SECONDS [SEED]");
        return ExitCode::FAILURE;
    };
    let seed = arguments.next().and_then(Result::ok).unwrap_or(1);
    let corpus = corpus();
    let mut random = Random(seed.wrapping_mul(2).wrapping_add(1));
    let deadline = Instant::now() + Duration::from_secs(seconds);
    let mut count = 0_u64;
    while Instant::now() < deadline {
        let (home, bytes) = &corpus[random.below(corpus.len())];
        let input = mutate(bytes, &corpus[random.below(corpus.len())].1, &mut random);
        // Mostly its own wire, now and then another.
        let (wire, _) = if random.below(8) == 0 { WIRES[random.below(WIRES.len())] } else { WIRES[*home] };
        let size = 1 + random.below(64);
        if catch_unwind(AssertUnwindSafe(|| feed(wire, &input, size))).is_err() {
            let path = std::env::temp_dir().join(format!("fuzz-{seed}-{count}"));
            let kept = std::fs::write(&path, &input).is_ok();
            eprintln!("{wire:?} in pieces of {size}: {} (written: {kept})", path.display());
            return ExitCode::FAILURE;
        }
        count += 1;
    }
    println!("{count} inputs, seed {seed}");
    ExitCode::SUCCESS
}

fn corpus() -> Vec<(usize, Vec<u8>)> {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut corpus = Vec::new();
    for (at, (wire, folder)) in WIRES.into_iter().enumerate() {
        let entries = std::fs::read_dir(fixtures.join(folder)).into_iter().flatten().flatten();
        let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            let Ok(bytes) = std::fs::read(&path) else { continue };
            match path.extension().and_then(|extension| extension.to_str()) {
                Some("sse" | "ndjson") => corpus.push((at, bytes)),
                Some("jsonl") => corpus.push((at, recording::body(wire, &String::from_utf8_lossy(&bytes)))),
                _ => {}
            }
        }
    }
    corpus
}

fn feed(wire: Wire, input: &[u8], size: usize) {
    let whole = decode(wire.decoder(), [input]);
    let first = reduce(&whole);
    assert_eq!(decode(wire.decoder(), input.chunks(size)), whole);
    let text = String::from_utf8_lossy(input);
    let lane: Vec<ModelEvent> = read_lane(&[&text]);
    reduce(&lane);
    let chars: Vec<char> = text.chars().collect();
    let pieces: Vec<String> = chars.chunks(size).map(|piece| piece.iter().collect()).collect();
    let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
    assert_eq!(reduce(&read_lane(&pieces)), reduce(&lane));
    let failure = wire.decode_error(400, Some(&text), input);
    assert!(!failure.message.is_empty() && !first.is_empty());
    let _ = wire.decode_models(input);
    let line: String = text.chars().take(80).collect();
    let asked = candidates(&line).iter().filter_map(Candidate::request).count();
    assert!(asked < 20);
    let _ = agent::garbage::inspect(&text);
}

fn read_lane(pieces: &[&str]) -> Vec<ModelEvent> {
    let tool = ToolSpec {
        name: "look".to_owned(),
        description: String::new(),
        input_schema: serde_json::json!({ "type": "object" }),
    };
    let request = ModelRequest {
        model: String::new(),
        system: String::new(),
        tools: vec![tool],
        tool_choice: ToolChoice::Auto,
        messages: Vec::new().into(),
        max_output_tokens: 1,
        effort: None,
    };
    let mut lane = Lane::answering(&request);
    let mut events = lane.take(vec![ModelEvent::BlockStarted { index: 0, kind: BlockKind::Text }]);
    for piece in pieces {
        events.extend(lane.take(vec![ModelEvent::Delta { index: 0, text: (*piece).to_owned() }]));
    }
    events.extend(lane.take(vec![
        ModelEvent::BlockFinished { index: 0, block: Block::Text { text: pieces.concat() } },
        ModelEvent::Stopped { reason: StopReason::EndTurn },
    ]));
    events
}

/// A few changes: bits, cuts, repeats, splices, words.
fn mutate(bytes: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let mut input = bytes.to_vec();
    for _ in 0..=random.below(6) {
        let at = random.below(input.len() + 1);
        let end = at + random.below(40).min(input.len() - at);
        match random.below(7) {
            0 if at < input.len() => input[at] ^= 1 << random.below(8),
            1 => input.truncate(at),
            2 => drop(input.drain(at..end)),
            3 => {
                let piece = input[at..end].to_vec();
                input.splice(at..at, piece);
            }
            4 => {
                let from = random.below(other.len() + 1);
                let to = from + random.below(200).min(other.len() - from);
                input.splice(at..at, other[from..to].iter().copied());
            }
            5 => drop(input.splice(at..at, WORDS[random.below(WORDS.len())].bytes())),
            // A whole event or line once more.
            _ => {
                let from = input[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |found| found + 1);
                let piece = input[from..at].to_vec();
                input.splice(from..from, piece);
            }
        }
    }
    input
}

/// Xorshift, so that a seed says all.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}
