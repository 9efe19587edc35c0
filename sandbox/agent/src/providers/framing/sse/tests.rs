use super::*;

/// The events of `bytes` as `name|data` lines, the same however the bytes are cut.
fn check(bytes: &[u8], expected: &str) {
    for cut in 0..=bytes.len() {
        assert_eq!(read(&[&bytes[..cut], &bytes[cut..]]), expected, "cut {cut}");
    }
    let single: Vec<&[u8]> = bytes.chunks(1).collect();
    assert_eq!(read(&single), expected, "byte by byte");
}

fn read(pieces: &[&[u8]]) -> String {
    let mut parser = Parser::default();
    let mut frames: Vec<Frame> = pieces.iter().flat_map(|piece| parser.push(piece)).collect();
    frames.extend(parser.finish().map(Frame::Event));
    let lines: Vec<String> = frames
        .iter()
        .map(|frame| match frame {
            Frame::Event(event) if event.whole => format!("{}|{}", event.name, event.data),
            Frame::Event(event) => format!("{}|{}|torso", event.name, event.data),
            Frame::TooLarge => "too large".to_owned(),
            Frame::Corrupt(why) => (*why).to_owned(),
        })
        .collect();
    lines.join(" ; ")
}

#[test]
fn every_line_ending_ends_a_line() {
    check(b"data: a\n\ndata: b\n\n", "|a ; |b");
    check(b"data: a\r\n\r\ndata: b\r\n\r\n", "|a ; |b");
    check(b"data: a\r\rdata: b\r\r", "|a ; |b");
    check(b"data: a\r\n\ndata: b\n\r\n", "|a ; |b");
}

#[test]
fn a_byte_order_mark_is_dropped_at_the_start_only() {
    check(b"\xEF\xBB\xBFdata: a\n\n", "|a");
    check(b"data: a\n\n\xEF\xBB\xBFdata: b\n\n", "|a");
}

#[test]
fn data_lines_are_joined_and_one_space_is_dropped() {
    check(b"data: a\ndata:  b\ndata\ndata:c\n\n", "|a\n b\n\nc");
}

#[test]
fn comments_and_unknown_fields_are_skipped() {
    check(b": hi\nid: 7\nretry: 10\nfoo: x\nfoo\ndata: a\n\n: bye\n\n", "|a");
}

#[test]
fn a_name_belongs_to_its_event_alone() {
    check(b"event: x\ndata: a\n\ndata: b\n\nevent: y\n\n", "x|a ; |b");
}

#[test]
fn text_may_be_cut_within_a_character() {
    check("data: grüße 🐙\n\n".as_bytes(), "|grüße 🐙");
    check(b"data: a\xFFb\n\n", "|a\u{FFFD}b");
}

#[test]
fn an_event_without_its_blank_line_is_told_as_a_torso() {
    check(b"data: a\n\nevent: x\ndata: b\n", "|a ; x|b|torso");
    check(b"data: a\n\ndata: b", "|a ; |b|torso");
    check(b"event: x", "");
}

#[test]
fn an_event_beyond_the_limit_ends_the_stream() {
    let mut parser = Parser::default();
    let block = vec![b'x'; EVENT_LIMIT / 2];
    assert_eq!(parser.push(b"data: a\n\ndata: "), [event("a")]);
    assert_eq!(parser.push(&block), []);
    assert_eq!(parser.push(&block), [Frame::TooLarge]);
    assert_eq!(parser.push(b"\n\ndata: b\n\n"), []);
    assert_eq!(parser.finish(), None);
}

#[test]
fn many_small_data_lines_are_one_event_to_the_limit() {
    let mut parser = Parser::default();
    let mut line = vec![b'x'; EVENT_LIMIT / 4];
    line.splice(0..0, *b"data:");
    line.push(b'\n');
    let frames: Vec<Frame> = (0..4).flat_map(|_| parser.push(&line)).collect();
    assert_eq!(frames, [Frame::TooLarge]);
}

#[test]
fn an_id_counts_once_its_event_is_whole_and_a_retry_at_once() {
    for (bytes, id, millis) in [
        ("data: a\n\n", None, None),
        ("id: 7\ndata: a\n", None, None),
        ("id: 7\ndata: a\n\n", Some("7"), None),
        ("id: 7\nretry: 500\ndata: \n\n", Some("7"), Some(500)),
        ("id: 7\n\n", Some("7"), None),
        ("id: 7\n\ndata: b\n\n", Some("7"), None),
        ("id: 7\n\nid: 8\n", Some("7"), None),
        ("id: 7\n\nid\n\n", None, None),
        ("id: 7\n\nid: 8\u{0}\n\n", Some("7"), None),
        ("retry: 1\nretry: soon\nretry:\nretry: -2\n", None, Some(1)),
        ("retry: 99999999999999999999999\n", None, Some(u64::MAX)),
    ] {
        for cut in 0..=bytes.len() {
            let mut parser = Parser::default();
            parser.push(&bytes.as_bytes()[..cut]);
            parser.push(&bytes.as_bytes()[cut..]);
            let expected = (id, millis.map(Duration::from_millis));
            assert_eq!((parser.last_id(), parser.retry()), expected, "{bytes:?} cut {cut}");
        }
    }
}

#[test]
fn a_stream_that_is_taken_up_again_keeps_its_id_until_another_one_is_named() {
    for (bytes, id) in
        [("", Some("7")), ("data: a\n\n", Some("7")), ("id: 8\n\n", Some("8")), ("id\n\n", None)]
    {
        let mut parser = Parser::after("7");
        parser.push(bytes.as_bytes());
        assert_eq!(parser.last_id(), id, "{bytes:?}");
    }
}

fn event(data: &str) -> Frame {
    Frame::Event(Event { name: String::new(), data: data.to_owned(), whole: true })
}
