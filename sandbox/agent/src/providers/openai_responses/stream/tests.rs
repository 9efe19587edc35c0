use super::*;

fn event(kind: &str, fields: &str) -> Event {
    let data = format!(r#"{{"type":"response.{kind}",{fields}}}"#);
    Event { name: format!("response.{kind}"), data, whole: true }
}

#[test]
fn the_pieces_of_an_item_are_read_in_passing() {
    for (item, kind, part, piece) in [
        ("message", "output_text.delta", r#""content_index":1"#, Some(Piece::Said(1))),
        (
            "reasoning",
            "reasoning_summary_text.delta",
            r#""summary_index":1"#,
            Some(Piece::Thought(Kind::Summary, 1)),
        ),
        ("reasoning", "reasoning_text.delta", r#""content_index":1"#, Some(Piece::Thought(Kind::Text, 1))),
        ("function_call", "function_call_arguments.delta", r#""item_id":"a""#, Some(Piece::Input)),
        ("message", "refusal.delta", r#""content_index":1"#, None),
    ] {
        let (mut stream, mut reply) = (Stream::default(), Reply::default());
        let item = format!(r#""output_index":2,"item":{{"type":"{item}","call_id":"a","name":"b"}}"#);
        let delta = |number: u8, text: &str| {
            let padding = "x".repeat(usize::from(number));
            let said = format!(r#""delta":"{text}","obfuscation":"{padding}","sequence_number":{number}"#);
            event(kind, &format!(r#""output_index":2,{part},{said}"#))
        };
        stream.read(&event("output_item.added", &item), &mut reply);
        stream.read(&delta(9, "one"), &mut reply);
        let next = delta(10, "two");
        let read = stream.mould.as_ref().and_then(|mould| mould.read(&next));
        let read = read.map(|((_, piece), text)| (piece, text.into_owned()));
        assert_eq!(read, piece.map(|piece| (piece, "two".to_owned())), "{kind}");
    }
}
