//! What agents of flo.monster call: the answer to their page, another view, and their own calls.

use crate::runs::driven::Browser;
use crate::runs::page::Page;
use crate::runs::{agent, open};
use crate::world::{Definition, Endpoint, World, each_store};
use protocol::AgentId;
use protocol::agent::{Home, ProviderKind};
use protocol::log::{Entry, EntryBody};
use serde_json::{Value, json};

struct Scene<'a> {
    world: &'a World,
    viewer: hub::Viewer,
    agent: AgentId,
    browser: Browser,
    _endpoint: Endpoint,
}

impl<'a> Scene<'a> {
    async fn begin(world: &'a World, home: Home) -> Self {
        let endpoint = Endpoint::start();
        let viewer = world.person(&format!("ada-{home:?}")).await;
        let view = agent(world, &viewer, &endpoint, ProviderKind::Anthropic, home).await;
        let guests = Definition::like(&view).tools(["agent_respond", "view_state", "audit_log"]).home(home);
        guests.replace(&world.hub.for_viewer(&viewer), &view.id).await;
        let mut browser = Browser::new(open(world, &viewer, "laptop"), Page::default());
        browser.show(&view.id).await;
        Self { world, viewer, agent: view.id, browser, _endpoint: endpoint }
    }

    /// Says this to the model, and gives the results of the calls that it makes.
    async fn say(&mut self, text: &str) -> Vec<(String, bool)> {
        let scoped = self.world.hub.for_viewer(&self.viewer);
        scoped.runs().send_message(&self.agent, text, None, Some(&"laptop".into())).await.unwrap();
        results(&self.browser.until_finished().await)
    }
}

fn results(entries: &[Entry]) -> Vec<(String, bool)> {
    let result = |entry: &Entry| match &entry.body {
        EntryBody::ToolFinished { result, .. } => Some((result.content.clone(), result.is_error)),
        _ => None,
    };
    entries.iter().filter_map(result).collect()
}

fn turns(kind: &str, calls: &[Value]) -> String {
    let mut turns: Vec<Value> = calls.iter().map(|call| json!([call])).collect();
    turns.push(json!([{ "text": "Done." }]));
    format!("{kind}: {}", Value::from(turns))
}

#[tokio::test]
async fn a_page_gets_the_value_that_its_agent_answers_with() {
    each_store(async |world: World| {
        for home in [Home::Hub, Home::Browser] {
            let mut scene = Scene::begin(&world, home).await;
            let respond = |input: Value| json!({ "tool": "agent_respond", "input": input });
            let nobody = scene.say(&turns("turns", &[respond(json!({ "result": 1 }))])).await;
            assert!(nobody[0].1 && nobody[0].0.contains("waits for no answer"), "{nobody:?}");

            for (id, input, answer) in [
                (7, json!({ "result": { "list": "ferns" } }), r#"{"list":"ferns"}"#),
                (8, json!({ "result": "ferns" }), "ferns"),
            ] {
                let again = respond(json!({ "result": "again" }));
                let ready = format!(
                    "turns: [[{{\"text\":\"Ready.\"}}]]\n{}",
                    turns("next", &[respond(input), again])
                );
                scene.say(&ready).await;
                scene.browser.tab.page_ask(&scene.agent, id, "classify").await.unwrap();
                assert_eq!(scene.browser.answer(id).await, answer);
                let results = results(&scene.browser.until_finished().await);
                assert!(results.last().unwrap().1, "an answer is given once: {results:?}");
            }
        }
    })
    .await;
}

#[tokio::test]
async fn another_view_is_offered_where_the_page_is_open() {
    each_store(async |world: World| {
        let mut scene = Scene::begin(&world, Home::Hub).await;
        let calls = [json!({ "tool": "view_state", "input": { "state": "ui-only" } })];
        let offered = scene.say(&turns("turns", &calls)).await;
        assert!(!offered[0].1 && offered[0].0.contains("\"done\":1"), "{offered:?}");
        let wrong = [json!({ "tool": "view_state", "input": { "state": "upside down" } })];
        let refused = scene.say(&turns("turns", &wrong)).await;
        assert!(refused[0].1, "{refused:?}");
    })
    .await;
}

#[tokio::test]
async fn an_agent_reads_its_own_calls_and_nobody_elses() {
    each_store(async |world: World| {
        let mut scene = Scene::begin(&world, Home::Hub).await;
        let mut other = Scene::begin(&world, Home::Browser).await;
        let view = json!({ "tool": "view_state", "input": { "state": "max" } });
        other.say(&turns("turns", std::slice::from_ref(&view))).await;
        scene.say(&turns("turns", &[view])).await;
        let audit = |input: Value| json!({ "tool": "audit_log", "input": input });
        let calls = [
            audit(json!({})),
            audit(json!({ "format": "json", "source": "srcdoc" })),
            audit(json!({ "format": "jsonl", "limit": 1 })),
        ];
        let told = scene.say(&turns("turns", &calls)).await;
        let summary: Vec<&str> = told[0].0.lines().collect();
        assert!(summary.len() == 2 && summary[1].ends_with("model view_state: done"), "{summary:?}");
        assert_eq!(told[1].0, "[]");
        let newest: Value = serde_json::from_str(&told[2].0).unwrap();
        assert_eq!((&newest["tool"], &newest["caller"]), (&json!("audit_log"), &json!("model")));
    })
    .await;
}
