//! A run that is resumed from its log, cut anywhere, does what the uncut run did from there.

use crate::play::{Play, Reply, Step, replies};
use crate::scripts::notation;
use crate::world::{World, spec, started};
use agent::{Effect, RunSpec};
use proptest::prelude::*;
use protocol::RunId;
use protocol::agent::{Hook, HookAction, HookEvent};
use protocol::log::{EntryBody, Outcome, Sender};
use protocol::model::{MessageList, ToolCall};
use std::collections::BTreeSet;

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_resumed_run_goes_on_as_the_uncut_one(
        replies in replies(),
        round_limit in 0_u32..6,
        native_tools in prop::bool::ANY,
        is_hooked in prop::bool::ANY,
    ) {
        let told = HookAction::AddContext { text: "Note what is open.".to_owned() };
        let hook = Hook { event: HookEvent::AgentEnd, tool: None, holds: None, action: told };
        let hooks = if is_hooked { vec![hook.clone(), hook] } else { Vec::new() };
        check(&replies, RunSpec { native_tools, hooks, ..spec(round_limit) });
    }
}

fn check(replies: &[Reply], spec: RunSpec) {
    let id = RunId::from("r");
    let mut world = World::default();
    say(&mut world, "Hi");
    world.write(Some(&id), started(&spec));
    let start = world.entries.len();
    let before = world.clone();

    let mut play = Play::resume(&world, &id, &spec, replies);
    while play.step(&mut world) {
        // Whoever takes over here resumes from what is left here.
        let left = play.fingerprint();
        assert_eq!(left, world.resume(&id, &spec).fingerprint(), "after {} entries", world.entries.len());
    }
    assert_ne!(play.fingerprint(), Play::resume(&before, &id, &spec, replies).fingerprint());
    let uncut = play.steps;

    for cut in start..=world.entries.len() {
        let mut world = World { entries: world.entries[..cut].to_vec(), ..World::default() };
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
                expected.retain(|effect| !is_pause(effect));
                if let Some((turn, calls)) = missing {
                    let at = expected.iter().take_while(|effect| is_steered(effect)).count();
                    expected.insert(at, Effect::RunTools { turn, calls });
                }
                let mut resumed = effects(&resumed.finish(&mut world));
                resumed.retain(|effect| !is_pause(effect));
                assert_eq!(trace(&resumed), trace(&expected), "cut at {cut} between turns");
            }
            Place::InReply { call, next, was_steered } => {
                let resumed = resumed.finish(&mut world);
                let first = resumed.iter().find_map(|step| match &step.effect {
                    Effect::CallModel { turn, .. } => Some(*turn),
                    _ => None,
                });
                assert_eq!(first, Some(next), "cut at {cut} in a reply");
                // What is said in a reply reaches the call that is made again, and so an earlier one.
                if !was_steered {
                    assert_eq!(requests(&resumed), requests(&uncut[call..]), "cut at {cut} in a reply");
                    assert_eq!(outcome(&resumed), outcome(&uncut));
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
        was_steered: bool,
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
    let mut answered = BTreeSet::new();
    for body in bodies() {
        match body {
            EntryBody::Block { turn, .. } | EntryBody::Used { turn, .. } if *turn == current => {
                is_used = true
            }
            EntryBody::Steered { turn, .. } if *turn == current + 1 => is_used = true,
            EntryBody::TurnFinished { turn, .. } | EntryBody::Retrying { turn, .. } if *turn == current => {
                is_whole = true;
            }
            EntryBody::ToolFinished { turn, result, .. } if *turn == current => {
                answered.insert(result.call.clone());
            }
            _ => {}
        }
    }
    if !is_whole {
        let next = current + u32::from(is_used);
        let since = &world.entries[uncut[call].at..];
        let was_steered = since.iter().any(|entry| matches!(entry.body, EntryBody::Message { .. }));
        return Place::InReply { call, next, was_steered };
    }
    let issued = uncut.iter().filter(|step| step.at < world.entries.len()).rev();
    let missing = issued.filter_map(|step| match &step.effect {
        Effect::RunTools { turn, calls } if *turn == current => Some((*turn, calls.clone())),
        _ => None,
    });
    let missing = missing.take(1).map(|(turn, mut calls)| {
        calls.retain(|call| !answered.contains(&call.id));
        (turn, calls)
    });
    Place::Between { missing: missing.into_iter().find(|(_, calls)| !calls.is_empty()) }
}

fn say(world: &mut World, text: &str) {
    let (from, text) = (Sender::Person, text.to_owned());
    world.write(None, EntryBody::said(from, text));
}

fn effects(steps: &[Step]) -> Vec<Effect> {
    steps.iter().map(|step| step.effect.clone()).collect()
}

/// The effects in the notation of the scripts. Numbers of messages are left out: a call that is made
/// again is written down again.
fn trace(effects: &[Effect]) -> String {
    let lines = effects.iter().map(|effect| match effect {
        Effect::Append { ordinal, body: EntryBody::Steered { turn, .. } } => {
            format!("#{ordinal} steered {turn}\n")
        }
        other => notation::effect(other),
    });
    lines.collect()
}

fn requests(steps: &[Step]) -> Vec<&MessageList> {
    let steps = steps.iter();
    steps
        .filter_map(|step| match &step.effect {
            Effect::CallModel { request, .. } => Some(&request.messages),
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

fn is_pause(effect: &Effect) -> bool {
    matches!(effect, Effect::Arm { .. })
}

fn is_steered(effect: &Effect) -> bool {
    matches!(effect, Effect::Append { body: EntryBody::Steered { .. }, .. })
}
