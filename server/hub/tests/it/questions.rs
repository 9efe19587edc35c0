//! What an agent asks its person: it waits on every device and through restarts, and is answered once, by the
//! person, with what fits.

mod secrets;

use crate::approvals::add_rule;
use crate::runs::driven::Browser;
use crate::runs::page::Page;
use crate::runs::trace::{self, until, until_finished};
use crate::runs::{agent, open};
use crate::world::{Definition, Endpoint, PASSWORD, World, each_store};
use hub::{Hub, Tab, Viewer};
use protocol::agent::{Home, ProviderKind};
use protocol::approval::{Approval, ApprovalOutcome, ApprovalReason, Decision};
use protocol::log::{Entry, EntryBody, Outcome};
use protocol::question::{Answer, AnswerDraft, Wanted};
use protocol::view::{CallDecider, Status};
use protocol::{AgentId, FailureKind};
use serde_json::{Value, json};
use std::time::Duration;

/// An agent that can ask, and a tab that follows it.
struct Scene {
    viewer: Viewer,
    agent: AgentId,
    tab: Tab,
    _endpoint: Endpoint,
}

impl Scene {
    async fn begin(world: &World) -> Self {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let agent = asker(world, &viewer, &endpoint, Home::Hub).await;
        let mut tab = open(world, &viewer, "laptop");
        tab.follow(&agent, 0).await.unwrap();
        Self { viewer, agent, tab, _endpoint: endpoint }
    }

    async fn asks(&mut self, world: &World, input: Value) -> Approval {
        say(&world.hub, &self.viewer, &self.agent, &[input]).await;
        until_asked(&mut self.tab).await
    }

    async fn status(&self, world: &World) -> Status {
        world.hub.for_viewer(&self.viewer).agents().list().await.unwrap()[0].status
    }
}

async fn asker(world: &World, viewer: &Viewer, endpoint: &Endpoint, home: Home) -> AgentId {
    let view = agent(world, viewer, endpoint, ProviderKind::Anthropic, home).await;
    let tools = Definition::like(&view).tools(["ask_user", "read"]).home(home).draft();
    world.hub.for_viewer(viewer).agents().edit(&view.id, tools).await.unwrap();
    view.id
}

/// Lets the model ask this, a reply for each, and say Done.
async fn say(hub: &Hub, viewer: &Viewer, agent: &AgentId, questions: &[Value]) {
    let mut turns: Vec<Value> =
        questions.iter().map(|input| json!([{ "tool": "ask_user", "input": input }])).collect();
    turns.push(json!([{ "text": "Done." }]));
    let text = format!("turns: {}", Value::from(turns));
    hub.for_viewer(viewer).runs().send_message(agent, &text, None, Some(&"laptop".into())).await.unwrap();
}

fn colour() -> Value {
    let options = json!([{ "label": "Green" }, { "label": "Blue", "description": "As the sea." }]);
    json!({ "question": "Which colour?", "kind": "choice", "options": options })
}

async fn until_asked(tab: &mut Tab) -> Approval {
    let entries = until(tab, |body| matches!(body, EntryBody::ApprovalAsked { .. })).await;
    match entries.into_iter().next_back().map(|entry| entry.body) {
        Some(EntryBody::ApprovalAsked { approval }) => approval,
        body => panic!("{body:?}"),
    }
}

fn chosen(label: &str) -> AnswerDraft {
    AnswerDraft { chosen: vec![label.to_owned()], ..AnswerDraft::default() }
}

fn words(text: &str) -> AnswerDraft {
    AnswerDraft { text: text.to_owned(), ..AnswerDraft::default() }
}

async fn reply(
    hub: &Hub,
    viewer: &Viewer,
    asked: &Approval,
    said: AnswerDraft,
) -> Result<(), (FailureKind, String)> {
    let replied = hub.for_viewer(viewer).approvals().reply(&asked.id, &asked.hash, said).await;
    replied.map_err(|error| {
        let failure = error.into_failure();
        (failure.kind, failure.message)
    })
}

/// What the model got, and whether that is an error.
fn results(entries: &[Entry]) -> Vec<(Value, bool)> {
    let result = |entry: &Entry| match &entry.body {
        EntryBody::ToolFinished { result, .. } => {
            let content = serde_json::from_str(&result.content);
            Some((content.unwrap_or_else(|_| Value::from(result.content.as_str())), result.is_error))
        }
        _ => None,
    };
    entries.iter().filter_map(result).collect()
}

#[tokio::test]
async fn a_question_waits_for_its_person_and_the_answer_is_the_result() {
    each_store(async |world: World| {
        let mut scene = Scene::begin(&world).await;
        let asked = scene.asks(&world, colour()).await;
        assert_eq!((asked.why, scene.status(&world).await), (ApprovalReason::Question, Status::Waiting));
        let scoped = world.hub.for_viewer(&scene.viewer);
        let waiting = scoped.approvals().list().await.unwrap();
        assert_eq!(waiting.iter().map(|one| &one.approval).collect::<Vec<_>>(), [&asked]);
        reply(&world.hub, &scene.viewer, &asked, chosen("Blue")).await.unwrap();
        let entries = until_finished(&mut scene.tab).await;
        let (result, is_error) = results(&entries).remove(0);
        assert_eq!((&result["answered"], &result["answer"], is_error), (&json!(true), &json!("Blue"), false));
        let blue = Answer::Chosen { labels: vec!["Blue".to_owned()], other: None };
        let is_answer = |entry: &Entry| {
            matches!(&entry.body, EntryBody::ApprovalSettled { settled: ApprovalOutcome::Answered { answer, .. }, .. } if *answer == blue)
        };
        assert!(entries.iter().any(is_answer));
        assert_eq!(scoped.approvals().list().await.unwrap(), []);
        assert_eq!(scene.status(&world).await, Status::Idle);
        let calls = scoped.audit().calls(&hub::CallsQuery::default()).await.unwrap();
        assert_eq!(calls.lines[0].decided_by, CallDecider::Person);
    })
    .await;
}

#[tokio::test]
async fn each_kind_of_answer_comes_to_the_agent_as_data() {
    each_store(async |world: World| {
        let mut scene = Scene::begin(&world).await;
        let viewer = scene.viewer.clone();
        let scoped = world.hub.for_viewer(&viewer);
        let file = scoped.attachments().take_in("plan.txt", b"Moss first.".to_vec()).await.unwrap();
        let several = |extra: Value| {
            let mut input = colour();
            input["kind"] = json!("several");
            input.as_object_mut().unwrap().extend(extra.as_object().cloned().unwrap());
            input
        };
        let of = |kind: &str| json!({ "question": "What?", "kind": kind });
        let own =
            json!({ "question": "Which?", "kind": "choice", "other": true, "options": colour()["options"] });
        for (input, said, answer) in [
            (own, words("Red"), json!({ "answer": "Red", "own_words": true })),
            (
                several(json!({ "other": true })),
                AnswerDraft { chosen: vec!["Blue".to_owned(), "Green".to_owned()], ..words("Red") },
                json!({ "answer": ["Green", "Blue"], "other": "Red" }),
            ),
            (several(json!({ "min": 0 })), AnswerDraft::default(), json!({ "answer": [] })),
            (of("text"), words(" Under the fern. "), json!({ "answer": "Under the fern." })),
            (of("number"), words("2.5"), json!({ "answer": 2.5 })),
            (of("date"), words("2028-02-29"), json!({ "answer": "2028-02-29" })),
            (
                of("file"),
                AnswerDraft { files: vec![file.id.clone()], ..AnswerDraft::default() },
                json!({ "answer": "/uploads/plan.txt", "type": "text/plain", "bytes": 11 }),
            ),
        ] {
            let asked = scene.asks(&world, input.clone()).await;
            reply(&world.hub, &viewer, &asked, said).await.unwrap();
            let entries = until_finished(&mut scene.tab).await;
            let mut result = results(&entries).remove(0).0;
            let result = result.as_object_mut().unwrap();
            result.retain(|name, _| !["answered", "device"].contains(&name.as_str()));
            assert_eq!(Value::from(result.clone()), answer, "{input}");
        }
        let conversation = scoped.pages().latest(&scene.agent).await.unwrap().conversation.id;
        let read = ("read", json!({ "path": "/uploads/plan.txt" }));
        let (is_error, text) =
            crate::talk::calls(&scoped, &scene.agent, &conversation, &[read]).await.remove(0);
        assert!(!is_error && text.contains("Moss first."), "{text}");
    })
    .await;
}

#[tokio::test]
async fn what_does_not_fit_is_refused_and_the_question_stays_open() {
    each_store(async |world: World| {
        let mut scene = Scene::begin(&world).await;
        let bo = world.person("bo").await;
        let asked = scene.asks(&world, colour()).await;
        let forged = Approval { hash: "another".to_owned(), ..asked.clone() };
        let none = "That is none of the answers that are offered. Load the page again.";
        let other = "The call that was asked about is another one. Load the page again and look.";
        let gone = "A file of this message is not kept any more. Attach it again.";
        let unknown = AnswerDraft { files: vec!["nothing".into()], ..chosen("Blue") };
        for (viewer, approval, said, kind, why) in [
            (&scene.viewer, &asked, chosen("Red"), FailureKind::Invalid, none),
            (
                &scene.viewer,
                &asked,
                AnswerDraft::default(),
                FailureKind::Invalid,
                "Choose one of the answers.",
            ),
            (&scene.viewer, &asked, unknown, FailureKind::Invalid, gone),
            (&scene.viewer, &forged, chosen("Blue"), FailureKind::Conflict, other),
            (&bo, &asked, chosen("Blue"), FailureKind::NotFound, "There is no such question."),
        ] {
            let refused = reply(&world.hub, viewer, approval, said.clone()).await;
            assert_eq!(refused, Err((kind, why.to_owned())), "{said:?}");
        }
        let scoped = world.hub.for_viewer(&scene.viewer);
        for decision in [Decision::Once, Decision::Always, Decision::Deny] {
            let refused = scoped.approvals().answer(&asked.id, &asked.hash, decision, "").await.unwrap_err();
            assert_eq!(refused.into_failure().kind, FailureKind::Invalid, "a leave is no answer");
        }
        assert_eq!(scoped.approvals().list().await.unwrap().len(), 1);
        reply(&world.hub, &scene.viewer, &asked, chosen("Green")).await.unwrap();
        until_finished(&mut scene.tab).await;
    })
    .await;
}

#[tokio::test]
async fn of_two_devices_at_once_one_answers_and_the_other_is_told_so() {
    each_store(async |world: World| {
        let mut scene = Scene::begin(&world).await;
        for _ in 0..3 {
            let phone =
                world.hub.accounts().sign_in("ada", PASSWORD, "phone").await.unwrap().done().unwrap().viewer;
            let asked = scene.asks(&world, colour()).await;
            let (one, other) = tokio::join!(
                reply(&world.hub, &scene.viewer, &asked, chosen("Green")),
                reply(&world.hub, &phone, &asked, chosen("Blue")),
            );
            let said = if one.is_ok() { "Green" } else { "Blue" };
            let refused = [one, other].into_iter().filter_map(Result::err).collect::<Vec<_>>();
            let [(FailureKind::Conflict, why)] = refused.as_slice() else { panic!("{refused:?}") };
            assert!(why.starts_with("This was answered already, on "), "{why}");
            let entries = until_finished(&mut scene.tab).await;
            assert_eq!(results(&entries)[0].0["answer"], said);
            let settles = |entry: &&Entry| matches!(entry.body, EntryBody::ApprovalSettled { .. });
            assert_eq!(entries.iter().filter(settles).count(), 1);
        }
    })
    .await;
}

#[tokio::test]
async fn when_time_is_up_the_default_holds_or_it_goes_on_without() {
    each_store(async |world: World| {
        let mut scene = Scene::begin(&world).await;
        for (default, expected) in [
            (
                Some("Blue"),
                json!({ "answered": false, "answer": "Blue", "why": "Nobody answered within 90 minutes. The default holds." }),
            ),
            (
                None,
                json!({ "answered": false, "why": "Nobody answered within 90 minutes. Go on as well as you can without." }),
            ),
        ] {
            let mut input = colour();
            input["wait_minutes"] = json!(90);
            if let Some(default) = default {
                input["default"] = json!(default);
            }
            let asked = scene.asks(&world, input).await;
            world.clock.advance(Duration::from_secs(89 * 60));
            assert_eq!(scene.status(&world).await, Status::Waiting);
            world.clock.advance(Duration::from_secs(61));
            let late = reply(&world.hub, &scene.viewer, &asked, chosen("Green")).await;
            let why = "The time to answer is up. The agent has gone on.".to_owned();
            assert_eq!(late, Err((FailureKind::Conflict, why)));
            let entries = until_finished(&mut scene.tab).await;
            assert_eq!(results(&entries), [(expected, false)]);
        }
    })
    .await;
}

#[tokio::test]
async fn a_question_may_be_skipped_and_stop_takes_it_back() {
    each_store(async |world: World| {
        let mut scene = Scene::begin(&world).await;
        let asked = scene.asks(&world, colour()).await;
        let skip = AnswerDraft { skip: true, ..AnswerDraft::default() };
        reply(&world.hub, &scene.viewer, &asked, skip.clone()).await.unwrap();
        let entries = until_finished(&mut scene.tab).await;
        let (result, is_error) = results(&entries).remove(0);
        assert_eq!((&result["answered"], is_error), (&json!(false), false));
        let late = reply(&world.hub, &scene.viewer, &asked, skip).await.unwrap_err();
        assert!(late.1.starts_with("This was skipped already, on "), "{late:?}");

        let asked = scene.asks(&world, colour()).await;
        world.hub.for_viewer(&scene.viewer).runs().stop(&scene.agent).await.unwrap();
        let entries = until_finished(&mut scene.tab).await;
        let is_withdrawn = |entry: &Entry| {
            matches!(entry.body, EntryBody::ApprovalSettled { settled: ApprovalOutcome::Withdrawn, .. })
        };
        assert_eq!(entries.iter().filter(|entry| is_withdrawn(entry)).count(), 1);
        let late = reply(&world.hub, &scene.viewer, &asked, chosen("Blue")).await;
        let why = "Nobody waits for this answer any more.".to_owned();
        assert_eq!(late, Err((FailureKind::Conflict, why)));
    })
    .await;
}

#[tokio::test]
async fn a_question_that_cannot_be_answered_goes_back_to_the_agent() {
    each_store(async |world: World| {
        let mut scene = Scene::begin(&world).await;
        let one = json!({ "question": "Which?", "kind": "choice", "options": [{ "label": "Green" }] });
        let bad = json!({ "question": "Which?", "kind": "choice" });
        say(&world.hub, &scene.viewer, &scene.agent, &[one, bad]).await;
        let entries = until_finished(&mut scene.tab).await;
        let results = results(&entries);
        assert!(results.iter().all(|(_, is_error)| *is_error), "{results:?}");
        assert_eq!(results[1].0, "choice and several need options.");
        assert!(!entries.iter().any(|entry| matches!(entry.body, EntryBody::ApprovalAsked { .. })));
    })
    .await;
}

#[tokio::test]
async fn a_rule_may_forbid_questions_and_none_makes_them_answer_themselves() {
    each_store(async |world: World| {
        let mut scene = Scene::begin(&world).await;
        for verdict in ["allow", "ask"] {
            add_rule(&world.hub, &scene.viewer, verdict, "ask_user", "").await;
            let asked = scene.asks(&world, colour()).await;
            assert_eq!(asked.why, ApprovalReason::Question, "{verdict}");
            reply(&world.hub, &scene.viewer, &asked, chosen("Blue")).await.unwrap();
            assert_eq!(results(&until_finished(&mut scene.tab).await)[0].0["answer"], "Blue", "{verdict}");
        }
        add_rule(&world.hub, &scene.viewer, "deny", "ask_user", "").await;
        say(&world.hub, &scene.viewer, &scene.agent, &[colour()]).await;
        let entries = until_finished(&mut scene.tab).await;
        assert!(results(&entries)[0].1);
        assert!(!entries.iter().any(|entry| matches!(entry.body, EntryBody::ApprovalAsked { .. })));
    })
    .await;
}

#[tokio::test]
async fn a_question_outlives_the_process_that_asked_it() {
    each_store(async |world: World| {
        let mut scene = Scene::begin(&world).await;
        let asked = scene.asks(&world, colour()).await;
        // The old hub is still there, as one that hangs is, and must not act on the answer as well.
        let reopened = world.reopened().await;
        let mut tab = reopened.open_tab(scene.viewer.clone(), "phone".into()).unwrap();
        tab.follow(&scene.agent, 0).await.unwrap();
        assert_eq!(until_asked(&mut tab).await, asked);
        reply(&reopened, &scene.viewer, &asked, chosen("Blue")).await.unwrap();
        until_finished(&mut tab).await;
        let scoped = reopened.for_viewer(&scene.viewer);
        let entries = scoped.conversations().entries(&scene.agent, 0).await.unwrap();
        let starts = |entry: &&Entry| matches!(entry.body, EntryBody::RunStarted { .. });
        assert_eq!(entries.iter().filter(starts).count(), 1, "{}", trace::trace(&entries));
        let results = results(&entries);
        assert_eq!((results.len(), &results[0].0["answer"]), (1, &json!("Blue")));
    })
    .await;
}

#[tokio::test]
async fn a_run_at_home_in_a_browser_that_is_gone_hears_the_answer_in_the_next_page() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        for (person, restarts) in [("ada", false), ("bo", true)] {
            let viewer = world.person(person).await;
            let agent = asker(&world, &viewer, &endpoint, Home::Browser).await;
            let mut laptop = Browser::new(open(&world, &viewer, "laptop"), Page::default());
            laptop.show(&agent).await;
            say(&world.hub, &viewer, &agent, &[colour()]).await;
            let asked = loop {
                if let Some(entry) = laptop.step().await
                    && let EntryBody::ApprovalAsked { approval } = entry.body
                {
                    break approval;
                }
            };
            let hub = if restarts { world.reopened().await } else { world.hub.clone() };
            laptop.tab.leave();
            // Longer than a call waits for a yes.
            world.clock.advance(Duration::from_secs(60 * 60));
            reply(&hub, &viewer, &asked, chosen("Blue")).await.unwrap();
            let tab = hub.open_tab(viewer.clone(), "phone".into()).unwrap();
            let mut phone = Browser::new(tab, Page::default());
            phone.show(&agent).await;
            let entries = phone.until_finished().await;
            let ended = EntryBody::finished(Outcome::Completed);
            assert!(entries.iter().any(|entry| entry.body == ended), "{}", trace::trace(&entries));
            assert_eq!(results(&entries)[0].0["answer"], "Blue");
        }
    })
    .await;
}

#[tokio::test]
async fn whoever_is_asked_hears_whether_strangers_may_be_behind_it() {
    each_store(async |world: World| {
        let mut scene = Scene::begin(&world).await;
        let asked = scene.asks(&world, colour()).await;
        assert!(!asked.strangers);
        reply(&world.hub, &scene.viewer, &asked, chosen("Blue")).await.unwrap();
        until_finished(&mut scene.tab).await;
        let next = json!([[{ "tool": "ask_user", "input": colour() }], [{ "text": "Done." }]]);
        let ready = format!("turns: [[{{\"text\":\"Ready.\"}}]]\nnext: {next}");
        let scoped = world.hub.for_viewer(&scene.viewer);
        scoped.runs().send_message(&scene.agent, &ready, None, None).await.unwrap();
        until_finished(&mut scene.tab).await;
        scene.tab.page_ask(&scene.agent, 7, "Now.").await.unwrap();
        let asked = until_asked(&mut scene.tab).await;
        assert!(asked.strangers, "the page spoke");
        assert!(matches!(asked.question.unwrap().wanted, Wanted::Choice { .. }));
        scoped.runs().stop(&scene.agent).await.unwrap();
        until_finished(&mut scene.tab).await;
    })
    .await;
}
