//! What can go wrong between the hub and a provider, over HTTP, for every wire: `faults.txt` declares
//! what comes of it.

use super::answers::{answer, chunk, chunks, in_chunks, promising, streamed};
use super::faulty::{self, CALLED};
use super::faulty_server::{End, FaultyServer, Script};
use super::*;
use std::path::Path;
use std::time::Duration;

const WIRES: [ProviderKind; 6] = [
    ProviderKind::Anthropic,
    ProviderKind::OpenAi,
    ProviderKind::OpenAiResponses,
    ProviderKind::Gemini,
    ProviderKind::Ollama,
    ProviderKind::Bedrock,
];

/// No fault takes longer, or the hub hangs.
const BOUND: Duration = Duration::from_secs(60);

/// With less patience than the hub has, so that nobody waits for the end of it.
const SHORT: Duration = Duration::from_millis(50);

struct Fault {
    name: &'static str,
    /// Where the hub looks for the server.
    place: Place,
    patience: Patience,
}

enum Place {
    Plain(Script),
    /// A server that is asked for over TLS and does not speak it.
    Tls(Script),
    /// An address without a server.
    Nowhere(String),
}

#[tokio::test]
async fn every_fault_has_its_declared_outcome() {
    let outbound = outbound();
    let mut shown = String::new();
    for kind in WIRES {
        let wire = Wire::of(kind).expect("a server");
        shown.push_str(&format!("== {kind:?}\n"));
        for fault in faults(wire).await {
            let name = fault.name;
            let met = tokio::time::timeout(BOUND, meet(&outbound, wire, fault)).await;
            let events = met.unwrap_or_else(|_| panic!("{kind:?} hangs: {name}"));
            ends_once(&events);
            shown.push_str(&format!("{name}: {}\n", outcome(&events)));
        }
        shown.push('\n');
    }
    expect_file("faults.txt", &shown);
}

async fn faults(wire: Wire) -> Vec<Fault> {
    let cut = begun(wire);
    let mut faults = vec![
        served("nothing wrong", streamed(&whole(wire))),
        nowhere("connection refused", refused().await),
        // No label of a name is that long, so this fails without asking anyone.
        nowhere("no such name", format!("http://{}.invalid", "x".repeat(64))),
        no_tls(),
        served("closed without an answer", Vec::new()),
        served("429 with Retry-After", refusing(wire, 429, "rate_limit_error", "retry-after: 7\r\n")),
        served("429 without Retry-After", refusing(wire, 429, "rate_limit_error", "")),
        served("500", refusing(wire, 500, "api_error", "")),
        served("503", refusing(wire, 503, "api_error", "")),
        served("529", refusing(wire, 529, "overloaded_error", "")),
        served("401", refusing(wire, 401, "authentication_error", "")),
        served("404", refusing(wire, 404, "not_found_error", "")),
        served("a redirect", answer(302, "location: http://169.254.169.254/\r\n", b"")),
        served("context too long", too_long(wire)),
        served("a page with a good status", streamed(b"<!doctype html><title>Sign in</title>")),
        served("JSON with a good status", streamed(b"{\"hello\": 1}\n")),
        served("an empty body", streamed(b"")),
        served("malformed event", streamed(&faulty::garbage(wire))),
        served("malformed chunk", in_chunks(&[chunk(&cut), b"none\r\n".to_vec()])),
        served("fewer bytes than promised", promising(&cut)),
        served("clean close in the middle", streamed(&cut)),
        served("clean close within an event", streamed(&cut[..cut.len() - 9])),
        ending("reset in the middle", streamed(&cut), End::Reset),
        served("pieces of 7 bytes", in_chunks(&chunks(&whole(wire), 7))),
        served("error event", streamed(&faulty::broken_by(wire))),
        served("refusal", streamed(&faulty::refusal(wire))),
        served("truncated tool arguments", streamed(&faulty::truncated_arguments(wire))),
        served("an event of 17 MiB", streamed(&faulty::huge(wire))),
        unheard("no answer", Vec::new(), Patience { answer: SHORT, ..TIMEOUTS }),
        unheard("silence after the head", streamed(b""), Patience { bytes: SHORT, ..TIMEOUTS }),
        unheard("silence in the middle", streamed(&cut), Patience { bytes: SHORT, ..TIMEOUTS }),
        wordless("pings only", streamed(b""), faulty::pings(wire)),
        wordless("pings only, from the middle on", streamed(&cut), faulty::pings(wire)),
    ];
    if let Ok(text) = String::from_utf8(whole(wire)) {
        faults.extend([
            served("lines end in CR LF", streamed(text.replace('\n', "\r\n").as_bytes())),
            served("lines end in CR", streamed(text.replace('\n', "\r").as_bytes())),
            served("a byte order mark", streamed(format!("\u{feff}{text}").as_bytes())),
        ]);
    }
    faults
}

async fn meet(outbound: &Outbound, wire: Wire, fault: Fault) -> Vec<ModelEvent> {
    let (script, scheme) = match fault.place {
        Place::Plain(script) => (script, "http"),
        Place::Tls(script) => (script, "https"),
        Place::Nowhere(base_url) => {
            return call_with(outbound, wire, &base_url, fault.patience).await.collect().await;
        }
    };
    let faulty = FaultyServer::start(script).await;
    let base_url = format!("{scheme}://{}", faulty.place);
    let mut stream = call_with(outbound, wire, &base_url, fault.patience).await;
    let mut events = Vec::new();
    while let Some(event) = stream.next().await {
        events.push(event);
        faulty.passed_on.notify_one();
    }
    events
}

async fn call_with(
    outbound: &Outbound,
    wire: Wire,
    base_url: &str,
    patience: Patience,
) -> BoxStream<'static, ModelEvent> {
    let server = Server { wire, ..server(base_url) };
    play(outbound, server, &sent(), true, 0, patience).await.unwrap_or_else(failed)
}

/// The end; whether anything was said, called for, and counted.
fn outcome(events: &[ModelEvent]) -> String {
    let mut parts = vec![match events.last() {
        Some(ModelEvent::Stopped { reason }) => format!("stopped {reason:?}"),
        Some(ModelEvent::Failed { failure }) => match failure.retry_after_ms {
            Some(wait) => format!("failed {:?} for {wait} ms", failure.kind),
            None => format!("failed {:?}", failure.kind),
        },
        other => panic!("{other:?} is no end"),
    }];
    if events.iter().any(|event| matches!(event, ModelEvent::Delta { .. })) {
        parts.push("said".to_owned());
    }
    for event in events {
        let ModelEvent::BlockFinished { block: Block::ToolUse(call), .. } = event else { continue };
        if call.input.is_string() {
            parts.push("a broken call".to_owned());
        } else {
            assert_eq!(call.input.to_string(), CALLED, "a part of a call is no call");
            parts.push("a call".to_owned());
        }
    }
    if events.iter().any(|event| matches!(event, ModelEvent::Usage { .. })) {
        parts.push("counted".to_owned());
    }
    parts.join(", ")
}

fn served(name: &'static str, answer: Vec<u8>) -> Fault {
    ending(name, answer, End::Close)
}

fn ending(name: &'static str, answer: Vec<u8>, end: End) -> Fault {
    Fault { name, place: Place::Plain(Script { answer, end }), patience: TIMEOUTS }
}

fn unheard(name: &'static str, answer: Vec<u8>, patience: Patience) -> Fault {
    Fault { patience, ..ending(name, answer, End::Hold) }
}

fn wordless(name: &'static str, answer: Vec<u8>, pings: Vec<u8>) -> Fault {
    Fault { patience: Patience { words: SHORT, ..TIMEOUTS }, ..ending(name, answer, End::Repeat(pings)) }
}

fn nowhere(name: &'static str, base_url: String) -> Fault {
    Fault { name, place: Place::Nowhere(base_url), patience: TIMEOUTS }
}

fn no_tls() -> Fault {
    let script = Script { answer: b"HTTP/1.1 400 Bad Request\r\n\r\n".to_vec(), end: End::Close };
    Fault { name: "no TLS", place: Place::Tls(script), patience: TIMEOUTS }
}

/// Where nobody listens any more.
async fn refused() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    format!("http://{}", listener.local_addr().expect("its number"))
}

fn refusing(wire: Wire, status: u16, code: &str, header: &str) -> Vec<u8> {
    answer(status, header, faulty::error(wire, status, code, "Not now").as_bytes())
}

fn too_long(wire: Wire) -> Vec<u8> {
    let (status, body) = faulty::too_long(wire);
    answer(status, "", body.as_bytes())
}

fn whole(wire: Wire) -> Vec<u8> {
    faulty::framed(wire, &faulty::reply(wire))
}

/// As far as into the call, or behind it where calls come whole.
fn begun(wire: Wire) -> Vec<u8> {
    let lines = match wire {
        Wire::Anthropic | Wire::OpenAiChat(_) | Wire::OpenAiResponses | Wire::Bedrock => 3,
        Wire::Gemini | Wire::Ollama => 2,
    };
    faulty::framed(wire, &faulty::reply(wire)[..lines])
}

/// Compares with the text beside this file, or writes it there when `UPDATE_EXPECT` is set.
fn expect_file(name: &str, actual: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/models/tests").join(name);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, actual).expect("a writable file");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(actual, expected, "{}", path.display());
}
