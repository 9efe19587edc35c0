//! Instructions in versions: who changed them, what they were before, and that an agent changes its own only when
//! its person says yes.

use crate::agents::draft;
use crate::runs::open;
use crate::runs::trace::{until, until_finished};
use crate::talk::{ada, calls};
use crate::world::{Definition, Endpoint, World, each_store};
use hub::{Error, Scoped, Tab, Viewer};
use protocol::AgentId;
use protocol::approval::{Approval, ApprovalReason, Decision};
use protocol::log::EntryBody;
use protocol::view::{AgentDraft, AgentView, InstructionsAuthor, InstructionsVersion};
use serde_json::{Value, json};
use std::time::Duration;

const DAYS_31: Duration = Duration::from_secs(31 * 24 * 60 * 60);

fn told(instructions: &str) -> AgentDraft {
    AgentDraft { instructions: instructions.to_owned(), ..draft("Ada") }
}

async fn now(scoped: &Scoped<'_>, agent: &AgentId) -> String {
    scoped.agents().get(agent).await.unwrap().instructions
}

fn numbers(versions: &[InstructionsVersion]) -> Vec<u64> {
    versions.iter().map(|version| version.version).collect()
}

#[tokio::test]
async fn every_change_is_a_version_and_any_of_them_comes_back() {
    each_store(async |world: World| {
        let (viewer, eve) = (world.person("ada").await, world.person("eve").await);
        let scoped = world.hub.for_viewer(&viewer);
        let agent = scoped.agents().create(told("Be kind.\nBe brief.")).await.unwrap().id;
        scoped.agents().edit(&agent, told("Be kind.\r\nBe long.\n")).await.unwrap();
        // Something else is changed.
        scoped
            .agents()
            .edit(&agent, AgentDraft { colour: "#2f8f9d".to_owned(), ..told("Be kind.\nBe long.") })
            .await
            .unwrap();
        let versions = scoped.instructions().versions(&agent).await.unwrap();
        assert_eq!(numbers(&versions), [2, 1]);
        assert!(versions.iter().all(|version| version.author == Some(InstructionsAuthor::Person)));
        assert_eq!(scoped.space().read().await.unwrap().kept, "Be kind.\nBe brief.".len() as u64);

        let second = scoped.instructions().view(&agent, 2).await.unwrap();
        assert_eq!(second.text, "Be kind.\nBe long.");
        assert_eq!(second.difference.unwrap(), "@@ -1,2 +1,2 @@\n Be kind.\n-Be brief.\n+Be long.\n");
        assert_eq!(scoped.instructions().view(&agent, 1).await.unwrap().difference, None);

        assert_eq!(scoped.instructions().restore(&agent, 1).await.unwrap(), 3);
        assert_eq!(now(&scoped, &agent).await, "Be kind.\nBe brief.");
        assert_eq!(scoped.instructions().restore(&agent, 1).await.unwrap(), 3, "that it says already");
        for missing in [0, 4] {
            let refused = scoped.instructions().restore(&agent, missing).await;
            assert!(matches!(refused, Err(Error::NotFound("version"))), "{refused:?}");
        }
        let others = world.hub.for_viewer(&eve);
        assert!(matches!(others.instructions().versions(&agent).await, Err(Error::NotFound("agent"))));
        assert!(matches!(others.instructions().view(&agent, 1).await, Err(Error::NotFound("agent"))));
        assert!(matches!(others.instructions().restore(&agent, 1).await, Err(Error::NotFound("agent"))));

        for line in 0..60 {
            scoped.agents().edit(&agent, told(&format!("Line {line}"))).await.unwrap();
        }
        let versions = scoped.instructions().versions(&agent).await.unwrap();
        assert_eq!((versions.len(), versions[0].version, versions[49].version), (50, 63, 14));
        assert_eq!(scoped.instructions().view(&agent, 14).await.unwrap().difference, None);
        let copy = scoped.copies().make(&agent).await.unwrap().id;
        let versions = scoped.instructions().versions(&copy).await.unwrap();
        assert_eq!((numbers(&versions), versions[0].author), (vec![1], Some(InstructionsAuthor::Copy)));
    })
    .await;
}

/// One that may change its own instructions.
async fn begin(world: &World, endpoint: &Endpoint) -> (Viewer, AgentView, Tab) {
    let (viewer, view) = ada(world, endpoint).await;
    let definition = Definition::like(&view).tools(["update_self"]).draft();
    let definition = AgentDraft { instructions: "Be kind.".to_owned(), ..definition };
    let agent = world.hub.for_viewer(&viewer).agents().edit(&view.id, definition).await.unwrap();
    let mut tab = open(world, &viewer, "laptop");
    tab.follow(&agent.id, 0).await.unwrap();
    (viewer, agent, tab)
}

fn update(action: &str, text: &str) -> Value {
    json!({ "action": action, "text": text })
}

fn said(input: &Value) -> String {
    format!("turns: {}", json!([[{ "tool": "update_self", "input": input }], [{ "text": "Done." }]]))
}

async fn asked(tab: &mut Tab) -> Approval {
    let entries = until(tab, |body| matches!(body, EntryBody::ApprovalAsked { .. })).await;
    match entries.into_iter().next_back().map(|entry| entry.body) {
        Some(EntryBody::ApprovalAsked { approval }) => approval,
        body => panic!("{body:?}"),
    }
}

#[tokio::test]
async fn an_agent_changes_its_instructions_when_its_person_says_yes_and_they_count_from_the_next_run() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent, mut tab) = begin(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let input = update("append", "Answer in French.");
        for decision in [Decision::Deny, Decision::Once] {
            scoped.runs().send_message(&agent.id, &said(&input), None, None).await.unwrap();
            let approval = asked(&mut tab).await;
            assert_eq!((approval.why, approval.once), (ApprovalReason::Risk, true));
            assert_eq!((approval.strangers, &approval.call.input), (false, &input));
            assert_eq!(now(&scoped, &agent.id).await, "Be kind.");
            let lasting = scoped.approvals().answer(&approval.id, &approval.hash, Decision::Always, "").await;
            assert!(lasting.unwrap_err().to_string().contains("one by one"));
            scoped.approvals().answer(&approval.id, &approval.hash, decision, "").await.unwrap();
            until_finished(&mut tab).await;
        }
        assert_eq!(now(&scoped, &agent.id).await, "Be kind.\n\nAnswer in French.");
        let newest = scoped.instructions().versions(&agent.id).await.unwrap().remove(0);
        assert_eq!((newest.version, newest.author), (3, Some(InstructionsAuthor::Agent)));
        assert_eq!(newest.conversation, Some(agent.conversation));

        // All requests of a run begin alike.
        scoped.runs().send_message(&agent.id, "Bonjour", None, None).await.unwrap();
        until_finished(&mut tab).await;
        let requests = endpoint.requests().await;
        let french = |request: &Value| request.to_string().contains("Be kind.\\n\\nAnswer in French.");
        let begin_in_french: Vec<bool> =
            requests.iter().map(|request| french(&request["body"]["system"])).collect();
        assert_eq!(begin_in_french, [false, false, false, false, true], "{requests:?}");
    })
    .await;
}

#[tokio::test]
async fn what_an_agent_writes_keeps_the_limits_of_the_form_and_its_conversation_may_go() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, agent, _tab) = begin(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        crate::approvals::add_rule(&world.hub, &viewer, "allow", "update_self", "").await;
        let talk = scoped.conversations().create(&agent.id).await.unwrap().id;
        let results = calls(
            &scoped,
            &agent.id,
            &talk,
            &[
                ("update_self", update("prepend", " You are Fern.\r\n")),
                ("update_self", update("append", &"x".repeat(20_000))),
                ("update_self", update("replace", "  ")),
                ("update_self", update("forget", "all")),
                ("update_self", update("replace", "You are Moss.")),
            ],
        )
        .await;
        assert!(!results[0].0 && results[0].1.contains("next run"), "{results:?}");
        for (at, why) in [(1, "at most 20 000 characters"), (2, "Say what"), (3, "action")] {
            assert!(results[at].0 && results[at].1.contains(why), "{:?} does not say {why}", results[at]);
        }
        let done: Value = serde_json::from_str(&results[4].1).unwrap();
        assert_eq!(done["diff"], "@@ -1,3 +1 @@\n-You are Fern.\n-\n-Be kind.\n+You are Moss.");
        assert_eq!(now(&scoped, &agent.id).await, "You are Moss.");

        scoped.conversations().create(&agent.id).await.unwrap();
        scoped.conversations().delete(&talk).await.unwrap();
        world.clock.advance(DAYS_31);
        let last = scoped.conversations().create(&agent.id).await.unwrap().id;
        scoped.conversations().delete(&last).await.unwrap();
        let versions = scoped.instructions().versions(&agent.id).await.unwrap();
        let newest = (versions[0].version, versions[0].author, versions[0].conversation.clone());
        assert_eq!(newest, (4, Some(InstructionsAuthor::Agent), None));
    })
    .await;
}
