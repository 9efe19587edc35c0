//! What is fed, with which fixtures, and what must hold.

use crate::recording;
use crate::reduction::{decode, reduce};
use agent::model_endpoints::{Api, Files, count_tokens};
use agent::providers::framing::Framing;
use agent::providers::{Candidate, Decoder, Dialect, Wire, candidates, in_browser};
use agent::text_lane::Lane;
use protocol::model::{
    Block, BlockKind, MessageList, ModelEvent, ModelRequest, StopReason, ToolChoice, ToolSpec,
};
use std::path::Path;

pub struct Target {
    pub name: &'static str,
    kind: Kind,
    /// Folders of fixtures, with the wire that frames them.
    folders: &'static [(&'static str, Wire)],
}

#[derive(Clone, Copy)]
enum Kind {
    Framing(fn() -> Framing),
    Codec(Wire),
    InBrowser,
    TextLane,
    Served,
}

const CHAT: Wire = Wire::OpenAiChat(&Dialect::OTHER);

pub const TARGETS: &[Target] = &[
    Target {
        name: "sse",
        kind: Kind::Framing(Framing::sse),
        folders: &[
            ("anthropic", Wire::Anthropic),
            ("openai-chat", CHAT),
            ("openai-responses", Wire::OpenAiResponses),
            ("gemini", Wire::Gemini),
        ],
    },
    Target { name: "ndjson", kind: Kind::Framing(Framing::lines), folders: &[("ollama", Wire::Ollama)] },
    Target {
        name: "event_stream",
        kind: Kind::Framing(Framing::event_stream),
        folders: &[("bedrock", Wire::Bedrock)],
    },
    codec("anthropic", &[("anthropic", Wire::Anthropic)]),
    codec("openai_chat", &[("openai-chat", CHAT)]),
    codec("openai_responses", &[("openai-responses", Wire::OpenAiResponses)]),
    codec("gemini", &[("gemini", Wire::Gemini)]),
    codec("ollama", &[("ollama", Wire::Ollama)]),
    codec("bedrock", &[("bedrock", Wire::Bedrock)]),
    Target { name: "in_browser", kind: Kind::InBrowser, folders: &[("in-browser", Wire::Ollama)] },
    Target { name: "text_lane", kind: Kind::TextLane, folders: &[("text_lane", CHAT)] },
    Target {
        name: "served",
        kind: Kind::Served,
        folders: &[
            ("anthropic", Wire::Anthropic),
            ("openai-chat", CHAT),
            ("openai-responses", Wire::OpenAiResponses),
            ("served", CHAT),
        ],
    },
];

const fn codec(name: &'static str, folders: &'static [(&'static str, Wire); 1]) -> Target {
    Target { name, kind: Kind::Codec(folders[0].1), folders }
}

impl Target {
    pub fn corpus(&self) -> Vec<Vec<u8>> {
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
        let mut corpus = Vec::new();
        for (folder, wire) in self.folders {
            let entries = std::fs::read_dir(fixtures.join(folder)).into_iter().flatten().flatten();
            let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
            paths.sort();
            for path in paths {
                let Ok(bytes) = std::fs::read(&path) else { continue };
                let extension = path.extension().and_then(|extension| extension.to_str());
                if let Kind::Served = self.kind {
                    // Requests, where the others read replies.
                    corpus.extend((extension == Some("json")).then_some(bytes));
                    continue;
                }
                match extension {
                    Some("sse" | "ndjson") => corpus.push(bytes),
                    Some("jsonl") => corpus.push(recording::body(*wire, &String::from_utf8_lossy(&bytes))),
                    Some("txt") if *folder == "text_lane" => corpus.push(bytes),
                    Some(_) | None => {}
                }
            }
        }
        corpus
    }

    /// # Panics
    ///
    /// When what must hold does not.
    pub fn feed(&self, input: &[u8], size: usize) {
        match self.kind {
            Kind::Framing(framing) => feed_framing(framing, input, size),
            Kind::Codec(wire) => feed_codec(wire, input, size),
            Kind::InBrowser => feed_decoder(in_browser::decoder, input, size),
            Kind::TextLane => feed_lane(&String::from_utf8_lossy(input), size),
            Kind::Served => feed_served(input),
        }
    }
}

fn feed_framing(framing: fn() -> Framing, input: &[u8], size: usize) {
    let read = |pieces: &mut dyn Iterator<Item = &[u8]>| {
        let mut framing = framing();
        let frames: Vec<_> = pieces.flat_map(|piece| framing.push(piece)).collect();
        (frames, framing.finish())
    };
    assert_eq!(read(&mut input.chunks(size)), read(&mut std::iter::once(input)));
}

fn feed_decoder(decoder: impl Fn() -> Decoder, input: &[u8], size: usize) {
    let whole = decode(decoder(), [input]);
    assert!(!reduce(&whole).is_empty());
    assert_eq!(decode(decoder(), input.chunks(size)), whole);
    let mut ended = decoder();
    ended.push(input);
    ended.finish();
    assert_eq!((ended.push(input), ended.finish()), (Vec::new(), Vec::new()), "nothing comes after the end");
}

fn feed_codec(wire: Wire, input: &[u8], size: usize) {
    feed_decoder(|| wire.decoder(), input, size);
    let text = String::from_utf8_lossy(input);
    let failure = wire.decode_error(400, Some(&text), input);
    assert!(!failure.message.is_empty());
    let _ = wire.decode_models(input);
    let line: String = text.chars().take(80).collect();
    assert!(candidates(&line).iter().filter_map(Candidate::request).count() < 20);
}

/// Whatever a program asks can be sent on to any provider, or is refused in words.
fn feed_served(input: &[u8]) {
    for api in [Api::Chat, Api::Responses, Api::Messages] {
        match api.ask(input).and_then(|asking| asking.read(&Files::default())) {
            Ok(asked) => {
                for wire in
                    [CHAT, Wire::Anthropic, Wire::OpenAiResponses, Wire::Gemini, Wire::Ollama, Wire::Bedrock]
                {
                    assert!(!wire.encode(None, &asked.request).body.is_empty());
                    assert!(wire.refusal(None, &asked.request).is_none_or(|why| !why.message.is_empty()));
                }
            }
            Err(trouble) => {
                assert!(!trouble.message.is_empty() && !api.problem(&trouble, "1").body.is_empty())
            }
        }
    }
    let _ = count_tokens(input);
}

fn feed_lane(text: &str, size: usize) {
    let lane = read_lane(&[text]);
    let chars: Vec<char> = text.chars().collect();
    let pieces: Vec<String> = chars.chunks(size).map(|piece| piece.iter().collect()).collect();
    let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
    assert_eq!(reduce(&read_lane(&pieces)), reduce(&lane));
    let _ = agent::garbage::inspect(text);
}

fn read_lane(pieces: &[&str]) -> Vec<ModelEvent> {
    let tool = ToolSpec {
        name: "look".to_owned(),
        description: String::new(),
        input_schema: serde_json::json!({ "type": "object" }),
        strict: false,
    };
    let request = ModelRequest {
        model: String::new(),
        system: String::new(),
        tools: vec![tool],
        tool_choice: ToolChoice::Auto,
        messages: MessageList::default(),
        max_output_tokens: 1,
        effort: None,
        sampling: Box::default(),
    };
    let mut lane = Lane::answering(&request);
    let mut events = lane.take(vec![ModelEvent::BlockStarted { index: 0, kind: BlockKind::Text }]);
    for piece in pieces {
        events.extend(lane.take(vec![ModelEvent::Delta { index: 0, text: (*piece).to_owned() }]));
    }
    let text = pieces.concat();
    events.extend(lane.take(vec![
        ModelEvent::BlockFinished { index: 0, block: Block::Text { text } },
        ModelEvent::Stopped { reason: StopReason::EndTurn },
    ]));
    assert_eq!(lane.take(vec![ModelEvent::Delta { index: 0, text: "more".to_owned() }]), []);
    events
}
