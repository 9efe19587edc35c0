//! Limits on spending, and the ledger behind them.

mod bounds;
mod calls;
mod prices;
mod shared;
mod split;
mod stopped;

use crate::world::{Definition, Endpoint, World, each_store};
use hub::{Tab, Viewer};
use protocol::agent::ProviderKind;
use protocol::hub::HubFrame;
use protocol::log::{Entry, EntryBody, Outcome};
use protocol::model::ModelFailureKind;
use protocol::view::{AgentView, Role, Status, Today};
use protocol::{Budget, Caps};
use protocol::{FailureKind, Micros, ProviderId, TabId};
use std::time::Duration;

/// Tokens of a reply at most: with the prompt a call costs at most 15 to 16 cents.
const OUTPUT: u32 = 10_000;
const TEN_CALLS: Micros = Micros(1_620_000);
/// A test that waits longer than this waits for something that does not come.
const PATIENCE: Duration = Duration::from_secs(180);

async fn agents(world: &World, viewer: &Viewer, endpoint: &Endpoint, count: usize) -> Vec<AgentView> {
    let scoped = world.hub.for_viewer(viewer);
    let provider = endpoint.provider(&scoped, ProviderKind::Anthropic).await;
    let mut agents = Vec::new();
    for n in 0..count {
        let agent =
            Definition::named(&format!("Ada {n}")).model(&provider, "claude-sonnet-4-5").output(OUTPUT);
        agents.push(agent.create(&scoped).await);
    }
    agents
}

async fn watch(world: &World, viewer: &Viewer, agents: &[AgentView]) -> Tab {
    let mut tab = world.hub.open_tab(viewer.clone(), TabId::from("watcher")).unwrap();
    for agent in agents {
        tab.follow(&agent.id, agent_seq(world, viewer, agent).await).await.unwrap();
    }
    tab
}

async fn agent_seq(world: &World, viewer: &Viewer, agent: &AgentView) -> u64 {
    let cards = world.hub.for_viewer(viewer).agents().list().await.unwrap();
    cards.iter().find(|card| card.id == agent.id).unwrap().seq
}

/// The entries up to the end of `count` runs.
async fn until_finished(tab: &mut Tab, count: usize) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut finished = 0;
    while finished < count {
        let frame = tokio::time::timeout(PATIENCE, tab.next()).await.unwrap().unwrap();
        if let HubFrame::Entry { entry } = serde_json::from_slice(&frame.text).unwrap() {
            finished += usize::from(matches!(entry.body, EntryBody::RunFinished { .. }));
            entries.push(entry);
        }
    }
    entries
}

/// The same while the model is let past the gate of its script, as often as it gets there.
async fn through_the_gate(endpoint: &Endpoint, tab: &mut Tab, count: usize) -> Vec<Entry> {
    let keep_open = async {
        loop {
            endpoint.open_gate().await;
        }
    };
    tokio::select! {
        entries = until_finished(tab, count) => entries,
        () = keep_open => unreachable!("it goes on for ever"),
    }
}

/// Puts something on a person's meter, beside what their agents do.
async fn spend(world: &World, viewer: &Viewer, provider: &ProviderId, cost: i64) {
    let store = world.store().await;
    let mut tx = store.write().await.unwrap();
    sqlx::query(
        "INSERT INTO spending (day, user_id, agent_id, provider_id, model, kind, calls, unpriced, input_tokens,
                               output_tokens, cost)
         VALUES ($1, $2, $3, $4, 'm', 'reply', 1, 0, 0, 0, $5)",
    )
    .bind(today(world, viewer).await)
    .bind(&viewer.me.id.0)
    .bind(hub::clock::new_id())
    .bind(&provider.0)
    .bind(cost)
    .execute(&mut *tx)
    .await
    .unwrap();
    tx.commit().await.unwrap();
}

/// As the ledger writes it.
async fn today(world: &World, viewer: &Viewer) -> String {
    let usage = world.hub.for_viewer(viewer).ledger().usage().await.unwrap();
    usage.days.last().unwrap().day.clone()
}

fn is_over_budget(entry: &Entry) -> bool {
    matches!(&entry.body, EntryBody::RunFinished { outcome: Outcome::Failed { failure }, .. }
        if failure.kind == ModelFailureKind::OverBudget)
}

fn costs(entries: &[Entry]) -> i64 {
    let cost = |entry: &Entry| match &entry.body {
        EntryBody::Used { cost, .. } => cost.unwrap().0,
        _ => 0,
    };
    entries.iter().map(cost).sum()
}

fn daily(limit: Micros) -> Caps {
    Caps { per_day: Some(limit), ..Caps::default() }
}

#[tokio::test]
async fn fifty_runs_race_for_the_money_of_ten_and_the_ledger_is_exact() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let agents = agents(&world, &viewer, &endpoint, 50).await;
        scoped.ledger().limit_own(&daily(TEN_CALLS)).await.unwrap();
        let mut tab = watch(&world, &viewer, &agents).await;
        for agent in &agents {
            scoped.runs().send_message(&agent.id, "script: halves", None, None).await.unwrap();
        }
        let stopped = until_finished(&mut tab, 40).await;
        assert_eq!(stopped.iter().filter(|entry| is_over_budget(entry)).count(), 40);
        assert_eq!(costs(&stopped), 0, "a run that stops before its call costs nothing");
        let cards = scoped.agents().list().await.unwrap();
        let with = |status: Status| cards.iter().filter(|card| card.status == status).count();
        assert_eq!((with(Status::Waiting), with(Status::Running)), (40, 10));

        let mut done = through_the_gate(&endpoint, &mut tab, 10).await;
        let spent = scoped.ledger().own_budget().await.unwrap().spent;
        assert_eq!(spent.day, Micros(costs(&done)));
        assert!(spent.day > Micros(0) && spent.day < TEN_CALLS);
        assert_eq!((spent.month, spent.ever), (spent.day, spent.day));
        let usage = scoped.ledger().usage().await.unwrap();
        assert_eq!(usage.days.last().unwrap().cost, spent.day);
        assert_eq!(usage.models[0].calls, 10);
        assert_eq!(usage.agents.len(), 10);

        scoped.ledger().limit_own(&Caps::default()).await.unwrap();
        done.extend(through_the_gate(&endpoint, &mut tab, 40).await);
        assert!(!done.iter().any(is_over_budget), "what a limit had stopped goes on when it is gone");
        assert_eq!(scoped.ledger().own_budget().await.unwrap().spent.day, Micros(costs(&done)));
    })
    .await;
}

#[tokio::test]
async fn every_limit_stops_the_call_that_would_pass_it_and_says_which_one_it_was() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let root = world.admin("root").await;
        let theirs = agents(&world, &viewer, &endpoint, 1).await.remove(0);
        let roots = agents(&world, &root, &endpoint, 1).await.remove(0);
        let cents = |cents: i64| Some(Micros(cents * 10_000));
        let none = Caps::default();
        for (whose, caps, words) in [
            ("agent", Caps { per_call: cents(10), ..none }, "This agent may spend $0.10 a call."),
            ("agent", Caps { per_run: cents(10), ..none }, "This agent may spend $0.10 a run."),
            (
                "person",
                Caps { per_day: cents(10), ..none },
                "All your agents together may spend $0.10 a day.",
            ),
            (
                "person",
                Caps { per_month: cents(10), ..none },
                "All your agents together may spend $0.10 a month.",
            ),
            (
                "member",
                Caps { ever: cents(10), ..none },
                "By your administrator's limit, all your agents together may spend $0.10 in all.",
            ),
            (
                "server",
                Caps { per_day: cents(0), ..none },
                "By this server's limit, everybody's agents together may spend $0.00 a day.",
            ),
        ] {
            let admin = world.hub.as_admin(&root).unwrap();
            // The server's limit is for what its administrators pay.
            let (viewer, agent) = if whose == "server" { (&root, &roots) } else { (&viewer, &theirs) };
            let scoped = world.hub.for_viewer(viewer);
            let set = async |caps: &Caps| match whose {
                "agent" => scoped.ledger().limit_agent(&agent.id, caps).await.unwrap(),
                "person" => scoped.ledger().limit_own(caps).await.unwrap(),
                "member" => admin.ledger().limit(Some(&viewer.me.id), caps).await.unwrap(),
                _ => admin.ledger().limit(None, caps).await.unwrap(),
            };
            set(&caps).await;
            let mut tab = watch(&world, viewer, std::slice::from_ref(agent)).await;
            scoped.runs().send_message(&agent.id, "Hello", None, None).await.unwrap();
            let entries = until_finished(&mut tab, 1).await;
            let EntryBody::RunFinished { outcome: Outcome::Failed { failure }, .. } =
                &entries.last().unwrap().body
            else {
                panic!("{words}: {entries:?}")
            };
            assert!(failure.message.starts_with(words), "{}", failure.message);
            assert_eq!(scoped.agents().list().await.unwrap()[0].status, Status::Waiting);
            set(&none).await;
            until_finished(&mut tab, 1).await;
            assert_eq!(scoped.agents().list().await.unwrap()[0].status, Status::Idle, "{words}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_hub_that_died_leaves_nothing_held() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let agents = agents(&world, &viewer, &endpoint, 2).await;
        scoped.ledger().limit_own(&daily(Micros(200_000))).await.unwrap();
        let mut tab = watch(&world, &viewer, &agents).await;
        scoped.runs().send_message(&agents[0].id, "script: hang", None, None).await.unwrap();
        scoped.runs().send_message(&agents[1].id, "Hello", None, None).await.unwrap();
        assert!(
            until_finished(&mut tab, 1).await.iter().any(is_over_budget),
            "the first call holds the money"
        );

        let hub = world.reopened().await;
        let scoped = hub.for_viewer(&viewer);
        scoped.runs().stop(&agents[0].id).await.unwrap();
        let mut tab = hub.open_tab(viewer.clone(), TabId::from("after")).unwrap();
        let seq =
            scoped.agents().list().await.unwrap().iter().find(|card| card.id == agents[1].id).unwrap().seq;
        tab.follow(&agents[1].id, seq).await.unwrap();
        scoped.runs().send_message(&agents[1].id, "Hello again", None, None).await.unwrap();
        let entries = until_finished(&mut tab, 1).await;
        assert!(!entries.iter().any(is_over_budget), "{entries:?}");
    })
    .await;
}

#[tokio::test]
async fn what_nobody_has_a_price_for_is_not_called_under_a_limit() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let agent = agents(&world, &viewer, &endpoint, 1).await.remove(0);
        let unknown =
            Definition::like(&agent).model(&agent.provider.clone().unwrap(), "a-model-of-their-own");
        let agent = unknown.replace(&scoped, &agent.id).await;
        scoped.ledger().limit_agent(&agent.id, &daily(Micros(1_000_000))).await.unwrap();
        let mut tab = watch(&world, &viewer, std::slice::from_ref(&agent)).await;
        scoped.runs().send_message(&agent.id, "Hello", None, None).await.unwrap();
        let entries = until_finished(&mut tab, 1).await;
        assert!(entries.last().is_some_and(is_over_budget), "{entries:?}");
        assert!(endpoint.requests().await.is_empty());
    })
    .await;
}

#[tokio::test]
async fn a_card_tells_today_and_administrators_see_what_each_person_may_spend() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, root) = (world.person("ada").await, world.admin("root").await);
        let (scoped, admin) = (world.hub.for_viewer(&viewer), world.hub.as_admin(&root).unwrap());
        let agents = agents(&world, &viewer, &endpoint, 2).await;
        let limit = Micros(1_000_000);
        scoped.ledger().limit_agent(&agents[0].id, &daily(limit)).await.unwrap();
        admin.ledger().limit(Some(&viewer.me.id), &daily(TEN_CALLS)).await.unwrap();
        let mut tab = watch(&world, &viewer, &agents).await;
        for agent in &agents {
            scoped.runs().send_message(&agent.id, "Hello", None, None).await.unwrap();
        }
        let entries = until_finished(&mut tab, 2).await;
        let of = |agent: &AgentView| {
            let own: Vec<_> = entries.iter().filter(|entry| entry.agent == agent.id).cloned().collect();
            Micros(costs(&own))
        };

        let cards = scoped.agents().list().await.unwrap();
        let today = |agent: &AgentView| cards.iter().find(|card| card.id == agent.id).unwrap().today;
        assert_eq!(today(&agents[0]), Some(Today { spent: of(&agents[0]), limit }));
        assert_eq!(today(&agents[1]), None);

        let people = admin.ledger().people_budgets().await.unwrap();
        let (ada, other) = (&people[0], &people[1]);
        assert_eq!((ada.name.as_str(), other.name.as_str(), people.len()), ("ada", "root", 2));
        assert_eq!(ada.budget, admin.ledger().budget(Some(&viewer.me.id)).await.unwrap());
        assert_eq!(ada.budget.caps, daily(TEN_CALLS));
        assert_eq!(ada.budget.spent.day, Micros(costs(&entries)));
        assert_eq!(other.budget, Budget::default());
    })
    .await;
}

#[tokio::test]
async fn nobody_limits_what_is_not_theirs() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (ada, eve) = (world.person("ada").await, world.person("eve").await);
        let agent = agents(&world, &ada, &endpoint, 1).await.remove(0);
        let eves = world.hub.for_viewer(&eve);
        let error = eves.ledger().limit_agent(&agent.id, &Caps::default()).await.unwrap_err();
        assert_eq!(error.into_failure().kind, FailureKind::NotFound);
        let error = eves.ledger().agent_budget(&agent.id).await.unwrap_err();
        assert_eq!(error.into_failure().kind, FailureKind::NotFound);
        assert!(world.hub.as_admin(&eve).is_none());
        assert_eq!(eve.me.role, Role::Member);
    })
    .await;
}
