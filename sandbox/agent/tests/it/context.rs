//! What every request must be, whatever the log holds: legal for the strictest provider, and a
//! continuation of the request before it.

use crate::play::{Play, Reply, replies};
use crate::world::{World, spec, started};
use agent::Effect;
use agent::context::assemble;
use proptest::option;
use proptest::prelude::*;
use protocol::RunId;
use protocol::agent::Home;
use protocol::log::{EntryBody, Outcome, Sender};
use protocol::model::{Block, MessageList, ModelMessage, ModelRequest, StopReason, ToolCall, ToolResult};
use serde_json::json;
use std::collections::BTreeSet;

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_log_makes_a_legal_request(
        entries in prop::collection::vec((option::of(run()), body()), 0..40),
    ) {
        let mut world = World::default();
        for (run, body) in entries {
            check_legal(&world);
            world.write(run.as_ref(), body);
        }
        check_legal(&world);
    }

    #[test]
    fn a_request_continues_the_one_before_it(story in prop::collection::vec(act(), 0..8)) {
        let mut world = World::default();
        let mut requests = Vec::new();
        for (number, act) in story.iter().enumerate() {
            perform(act, number, &mut world, &mut requests);
        }
        for told in &requests {
            if let Told::Request(request) = told {
                assert_legal(&request.messages);
            }
        }
        for pair in requests.windows(2) {
            if let [Told::Request(former), Told::Request(latter)] = pair {
                assert_continues(former, latter);
            }
        }
    }
}

fn check_legal(world: &World) {
    let request = assemble(&spec(25), &RunId::from("r"), &world.entries);
    assert_legal(&request.messages);
}

pub fn assert_legal(messages: &MessageList) {
    assert!(matches!(messages.first(), Some(ModelMessage::User { .. })), "{messages:?}");
    assert!(!matches!(messages.last(), Some(ModelMessage::Assistant { .. })), "{messages:?}");
    for (at, message) in messages.iter().enumerate() {
        let next = messages.get(at + 1);
        match message {
            ModelMessage::User { text, .. } => {
                assert!(!text.trim().is_empty());
                assert!(matches!(next, None | Some(ModelMessage::Assistant { .. })), "{messages:?}");
            }
            ModelMessage::Assistant { blocks } => assert_answered(blocks, next),
            ModelMessage::Tools { .. } => {
                assert!(matches!(messages[at - 1], ModelMessage::Assistant { .. }), "{messages:?}");
                assert!(!matches!(next, Some(ModelMessage::Tools { .. })), "{messages:?}");
            }
        }
    }
}

fn assert_answered(blocks: &[Block], next: Option<&ModelMessage>) {
    let mut calls = Vec::new();
    let mut says_something = false;
    for block in blocks {
        match block {
            Block::Text { text } => {
                assert!(!text.trim().is_empty());
                says_something = true;
            }
            Block::Reasoning { .. } => {}
            Block::ToolUse(call) => calls.push((&call.id, &call.name)),
        }
    }
    assert!(says_something || !calls.is_empty(), "an empty reply");
    let distinct: BTreeSet<_> = calls.iter().collect();
    assert_eq!(distinct.len(), calls.len(), "a call id comes twice");
    match next {
        Some(ModelMessage::Tools { results }) => {
            let answered: Vec<_> = results.iter().map(|result| (&result.call, &result.name)).collect();
            assert_eq!(answered, calls);
            assert!(!calls.is_empty(), "results of no calls");
        }
        _ => {
            assert!(calls.is_empty(), "calls without results");
            assert!(matches!(next, Some(ModelMessage::User { .. })), "{next:?} follows a reply");
        }
    }
}

pub fn assert_continues(former: &ModelRequest, latter: &ModelRequest) {
    assert_eq!((&former.system, &former.tools), (&latter.system, &latter.tools));
    assert!(former.messages.len() <= latter.messages.len(), "{former:?}\n{latter:?}");
    let last = former.messages.len() - 1;
    for (at, (before, after)) in former.messages.iter().zip(&latter.messages).enumerate() {
        if let (ModelMessage::User { text: before, .. }, ModelMessage::User { text: after, .. }) =
            (before, after)
            && at == last
            && let Some(more) = after.strip_prefix(before.as_str())
        {
            assert!(more.is_empty() || more.starts_with("\n\n"), "{more:?} was joined");
            continue;
        }
        assert_eq!(json!(before).to_string(), json!(after).to_string());
    }
}

/// Something that happens in a conversation.
#[derive(Clone, Debug)]
enum Act {
    Say(Sender, String),
    Run { replies: Vec<Reply>, halt: Halt },
}

/// How a run is disturbed, after so many inputs.
#[derive(Clone, Debug)]
enum Halt {
    Never,
    Stop(usize),
    /// The driver is gone and another takes over.
    Cut(usize),
    /// The driver is gone and the hub ends the run.
    Interrupt(usize),
}

fn act() -> impl Strategy<Value = Act> {
    let halt = prop_oneof![
        2 => Just(Halt::Never),
        1 => (0_usize..12).prop_map(Halt::Stop),
        1 => (0_usize..12).prop_map(Halt::Cut),
        1 => (0_usize..12).prop_map(Halt::Interrupt),
    ];
    prop_oneof![
        (sender(), "[a-z\n ]{0,6}").prop_map(|(from, text)| Act::Say(from, text)),
        (replies(), halt).prop_map(|(replies, halt)| Act::Run { replies, halt }),
    ]
}

fn perform(act: &Act, number: usize, world: &mut World, requests: &mut Vec<Told>) {
    let (replies, halt) = match act {
        Act::Say(from, text) => {
            let (from, text) = (from.clone(), text.clone());
            return world.write(None, EntryBody::said(from, text));
        }
        Act::Run { replies, halt } => (replies, halt),
    };
    let id = RunId(format!("run-{number}"));
    let spec = spec(4);
    world.write(Some(&id), started(&spec));
    let mut play = Play::resume(world, &id, &spec, replies);
    for count in 0.. {
        match halt {
            Halt::Stop(at) if *at == count => {
                play.stop(world);
                break;
            }
            Halt::Cut(at) if *at == count => {
                collect(&play, requests);
                play = Play::resume(world, &id, &spec, replies);
            }
            Halt::Interrupt(at) if *at == count => {
                let why = "The hub restarted.".to_owned();
                let outcome = Outcome::Interrupted { why };
                world.write(Some(&id), EntryBody::finished(outcome));
                break;
            }
            Halt::Never | Halt::Stop(_) | Halt::Cut(_) | Halt::Interrupt(_) => {}
        }
        if !play.step(world) {
            break;
        }
    }
    collect(&play, requests);
}

/// What the run sent, and where it was shortened.
enum Told {
    Request(ModelRequest),
    Compacted,
}

fn collect(play: &Play<'_>, requests: &mut Vec<Told>) {
    requests.extend(play.steps.iter().filter_map(|step| match &step.effect {
        Effect::CallModel { request, .. } => Some(Told::Request(request.clone())),
        Effect::Append {
            body: EntryBody::Digested { .. } | EntryBody::Summary { .. } | EntryBody::Clipped { .. },
            ..
        } => Some(Told::Compacted),
        _ => None,
    }));
}

fn run() -> impl Strategy<Value = RunId> {
    prop::sample::select(vec!["p", "q", "r"]).prop_map(RunId::from)
}

fn sender() -> impl Strategy<Value = Sender> {
    prop_oneof![
        Just(Sender::Person),
        Just(Sender::Program { name: "script".to_owned(), relays: false }),
        Just(Sender::Program { name: "bot".to_owned(), relays: true }),
        Just(Sender::PageAsk),
        Just(Sender::PageErrors),
        Just(Sender::PageEmit { name: "e".to_owned() }),
        Just(Sender::Rule { key: "k".to_owned() }),
        "[a-z\n]{0,3}".prop_map(|name| Sender::PageNotify { name }),
    ]
}

fn body() -> impl Strategy<Value = EntryBody> {
    let number = 0_u32..3;
    let call = (prop::sample::select(vec!["a", "b"]), prop::sample::select(vec!["dom", "runjs"]));
    let call =
        call.prop_map(|(id, name)| ToolCall { id: id.into(), name: name.to_owned(), input: json!({}) });
    let result = call.clone().prop_map(|call| ToolResult {
        call: call.id,
        name: call.name,
        content: "done".to_owned(),
        media: Vec::new(),
        is_error: false,
    });
    let block = prop_oneof![
        "[a-z\n ]{0,3}".prop_map(|text| Block::Text { text }),
        Just(Block::Reasoning { text: "Hm.".to_owned(), signature: None }),
        call.clone().prop_map(Block::ToolUse),
    ];
    prop_oneof![
        2 => (sender(), "[a-z\n ]{0,4}").prop_map(|(from, text)| EntryBody::said(from, text)),
        1 => option::of(1_u32..9).prop_map(|rounds| EntryBody::RunStarted { home: Home::Hub, model: None, rounds, driver: None, unverified: false }),
        4 => (number.clone(), number.clone(), block)
            .prop_map(|(turn, index, block)| EntryBody::Block { turn, index, block }),
        2 => number.clone().prop_map(|turn| EntryBody::TurnFinished { turn, stop: StopReason::EndTurn }),
        1 => (number.clone(), call).prop_map(|(turn, call)| EntryBody::ToolStarted { turn, call }),
        2 => (number, result)
            .prop_map(|(turn, result)| EntryBody::ToolFinished { turn, result, millis: 1, denied: false }),
        1 => Just(EntryBody::finished(Outcome::Completed)),
        1 => Just(EntryBody::Skin { version: 1, by: None }),
    ]
}
