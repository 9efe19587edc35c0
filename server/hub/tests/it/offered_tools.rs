//! Which of its tools an agent's model is told of.

use crate::talk::PATIENCE;
use crate::world::{Definition, Endpoint, World, each_store};
use agent::tools;
use protocol::agent::ProviderKind;
use serde_json::{Value, json};

#[tokio::test]
async fn what_does_not_fit_beside_an_agents_tools_is_found_and_called() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let provider = endpoint.provider(&scoped, ProviderKind::OpenAi).await;
        let all = tools::all().iter().filter(|tool| !tool.is_of_the_web() && tool.name != tools::SEARCH);
        let agent =
            Definition::on(&provider, "gpt-5-mini").tools(all.map(|tool| tool.name)).create(&scoped).await.id;
        let finding = json!([
            [{ "tool": "tool_search", "input": { "query": "pipelines of tasks" } }],
            [{ "tool": "pipeline_status", "input": {} }],
            [{ "text": "{results}" }],
        ]);
        let answered = scoped.runs().ask(&agent, &format!("turns: {finding}"), None, PATIENCE).await.unwrap();
        assert!(answered.text.contains(r#""pipelines""#), "{}", answered.text);
        let requests = endpoint.requests().await;
        let declared = |request: &Value| {
            let tools = request["body"]["tools"].as_array().unwrap();
            let names = tools.iter().map(|tool| tool["function"]["name"].as_str().unwrap().to_owned());
            names.collect::<Vec<_>>()
        };
        let (first, last) = (declared(&requests[0]), declared(requests.last().unwrap()));
        for name in ["tool_search", "read", "dom", "memory"] {
            assert!(first.contains(&name.to_owned()), "{name} is told at once: {first:?}");
        }
        assert!(!first.contains(&"pipeline_status".to_owned()), "{first:?}");
        assert!(requests[0]["body"].to_string().contains("among others: "), "the others are named");
        assert!(last.contains(&"pipeline_status".to_owned()), "what was found is told: {last:?}");
    })
    .await;
}
