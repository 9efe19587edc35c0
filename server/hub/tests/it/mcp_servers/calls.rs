//! What an agent gets of the tools of servers, and what its person is asked before.

use super::{TOKEN, called, given, say, tool, water};
use crate::approvals::{add_rule, answer, until_asked};
use crate::runs::driven::Browser;
use crate::runs::page::Page;
use crate::runs::trace::until_finished;
use crate::runs::{agent, open};
use crate::talk::ada;
use crate::world::{Endpoint, FakeMcp, RealMcp, World, each_store};
use protocol::TabId;
use protocol::agent::{Home, ProviderKind};
use protocol::approval::{ApprovalReason, Decision};
use protocol::log::EntryBody;
use serde_json::json;

#[tokio::test]
async fn tools_of_servers_of_both_kinds_are_called_as_if_they_were_ours() {
    let endpoint = Endpoint::start();
    let (modern, legacy) = (RealMcp::modern(), RealMcp::legacy());
    each_store(async |world: World| {
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let garden = scoped.mcp_servers().add("garden", &modern.url, "", "").await.unwrap();
        let every = scoped.mcp_servers().add("every", &legacy.url, TOKEN, "x-team: moss").await.unwrap();
        assert_eq!((garden.failure.as_deref(), garden.tools_on), (None, 5));
        assert!(every.failure.is_none() && every.tools_on > 8, "{every:?}");
        assert_eq!(every.headers, ["authorization", "x-team"]);

        let why = called(&scoped, &agent.id, "mcp_garden_add", json!({ "a": 1, "b": 2 })).await.unwrap_err();
        assert!(why.starts_with("There is no tool mcp_garden_add here."), "{why}");
        scoped.mcp_servers().choose(&agent.id, &[garden.id, every.id]).await.unwrap();
        for server in [&modern, &legacy] {
            add_rule(&world.hub, &viewer, "allow", "mcp_*", &server.host()).await;
        }
        for (name, input, expected) in [
            ("mcp_garden_add", json!({ "a": 20, "b": 22 }), Ok("\"structured\":{\"result\":42}")),
            ("mcp_garden_resources_read", json!({}), Ok("garden://beds/{bed}")),
            (
                "mcp_garden_resources_read",
                json!({ "uri": "garden://beds/north" }),
                Ok("Moss grows in north."),
            ),
            (
                "mcp_every_resources_read",
                json!({ "uri": "demo://resource/dynamic/text/1" }),
                Ok("Resource 1"),
            ),
            ("mcp_every_resources_read", json!({ "uri": "demo://nothing" }), Err("{\"error\":")),
            ("mcp_garden_add", json!({ "a": "x", "b": 2 }), Err("The input of mcp_garden_add does not fit")),
            (
                "mcp_garden_fail",
                json!({ "reason": "It is dry." }),
                Err("{\"error\":\"Error executing tool fail\"}"),
            ),
            ("mcp_every_echo", json!({ "message": "Moss" }), Ok("Echo: Moss")),
            ("mcp_every_get-sum", json!({ "a": 20, "b": 22 }), Ok("42")),
            ("mcp_every_get-tiny-image", json!({}), Ok("\"kind\":\"image\",\"mime\":\"image/png\"")),
            ("mcp_every_get-resource-links", json!({ "count": 2 }), Ok("\"kind\":\"link\"")),
            ("mcp_every_get-structured-content", json!({ "location": "Chicago" }), Ok("\"structured\":{")),
        ] {
            let told = called(&scoped, &agent.id, name, input).await;
            match (&told, expected) {
                (Ok(told), Ok(expected)) | (Err(told), Err(expected)) => {
                    assert!(told.contains(expected), "{name}: {told}");
                }
                _ => panic!("{name}: {told:?}"),
            }
        }
        let requests = endpoint.requests().await;
        let declared = requests.iter().rev().map(|request| request["body"]["tools"].to_string());
        let declared = declared.into_iter().find(|tools| tools.contains("mcp_every_echo")).unwrap();
        assert!(declared.contains("<words-of-strangers>\\nEchoes back"), "{declared}");
        assert!(declared.contains("tool_search") && !declared.contains("mcp_every_trigger"), "{declared}");
        let read = requests.iter().any(|request| {
            request["body"]["messages"]
                .to_string()
                .contains("<words-of-strangers>\\n{\\\"text\\\":\\\"Echo: Moss")
        });
        assert!(read, "what it brings stands behind a fence");
        // A second look finds the same, and nothing waits.
        for server in scoped.mcp_servers().list().await.unwrap() {
            let looked = scoped.mcp_servers().look(&server.id).await.unwrap();
            assert!(looked.ok && looked.message.ends_with("tools."), "{looked:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_call_waits_for_the_person_whose_yes_holds_for_that_server() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        // What a server says of itself makes nothing harmless.
        let mut harmless = water();
        harmless["annotations"] = json!({ "readOnlyHint": true, "destructiveHint": false });
        let fake = FakeMcp::start(&[harmless, tool("plant", "Plants.")]);
        given(&scoped, &agent.id, "garden", &fake).await;
        let mut tab = open(&world, &viewer, "laptop");
        tab.follow(&agent.id, 0).await.unwrap();
        for (decision, reason) in
            [(Decision::Deny, ApprovalReason::Risk), (Decision::Always, ApprovalReason::Risk)]
        {
            say(&scoped, &agent.id, "mcp_garden_water").await;
            let approval = until_asked(&mut tab).await;
            assert_eq!(
                (approval.why, approval.about.as_deref()),
                (reason, Some(&*format!("{} over http", fake.host())))
            );
            answer(&world.hub, &viewer, &approval, decision).await.unwrap();
            until_finished(&mut tab).await;
        }
        assert_eq!(fake.methods().iter().filter(|method| *method == "tools/call").count(), 1);
        // Words of a stranger stand in the conversation by now, and the yes was one to this server.
        say(&scoped, &agent.id, "mcp_garden_water").await;
        until_finished(&mut tab).await;
        assert_eq!(fake.methods().iter().filter(|method| *method == "tools/call").count(), 2);
        // A rule that names no server lets nothing private out that strangers could have asked for.
        add_rule(&world.hub, &viewer, "allow", "mcp_garden_plant", "").await;
        say(&scoped, &agent.id, "mcp_garden_plant").await;
        let approval = until_asked(&mut tab).await;
        assert_eq!(approval.why, ApprovalReason::WayOut);
        answer(&world.hub, &viewer, &approval, Decision::Deny).await.unwrap();
        until_finished(&mut tab).await;
        let counted = scoped.ledger().tool_sheet().await.unwrap();
        assert!(counted.contains("mcp_garden_water"), "{counted}");
    })
    .await;
}

#[tokio::test]
async fn an_agent_that_lives_in_a_browser_has_its_calls_made_by_the_hub() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let viewer = world.person("ada").await;
        let agent = agent(&world, &viewer, &endpoint, ProviderKind::Anthropic, Home::Browser).await;
        let scoped = world.hub.for_viewer(&viewer);
        let fake = FakeMcp::start(&[water()]);
        given(&scoped, &agent.id, "garden", &fake).await;
        add_rule(&world.hub, &viewer, "allow", "mcp_garden_water", &fake.host()).await;
        let mut browser = Browser::new(open(&world, &viewer, "laptop"), Page::default());
        browser.show(&agent.id).await;
        let turns = json!([[{ "tool": "mcp_garden_water", "input": {} }], [{ "text": "{results}" }]]);
        let tab = TabId::from("laptop");
        scoped.runs().send_message(&agent.id, &format!("turns: {turns}"), None, Some(&tab)).await.unwrap();
        let entries = browser.until_finished().await;
        let brought = entries.iter().any(|entry| match &entry.body {
            EntryBody::ToolFinished { result, .. } => result.content == "{\"text\":\"Watered.\"}",
            _ => false,
        });
        assert!(brought, "{entries:?}");
        assert_eq!(fake.methods().last().map(String::as_str), Some("tools/call"));
    })
    .await;
}

#[tokio::test]
async fn a_server_is_added_for_the_agents_that_its_person_names_and_for_nobody_elses() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let fake = FakeMcp::start(&[water()]);
        let first = given(&scoped, &agent.id, "first", &fake).await;
        let agents = &[agent.id.clone(), agent.id.clone()];
        let added = scoped.mcp_servers().add_for(agents, "garden", &fake.url(), "", "").await.unwrap();
        let mut chosen = scoped.mcp_servers().of_agent(&agent.id).await.unwrap();
        chosen.retain(|choice| choice.is_chosen);
        let names: Vec<_> = chosen.iter().map(|choice| &*choice.server.name).collect();
        assert_eq!(names, [&*first.name, &*added.name]);

        let other = world.person("eve").await;
        let others = world.hub.for_viewer(&other);
        let refused = others.mcp_servers().add_for(agents, "theirs", &fake.url(), "", "").await;
        assert!(matches!(refused, Err(hub::Error::NotFound(_))), "{refused:?}");
        assert_eq!(others.mcp_servers().list().await.unwrap(), []);
        for number in 2..8 {
            let name = format!("s{number}");
            scoped.mcp_servers().add_for(agents, &name, &fake.url(), "", "").await.unwrap();
        }
        let refused = scoped.mcp_servers().add_for(agents, "ninth", &fake.url(), "", "").await;
        assert!(
            refused.is_err_and(|error| error.into_failure().message == "An agent uses at most 8 servers.")
        );
        assert_eq!(scoped.mcp_servers().list().await.unwrap().len(), 8, "and is not added");
    })
    .await;
}

#[tokio::test]
async fn a_server_is_given_to_the_agents_that_its_person_ticks_and_to_no_others() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, ada) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let fake = FakeMcp::start(&[water()]);
        let server = given(&scoped, &ada.id, "garden", &fake).await;
        let ben = scoped.agents().create(crate::agents::draft("Ben")).await.unwrap().id;
        let has = async || {
            let agents = scoped.mcp_servers().read(&server.id).await.unwrap().agents;
            agents.into_iter().map(|given| given.has).collect::<Vec<_>>()
        };
        assert_eq!(has().await, [true, false], "by name");
        scoped.mcp_servers().let_agents_use(&server.id, std::slice::from_ref(&ben)).await.unwrap();
        assert_eq!(has().await, [false, true]);
        let both = [ada.id.clone(), ben.clone()];
        scoped.mcp_servers().let_agents_use(&server.id, &both).await.unwrap();
        assert_eq!(has().await, [true, true]);

        let eve = world.person("eve").await;
        let hers = world.hub.for_viewer(&eve);
        let refused = hers.mcp_servers().let_agents_use(&server.id, &[]).await;
        assert!(matches!(refused, Err(hub::Error::NotFound("server"))), "{refused:?}");
        let stranger = hers.agents().create(crate::agents::draft("Eve")).await.unwrap().id;
        let refused = scoped.mcp_servers().let_agents_use(&server.id, &[stranger]).await;
        assert!(matches!(refused, Err(hub::Error::NotFound("agent"))), "{refused:?}");
        assert_eq!(has().await, [true, true], "and nothing changed");
        for number in 1..8 {
            let name = format!("s{number}");
            scoped.mcp_servers().add_for(&both[1..], &name, &fake.url(), "", "").await.unwrap();
        }
        let ninth = scoped.mcp_servers().add("ninth", &fake.url(), "", "").await.unwrap().id;
        let refused = scoped.mcp_servers().let_agents_use(&ninth, &both).await;
        let words = refused.unwrap_err().into_failure().message;
        assert!(words.starts_with("Ben uses 8 servers"), "{words}");
        let given = scoped.mcp_servers().read(&ninth).await.unwrap().agents;
        assert!(given.iter().all(|given| !given.has), "to neither: {given:?}");
    })
    .await;
}
