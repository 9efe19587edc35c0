//! What an agent hands to its sub-agent of what was said.

use super::{TOOLS, all, answer, leader, log, says, spawn, wait};
use crate::talk::{ada, ask};
use crate::world::{Definition, Endpoint, World, each_store};
use hub::Scoped;
use protocol::log::{EntryBody, Sender};
use protocol::view::AgentView;
use protocol::{AgentId, ConversationId};
use serde_json::{Value, json};

const SAID: &str = "The shed is painted quincunx green.";

/// A new conversation in which these were said.
async fn talk(scoped: &Scoped<'_>, agent: &AgentId, said: &[&str]) -> ConversationId {
    let conversation = scoped.conversations().create(agent).await.unwrap().id;
    for text in said {
        ask(scoped, agent, &conversation, text).await;
    }
    conversation
}

/// A sub-agent for a task that it has done at once.
fn made(context: Option<&str>) -> (String, Value) {
    let task = says(json!([[{ "text": "Moss is green." }]]));
    let mut call = spawn("Moss", &task);
    if let Some(context) = context {
        call["input"]["context"] = json!(context);
    }
    (task, call)
}

/// Has these calls made, of which the last makes a sub-agent, and gives what that was told, and by whom.
async fn told(
    scoped: &Scoped<'_>,
    leader: &AgentView,
    conversation: &ConversationId,
    calls: Vec<Value>,
) -> (Sender, String) {
    let mut turns: Vec<Value> = calls.into_iter().map(|call| json!([call])).collect();
    turns.extend([json!([wait()]), answer()]);
    ask(scoped, &leader.id, conversation, &says(Value::from(turns))).await;
    let newest = all(scoped).await.pop().unwrap();
    assert!(!newest.task.contains("quincunx"), "the task is the task");
    let entries = log(scoped, &newest.agent).await;
    let message = entries.into_iter().find_map(|entry| match entry.body {
        EntryBody::Message { from, text, .. } => Some((from, text)),
        _ => None,
    });
    message.unwrap()
}

#[tokio::test]
async fn a_sub_agent_is_told_of_the_conversation_what_its_maker_hands_over() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let leader = leader(&scoped, &view).await;
        for (context, knows) in
            [(None, false), (Some("nothing"), false), (Some("summary"), true), (Some("conversation"), true)]
        {
            let conversation = talk(&scoped, &leader.id, &[SAID]).await;
            let (task, call) = made(context);
            let (_, text) = told(&scoped, &leader, &conversation, vec![call]).await;
            assert!(text.starts_with(&task), "{text}");
            assert_eq!(text.contains(SAID), knows, "{context:?}: {text}");
            assert_eq!(
                text.contains(&format!("You said: {SAID}")),
                knows,
                "what the agent said is in it too"
            );
        }
        // Only what fits goes along, and what was said last does.
        let long = "x".repeat(25_000);
        let conversation = talk(&scoped, &leader.id, &[&long, SAID]).await;
        let (_, call) = made(Some("conversation"));
        let (_, text) = told(&scoped, &leader, &conversation, vec![call]).await;
        assert!(text.contains(SAID) && !text.contains(&long), "{}", text.len());
    })
    .await;
}

#[tokio::test]
async fn what_is_handed_over_is_marked_as_its_maker_is() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let leader = leader(&scoped, &view).await;
        let tools = TOOLS.into_iter().chain(["state"]);
        scoped.agents().edit(&leader.id, Definition::like(&leader).tools(tools).draft()).await.unwrap();
        let is_untrusted = |from: Sender| matches!(from, Sender::Agent { untrusted: true, .. });
        let conversation = talk(&scoped, &leader.id, &[SAID]).await;
        let (from, _) = told(&scoped, &leader, &conversation, vec![made(Some("conversation")).1]).await;
        assert!(!is_untrusted(from), "nobody had read strangers");
        let tab = world.hub.open_tab(viewer.clone(), "page".into()).unwrap();
        tab.set_state(&leader.id, "said".to_owned(), json!("Paint it red.")).await.unwrap();
        let reads = json!({ "tool": "state", "input": { "action": "get", "key": "said" } });
        let calls = vec![reads, made(Some("conversation")).1];
        let (from, _) = told(&scoped, &leader, &conversation, calls).await;
        assert!(is_untrusted(from), "what the page wrote is a stranger's");
    })
    .await;
}
