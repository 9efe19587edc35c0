//! The database, NATS and the server of the models are away at random, each for a while of its own and often at once,
//! while agents of three people work on three nodes: each message that was acknowledged is read by one run, which comes
//! to its end, no call that changes something is made twice, and the ledger has what the logs have. A run ends well
//! unless it was the models that were away. `MINUTES` says for how long, `SEED` where chance begins.

use super::anywhere::{at_rest, cost_of, insist, insist_on};
use super::kit::{Nodes, PEOPLE};
use crate::killed_anywhere::{Chance, hold_once, number};
use crate::world::{Endpoint, Line};
use reqwest::Method;
use serde_json::json;
use std::time::{Duration, Instant};
use tokio::time::sleep;

/// Without `MINUTES`: so often something is away.
const USUAL_ROUNDS: u64 = 4;
/// The run of one message takes about as long, and what goes away does within it.
const LATEST_BEGIN_MS: u64 = 250;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Thing {
    Database,
    Nats,
    Models,
}

const THINGS: [Thing; 3] = [Thing::Database, Thing::Nats, Thing::Models];

impl Thing {
    /// How long it is away at most. Nodes that hear nothing of each other for much longer than that leave.
    fn longest_ms(self, is_hasty: bool) -> u64 {
        match (self, is_hasty) {
            (_, true) => 5_000,
            (Self::Nats, false) => 10_000,
            (Self::Database | Self::Models, false) => 60_000,
        }
    }
}

/// Milliseconds after the messages were sent.
#[derive(Clone, Copy, Debug)]
struct Outage {
    thing: Thing,
    begins: u64,
    ends: u64,
}

/// One of them, two or all.
fn drawn(chance: &mut Chance, is_hasty: bool) -> Vec<Outage> {
    let which = 1 + chance.below((1 << THINGS.len()) - 1);
    let mut outages = Vec::new();
    for (bit, thing) in THINGS.into_iter().enumerate() {
        if (which >> bit) & 1 == 1 {
            let begins = chance.below(LATEST_BEGIN_MS);
            let ends = begins + 1 + chance.below(thing.longest_ms(is_hasty));
            outages.push(Outage { thing, begins, ends });
        }
    }
    outages
}

/// Of the rounds in which something was away.
#[derive(Default)]
struct Figures {
    rounds: usize,
    away_ms: u64,
    completed: usize,
    failed: usize,
    /// From when all was back until each run was over.
    rests: Vec<Duration>,
}

impl Figures {
    fn row(&mut self, thing: Thing) -> String {
        let Self { rounds, away_ms, completed, failed, rests } = self;
        rests.sort();
        let last = rests.len().saturating_sub(1);
        let part = |hundredths: usize| rests.get(last * hundredths / 100).map_or(0, Duration::as_millis);
        let seconds = *away_ms / 1000;
        format!(
            "| {thing:?} | {rounds} | {seconds} | {completed} | {failed} | {} | {} | {} |",
            part(50),
            part(99),
            part(100)
        )
    }
}

#[tokio::test]
async fn every_run_ends_and_is_booked_once_whatever_is_away_for_a_while() {
    let mut nodes = Nodes::start_with(&[("VIVARIUM_PERSON_REQUESTS", "0")]);
    let mut endpoint = Endpoint::start();
    let models = Line::to(&endpoint.url);
    models.url.trim_end_matches('/').clone_into(&mut endpoint.url);
    let people = nodes.peopled(&endpoint).await;
    let (begun, minutes) = (Instant::now(), number("MINUTES", 0));
    let mut chance = Chance::drawn();
    let mut figures = THINGS.map(|_| Figures::default());
    let mut costs = PEOPLE.map(|_| 0_i64);
    for round in 0.. {
        let is_over = match minutes {
            0 => round >= USUAL_ROUNDS,
            minutes => begun.elapsed() >= Duration::from_secs(60 * minutes),
        };
        if is_over {
            break;
        }
        let mut sent = Vec::new();
        for (agent, caller) in &people {
            let message =
                json!({ "agent": agent, "text": "script: tools", "key": format!("{round} {agent}") });
            sent.push(insist_on(&nodes, caller, "/api/agents/send", &message).await["seq"].as_u64().unwrap());
        }
        let outages = drawn(&mut chance, minutes == 0);
        live_through(&nodes, &models, &outages).await;
        let (since, when) = (Instant::now(), format!("round {round}, {outages:?}"));
        let had_models = outages.iter().all(|outage| outage.thing != Thing::Models);
        for (((agent, caller), seq), cost) in people.iter().zip(sent).zip(&mut costs) {
            let log = at_rest(&nodes, caller, agent, seq).await;
            let end = hold_once(&log, seq, &when);
            let is_completed = end["outcome"]["type"] == "completed";
            assert!(is_completed || !had_models, "{when}: {end}");
            *cost += cost_of(&log);
            for outage in &outages {
                let figures = &mut figures[outage.thing as usize];
                *(if is_completed { &mut figures.completed } else { &mut figures.failed }) += 1;
                figures.rests.push(since.elapsed());
            }
        }
        for Outage { thing, begins, ends } in outages {
            let figures = &mut figures[thing as usize];
            figures.rounds += 1;
            figures.away_ms += ends - begins;
        }
        for node in 0..PEOPLE.len() {
            if !nodes.node(node).is_running() {
                nodes.renew(node);
            }
        }
    }
    for ((_, caller), cost) in people.iter().zip(costs) {
        let budget =
            insist(&nodes, caller, |caller| caller.request(Method::GET, "/api/money/own_budget")).await;
        assert!(cost > 0, "the model has a price");
        assert_eq!(budget["spent"]["ever"], json!(cost), "the ledger has what the log has");
    }
    for (thing, figures) in THINGS.into_iter().zip(&mut figures) {
        println!("{}", figures.row(thing));
    }
}

/// Takes them away and brings them back, and returns when all are there.
async fn live_through(nodes: &Nodes, models: &Line, outages: &[Outage]) {
    let both = |outage: &Outage| [(outage.begins, outage.thing, false), (outage.ends, outage.thing, true)];
    let mut steps: Vec<_> = outages.iter().flat_map(both).collect();
    steps.sort_by_key(|(at, ..)| *at);
    let begun = Instant::now();
    for (at, thing, is_back) in steps {
        sleep(Duration::from_millis(at).saturating_sub(begun.elapsed())).await;
        match (thing, is_back) {
            (Thing::Database, may) => nodes.let_connect(may),
            (Thing::Nats, false) => nodes.signal_nats("STOP"),
            (Thing::Nats, true) => nodes.signal_nats("CONT"),
            (Thing::Models, false) => models.cut(),
            (Thing::Models, true) => models.mend(),
        }
    }
}
