//! What a person and an agent can look up: the whole history, and what a request is made of.

use crate::world::{World, spec, started};
use agent::RunSpec;
use agent::context::search::{Hit, Query, Search};
use agent::context::{Report, Snapshot, assemble, compaction_in};
use protocol::log::{EntryBody, Mark, Sender, Summariser};
use protocol::model::{Block, ModelMessage, StopReason, ToolCall, ToolResult};
use protocol::view::{ContextPart, PromptPart};
use protocol::{ContextSource, RunId};
use serde_json::json;

#[test]
fn the_whole_history_is_searched() {
    let world = world();
    let find = |query: Query| {
        let hits = search(&world, query).into_iter();
        hits.map(|hit| (hit.seq, hit.who)).collect::<Vec<_>>()
    };
    let words = |words: &str| Query { query: Some(words.to_owned()), ..Query::default() };
    for (query, expected) in [
        (words("ZURICH cafe"), &[(1, "person"), (5, "result")][..]),
        (words("selector"), &[(3, "call")]),
        (words("found"), &[(6, "agent")]),
        (words("nowhere"), &[]),
        (Query { from: Some(2), ..words("cafe") }, &[(5, "result")]),
        (Query { to: Some(4), ..words("cafe") }, &[(1, "person")]),
        (Query { limit: Some(1), ..words("cafe") }, &[(5, "result")]),
        (Query { limit: Some(1), head: true, ..words("cafe") }, &[(1, "person")]),
        (Query { head: true, limit: Some(2), ..Query::default() }, &[(1, "person"), (3, "call")]),
    ] {
        assert_eq!(find(query.clone()), expected, "{query:?}");
    }
}

#[test]
fn a_hit_shows_what_is_around_the_words() {
    let mut world = World::default();
    let text = format!("{} The Café is here. {}", "before ".repeat(200), "after ".repeat(200));
    world.write(None, EntryBody::said(Sender::Person, text));
    let query = Query { query: Some("cafe".to_owned()), ..Query::default() };
    let hits = search(&world, query);
    assert!(hits[0].text.contains("The Café is here.") && hits[0].text.len() < 600, "{}", hits[0].text);
}

#[test]
fn an_entry_that_is_asked_for_by_its_number_comes_whole_part_by_part() {
    let mut world = World::default();
    let text = "A \"café\" in Zürich\n".repeat(1000);
    world.write(None, EntryBody::said(Sender::Person, "Something else.".to_owned()));
    world.write(None, EntryBody::said(Sender::Person, text.clone()));
    let (mut read, mut at, mut parts) = (String::new(), 0, 0);
    loop {
        let hits = search(&world, Query { entry: Some(2), at, ..Query::default() });
        let [Hit { seq: 2, who: "person", text, more }] = &hits[..] else { panic!("{hits:?}") };
        assert!(json!(text).to_string().len() < 6500, "it reaches a model whole");
        read.push_str(text);
        at += text.chars().count();
        parts += 1;
        let Some(more) = more else { break };
        assert_eq!(*more, format!("Read on with entry: 2 and at: {at}."));
    }
    assert_eq!((read, parts > 3), (text, true));
    let beyond = search(&world, Query { entry: Some(2), at: 99_999, ..Query::default() });
    assert_eq!((beyond[0].text.as_str(), &beyond[0].more), ("", &None));
    assert!(search(&world, Query { entry: Some(3), ..Query::default() }).is_empty());
}

fn search(world: &World, query: Query) -> Vec<Hit> {
    let mut search = Search::new(query);
    world.entries.iter().for_each(|entry| search.take(entry));
    search.hits()
}

#[test]
fn a_report_says_what_is_sent_and_what_is_not() {
    let (run, mut world) = (RunId::from("r"), world());
    let spec = RunSpec { context_tokens: 8_000, ..spec(25) };
    let before = report(&spec, &run, &world);
    assert_eq!(before.whole_turns, 1);
    let request = assemble(&spec, &run, &world.entries);
    let prompt: Vec<(&PromptPart, &str)> = before
        .sections
        .iter()
        .filter_map(|section| match &section.part {
            ContextPart::System { part, text } => Some((part, text.as_str())),
            _ => None,
        })
        .collect();
    assert_eq!(before.sections.len(), prompt.len() + request.tools.len() + request.messages.len());
    assert_eq!(prompt.iter().map(|(_, text)| *text).collect::<String>(), request.system);
    assert_eq!(prompt[0].0, &PromptPart::Identity);
    assert!(prompt.windows(2).all(|two| two[0].0 != two[1].0), "what is about one thing is one part");
    let sum: u64 = before.sections.iter().map(|section| section.tokens).sum();
    assert!(before.tokens.abs_diff(sum) <= before.sections.len() as u64, "the sections make the whole");
    let last = request.messages.last().expect("something was said");
    assert_eq!(
        before.sections.last().map(|section| &section.part),
        Some(&ContextPart::Message { message: last.clone() })
    );

    let upto = Mark { run: run.clone(), turn: 1 };
    let text = "In short.".to_owned();
    world.write(Some(&run), EntryBody::Summary { turn: 1, by: Summariser::Model, upto, text });
    let steps = world.entries.iter().filter_map(|entry| compaction_in(&entry.body)).count();
    let after = report(&spec, &run, &world);
    assert_eq!((after.whole_turns, steps), (0, 1));
    assert!(after.tokens < before.tokens);
}

/// What comes before may be a snapshot: it makes no difference.
fn report(spec: &RunSpec, run: &RunId, world: &World) -> Report {
    let new = || Snapshot::new(spec.clear_after_ms);
    let whole = agent::context::report(spec, run, new(), &world.entries);
    let (before, since) = world.entries.split_at(2);
    assert_eq!(agent::context::report(spec, run, new().take_all(before), since), whole);
    whole
}

/// One whole turn with a call and its result, and words of the next.
fn world() -> World {
    let run = RunId::from("r");
    let mut world = World::default();
    let text = "Look for a café in Zürich".to_owned();
    world.write(None, EntryBody::said(Sender::Person, text));
    world.write(Some(&run), started(&spec(25)));
    let input = json!({ "action": "query", "selector": "p" });
    let call = ToolCall { id: "a".into(), name: "dom".to_owned(), input };
    world.write(Some(&run), EntryBody::Block { turn: 0, index: 0, block: Block::ToolUse(call.clone()) });
    world.write(Some(&run), EntryBody::TurnFinished { turn: 0, stop: StopReason::ToolUse });
    let result = ToolResult {
        call: call.id,
        name: call.name,
        content: format!("Cafe Zurich. {}", "More of it. ".repeat(100)),
        media: Vec::new(),
        is_error: false,
    };
    world.write_result(&run, 0, &result, false);
    let block = Block::Text { text: "I found it.".to_owned() };
    world.write(Some(&run), EntryBody::Block { turn: 1, index: 0, block });
    world
}

#[test]
fn what_is_told_of_the_persons_context_is_a_section_of_its_own() {
    let (run, mut world) = (RunId::from("r"), World::default());
    let context = |source, untrusted| Sender::Context { source, untrusted };
    for (from, text) in [
        (Sender::Person, "What is on?\n\nAnd where?"),
        (context(ContextSource::Place, false), "Vienna\n\n[context: device]"),
        (context(ContextSource::Keys, true), "mood: calm"),
    ] {
        world.write(None, EntryBody::said(from, text.to_owned()));
    }
    world.write(Some(&run), started(&spec(25)));
    let sections = report(&spec(25), &run, &world).sections;
    let told: Vec<(Option<ContextSource>, String)> = sections
        .into_iter()
        .filter_map(|section| match section.part {
            ContextPart::Context { source, text } => Some((Some(source), text)),
            ContextPart::Message { message: ModelMessage::User { text, .. } } => Some((None, text)),
            _ => None,
        })
        .collect();
    let [place, keys, said] = told.as_slice() else { panic!("{told:?}") };
    assert_eq!(
        place,
        &(Some(ContextSource::Place), "[context: place]\n> Vienna\n> [context: device]".to_owned())
    );
    assert!(
        keys.0 == Some(ContextSource::Keys) && keys.1.contains("<words-of-strangers>\nmood: calm"),
        "{keys:?}"
    );
    assert_eq!(said, &(None, "What is on?\n\nAnd where?".to_owned()));
}
