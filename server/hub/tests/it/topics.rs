//! Topics: who hears what, what agents that publish at each other come to, and what is kept.

use crate::runs::agent;
use crate::talk::{calls, until};
use crate::world::{Definition, Endpoint, World, each_store, on_postgres};
use hub::{Scoped, Viewer};
use protocol::agent::{Home, ProviderKind};
use protocol::log::{EntryBody, Sender};
use protocol::view::{AgentView, DelegationKind, DelegationState, TopicView};
use serde_json::{Value, json};

const TOOLS: [&str; 5] =
    ["subscribe_topic", "unsubscribe_topic", "publish_topic", "list_topics", "agent_list"];

/// Two agents of one person that have the tools for it.
async fn two(world: &World, endpoint: &Endpoint) -> (Viewer, AgentView, AgentView) {
    let viewer = world.person("ada").await;
    let ada = agent(world, &viewer, endpoint, ProviderKind::Anthropic, Home::Hub).await;
    let scoped = world.hub.for_viewer(&viewer);
    let ada = scoped.agents().edit(&ada.id, Definition::like(&ada).tools(TOOLS).draft()).await.unwrap();
    let bo = Definition::like(&ada).tools(TOOLS).draft();
    let bo =
        scoped.agents().create(protocol::view::AgentDraft { name: "Bo".to_owned(), ..bo }).await.unwrap();
    (viewer, ada, bo)
}

async fn called(scoped: &Scoped<'_>, agent: &AgentView, tool: &str, input: Value) -> (bool, String) {
    calls(scoped, &agent.id, &agent.conversation, &[(tool, input)]).await.remove(0)
}

/// What the agent was told by others.
async fn heard(scoped: &Scoped<'_>, agent: &AgentView) -> Vec<String> {
    let log = scoped.conversations().entries(&agent.id, 0).await.unwrap();
    let said = log.into_iter().filter_map(|entry| match entry.body {
        EntryBody::Message { from: Sender::Agent { .. }, text, .. } => Some(text),
        _ => None,
    });
    said.collect()
}

async fn is_quiet(scoped: &Scoped<'_>) -> bool {
    scoped.delegations().list(None).await.unwrap().iter().all(|one| one.state.is_over())
}

fn topic<'a>(topics: &'a [TopicView], name: &str) -> &'a TopicView {
    topics.iter().find(|topic| topic.name == name).unwrap()
}

#[tokio::test]
async fn whoever_subscribed_is_told_what_its_condition_lets_through_and_nothing_after_its_end() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, ada, bo) = two(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let warm = json!({ "topic": "garden/heat", "when": ".degrees > 30" });
        let (_, said) = called(&scoped, &bo, "subscribe_topic", warm).await;
        assert!(said.contains("\"subscribed\":true"), "{said}");
        for (text, told) in [(r#"{"degrees":31}"#, json!(["Bo"])), (r#"{"degrees":20}"#, json!([]))] {
            let (_, said) =
                called(&scoped, &ada, "publish_topic", json!({ "topic": "garden/heat", "text": text })).await;
            let said: Value = serde_json::from_str(&said).unwrap();
            assert_eq!(said["told"], told, "{text}");
        }
        until(async || is_quiet(&scoped).await).await;
        assert_eq!(heard(&scoped, &bo).await, ["[published under the topic garden/heat]\n{\"degrees\":31}"]);
        assert!(heard(&scoped, &ada).await.is_empty(), "nobody answers whoever published");
        let rows = scoped.delegations().list(None).await.unwrap();
        assert_eq!(
            (rows.len(), rows[0].kind, rows[0].state),
            (1, DelegationKind::Topic, DelegationState::Completed)
        );

        let (_, listed) = called(&scoped, &ada, "list_topics", json!({ "topic": "garden/heat" })).await;
        let listed: Value = serde_json::from_str(&listed).unwrap();
        assert_eq!((&listed["hears"], &listed["lately"][1]["from"]), (&json!(["Bo"]), &json!("Ada")));
        called(&scoped, &bo, "unsubscribe_topic", json!({ "topic": "garden/heat" })).await;
        let again = json!({ "topic": "garden/heat", "text": r#"{"degrees":40}"# });
        let (_, said) = called(&scoped, &ada, "publish_topic", again).await;
        assert!(said.contains("\"told\":[]"), "{said}");
    })
    .await;
}

#[tokio::test]
async fn two_agents_that_publish_at_each_other_for_ever_come_to_an_end() {
    on_postgres(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, ada, bo) = two(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        for agent in [&ada, &bo] {
            scoped.topics().subscribe(&agent.id, "thanks", "").await.unwrap();
        }
        // Whoever hears it has its model publish it once more, with itself in it.
        let mut text = "Thanks.".to_owned();
        for _ in 0..8 {
            let input = json!({ "topic": "thanks", "text": text });
            text = format!(
                "turns: {}",
                json!([[{ "tool": "publish_topic", "input": input }], [{ "text": "Done." }]])
            );
        }
        let (is_error, said) =
            called(&scoped, &ada, "publish_topic", json!({ "topic": "thanks", "text": text })).await;
        assert!(!is_error, "{said}");
        until(async || is_quiet(&scoped).await).await;
        let rows = scoped.delegations().list(None).await.unwrap();
        assert_eq!(rows.len(), 4, "four deep, and no further");
        let mut refused = 0;
        for agent in [&ada, &bo] {
            let log = scoped.conversations().entries(&agent.id, 0).await.unwrap();
            refused += log
                .iter()
                .filter(|entry| match &entry.body {
                    EntryBody::ToolFinished { result, .. } => result.content.contains("at most 4 deep"),
                    _ => false,
                })
                .count();
        }
        assert_eq!(refused, 1, "whoever was last is told why");
    })
    .await;
}

#[tokio::test]
async fn a_person_publishes_to_whoever_hears_it_and_what_was_said_lately_ends_at_a_bound() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, ada, _) = two(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let topics = scoped.topics();
        for (name, text, words) in [
            ("moss", "Hello", "No agent of yours hears moss"),
            ("Moss!", "Hello", "small letters"),
            ("moss", " ", "8 KB at most"),
        ] {
            let refused = topics.publish(name, text).await.unwrap_err().into_failure().message;
            assert!(refused.contains(words), "{refused}");
        }
        assert!(topics.subscribe(&ada.id, "moss", "whatever").await.is_err(), "no condition, no subscription");
        topics.subscribe(&ada.id, "moss", r#"== "Rain""#).await.unwrap();
        assert_eq!(topics.publish("moss", "Rain").await.unwrap(), 1);
        let log = async || scoped.conversations().entries(&ada.id, 0).await.unwrap();
        until(async || log().await.iter().any(|entry| matches!(entry.body, EntryBody::RunFinished { .. }))).await;
        let is_persons = |body: &EntryBody| {
            matches!(body, EntryBody::Message { from: Sender::Person, text, .. } if text.ends_with("\nRain"))
        };
        assert!(log().await.iter().any(|entry| is_persons(&entry.body)));

        for number in 0..3 {
            world
                .execute(&format!(
                    "INSERT INTO topic_messages (id, user_id, topic, agent_id, name, text, untrusted, heard, at)
                     SELECT '{number}-' || a.id || '-' || b.seq || '-' || c.seq, a.user_id, 'moss', '', 'x', 'x', 0, 0, {number}
                     FROM agents a, entries b, entries c"
                ))
                .await;
        }
        // What it says came true before, so that the condition would keep it back.
        assert!(topics.publish("moss", "Rain").await.is_err());
        topics.subscribe(&ada.id, "moss", "").await.unwrap();
        topics.publish("moss", "Rain").await.unwrap();
        let all = topics.list().await.unwrap();
        let moss = topic(&all, "moss");
        assert_eq!((moss.messages.len(), moss.messages[0].text.as_str(), moss.subscribers.len()), (50, "Rain", 1));

        let eve = world.person("eve").await;
        let others = world.hub.for_viewer(&eve).topics();
        assert!(others.list().await.unwrap().is_empty());
        assert!(others.subscribe(&ada.id, "moss", "").await.is_err());
        assert!(others.unsubscribe(&ada.id, "moss").await.is_err());
    })
    .await;
}
