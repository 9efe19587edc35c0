use super::*;

fn header(name: &str, value: &str) -> Vec<u8> {
    let mut bytes = vec![name.len() as u8];
    bytes.extend_from_slice(name.as_bytes());
    bytes.push(7);
    bytes.extend_from_slice(&(value.len() as u16).to_be_bytes());
    bytes.extend_from_slice(value.as_bytes());
    bytes
}

fn message(headers: &[u8], payload: &[u8]) -> Vec<u8> {
    let total = (SMALLEST + headers.len() + payload.len()) as u32;
    let mut bytes = total.to_be_bytes().to_vec();
    bytes.extend_from_slice(&(headers.len() as u32).to_be_bytes());
    bytes.extend_from_slice(&crc32(&bytes).to_be_bytes());
    bytes.extend_from_slice(headers);
    bytes.extend_from_slice(payload);
    bytes.extend_from_slice(&crc32(&bytes).to_be_bytes());
    bytes
}

/// The events of `bytes` as `name|data`, the same however the bytes are cut.
fn check(bytes: &[u8], expected: &str) {
    for cut in 0..=bytes.len() {
        assert_eq!(read_all(&[&bytes[..cut], &bytes[cut..]]), expected, "cut {cut}");
    }
    let single: Vec<&[u8]> = bytes.chunks(1).collect();
    assert_eq!(read_all(&single), expected, "byte by byte");
}

fn read_all(pieces: &[&[u8]]) -> String {
    let mut parser = Parser::default();
    let frames: Vec<Frame> = pieces.iter().flat_map(|piece| parser.push(piece)).collect();
    let lines: Vec<String> = frames
        .iter()
        .map(|frame| match frame {
            Frame::Event(event) => format!("{}|{}", event.name, event.data),
            Frame::TooLarge => "too large".to_owned(),
            Frame::Corrupt(why) => (*why).to_owned(),
        })
        .collect();
    lines.join(" ; ")
}

#[test]
fn the_checksum_is_that_of_gzip() {
    assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
}

#[test]
fn events_exceptions_and_errors_have_their_names() {
    let event = [header(":message-type", "event"), header(":event-type", "messageStop")].concat();
    let exception =
        [header(":exception-type", "throttlingException"), header(":message-type", "exception")].concat();
    let error = [
        header(":message-type", "error"),
        header(":error-code", "Bad"),
        header(":error-message", "no \"x\""),
    ]
    .concat();
    let bytes =
        [message(&event, b"{}"), message(&exception, b"{\"message\":\"slow\"}"), message(&error, b"")]
            .concat();
    check(&bytes, r#"messageStop|{} ; throttlingException|{"message":"slow"} ; Bad|{"message":"no \"x\""}"#);
}

#[test]
fn headers_of_every_type_are_passed_over() {
    let mut headers = Vec::new();
    for (type_of, length) in [(0u8, 0), (1, 0), (2, 1), (3, 2), (4, 4), (5, 8), (8, 8), (9, 16)] {
        headers.extend_from_slice(&[1, b'x', type_of]);
        headers.extend(vec![0; length]);
    }
    headers.extend_from_slice(&[1, b'y', 6, 0, 2, 1, 2]);
    headers.extend(header(":event-type", "e"));
    check(&message(&headers, b"1"), "e|1");
}

#[test]
fn a_message_that_does_not_hold_together_ends_the_stream() {
    let good = message(&header(":event-type", "e"), b"1");
    let mut payload = good.clone();
    let at = payload.len() - 5;
    payload[at] ^= 1;
    check(&payload, "the checksum of a message is wrong");
    let mut prelude = good.clone();
    prelude[7] ^= 1;
    check(&prelude, "the checksum of a message's length is wrong");
    check(&[0, 0, 0, 15], "a message is shorter than its own frame");
    check(&[1, 0, 0, 1], "too large");
    check(&message(&[1, b'x', 10], b""), "a message's headers cannot be read");
    check(&message(&[200, b'x'], b""), "a message's headers cannot be read");
    check(&[good.clone(), payload, good].concat(), "e|1 ; the checksum of a message is wrong");
}

#[test]
fn headers_never_reach_beyond_the_message() {
    let mut bytes = 16u32.to_be_bytes().to_vec();
    bytes.extend_from_slice(&40u32.to_be_bytes());
    bytes.extend_from_slice(&crc32(&bytes).to_be_bytes());
    bytes.extend_from_slice(&crc32(&bytes).to_be_bytes());
    check(&bytes, "a message's headers are longer than the message");
}
