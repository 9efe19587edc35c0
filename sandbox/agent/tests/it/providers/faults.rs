//! What can go wrong with a provider, for every wire: `fixtures/faults.expect.txt` declares what comes
//! of it. What only a connection can do (DNS, TLS, a stall) is the hub's.

use super::faulty::{
    CALLED, broken_by, error, framed, garbage, huge, pings, refusal, reply, too_long, truncated_arguments,
};
use super::reduction::{decode, reduce};
use super::{WIRES, expect_file, fixtures};
use agent::providers::Wire;
use protocol::model::{Block, ModelEvent};

/// Makes the body of a streamed reply.
type Stream = fn(Wire) -> Vec<u8>;

/// The end, without the blocks before it.
fn end(wire: Wire, bytes: &[u8]) -> String {
    let events = decode(wire.decoder(), [bytes]);
    // Checks that every reader can rely on the order.
    let usage = reduce(&events).lines().last().filter(|line| line.starts_with("used")).is_some();
    let booked = if usage { ", usage booked" } else { "" };
    let calls = events.iter().filter_map(|event| match event {
        ModelEvent::BlockFinished { block: Block::ToolUse(call), .. } => Some(&call.input),
        _ => None,
    });
    let calls = calls.filter(|input| input.is_object()).inspect(|input| {
        assert_eq!(input.to_string(), CALLED, "a part of a call is no call");
    });
    let calls = match calls.count() {
        0 => "",
        _ => ", a whole call",
    };
    match events.last() {
        Some(ModelEvent::Stopped { reason }) => format!("stopped {reason:?}{calls}{booked}"),
        Some(ModelEvent::Failed { failure }) => format!("failed {:?}{calls}{booked}", failure.kind),
        other => panic!("{other:?} is no end"),
    }
}

#[test]
fn every_fault_has_its_declared_outcome() {
    let responses: [(&str, u16, Option<&str>, &str, &str); 10] = [
        ("429 with Retry-After", 429, Some("7"), "rate_limit_error", "Slow down"),
        ("429 without Retry-After", 429, None, "rate_limit_error", "Slow down"),
        ("500", 500, None, "api_error", "Internal error"),
        ("502", 502, None, "api_error", "Bad gateway"),
        ("503", 503, None, "UNAVAILABLE", "Unavailable"),
        ("529", 529, None, "overloaded_error", "Overloaded"),
        ("401", 401, None, "authentication_error", "Invalid key"),
        ("403", 403, None, "permission_error", "Not allowed"),
        ("refused", 400, None, "content_filter", "Filtered"),
        ("unknown model", 404, None, "not_found_error", "model 'x' not found"),
    ];
    let streams: [(&str, Stream); 12] = [
        ("whole", |wire| framed(wire, &reply(wire))),
        ("cut before the first delta", |wire| framed(wire, &[])),
        ("cut after the first delta", |wire| framed(wire, &reply(wire)[..2])),
        ("cut within an event", |wire| {
            let bytes = framed(wire, &reply(wire)[..2]);
            bytes[..bytes.len() - 9].to_vec()
        }),
        ("error event", broken_by),
        ("refusal", refusal),
        ("truncated tool arguments", truncated_arguments),
        ("malformed event", garbage),
        ("a page in place of a stream", |_| b"<!doctype html><title>Login</title>".to_vec()),
        ("JSON in place of a stream", |_| b"{\"hello\": 1}\n".to_vec()),
        ("pings only, then the end", pings),
        ("an event of 17 MiB", huge),
    ];
    let mut shown = String::new();
    for (wire, folder) in WIRES {
        shown.push_str(&format!("== {folder}\n"));
        for (name, status, retry_after, code, message) in responses {
            let body = error(wire, status, code, message);
            let failure = wire.decode_error(status, retry_after, body.as_bytes());
            let wait = failure.retry_after_ms.map_or(String::new(), |wait| format!(", wait {wait} ms"));
            shown.push_str(&format!("{name}: failed {:?}{wait}\n", failure.kind));
        }
        let (status, body) = too_long(wire);
        let failure = wire.decode_error(status, None, body.as_bytes());
        shown.push_str(&format!("context too long: failed {:?}\n", failure.kind));
        for (name, make) in streams {
            shown.push_str(&format!("{name}: {}\n", end(wire, &make(wire))));
        }
        shown.push('\n');
    }
    expect_file(&fixtures().join("faults.expect.txt"), &shown);
}

#[test]
fn text_split_in_any_character_and_any_line_ending_are_the_same_reply() {
    for (wire, _) in WIRES {
        let bytes = framed(wire, &reply(wire));
        let whole = decode(wire.decoder(), [bytes.as_slice()]);
        for cut in 0..bytes.len() {
            assert_eq!(
                decode(wire.decoder(), [&bytes[..cut], &bytes[cut..]]),
                whole,
                "{wire:?} cut at {cut}"
            );
        }
        let Ok(text) = String::from_utf8(bytes) else { continue };
        for ending in ["\r\n", "\r", "\n"] {
            for mark in ["", "\u{feff}"] {
                let other = format!("{mark}{}", text.replace('\n', ending));
                assert_eq!(decode(wire.decoder(), [other.as_bytes()]), whole, "{wire:?} {ending:?} {mark:?}");
            }
        }
    }
}

#[test]
fn a_cut_reply_never_has_a_call_that_could_run() {
    for (wire, _) in WIRES {
        let bytes = framed(wire, &reply(wire));
        for cut in 0..bytes.len() {
            let events = decode(wire.decoder(), [&bytes[..cut]]);
            if let Some(ModelEvent::Stopped { .. }) = events.last() {
                let whole = reduce(&decode(wire.decoder(), [bytes.as_slice()]));
                let call = whole.lines().find(|line| line.contains(" call ")).expect("the reply has a call");
                assert!(reduce(&events).contains(call), "{wire:?} cut at {cut}");
            }
        }
    }
}
