//! What programs say to agents: which of them may, whose words it is, and under whose limits it is read.

use super::{agent, chat, hello, json_of, program, provider};
use crate::talk::PATIENCE;
use crate::world::{Endpoint, World, each_store};
use hub::{OpenedAgents, Viewer, Words};
use protocol::AgentId;
use protocol::agent::ProviderKind;
use protocol::log::{EntryBody, Sender};
use protocol::view::TokenScope;
use serde_json::json;

/// A program of this person's that may do what they can.
async fn relay(world: &World, viewer: &Viewer, name: &str, words: Words) -> Viewer {
    let scoped = world.hub.for_viewer(viewer);
    let made = scoped
        .account()
        .make_token(name, TokenScope::Everything, words, None, OpenedAgents::All)
        .await
        .unwrap();
    assert_eq!(made.view.relays, words == Words::OfOthers);
    world.hub.accounts().viewer_by_token(&made.token).await.unwrap().unwrap()
}

async fn messages(world: &World, viewer: &Viewer, agent: &AgentId) -> Vec<(Sender, String)> {
    let entries = world.hub.for_viewer(viewer).conversations().entries(agent, 0).await.unwrap();
    let said = entries.into_iter().filter_map(|entry| match entry.body {
        EntryBody::Message { from, text, .. } => Some((from, text)),
        _ => None,
    });
    said.collect()
}

#[tokio::test]
async fn a_token_for_models_calls_no_agent_and_learns_of_none() {
    let endpoint = Endpoint::start();
    each_store(async |world| {
        let ada = world.person("ada").await;
        provider(&world, &ada, "Claude", ProviderKind::Anthropic, &endpoint).await;
        let fern = agent(&world, &ada, "Fern").await;
        let made = world
            .hub
            .for_viewer(&ada)
            .account()
            .make_token("ide", TokenScope::Models, Words::Own, None, OpenedAgents::All)
            .await;
        let bearer = world.hub.accounts().bearer(&made.unwrap().token, "").await.unwrap().unwrap();
        assert!(bearer.viewer.is_none());
        let names = world.hub.for_program(&bearer.program).models().await.unwrap();
        assert!(!names.is_empty() && names.iter().all(|model| model.owner != "agent"), "{names:?}");
        let (status, body) = json_of(chat(&world, &bearer.program, hello("agent/Fern", "Hi")).await);
        assert_eq!(status, 403, "{body}");
        assert!(body["error"]["message"].as_str().unwrap().contains("token for agents"), "{body}");
        assert_eq!(messages(&world, &ada, &fern.id).await, []);
        let (status, body) = json_of(chat(&world, &bearer.program, hello("claude-sonnet-4-5", "Hi")).await);
        assert_eq!(status, 200, "{body}");
    })
    .await;
}

#[tokio::test]
async fn what_a_program_asks_an_agent_at_work_is_left_for_no_other_run() {
    let endpoint = Endpoint::start();
    each_store(async |world| {
        let ada = world.person("ada").await;
        provider(&world, &ada, "Claude", ProviderKind::Anthropic, &endpoint).await;
        let (program, _) = program(&world, &ada, None).await;
        let fern = agent(&world, &ada, "Fern").await;
        let asks = (0..8).map(|n| chat(&world, &program, hello("agent/Fern", &format!("Number {n}"))));
        let replies = futures_util::future::join_all(asks).await;
        let answered: Vec<u16> = replies.iter().map(|reply| reply.status).collect();
        let good = answered.iter().filter(|status| **status == 200).count();
        assert!(good >= 1 && answered.iter().all(|status| [200, 503].contains(status)), "{answered:?}");
        let said = messages(&world, &ada, &fern.id).await;
        assert_eq!(said.len(), good, "{said:?}");
        let by = Sender::Program { name: "script".to_owned(), relays: false };
        assert!(said.iter().all(|(from, _)| *from == by), "{said:?}");
    })
    .await;
}

#[tokio::test]
async fn words_that_a_program_passes_on_are_told_apart_from_the_person_s() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let ada = world.person("ada").await;
        provider(&world, &ada, "Claude", ProviderKind::Anthropic, &endpoint).await;
        for (name, words, told) in [
            ("script", Words::Own, "Pay the bill.\nNow."),
            ("mail bot", Words::OfOthers, "[passed on by a program: mail bot]\n> Pay the bill.\n> Now."),
        ] {
            let fern = agent(&world, &ada, name).await;
            let by = relay(&world, &ada, name, words).await;
            let scoped = world.hub.for_viewer(&by);
            let asked = scoped.runs().ask(&fern.id, "Pay the bill.\nNow.", None, PATIENCE).await;
            asked.unwrap();
            let relays = words == Words::OfOthers;
            let from = Sender::Program { name: name.to_owned(), relays };
            assert_eq!(messages(&world, &ada, &fern.id).await, [(from, "Pay the bill.\nNow.".to_owned())]);
            let request = endpoint.requests().await.pop().unwrap()["body"]["messages"].to_string();
            let told = json!(told).to_string();
            assert!(request.contains(told.trim_matches('"')), "{request}");
        }
    })
    .await;
}
