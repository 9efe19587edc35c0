//! The console: a word to several at once, what they answer, what goes between them, and the end of it.

use crate::runs::agent;
use crate::talk::{calls, until};
use crate::world::{Definition, Endpoint, World, each_store, on_sqlite};
use hub::{Console, Scoped};
use protocol::agent::{Home, ProviderKind};
use protocol::log::EntryBody;
use protocol::view::{AgentDraft, AgentView, ConsoleAnswer, DelegationKind, Status};
use protocol::{AgentId, FailureKind, Micros};
use serde_json::json;

/// Ada, Bo and Cy, who can ask each other.
async fn three(world: &World, endpoint: &Endpoint) -> (hub::Viewer, [AgentView; 3]) {
    let viewer = world.person("ada").await;
    let ada = agent(world, &viewer, endpoint, ProviderKind::Anthropic, Home::Hub).await;
    let scoped = world.hub.for_viewer(&viewer);
    let tools = ["agent_ask", "agent_spawn", "agent_wait", "agent_list"];
    let ada = scoped.agents().edit(&ada.id, Definition::like(&ada).tools(tools).draft()).await.unwrap();
    let named =
        |name: &str| AgentDraft { name: name.to_owned(), ..Definition::like(&ada).tools(tools).draft() };
    let bo = scoped.agents().create(named("Bo")).await.unwrap();
    let cy = scoped.agents().create(named("Cy")).await.unwrap();
    (viewer, [ada, bo, cy])
}

fn ids(agents: &[&AgentView]) -> Vec<AgentId> {
    agents.iter().map(|agent| agent.id.clone()).collect()
}

async fn answers(console: Console<'_>, agents: &[AgentId]) -> Vec<ConsoleAnswer> {
    console.answers(agents).await.unwrap()
}

async fn messages(scoped: &Scoped<'_>, agent: &AgentView) -> usize {
    let log = scoped.conversations().entries(&agent.id, 0).await.unwrap();
    log.iter().filter(|entry| matches!(entry.body, EntryBody::Message { .. })).count()
}

#[tokio::test]
async fn a_word_to_several_reaches_each_once_and_their_answers_stand_side_by_side() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, [ada, bo, cy]) = three(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let console = scoped.console();
        let both = ids(&[&bo, &ada]);
        let nothing = answers(console, &both).await;
        assert!(nothing.iter().all(|one| one.asked.is_empty() && one.answer.is_empty()));

        // Whoever is named twice, and whoever says it again under the same key, says it once.
        let named = [both.clone(), both.clone()].concat();
        for _ in 0..2 {
            let sent = console.say(&named, " Water the ferns. ", Some("one")).await.unwrap();
            assert_eq!(sent.iter().map(|one| one.agent.clone()).collect::<Vec<_>>(), both);
            assert_eq!(sent[1].conversation, ada.conversation);
        }
        until(async || answers(console, &both).await.iter().all(|one| !one.answer.is_empty())).await;
        until(async || answers(console, &both).await.iter().all(|one| one.status == Status::Idle)).await;
        for one in answers(console, &both).await {
            assert_eq!(
                (one.asked.as_str(), one.answer.as_str(), one.cut),
                ("Water the ferns.", "You said: Water the ferns.", false)
            );
        }
        assert_eq!([messages(&scoped, &ada).await, messages(&scoped, &bo).await], [1, 1]);
        assert_eq!(messages(&scoped, &cy).await, 0, "nobody else is told");
    })
    .await;
}

#[tokio::test]
async fn nothing_is_said_to_anybody_where_one_of_them_cannot_be_told_or_there_is_nothing_to_say() {
    on_sqlite(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, [ada, bo, _]) = three(&world, &endpoint).await;
        let (scoped, other) = (world.hub.for_viewer(&viewer), world.person("bo").await);
        let others = world.hub.for_viewer(&other);
        let unknown = [ids(&[&ada, &bo]), vec![AgentId::from("none")]].concat();
        for (who, agents, text, kind) in [
            (&scoped, ids(&[]), "Water.", FailureKind::Invalid),
            (&scoped, ids(&[&ada, &bo]), " ", FailureKind::Invalid),
            (&scoped, unknown, "Water.", FailureKind::NotFound),
            (&others, ids(&[&ada]), "Water.", FailureKind::NotFound),
        ] {
            let refused = who.console().say(&agents, text, None).await.unwrap_err().into_failure();
            assert_eq!(refused.kind, kind, "{refused}");
        }
        assert_eq!([messages(&scoped, &ada).await, messages(&scoped, &bo).await], [0, 0]);
        for refused in [
            others.console().answers(&ids(&[&ada])).await.map(drop).unwrap_err(),
            others.console().stop(&ids(&[&ada])).await.map(drop).unwrap_err(),
        ] {
            assert_eq!(refused.into_failure().kind, FailureKind::NotFound);
        }
    })
    .await;
}

#[tokio::test]
async fn those_that_are_chosen_are_stopped_and_of_none_all() {
    on_sqlite(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, [ada, bo, cy]) = three(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let (console, all) = (scoped.console(), ids(&[&ada, &bo, &cy]));
        console.say(&all, "script: hang", None).await.unwrap();
        until(async || answers(console, &all).await.iter().all(|one| one.status == Status::Running)).await;
        assert_eq!(console.stop(&ids(&[&bo])).await.unwrap(), 1);
        until(async || answers(console, &ids(&[&bo])).await[0].status != Status::Running).await;
        assert_eq!(console.stop(&ids(&[&bo])).await.unwrap(), 0, "it is not at work");
        assert_eq!(console.stop(&[]).await.unwrap(), 2);
        until(async || answers(console, &all).await.iter().all(|one| one.status != Status::Running)).await;
    })
    .await;
}

#[tokio::test]
async fn what_goes_between_agents_is_summed_up_for_their_person_alone_and_for_a_day() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, [ada, bo, _]) = three(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let (spawn, asks) = (
            json!({ "label": "Moss", "task": "Grow." }),
            json!({ "agents": ["Bo"], "text": "Water.", "wait_seconds": 20 }),
        );
        for (tool, input) in [("agent_ask", &asks), ("agent_spawn", &spawn), ("agent_ask", &asks)] {
            calls(&scoped, &ada.id, &ada.conversation, &[(tool, input.clone())]).await;
        }
        let is_quiet = async || {
            let all = scoped.delegations().list(None).await.unwrap();
            all.len() == 3 && all.iter().all(|one| one.state.is_over())
        };
        until(is_quiet).await;
        let flows = scoped.console().show().await.unwrap().flows;
        let told: Vec<_> = flows
            .iter()
            .map(|flow| {
                (
                    flow.kind,
                    flow.from_name.as_str(),
                    flow.to_name.as_str(),
                    flow.count,
                    flow.open,
                    flow.failed,
                )
            })
            .collect();
        assert_eq!(
            told,
            [(DelegationKind::Agent, "Ada", "Bo", 2, 0, 0), (DelegationKind::SubAgent, "Ada", "", 1, 0, 0)]
        );
        assert_eq!((&flows[0].to, &flows[1].to), (&bo.id, &ada.id));
        assert!(flows.iter().all(|flow| flow.cost > Micros(0)), "{flows:?}");
        let other = world.person("bo").await;
        assert!(world.hub.for_viewer(&other).console().show().await.unwrap().flows.is_empty());
        world.clock.advance(std::time::Duration::from_secs(25 * 60 * 60));
        assert!(scoped.console().show().await.unwrap().flows.is_empty());
    })
    .await;
}
