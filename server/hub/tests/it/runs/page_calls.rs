//! Tools that a page calls, and rules about its state: the same door as the model's.

use super::driven::Browser;
use super::page::Page;
use super::trace::trace;
use super::{agent, open};
use crate::world::{Definition, Endpoint, World, each_store};
use hub::{Hub, Scoped, Viewer};
use protocol::AgentId;
use protocol::agent::{Home, ProviderKind};
use protocol::agent::{Hook, HookAction, HookEvent};
use protocol::approval::{Asker, Decision};
use protocol::hub::HubFrame;
use protocol::log::{EntryBody, Sender};
use protocol::page::Answer;
use protocol::view::{AgentView, LoopSettings};
use serde_json::{Value, json};

/// Calls a tool and gives the answer; `decision` is what the person says when they are asked.
async fn call(
    browser: &mut Browser,
    agent: &AgentId,
    name: &str,
    input: Value,
    decision: Option<(Scoped<'_>, Decision)>,
) -> Result<Value, String> {
    browser.tab.page_call(agent, 9, name.to_owned(), input).await.unwrap();
    answered(browser, name, decision).await
}

async fn answered(
    browser: &mut Browser,
    name: &str,
    decision: Option<(Scoped<'_>, Decision)>,
) -> Result<Value, String> {
    loop {
        match super::trace::next(&mut browser.tab).await {
            HubFrame::Answered { id: 9, answer: Answer::Text { text } } => {
                return Ok(serde_json::from_str(&text).unwrap_or(Value::String(text)));
            }
            HubFrame::Answered { id: 9, answer: Answer::File { address, media_type } } => {
                return Ok(json!({ "address": address, "media_type": media_type }));
            }
            HubFrame::Answered { id: 9, answer: Answer::Error { message } } => return Err(message),
            HubFrame::Entry { entry } => {
                let EntryBody::ApprovalAsked { approval } = entry.body else { continue };
                assert_eq!((approval.call.name.as_str(), approval.asker), (name, Asker::Page));
                let (person, decision) = decision.expect("nobody is to be asked");
                person.approvals().answer(&approval.id, &approval.hash, decision, "").await.unwrap();
            }
            HubFrame::SkinCall { request, command, .. } => {
                let done = Page::default().perform(&command);
                browser.tab.skin_done(request, done);
            }
            _ => {}
        }
    }
}

async fn shown(world: &World, endpoint: &Endpoint) -> (Viewer, AgentView, Browser) {
    let viewer = world.person("ada").await;
    let agent = agent(world, &viewer, endpoint, ProviderKind::Anthropic, Home::Hub).await;
    let mut browser = Browser::new(open(world, &viewer, "tab-1"), Page::default());
    browser.show(&agent.id).await;
    (viewer, agent, browser)
}

/// Gives the agent other tools and hooks.
async fn edit(hub: &Hub, viewer: &Viewer, agent: &AgentView, tools: &[&str], hooks: Vec<Hook>) {
    Definition::like(agent)
        .tools(tools.iter().copied())
        .home(agent.home)
        .settings(LoopSettings { hooks, ..LoopSettings::default() })
        .replace(&hub.for_viewer(viewer), &agent.id)
        .await;
}

const ALL: [&str; 8] =
    ["dom", "runjs", "state", "storage", "capabilities", "datetime", "context_search", "create_tool"];

#[tokio::test]
async fn a_page_calls_what_its_tiers_allow() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent, mut browser) = shown(&world, &endpoint).await;
        edit(&world.hub, &viewer, &agent, &ALL, Vec::new()).await;
        let id = &agent.id;
        let set = json!({ "action": "set", "key": "score", "value": 12 });
        let done = call(&mut browser, id, "state", set, None).await;
        assert_eq!(done, Ok(json!({ "ok": true })));
        let list = call(&mut browser, id, "state", json!({ "action": "list" }), None).await;
        assert_eq!(list, Ok(json!({ "score": 12 })));
        for (name, input, expected) in [
            ("dom", json!({ "action": "query", "selector": "p" }), "A page may not call dom."),
            ("runjs", json!({ "code": "return 1" }), "A page may not call runjs."),
            ("storage", json!({ "action": "list" }), "A page may not call storage."),
            ("state", json!({ "action": "jump" }), "The input of state does not fit its schema"),
            ("list_tools", json!({}), "There is no tool list_tools here."),
            ("shell", json!({ "command": "ls" }), "There is no tool terminal here."),
        ] {
            let refused = call(&mut browser, id, name, input, None).await.unwrap_err();
            assert!(refused.starts_with(expected), "{name}: {refused}");
        }
        let entries = world.hub.for_viewer(&viewer).conversations().entries(id, 0).await.unwrap();
        let is_state = |body: &EntryBody| matches!(body, EntryBody::State { .. });
        assert!(entries.len() == 1 && is_state(&entries[0].body), "{entries:?}");
        let audit = audit(&world, id).await;
        let expected = [
            "state done",
            "state done",
            "dom denied",
            "runjs denied",
            "storage denied",
            "state refused",
            "list_tools refused",
            "shell refused",
        ];
        assert_eq!(audit, expected.map(|line| format!("page {line}")));
    })
    .await;
}

/// Caller, name and outcome of every call that was written down.
async fn audit(world: &World, agent: &AgentId) -> Vec<String> {
    use sqlx::Row as _;
    let store = world.store().await;
    let rows =
        sqlx::query("SELECT caller, name, outcome FROM tool_calls WHERE agent_id = $1 ORDER BY call_id")
            .bind(&agent.0)
            .fetch_all(store.read())
            .await
            .unwrap();
    let text = |row: &sqlx::any::AnyRow, column: &str| row.try_get::<String, _>(column).unwrap();
    rows.iter()
        .map(|row| format!("{} {} {}", text(row, "caller"), text(row, "name"), text(row, "outcome")))
        .collect()
}

#[tokio::test]
async fn a_person_is_asked_and_their_word_is_kept() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent, mut browser) = shown(&world, &endpoint).await;
        edit(&world.hub, &viewer, &agent, &ALL, Vec::new()).await;
        let scoped = world.hub.for_viewer(&viewer);
        let (id, search) = (&agent.id, json!({ "query": "birthday" }));
        let mut ask =
            async |decision| call(&mut browser, id, "context_search", search.clone(), decision).await;
        for decision in [Decision::Once, Decision::Once, Decision::Always] {
            assert_eq!(ask(Some((scoped, decision))).await, Ok(json!({ "hits": [] })), "{decision:?}");
        }
        assert_eq!(ask(None).await, Ok(json!({ "hits": [] })));
        let rules = scoped.policies().list(id).await.unwrap();
        assert_eq!(
            (rules.len(), rules[0].tool.as_str(), rules[0].asker),
            (1, "context_search", Some(Asker::Page))
        );
        scoped.policies().delete(&rules[0].id).await.unwrap();
        for decision in [Some((scoped, Decision::Deny)), None] {
            assert_eq!(ask(decision).await, Err("The person said no.".to_owned()));
        }
    })
    .await;
}

#[tokio::test]
async fn a_hook_that_denies_everything_leaves_no_effect_whoever_calls() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent, mut browser) = shown(&world, &endpoint).await;
        let reason = "Not today.".to_owned();
        let deny = Hook {
            event: HookEvent::PreToolUse,
            tool: None,
            holds: None,
            action: HookAction::Deny { reason },
        };
        edit(&world.hub, &viewer, &agent, &ALL, vec![deny]).await;
        let scoped = world.hub.for_viewer(&viewer);
        let set = json!({ "action": "set", "key": "score", "value": 12 });
        let refused = call(&mut browser, &agent.id, "state", set, None).await.unwrap_err();
        assert_eq!(refused, "Not allowed: Not today.");
        scoped.runs().send_message(&agent.id, "script: draw", None, None).await.unwrap();
        browser.until_finished().await;
        assert!(scoped.states().read(&agent.id).await.unwrap().is_empty());
        assert_eq!(scoped.skins().current(&agent.id).await.unwrap(), None);
        let audit = audit(&world, &agent.id).await;
        assert!(audit.len() >= 2 && audit.iter().all(|line| line.ends_with(" denied")), "{audit:?}");
    })
    .await;
}

#[tokio::test]
async fn a_page_has_its_agent_s_files_as_they_are_by_the_rules_of_read() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent, mut browser) = shown(&world, &endpoint).await;
        let (scoped, id) = (world.hub.for_viewer(&viewer), &agent.id);
        for path in ["fern.png", "secret.png"] {
            scoped.files().write(id, path, &[137, 80, 78, 71, 0]).await.unwrap();
        }
        let mut read = async |path: &str, decision| {
            browser.tab.page_file(id, 9, path.to_owned()).await.unwrap();
            answered(&mut browser, "read", decision).await
        };
        let without = read("fern.png", None).await;
        assert!(
            without.clone().is_err_and(|why| why.starts_with("There is no tool read here.")),
            "{without:?}"
        );
        edit(&world.hub, &viewer, &agent, &["read"], Vec::new()).await;
        assert_eq!(
            read("fern.png", Some((scoped, Decision::Once))).await.unwrap()["media_type"],
            "image/png"
        );
        crate::approvals::add_rule(&world.hub, &viewer, "allow", "read", "").await;
        crate::approvals::add_rule(&world.hub, &viewer, "deny", "read", "/agent/secret.png").await;
        let address = read("/agent/fern.png", None).await.unwrap()["address"].as_str().unwrap().to_owned();
        assert!(address.starts_with(&format!("/files/{id}/fern.png?until=")), "{address}");
        for (path, why) in [
            ("/agent/secret.png", "Not allowed"),
            ("/agent/none.png", "There is no file /agent/none.png."),
            ("/agent", "/agent is a folder"),
            ("/agent/../secret.png", "cannot name a file"),
            ("/uploads/a.png", "read by its lines only"),
            ("/workspace/a.png", "You have no /workspace"),
            ("", "/agent is a folder"),
        ] {
            let refused = read(path, None).await.unwrap_err();
            assert!(refused.contains(why), "{path}: {refused}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_page_that_calls_too_often_is_told_so() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (_, agent, mut browser) = shown(&world, &endpoint).await;
        let mut refused = 0;
        for _ in 0..70 {
            let answer = call(&mut browser, &agent.id, "datetime", json!({}), None).await;
            refused += usize::from(answer.is_err_and(|why| why.contains("60 in a minute are the most")));
        }
        assert_eq!(refused, 10);
    })
    .await;
}

#[tokio::test]
async fn a_rule_that_comes_true_wakes_the_agent_whoever_wrote() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent, mut browser) = shown(&world, &endpoint).await;
        let id = &agent.id;
        let rule =
            json!({ "action": "escalate", "key": "score", "when": "> 10", "message": "Somebody wins." });
        assert_eq!(call(&mut browser, id, "state", rule, None).await, Ok(json!({ "ok": true })));
        let unclear = json!({ "action": "escalate", "key": "score", "when": "score", "message": "?" });
        let refused = call(&mut browser, id, "state", unclear, None).await.unwrap_err();
        assert!(refused.starts_with("The condition needs always, changed"), "{refused}");

        browser.tab.set_state(id, "score".to_owned(), json!(9)).await.unwrap();
        browser.tab.set_state(id, "score".to_owned(), json!(11)).await.unwrap();
        let woken = trace(&browser.until_finished().await);
        let expected = "message rule score \"Somebody wins.\\n(score is now 11)\"\nstarted\n";
        assert!(woken.contains(expected), "{woken}");
        browser.tab.set_state(id, "score".to_owned(), json!(12)).await.unwrap();

        let set = |value: u32| json!({ "action": "set", "key": "score", "value": value });
        call(&mut browser, id, "state", set(1), None).await.unwrap();
        call(&mut browser, id, "state", set(20), None).await.unwrap();
        browser.until_finished().await;
        let rules = call(&mut browser, id, "state", json!({ "action": "rules" }), None).await.unwrap();
        assert_eq!(rules["rules"][0]["when"], "> 10");
        let other = json!({ "action": "escalate", "key": "lives", "when": "< 1", "message": "Over." });
        call(&mut browser, id, "state", other, None).await.unwrap();
        let clear = json!({ "action": "clear_rule", "key": "lives" });
        call(&mut browser, id, "state", clear, None).await.unwrap();
        // Its person sees the one that is left, and takes it away.
        let eve = world.person("eve").await;
        let (own, others) = (world.hub.for_viewer(&viewer).states(), world.hub.for_viewer(&eve).states());
        let seen = own.rules(id).await.unwrap();
        assert_eq!(seen.iter().map(|rule| rule.key.as_str()).collect::<Vec<_>>(), ["score"]);
        assert_eq!((seen[0].when.as_str(), seen[0].message.as_str()), ("> 10", "Somebody wins."));
        assert!(others.rules(id).await.is_err() && others.remove_rule(id, "score").await.is_err());
        own.remove_rule(id, "score").await.unwrap();
        assert!(own.rules(id).await.unwrap().is_empty());
        call(&mut browser, id, "state", set(2), None).await.unwrap();
        call(&mut browser, id, "state", set(30), None).await.unwrap();
        let entries = world.hub.for_viewer(&viewer).conversations().entries(id, 0).await.unwrap();
        let is_rule = |body: &EntryBody| matches!(body, EntryBody::Message { from: Sender::Rule { .. }, .. });
        assert_eq!(entries.iter().filter(|entry| is_rule(&entry.body)).count(), 2);
    })
    .await;
}
