//! A run that is resumed from its log, cut anywhere, does what the uncut run did from there.

use crate::play::{Play, Reply, Step, replies};
use crate::world::{World, spec};
use agent::Effect;
use proptest::prelude::*;
use protocol::RunId;
use protocol::log::{EntryBody, Outcome, Sender};
use protocol::model::{Block, ModelRequest, ToolCall};
use protocol::view::Home;
use std::collections::BTreeSet;

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_resumed_run_goes_on_as_the_uncut_one(
        replies in replies(),
        round_limit in 0_u32..6,
        said_during_the_run in prop::bool::ANY,
    ) {
        check(&replies, round_limit, said_during_the_run);
    }
}

fn check(replies: &[Reply], round_limit: u32, said_during_the_run: bool) {
    let id = RunId::from("r");
    let spec = spec(round_limit);
    let mut world = World::default();
    say(&mut world, "Hi");
    world.write(Some(&id), EntryBody::RunStarted { home: Home::Hub });
    let start = world.entries.len();

    let mut play = Play::resume(&world, &id, &spec, replies);
    while play.step(&mut world) {
        if said_during_the_run && world.entries.len().is_multiple_of(3) {
            say(&mut world, "Wait");
        }
    }
    let uncut = play.steps;

    for cut in start..=world.entries.len() {
        let mut world = World { entries: world.entries[..cut].to_vec() };
        let place = place(&world, &uncut);
        let resumed = Play::resume(&world, &id, &spec, replies);
        match place {
            Place::End => {
                let mut resumed = resumed;
                resumed.step(&mut world);
                assert_eq!(effects(&resumed.steps), [], "after the end");
            }
            Place::Between { missing } => {
                let after = uncut.iter().filter(|step| step.at >= cut);
                let mut expected: Vec<Effect> = after.map(|step| step.effect.clone()).collect();
                if let Some((turn, calls)) = missing {
                    expected.retain(|effect| !is_run_tools(effect, turn));
                    expected.insert(0, Effect::RunTools { turn, calls });
                }
                let resumed = resumed.finish(&mut world);
                assert_eq!(effects(&resumed), expected, "cut at {cut} between turns");
            }
            Place::InReply { call, next } => {
                let resumed = resumed.finish(&mut world);
                let expected = requests(&uncut[call..]);
                let found = requests(&resumed);
                if outcome(&resumed) == Some(&Outcome::RoundLimit) {
                    assert!(expected.starts_with(&found), "cut at {cut} in a reply");
                } else {
                    assert_eq!(found, expected, "cut at {cut} in a reply");
                    assert_eq!(outcome(&resumed), outcome(&uncut));
                }
                match &resumed[0].effect {
                    Effect::CallModel { turn, .. } => assert_eq!(*turn, next),
                    other => assert!(
                        next >= round_limit && matches!(other, Effect::Finish { .. }),
                        "{other:?} comes first"
                    ),
                }
            }
        }
    }
}

/// Where in the uncut run a log ends.
enum Place {
    End,
    /// No reply is being made; these calls have no result.
    Between {
        missing: Option<(u32, Vec<ToolCall>)>,
    },
    /// In the reply to the step `call`; `next` is the next free turn number.
    InReply {
        call: usize,
        next: u32,
    },
}

fn place(world: &World, uncut: &[Step]) -> Place {
    let bodies = || world.entries.iter().map(|entry| &entry.body);
    if bodies().any(|body| matches!(body, EntryBody::RunFinished { .. })) {
        return Place::End;
    }
    let made = |step: &Step| matches!(step.effect, Effect::CallModel { .. }) && step.at < world.entries.len();
    let Some(call) = uncut.iter().rposition(made) else {
        return Place::Between { missing: None };
    };
    let Effect::CallModel { turn: current, .. } = uncut[call].effect else { unreachable!("found as a call") };
    let mut is_whole = false;
    let mut is_used = false;
    let mut calls = Vec::new();
    let mut answered = BTreeSet::new();
    for body in bodies() {
        match body {
            EntryBody::Block { turn, block, .. } if *turn == current => {
                is_used = true;
                if let Block::ToolUse(call) = block {
                    calls.push(call.clone());
                }
            }
            EntryBody::Used { turn, .. } if *turn == current => is_used = true,
            EntryBody::TurnFinished { turn, .. } if *turn == current => is_whole = true,
            EntryBody::ToolFinished { turn, result, .. } if *turn == current => {
                answered.insert(result.call.clone());
            }
            _ => {}
        }
    }
    if !is_whole {
        let next = current + u32::from(is_used);
        return Place::InReply { call, next };
    }
    calls.retain(|call| !answered.contains(&call.id));
    let missing = (!calls.is_empty()).then_some((current, calls));
    Place::Between { missing }
}

fn say(world: &mut World, text: &str) {
    let (from, text) = (Sender::Person, text.to_owned());
    world.write(None, EntryBody::Message { from, text });
}

fn effects(steps: &[Step]) -> Vec<Effect> {
    steps.iter().map(|step| step.effect.clone()).collect()
}

fn requests(steps: &[Step]) -> Vec<&ModelRequest> {
    let steps = steps.iter();
    steps
        .filter_map(|step| match &step.effect {
            Effect::CallModel { request, .. } => Some(request),
            _ => None,
        })
        .collect()
}

fn outcome(steps: &[Step]) -> Option<&Outcome> {
    match &steps.last()?.effect {
        Effect::Finish { outcome, .. } => Some(outcome),
        _ => None,
    }
}

fn is_run_tools(effect: &Effect, of: u32) -> bool {
    matches!(effect, Effect::RunTools { turn, .. } if *turn == of)
}
