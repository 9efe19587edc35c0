//! Where an answer leads a request of an agent's: no further than its person would let it go unasked, wherever
//! the loop runs, and whoever called.

use super::way_out::deny_by_hook;
use super::{add_rule, results, set, turns};
use crate::runs::driven::Browser;
use crate::runs::page::Page;
use crate::runs::{agent, open, trace};
use crate::world::{Endpoint, Sink, World, each_store_with_a_web};
use hub::Viewer;
use protocol::AgentId;
use protocol::agent::{Home, ProviderKind};
use protocol::approval::Decision;
use protocol::hub::HubFrame;
use protocol::log::{Entry, EntryBody};
use protocol::model::ToolCall;
use protocol::page::Answer;
use protocol::view::Network;
use serde_json::{Value, json};

struct Scene<'a> {
    world: &'a World,
    viewer: Viewer,
    agent: AgentId,
    browser: Browser,
    /// Sends everybody on to the other one.
    led: Sink,
    other: Sink,
    _endpoint: Endpoint,
}

impl<'a> Scene<'a> {
    async fn begin(world: &'a World, person: &str, home: Home) -> Self {
        let endpoint = Endpoint::start();
        let other = Sink::start("Thank you.");
        let led = Sink::leading(&other.url("/secret"));
        let viewer = world.person(person).await;
        let agent = agent(world, &viewer, &endpoint, ProviderKind::Anthropic, home).await.id;
        let network = Network::AllowList { hosts: vec![led.host(), other.host()] };
        world.hub.for_viewer(&viewer).networks().set(&agent, network).await.unwrap();
        let mut browser = Browser::new(open(world, &viewer, person), Page::default());
        browser.show(&agent).await;
        Self { world, viewer, agent, browser, led, other, _endpoint: endpoint }
    }

    /// What came of these calls, when the person says this to each that is asked about.
    async fn run(&mut self, calls: &[Value], decide: impl Fn(&ToolCall) -> Decision) -> Vec<(String, bool)> {
        let scoped = self.world.hub.for_viewer(&self.viewer);
        let tab = self.viewer.me.name.as_str().into();
        scoped.runs().send_message(&self.agent, &turns(calls), None, Some(&tab)).await.unwrap();
        let mut entries: Vec<Entry> = Vec::new();
        let is_over = |entries: &[Entry]| {
            entries.last().is_some_and(|entry| matches!(entry.body, EntryBody::RunFinished { .. }))
        };
        while !is_over(&entries) {
            let Some(entry) = self.browser.step().await else { continue };
            if let EntryBody::ApprovalAsked { approval } = &entry.body {
                let decision = decide(&approval.call);
                scoped.approvals().answer(&approval.id, &approval.hash, decision, "").await.unwrap();
            }
            entries.push(entry);
        }
        results(&entries)
    }

    /// What the page is told, when the person says yes to what it asks.
    async fn page_calls(&mut self, input: Value) -> String {
        self.browser.tab.page_call(&self.agent, 9, "fetch".to_owned(), input).await.unwrap();
        loop {
            let frame = trace::next(&mut self.browser.tab).await;
            if let HubFrame::Answered { id: 9, answer } = frame {
                return match answer {
                    Answer::Text { text } => text,
                    answer => panic!("{answer:?}"),
                };
            }
            let Some(Entry { body: EntryBody::ApprovalAsked { approval }, .. }) =
                self.browser.take(frame).await
            else {
                continue;
            };
            let scoped = self.world.hub.for_viewer(&self.viewer);
            scoped.approvals().answer(&approval.id, &approval.hash, Decision::Once, "").await.unwrap();
        }
    }

    fn was_not_followed(&self, told: &str) {
        assert_eq!(self.led.heard().len(), 1, "{told}");
        assert_eq!(self.other.heard(), Vec::<String>::new(), "{told}");
        let told: Value = serde_json::from_str(told).unwrap();
        let words = told["not_followed"].as_str().unwrap();
        assert!(words.contains(&self.other.url("/secret")), "the model is told where it leads: {words}");
    }
}

fn get(url: String) -> Value {
    json!({ "tool": "fetch", "input": { "url": url } })
}

fn yes(_: &ToolCall) -> Decision {
    Decision::Once
}

const HOMES: [(&str, Home); 2] = [("ada", Home::Hub), ("bo", Home::Browser)];

#[tokio::test]
async fn a_redirect_to_where_a_rule_asks_is_not_followed() {
    each_store_with_a_web(async |world: World| {
        for (person, home) in HOMES {
            let mut scene = Scene::begin(&world, person, home).await;
            add_rule(&world.hub, &scene.viewer, "ask", "fetch", &scene.other.host()).await;
            let told = scene.run(&[get(scene.led.url("/"))], yes).await;
            scene.was_not_followed(&told[0].0);
            // The model may ask for that one by itself.
            scene.run(&[get(scene.other.url("/secret"))], yes).await;
            assert_eq!(scene.other.heard().len(), 1, "{home:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn after_three_denials_a_yes_to_one_server_is_none_to_where_it_leads() {
    each_store_with_a_web(async |world: World| {
        for (person, home) in HOMES {
            let mut scene = Scene::begin(&world, person, home).await;
            add_rule(&world.hub, &scene.viewer, "deny", "state", "locked").await;
            let mut calls: Vec<_> = (1..=3).map(|value| set("locked", value)).collect();
            calls.push(get(scene.led.url("/")));
            let told = scene.run(&calls, yes).await;
            scene.was_not_followed(&told[3].0);
        }
    })
    .await;
}

#[tokio::test]
async fn a_yes_to_a_page_for_one_server_is_none_to_where_it_leads() {
    each_store_with_a_web(async |world: World| {
        let mut scene = Scene::begin(&world, "ada", Home::Hub).await;
        let told = scene.page_calls(json!({ "url": scene.led.url("/") })).await;
        scene.was_not_followed(&told);
    })
    .await;
}

#[tokio::test]
async fn a_redirect_on_one_server_goes_to_no_path_that_a_rule_or_hook_speaks_of() {
    each_store_with_a_web(async |world: World| {
        for (number, verdict) in ["ask", "deny", "hook", "allow", "yes"].into_iter().enumerate() {
            let mut scene = Scene::begin(&world, &format!("ada{number}"), Home::Hub).await;
            let led = Sink::leading("/secret");
            let scoped = world.hub.for_viewer(&scene.viewer);
            let network = Network::AllowList { hosts: vec![led.host()] };
            scoped.networks().set(&scene.agent, network).await.unwrap();
            let path = |path: &str| format!("{}{path}", led.host());
            let mut input = json!({ "url": led.url("/open") });
            match verdict {
                "hook" => deny_by_hook(&world, &scene.viewer, &scene.agent, "fetch", "/secret").await,
                // A yes for one path, to a request that would need one.
                "allow" => {
                    add_rule(&world.hub, &scene.viewer, "ask", "fetch", "").await;
                    add_rule(&world.hub, &scene.viewer, "allow", "fetch", &path("/open")).await;
                }
                // What the person agreed to may be led on by the server that they were shown.
                "yes" => input["method"] = json!("DELETE"),
                verdict => add_rule(&world.hub, &scene.viewer, verdict, "fetch", &path("/secret")).await,
            }
            scene.run(&[json!({ "tool": "fetch", "input": input })], yes).await;
            let led_on = led.heard().iter().any(|request| request.contains("/secret"));
            assert_eq!(led_on, verdict == "yes", "{verdict}");
        }
    })
    .await;
}
