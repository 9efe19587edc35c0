//! A model for one answer: it is asked for that one alone, whoever goes on with it.

use crate::runs::trace::{self, until_finished};
use crate::runs::{agent, driven::Browser, open, outcome, page::Page};
use crate::talk::{GATED, ada, ask, until};
use crate::world::{Definition, Endpoint, World, each_store};
use hub::Tab;
use protocol::agent::{Home, ProviderKind};
use protocol::log::{Entry, EntryBody, Outcome};
use protocol::model::ModelFailureKind;
use protocol::view::AgentView;
use protocol::{Caps, FailureKind, Micros, RunId, TabId};

const OTHER: &str = "claude-haiku-4-5";
/// It is never called: a test has no server that knows it.
const DEARER: &str = "claude-opus-4-1";

/// Which models were asked, the first one first.
async fn models(endpoint: &Endpoint) -> Vec<String> {
    let requests = endpoint.requests().await;
    requests.iter().map(|request| request["body"]["model"].as_str().unwrap().to_owned()).collect()
}

fn run_of(entries: &[Entry]) -> RunId {
    let ends = |entry: &&Entry| matches!(entry.body, EntryBody::RunFinished { .. });
    entries.iter().rev().find(ends).and_then(|entry| entry.run.clone()).expect("a run is over")
}

#[tokio::test]
async fn a_model_that_is_chosen_for_another_answer_gives_that_one_alone() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        for (person, home) in [("ada", Home::Hub), ("bob", Home::Browser)] {
            let viewer = world.person(person).await;
            let of = agent(&world, &viewer, &endpoint, ProviderKind::Anthropic, home).await;
            let scoped = world.hub.for_viewer(&viewer);
            let mut browser = Browser::new(open(&world, &viewer, "tab-1"), Page::default());
            browser.show(&of.id).await;
            let tab = TabId::from("tab-1");
            let before = models(&endpoint).await.len();
            scoped.runs().send_message(&of.id, "Ferns", None, Some(&tab)).await.unwrap();
            let run = run_of(&browser.until_finished().await);
            let refused = scoped.runs().regenerate(&of.conversation, &run, "two\nlines", None).await;
            assert_eq!(refused.unwrap_err().into_failure().kind, FailureKind::Invalid);
            let other = format!(" {OTHER} ");
            let branch = scoped.runs().regenerate(&of.conversation, &run, &other, Some(&tab)).await.unwrap();
            assert_eq!(branch.model, "", "the conversation is held with the agent's own");
            browser.until_finished().await;
            let runs = scoped.runs().of_conversation(Some(&branch.id));
            runs.send_message(&of.id, "Mosses", None, Some(&tab)).await.unwrap();
            browser.until_finished().await;
            let own = of.model.as_str();
            assert_eq!(models(&endpoint).await[before..], [own, OTHER, own], "{home:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn retry_goes_on_with_the_model_of_the_answer_that_failed() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, of) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let mut tab = open(&world, &viewer, "tab-1");
        tab.follow(&of.id, 0).await.unwrap();
        scoped.runs().send_message(&of.id, "script: fail529", None, None).await.unwrap();
        let run = run_of(&until_finished(&mut tab).await);
        let before = models(&endpoint).await.len();
        let branch = scoped.runs().regenerate(&of.conversation, &run, OTHER, None).await.unwrap();
        let entries = until_finished(&mut tab).await;
        assert!(matches!(outcome(&entries), Outcome::Failed { .. }), "{entries:?}");
        let first = models(&endpoint).await.len();
        scoped.runs().of_conversation(Some(&branch.id)).retry(&of.id, None).await.unwrap();
        until_finished(&mut tab).await;
        let asked = models(&endpoint).await;
        assert!(asked.len() > first && first > before, "both asked");
        assert!(asked[before..].iter().all(|model| model == OTHER), "{asked:?}");
    })
    .await;
}

#[tokio::test]
async fn after_a_restart_the_model_of_the_answer_gives_it() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, of) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        endpoint.with_open_gates(ask(&scoped, &of.id, &of.conversation, GATED)).await;
        let entries = scoped.conversations().entries(&of.id, 0).await.unwrap();
        let before = models(&endpoint).await.len();
        scoped.runs().regenerate(&of.conversation, &run_of(&entries), OTHER, None).await.unwrap();
        until(async || models(&endpoint).await.len() > before).await;
        let after = scoped.pages().latest(&of.id).await.unwrap().seq;

        world.hub.close().await;
        let hub = world.reopened().await;
        let mut tab = hub.open_tab(viewer.clone(), "after".into()).unwrap();
        tab.follow(&of.id, after).await.unwrap();
        let entries = endpoint.with_open_gates(until_finished(&mut tab)).await;
        assert_eq!(outcome(&entries), &Outcome::Completed);
        let asked = models(&endpoint).await.split_off(before);
        assert!(asked.len() > 1 && asked.iter().all(|model| model == OTHER), "{asked:?}");
    })
    .await;
}

#[tokio::test]
async fn a_model_that_is_chosen_for_one_message_answers_that_one_alone() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        for (person, home) in [("ada", Home::Hub), ("bob", Home::Browser)] {
            let viewer = world.person(person).await;
            let of = agent(&world, &viewer, &endpoint, ProviderKind::Anthropic, home).await;
            let scoped = world.hub.for_viewer(&viewer);
            let mut browser = Browser::new(open(&world, &viewer, "tab-1"), Page::default());
            browser.show(&of.id).await;
            let tab = TabId::from("tab-1");
            let before = models(&endpoint).await.len();
            let refused =
                scoped.runs().answered_by("two\nlines").send_message(&of.id, "Ferns", None, None).await;
            assert_eq!(refused.unwrap_err().into_failure().kind, FailureKind::Invalid);
            let runs = scoped.runs().answered_by(OTHER);
            runs.send_message(&of.id, "Ferns", None, Some(&tab)).await.unwrap();
            browser.until_finished().await;
            scoped.runs().send_message(&of.id, "Mosses", None, Some(&tab)).await.unwrap();
            browser.until_finished().await;
            assert_eq!(models(&endpoint).await[before..], [OTHER, of.model.as_str()], "{home:?}");
        }
    })
    .await;
}

/// The run under way does not read the message `said`, which another model is to answer, and the next one does.
async fn two_runs(of: &AgentView, endpoint: &Endpoint, said: u64, tab: &mut Tab) {
    let first = endpoint.with_open_gates(until_finished(tab)).await;
    assert_eq!(outcome(&first), &Outcome::Completed, "{first:?}");
    let reads = |entry: &Entry| matches!(entry.body, EntryBody::Steered { seq, .. } if seq == said);
    assert!(!first.iter().any(reads), "{first:?}");
    let second = until_finished(tab).await;
    assert_eq!(outcome(&second), &Outcome::Completed, "{second:?}");
    let asked = models(endpoint).await;
    let own = asked.iter().position(|model| model == OTHER).expect("the other model was asked");
    let (usual, other) = asked.split_at(own);
    assert!(!usual.is_empty() && usual.iter().all(|model| *model == of.model), "{asked:?}");
    assert!(other.iter().all(|model| model == OTHER), "{asked:?}");
}

#[tokio::test]
async fn a_message_with_a_model_of_its_own_waits_for_the_run_under_way() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, of) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        scoped.runs().send_message(&of.id, GATED, None, None).await.unwrap();
        until(async || !models(&endpoint).await.is_empty()).await;
        let sent = scoped.runs().answered_by(OTHER).send_message(&of.id, "Mosses", None, None).await;
        let said = sent.unwrap().seq;
        let mut tab = open(&world, &viewer, "tab-1");
        tab.follow(&of.id, said).await.unwrap();
        two_runs(&of, &endpoint, said, &mut tab).await;
    })
    .await;
}

#[tokio::test]
async fn after_a_restart_a_message_with_a_model_of_its_own_still_waits() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, of) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let mut tab = open(&world, &viewer, "tab-1");
        tab.follow(&of.id, 0).await.unwrap();
        // Nobody answers the page's calls, so this run stays in the middle of a tool.
        tab.set_active(Some(of.id.clone())).await.unwrap();
        scoped.runs().send_message(&of.id, "script: draw", None, None).await.unwrap();
        trace::until(&mut tab, |body| matches!(body, EntryBody::ToolStarted { .. })).await;
        let sent = scoped.runs().answered_by(OTHER).send_message(&of.id, "Mosses", None, None).await;
        let said = sent.unwrap().seq;

        world.hub.close().await;
        let hub = world.reopened().await;
        let mut tab = hub.open_tab(viewer.clone(), "after".into()).unwrap();
        tab.follow(&of.id, said).await.unwrap();
        two_runs(&of, &endpoint, said, &mut tab).await;
    })
    .await;
}

#[tokio::test]
async fn retry_goes_on_with_the_model_of_the_message() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, of) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let mut tab = open(&world, &viewer, "tab-1");
        tab.follow(&of.id, 0).await.unwrap();
        let runs = scoped.runs().answered_by(OTHER);
        runs.send_message(&of.id, "script: fail529", None, None).await.unwrap();
        until_finished(&mut tab).await;
        let first = models(&endpoint).await.len();
        scoped.runs().retry(&of.id, None).await.unwrap();
        until_finished(&mut tab).await;
        let asked = models(&endpoint).await;
        assert!(asked.len() > first && asked.iter().all(|model| model == OTHER), "{asked:?}");
    })
    .await;
}

#[tokio::test]
async fn a_limit_is_held_against_what_the_model_of_the_answer_costs() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let provider = endpoint.provider(&scoped, ProviderKind::Anthropic).await;
        let of = Definition::on(&provider, "claude-sonnet-4-5").output(10_000).create(&scoped).await;
        // A call of the agent's own costs at most 16 cents, one of the other model at least 75.
        let caps = Caps { per_day: Some(Micros(300_000)), ..Caps::default() };
        scoped.ledger().limit_own(&caps).await.unwrap();
        let mut tab = open(&world, &viewer, "tab-1");
        tab.follow(&of.id, 0).await.unwrap();
        scoped.runs().send_message(&of.id, "Ferns", None, None).await.unwrap();
        let entries = until_finished(&mut tab).await;
        assert_eq!(outcome(&entries), &Outcome::Completed);
        scoped.runs().regenerate(&of.conversation, &run_of(&entries), DEARER, None).await.unwrap();
        let entries = until_finished(&mut tab).await;
        let Outcome::Failed { failure } = outcome(&entries) else { panic!("{entries:?}") };
        assert_eq!(failure.kind, ModelFailureKind::OverBudget);
        assert_eq!(models(&endpoint).await, ["claude-sonnet-4-5"], "the other one was not called");
    })
    .await;
}
