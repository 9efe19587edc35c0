//! What is kept for them, with keys everywhere.

use super::doors::Things;
use super::echo::{Echo, WAYS};
use super::hunt::Hunt;
use super::people::People;
use crate::archives::{archive_of, upload};
use crate::attachments::{PICTURE, bring};
use crate::imports::export_of;
use crate::things::{
    approval_of, conversation_of, external_job_of, json_of, pipeline_of, schedule, share_of, skill_of,
    team_of, workspace_of,
};
use crate::world::{Caller, Endpoint};
use futures_util::future::join_all;
use reqwest::Method;
use reqwest::header::{CONTENT_TYPE, ORIGIN};
use serde_json::{Value, json};

/// Every kind of provider that keeps a key, with a way to say it that this kind has alone.
const KINDS: [&str; 13] = [
    "anthropic",
    "open_ai",
    "open_ai_responses",
    "gemini",
    "bedrock",
    "azure",
    "groq",
    "open_router",
    "deep_seek",
    "mistral",
    "x_ai",
    "lm_studio",
    "llama_cpp",
];

/// Saves a provider for every kind and every way of giving a key back, with agents that use them; and gives
/// the keys that must have been sent.
pub async fn plant_keys(hunt: &mut Hunt, people: &People, echo: &Echo) -> (Things, Vec<String>) {
    let ada = &people.ada;
    let (mut agents, mut sent) = (Vec::new(), Vec::new());
    let mut provider = Value::Null;
    for way in WAYS {
        let key = hunt.plant(&format!("the key of {way}"));
        let url = format!("{}/{way}", echo.url);
        provider = save_as(ada, &way.replace('/', "-"), "open_ai", &url, &key).await;
        agents.push(agent(ada, &provider, way).await);
        sent.push(key);
    }
    for kind in KINDS {
        for way in ["talk", "refuse/401"] {
            let mut key = hunt.plant(&format!("the key of {kind}"));
            if kind == "bedrock" {
                key = format!("ASIA0123456789ABCDEF:{key}:{}", hunt.plant("a session token"));
            }
            let url = format!("{}/{way}", echo.url);
            let provider = save(ada, kind, &url, &key).await;
            let test = json!({ "id": provider, "kind": kind, "base_url": url });
            let said = ada.post("/api/providers/test", &test).await;
            hunt.search(&format!("a test of {kind}"), said.text().await.unwrap().as_bytes());
            agents.push(agent(ada, &provider, kind).await);
        }
    }
    let tried = hunt.plant("a key that was only tried");
    let test = json!({ "kind": "open_ai", "base_url": format!("{}/refuse/401", echo.url), "key": tried });
    let said = ada.post("/api/providers/test", &test).await;
    hunt.search("a test of what is not saved", said.text().await.unwrap().as_bytes());
    sent.push(tried);

    for way in ["talk", "refuse/400"] {
        let shared = hunt.plant("a shared key");
        let provider = save(&people.root, "open_ai", &format!("{}/{way}", echo.url), &shared).await;
        people.root.call("/api/sharing/set", &json!({ "provider": provider, "everyone": true })).await;
        agents.push(agent(ada, &provider, "shared").await);
        sent.push(shared);
    }
    let own = hunt.plant("an agent's own key");
    let provider_of_own =
        save(ada, "open_ai", &format!("{}/talk", echo.url), &hunt.plant("a key beside it")).await;
    let agent_of_own = agent(ada, &provider_of_own, "own").await;
    ada.call("/api/agents/set_key", &json!({ "id": agent_of_own, "key": own })).await;
    agents.push(agent_of_own);
    sent.push(own);

    let mut search_source = Value::Null;
    for (kind, way) in [("mojeek", "refuse/401"), ("brave", "refuse/429"), ("tavily", "talk")] {
        let key = hunt.plant(&format!("the key of {kind}"));
        let source = json!({ "kind": kind, "base_url": format!("{}/{way}", echo.url), "key": key });
        search_source = ada.call("/api/web_search/add", &source).await["id"].clone();
        let said = ada.post("/api/web_search/test", &json!({ "id": search_source })).await;
        hunt.search(&format!("a test of {kind}"), said.text().await.unwrap().as_bytes());
    }

    for way in ["talk", "refuse/401", "refuse/400"] {
        let key = hunt.plant(&format!("the key of speech, {way}"));
        let url = format!("{}/{way}", echo.url);
        let provider =
            save_as(ada, &format!("speech-{}", way.replace('/', "-")), "open_ai", &url, &key).await;
        for part in ["hearing", "speaking"] {
            let choice =
                json!({ "part": part, "provider": provider, "model": "whisper-1", "voice": "alloy" });
            ada.call("/api/speech/choose", &choice).await;
        }
        let hear = ada.request(Method::POST, &format!("/speech/hear?agent={}", agents[0]));
        let hear = hear.header(CONTENT_TYPE, "audio/webm").header(ORIGIN, &ada.url).body("not quite");
        hunt.search(&format!("hearing, {way}"), &hear.send().await.unwrap().bytes().await.unwrap());
        let said = ada.post("/speech/say", &json!({ "agent": agents[0], "text": "Moss." })).await;
        hunt.search(&format!("speaking, {way}"), &said.bytes().await.unwrap());
        sent.push(key);
    }

    ada.call("/api/memories/create", &json!({ "text": "Moss is green.", "importance": 3 })).await;
    for way in ["refuse/401", "refuse/400"] {
        let key = hunt.plant(&format!("the key of an embedding model, {way}"));
        let url = format!("{}/{way}", echo.url);
        let provider =
            save_as(ada, &format!("meaning-{}", way.replace('/', "-")), "open_ai", &url, &key).await;
        let choice = json!({ "provider": provider, "model": "text-embedding-3-small" });
        ada.call("/api/memories/choose_meaning", &choice).await;
        let told = loop {
            let told = ada.get("/api/memories/meaning").await.text().await.unwrap();
            let meaning: Value = serde_json::from_str(&told).unwrap();
            if meaning["failure"] != "" {
                break told;
            }
        };
        hunt.search(&format!("what is told of an embedding model, {way}"), told.as_bytes());
        sent.push(key);
    }

    let channel = json!({
        "kind": "ntfy", "address": format!("{}/talk/{}", echo.url, hunt.plant("the topic of a channel")),
        "token": hunt.plant("the token of a channel"),
    });
    let channel = ada.call("/api/notifications/add_channel", &channel).await;
    let room = json!({
        "kind": "matrix", "address": format!("{}/talk", echo.url), "room": "!moss:example.org",
        "token": hunt.plant("the token of a room"),
    });
    ada.call("/api/notifications/add_channel", &room).await;

    for way in ["refuse/401", "redirect", "page", "calendar"] {
        let key = hunt.plant("the address of a calendar");
        let calendar = json!({ "source": "calendar", "entered": format!("{}/{way}/{key}.ics", echo.url) });
        let said = ada.post("/api/person_context/turn_on", &calendar).await;
        assert_eq!(said.status().is_success(), way == "calendar");
        hunt.search("what is said of a calendar", said.text().await.unwrap().as_bytes());
        sent.push(key);
    }

    let mut mcp_server = Value::Null;
    for (name, way) in [("refusing", "refuse/401"), ("talking", "talk")] {
        let server = json!({
            "name": name, "url": format!("{}/{way}", echo.url),
            "token": hunt.plant(&format!("the token of the server {name}")),
            "headers": format!("x-api-key: {}", hunt.plant(&format!("a header of the server {name}"))),
        });
        mcp_server = ada.call("/api/mcp_servers/add", &server).await["id"].clone();
        let said = ada.post("/api/mcp_servers/look", &json!({ "id": mcp_server })).await;
        hunt.search(&format!("a look at {name}"), said.text().await.unwrap().as_bytes());
    }

    let mut peer = Value::Null;
    for (name, way) in [("closed", "refuse/401"), ("open", "talk")] {
        let added = json!({
            "name": name, "url": format!("{}/{way}", echo.url),
            "token": hunt.plant(&format!("the token of the peer {name}")),
        });
        peer = ada.call("/api/peers/add", &added).await["id"].clone();
        let said = ada.post("/api/peers/look", &json!({ "id": peer })).await;
        hunt.search(&format!("a look at {name}"), said.text().await.unwrap().as_bytes());
    }

    let mut job_service = String::new();
    for (name, way) in [("refusing-jobs", "refuse/401"), ("talking-jobs", "refuse/400")] {
        let service = json!({
            "name": name, "kind": "http", "url": format!("{}/{way}", echo.url), "jobs": "render",
            "token": hunt.plant(&format!("the token of the job service {name}")),
        });
        job_service = text(&ada.call("/api/job_services/add", &service).await["id"]);
        let said = ada.post("/api/job_services/look", &json!({ "id": job_service })).await;
        hunt.search(&format!("a look at {name}"), said.text().await.unwrap().as_bytes());
    }
    let scripted = Endpoint::start();
    let provider_of_jobs = save_as(ada, "scripted", "open_ai", &scripted.url, "key-good").await;
    let starter = json!({
        "name": "Jo", "colour": "#3a7d44", "provider": provider_of_jobs, "model": "gpt-5-mini",
        "tools": ["external_job"], "home": "hub",
    });
    let starter = text(&ada.call("/api/agents/create", &starter).await["id"]);
    let external_job = external_job_of(ada, &starter, "talking-jobs", &echo.url).await;

    enter_secret(hunt, people, &provider_of_jobs).await;

    let rule = json!({ "tool": "storage", "verdict": "ask" });
    let rule = text(&ada.call("/api/policy/add", &rule).await["id"]);
    let due = json!({ "agent": agents[0], "draft": schedule() });
    let schedule = text(&ada.call("/api/schedules/create", &due).await);
    let mut conversations = Vec::new();
    for agent in &agents {
        conversations.push(conversation_of(ada, agent).await);
    }
    let things = Things {
        share: share_of(ada, &conversations[0], "eve").await,
        conversations,
        attachment: text(&bring(ada, "holes.png", PICTURE).await["id"]),
        import: export_of(ada).await,
        archive: text(&upload(ada, &archive_of(ada, &agents[0]).await).await["archive"]),
        provider: text(&provider),
        person: text(&json_of(ada, "/api/account/me").await["id"]),
        device: text(&json_of(&people.ada_browser, "/api/account/devices").await[0]["id"]),
        token: text(&json_of(ada, "/api/account/tokens").await[0]["id"]),
        approval: waiting(ada, &agents[0]).await,
        channel: text(&channel["view"]["id"]),
        notification: text(&json_of(ada, "/api/notifications/list").await["list"][0]["id"]),
        rule,
        schedule,
        group: text(&people.root.call("/api/groups/save", &json!({ "name": "Garden" })).await),
        search_source: text(&search_source),
        memory: text(
            &ada.call("/api/memories/create", &json!({ "text": "Likes moss.", "importance": 3 })).await,
        ),
        skill: skill_of(ada, "moss").await,
        workspace: workspace_of(ada, "moss").await,
        mcp_server: text(&mcp_server),
        peer: text(&peer),
        job_service,
        external_job,
        pipeline: pipeline_of(ada, &agents[0]).await,
        agent_role: role_of(ada).await,
        team_file: team_of(ada, "reviewer").await,
        agents,
        passkey: people.passkey.clone(),
        reset: people.reset.clone(),
        invite: people.invite.clone(),
    };
    talk_to_all(hunt, ada, &things.agents).await;
    (things, sent)
}

/// A role with an agent of it.
async fn role_of(ada: &Caller) -> String {
    let file = team_of(ada, "editor").await;
    ada.call("/api/teams/make", &json!({ "file": file })).await;
    json_of(ada, "/api/teams/roles").await[0]["id"].as_str().unwrap().to_owned()
}

/// An agent asks for a secret, which its person enters. A program that has all their rights does not.
async fn enter_secret(hunt: &mut Hunt, people: &People, scripted: &Value) {
    let ada = &people.ada;
    let asker = json!({
        "name": "Su", "colour": "#3a7d44", "provider": scripted, "model": "gpt-5-mini", "tools": ["ask_user"],
        "home": "hub",
    });
    let asker = text(&ada.call("/api/agents/create", &asker).await["id"]);
    ada.call("/api/agents/set_network", &json!({ "id": asker, "policy": "public" })).await;
    let input =
        json!({ "question": "What opens it?", "kind": "secret", "name": "moss", "host": "moss.example" });
    let turns = json!([[{ "tool": "ask_user", "input": input }], [{ "text": "Done." }]]);
    ada.call("/api/agents/send", &json!({ "agent": asker, "text": format!("turns: {turns}") })).await;
    approval_of(ada).await;
    let asked = json_of(ada, "/api/approvals/list").await[0]["approval"].clone();
    let entered = hunt.plant("a secret that an agent asked for");
    let answer = json!({ "id": asked["id"], "hash": asked["hash"], "text": entered });
    let refused = ada.post("/api/approvals/reply", &answer).await;
    assert_eq!(refused.status(), 403, "a program entered a secret");
    people.ada_browser.call("/api/approvals/reply", &answer).await;
    let kept = json_of(ada, &format!("/api/agents/secrets?id={asker}")).await;
    assert_eq!((&kept[0]["name"], &kept[0]["place"]), (&json!("moss"), &json!("https://moss.example")));
}

/// A question that waits, on the first agent.
async fn waiting(ada: &Caller, agent: &str) -> String {
    ada.call("/api/policy/add", &json!({ "tool": "state", "verdict": "ask", "agent": agent })).await;
    ada.call("/api/agents/send", &json!({ "agent": agent, "text": "Hello" })).await;
    let approval = approval_of(ada).await;
    let asked = &json_of(ada, "/api/approvals/list").await[0]["approval"];
    let answer = json!({ "id": approval, "hash": asked["hash"], "decision": "always" });
    ada.call("/api/approvals/answer", &answer).await;
    approval
}

/// Says something to all of them at once: some are asked again and again.
pub async fn talk_to_all(hunt: &mut Hunt, ada: &Caller, agents: &[String]) {
    let answers = agents.iter().map(async |agent| {
        let said = ada.post("/api/agents/ask", &json!({ "agent": agent, "text": "Hello" })).await;
        said.text().await.unwrap()
    });
    for answer in join_all(answers).await {
        hunt.search("what an agent answers", answer.as_bytes());
    }
}

async fn save(caller: &Caller, kind: &str, url: &str, key: &str) -> Value {
    save_as(caller, "Echo", kind, url, key).await
}

async fn save_as(caller: &Caller, name: &str, kind: &str, url: &str, key: &str) -> Value {
    let provider = json!({ "name": name, "kind": kind, "base_url": url, "key": key });
    caller.call("/api/providers/save", &provider).await["id"].clone()
}

async fn agent(caller: &Caller, provider: &Value, name: &str) -> String {
    let draft = json!({
        "name": name, "colour": "#3a7d44", "provider": provider, "model": "gpt-5-mini", "tools": ["state"], "home": "hub",
    });
    text(&caller.call("/api/agents/create", &draft).await["id"])
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned()
}
