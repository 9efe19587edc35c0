//! Servers that ask their person something in the middle of a call: the person has it as a question, and the server
//! what they say, or that they said nothing.

use super::{given, water};
use crate::approvals::{add_rule, until_asked};
use crate::runs::open;
use crate::runs::trace::until_finished;
use crate::talk::ada;
use crate::world::{Endpoint, FakeMcp, Mood, RealMcp, World, each_store};
use hub::{Hub, Scoped, Tab, Viewer};
use protocol::AgentId;
use protocol::approval::{Approval, ApprovalOutcome, ApprovalReason};
use protocol::log::{Entry, EntryBody};
use protocol::question::{AnswerDraft, FieldDraft, Wanted};
use protocol::view::Status;
use serde_json::{Value, json};
use std::time::Duration;

/// An agent that may call every tool of the server, and a tab that follows it.
async fn scene(
    world: &World,
    endpoint: &Endpoint,
    name: &str,
    url: &str,
    host: &str,
) -> (Viewer, AgentId, Tab) {
    let (viewer, agent) = ada(world, endpoint).await;
    let scoped = world.hub.for_viewer(&viewer);
    let server = scoped.mcp_servers().add(name, url, "", "").await.unwrap();
    assert_eq!(server.failure, None);
    scoped.mcp_servers().choose(&agent.id, std::slice::from_ref(&server.id)).await.unwrap();
    add_rule(&world.hub, &viewer, "allow", "mcp_*", host).await;
    let mut tab = open(world, &viewer, "laptop");
    tab.follow(&agent.id, 0).await.unwrap();
    (viewer, agent.id, tab)
}

pub(super) async fn call(scoped: &Scoped<'_>, agent: &AgentId, tool: &str, input: Value) {
    let turns = json!([[{ "tool": tool, "input": input }], [{ "text": "Done." }]]);
    scoped.runs().send_message(agent, &format!("turns: {turns}"), None, None).await.unwrap();
}

pub(super) async fn reply(
    hub: &Hub,
    viewer: &Viewer,
    asked: &Approval,
    said: AnswerDraft,
) -> Result<(), String> {
    let replied = hub.for_viewer(viewer).approvals().reply(&asked.id, &asked.hash, said).await;
    replied.map_err(|error| error.into_failure().message)
}

pub(super) fn entered(fields: &[(&str, &str)]) -> AnswerDraft {
    let field = |&(name, text): &(&str, &str)| match text.strip_prefix("chosen ") {
        Some(label) => {
            FieldDraft { name: name.to_owned(), chosen: vec![label.to_owned()], ..FieldDraft::default() }
        }
        None => FieldDraft { name: name.to_owned(), text: text.to_owned(), ..FieldDraft::default() },
    };
    AnswerDraft { fields: fields.iter().map(field).collect(), ..AnswerDraft::default() }
}

fn declined() -> AnswerDraft {
    AnswerDraft { skip: true, ..AnswerDraft::default() }
}

/// What the call brought.
pub(super) fn brought(entries: &[Entry]) -> String {
    let result = entries.iter().find_map(|entry| match &entry.body {
        EntryBody::ToolFinished { result, .. } => Some(result.content.clone()),
        _ => None,
    });
    result.expect("the call ended")
}

fn elicitation(id: &str) -> Value {
    let params = json!({ "message": "Go on?", "requestedSchema": { "type": "object", "properties": {} } });
    json!({ "jsonrpc": "2.0", "id": id, "method": "elicitation/create", "params": params })
}

#[tokio::test]
async fn what_a_server_of_today_asks_is_a_question_to_its_person_and_the_call_goes_on_with_the_answer() {
    let endpoint = Endpoint::start();
    let server = RealMcp::modern();
    each_store(async |world: World| {
        let (viewer, agent, mut tab) = scene(&world, &endpoint, "garden", &server.url, &server.host()).await;
        let scoped = world.hub.for_viewer(&viewer);
        call(&scoped, &agent, "mcp_garden_plant", json!({ "what": "Moss" })).await;
        let asked = until_asked(&mut tab).await;
        let question = asked.question.clone().unwrap();
        assert_eq!((asked.why, asked.strangers), (ApprovalReason::Question, true));
        assert_eq!(asked.about, Some(format!("{} over http", server.host())));
        assert_eq!(
            (question.server.as_deref(), &*question.text),
            (Some("garden"), "Which bed shall it have?")
        );
        let Wanted::Form { fields } = &question.wanted else { panic!("{question:?}") };
        let names: Vec<_> = fields.iter().map(|field| (&*field.name, field.required)).collect();
        assert_eq!(names, [("bed", true), ("covered", false), ("rows", false)]);
        assert_eq!(scoped.agents().list().await.unwrap()[0].status, Status::Waiting);
        let waiting = scoped.approvals().list().await.unwrap();
        assert_eq!(waiting.iter().map(|one| &one.approval).collect::<Vec<_>>(), [&asked]);
        for (said, why) in [
            (entered(&[]), "Bed is missing."),
            (
                entered(&[("bed", "chosen west")]),
                "Bed: That is none of the answers that are offered. Load the page again.",
            ),
            (entered(&[("bed", "chosen north"), ("rows", "10")]), "Rows: Give a number from 1 to 9."),
        ] {
            assert_eq!(reply(&world.hub, &viewer, &asked, said).await, Err(why.to_owned()));
        }
        let said = entered(&[("bed", "chosen north"), ("rows", "3"), ("covered", "chosen Yes")]);
        reply(&world.hub, &viewer, &asked, said).await.unwrap();
        let told = brought(&until_finished(&mut tab).await);
        assert!(told.contains("Moss in north, 3 rows, covered."), "{told}");
        assert_eq!(scoped.agents().list().await.unwrap()[0].status, Status::Idle);

        call(&scoped, &agent, "mcp_garden_plant", json!({ "what": "Fern" })).await;
        let asked = until_asked(&mut tab).await;
        reply(&world.hub, &viewer, &asked, declined()).await.unwrap();
        let told = brought(&until_finished(&mut tab).await);
        assert!(told.contains("Nothing was planted: decline."), "{told}");

        // Longer than a call may take: that time is the person's.
        call(&scoped, &agent, "mcp_garden_plant", json!({ "what": "Ivy" })).await;
        until_asked(&mut tab).await;
        world.clock.advance(Duration::from_secs(61 * 60));
        let told = brought(&until_finished(&mut tab).await);
        assert!(told.contains("Nothing was planted: cancel."), "{told}");
    })
    .await;
}

#[tokio::test]
async fn a_server_of_before_asks_in_the_stream_of_its_answer() {
    let endpoint = Endpoint::start();
    let server = RealMcp::legacy();
    each_store(async |world: World| {
        let (viewer, agent, mut tab) = scene(&world, &endpoint, "every", &server.url, &server.host()).await;
        let scoped = world.hub.for_viewer(&viewer);
        let tool = "mcp_every_trigger-elicitation-request";
        call(&scoped, &agent, tool, json!({})).await;
        let asked = until_asked(&mut tab).await;
        let Wanted::Form { fields } = &asked.question.as_ref().unwrap().wanted else { panic!("{asked:?}") };
        assert_eq!((fields.len(), &*fields[0].label, fields[0].required), (13, "String", true));
        let said = entered(&[
            ("name", "Ada"),
            ("check", "chosen Yes"),
            ("email", "ada@example.com"),
            ("birthdate", "1815-12-10"),
            ("integer", "7"),
            ("titledSingleSelectEnum", "chosen Green Lantern"),
            ("titledMultipleSelectEnum", "chosen Trout"),
            ("legacyTitledEnum", "chosen Birds"),
        ]);
        reply(&world.hub, &viewer, &asked, said).await.unwrap();
        let told = brought(&until_finished(&mut tab).await);
        for expected in [
            "- Name: Ada",
            "- Agreed to terms: true",
            "- Favorite Integer: 7",
            "1815-12-10",
            "hero-2",
            "fish-3",
            "pet-3",
        ] {
            assert!(told.contains(expected), "{expected}: {told}");
        }
        call(&scoped, &agent, tool, json!({})).await;
        let asked = until_asked(&mut tab).await;
        reply(&world.hub, &viewer, &asked, declined()).await.unwrap();
        let told = brought(&until_finished(&mut tab).await);
        assert!(told.contains("User declined"), "{told}");
    })
    .await;
}

#[tokio::test]
async fn an_address_that_a_server_wants_opened_is_shown_whole_and_opened_by_nobody_but_its_person() {
    let endpoint = Endpoint::start();
    let server = RealMcp::legacy();
    each_store(async |world: World| {
        let (viewer, agent, mut tab) = scene(&world, &endpoint, "every", &server.url, &server.host()).await;
        let scoped = world.hub.for_viewer(&viewer);
        let tool = "mcp_every_trigger-url-elicitation";
        // Nothing answers there, and nobody asks.
        let url = "https://pay.invalid/moss?bed=north";
        let opened = async |tab: &mut Tab, said: AnswerDraft| {
            let asked = until_asked(tab).await;
            let Some(Wanted::Visit { url, host }) = asked.question.as_ref().map(|asked| asked.wanted.clone())
            else {
                panic!("{asked:?}")
            };
            reply(&world.hub, &viewer, &asked, said).await.unwrap();
            (url, host)
        };
        call(&scoped, &agent, tool, json!({ "url": url })).await;
        let (shown, host) = opened(&mut tab, AnswerDraft::default()).await;
        assert_eq!((&*shown, &*host), (url, "pay.invalid"));
        let told = brought(&until_finished(&mut tab).await);
        assert!(told.contains("accept"), "{told}");

        call(&scoped, &agent, tool, json!({ "url": url })).await;
        opened(&mut tab, declined()).await;
        let told = brought(&until_finished(&mut tab).await);
        assert!(told.contains("decline"), "{told}");

        // One that answers with what has to be opened first is asked once more when that was done.
        let first = json!({ "url": url, "errorPath": true, "elicitationId": "one" });
        call(&scoped, &agent, tool, first.clone()).await;
        assert_ne!(opened(&mut tab, AnswerDraft::default()).await.0, url);
        assert_eq!(opened(&mut tab, AnswerDraft::default()).await.0, url);
        until_finished(&mut tab).await;
        call(&scoped, &agent, tool, first).await;
        opened(&mut tab, declined()).await;
        let told = brought(&until_finished(&mut tab).await);
        assert_eq!(told, "It wants you to open an address of its own before it does what it is asked for.");
    })
    .await;
}

#[tokio::test]
async fn a_server_that_asks_without_end_is_given_up_and_what_is_no_form_is_not_asked() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let fake = FakeMcp::start(&[water()]);
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        given(&scoped, &agent.id, "garden", &fake).await;
        add_rule(&world.hub, &viewer, "allow", "mcp_*", &fake.host()).await;
        let mut tab = open(&world, &viewer, "laptop");
        tab.follow(&agent.id, 0).await.unwrap();
        let asks = |request: Value| {
            json!({ "resultType": "input_required", "inputRequests": { "go": request }, "requestState": "s-1" })
        };
        fake.bring(asks(elicitation("x")));
        call(&scoped, &agent.id, "mcp_garden_water", json!({})).await;
        for _ in 0..5 {
            let asked = until_asked(&mut tab).await;
            assert_eq!(asked.question.as_ref().unwrap().text, "Go on?");
            reply(&world.hub, &viewer, &asked, AnswerDraft::default()).await.unwrap();
        }
        let entries = until_finished(&mut tab).await;
        assert_eq!(brought(&entries), "It asked more than 5 times within one call and was given up.");
        let last = fake.messages().pop().unwrap()["params"].take();
        assert_eq!(last["requestState"], "s-1");
        assert_eq!(last["inputResponses"], json!({ "go": { "action": "accept", "content": {} } }));
        let declared = &last["_meta"]["io.modelcontextprotocol/clientCapabilities"];
        assert_eq!(declared["elicitation"], json!({ "form": {}, "url": {} }));

        let of = |params: Value| asks(json!({ "method": "elicitation/create", "params": params }));
        let nested = json!({ "type": "object", "properties": { "a": { "type": "object" } } });
        for (result, why) in [
            (
                of(json!({ "mode": "url", "message": "Pay", "url": "http://example.com", "elicitationId": "e" })),
                "It asks something that nobody can be asked. An address that a person opens begins with https://.",
            ),
            (
                of(json!({ "message": "?", "requestedSchema": nested })),
                "It asks something that nobody can be asked. The field a is of no kind that is known here.",
            ),
            (
                asks(json!({ "method": "sampling/createMessage", "params": {} })),
                "It asks for what it is not given: a model's answer, or your folders.",
            ),
        ] {
            fake.bring(result);
            call(&scoped, &agent.id, "mcp_garden_water", json!({})).await;
            let entries = until_finished(&mut tab).await;
            assert_eq!(brought(&entries), why);
            assert!(!entries.iter().any(|entry| matches!(entry.body, EntryBody::ApprovalAsked { .. })));
        }
        assert_eq!(scoped.approvals().list().await.unwrap(), []);
    })
    .await;
}

#[tokio::test]
async fn a_question_that_nobody_waits_for_any_more_is_taken_back() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let fake = FakeMcp::start(&[water()]).speaking("2025-11-25");
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        given(&scoped, &agent.id, "garden", &fake).await;
        add_rule(&world.hub, &viewer, "allow", "mcp_*", &fake.host()).await;
        let mut tab = open(&world, &viewer, "laptop");
        tab.follow(&agent.id, 0).await.unwrap();
        let mut visit = elicitation("u");
        visit["params"]["mode"] = json!("url");
        fake.say_before(&[visit, elicitation("q"), elicitation("r")]);
        // It answers without having heard what it asked.
        fake.mood(Mood::Slow);
        call(&scoped, &agent.id, "mcp_garden_water", json!({})).await;
        let asked = until_asked(&mut tab).await;
        fake.mood(Mood::Well);
        let entries = until_finished(&mut tab).await;
        assert_eq!(brought(&entries), "{\"text\":\"Watered.\"}");
        let is_withdrawn = |entry: &Entry| {
            matches!(&entry.body, EntryBody::ApprovalSettled { approval, settled: ApprovalOutcome::Withdrawn } if *approval == asked.id)
        };
        assert!(entries.iter().any(is_withdrawn));
        assert_eq!(scoped.approvals().list().await.unwrap(), []);
        let told = fake.messages();
        let told = |id: &str| told.iter().find(|message| message["id"] == id).cloned().unwrap_or_default();
        assert_eq!(told("u")["error"]["message"], "What a person is to open is a whole address.");
        assert_eq!(told("r"), Value::Null, "one question at a time");

        // It thinks better of it at once, and nobody is asked.
        let withdrawn = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": "q" } });
        fake.say_before(&[elicitation("q"), withdrawn]);
        call(&scoped, &agent.id, "mcp_garden_water", json!({})).await;
        let entries = until_finished(&mut tab).await;
        assert!(!entries.iter().any(|entry| matches!(entry.body, EntryBody::ApprovalAsked { .. })));

        // Who stops the agent takes the question back with it.
        fake.say_before(&[elicitation("q")]);
        fake.mood(Mood::Slow);
        call(&scoped, &agent.id, "mcp_garden_water", json!({})).await;
        until_asked(&mut tab).await;
        scoped.runs().stop(&agent.id).await.unwrap();
        until_finished(&mut tab).await;
        assert_eq!(scoped.approvals().list().await.unwrap(), []);
        fake.mood(Mood::Well);
    })
    .await;
}

#[tokio::test]
async fn after_a_restart_its_person_is_asked_what_came_of_a_call_and_if_they_say_nothing_nobody_knows() {
    let endpoint = Endpoint::start();
    let server = RealMcp::modern();
    each_store(async |world: World| {
        let (viewer, agent, mut tab) = scene(&world, &endpoint, "garden", &server.url, &server.host()).await;
        let scoped = world.hub.for_viewer(&viewer);
        call(&scoped, &agent, "mcp_garden_plant", json!({ "what": "Moss" })).await;
        let asked = until_asked(&mut tab).await;
        world.hub.close().await;
        let reopened = world.reopened().await;
        let mut tab = reopened.open_tab(viewer.clone(), "phone".into()).unwrap();
        tab.follow(&agent, 0).await.unwrap();
        let unsure = async {
            loop {
                let asked = until_asked(&mut tab).await;
                if asked.why == ApprovalReason::Unknown {
                    return asked;
                }
            }
        };
        let unsure = unsure.await;
        assert!(unsure.question.unwrap().text.contains("mcp_garden_plant"));
        world.clock.advance(Duration::from_secs(61 * 60));
        let entries = until_finished(&mut tab).await;
        let told = brought(&entries);
        assert!(told.starts_with("outcome unknown: the hub stopped"), "{told}");
        let late = reply(&reopened, &viewer, &asked, entered(&[("bed", "chosen north")])).await;
        assert_eq!(late, Err("Nobody waits for this answer any more.".to_owned()));
        assert_eq!(reopened.for_viewer(&viewer).approvals().list().await.unwrap(), []);
    })
    .await;
}
