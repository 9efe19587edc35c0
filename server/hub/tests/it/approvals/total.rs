//! Every tool, whoever calls it, whatever says no: what is done is counted from outside, and is nothing.
//! The list is the registry's, so that a new tool is in it by itself.

mod calls;
mod scene;

use super::add_rule;
use crate::world::{World, each_store_with_a_web};
use calls::{call_of, effect_of, is_for_pages, is_of_the_web, names};
use protocol::approval::Decision;
use scene::{Effects, Scene};
use serde_json::{Value, json};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Who {
    ModelAtTheHub,
    ModelInABrowser,
    /// The same for a program that asks and waits for the answer.
    Program,
    /// The same for a schedule that is due.
    Schedule,
    /// The same for one that takes the agent for a model.
    ProgramOfModels,
    /// The model, woken by the page.
    PageWake,
    /// The model, woken by a rule about the state.
    RuleWake,
    /// The model, thinking by itself: it has one reply and calls nothing.
    Ambient,
    Page,
}

/// Those that a person's money is asked for by what they say.
const PAID: [Who; 4] = [Who::ModelAtTheHub, Who::ModelInABrowser, Who::Program, Who::Schedule];
const ALL: [Who; 8] = [
    Who::ModelAtTheHub,
    Who::ModelInABrowser,
    Who::Program,
    Who::Schedule,
    Who::ProgramOfModels,
    Who::PageWake,
    Who::RuleWake,
    Who::Page,
];
/// The topic that the agent hears already.
const HEARD: &str = "fern";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Case {
    Allowed,
    Hook,
    Rule,
    /// What the agent may reach of the web leaves the server out.
    Network,
    Denied,
    Expired,
    /// There is no money for the model, so it calls nothing. A page calls no model.
    Budget,
}

/// Those that are called. One caller shows that the network keeps no other tool from its work.
fn called(who: Who, case: Case) -> Vec<&'static str> {
    let all = case != Case::Network || who == Who::ModelAtTheHub;
    // It is denied there like `fetch`, in a story of its own.
    let is_told = |name: &&str| case != Case::Network || *name != "external_job";
    let names = names().into_iter().filter(is_told);
    names.filter(|name| all || is_of_the_web(name) || *name == "state").collect()
}

/// Everybody with both cases, so that of two neighbours neither who nor the case is the same each time.
fn each_with(first: Case, second: Case) -> impl Iterator<Item = (Who, Case)> {
    ALL.into_iter().enumerate().flat_map(move |(at, who)| {
        let cases = if at % 2 == 0 { [first, second] } else { [second, first] };
        cases.map(|case| (who, case))
    })
}

/// What stands in the audit of a call that is not made.
fn decided_by(case: Case) -> &'static str {
    match case {
        Case::Allowed | Case::Rule => "rule",
        Case::Network => "network",
        Case::Hook => "hook",
        Case::Denied => "person",
        Case::Expired => "time",
        Case::Budget => "nobody",
    }
}

/// What was done in between, without what was not.
fn done(before: &Effects, after: &Effects) -> Effects {
    let more = |(place, count): (&&'static str, &i64)| (*place, count - before.get(place).unwrap_or(&0));
    after.iter().map(more).filter(|(_, count)| *count != 0).collect()
}

fn expected(names: impl Iterator<Item = &'static str>) -> Effects {
    let mut effects = Effects::new();
    for place in names.filter_map(effect_of) {
        *effects.entry(place).or_default() += 1;
    }
    effects
}

async fn check(world: &World, who: Who, case: Case) {
    // Where no state is written no rule about it comes true.
    if who == Who::RuleWake && matches!(case, Case::Hook | Case::Rule) {
        return;
    }
    let mut scene = Scene::begin(world, who, case).await;
    let names = called(who, case);
    let calls: Vec<Value> = names.iter().map(|name| call_of(name, &scene.sink)).collect();
    let before = scene.effects().await;
    let decision = (case != Case::Expired).then_some(Decision::Deny);
    scene.make(&calls, decision).await;
    let done = done(&before, &scene.effects().await);
    let audit = scene.audit().await;
    let may = |name: &&str| who != Who::Page || is_for_pages(name);
    if case == Case::Allowed {
        assert_eq!(done, expected(names.into_iter().filter(may)), "{who:?} {case:?}: {audit:?}");
        assert!(audit.iter().all(|(_, by)| by == "rule" || who == Who::Page), "{audit:?}");
        return;
    }
    if case == Case::Network {
        let others = names.into_iter().filter(may).filter(|name| !is_of_the_web(name));
        assert_eq!(done, expected(others), "{who:?} {case:?}: {audit:?}");
        let denied = audit.iter().filter(|(_, by)| by == decided_by(case)).collect::<Vec<_>>();
        assert_eq!(denied, [&("denied".to_owned(), "network".to_owned())], "{who:?}: {audit:?}");
        return;
    }
    assert_eq!(done, Effects::new(), "{who:?} {case:?}: {audit:?}");
    if case == Case::Budget {
        assert_eq!(audit, []);
        return;
    }
    assert_eq!(audit.len(), calls.len());
    for (call, (outcome, by)) in calls.iter().zip(&audit) {
        let name = call["tool"].as_str().unwrap();
        assert_eq!(outcome, "denied", "{who:?} {case:?} {name}");
        // After six denials nothing is asked any more of what writes, and a page's tier comes first.
        let expected: &[&str] = match case {
            Case::Denied | Case::Expired => &[decided_by(case), "default"],
            Case::Allowed | Case::Hook | Case::Rule | Case::Network | Case::Budget => &[decided_by(case)],
        };
        assert!(expected.contains(&by.as_str()), "{who:?} {case:?} {name}: {by}");
    }
}

#[tokio::test]
async fn what_is_allowed_is_done() {
    each_store_with_a_web(async |world: World| {
        for who in world.share(ALL) {
            check(&world, who, Case::Allowed).await;
        }
    })
    .await;
}

#[tokio::test]
async fn an_agent_that_thinks_by_itself_does_nothing_whatever_is_allowed() {
    each_store_with_a_web(async |world: World| {
        let mut scene = Scene::begin(&world, Who::Ambient, Case::Allowed).await;
        let calls: Vec<Value> = names().into_iter().map(|name| call_of(name, &scene.sink)).collect();
        let before = scene.effects().await;
        scene.run(&calls, None).await;
        assert_eq!(done(&before, &scene.effects().await), Effects::new());
        assert_eq!(scene.audit().await, []);
    })
    .await;
}

#[tokio::test]
async fn what_the_network_leaves_out_is_not_reached_whoever_calls() {
    each_store_with_a_web(async |world: World| {
        for who in world.share(ALL) {
            check(&world, who, Case::Network).await;
        }
    })
    .await;
}

#[tokio::test]
async fn what_a_hook_or_a_rule_denies_is_not_done_whoever_calls() {
    each_store_with_a_web(async |world: World| {
        for (who, case) in world.share(each_with(Case::Hook, Case::Rule)) {
            check(&world, who, case).await;
        }
    })
    .await;
}

#[tokio::test]
async fn what_a_person_denies_or_leaves_unanswered_is_not_done_whoever_calls() {
    each_store_with_a_web(async |world: World| {
        for (who, case) in world.share(each_with(Case::Denied, Case::Expired)) {
            check(&world, who, case).await;
        }
    })
    .await;
}

#[tokio::test]
async fn without_money_nothing_is_done() {
    each_store_with_a_web(async |world: World| {
        for who in world.share(PAID) {
            check(&world, who, Case::Budget).await;
        }
    })
    .await;
}

#[tokio::test]
async fn after_six_denials_nothing_is_changed_whoever_calls() {
    each_store_with_a_web(async |world: World| {
        for who in world.share(ALL) {
            let mut scene = Scene::begin(&world, who, Case::Allowed).await;
            let refused = ["storage", "skins", "context_search", "capabilities", "datetime", "list_tools"];
            for tool in refused {
                add_rule(&world.hub, &scene.viewer, "deny", tool, "").await;
            }
            let write =
                |key: &str| json!({ "tool": "state", "input": { "action": "set", "key": key, "value": 1 } });
            let mut calls: Vec<Value> = refused.iter().map(|name| call_of(name, &scene.sink)).collect();
            calls.insert(5, write("after five"));
            calls.push(write("after six"));
            let before = scene.effects().await;
            scene.make(&calls, Some(Decision::Once)).await;
            let audit = scene.audit().await;
            let by_person = audit.iter().filter(|(_, by)| by == "person").count();
            assert_eq!(by_person, 1, "after three denials a yes is needed: {who:?}: {audit:?}");
            let done = done(&before, &scene.effects().await);
            assert_eq!(done, Effects::from([("state", 1)]), "{who:?}: {audit:?}");
            let last = audit.last().map(|(outcome, by)| (outcome.as_str(), by.as_str()));
            assert_eq!(last, Some(("denied", "default")), "{who:?}: {audit:?}");
        }
    })
    .await;
}
