//! What a sub-agent may do only with its person's yes: who is asked, for how long that waits, and what a yes holds for.

use super::{all, answer, leader, log, reopened, results, says, spawn, wait};
use crate::approvals::add_rule;
use crate::talk::{ada, ask, until};
use crate::world::{Endpoint, World, each_store};
use protocol::approval::{Decision, Verdict};
use protocol::log::EntryBody;
use protocol::view::NotificationKind;
use serde_json::{Value, json};

/// A sub-agent writes a file.
fn writes(label: &str) -> Value {
    let write = json!({ "tool": "write", "input": { "path": "/agent/moss.md", "content": label } });
    spawn(label, &says(json!([[write], [{ "text": format!("{label} has written it.") }]])))
}

#[tokio::test]
async fn what_a_sub_agent_asks_is_shown_with_its_path_outlives_the_hub_and_always_is_said_to_its_maker() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let leader = leader(&scoped, &view).await;
        add_rule(&world.hub, &viewer, "ask", "write", "").await;
        let by_moss = says(json!([[writes("Lichen")], [wait()], answer()]));
        let text = says(json!([[spawn("Moss", &by_moss)], [wait()], answer()]));
        scoped.runs().send_message(&leader.id, &text, None, None).await.unwrap();
        until(async || !scoped.approvals().list().await.unwrap().is_empty()).await;
        let asked = scoped.approvals().list().await.unwrap().remove(0);
        let lichen = all(&scoped).await.into_iter().find(|one| one.depth == 2).unwrap();
        assert_eq!((asked.agent_name.as_str(), &asked.agent), ("Ada › Moss › Lichen", &lichen.agent));
        let told = scoped.notifications().list(None).await.unwrap().list;
        let told = told.iter().find(|told| told.kind == NotificationKind::Approval).unwrap();
        assert!(told.agent == lichen.agent && told.title.contains("Ada › Moss › Lichen"), "{told:?}");
        let waits = |body: &EntryBody| matches!(body, EntryBody::ToolStarted { call, .. } if call.name == "agent_wait");
        until(async || log(&scoped, &leader.id).await.iter().any(|entry| waits(&entry.body))).await;

        let hub = reopened(&world).await;
        let scoped = hub.for_viewer(&viewer);
        let open = scoped.approvals().list().await.unwrap();
        assert_eq!(open.iter().map(|one| &one.approval).collect::<Vec<_>>(), [&asked.approval]);
        let (id, hash) = (&asked.approval.id, &asked.approval.hash);
        scoped.approvals().answer(id, hash, Decision::Always, "").await.unwrap();
        let is_over = |body: &EntryBody| matches!(body, EntryBody::RunFinished { .. });
        until(async || log(&scoped, &leader.id).await.iter().any(|entry| is_over(&entry.body))).await;
        let (is_error, said) = results(&log(&scoped, &leader.id).await).pop().unwrap();
        assert!(!is_error && said.contains("Lichen has written it."), "{said}");

        let rules = scoped.policies().list(&leader.id).await.unwrap();
        let rule = rules.iter().find(|rule| rule.approval.as_ref() == Some(id)).unwrap();
        assert_eq!(
            (rule.agent.as_ref(), rule.tool.as_str(), rule.verdict, &rule.run),
            (Some(&leader.id), "write", Verdict::Allow, &None)
        );
        assert_eq!(rule.about, asked.approval.about, "for this file, and no other");
        let text = says(json!([[writes("Fern")], [wait()], answer()]));
        let said = ask(&scoped, &leader.id, &leader.conversation, &text).await;
        assert!(said.contains("Fern has written it."), "{said}");
        assert!(scoped.approvals().list().await.unwrap().is_empty(), "nobody is asked again");
    })
    .await;
}
