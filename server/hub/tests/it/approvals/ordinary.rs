//! What ordinary work costs a person in answers: each task, with the confirmations that it needs.

use super::way_out::{Scene, get, storage};
use super::{set, turns};
use crate::world::{Definition, World, each_store_with_a_web};
use agent::tools;
use protocol::approval::Decision;
use protocol::view::Network;
use serde_json::{Value, json};

#[tokio::test]
async fn nine_of_ten_ordinary_tasks_need_one_answer_at_most() {
    each_store_with_a_web(async |world: World| {
        let servers = Scene::begin(&world, "ada").await;
        let (news, prices) = (|| get(servers.page.url("/news")), || get(servers.page.url("/prices")));
        let (shop, weather) = (|| get(servers.evil.url("/shop")), || get(servers.evil.url("/weather")));
        let order = || post(servers.page.url("/orders"));
        let report = || post(servers.evil.url("/reports"));
        let tasks: [(&str, Vec<Value>, usize); 34] = [
            ("say what day it is", vec![call("datetime", json!({}))], 0),
            ("say what it can do", vec![call("capabilities", json!({})), call("list_tools", json!({}))], 0),
            ("draw a page", vec![draw()], 0),
            ("draw a page and look at it", vec![draw(), look()], 0),
            ("draw, measure and mend a page", vec![draw(), script(), look(), draw()], 0),
            ("keep a number", vec![set("a", 1)], 0),
            ("count something on the page", vec![look(), set("a", 2), draw()], 0),
            ("write a diary", vec![storage(), keep("diary")], 0),
            ("look a note up", vec![list(), storage()], 0),
            ("make a to-do list", vec![set("todo", 1), draw(), script()], 0),
            ("remember what was said", vec![call("context_search", json!({ "query": "moss" }))], 0),
            ("put a page aside and draw another one", vec![save(), draw()], 0),
            ("show a chart", vec![list(), render()], 0),
            ("read how pages work", vec![call("list_skills", json!({})), skill()], 0),
            ("make a tool and use it", vec![make(), call("double", json!({}))], 0),
            ("read the news", vec![news()], 0),
            ("show the news", vec![news(), draw()], 0),
            ("compare prices", vec![prices(), shop(), set("best", 3)], 1),
            ("read three pages and show them", vec![news(), prices(), shop(), draw()], 2),
            ("note the weather", vec![weather(), keep("weather")], 0),
            ("read, keep, and show a table", vec![prices(), keep("prices"), set("best", 3), render()], 0),
            ("look a note up and read the news", vec![storage(), news()], 0),
            ("order something", vec![order()], 1),
            ("look at prices and order", vec![prices(), order()], 1),
            ("read a note and order what it says", vec![storage(), order()], 1),
            ("order and draw the receipt", vec![order(), draw(), set("paid", 1)], 1),
            ("compare with what was kept", vec![prices(), storage(), shop()], 1),
            ("go on reading after a note", vec![news(), storage(), news(), prices()], 1),
            ("look at the page and then at the news", vec![draw(), look(), news()], 1),
            ("run a script and fetch what it names", vec![script(), weather()], 1),
            ("a week's plan with the weather", vec![list(), storage(), look(), weather(), draw()], 1),
            ("order twice at one shop", vec![order(), order()], 1),
            ("order and report elsewhere", vec![order(), report()], 2),
            ("read, remember, order and report", vec![news(), storage(), order(), report()], 2),
        ];
        for (number, (task, calls, expected)) in world.share(tasks.iter().enumerate()) {
            let mut scene = Scene::begin(&world, &format!("ada{number}")).await;
            scene.give_all(&world, &servers).await;
            let asked = scene.run(&world, &turns(calls), Decision::Run).await;
            assert_eq!(asked.len(), *expected, "{task}: {asked:?}");
        }
        let at_most_one = tasks.iter().filter(|(_, _, answers)| *answers <= 1).count();
        assert!(at_most_one * 10 >= tasks.len() * 9, "{at_most_one} of {}", tasks.len());
    })
    .await;
}

impl Scene {
    /// Every tool there is, and the web of these servers.
    async fn give_all(&self, world: &World, servers: &Self) {
        let scoped = world.hub.for_viewer(&self.viewer);
        let view = scoped.agents().get(&self.agent).await.unwrap();
        let tools = tools::all().iter().filter(|tool| !tool.is_of_the_web()).map(|tool| tool.name.to_owned());
        Definition::like(&view).tools(tools).replace(&scoped, &self.agent).await;
        let network = Network::AllowList { hosts: vec![servers.page.host(), servers.evil.host()] };
        scoped.networks().set(&self.agent, network).await.unwrap();
    }
}

fn call(tool: &str, input: Value) -> Value {
    json!({ "tool": tool, "input": input })
}

fn post(url: String) -> Value {
    call("fetch", json!({ "url": url, "method": "POST", "body": "x" }))
}

fn draw() -> Value {
    call("dom", json!({ "action": "create", "html": "<p>moss</p>" }))
}

fn look() -> Value {
    call("dom", json!({ "action": "query", "selector": "p" }))
}

fn script() -> Value {
    call("runjs", json!({ "code": "return document.title" }))
}

fn list() -> Value {
    call("state", json!({ "action": "list" }))
}

fn keep(key: &str) -> Value {
    call("storage", json!({ "action": "set", "key": key, "value": "moss" }))
}

fn save() -> Value {
    call("skins", json!({ "action": "save", "name": "evening" }))
}

fn render() -> Value {
    call("render_ui", json!({ "html": "<p>moss</p>", "title": "Moss" }))
}

fn skill() -> Value {
    call("get_skill", json!({ "name": "page-api" }))
}

fn make() -> Value {
    let schema = json!({ "type": "object", "properties": {} });
    let input =
        json!({ "name": "double", "description": "Doubles.", "input_schema": schema, "code": "return 2" });
    call("create_tool", input)
}
