//! What agents ask each other: sub-agents beside their maker, agents that answer one another, and how all of it is
//! bounded, stopped, paid for and gone on with.

mod across;
mod answers;
mod asking;
mod batches;
mod by_habit;
mod chains;
mod deleted;
mod endless;
mod handing;
mod looked_on;
mod mounts;
mod offered;
mod tainted;
mod time;
mod tree;

use crate::runs::open;
use crate::runs::trace::{self, until_finished};
use crate::talk::{GATED, PATIENCE, a_moment, ada, ask};
use crate::world::{Definition, Endpoint, World, each_store};
use hub::{Hub, Scoped, Viewer};
use protocol::hub::Noun;
use protocol::log::{Entry, EntryBody, Sender};
use protocol::view::{AgentView, DelegationKind, DelegationState, DelegationView};
use protocol::{AgentId, Caps, FailureKind, Micros};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::BTreeSet;

const TOOLS: [&str; 9] = [
    "agent_spawn",
    "agent_ask",
    "agent_wait",
    "agent_result",
    "agent_send",
    "agent_stop",
    "agent_list",
    "read",
    "write",
];

/// The agent with the tools for working with others.
async fn leader(scoped: &Scoped<'_>, view: &AgentView) -> AgentView {
    scoped.agents().edit(&view.id, Definition::like(view).tools(TOOLS).draft()).await.unwrap()
}

fn says(turns: Value) -> String {
    format!("turns: {turns}")
}

fn spawn(label: &str, task: &str) -> Value {
    json!({ "tool": "agent_spawn", "input": { "label": label, "task": task } })
}

/// Turns in which all of these calls are made: of one reply five are.
fn turns_of(calls: Vec<Value>, then: Vec<Value>) -> String {
    let mut turns: Vec<Value> = calls.chunks(5).map(|calls| Value::from(calls.to_vec())).collect();
    turns.extend(then);
    says(Value::from(turns))
}

fn wait() -> Value {
    json!({ "tool": "agent_wait", "input": { "ids": "{ids}" } })
}

fn answer() -> Value {
    json!([{ "text": "{results}" }])
}

async fn all(scoped: &Scoped<'_>) -> Vec<DelegationView> {
    let mut all = scoped.delegations().list(None).await.unwrap();
    all.reverse();
    all
}

fn states(all: &[DelegationView]) -> Vec<DelegationState> {
    all.iter().map(|one| one.state).collect()
}

/// Looks until it is so.
async fn until(scoped: &Scoped<'_>, is_so: impl Fn(&[DelegationView]) -> bool) -> Vec<DelegationView> {
    let last = RefCell::new(Vec::new());
    let look = async {
        loop {
            let found = all(scoped).await;
            if is_so(&found) {
                return found;
            }
            last.replace(found);
            a_moment().await;
        }
    };
    let found = tokio::time::timeout(PATIENCE, look).await;
    found.unwrap_or_else(|_| panic!("it does not come to be so: {:?}", states(&last.borrow())))
}

fn results(entries: &[Entry]) -> Vec<(bool, String)> {
    let finished = entries.iter().filter_map(|entry| match &entry.body {
        EntryBody::ToolFinished { result, .. } => Some((result.is_error, result.content.clone())),
        _ => None,
    });
    finished.collect()
}

async fn log(scoped: &Scoped<'_>, agent: &AgentId) -> Vec<Entry> {
    scoped.conversations().entries(agent, 0).await.unwrap()
}

#[tokio::test]
async fn sub_agents_work_in_conversations_of_their_own_and_their_words_come_back() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let leader = leader(&scoped, &view).await;
        let mut tab = open(&world, &viewer, "laptop");
        let text = says(json!([
            [spawn("Moss", &says(json!([[{ "text": "Moss is green." }]]))), spawn("Fern", "Say fern.")],
            [wait()],
            answer(),
        ]));
        let said = ask(&scoped, &leader.id, &leader.conversation, &text).await;
        assert!(said.contains("Moss is green.") && said.contains("You said: Say fern."), "{said}");
        assert!(!said.contains("by"), "nobody had read strangers: {said}");
        let all = all(&scoped).await;
        assert_eq!(states(&all), [DelegationState::Completed; 2]);
        assert_eq!(all[0].name, "Ada › Moss");
        assert!(all.iter().all(|one| one.kind == DelegationKind::SubAgent && one.cost > Micros(0)));
        let listed = scoped.agents().list().await.unwrap();
        assert_eq!(listed.len(), 1, "a sub-agent is none of those that a person has");
        // Its conversation can be opened, and goes on.
        let (moss, conversation) = (&all[0].agent, &all[0].conversation);
        let page = scoped.pages().of_conversation(Some(conversation)).latest(moss).await.unwrap();
        let is_asked = |entry: &Entry| {
            matches!(&entry.body, EntryBody::Message { from: Sender::Agent { name, .. }, .. } if name == "Ada")
        };
        assert!(page.entries.iter().any(is_asked));
        assert_eq!(ask(&scoped, moss, conversation, "And lichen?").await, "You said: And lichen?");
        let spec: Vec<String> = scoped.agents().get(moss).await.unwrap().tools;
        assert!(!spec.iter().any(|tool| tool == "agent_ask"), "it asks none of its person's agents: {spec:?}");
        // A page that follows none of them hears that they went on.
        scoped.topics().subscribe(&leader.id, "moss", "").await.unwrap();
        let told = trace::nouns_until(&mut tab, Noun::Topics).await;
        assert_eq!(told, BTreeSet::from([Noun::Agents, Noun::Delegations, Noun::Topics]));
    })
    .await;
}

#[tokio::test]
async fn a_file_of_a_sub_agent_is_its_maker_s() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let leader = leader(&scoped, &view).await;
        let write = json!({ "tool": "write", "input": { "path": "/agent/moss.md", "content": "Green." } });
        let text = says(json!([
            [spawn("Moss", &says(json!([[write], [{ "text": "It is in /agent/moss.md." }]])))],
            [wait()],
            [{ "tool": "read", "input": { "path": "/agent/moss.md" } }],
            answer(),
        ]));
        let said = ask(&scoped, &leader.id, &leader.conversation, &text).await;
        assert!(said.contains("Green."), "{said}");
        assert!(said.contains(r#""files":["/agent/moss.md"]"#), "what it changed is named: {said}");
    })
    .await;
}

#[tokio::test]
async fn four_work_at_once_and_the_others_when_one_is_done_and_who_is_stopped_stops_them_all() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let leader = leader(&scoped, &view).await;
        let gated = |number: usize| {
            spawn("Moss", &says(json!([[{ "text": format!("{number} words gate b"), "gate": "gate" }]])))
        };
        let spawns: Vec<Value> = (0..6).map(gated).collect();
        let text = turns_of(spawns, vec![json!([wait()]), answer()]);
        scoped.runs().send_message(&leader.id, &text, None, None).await.unwrap();
        let count = |all: &[DelegationView], state| all.iter().filter(|one| one.state == state).count();
        let four = |all: &[DelegationView]| {
            count(all, DelegationState::Running) == 4 && count(all, DelegationState::Queued) == 2
        };
        until(&scoped, four).await;
        endpoint.open_one_gate().await;
        let five = |all: &[DelegationView]| {
            count(all, DelegationState::Completed) == 1 && count(all, DelegationState::Running) == 4
        };
        until(&scoped, five).await;
        scoped.runs().stop(&leader.id).await.unwrap();
        let over = until(&scoped, |all| all.iter().all(|one| one.state.is_over())).await;
        assert_eq!(count(&over, DelegationState::Stopped), 5, "{over:?}");
        let said = log(&scoped, &leader.id).await;
        let is_told =
            |entry: &&Entry| matches!(entry.body, EntryBody::Message { from: Sender::Agent { .. }, .. });
        assert_eq!(said.iter().filter(is_told).count(), 0, "who was stopped is not woken");
    })
    .await;
}

#[tokio::test]
async fn who_ends_before_its_sub_agent_is_told_when_that_is_done_and_not_for_ever() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let leader = leader(&scoped, &view).await;
        let mut tab = open(&world, &viewer, "laptop");
        tab.follow(&leader.id, 0).await.unwrap();
        let spawns: Vec<Value> = (0..10).map(|number| spawn("Moss", &format!("Say {number}."))).collect();
        let text = turns_of(spawns, vec![json!([{ "text": "They are at work." }])]);
        scoped.runs().send_message(&leader.id, &text, None, None).await.unwrap();
        until_finished(&mut tab).await;
        until(&scoped, |all| all.len() == 10 && all.iter().all(|one| one.state.is_over())).await;
        let told = async || {
            let said = log(&scoped, &leader.id).await;
            let is_told =
                |entry: &&Entry| matches!(entry.body, EntryBody::Message { from: Sender::Agent { .. }, .. });
            said.iter().filter(is_told).count()
        };
        let look = async {
            while told().await < 8 {
                a_moment().await;
            }
        };
        tokio::time::timeout(PATIENCE, look).await.expect("it is told eight times");
        // What answers the last of them sees all that came before.
        until_finished(&mut tab).await;
        assert_eq!(told().await, 8);
    })
    .await;
}

/// A second agent of the same person.
async fn beside(scoped: &Scoped<'_>, view: &AgentView, name: &str) -> AgentView {
    let draft = Definition::like(view).tools(TOOLS).draft();
    scoped.agents().create(protocol::view::AgentDraft { name: name.to_owned(), ..draft }).await.unwrap()
}

fn asks(agents: &[&str], text: &str) -> Value {
    json!({ "tool": "agent_ask", "input": { "agents": agents, "text": text, "wait_seconds": 20 } })
}

#[tokio::test]
async fn agents_ask_one_another_by_name_and_remember_it() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let leader = leader(&scoped, &view).await;
        let (bo, _cy) = (beside(&scoped, &leader, "Bo").await, beside(&scoped, &leader, "Cy").await);
        let text = says(json!([[asks(&["bo", "Cy"], "Who are you?")], answer()]));
        let said = ask(&scoped, &leader.id, &leader.conversation, &text).await;
        assert_eq!(said.matches("You said: Who are you?").count(), 2, "{said}");
        let again = says(json!([[asks(&["Bo"], "And now?")], answer()]));
        ask(&scoped, &leader.id, &leader.conversation, &again).await;
        let all = all(&scoped).await;
        let of_bo: Vec<&DelegationView> = all.iter().filter(|one| one.agent == bo.id).collect();
        assert_eq!(of_bo[0].conversation, of_bo[1].conversation, "they talk on");
        assert_ne!(of_bo[0].conversation, bo.conversation, "its person's conversation is theirs");
        let listed = says(json!([[{ "tool": "agent_list", "input": {} }], answer()]));
        let said = ask(&scoped, &leader.id, &leader.conversation, &listed).await;
        assert!(said.contains("\"name\":\"Bo\"") && said.contains("\"name\":\"Cy\""), "{said}");
    })
    .await;
}

#[tokio::test]
async fn what_waits_for_an_agent_that_is_at_work_keeps_no_other_agent_waiting() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let leader = leader(&scoped, &view).await;
        let (bo, _cy) = (beside(&scoped, &leader, "Bo").await, beside(&scoped, &leader, "Cy").await);
        scoped.runs().send_message(&bo.id, GATED, None, None).await.unwrap();
        let later = json!({ "tool": "agent_ask", "input": { "agents": ["Bo"], "text": "Later." } });
        let text = says(json!([[later], [{ "text": "It is asked." }]]));
        ask(&scoped, &leader.id, &leader.conversation, &text).await;
        assert_eq!(states(&all(&scoped).await), [DelegationState::Queued]);
        // More than are looked at, each asked for in a request of its own, and before what comes now.
        world
            .execute(
                "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
                 INSERT INTO delegations (id, user_id, kind, asker_id, asker_run, asker_conversation, agent_id,
                     conversation_id, chain, depth, task, untrusted, private, state, created_at, until)
                 SELECT 'one-' || CAST(n.i AS TEXT), d.user_id, d.kind, d.asker_id, d.asker_run,
                     d.asker_conversation, d.agent_id, d.conversation_id, 'chain-' || CAST(n.i AS TEXT), d.depth,
                     d.task, 0, 0, d.state, d.created_at - 1, d.until
                 FROM n CROSS JOIN delegations d",
            )
            .await;
        let text = says(json!([[asks(&["Cy"], "Who are you?")], answer()]));
        let said = ask(&scoped, &leader.id, &leader.conversation, &text).await;
        assert!(said.contains("You said: Who are you?"), "{said}");
        world.execute("DELETE FROM delegations WHERE state = 'queued'").await;
        endpoint.open_gate().await;
    })
    .await;
}

#[tokio::test]
async fn who_waits_for_an_agent_is_not_asked_by_it_and_nobody_of_another_person_s_is() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let leader = leader(&scoped, &view).await;
        let bo = beside(&scoped, &leader, "Bo").await;
        let theirs = world.person("eve").await;
        let (back, other) = (asks(&[&leader.id.0], "Thank you."), asks(&["Nobody"], "Hello."));
        let inner = says(json!([[back], [other], [{ "text": "I cannot." }]]));
        let text = says(json!([[asks(&["Bo"], &inner)], answer()]));
        let said = ask(&scoped, &leader.id, &leader.conversation, &text).await;
        assert!(said.contains("I cannot."), "{said}");
        let of_bo = results(&log(&scoped, &bo.id).await);
        let why: Vec<&str> = of_bo.iter().map(|(_, content)| content.as_str()).collect();
        assert!(of_bo.iter().all(|(is_error, _)| *is_error), "{of_bo:?}");
        assert!(why[0].contains("waits for what you are asked here"), "{why:?}");
        assert!(why[1].contains("There is no other agent Nobody"), "{why:?}");
        let asked = all(&scoped).await;
        let eve = world.hub.for_viewer(&theirs);
        assert!(eve.delegations().list(None).await.unwrap().is_empty());
        let refused = eve.delegations().stop(&asked[0].id).await.unwrap_err().into_failure();
        assert_eq!(refused.kind, FailureKind::NotFound);
    })
    .await;
}

#[tokio::test]
async fn sub_agents_spend_what_their_maker_may_and_no_more() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let leader = leader(&scoped, &view).await;
        let text = |count: usize| {
            let spawns: Vec<Value> =
                (0..count).map(|number| spawn("Moss", &format!("Say {number}."))).collect();
            says(json!([spawns, [wait()], answer()]))
        };
        ask(&scoped, &leader.id, &leader.conversation, &text(2)).await;
        let spent = scoped.ledger().agent_budget(&leader.id).await.unwrap().spent.ever;
        let of_children: i64 = all(&scoped).await.iter().map(|one| one.cost.0).sum();
        assert!(of_children > 0 && spent.0 > of_children, "{spent:?} {of_children}");
        let caps = Caps { ever: Some(Micros(spent.0 + 1)), ..Caps::default() };
        scoped.ledger().limit_agent(&leader.id, &caps).await.unwrap();
        let refused = scoped.runs().ask(&leader.id, &text(1), None, PATIENCE).await.unwrap();
        assert!(refused.error.unwrap().contains("may spend"));
        let (moss, conversation) = {
            let all = all(&scoped).await;
            (all[0].agent.clone(), all[0].conversation.clone())
        };
        let runs = scoped.runs().of_conversation(Some(&conversation));
        let refused = runs.ask(&moss, "Go on.", None, PATIENCE).await.unwrap();
        assert!(refused.error.unwrap().contains("may spend"), "its money is its maker's");
    })
    .await;
}

async fn reopened(world: &World) -> Hub {
    world.hub.close().await;
    world.reopened().await
}

#[tokio::test]
async fn when_the_hub_is_back_sub_agents_and_who_waits_for_them_go_on() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let leader = leader(&world.hub.for_viewer(&viewer), &view).await;
        let gated = says(json!([[{ "text": "Moss gate is green.", "gate": "gate" }]]));
        let text = says(json!([[spawn("Moss", &gated)], [wait()], answer()]));
        let scoped = world.hub.for_viewer(&viewer);
        let mut tab = tab_of(&world.hub, &viewer);
        tab.follow(&leader.id, 0).await.unwrap();
        scoped.runs().send_message(&leader.id, &text, None, None).await.unwrap();
        trace::until(
            &mut tab,
            |body| matches!(body, EntryBody::ToolStarted { call, .. } if call.name == "agent_wait"),
        )
        .await;
        until(&scoped, |all| states(all) == [DelegationState::Running]).await;
        drop(tab);
        let hub = reopened(&world).await;
        let mut tab = tab_of(&hub, &viewer);
        tab.follow(&leader.id, 0).await.unwrap();
        let finished = endpoint.with_open_gates(until_finished(&mut tab)).await;
        let last = results(&finished).pop().unwrap();
        assert!(!last.0 && last.1.contains("is green."), "{last:?}");
        let all = all(&hub.for_viewer(&viewer)).await;
        assert_eq!(states(&all), [DelegationState::Completed]);
    })
    .await;
}

fn tab_of(hub: &Hub, viewer: &Viewer) -> hub::Tab {
    hub.open_tab(viewer.clone(), "laptop".into()).unwrap()
}
