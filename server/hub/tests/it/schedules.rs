//! Schedules: when they are due, who lets them run, and what holds for what they begin.

mod changed_files;
mod devices;
mod feeds;
mod finished;
mod firings;
mod limits;
mod mail;
mod own;
mod webhooks;

use crate::runs::driven::Browser;
use crate::runs::page::Page;
use crate::runs::trace::{until, until_finished};
use crate::runs::{agent, open};
use crate::talk::a_moment;
use crate::world::{Endpoint, World, each_store};
use hub::{AuditQuery, Hub, Tab, Viewer};
use protocol::agent::{Home, ProviderKind};
use protocol::log::{Entry, EntryBody, Outcome, Sender};
use protocol::schedule::{
    Author, FiringState, Missed, ScheduleDraft, ScheduleEvent, ScheduleView, TimingKind,
};
use protocol::view::{AgentView, AuditAction};
use protocol::{AgentId, FailureKind, ScheduleId};
use sqlx::Row as _;
use std::time::Duration;

const HOUR: Duration = Duration::from_secs(60 * 60);
/// A test that waits longer than this waits for something that does not come.
const PATIENCE: Duration = Duration::from_secs(180);

pub fn hourly(message: &str) -> ScheduleDraft {
    ScheduleDraft {
        name: "Rounds".to_owned(),
        message: message.to_owned(),
        kind: TimingKind::Every,
        minutes: "60".to_owned(),
        ..ScheduleDraft::default()
    }
}

/// An agent at the hub, and a tab that follows it without showing its page.
async fn begin(world: &World, viewer: &Viewer, endpoint: &Endpoint) -> (AgentView, Tab) {
    let agent = agent(world, viewer, endpoint, ProviderKind::Anthropic, Home::Hub).await;
    let mut tab = open(world, viewer, "laptop");
    tab.follow(&agent.id, 0).await.unwrap();
    (agent, tab)
}

async fn only(hub: &Hub, viewer: &Viewer, agent: &AgentId) -> ScheduleView {
    let mut schedules = hub.for_viewer(viewer).schedules().of_agent(agent).await.unwrap();
    assert_eq!(schedules.len(), 1);
    schedules.remove(0)
}

async fn state(hub: &Hub, viewer: &Viewer, agent: &AgentId) -> FiringState {
    only(hub, viewer, agent).await.last.unwrap().state
}

/// Asks until it is so.
async fn once(is_so: impl AsyncFn() -> bool) {
    let ask = async {
        while !is_so().await {
            a_moment().await;
        }
    };
    tokio::time::timeout(PATIENCE, ask).await.expect("it comes to be so");
}

fn told(entries: &[Entry]) -> Vec<&str> {
    let told = entries.iter().filter_map(|entry| match &entry.body {
        EntryBody::Message { from: Sender::Schedule { .. }, text, .. } => Some(text.as_str()),
        _ => None,
    });
    told.collect()
}

fn is_told(body: &EntryBody) -> bool {
    matches!(body, EntryBody::Message { from: Sender::Schedule { .. }, .. })
}

fn outcome(entries: &[Entry]) -> &Outcome {
    match &entries.last().unwrap().body {
        EntryBody::RunFinished { outcome, .. } => outcome,
        body => panic!("{body:?}"),
    }
}

async fn all(hub: &Hub, viewer: &Viewer, agent: &AgentId) -> Vec<Entry> {
    hub.for_viewer(viewer).conversations().entries(agent, 0).await.unwrap()
}

#[tokio::test]
async fn what_is_due_is_said_to_the_agent_and_answered_again_and_again() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let (agent, mut tab) = begin(&world, &viewer, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let id = scoped.schedules().create(&agent.id, &hourly("Look around.")).await.unwrap();
        let made = only(&world.hub, &viewer, &agent.id).await;
        assert_eq!((made.id, made.last, made.by), (id.clone(), None, Author::Person));
        let mut next = made.next_at.unwrap();
        for _ in 0..3 {
            world.clock.advance(HOUR);
            let entries = until_finished(&mut tab).await;
            assert_eq!(told(&entries), ["Look around."]);
            assert_eq!(outcome(&entries), &Outcome::Completed);
            let now = only(&world.hub, &viewer, &agent.id).await;
            let last = now.last.unwrap();
            assert_eq!((last.due, last.state), (next, FiringState::Done));
            next = now.next_at.unwrap();
            assert_eq!(next - last.due, 3_600_000);
        }
        let asked = endpoint.requests().await;
        let said = asked.last().unwrap()["body"]["messages"].to_string();
        assert!(said.contains("[your person's schedule is due: Rounds]"), "{said}");

        scoped.schedules().pause(&id).await.unwrap();
        world.clock.advance(3 * HOUR);
        scoped.schedules().resume(&id).await.unwrap();
        scoped.schedules().delete(&id).await.unwrap();
        assert!(scoped.schedules().of_agent(&agent.id).await.unwrap().is_empty());
        let entries = all(&world.hub, &viewer, &agent.id).await;
        assert_eq!(told(&entries).len(), 3, "what rests is not due, and not made up for");
        let news: Vec<_> = entries
            .iter()
            .filter_map(|entry| match &entry.body {
                EntryBody::Schedule { news, .. } => Some(news.clone()),
                _ => None,
            })
            .collect();
        let by = Author::Person;
        assert_eq!(
            news,
            [
                ScheduleEvent::Made { by },
                ScheduleEvent::Paused,
                ScheduleEvent::Resumed,
                ScheduleEvent::Deleted { by }
            ]
        );
        let audit = scoped.audit().read(&AuditQuery::default()).await.unwrap();
        let lines: Vec<_> =
            audit.lines.iter().rev().filter(|line| line.object == "Rounds").map(|line| line.action).collect();
        assert_eq!(
            lines,
            [
                AuditAction::ScheduleMade,
                AuditAction::ScheduleChanged,
                AuditAction::ScheduleChanged,
                AuditAction::ScheduleDeleted
            ]
        );
    })
    .await;
}

#[tokio::test]
async fn of_two_hubs_on_one_database_one_lets_a_schedule_run() {
    each_store(async |world: World| {
        const AGENTS: usize = 6;
        const ROUNDS: usize = 4;
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let mut agents = Vec::new();
        for _ in 0..AGENTS {
            let agent = agent(&world, &viewer, &endpoint, ProviderKind::Anthropic, Home::Hub).await.id;
            scoped.schedules().create(&agent, &hourly("Look around.")).await.unwrap();
            agents.push(agent);
        }
        let other = world.reopened().await;
        let store = world.store().await;
        let count = async |statement: &'static str| {
            let row = sqlx::query(statement).fetch_one(store.read()).await.unwrap();
            usize::try_from(row.get::<i64, _>(0)).unwrap()
        };
        for round in 1..=ROUNDS {
            world.clock.advance(HOUR);
            let ended = "SELECT COUNT(*) FROM runs WHERE schedule_id IS NOT NULL AND running = 0";
            once(async || count(ended).await >= round * AGENTS).await;
        }
        assert_eq!(count("SELECT COUNT(*) FROM runs").await, AGENTS * ROUNDS);
        assert_eq!(
            count("SELECT COUNT(*) FROM schedule_firings WHERE state = 'begun'").await,
            AGENTS * ROUNDS
        );
        for agent in &agents {
            assert_eq!(told(&all(&other, &viewer, agent).await).len(), ROUNDS);
        }
    })
    .await;
}

#[tokio::test]
async fn what_passed_while_the_hub_was_off_is_made_up_for_once_or_said_to_be_missed() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let mut agents = Vec::new();
        for missed in [Missed::CatchUp, Missed::Skip] {
            let agent = agent(&world, &viewer, &endpoint, ProviderKind::Anthropic, Home::Hub).await.id;
            let draft = ScheduleDraft { missed, ..hourly("Look around.") };
            scoped.schedules().create(&agent, &draft).await.unwrap();
            agents.push(agent);
        }
        let mut firsts = Vec::new();
        for agent in &agents {
            firsts.push(only(&world.hub, &viewer, agent).await.next_at.unwrap());
        }
        world.hub.close().await;
        world.clock.advance(5 * HOUR + HOUR / 2);
        let hub = world.reopened().await;
        for (at, runs, state) in [(0, 1, FiringState::Done), (1, 0, FiringState::Missed)] {
            let (agent, first) = (&agents[at], firsts[at]);
            once(async || only(&hub, &viewer, agent).await.last.is_some_and(|last| last.state == state)).await;
            let schedule = only(&hub, &viewer, agent).await;
            assert_eq!(schedule.next_at.unwrap(), first + 5 * 3_600_000);
            let entries = all(&hub, &viewer, agent).await;
            assert_eq!(told(&entries).len(), runs);
            let missed = |entry: &&Entry| {
                matches!(entry.body, EntryBody::Schedule { news: ScheduleEvent::Missed { due }, .. } if due == first)
            };
            assert_eq!(entries.iter().filter(missed).count(), 1);
        }
        assert_eq!(only(&hub, &viewer, &agents[0]).await.last.unwrap().due, firsts[0] + 4 * 3_600_000);
    })
    .await;
}

#[tokio::test]
async fn while_the_agent_works_the_newest_time_waits_and_outlives_the_hub() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let (agent, mut tab) = begin(&world, &viewer, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        scoped.schedules().create(&agent.id, &hourly("script: hello")).await.unwrap();
        scoped.runs().send_message(&agent.id, "script: hang", None, None).await.unwrap();
        until(&mut tab, |body| matches!(body, EntryBody::RunStarted { .. })).await;
        let first = only(&world.hub, &viewer, &agent.id).await.next_at.unwrap();
        for due in [first, first + 3_600_000] {
            world.clock.advance(HOUR);
            once(async || {
                let last = only(&world.hub, &viewer, &agent.id).await.last;
                last.is_some_and(|last| last.due == due && last.state == FiringState::Queued)
            })
            .await;
        }
        let hub = world.reopened().await;
        hub.for_viewer(&viewer).runs().stop(&agent.id).await.unwrap();
        once(async || state(&hub, &viewer, &agent.id).await == FiringState::Done).await;
        let entries = all(&hub, &viewer, &agent.id).await;
        assert_eq!(told(&entries).len(), 1, "one of two times, the newest");
        let overtaken = sqlx::query("SELECT due FROM schedule_firings WHERE state = 'overtaken'");
        let overtaken = overtaken.fetch_one(world.store().await.read()).await.unwrap();
        assert_eq!(overtaken.get::<i64, _>(0), first);
    })
    .await;
}

#[tokio::test]
async fn what_waits_for_the_agent_begins_when_its_run_ends() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let (agent, mut tab) = begin(&world, &viewer, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        scoped.runs().send_message(&agent.id, "script: hang", None, None).await.unwrap();
        until(&mut tab, |body| matches!(body, EntryBody::RunStarted { .. })).await;
        let id = scoped.schedules().create(&agent.id, &hourly("script: hello")).await.unwrap();
        scoped.schedules().run_now(&id).await.unwrap();
        assert_eq!(state(&world.hub, &viewer, &agent.id).await, FiringState::Queued);
        scoped.runs().stop(&agent.id).await.unwrap();
        until(&mut tab, is_told).await;
        assert_eq!(outcome(&until_finished(&mut tab).await), &Outcome::Completed);
    })
    .await;
}

#[tokio::test]
async fn what_waits_for_the_agent_is_left_to_the_next_hub_by_one_that_closes() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let (agent, mut tab) = begin(&world, &viewer, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        scoped.runs().send_message(&agent.id, "script: hang", None, None).await.unwrap();
        until(&mut tab, |body| matches!(body, EntryBody::RunStarted { .. })).await;
        let id = scoped.schedules().create(&agent.id, &hourly("script: hello")).await.unwrap();
        scoped.schedules().run_now(&id).await.unwrap();
        world.hub.close().await;
        let hub = world.reopened().await;
        hub.for_viewer(&viewer).runs().stop(&agent.id).await.unwrap();
        once(async || state(&hub, &viewer, &agent.id).await == FiringState::Done).await;
        assert_eq!(told(&all(&hub, &viewer, &agent.id).await).len(), 1);
    })
    .await;
}

#[tokio::test]
async fn an_agent_at_home_in_a_browser_is_told_when_a_page_of_it_is_open() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let agent = agent(&world, &viewer, &endpoint, ProviderKind::Anthropic, Home::Browser).await.id;
        let scoped = world.hub.for_viewer(&viewer);
        let id = scoped.schedules().create(&agent, &hourly("script: hello")).await.unwrap();
        scoped.schedules().run_now(&id).await.unwrap();
        assert_eq!(state(&world.hub, &viewer, &agent).await, FiringState::NoPage);
        assert!(told(&all(&world.hub, &viewer, &agent).await).is_empty());
        let mut browser = Browser::new(open(&world, &viewer, "phone"), Page::default());
        browser.show(&agent).await;
        let entries = browser.until_finished().await;
        assert_eq!((told(&entries).len(), outcome(&entries)), (1, &Outcome::Completed));
    })
    .await;
}

#[tokio::test]
async fn nothing_is_due_of_an_agent_that_is_gone_or_of_somebody_who_may_not_sign_in() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, root) = (world.person("ada").await, world.admin("root").await);
        let scoped = world.hub.for_viewer(&viewer);
        let gone = agent(&world, &viewer, &endpoint, ProviderKind::Anthropic, Home::Hub).await.id;
        let kept = agent(&world, &viewer, &endpoint, ProviderKind::Anthropic, Home::Hub).await.id;
        let others = agent(&world, &root, &endpoint, ProviderKind::Anthropic, Home::Hub).await.id;
        for agent in [&gone, &kept] {
            scoped.schedules().create(agent, &hourly("Look around.")).await.unwrap();
        }
        world.hub.for_viewer(&root).schedules().create(&others, &hourly("Look around.")).await.unwrap();
        scoped.agents().delete(&gone).await.unwrap();
        world.hub.as_admin(&root).unwrap().people().disable(&viewer.me.id).await.unwrap();
        world.clock.advance(HOUR);
        once(async || {
            let last = only(&world.hub, &root, &others).await.last;
            last.is_some_and(|last| last.state == FiringState::Done)
        })
        .await;
        let runs =
            sqlx::query("SELECT COUNT(*) FROM runs").fetch_one(world.store().await.read()).await.unwrap();
        assert_eq!(runs.get::<i64, _>(0), 1);
        let left = sqlx::query("SELECT COUNT(*) FROM schedules")
            .fetch_one(world.store().await.read())
            .await
            .unwrap();
        assert_eq!(left.get::<i64, _>(0), 2);
    })
    .await;
}

#[tokio::test]
async fn a_schedule_that_cannot_be_read_holds_up_no_other() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let (broken, _tab) = begin(&world, &viewer, &endpoint).await;
        let (whole, mut tab) = begin(&world, &viewer, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        for agent in [&broken, &whole] {
            scoped.schedules().create(&agent.id, &hourly("Look around.")).await.unwrap();
        }
        let store = world.store().await;
        let mut tx = store.write().await.unwrap();
        sqlx::query("UPDATE schedules SET timing = '{\"type\":\"by_moon\"}' WHERE agent_id = $1")
            .bind(&broken.id.0)
            .execute(&mut *tx)
            .await
            .unwrap();
        tx.commit().await.unwrap();
        world.clock.advance(HOUR);
        assert_eq!(outcome(&until_finished(&mut tab).await), &Outcome::Completed);
        let listed = scoped.schedules().list().await.unwrap();
        assert_eq!(listed.len(), 1, "{listed:?}");
        assert!(scoped.schedules().of_agent(&broken.id).await.unwrap().is_empty());
        assert!(scoped.schedules().idle_schedules().await.unwrap().is_empty());
    })
    .await;
}

#[tokio::test]
async fn who_has_very_many_schedules_due_at_once_holds_up_no_other_person() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (ada, eve) = (world.person("ada").await, world.person("eve").await);
        let (many, _) = begin(&world, &ada, &endpoint).await;
        let (one, mut tab) = begin(&world, &eve, &endpoint).await;
        world.hub.for_viewer(&ada).schedules().create(&many.id, &hourly("Look around.")).await.unwrap();
        world.hub.for_viewer(&eve).schedules().create(&one.id, &hourly("Look around.")).await.unwrap();
        // Hers are due first, are more than are taken at once, and stay due, for they cannot be read.
        world
            .execute(&format!(
                "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
                 INSERT INTO schedules (id, agent_id, name, message, timing, counted_from, missed, paused, made_by,
                                        created_at, next_at, seen_at, idle_told, rules, forgiven_at)
                 SELECT 'more-' || CAST(n.i AS TEXT), s.agent_id, s.name, s.message, '{{\"type\":\"by_moon\"}}',
                        s.counted_from, s.missed, s.paused, s.made_by, s.created_at, s.next_at - 1, s.seen_at,
                        s.idle_told, s.rules, s.forgiven_at
                 FROM n CROSS JOIN schedules s WHERE s.agent_id = '{}'",
                many.id
            ))
            .await;
        world.clock.advance(HOUR);
        assert_eq!(outcome(&until_finished(&mut tab).await), &Outcome::Completed);
    })
    .await;
}

#[tokio::test]
async fn a_schedule_that_makes_no_sense_is_refused() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let (agent, _tab) = begin(&world, &viewer, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let plain = hourly("Look around.");
        for draft in [
            ScheduleDraft { name: "  ".to_owned(), ..plain.clone() },
            ScheduleDraft { name: "x".repeat(81), ..plain.clone() },
            ScheduleDraft { message: "\n".to_owned(), ..plain.clone() },
            ScheduleDraft { minutes: "0".to_owned(), ..plain.clone() },
            ScheduleDraft { minutes: "soon".to_owned(), ..plain.clone() },
            ScheduleDraft { kind: TimingKind::Once, at: "2020-01-01T00:00".to_owned(), ..plain.clone() },
            ScheduleDraft { kind: TimingKind::Cron, cron: "0 0 30 2 *".to_owned(), ..plain.clone() },
            ScheduleDraft { kind: TimingKind::Days, time: "8 o'clock".to_owned(), ..plain.clone() },
            ScheduleDraft {
                kind: TimingKind::Cron,
                cron: "* * * * *".to_owned(),
                zone: "Mars".to_owned(),
                ..plain.clone()
            },
        ] {
            let error = scoped.schedules().create(&agent.id, &draft).await.unwrap_err().into_failure();
            assert_eq!(error.kind, FailureKind::Invalid, "{draft:?}");
        }
        for _ in 0..20 {
            scoped.schedules().create(&agent.id, &plain).await.unwrap();
        }
        let error = scoped.schedules().create(&agent.id, &plain).await.unwrap_err().into_failure();
        assert_eq!(error.kind, FailureKind::Limit);
    })
    .await;
}

#[tokio::test]
async fn nobody_sees_or_touches_what_is_not_theirs() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (ada, eve) = (world.person("ada").await, world.person("eve").await);
        let (agent, _tab) = begin(&world, &ada, &endpoint).await;
        let draft = hourly("Look around.");
        let id = world.hub.for_viewer(&ada).schedules().create(&agent.id, &draft).await.unwrap();
        let scoped = world.hub.for_viewer(&eve);
        for id in [&id, &ScheduleId::from("none")] {
            let refused = [
                scoped.schedules().of_agent(&agent.id).await.map(|_| ()),
                scoped.schedules().create(&agent.id, &draft).await.map(|_| ()),
                scoped.schedules().edit(id, &draft).await.map(|_| ()),
                scoped.schedules().pause(id).await,
                scoped.schedules().resume(id).await,
                scoped.schedules().run_now(id).await,
                scoped.schedules().limit(id, &protocol::Caps::default()).await,
                scoped.schedules().delete(id).await.map(|_| ()),
            ];
            for refused in refused {
                assert_eq!(refused.unwrap_err().into_failure().kind, FailureKind::NotFound);
            }
        }
    })
    .await;
}
