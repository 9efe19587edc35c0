//! The hub as an MCP server.

mod asked;
mod paged;

use super::{entries, patient, scoped, seen, until, upload};
use crate::live::agent;
use crate::world::{Caller, Endpoint, Program, Who};
use futures_util::StreamExt;
use reqwest::header::{ACCEPT, CONTENT_TYPE, ORIGIN, WWW_AUTHENTICATE};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

const WORDS: &str = r#"turns: [[{"text":"I write it down."},{"tool":"state","input":{"action":"set","key":"a","value":1}}],[{"text":"Done."}]]"#;
const HANGS: &str = r#"turns: [[{"text":"some words"},"hang"]]"#;

fn message(method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params })
}

fn posted(caller: &Caller, body: &Value) -> RequestBuilder {
    caller.request(Method::POST, "/mcp").json(body)
}

/// A result, or an error's code with its status and words.
async fn asked(request: RequestBuilder) -> Result<Value, (u16, i64, String)> {
    let response = request.send().await.unwrap();
    let status = response.status().as_u16();
    let body: Value = response.json().await.unwrap();
    match body.get("result") {
        Some(result) => Ok(result.clone()),
        None => Err((
            status,
            body["error"]["code"].as_i64().unwrap(),
            body["error"]["message"].as_str().unwrap().to_owned(),
        )),
    }
}

fn call(tool: &Value, text: &str) -> Value {
    message("tools/call", json!({ "name": tool, "arguments": { "message": text } }))
}

async fn first_tool(caller: &Caller) -> Value {
    let tools = asked(posted(caller, &message("tools/list", json!({})))).await.unwrap();
    tools["tools"][0]["name"].clone()
}

/// Puts a skill into quarantine.
async fn skill(caller: &Caller, name: &str, description: &str, text: &str) -> String {
    let text = format!("---\nname: {name}\ndescription: {description}\n---\n{text}\n");
    caller.call("/api/skills/write", &json!({ "text": text })).await.as_str().unwrap().to_owned()
}

fn is_stopped(entry: &Value) -> bool {
    entry["body"]["type"] == "run_finished" && entry["body"]["outcome"]["type"] == "stopped"
}

#[tokio::test]
async fn the_official_client_asks_an_agent_in_each_version_and_goes_on_with_it() {
    let (program, endpoint) = (Program::start(), Endpoint::start());
    let ada = program.caller("ada");
    let fern = agent(&ada, &endpoint).await;
    let script = scoped(&ada, "agents").await;
    for (mode, version) in [("legacy", "2025-11-25"), ("auto", "2026-07-28")] {
        let seen = seen("mcp_client.py", &script, &[mode, WORDS]).await;
        assert_eq!(seen["version"], version, "{seen}");
        assert_eq!(seen["tools"].as_array().unwrap().len(), 1, "{seen}");
        assert!(seen["tools"][0][0].as_str().unwrap().starts_with("ada_"), "{seen}");
        let first = &seen["first"];
        assert_eq!(
            (&first["error"], &first["texts"][0]),
            (&json!(false), &json!("I write it down.\n\nDone."))
        );
        let conversation = first["structured"]["conversation"].as_str().unwrap();
        assert!(first["texts"][1].as_str().unwrap().contains(conversation), "{seen}");
        assert!(seen["progress"][0][1].as_str().unwrap().starts_with("I "), "{seen}");
        assert_eq!(seen["second"]["texts"][0], "You said: And then?");
        assert_eq!(seen["second"]["structured"]["conversation"], conversation, "it is the same one");
        assert_eq!(seen["foreign"]["error"], true, "{seen}");
        assert!(seen["silent"]["texts"][0].as_str().unwrap().contains("empty"), "{seen}");
        assert_eq!(seen["unknown"]["code"], -32602, "{seen}");
        assert_eq!(seen["resources"]["code"], -32000, "{seen}");
    }
    let said = entries(&ada, &fern).await;
    let messages: Vec<&Value> = said.iter().filter(|entry| entry["body"]["type"] == "message").collect();
    assert_eq!(messages.len(), 4);
    for message in messages {
        assert_eq!(message["body"]["from"]["type"], "program", "{message}");
        assert_eq!(message["body"]["from"]["name"], "assistant");
    }
}

#[tokio::test]
async fn a_token_that_may_do_everything_reads_the_files_and_skills_of_its_own_person() {
    let (program, endpoint) = (Program::start(), Endpoint::start());
    let (ada, eve) = (program.caller("ada"), program.caller("eve"));
    let fern = agent(&ada, &endpoint).await;
    upload(&ada, &fern, "größe 100%.md", "Two metres.").await;
    let water = skill(&ada, "water", "How to water.", "Twice a week.").await;
    skill(&ada, "prune", "How to prune.", "In spring.").await;
    let detail: Value = ada.get(&format!("/api/skills/get?id={water}")).await.json().await.unwrap();
    let accepted = json!({ "id": water, "digest": detail["waiting"]["digest"] });
    ada.call("/api/skills/accept", &accepted).await;
    for mode in ["legacy", "auto"] {
        let seen = seen("mcp_client.py", &ada, &[mode, "Hello"]).await;
        assert_eq!(seen["resources"][0][1], "notes/größe 100%.md", "{seen}");
        assert_eq!(seen["read"], json!(["Two metres."]), "{seen}");
        assert_eq!(seen["prompts"], json!([["water", "How to water."]]), "{seen}");
        assert_eq!(seen["got"], json!(["Twice a week.\n\nNow."]), "{seen}");
    }
    let of_another = message("prompts/get", json!({ "name": "water" }));
    let (_, code, words) = asked(posted(&eve, &of_another)).await.unwrap_err();
    assert_eq!((code, words.as_str()), (-32602, "There is no prompt water."));
    let waiting = message("prompts/get", json!({ "name": "prune" }));
    assert_eq!(asked(posted(&ada, &waiting)).await.unwrap_err().1, -32602, "nobody accepted it");
    let listed = asked(posted(&ada, &message("resources/list", json!({})))).await.unwrap();
    let file = &listed["resources"][0];
    assert_eq!((&file["mimeType"], &file["size"]), (&json!("text/markdown"), &json!(11)));
    assert!(file["annotations"]["lastModified"].as_str().unwrap().ends_with('Z'), "{file}");
    let read = message("resources/read", json!({ "uri": file["uri"] }));
    let content = asked(posted(&ada, &read)).await.unwrap()["contents"][0].clone();
    assert_eq!((&content["mimeType"], &content["text"]), (&json!("text/markdown"), &json!("Two metres.")));
    let (_, code, words) = asked(posted(&eve, &read)).await.unwrap_err();
    let odd = message("resources/read", json!({ "uri": "vivarium://nobody/a.txt" }));
    let (_, odd_code, odd_words) = asked(posted(&eve, &odd)).await.unwrap_err();
    assert_eq!((code, odd_code), (-32002, -32002));
    let today = today(&eve, &json!({}), "resources/read", read["params"].clone());
    let (status, code, same_words) = asked(today).await.unwrap_err();
    assert_eq!((status, code, &same_words), (400, -32602, &words), "each version has its own code");
    assert_eq!(words.split("vivarium").next(), odd_words.split("vivarium").next());
    assert_eq!(asked(posted(&eve, &message("tools/list", json!({})))).await.unwrap()["tools"], json!([]));
}

/// What a client says that shows pages of tools.
fn pages() -> Value {
    json!({ "extensions": { "io.modelcontextprotocol/ui": { "mimeTypes": ["text/html;profile=mcp-app"] } } })
}

/// A request of today's version, from a client that can this.
fn today(caller: &Caller, capabilities: &Value, method: &str, mut params: Value) -> RequestBuilder {
    let named = params["name"].as_str().or(params["uri"].as_str()).map(str::to_owned);
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": capabilities,
    });
    let request = posted(caller, &message(method, params));
    let request = request.header("mcp-protocol-version", "2026-07-28").header("mcp-method", method);
    named.into_iter().fold(request, |request, name| request.header("mcp-name", name))
}

fn names(listed: &Value) -> Vec<(&Value, bool)> {
    let tools = listed["tools"].as_array().unwrap().iter();
    tools.map(|tool| (&tool["name"], tool["_meta"]["ui"]["resourceUri"].is_string())).collect()
}

#[tokio::test]
async fn a_page_is_shown_by_clients_that_show_pages_to_whom_it_belongs() {
    let (program, endpoint) = (Program::start(), Endpoint::start());
    let ada = program.caller("ada");
    agent(&ada, &endpoint).await;
    let script = scoped(&ada, "agents").await;
    let tool = first_tool(&ada).await;
    let list = |caller, capabilities: &Value| today(caller, capabilities, "tools/list", json!({}));
    let look = |caller| {
        today(caller, &pages(), "tools/call", json!({ "name": "page", "arguments": { "agent": tool } }))
    };

    let listed = asked(list(&ada, &pages())).await.unwrap();
    let for_pages = [json!("page"), json!("page_say"), json!("page_ask")];
    let [page, say, ask] = &for_pages;
    assert_eq!(names(&listed), [(&tool, true), (page, false), (say, false), (ask, false)]);
    for tool in &listed["tools"].as_array().unwrap()[1..] {
        assert_eq!(tool["_meta"]["ui"]["visibility"], json!(["app"]), "it is not for models");
    }
    for (caller, capabilities) in [(&ada, json!({})), (&script, pages())] {
        let listed = asked(list(caller, &capabilities)).await.unwrap();
        assert_eq!(names(&listed), [(&tool, false)]);
    }
    let uri = &listed["tools"][0]["_meta"]["ui"]["resourceUri"];
    let read = asked(today(&ada, &pages(), "resources/read", json!({ "uri": uri }))).await.unwrap();
    assert_eq!(read["contents"][0]["mimeType"], "text/html;profile=mcp-app");

    let shown = asked(look(&ada)).await.unwrap();
    assert_eq!(shown["content"][0]["text"], "It has drawn no page.");
    assert_eq!(shown["structuredContent"]["name"], "Ada");
    assert_eq!(asked(look(&script)).await.unwrap_err().1, -32602);
    assert_eq!(asked(look(&program.caller("eve"))).await.unwrap_err().1, -32602);

    // Those of before say it once.
    for (capabilities, tools) in [(pages(), 4), (json!({}), 1)] {
        let greeting = json!({ "protocolVersion": "2025-11-25", "capabilities": capabilities });
        let greeted = posted(&ada, &message("initialize", greeting)).send().await.unwrap();
        let session = greeted.headers()["mcp-session-id"].clone();
        let listing = posted(&ada, &message("tools/list", json!({}))).header("mcp-session-id", session);
        assert_eq!(names(&asked(listing).await.unwrap()).len(), tools);
    }
}

#[tokio::test]
async fn whoever_gives_a_call_up_stops_its_run() {
    let (program, endpoint) = (patient(), Endpoint::start());
    let ada = program.caller("ada");
    let fern = agent(&ada, &endpoint).await;
    let script = scoped(&ada, "agents").await;
    let tool = first_tool(&script).await;
    let hanging =
        || posted(&script, &call(&tool, HANGS)).header(ACCEPT, "application/json, text/event-stream");
    let stops = async |count: usize| {
        while entries(&ada, &fern).await.iter().filter(|entry| is_stopped(entry)).count() < count {
            tokio::task::yield_now().await;
        }
    };

    let mut body = call(&tool, HANGS);
    body["params"]["_meta"] = json!({ "progressToken": "p" });
    let response = posted(&script, &body).header(ACCEPT, "text/event-stream").send().await.unwrap();
    assert_eq!(response.headers()[CONTENT_TYPE], "text/event-stream");
    let mut events = response.bytes_stream();
    let told = String::from_utf8(events.next().await.unwrap().unwrap().to_vec()).unwrap();
    assert!(told.contains("notifications/progress") && told.contains("some "), "{told}");
    let busy = asked(posted(&script, &call(&tool, "Hi"))).await.unwrap();
    assert_eq!(busy["isError"], true);
    assert!(busy["content"][0]["text"].as_str().unwrap().contains("at work"), "{busy}");
    drop(events);
    stops(1).await;

    let session = |request: RequestBuilder, name: &'static str| request.header("mcp-session-id", name);
    let response = session(hanging(), "one").send().await.unwrap();
    let given_up =
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 7 } });
    let other = scoped(&ada, "agents").await;
    for (caller, name) in [(&other, "one"), (&script, "two"), (&script, "one")] {
        let taken = session(posted(caller, &given_up), name).send().await.unwrap();
        assert_eq!(taken.status(), 202);
    }
    let rest = response.text().await.unwrap();
    assert!(!rest.contains("\"result\""), "who gave it up is not answered: {rest}");
    stops(2).await;
}

#[tokio::test]
async fn who_waits_for_a_silent_agent_is_told_that_it_is_still_at_work() {
    let (program, endpoint) = (Program::start(), Endpoint::start());
    let ada = program.caller("ada");
    agent(&ada, &endpoint).await;
    let tool = first_tool(&ada).await;
    let mut body = call(&tool, HANGS);
    body["params"]["_meta"] = json!({ "progressToken": "p" });
    let response = posted(&ada, &body).header(ACCEPT, "text/event-stream").send().await.unwrap();
    let (mut events, mut told) = (response.bytes_stream(), String::new());
    while !told.contains("It is at work.") {
        told.push_str(std::str::from_utf8(&events.next().await.unwrap().unwrap()).unwrap());
    }
    assert!(told.contains("some ") && !told.contains("\"result\""), "{told}");
}

#[tokio::test]
async fn what_is_no_call_of_this_persons_program_is_refused_with_words() {
    let (program, endpoint) = (Program::start(), Endpoint::start());
    let ada = program.caller("ada");
    agent(&ada, &endpoint).await;
    let (script, models) = (scoped(&ada, "agents").await, scoped(&ada, "models").await);
    let browser = program.browser("ada", "test").await;
    let list = message("tools/list", json!({}));
    let metadata = format!("resource_metadata=\"{}/.well-known/oauth-protected-resource/mcp\"", program.url);
    for (caller, status, challenge) in [
        (program.stranger(), 401, format!("Bearer {metadata}, scope=\"agents files\"")),
        (
            ada.with(Who::Token("viv_nonsense".to_owned())),
            401,
            format!("Bearer {metadata}, scope=\"agents files\""),
        ),
        (models, 403, format!("Bearer error=\"insufficient_scope\", scope=\"agents\", {metadata}")),
    ] {
        let response = posted(&caller, &list).send().await.unwrap();
        assert_eq!(response.status(), status);
        assert_eq!(response.headers()[WWW_AUTHENTICATE], challenge);
    }
    // What a token for everything reads, one for agents is told to ask for, with what it has.
    let wider = format!("Bearer error=\"insufficient_scope\", scope=\"agents files\", {metadata}");
    let read = json!({ "uri": "vivarium://nobody/a.txt" });
    for (method, params) in [
        ("resources/list", json!({})),
        ("resources/templates/list", json!({})),
        ("resources/read", read),
        ("prompts/list", json!({})),
        ("prompts/get", json!({ "name": "water" })),
    ] {
        let response = posted(&script, &message(method, params)).send().await.unwrap();
        assert_eq!(
            (response.status().as_u16(), &response.headers()[WWW_AUTHENTICATE]),
            (403, &wider.parse().unwrap())
        );
        let body: Value = response.json().await.unwrap();
        assert!(
            body["error"]["message"].as_str().unwrap().contains("may call agents") && !body["id"].is_null(),
            "{body}"
        );
    }
    let by_cookie = posted(&browser, &list).header(ORIGIN, &browser.url).send().await.unwrap();
    assert_eq!(by_cookie.status(), 401);
    let foreign = posted(&script, &list).header(ORIGIN, "https://evil.example").send().await.unwrap();
    assert_eq!(foreign.status(), 403);
    let rebound = posted(&script, &list).header("host", "evil.example").send().await.unwrap();
    assert_eq!(rebound.status(), 421);
    let get = script.get("/mcp").await;
    assert_eq!((get.status().as_u16(), &get.headers()["allow"]), (405, &"POST".parse().unwrap()));

    let text = |body: &str| script.request(Method::POST, "/mcp").body(body.to_owned());
    let large = format!("\"{}\"", "x".repeat(10 * 1024 * 1024));
    let many = format!("[{}0]", "0,".repeat(300_000));
    for (request, status, code) in [
        (text("{"), 400, -32700),
        (posted(&script, &json!([list])), 400, -32600),
        (posted(&script, &json!({ "id": 1, "result": {} })), 400, -32600),
        (text(&large), 413, -32600),
        (text(&many), 413, -32600),
        (posted(&script, &message("prompts/list", json!({}))), 403, -32000),
        (posted(&script, &message("moss/list", json!({}))), 200, -32601),
        (posted(&script, &list).header("mcp-protocol-version", "2030-01-01"), 400, -32022),
        (posted(&script, &message("server/discover", json!({}))), 400, -32602),
        (posted(&script, &list).header("mcp-protocol-version", "2026-07-28"), 400, -32602),
    ] {
        let (found, reason, words) = asked(request).await.unwrap_err();
        assert_eq!((found, reason), (status, code), "{words}");
    }
    for version in ["2025-03-26", "2025-06-18", "2025-11-25"] {
        let greeting = message("initialize", json!({ "protocolVersion": version, "capabilities": {} }));
        let response = posted(&script, &greeting).send().await.unwrap();
        assert!(response.headers().contains_key("mcp-session-id"));
        let body: Value = response.json().await.unwrap();
        assert_eq!(body["result"]["protocolVersion"], version);
        let listed = posted(&script, &list).header("mcp-protocol-version", version);
        assert_eq!(asked(listed).await.unwrap()["tools"].as_array().unwrap().len(), 1);
    }
}

#[tokio::test]
async fn a_flood_is_held_back() {
    let program = Program::start_with(&[("VIVARIUM_PERSON_REQUESTS", "1")]);
    let ada = program.caller("ada");
    let script = scoped(&ada, "agents").await;
    let list = message("tools/list", json!({}));
    let mut statuses = Vec::new();
    for _ in 0..60 {
        statuses.push(posted(&script, &list).send().await.unwrap().status().as_u16());
    }
    assert!(statuses.contains(&200) && statuses.contains(&429), "{statuses:?}");
}

#[tokio::test]
async fn a_token_that_is_revoked_ends_its_call() {
    let (program, endpoint) = (patient(), Endpoint::start());
    let ada = program.caller("ada");
    let fern = agent(&ada, &endpoint).await;
    let script = scoped(&ada, "agents").await;
    let tool = first_tool(&script).await;
    let hangs = posted(&script, &call(&tool, HANGS)).send();
    let revokes = async {
        until(&ada, &fern, |entry| entry["body"]["type"] == "run_started").await;
        let tokens: Value = ada.get("/api/account/tokens").await.json().await.unwrap();
        let id = tokens.as_array().unwrap().iter().find(|token| token["name"] == "assistant").unwrap()["id"]
            .clone();
        ada.call("/api/account/revoke_token", &json!({ "id": id })).await;
        until(&ada, &fern, is_stopped).await;
    };
    let (answered, ()) = futures_util::join!(hangs, revokes);
    let answer: Value = answered.unwrap().json().await.unwrap();
    assert_eq!(answer["result"]["isError"], true, "{answer}");
    assert_eq!(posted(&script, &message("tools/list", json!({}))).send().await.unwrap().status(), 401);
}
