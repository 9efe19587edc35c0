//! The streams of the codecs' fixtures, sent by a server over HTTP: what arrives is what they give.

use super::answers::{chunks, in_chunks};
use super::faulty_server::{End, FaultyServer, Script};
use super::reduction::{decode, reduce};
use super::*;
use crate::tally::Expected;
use std::path::{Path, PathBuf};

const FOLDERS: [(ProviderKind, &str); 6] = [
    (ProviderKind::Anthropic, "anthropic"),
    (ProviderKind::OpenAi, "openai-chat"),
    (ProviderKind::OpenAiResponses, "openai-responses"),
    (ProviderKind::Gemini, "gemini"),
    (ProviderKind::Ollama, "ollama"),
    (ProviderKind::Bedrock, "bedrock"),
];

#[tokio::test]
async fn a_stream_over_http_gives_what_its_bytes_give_and_is_booked_as_it_was_counted() {
    let outbound = outbound();
    for (kind, folder) in FOLDERS {
        let wire = Wire::of(kind).expect("a server");
        let streams = streams(wire, folder);
        assert!(!streams.is_empty(), "{folder}");
        for (path, body) in streams {
            let expected = std::fs::read_to_string(path.with_extension("expect.txt")).expect("what it gives");
            assert_eq!(reduce(&decode(wire.decoder(), [body.as_slice()])), expected, "{}", path.display());
            for size in [1, 13, 1 << 20] {
                let events = replay(&outbound, wire, &body, size).await;
                assert_eq!(reduce(&events), expected, "{} in chunks of {size}", path.display());
                if let Some(counted) = counted_in_the_end(&events) {
                    assert_eq!(booked(&events), counted, "{} in chunks of {size}", path.display());
                }
            }
        }
    }
}

/// The output of a whole reply, as the provider counted it.
fn counted_in_the_end(events: &[ModelEvent]) -> Option<u64> {
    let is_whole = matches!(events.last(), Some(ModelEvent::Stopped { .. }));
    let counted = events.iter().rev().find_map(|event| match event {
        ModelEvent::Usage { usage } => Some(usage.output),
        ModelEvent::BlockStarted { .. }
        | ModelEvent::Delta { .. }
        | ModelEvent::BlockFinished { .. }
        | ModelEvent::Stopped { .. }
        | ModelEvent::Failed { .. }
        | ModelEvent::Cited { .. }
        | ModelEvent::Unknown { .. } => None,
    });
    counted.filter(|output| is_whole && *output > 0)
}

fn booked(events: &[ModelEvent]) -> u64 {
    let tally = Tally::default();
    tally.begin(Expected { input: 1, most_input: u64::MAX, most_output: u64::MAX });
    tally.sent();
    events.iter().for_each(|event| tally.note(event));
    tally.used().expect("the request was taken").output
}

async fn replay(outbound: &Outbound, wire: Wire, body: &[u8], size: usize) -> Vec<ModelEvent> {
    let faulty =
        FaultyServer::start(Script { answer: in_chunks(&chunks(body, size)), end: End::Close }).await;
    let server = Server { wire, ..server(&format!("http://{}", faulty.place)) };
    play(outbound, server, &sent(), true, 0, TIMEOUTS).await.unwrap_or_else(failed).collect().await
}

fn streams(wire: Wire, folder: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sandbox/agent/fixtures").join(folder);
    let entries = std::fs::read_dir(folder).expect("the fixtures' folder");
    let paths = entries.map(|entry| entry.expect("a readable entry").path());
    let read = |path: PathBuf| {
        let extension = path.extension()?.to_str()?;
        let bytes = std::fs::read(&path).expect("a readable fixture");
        match extension {
            "sse" | "ndjson" => Some((path, bytes)),
            "jsonl" => Some((path, recording::body(wire, &String::from_utf8_lossy(&bytes)))),
            _ => None,
        }
    };
    paths.filter_map(read).collect()
}
