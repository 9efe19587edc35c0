//! Events, one per line, as the body that a server would send.

use agent::providers::Wire;
use serde_json::Value;

/// `lines` are JSON: data of an event, a line of NDJSON, or for the binary framing an object with one
/// key, the name of the event.
pub fn body(wire: Wire, lines: &str) -> Vec<u8> {
    let mut body = Vec::new();
    for line in lines.lines().filter(|line| !line.trim().is_empty()) {
        match wire {
            Wire::Anthropic | Wire::OpenAiResponses => {
                let event: Value = serde_json::from_str(line).unwrap_or_default();
                let name = event["type"].as_str().unwrap_or_default();
                body.extend(format!("event: {name}\ndata: {line}\n\n").into_bytes());
            }
            Wire::OpenAiChat(_) | Wire::Gemini => body.extend(format!("data: {line}\n\n").into_bytes()),
            Wire::Ollama => body.extend(format!("{line}\n").into_bytes()),
            Wire::Bedrock => body.extend(message(line)),
        }
    }
    if matches!(wire, Wire::OpenAiChat(_)) {
        body.extend(b"data: [DONE]\n\n");
    }
    body
}

fn message(line: &str) -> Vec<u8> {
    let value: Value = serde_json::from_str(line).unwrap_or_default();
    let Some((name, payload)) = value.as_object().and_then(|object| object.iter().next()) else {
        return frame(&[], line.as_bytes());
    };
    let (kind, key) = match name.ends_with("Exception") {
        true => ("exception", ":exception-type"),
        false => ("event", ":event-type"),
    };
    let headers = [header(key, name), header(":message-type", kind)].concat();
    frame(&headers, payload.to_string().as_bytes())
}

fn header(name: &str, value: &str) -> Vec<u8> {
    let mut bytes = vec![name.len() as u8];
    bytes.extend(name.as_bytes());
    bytes.push(7);
    bytes.extend((value.len() as u16).to_be_bytes());
    bytes.extend(value.as_bytes());
    bytes
}

/// One message of `application/vnd.amazon.eventstream`.
pub fn frame(headers: &[u8], payload: &[u8]) -> Vec<u8> {
    let mut bytes = ((16 + headers.len() + payload.len()) as u32).to_be_bytes().to_vec();
    bytes.extend((headers.len() as u32).to_be_bytes());
    bytes.extend(crc32(&bytes).to_be_bytes());
    bytes.extend(headers);
    bytes.extend(payload);
    bytes.extend(crc32(&bytes).to_be_bytes());
    bytes
}

/// Bit by bit, unlike the codec's.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg()))
    })
}
