//! The machine's clock goes forward and is put right again. No time has passed.

use crate::approvals::add_rule;
use crate::runs::trace::{until, until_finished};
use crate::runs::{agent, open};
use crate::talk::{PATIENCE, a_moment};
use crate::world::{Endpoint, PASSWORD, World, each_store};
use hub::{Error, Hub, Tab, Viewer};
use protocol::Micros;
use protocol::agent::{Home, ProviderKind};
use protocol::approval::{Approval, Decision};
use protocol::log::{Entry, EntryBody, Outcome, Sender};
use protocol::schedule::{ScheduleDraft, TimingKind};
use protocol::view::{AgentView, Role};
use serde_json::json;
use std::time::Duration;

const HOUR: Duration = Duration::from_secs(60 * 60);
const HOUR_MS: i64 = 60 * 60 * 1000;
const LONGEST_BETWEEN_LOOKS: Duration = Duration::from_secs(31);
/// How far it was ahead.
const AHEAD_MS: [i64; 2] = [HOUR_MS, 3 * 24 * HOUR_MS];

#[tokio::test]
async fn a_schedule_is_due_when_it_was_to_be_once_the_clock_is_right_again() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        for ahead_ms in AHEAD_MS {
            let viewer = world.person(&format!("ada{ahead_ms}")).await;
            let (agent, mut tab) = begin(&world, &viewer, &endpoint).await;
            let scoped = world.hub.for_viewer(&viewer);
            let draft = ScheduleDraft {
                name: "Rounds".to_owned(),
                message: "Look around.".to_owned(),
                kind: TimingKind::Every,
                minutes: "60".to_owned(),
                ..ScheduleDraft::default()
            };
            scoped.schedules().create(&agent.id, &draft).await.unwrap();
            let next = async || scoped.schedules().of_agent(&agent.id).await.unwrap()[0].next_at.unwrap();
            let first = next().await;
            world.clock.set(ahead_ms);
            world.clock.advance(LONGEST_BETWEEN_LOOKS);
            until_finished(&mut tab).await;
            world.clock.set(-ahead_ms);
            world.clock.advance(LONGEST_BETWEEN_LOOKS);
            once(async || next().await == first).await;
            // What began for a time that was yet to come does not begin for it again.
            world.clock.advance(HOUR);
            once(async || next().await == first + HOUR_MS).await;
            world.clock.advance(HOUR);
            once(async || next().await == first + 2 * HOUR_MS).await;
            let expected = if ahead_ms == HOUR_MS { 2 } else { 3 };
            once(async || told(&scoped.conversations().entries(&agent.id, 0).await.unwrap()) == expected)
                .await;
        }
    })
    .await;
}

#[tokio::test]
async fn what_was_spent_while_the_clock_was_ahead_is_spent_in_no_month_before() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let (agent, _tab) = begin(&world, &viewer, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let spent = async || scoped.ledger().own_budget().await.unwrap().spent;
        let ahead_ms = 100 * 24 * HOUR_MS;
        world.clock.set(ahead_ms);
        scoped.runs().ask(&agent.id, "Hello", None, PATIENCE).await.unwrap();
        let then = spent().await;
        assert!(then.month > Micros(0) && then.month == then.ever, "{then:?}");
        world.clock.set(-ahead_ms);
        let now = spent().await;
        assert_eq!((now.day, now.month, now.ever), (Micros(0), Micros(0), then.ever));
    })
    .await;
}

#[tokio::test]
async fn who_guessed_while_the_clock_was_ahead_does_not_wait_for_it() {
    each_store(async |world: World| {
        for (name, ahead_ms) in ["ada", "ben"].into_iter().zip(AHEAD_MS) {
            world.hub.accounts().add_user(name, PASSWORD, Role::Member).await.unwrap();
            world.clock.set(ahead_ms);
            for _ in 0..5 {
                assert_eq!(attempt(&world.hub, name, "a wrong password").await, "wrong");
            }
            assert_eq!(attempt(&world.hub, name, PASSWORD).await, "wait");
            world.clock.set(-ahead_ms);
            assert_eq!(attempt(&world.hub, name, PASSWORD).await, "in", "{ahead_ms}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_question_stays_open_for_as_long_as_a_person_has() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        for ahead_ms in AHEAD_MS {
            let viewer = world.person(&format!("ada{ahead_ms}")).await;
            let (agent, mut tab) = begin(&world, &viewer, &endpoint).await;
            add_rule(&world.hub, &viewer, "ask", "state", "").await;
            let scoped = world.hub.for_viewer(&viewer);
            scoped.runs().send_message(&agent.id, &sets("a", 1), None, None).await.unwrap();
            let approval = until_asked(&mut tab).await;
            world.clock.set(ahead_ms);
            world.clock.advance(LONGEST_BETWEEN_LOOKS);
            world.clock.set(-ahead_ms);
            scoped.approvals().answer(&approval.id, &approval.hash, Decision::Once, "").await.unwrap();
            until_finished(&mut tab).await;
            assert_eq!(scoped.states().read(&agent.id).await.unwrap()["a"], json!(1));

            // One that was asked while it was ahead does not wait for that time.
            world.clock.set(ahead_ms);
            scoped.runs().send_message(&agent.id, &sets("a", 2), None, None).await.unwrap();
            until_asked(&mut tab).await;
            world.clock.set(-ahead_ms);
            world.clock.advance(Duration::from_secs(10 * 60 + 1));
            until_finished(&mut tab).await;
            assert_eq!(scoped.states().read(&agent.id).await.unwrap()["a"], json!(1));
        }
    })
    .await;
}

#[tokio::test]
async fn a_yes_for_half_an_hour_is_none_for_days_and_the_newest_rule_decides() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        for ahead_ms in AHEAD_MS {
            let viewer = world.person(&format!("ada{ahead_ms}")).await;
            let (agent, mut tab) = begin(&world, &viewer, &endpoint).await;
            let scoped = world.hub.for_viewer(&viewer);
            add_rule(&world.hub, &viewer, "ask", "state", "").await;
            world.clock.set(ahead_ms);
            scoped.runs().send_message(&agent.id, &sets("a", 1), None, None).await.unwrap();
            let approval = until_asked(&mut tab).await;
            scoped.approvals().answer(&approval.id, &approval.hash, Decision::HalfHour, "").await.unwrap();
            until_finished(&mut tab).await;
            world.clock.set(-ahead_ms);
            scoped.runs().send_message(&agent.id, &sets("a", 2), None, None).await.unwrap();
            let approval = until_asked(&mut tab).await;
            scoped.approvals().answer(&approval.id, &approval.hash, Decision::Deny, "").await.unwrap();
            until_finished(&mut tab).await;

            world.clock.set(ahead_ms);
            add_rule(&world.hub, &viewer, "allow", "state", "").await;
            world.clock.set(-ahead_ms);
            add_rule(&world.hub, &viewer, "ask", "state", "").await;
            scoped.runs().send_message(&agent.id, &sets("a", 3), None, None).await.unwrap();
            let approval = until_asked(&mut tab).await;
            scoped.approvals().answer(&approval.id, &approval.hash, Decision::Deny, "").await.unwrap();
            until_finished(&mut tab).await;
        }
    })
    .await;
}

#[tokio::test]
async fn a_code_is_owed_for_minutes_and_a_session_lasts_on() {
    each_store(async |world: World| {
        for (name, ahead_ms) in ["ada", "ben"].into_iter().zip(AHEAD_MS) {
            world.hub.accounts().add_user(name, PASSWORD, Role::Member).await.unwrap();
            let secret = async || {
                let done =
                    world.hub.accounts().sign_in(name, PASSWORD, "test").await.unwrap().done().unwrap();
                done.secret
            };
            let before = secret().await;
            world.clock.set(ahead_ms);
            let meanwhile = secret().await;
            world.clock.set(-ahead_ms);
            for secret in [before, meanwhile] {
                assert!(
                    world.hub.accounts().viewer_by_session(&secret).await.unwrap().is_some(),
                    "{ahead_ms}"
                );
            }
        }
    })
    .await;
}

/// Lets the model set this, and say Done.
fn sets(key: &str, value: u32) -> String {
    let call = json!({ "tool": "state", "input": { "action": "set", "key": key, "value": value } });
    format!("turns: {}", json!([[call], [{ "text": "Done." }]]))
}

async fn until_asked(tab: &mut Tab) -> Approval {
    let entries = until(tab, |body| matches!(body, EntryBody::ApprovalAsked { .. })).await;
    match entries.into_iter().next_back().map(|entry| entry.body) {
        Some(EntryBody::ApprovalAsked { approval }) => approval,
        body => panic!("{body:?}"),
    }
}

async fn begin(world: &World, viewer: &Viewer, endpoint: &Endpoint) -> (AgentView, Tab) {
    let agent = agent(world, viewer, endpoint, ProviderKind::Anthropic, Home::Hub).await;
    let mut tab = open(world, viewer, &format!("laptop of {}", viewer.me.name));
    tab.follow(&agent.id, 0).await.unwrap();
    (agent, tab)
}

async fn attempt(hub: &Hub, name: &str, password: &str) -> &'static str {
    match hub.accounts().sign_in(name, password, "test").await {
        Ok(_) => "in",
        Err(Error::Invalid(_)) => "wrong",
        Err(Error::TooOften { .. }) => "wait",
        Err(error) => panic!("{error}"),
    }
}

fn told(entries: &[Entry]) -> usize {
    let is_told =
        |entry: &&Entry| matches!(&entry.body, EntryBody::Message { from: Sender::Schedule { .. }, .. });
    let over = |entry: &&Entry| entry.body == EntryBody::finished(Outcome::Completed);
    entries.iter().filter(is_told).count().min(entries.iter().filter(over).count())
}

/// Asks until it is so.
async fn once(is_so: impl AsyncFn() -> bool) {
    let ask = async {
        while !is_so().await {
            a_moment().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(180), ask).await.expect("it comes to be so");
}
