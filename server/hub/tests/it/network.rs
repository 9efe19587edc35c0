//! What of the web an agent may reach, from the setting to the call.

use crate::runs::{agent, open, trace};
use crate::talk::calls;
use crate::world::{Definition, Endpoint, Sink, World, each_store};
use hub::{Reach, Setup, Viewer};
use protocol::agent::{Home, ProviderKind};
use protocol::log::EntryBody;
use protocol::view::Network;
use protocol::{AgentId, FailureKind};
use serde_json::json;
use std::time::Duration;

fn list(hosts: &[&str]) -> Network {
    Network::AllowList { hosts: hosts.iter().map(|host| (*host).to_owned()).collect() }
}

#[tokio::test]
async fn the_policy_decides_whether_there_is_a_tool_and_where_it_may_go() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let agent = agent(&world, &viewer, &endpoint, ProviderKind::Anthropic, Home::Hub).await;
        assert_eq!(agent.network, Network::Off);
        let place = "http://127.0.0.1:8080";
        let not_public = format!("Not allowed: {place} is not a public address. Only those can be reached.");
        let not_listed = format!("Not allowed: {place} is not on the list of what this agent may reach.");
        for (network, offered, denied, expected) in [
            (Network::Off, false, false, "There is no tool fetch here."),
            (list(&["example.org"]), true, true, not_listed.as_str()),
            (list(&["127.0.0.1"]), true, false, not_public.as_str()),
            (Network::Public, true, false, not_public.as_str()),
            (Network::Off, false, false, "There is no tool fetch here."),
        ] {
            let view =
                world.hub.for_viewer(&viewer).networks().set(&agent.id, network.clone()).await.unwrap();
            assert_eq!(view.network, network);
            let (was_denied, said) = fetched(&world, &viewer, &agent.id).await;
            assert!(said.starts_with(expected), "{network:?}: {said}");
            assert_eq!(was_denied, denied, "{network:?}");
            let request = endpoint.requests().await.pop().unwrap();
            let tools = request["body"]["tools"].as_array().unwrap().clone();
            assert_eq!(tools.iter().any(|tool| tool["name"] == "fetch"), offered, "{network:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn where_the_administrator_lets_it_a_list_names_what_is_near_and_nothing_else_does() {
    each_store(async |world: World| {
        let listed = Reach { private: true, loopback: true };
        let world = world.with(|setup| Setup { listed, ..setup }).await;
        let (endpoint, sink) = (Endpoint::start(), Sink::start("moss"));
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let (near, cloud) = (sink.url("/"), "http://169.254.169.254/latest/meta-data".to_owned());
        for (network, url, expected) in [
            (list(&[&sink.host()]), &near, "moss"),
            (list(&["example.org"]), &near, "is not on the list of what this agent may reach."),
            (Network::Public, &near, "Not allowed: "),
            (list(&["169.254.169.254"]), &cloud, "is not a public address."),
        ] {
            // One that has read nothing of strangers.
            let agent = agent(&world, &viewer, &endpoint, ProviderKind::Anthropic, Home::Hub).await;
            scoped.networks().set(&agent.id, network.clone()).await.unwrap();
            let talk = scoped.conversations().create(&agent.id).await.unwrap().id;
            let (_, told) =
                calls(&scoped, &agent.id, &talk, &[("fetch", json!({ "url": url }))]).await.remove(0);
            assert!(told.contains(expected), "{network:?}: {told}");
        }
        assert_eq!(sink.heads().len(), 1);
    })
    .await;
}

#[tokio::test]
async fn no_number_of_agents_gets_round_what_a_person_may_fetch_in_a_minute() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        // Each address once: a loop that goes in circles is stopped for that.
        let call = |port: usize| format!(r#"{{"tool":"fetch","input":{{"url":"http://127.0.0.1:{port}"}}}}"#);
        let reply = |at: usize| format!("[{}]", (at..at + 5).map(call).collect::<Vec<_>>().join(","));
        let replies: Vec<String> = (1..=6).map(|at| reply(at * 100)).collect();
        let turns = format!("turns: [{}]", replies.join(","));
        let (mut made, mut refused) = (0, 0);
        for _ in 0..4 {
            let agent = agent(&world, &viewer, &endpoint, ProviderKind::Anthropic, Home::Hub).await;
            let scoped = world.hub.for_viewer(&viewer);
            scoped.networks().set(&agent.id, Network::Public).await.unwrap();
            let before =
                scoped.runs().ask(&agent.id, &turns, None, Duration::from_secs(180)).await.unwrap().seq;
            for entry in scoped.conversations().entries(&agent.id, before).await.unwrap() {
                let EntryBody::ToolFinished { result, .. } = entry.body else { continue };
                match result.content.contains("too often") {
                    true => refused += 1,
                    false => made += 1,
                }
            }
        }
        assert!(made >= 60 && refused > 0, "{made} made, {refused} refused");
    })
    .await;
}

#[tokio::test]
async fn the_policy_is_its_persons_alone_and_goes_along_with_a_copy() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (ada, eve) = (world.person("ada").await, world.person("eve").await);
        let agent = agent(&world, &ada, &endpoint, ProviderKind::Anthropic, Home::Hub).await;
        let kind = async |viewer: &Viewer, id: &AgentId, network: Network| {
            let refused = world.hub.for_viewer(viewer).networks().set(id, network).await.unwrap_err();
            refused.into_failure().kind
        };
        assert_eq!(kind(&eve, &agent.id, Network::Public).await, FailureKind::NotFound);
        assert_eq!(kind(&ada, &AgentId::from("none"), Network::Public).await, FailureKind::NotFound);
        assert_eq!(kind(&ada, &agent.id, list(&["https://example.org/"])).await, FailureKind::Invalid);
        assert_eq!(kind(&ada, &agent.id, list(&[])).await, FailureKind::Invalid);

        let scoped = world.hub.for_viewer(&ada);
        scoped.networks().set(&agent.id, list(&["Example.org."])).await.unwrap();
        let copy = scoped.copies().make(&agent.id).await.unwrap();
        assert_eq!(copy.network, list(&["example.org"]));
    })
    .await;
}

#[tokio::test]
async fn fetch_is_not_among_the_tools_that_are_chosen() {
    each_store(async |world: World| {
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        assert!(scoped.agents().tools().await.unwrap().iter().all(|tool| tool.name != "fetch"));
        let draft = Definition::named("Ada").tools(["fetch"]).draft();
        assert_eq!(
            scoped.agents().create(draft).await.unwrap_err().into_failure().kind,
            FailureKind::Invalid
        );
    })
    .await;
}

/// Whether the call was denied, and what it answered.
async fn fetched(world: &World, viewer: &Viewer, agent: &AgentId) -> (bool, String) {
    let scoped = world.hub.for_viewer(viewer);
    let after = scoped.conversations().entries(agent, 0).await.unwrap().last().map_or(0, |entry| entry.seq);
    let mut tab = open(world, viewer, "follower");
    tab.follow(agent, after).await.unwrap();
    scoped
        .runs()
        .send_message(agent, "Read http://127.0.0.1:8080 for me.\nscript: fetch", None, None)
        .await
        .unwrap();
    let entries = trace::until_finished(&mut tab).await;
    let finished = entries.into_iter().find_map(|entry| match entry.body {
        EntryBody::ToolFinished { result, denied, .. } => Some((denied, result.content)),
        _ => None,
    });
    finished.expect("the tool answered")
}
