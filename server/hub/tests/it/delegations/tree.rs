//! Sub-agents that make others: one tree, whose limits are those of the agent at the top, whose results come up, and in
//! which Stop goes down.

use super::{TOOLS, all, answer, leader, log, reopened, results, says, spawn, states, tab_of, until, wait};
use crate::runs::trace::until_finished;
use crate::talk::{self, ada, ask, calls};
use crate::world::{Definition, Endpoint, World, each_store};
use hub::Scoped;
use protocol::log::{Entry, EntryBody, Sender};
use protocol::view::{AgentDraft, AgentView, DelegationState, DelegationView, LoopSettings};
use protocol::{AgentId, Caps, Micros, PipelineId};
use serde_json::{Value, json};
use sqlx::Row;
use std::collections::BTreeSet;
use std::time::Duration;

/// What makes a sub-agent for this, waits for it, and says what came of it.
fn has_done(label: &str, task: &str) -> String {
    says(json!([[spawn(label, task)], [wait()], answer()]))
}

fn gated() -> String {
    says(json!([[{ "text": "Moss gate is green.", "gate": "gate" }]]))
}

fn named<'a>(all: &'a [DelegationView], name: &str) -> &'a DelegationView {
    all.iter().find(|one| one.name == name).unwrap_or_else(|| panic!("there is no {name}: {all:?}"))
}

/// How many of those below this one are in this state.
fn count(all: &[DelegationView], below: &str, state: DelegationState) -> usize {
    all.iter().filter(|one| one.asker_name == below && one.state == state).count()
}

async fn tools(scoped: &Scoped<'_>, agent: &AgentId) -> BTreeSet<String> {
    scoped.agents().get(agent).await.unwrap().tools.into_iter().collect()
}

/// Who of its sub-agents told it something.
fn told_by(entries: &[Entry]) -> Vec<&str> {
    let told = entries.iter().filter_map(|entry| match &entry.body {
        EntryBody::Message { from: Sender::Agent { name, .. }, .. } => Some(name.as_str()),
        _ => None,
    });
    told.collect()
}

/// What the logs of these agents say that was spent.
async fn logged(scoped: &Scoped<'_>, agents: &BTreeSet<AgentId>) -> i64 {
    let mut spent = 0;
    for agent in agents {
        let entries = log(scoped, agent).await;
        let bodies = entries.iter().map(|entry| serde_json::to_value(&entry.body).unwrap());
        spent += bodies.filter_map(|body| body["cost"].as_i64()).sum::<i64>();
    }
    spent
}

async fn spent(scoped: &Scoped<'_>, agent: &AgentView) -> i64 {
    scoped.ledger().agent_budget(&agent.id).await.unwrap().spent.ever.0
}

#[tokio::test]
async fn three_levels_work_as_one_tree_and_the_last_has_no_tool_for_another() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let leader = leader(&scoped, &view).await;
        let write = json!({ "tool": "write", "input": { "path": "/agent/moss.md", "content": "Green." } });
        let last = says(json!([[write], [spawn("Algae", "Make another one.")], answer()]));
        let text = has_done("Moss", &has_done("Fern", &has_done("Lichen", &last)));
        let said = ask(&scoped, &leader.id, &leader.conversation, &text).await;
        assert!(said.contains("There is no tool agent_spawn here."), "it comes up: {said}");
        let all = all(&scoped).await;
        assert_eq!(states(&all), [DelegationState::Completed; 3]);
        let (moss, fern) = (named(&all, "Ada › Moss"), named(&all, "Ada › Moss › Fern"));
        let lichen = named(&all, "Ada › Moss › Fern › Lichen");
        assert_eq!([moss.depth, fern.depth, lichen.depth], [1, 2, 3]);
        assert_eq!([&moss.asker, &fern.asker, &lichen.asker], [&leader.id, &moss.agent, &fern.agent]);
        assert!(all.iter().all(|one| one.chain == moss.chain), "{all:?}");
        for (agent, below) in [(&leader.id, 3), (&fern.agent, 2), (&lichen.agent, 1)] {
            let listed = scoped.delegations().list(Some(agent)).await.unwrap();
            assert_eq!(listed.len(), below, "the agent at the top has the whole tree: {listed:?}");
        }
        let (is_error, heard) = results(&log(&scoped, &fern.agent).await).pop().unwrap();
        assert!(
            !is_error && heard.contains(r#""files":["/agent/moss.md"]"#),
            "files are the root's: {heard}"
        );
        assert_eq!(scoped.files().read(&leader.id, "moss.md").await.unwrap(), b"Green.");

        let own: BTreeSet<String> = TOOLS.into_iter().map(str::to_owned).collect();
        for (agent, above) in [(&moss.agent, &own), (&fern.agent, &tools(&scoped, &moss.agent).await)] {
            let tools = tools(&scoped, agent).await;
            assert!(tools.is_subset(above) && tools.contains("agent_spawn"), "{tools:?}");
            assert!(!tools.contains("agent_ask"), "{tools:?}");
        }
        let last = tools(&scoped, &lichen.agent).await;
        assert_eq!(last, BTreeSet::from(["read".to_owned(), "write".to_owned()]));
        // Who gives it the tools gives it no more levels, and nobody to ask.
        let draft = Definition::like(&leader).tools(["agent_spawn", "agent_ask"]).draft();
        scoped.agents().edit(&lichen.agent, draft).await.unwrap();
        let beside = Definition::like(&leader).draft();
        scoped.agents().create(AgentDraft { name: "Heath".to_owned(), ..beside }).await.unwrap();
        let made = [
            ("agent_spawn", json!({ "label": "Algae", "task": "Say so." })),
            ("agent_ask", json!({ "agents": ["Heath"], "text": "Hello." })),
        ];
        let came = calls(&scoped, &lichen.agent, &lichen.conversation, &made).await;
        assert!(came[0].0 && came[0].1.contains("this far down makes no others"), "{came:?}");
        assert!(came[1].0 && came[1].1.contains("A sub-agent asks no other agents."), "{came:?}");

        scoped.agents().delete(&leader.id).await.unwrap();
        for agent in [&moss.agent, &fern.agent, &lichen.agent] {
            assert!(scoped.agents().get(agent).await.is_err(), "the tree goes with its root");
        }
    })
    .await;
}

#[tokio::test]
async fn what_a_sub_agent_has_is_out_of_what_its_maker_has_at_each_level() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let leader = leader(&scoped, &view).await;
        let with = |label: &str, task: &str, tools: Value| {
            let input = json!({ "label": label, "task": task, "tools": tools, "wait_seconds": 60 });
            json!([{ "tool": "agent_spawn", "input": input }])
        };
        let by_moss = says(json!([
            with("Fern", "Say fern.", json!(["write"])),
            with("Fern", "Say fern.", json!(["read"])),
            with("Reed", "Say reed.", json!(["agent_spawn"])),
            answer(),
        ]));
        let text = says(json!([with("Moss", &by_moss, json!(["read", "agent_spawn"])), answer()]));
        let said = ask(&scoped, &leader.id, &leader.conversation, &text).await;
        assert!(said.contains("A sub-agent cannot have write."), "{said}");
        let all = all(&scoped).await;
        assert_eq!(states(&all), [DelegationState::Completed; 3]);
        for (name, expected) in [
            ("Ada › Moss", &["agent_spawn", "read"][..]),
            ("Ada › Moss › Fern", &["read"][..]),
            ("Ada › Moss › Reed", &["agent_spawn"][..]),
        ] {
            let has = tools(&scoped, &named(&all, name).agent).await;
            assert_eq!(has.iter().collect::<Vec<_>>(), expected, "{name}");
        }
        // What is deleted in the middle takes along what is below it, and nothing else.
        scoped.agents().delete(&named(&all, "Ada › Moss").agent).await.unwrap();
        assert!(scoped.agents().get(&named(&all, "Ada › Moss › Fern").agent).await.is_err());
        scoped.agents().get(&leader.id).await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn four_of_a_whole_tree_work_at_once_and_a_stop_in_its_middle_ends_what_is_below_and_nothing_beside() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let leader = leader(&scoped, &view).await;
        let three = says(json!([
            [spawn("One", &gated()), spawn("Two", &gated()), spawn("Three", &gated())],
            [wait()],
            answer(),
        ]));
        let text = says(json!([[spawn("Moss", &three), spawn("Fern", &three)], [wait()], answer()]));
        let mut tab = tab_of(&world.hub, &viewer);
        tab.follow(&leader.id, 0).await.unwrap();
        scoped.runs().send_message(&leader.id, &text, None, None).await.unwrap();
        let of_both =
            |all: &[DelegationView], state| count(all, "Ada › Moss", state) + count(all, "Ada › Fern", state);
        let is_full = |all: &[DelegationView]| {
            all.len() == 8
                && count(all, "Ada", DelegationState::Running) == 2
                && of_both(all, DelegationState::Running) == 4
                && of_both(all, DelegationState::Queued) == 2
        };
        let begun = until(&scoped, is_full).await;
        let moss = named(&begun, "Ada › Moss");
        scoped.delegations().stop(&moss.id).await.unwrap();
        let is_stopped = |all: &[DelegationView]| {
            count(all, "Ada › Moss", DelegationState::Stopped) == 3
                && count(all, "Ada › Fern", DelegationState::Running) == 3
        };
        let stopped = until(&scoped, is_stopped).await;
        assert_eq!(named(&stopped, "Ada › Moss").state, DelegationState::Stopped);
        assert_eq!(named(&stopped, "Ada › Fern").state, DelegationState::Running);
        let entries = endpoint.with_open_gates(until_finished(&mut tab)).await;
        let (is_error, heard) = results(&entries).pop().unwrap();
        assert!(!is_error && heard.contains("is green."), "{heard}");
        let over = all(&scoped).await;
        assert_eq!(named(&over, "Ada › Fern").state, DelegationState::Completed);
        assert_eq!(count(&over, "Ada › Fern", DelegationState::Completed), 3);
        assert_eq!(told_by(&log(&scoped, &moss.agent).await), ["Ada"], "who was stopped is not woken");
    })
    .await;
}

#[tokio::test]
async fn more_that_lead_than_may_work_at_once_do_not_wait_for_each_other() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let leader = leader(&scoped, &view).await;
        let task = |at: usize| has_done("Below", &format!("Say {at}."));
        let spawns: Vec<Value> = (0..5).map(|at| spawn(&format!("Moss {at}"), &task(at))).collect();
        let text = says(json!([spawns, [wait()], answer()]));
        let said = ask(&scoped, &leader.id, &leader.conversation, &text).await;
        for at in 0..5 {
            assert!(said.contains(&format!("You said: Say {at}.")), "{said}");
        }
        assert_eq!(states(&all(&scoped).await), [DelegationState::Completed; 10]);
    })
    .await;
}

#[tokio::test]
async fn what_comes_of_one_that_was_left_at_work_is_told_above_and_a_stop_reaches_it() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let leader = leader(&scoped, &view).await;
        let leaves = says(json!([[spawn("Fern", &gated())], [{ "text": "Fern works." }]]));
        let text = has_done("Moss", &leaves);
        let mut askers = Vec::new();
        for _ in 0..2 {
            let said = ask(&scoped, &leader.id, &leader.conversation, &text).await;
            assert!(said.contains(r#""left_at_work":["Ada › Moss › Fern"]"#), "{said}");
            let is_at_work =
                |all: &[DelegationView]| all.iter().any(|one| one.state == DelegationState::Running);
            let fern = until(&scoped, is_at_work).await.into_iter().find(|one| !one.state.is_over()).unwrap();
            let all = all(&scoped).await;
            let moss = all.iter().find(|one| one.agent == fern.asker).unwrap();
            assert_eq!((fern.name.as_str(), moss.state), ("Ada › Moss › Fern", DelegationState::Completed));
            askers.push(moss.agent.clone());
            if askers.len() == 1 {
                scoped.delegations().stop(&moss.id).await.unwrap();
                let is_stopped =
                    |one: &DelegationView| one.id == fern.id && one.state == DelegationState::Stopped;
                until(&scoped, |all| all.iter().any(is_stopped)).await;
            }
        }
        let are_over = |all: &[DelegationView]| all.iter().all(|one| one.state.is_over());
        endpoint.with_open_gates(until(&scoped, are_over)).await;
        talk::until(async || !told_by(&log(&scoped, &leader.id).await).is_empty()).await;
        assert_eq!(
            told_by(&log(&scoped, &leader.id).await),
            ["Ada › Moss › Fern"],
            "and nothing of the first"
        );
        for moss in askers {
            assert_eq!(told_by(&log(&scoped, &moss).await), ["Ada"], "it has said its last word");
        }
    })
    .await;
}

/// Its one sub-agent is done, and left another one at work.
async fn pipeline_with_one_that_leaves(scoped: &Scoped<'_>) -> PipelineId {
    let leaves = says(json!([[spawn("Fern", &gated())], [{ "text": "Fern works." }]]));
    let tasks = json!([
        { "id": "moss", "title": "Moss", "instruction": leaves },
        { "id": "yours", "title": "Yours", "approval": true },
    ]);
    let draft = json!({ "title": "Moss", "agent": "Ada", "tasks": tasks });
    let id = scoped.pipelines().create(&draft.to_string()).await.unwrap();
    scoped.pipelines().start(&id).await.unwrap();
    let is_left = |all: &[DelegationView]| {
        all.len() == 2
            && count(all, "Ada", DelegationState::Completed) == 1
            && count(all, "Ada › Moss", DelegationState::Running) == 1
    };
    until(scoped, is_left).await;
    id
}

#[tokio::test]
async fn a_sub_agent_whose_task_of_a_pipeline_is_over_is_not_woken_with_what_it_left_at_work() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        leader(&scoped, &view).await;
        pipeline_with_one_that_leaves(&scoped).await;
        let are_over = |all: &[DelegationView]| all.iter().all(|one| one.state.is_over());
        let over = endpoint.with_open_gates(until(&scoped, are_over)).await;
        let store = world.store().await;
        talk::until(async || {
            let untold = "SELECT COUNT(*) FROM delegations WHERE delivered = 0";
            let untold: i64 = sqlx::query(untold).fetch_one(store.read()).await.unwrap().get(0);
            untold == 0
        })
        .await;
        let moss = &named(&over, "Ada › Moss").agent;
        assert_eq!(told_by(&log(&scoped, moss).await), ["Ada"], "nobody would read what it says then");
    })
    .await;
}

#[tokio::test]
async fn a_pipeline_that_is_stopped_stops_what_its_sub_agents_left_at_work() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        leader(&scoped, &view).await;
        let id = pipeline_with_one_that_leaves(&scoped).await;
        let is_stopped = |all: &[DelegationView]| count(all, "Ada › Moss", DelegationState::Stopped) == 1;
        scoped.pipelines().stop(&id).await.unwrap();
        until(&scoped, is_stopped).await;

        scoped.pipelines().start(&id).await.unwrap();
        let is_left_again = |all: &[DelegationView]| {
            all.len() == 4
                && count(all, "Ada", DelegationState::Completed) == 2
                && count(all, "Ada › Moss", DelegationState::Running) == 1
        };
        until(&scoped, is_left_again).await;
        // The process dies between the commit that stops it and what follows.
        let store = world.store().await;
        let mut tx = store.write().await.unwrap();
        for stopped in
            ["UPDATE pipelines SET state = 'stopped'", "UPDATE pipeline_tasks SET state = 'stopped'"]
        {
            sqlx::query(stopped).execute(&mut *tx).await.unwrap();
        }
        tx.commit().await.unwrap();
        let hub = reopened(&world).await;
        let scoped = hub.for_viewer(&viewer);
        let are_stopped = |all: &[DelegationView]| count(all, "Ada › Moss", DelegationState::Stopped) == 2;
        until(&scoped, are_stopped).await;
    })
    .await;
}

#[tokio::test]
async fn the_time_of_a_sub_agent_is_that_of_all_below_it() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let leader = leader(&scoped, &view).await;
        let for_minutes = |label: &str, task: &str, minutes: i64| {
            let mut call = spawn(label, task);
            call["input"]["minutes"] = json!(minutes);
            call
        };
        let leaves = says(json!([[for_minutes("Fern", &gated(), 60)], [{ "text": "Fern works." }]]));
        let text = says(json!([[for_minutes("Moss", &leaves, 5)], [wait()], answer()]));
        ask(&scoped, &leader.id, &leader.conversation, &text).await;
        let expected = [DelegationState::Completed, DelegationState::Running];
        until(&scoped, |all| expected.iter().all(|state| states(all).contains(state))).await;
        world.clock.advance(Duration::from_secs(5 * 60));
        until(&scoped, |all| named(all, "Ada › Moss › Fern").state == DelegationState::TimedOut).await;
    })
    .await;
}

#[tokio::test]
async fn when_the_hub_is_back_every_level_of_a_tree_goes_on() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let leader = leader(&scoped, &view).await;
        let text = has_done("Moss", &has_done("Fern", &has_done("Lichen", &gated())));
        scoped.runs().send_message(&leader.id, &text, None, None).await.unwrap();
        let begun = until(&scoped, |all| states(all) == [DelegationState::Running; 3]).await;
        let waits = |entry: &Entry| matches!(&entry.body, EntryBody::ToolStarted { call, .. } if call.name == "agent_wait");
        for one in &begun {
            talk::until(async || log(&scoped, &one.asker).await.iter().any(waits)).await;
        }
        let hub = reopened(&world).await;
        let mut tab = tab_of(&hub, &viewer);
        tab.follow(&leader.id, 0).await.unwrap();
        let entries = endpoint.with_open_gates(until_finished(&mut tab)).await;
        let (is_error, heard) = results(&entries).pop().unwrap();
        assert!(!is_error && heard.contains("is green."), "{heard}");
        let scoped = hub.for_viewer(&viewer);
        assert_eq!(states(&all(&scoped).await), [DelegationState::Completed; 3], "and nothing was made twice");
    })
    .await;
}

#[tokio::test]
async fn one_limit_that_half_of_a_tree_fits_into_holds_for_all_of_it() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let draft = Definition::like(&view).tools(TOOLS).output(200).draft();
        let leader = scoped.agents().edit(&view.id, draft).await.unwrap();
        let three = says(json!([
            [spawn("One", "Say one."), spawn("Two", "Say two."), spawn("Three", "Say three.")],
            [wait()],
            [{ "text": "Done." }],
        ]));
        let text =
            says(json!([[spawn("Moss", &three), spawn("Fern", &three)], [wait()], [{ "text": "Done." }]]));
        ask(&scoped, &leader.id, &leader.conversation, &text).await;
        let whole = spent(&scoped, &leader).await;
        let made = all(&scoped).await.len();
        assert_eq!(made, 8);

        let limit = whole + whole / 2;
        let caps = Caps { ever: Some(Micros(limit)), ..Caps::default() };
        scoped.ledger().limit_agent(&leader.id, &caps).await.unwrap();
        let conversation = scoped.conversations().create(&leader.id).await.unwrap().id;
        let runs = scoped.runs().of_conversation(Some(&conversation));
        let said = runs.ask(&leader.id, &text, None, talk::PATIENCE).await.unwrap();
        let over = until(&scoped, |all| all.iter().all(|one| one.state.is_over())).await;
        assert!(over.len() > made, "a part of it fits: {over:?}");
        let is_out_of_money = |one: &DelegationView| one.state == DelegationState::OverBudget;
        assert!(said.error.is_some() || over.iter().any(is_out_of_money), "not all of it does: {over:?}");
        let agents: BTreeSet<AgentId> =
            over.iter().map(|one| one.agent.clone()).chain([leader.id.clone()]).collect();
        talk::until(async || spent(&scoped, &leader).await == logged(&scoped, &agents).await).await;
        let spent = spent(&scoped, &leader).await;
        assert!(whole < spent && spent <= limit, "{spent} of {limit}");
    })
    .await;
}

#[tokio::test]
async fn each_below_has_the_rounds_of_its_maker() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let draft = Definition::like(&view).tools(TOOLS).draft();
        let loop_settings = LoopSettings { rounds: 4, ..draft.loop_settings.clone() };
        let draft = AgentDraft { loop_settings, ..draft };
        let leader = scoped.agents().edit(&view.id, draft).await.unwrap();
        let text = has_done("Moss", &has_done("Lichen", "Say fern."));
        let said = ask(&scoped, &leader.id, &leader.conversation, &text).await;
        assert!(said.contains("You said: Say fern."), "{said}");
        let all = all(&scoped).await;
        for name in ["Ada › Moss", "Ada › Moss › Lichen"] {
            let made = scoped.agents().get(&named(&all, name).agent).await.unwrap();
            assert_eq!(made.loop_settings.rounds, 4, "{name}");
        }
    })
    .await;
}
