use super::*;

fn event(name: &str, data: String) -> Event {
    Event { name: name.to_owned(), data, whole: true }
}

#[test]
fn the_pieces_of_a_block_are_read_in_passing() {
    for (block, kind, field, piece) in [
        (r#"{"type":"text","text":""}"#, "text_delta", "text", Some(Piece::Text(3))),
        (r#"{"type":"thinking","thinking":""}"#, "thinking_delta", "thinking", Some(Piece::Thinking(3))),
        (
            r#"{"type":"tool_use","id":"a","name":"b","input":{}}"#,
            "input_json_delta",
            "partial_json",
            Some(Piece::Input(3)),
        ),
        (r#"{"type":"thinking","thinking":""}"#, "signature_delta", "signature", None),
    ] {
        let (mut stream, mut reply) = (Stream::default(), Reply::default());
        let start = format!(r#"{{"type":"content_block_start","index":3,"content_block":{block}}}"#);
        let delta = |text: &str| {
            let delta = format!(r#"{{"type":"{kind}","{field}":"{text}"}}"#);
            let data = format!(r#"{{"type":"content_block_delta","index":3,"delta":{delta}}}"#);
            event("content_block_delta", data)
        };
        stream.read(&event("content_block_start", start), &mut reply);
        stream.read(&delta("one"), &mut reply);
        let next = delta("two");
        let read = stream
            .mould
            .as_ref()
            .and_then(|mould| mould.read(&next))
            .map(|(kind, text)| (kind, text.into_owned()));
        assert_eq!(read, piece.map(|piece| (piece, "two".to_owned())), "{kind}");
    }
}

#[test]
fn a_piece_that_does_not_fit_what_is_open_is_read_as_a_whole() {
    let (mut stream, mut reply) = (Stream::default(), Reply::default());
    let delta = r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"}}"#;
    let read = |stream: &mut Stream, reply: &mut Reply, data: &str| {
        stream.read(&event("", data.to_owned()), reply);
    };
    read(&mut stream, &mut reply, delta);
    read(&mut stream, &mut reply, delta);
    read(&mut stream, &mut reply, r#"{"type":"content_block_stop","index":0}"#);
    let call = r#"{"type":"tool_use","id":"a","name":"b","input":{}}"#;
    let start = format!(r#"{{"type":"content_block_start","index":0,"content_block":{call}}}"#);
    read(&mut stream, &mut reply, &start);
    assert!(!reply.is_ended());
    read(&mut stream, &mut reply, delta);
    assert!(reply.is_ended(), "text within a call is no reply");
}
