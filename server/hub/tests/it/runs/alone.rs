//! Runs of an agent whose page nobody has open: the hub's engine answers in its place.

use super::driven::Browser;
use super::page::Page;
use super::{agent, open, outcome, trace};
use crate::world::{Definition, Endpoint, World, each_store};
use hub::{Tab, Viewer};
use protocol::agent::{Home, ProviderKind};
use protocol::log::{Entry, EntryBody, Outcome};
use protocol::page::Listener;
use protocol::view::AgentView;
use protocol::{AgentId, TabId};
use serde_json::{Value, json};

#[tokio::test]
async fn with_no_page_open_the_hub_draws_and_runs_scripts() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let (agent, mut tab) = alone(&world, &viewer, &endpoint, Home::Hub).await;
        tab.set_state(&agent.id, "old".to_owned(), json!(1)).await.unwrap();
        let entries = told(&world, &viewer, &agent.id, &mut tab, "alone").await;
        assert_eq!(outcome(&entries), &Outcome::Completed);

        let results = results(&entries);
        let said = |at: usize, part: &str| results[at].1[part].clone();
        assert_eq!(said(0, "created"), json!(["<h1>", "<script>"]));
        assert_eq!(said(0, "rendered"), json!({ "width": null, "height": null, "visible": null }));
        assert_eq!(said(1, "executionMode"), "hub-only");
        assert_eq!((said(1, "runjs"), said(1, "dom")), (json!("engine"), json!("structural")));
        assert_eq!((said(3, "value"), said(3, "console")), (json!(42), json!(["log: grown"])));
        assert!(said(4, "error").as_str().unwrap().contains("no page is open"), "{results:?}");
        assert_eq!(said(6, "value"), 43);
        for at in [0, 2, 3, 4, 6] {
            assert_eq!(said(at, "backend"), "hub", "{results:?}");
        }
        let errors: Vec<bool> = results.iter().map(|(is_error, _)| *is_error).collect();
        assert_eq!(errors, [false, false, false, false, true, false, false]);

        let scoped = world.hub.for_viewer(&viewer);
        assert_eq!(json!(scoped.states().read(&agent.id).await.unwrap()), json!({ "leaves": 3 }));
        let skin = scoped.skins().current(&agent.id).await.unwrap().unwrap();
        assert_eq!(skin.version, 2);
        assert_eq!(skin.page.body, "<h1>Moss</h1><script>document.title = 'Moss'</script>");
        let listener = Listener { selector: "h1".to_owned(), event: "click".to_owned() };
        assert_eq!(skin.page.listeners, [listener]);
        for entry in &entries {
            assert!(!matches!(&entry.body, EntryBody::Skin { by: Some(_), .. }), "{entry:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_result_says_who_answered_whatever_the_page_says() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        for (home, mode) in [(Home::Hub, "hub-with-browser"), (Home::Browser, "browser-with-hub")] {
            let (agent, _) = alone(&world, &viewer, &endpoint, home).await;
            let mut browser = Browser::new(open(&world, &viewer, "tab-1"), Page::default());
            browser.show(&agent.id).await;
            let tab = TabId::from("tab-1");
            let scoped = world.hub.for_viewer(&viewer);
            scoped.runs().send_message(&agent.id, "script: alone", None, Some(&tab)).await.unwrap();
            let results = results(&browser.until_finished().await);
            assert_eq!(results[0].1, json!({ "done": 1, "backend": "page" }));
            let told = ["executionMode", "runjs", "dom"].map(|part| results[1].1[part].clone());
            assert_eq!(told, [json!(mode), json!("page"), json!("page")]);
        }
    })
    .await;
}

#[tokio::test]
async fn a_tab_that_does_not_follow_the_agent_is_not_asked() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let (agent, mut follower) = alone(&world, &viewer, &endpoint, Home::Hub).await;
        let shower = open(&world, &viewer, "tab-1");
        shower.set_active(Some(agent.id.clone())).await.unwrap();
        let entries = told(&world, &viewer, &agent.id, &mut follower, "alone").await;
        assert_eq!(results(&entries)[0].1["backend"], "hub");
    })
    .await;
}

#[tokio::test]
async fn stop_ends_a_script_that_cannot_be_interrupted() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let (agent, mut tab) = alone(&world, &viewer, &endpoint, Home::Hub).await;
        let scoped = world.hub.for_viewer(&viewer);
        scoped.runs().send_message(&agent.id, "script: endless", None, None).await.unwrap();
        trace::until(&mut tab, |body| matches!(body, EntryBody::ToolStarted { .. })).await;
        scoped.runs().stop(&agent.id).await.unwrap();
        let entries = trace::until_finished(&mut tab).await;
        assert_eq!(outcome(&entries), &Outcome::Stopped);
    })
    .await;
}

#[tokio::test]
async fn more_state_than_there_may_be_is_refused_and_none_of_it_kept() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let (agent, mut tab) = alone(&world, &viewer, &endpoint, Home::Hub).await;
        let entries = told(&world, &viewer, &agent.id, &mut tab, "too-much").await;
        let finished = entries.iter().find_map(|entry| match &entry.body {
            EntryBody::ToolFinished { result, .. } => Some((result.is_error, result.content.as_str())),
            _ => None,
        });
        let why = "What the script set was not kept: There are 500 keys already. Delete one first.";
        let why = json!({ "backend": "hub", "error": why }).to_string();
        assert_eq!(finished, Some((true, why.as_str())));
        let scoped = world.hub.for_viewer(&viewer);
        assert!(scoped.states().read(&agent.id).await.unwrap().is_empty());
    })
    .await;
}

/// An agent that may make tools, and a tab that follows it without showing its page.
async fn alone(world: &World, viewer: &Viewer, endpoint: &Endpoint, home: Home) -> (AgentView, Tab) {
    let made = agent(world, viewer, endpoint, ProviderKind::Anthropic, home).await;
    let tools = made.tools.iter().map(String::as_str).chain(["create_tool"]);
    let maker = Definition::like(&made).tools(tools).home(home);
    let agent = maker.replace(&world.hub.for_viewer(viewer), &made.id).await;
    let mut tab = open(world, viewer, "follower");
    tab.follow(&agent.id, 0).await.unwrap();
    (agent, tab)
}

async fn told(world: &World, viewer: &Viewer, agent: &AgentId, tab: &mut Tab, script: &str) -> Vec<Entry> {
    let text = format!("script: {script}");
    world.hub.for_viewer(viewer).runs().send_message(agent, &text, None, None).await.unwrap();
    trace::until_finished(tab).await
}

/// What the tools answered, in the order in which they finished.
fn results(entries: &[Entry]) -> Vec<(bool, Value)> {
    let results = entries.iter().filter_map(|entry| match &entry.body {
        EntryBody::ToolFinished { result, .. } => Some(result),
        _ => None,
    });
    results.map(|result| (result.is_error, serde_json::from_str(&result.content).unwrap())).collect()
}
