//! Pages of tools: which tools have one, what it may call, and what of it is refused.

use super::{called, given, tool, water};
use crate::approvals::{add_rule, answer, until_asked};
use crate::runs::open;
use crate::talk::{ada, calls};
use crate::world::{Endpoint, FakeMcp, Mood, RealMcp, World, each_store};
use hub::Tab;
use protocol::AgentId;
use protocol::approval::{Asker, Decision};
use protocol::hub::HubFrame;
use protocol::log::EntryBody;
use protocol::page::Answer;
use protocol::view::AppPermission;
use serde_json::{Value, json};

const PAGE: &str = "text/html;profile=mcp-app";

fn show() -> Value {
    with_ui("show", json!({ "resourceUri": "ui://garden/show" }))
}

fn with_ui(name: &str, ui: Value) -> Value {
    let mut tool = tool(name, "Shows the moss.");
    tool["_meta"] = json!({ "ui": ui });
    tool
}

fn page(html: &str, csp: Value) -> Value {
    let content = json!({ "uri": "ui://garden/show", "mimeType": PAGE, "text": html, "_meta": { "ui": { "csp": csp } } });
    json!({ "contents": [content] })
}

/// What the page of `app` gets of a call.
async fn from_page(tab: &mut Tab, agent: &AgentId, app: &str, name: &str) -> Answer {
    tab.app_call(agent, 7, app, name, json!({})).await.unwrap();
    answered(tab).await
}

async fn answered(tab: &mut Tab) -> Answer {
    loop {
        if let HubFrame::Answered { id: 7, answer } =
            serde_json::from_slice(&tab.next().await.unwrap().text).unwrap()
        {
            return answer;
        }
    }
}

fn refused(answer: &Answer) -> &str {
    match answer {
        Answer::Error { message } => message,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_page_of_an_example_is_shown_and_calls_what_is_there_for_pages_alone() {
    let endpoint = Endpoint::start();
    let monitor = RealMcp::with_pages("server-system-monitor");
    each_store(async |world: World| {
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let servers = scoped.mcp_servers();
        let server = servers.add("sys", &monitor.url, "", "").await.unwrap();
        assert_eq!((server.failure, server.tools_on), (None, 3));
        servers.choose(&agent.id, &[server.id]).await.unwrap();
        add_rule(&world.hub, &viewer, "allow", "mcp_*", &monitor.host()).await;
        let shows = "mcp_sys_get-system-info";
        assert_eq!(servers.apps(&agent.id).await.unwrap(), [shows]);

        let told = called(&scoped, &agent.id, "mcp_sys_poll-system-stats", json!({})).await.unwrap_err();
        assert!(told.starts_with("There is no tool mcp_sys_poll-system-stats here."), "{told}");
        let requests = endpoint.requests().await;
        let declared = requests.last().unwrap()["body"]["tools"].to_string();
        assert!(declared.contains(shows) && !declared.contains("poll-system-stats"), "{declared}");

        let app = servers.app(&agent.id, shows).await.unwrap();
        assert_eq!((&*app.name, &*app.server_name, app.wanted), ("get-system-info", "sys", Vec::new()));
        let page = servers.app_page(&agent.id, shows, &app.digest).await.unwrap();
        assert!(page.html.contains("<script") && page.connect.is_empty() && page.load.is_empty());
        assert!(servers.app_page(&agent.id, shows, "another").await.is_err());

        let mut tab = open(&world, &viewer, "laptop");
        tab.follow(&agent.id, 0).await.unwrap();
        let Answer::Text { text } = from_page(&mut tab, &agent.id, shows, "poll-system-stats").await else {
            panic!("it is answered")
        };
        assert!(text.contains("\"usedPercent\""), "{text}");

        // What is another person's is as what does not exist.
        let eve = world.person("eve").await;
        let others = world.hub.for_viewer(&eve).mcp_servers();
        assert!(others.apps(&agent.id).await.is_err() && others.app(&agent.id, shows).await.is_err());
        assert!(others.app_page(&agent.id, shows, &app.digest).await.is_err());
        let mut tab = open(&world, &eve, "laptop");
        let answer = from_page(&mut tab, &agent.id, shows, "poll-system-stats").await;
        refused(&answer);
    })
    .await;
}

#[tokio::test]
async fn a_page_calls_no_tool_but_those_of_its_server_that_are_there_for_it_and_its_person_is_asked() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let hidden = with_ui("hidden", json!({ "visibility": ["model"] }));
        let own = FakeMcp::start(&[show(), water(), hidden]);
        let other = FakeMcp::start(&[tool("uproot", "Uproots.")]);
        let (first, second) = (
            scoped.mcp_servers().add("garden", &own.url(), "", "").await.unwrap(),
            scoped.mcp_servers().add("other", &other.url(), "", "").await.unwrap(),
        );
        scoped.mcp_servers().choose(&agent.id, &[first.id.clone(), second.id]).await.unwrap();
        add_rule(&world.hub, &viewer, "allow", "mcp_other_uproot", &other.host()).await;
        let mut tab = open(&world, &viewer, "laptop");
        tab.follow(&agent.id, 0).await.unwrap();
        for (app, name) in [
            ("mcp_garden_show", "uproot"),
            ("mcp_garden_show", "mcp_other_uproot"),
            ("mcp_garden_show", "hidden"),
            ("mcp_garden_show", "state"),
            ("mcp_garden_show", "fetch"),
            ("mcp_garden_water", "water"),
            ("mcp_other_uproot", "uproot"),
            ("state", "state"),
            ("nothing", "water"),
        ] {
            let answer = from_page(&mut tab, &agent.id, app, name).await;
            refused(&answer);
        }
        for fake in [&own, &other] {
            assert!(!fake.methods().iter().any(|method| method == "tools/call"), "{:?}", fake.methods());
        }

        tab.app_call(&agent.id, 7, "mcp_garden_show", "water", json!({})).await.unwrap();
        let approval = until_asked(&mut tab).await;
        assert_eq!(
            (approval.asker, approval.page_of.as_deref(), approval.about.clone()),
            (Asker::Page, Some("garden"), Some(format!("{} over http", own.host())))
        );
        answer(&world.hub, &viewer, &approval, Decision::Deny).await.unwrap();
        assert_eq!(refused(&answered(&mut tab).await), "The person said no.");
        add_rule(&world.hub, &viewer, "allow", "mcp_garden_water", &own.host()).await;
        let answer = from_page(&mut tab, &agent.id, "mcp_garden_show", "water").await;
        let Answer::Text { text } = &answer else { panic!("{answer:?}") };
        let watered = json!({ "content": [{ "type": "text", "text": "Watered." }] });
        assert_eq!(serde_json::from_str::<Value>(text).unwrap(), watered);

        // Switched off, it is there for nobody.
        let tools = scoped.mcp_servers().read(&first.id).await.unwrap().tools;
        let digest = &tools.iter().find(|tool| tool.name == "water").unwrap().digest;
        scoped.mcp_servers().switch(&first.id, "water", false, digest).await.unwrap();
        let answer = from_page(&mut tab, &agent.id, "mcp_garden_show", "water").await;
        refused(&answer);

        // What comes to nothing counts too.
        let mut tab = open(&world, &viewer, "phone");
        tab.follow(&agent.id, 0).await.unwrap();
        for _ in 0..60 {
            let answer = from_page(&mut tab, &agent.id, "mcp_garden_show", "uproot").await;
            assert_eq!(refused(&answer), "This server has no such tool for its page.");
        }
        let answer = from_page(&mut tab, &agent.id, "mcp_garden_show", "uproot").await;
        assert!(refused(&answer).starts_with("The page calls too many tools"), "{answer:?}");
    })
    .await;
}

#[tokio::test]
async fn a_page_is_of_its_kind_and_size_and_reaches_what_its_person_allowed() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let servers = scoped.mcp_servers();
        let fake = FakeMcp::start(&[show(), water()]);
        let server = given(&scoped, &agent.id, "garden", &fake).await;
        let shows = "mcp_garden_show";
        let why = async || servers.app(&agent.id, shows).await.unwrap_err().into_failure().message;
        for (result, expected) in [
            (json!({ "contents": [{ "mimeType": "text/html", "text": "<p>" }] }), "garden: It gave no page"),
            (json!({ "contents": [] }), "garden: It gave no page"),
        ] {
            fake.bring(result);
            assert!(why().await.starts_with(expected), "{}", why().await);
        }
        fake.mood(Mood::Endless);
        assert_eq!(why().await, "garden: It sent more than 4 MB and was given up.");
        fake.mood(Mood::Well);
        assert!(servers.app(&agent.id, "mcp_garden_water").await.is_err(), "it has no page");

        let hosts = ["https://tiles.example", "https://api.example"].map(str::to_owned);
        let named = json!([
            "https://tiles.example",
            "https://api.example",
            "*",
            "http://a.example",
            "https://b.example; script-src *"
        ]);
        fake.bring(page(
            "<p>Moss",
            json!({ "connectDomains": named, "resourceDomains": ["https://tiles.example"] }),
        ));
        let app = servers.app(&agent.id, shows).await.unwrap();
        let mut wanted = app.wanted.clone();
        wanted.sort_by(|one, other| other.cmp(one));
        assert_eq!(wanted, hosts);
        let page = servers.app_page(&agent.id, shows, &app.digest).await.unwrap();
        assert_eq!((page.connect, page.load), (Vec::new(), Vec::new()));
        for wrong in ["*", "tiles.example", "https://tiles.example; script-src *"] {
            assert!(
                servers.answer_app_hosts(&server.id, &[wrong.to_owned()], true).await.is_err(),
                "{wrong}"
            );
        }
        servers.answer_app_hosts(&server.id, &hosts[..1], true).await.unwrap();
        servers.answer_app_hosts(&server.id, &hosts[1..], false).await.unwrap();
        assert!(servers.app_page(&agent.id, shows, &app.digest).await.is_err(), "it may reach others now");
        let app = servers.app(&agent.id, shows).await.unwrap();
        assert_eq!(app.wanted, Vec::<String>::new());
        let page = servers.app_page(&agent.id, shows, &app.digest).await.unwrap();
        assert_eq!((page.connect, page.load), (hosts[..1].to_vec(), hosts[..1].to_vec()));
        let told = servers.read(&server.id).await.unwrap().app_hosts;
        let told: Vec<_> = told.iter().map(|told| (&told.host, told.allowed)).collect();
        assert_eq!(told, [(&hosts[0], true), (&hosts[1], false)]);
        servers.answer_app_hosts(&server.id, &hosts[..1], false).await.unwrap();
        let app = servers.app(&agent.id, shows).await.unwrap();
        let page = servers.app_page(&agent.id, shows, &app.digest).await.unwrap();
        assert_eq!((page.connect, page.load), (Vec::new(), Vec::new()), "it was taken back");
        // It was read once, and is not asked for again within minutes.
        let read = fake.methods().iter().filter(|method| *method == "resources/read").count();
        assert_eq!(read, 4);

        // What the list says of it holds where the page says nothing of itself.
        let fake = FakeMcp::start(&[show()]);
        let listed = json!({ "uri": "ui://garden/show", "_meta": { "ui": { "csp": { "connectDomains": ["https://api.example"] } } } });
        let content = json!({ "uri": "ui://garden/show", "mimeType": PAGE, "text": "<template shadowrootmode=open>" });
        fake.bring(json!({ "contents": [content], "resources": [listed] }));
        given(&scoped, &agent.id, "fern", &fake).await;
        let app = servers.app(&agent.id, "mcp_fern_show").await.unwrap();
        assert_eq!(app.wanted, ["https://api.example"]);
        let page = servers.app_page(&agent.id, "mcp_fern_show", &app.digest).await.unwrap();
        assert_eq!(page.html, "<template shadowrootnone=open>", "no tree hides frames");
    })
    .await;
}

#[tokio::test]
async fn a_page_gets_what_its_server_said_with_all_that_no_model_is_told() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let fake = FakeMcp::start(&[show(), water()]);
        fake.declare(json!({ "tools": {}, "resources": {} }));
        fake.offer_resources(&[json!({ "uri": "garden://plan", "name": "Plan" })], &[]);
        given(&scoped, &agent.id, "garden", &fake).await;
        add_rule(&world.hub, &viewer, "allow", "mcp_*", &fake.host()).await;
        let said = json!({
            "content": [
                { "type": "text", "text": "The beds." },
                { "type": "audio", "mimeType": "audio/wav", "data": "UklGRhAAAABXQVZF" },
            ],
            "structuredContent": { "beds": 2 },
            "_meta": { "garden/view": "wide" },
        });
        fake.bring(said.clone());
        let mut tab = open(&world, &viewer, "laptop");
        tab.follow(&agent.id, 0).await.unwrap();
        let Answer::Text { text } = from_page(&mut tab, &agent.id, "mcp_garden_show", "water").await else {
            panic!("it is answered")
        };
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), said);

        // Of a call of the model its page is told the same, also later, and the model is not.
        let talk = scoped.conversations().create(&agent.id).await.unwrap().id;
        calls(&scoped, &agent.id, &talk, &[("mcp_garden_show", json!({}))]).await;
        let entries = scoped.conversations().entries(&agent.id, 0).await.unwrap();
        let media = entries.into_iter().find_map(|entry| match entry.body {
            EntryBody::ToolFinished { result, .. } => Some(result.media),
            _ => None,
        });
        let kept = media.unwrap().into_iter().find(|media| media.is_app_result()).unwrap().stored.unwrap();
        let file = scoped.attachments().open(&kept.id).await.unwrap();
        assert_eq!(serde_json::from_slice::<Value>(&file.bytes).unwrap(), said);
        let sent = endpoint.requests().await.last().unwrap()["body"].to_string();
        assert!(sent.contains("The beds.") && !sent.contains("garden/view"), "{sent}");
        let eve = world.person("eve").await;
        assert!(world.hub.for_viewer(&eve).attachments().open(&kept.id).await.is_err());

        fake.bring(json!({ "contents": [{ "uri": "garden://plan", "mimeType": "x/y", "blob": "AAAA" }] }));
        tab.app_call(&agent.id, 7, "mcp_garden_show", "resources/read", json!({ "uri": "garden://plan" }))
            .await
            .unwrap();
        let Answer::Text { text } = answered(&mut tab).await else { panic!("it is answered") };
        let read: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(read["content"][0]["resource"]["blob"], "AAAA", "{read}");
    })
    .await;
}

#[tokio::test]
async fn a_page_uses_of_the_device_what_its_person_allowed_until_they_take_it_back() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let servers = scoped.mcp_servers();
        let fake = FakeMcp::start(&[show()]);
        let server = given(&scoped, &agent.id, "garden", &fake).await;
        let ui = json!({ "permissions": { "camera": {}, "microphone": {}, "usb": {} } });
        let content =
            json!({ "uri": "ui://garden/show", "mimeType": PAGE, "text": "<p>", "_meta": { "ui": ui } });
        fake.bring(json!({ "contents": [content] }));
        let (camera, microphone) = (AppPermission::Camera, AppPermission::Microphone);
        let app = async || servers.app(&agent.id, "mcp_garden_show").await.unwrap();
        let first = app().await;
        assert_eq!((first.uses, first.wants_to_use), (vec![], vec![camera, microphone]));
        servers.answer_app_hosts(&server.id, &["camera".to_owned()], true).await.unwrap();
        servers.answer_app_hosts(&server.id, &["microphone".to_owned()], false).await.unwrap();
        assert!(servers.answer_app_hosts(&server.id, &["usb".to_owned()], true).await.is_err());
        assert!(
            servers.app_page(&agent.id, "mcp_garden_show", &first.digest).await.is_err(),
            "it has more now"
        );
        let second = app().await;
        assert_eq!((second.uses, second.wants_to_use), (vec![camera], vec![]));
        let page = servers.app_page(&agent.id, "mcp_garden_show", &second.digest).await.unwrap();
        assert_eq!(page.uses, [camera]);
        servers.answer_app_hosts(&server.id, &["camera".to_owned()], false).await.unwrap();
        assert_eq!(app().await.uses, []);
    })
    .await;
}
