//! Every way out of the program over HTTP, as the router and the registry list them. A new one does not
//! pass before it is said here what is in it.

#![expect(clippy::disallowed_methods, reason = "what a test starts belongs to the test")]

use super::hunt::Hunt;
use crate::live::{Socket, connect, say};
use crate::routes::{pages, routes};
use crate::tenancy::{Named, body, named};
use crate::world::Caller;
use flate2::read::DeflateDecoder;
use futures_util::StreamExt;
use leptos::server_fn::axum::server_fn_paths;
use rawzip::ZipArchive;
use reqwest::header::{ACCEPT, ORIGIN, REFERER};
use reqwest::{Method, Response};
use serde_json::{Value, json};
use std::io::Read;
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::Message;

/// What paths name, and the codes that somebody brings along in one.
#[derive(Clone)]
pub struct Things {
    pub agents: Vec<String>,
    /// One of each agent, in the same order.
    pub conversations: Vec<String>,
    /// The first of them, as somebody else reads it.
    pub share: String,
    pub provider: String,
    pub person: String,
    pub device: String,
    pub token: String,
    pub passkey: String,
    pub archive: String,
    pub import: String,
    pub attachment: String,
    pub approval: String,
    pub rule: String,
    pub schedule: String,
    pub group: String,
    pub search_source: String,
    pub memory: String,
    pub skill: String,
    pub workspace: String,
    pub mcp_server: String,
    pub peer: String,
    pub job_service: String,
    pub external_job: String,
    pub pipeline: String,
    pub agent_role: String,
    pub team_file: String,
    pub notification: String,
    pub channel: String,
    pub reset: String,
    pub invite: String,
}

impl Things {
    /// Every page and every route, with what it may repeat.
    fn paths(&self) -> Vec<String> {
        let mut paths: Vec<String> = pages().iter().flat_map(|page| self.page(page)).collect();
        paths.extend(routes().into_iter().flat_map(|(_, route)| self.route(route)));
        paths.extend([format!("/sign-up?invite={}", self.invite), "/no/such/page".to_owned()]);
        paths
    }

    fn page(&self, path: &str) -> Vec<String> {
        let Some((before, rest)) = path.split_once(['{', ':']) else { return vec![path.to_owned()] };
        let after = rest.find(['}', '/']).map_or("", |end| rest[end..].trim_start_matches('}'));
        let after = after.replace("{schedule}", &self.schedule).replace(":schedule", &self.schedule);
        let fill = |with: &String| format!("{before}{with}{after}");
        match before {
            "/agents/" => {
                let of = |(path, conversation): (String, &String)| {
                    path.replace("{conversation}", conversation).replace(":conversation", conversation)
                };
                self.agents.iter().map(fill).zip(&self.conversations).map(of).collect()
            }
            "/providers/" => vec![fill(&self.provider)],
            "/skills/" => vec![fill(&self.skill)],
            "/workspaces/" => vec![fill(&self.workspace)],
            "/admin/people/" => vec![fill(&self.person)],
            "/mcp-servers/" => vec![fill(&self.mcp_server)],
            "/peers/" => vec![fill(&self.peer)],
            "/job-services/" => vec![fill(&self.job_service)],
            "/external-jobs/" => vec![fill(&self.external_job)],
            "/pipelines/" => vec![fill(&self.pipeline)],
            "/teams/files/" => vec![fill(&self.team_file)],
            "/conversations/" => self.conversations.iter().map(fill).collect(),
            "/shared/" => vec![fill(&self.share)],
            "/gallery/" => vec![fill(&self.archive)],
            "/import/" => vec![fill(&self.import)],
            "/setup/" | "/reset/" => vec![fill(&self.reset)],
            "/unsubscribe/" => vec![format!("{before}{}/x", self.channel)],
            _ => panic!("say what {path} names"),
        }
    }

    fn route(&self, route: &str) -> Vec<String> {
        let of_agents = |path: &str| self.agents.iter().map(|id| path.replace("{agent}", id)).collect();
        match route {
            // Sockets, what takes archives, attachments and files in and what programs ask models are looked at by themselves;
            // functions are in the registry.
            "/live"
            | "/hooks/{schedule}"
            | "/unsubscribe/{channel}/{key}"
            | "/share-target"
            | "/oauth/register"
            | "/oauth/token"
            | "/oauth/revoke"
            | "/archives"
            | "/attachments"
            | "/speech/hear"
            | "/speech/say"
            | "/files"
            | "/imports"
            | "/skills/upload"
            | "/tools/{agent}"
            | "/api/{*function}" => Vec::new(),
            "/v1/chat/completions" | "/v1/responses" | "/v1/messages" | "/v1/messages/count_tokens" => {
                Vec::new()
            }
            "/mcp" | "/a2a" => vec![route.to_owned()],
            "/a2a/{agent}" | "/a2a/{agent}/.well-known/agent-card.json" => of_agents(route),
            "/v1/{*path}" => vec![format!("/v1/{}", self.provider)],
            "/v1/models/{*id}" => vec![route.replace("{*id}", &self.provider)],
            "/v1/models"
            | "/healthz"
            | "/readyz"
            | "/memories/export"
            | "/account/export"
            | "/mcp-client.json"
            | "/mcp-sign-in"
            | "/.well-known/oauth-protected-resource"
            | "/.well-known/oauth-protected-resource/mcp"
            | "/.well-known/oauth-authorization-server"
            | "/.well-known/jwks.json"
            | "/usage.csv"
            | "/usage/tools.csv"
            | "/admin/usage.csv"
            | "/admin/usage/tools.csv"
            | "/sandbox/skin"
            | "/sandbox/loop" => vec![route.to_owned()],
            // Files of the build, the same for everybody.
            "/b/{build}/{*path}" | "/service-worker.js" | "/manifest.webmanifest" | "/app-icons/{icon}" => {
                Vec::new()
            }
            "/sandbox/still/{agent}" | "/archives/{agent}" => of_agents(route),
            "/sandbox/app/{agent}/{tool}" => of_agents("/sandbox/app/{agent}/mcp_garden_show?digest=x"),
            "/folders/{folder}/download" => of_agents("/folders/{agent}/download?path=none"),
            "/folders/{folder}/page" => of_agents("/folders/{agent}/page?path=none"),
            "/api/agents/{agent}/events" => of_agents("/api/agents/{agent}/events?after=0"),
            "/attachments/{id}" | "/attachments/{id}/thumbnail" => {
                vec![route.replace("{id}", &self.attachment)]
            }
            "/conversations/{id}/export" => {
                let of = |id: &String| {
                    ["markdown", "json"].map(|format| format!("/conversations/{id}/export?format={format}"))
                };
                self.conversations.iter().flat_map(of).collect()
            }
            "/tools/{agent}/{name}" => of_agents("/tools/{agent}/none"),
            "/teams/agents.yaml" => of_agents("/teams/agents.yaml?agents={agent}"),
            "/sandbox/still/archive/{archive}" => vec![route.replace("{archive}", &self.archive)],
            // Its addresses are signed, and stand in the list of files.
            "/files/{folder}/{*path}" => of_agents("/files/{agent}/none?until=1&mac=x"),
            route => panic!("say what {route} names"),
        }
    }

    fn id(&self, named: &Named) -> Option<(&'static str, Vec<&String>)> {
        Some(match named {
            Named::Agent(argument) => (argument, self.agents.iter().collect()),
            Named::Provider(argument) => (argument, vec![&self.provider]),
            Named::Device(argument) => (argument, vec![&self.device]),
            Named::Token(argument) => (argument, vec![&self.token]),
            Named::Passkey(argument) => (argument, vec![&self.passkey]),
            Named::Person(argument) => (argument, vec![&self.person]),
            Named::Archive(argument) => (argument, vec![&self.archive]),
            Named::Approval(argument) => (argument, vec![&self.approval]),
            Named::Rule(argument) => (argument, vec![&self.rule]),
            Named::Schedule(argument) => (argument, vec![&self.schedule]),
            Named::Conversation(argument) => (argument, self.conversations.iter().collect()),
            Named::Share(argument) => (argument, vec![&self.share]),
            Named::Import(argument) => (argument, vec![&self.import]),
            Named::Group(argument) => (argument, vec![&self.group]),
            Named::SearchSource(argument) => (argument, vec![&self.search_source]),
            Named::Memory(argument) => (argument, vec![&self.memory]),
            Named::Skill(argument) => (argument, vec![&self.skill]),
            Named::Workspace(argument) => (argument, vec![&self.workspace]),
            Named::McpServer(argument) => (argument, vec![&self.mcp_server]),
            Named::Peer(argument) => (argument, vec![&self.peer]),
            Named::JobService(argument) => (argument, vec![&self.job_service]),
            Named::ExternalJob(argument) => (argument, vec![&self.external_job]),
            Named::Pipeline(argument) => (argument, vec![&self.pipeline]),
            Named::AgentRole(argument) => (argument, vec![&self.agent_role]),
            Named::TeamFile(argument) => (argument, vec![&self.team_file]),
            Named::Notification(argument) => (argument, vec![&self.notification]),
            Named::Channel(argument) => (argument, vec![&self.channel]),
            // What reads names none.
            Named::AgentShare(_)
            | Named::Delegation(_)
            | Named::GivenLink(_)
            | Named::Saying(_)
            | Named::Nothing => return None,
        })
    }
}

/// Reads everything that can be read.
pub async fn read_all(hunt: &mut Hunt, things: &Things, callers: &[(&str, &Caller)]) {
    for (who, caller) in callers {
        for path in things.paths() {
            let response =
                caller.request(Method::GET, &path).header(ACCEPT, "text/html,*/*").send().await.unwrap();
            let brought = [things.reset.as_str(), things.invite.as_str()].into_iter();
            let brought: Vec<&str> = brought.filter(|code| path.contains(code)).collect();
            look(hunt, &brought, &format!("GET {path} as {who}"), response).await;
        }
        for (path, method) in server_fn_paths().filter(|(_, method)| *method == Method::GET) {
            for (argument, id) in arguments(things, path) {
                let path = format!("{path}?{argument}={id}&after=0&model=one&code=none");
                let response = caller.request(method.clone(), &path).send().await.unwrap();
                look(hunt, &[], &format!("GET {path} as {who}"), response).await;
            }
        }
    }
}

/// Asks a model of every provider, each in another API. What agents say is looked at as their own.
pub async fn ask_models(hunt: &mut Hunt, who: &str, caller: &Caller) {
    let list = caller.request(Method::GET, "/v1/models").send().await.unwrap().json::<Value>().await.unwrap();
    let mut models: Vec<&Value> = list["data"].as_array().into_iter().flatten().collect();
    models.dedup_by_key(|model| &model["owned_by"]);
    let named = models.iter().filter_map(|model| model["id"].as_str());
    let named = named.filter(|model| !model.starts_with("agent/")).chain(["none"]);
    let paths = ["/v1/chat/completions", "/v1/responses", "/v1/messages", "/v1/messages/count_tokens"];
    for (model, path) in named.zip(paths.into_iter().cycle()) {
        let body = asking(path, model, true);
        let response = caller.request(Method::POST, path).json(&body).send().await.unwrap();
        look(hunt, &[], &format!("POST {path} for {model} as {who}"), response).await;
    }
}

/// Calls every function that changes something, in two parts: those that take things away, and all others.
pub async fn call_all(hunt: &mut Hunt, things: &Things, who: &str, caller: &Caller, taking: bool) {
    let functions = server_fn_paths().filter(|(path, _)| takes_away(path) == taking);
    let mut functions: Vec<_> = functions.filter(|(_, method)| *method == Method::POST).collect();
    functions.sort_by_key(|(path, _)| *path);
    for (path, method) in functions {
        for (argument, id) in arguments(things, path) {
            let mut body = body();
            body[argument] = json!(id);
            for accept in ["application/json", "text/html"] {
                let request =
                    caller.request(method.clone(), path).header(ORIGIN, &caller.url).header(ACCEPT, accept);
                let request = request.header(REFERER, format!("{}/providers", caller.url)).json(&body);
                look(hunt, &[], &format!("POST {path} as {who}"), request.send().await.unwrap()).await;
            }
        }
    }
}

/// Calls every function with this secret wherever one can be entered, and everything else wrong.
pub async fn mistake_all(hunt: &mut Hunt, who: &str, caller: &Caller, secret: &str) {
    for (path, method) in server_fn_paths().filter(|(_, method)| *method == Method::POST) {
        // There it is the name of a message, which is kept.
        if matches!(path, "/api/agents/send" | "/api/agents/ask") {
            continue;
        }
        let entered = |value: Value| {
            let mut body = json!({ "id": ["no"], "kind": "nonsense", "name": { "a": 1 }, "agent": "none" });
            for argument in ["key", "password", "code", "current", "new", "invite", "token", "headers"] {
                body[argument] = value.clone();
            }
            body
        };
        let request = || {
            let request = caller.request(method.clone(), path).header(ORIGIN, &caller.url);
            request.header(ACCEPT, "text/html").header(REFERER, format!("{}/account", caller.url))
        };
        let once = |name: &str| format!("{name}={}", secret.replace('/', "%2F").replace('+', "%2B"));
        let form: Vec<String> =
            ["key", "password", "code", "current", "new", "key", "password"].map(once).into();
        let broken = format!("{{\"key\":\"{secret}\",\"password\":\"{secret}\"");
        for (how, request) in [
            ("as a list", request().json(&entered(json!([secret])))),
            ("as an object", request().json(&entered(json!({ "of": secret })))),
            ("as it should be", request().json(&entered(json!(secret)))),
            (
                "twice",
                request().header("content-type", "application/x-www-form-urlencoded").body(form.join("&")),
            ),
            ("in broken JSON", request().header("content-type", "application/json").body(broken)),
        ] {
            let place = format!("POST {path} as {who}, with a secret {how}");
            look(hunt, &[], &place, request.send().await.unwrap()).await;
        }
    }
}

/// A request in the words of the API at this path.
fn asking(path: &str, model: &str, stream: bool) -> Value {
    match path {
        "/v1/responses" => json!({ "model": model, "stream": stream, "input": "Hello" }),
        _ => json!({
            "model": model, "stream": stream, "max_tokens": 1000,
            "messages": [{ "role": "user", "content": "Hello" }],
        }),
    }
}

/// Asks a model in every API that there is for other programs.
pub async fn call_as_program(hunt: &mut Hunt, caller: &Caller, model: &str) {
    for path in ["/v1/chat/completions", "/v1/responses", "/v1/messages", "/v1/messages/count_tokens"] {
        for stream in [false, true] {
            let body = asking(path, model, stream);
            let answer = caller.request(Method::POST, path).json(&body).send().await.unwrap();
            let head = format!("{:?}", answer.headers());
            let bytes = answer.bytes().await.unwrap();
            let place = format!("{path} about {model}");
            hunt.search(&place, head.as_bytes());
            hunt.search(&place, &bytes);
            hunt.search(&format!("the words of {place}"), words(&bytes).as_bytes());
        }
    }
}

/// Every text in a stream of JSON, one after the other: what came in pieces is whole in it.
fn words(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let events = text.lines().filter_map(|line| serde_json::from_str(line.strip_prefix("data: ")?).ok());
    let mut words = String::new();
    events.for_each(|event: Value| collect(&event, &mut words));
    words
}

fn collect(value: &Value, words: &mut String) {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
        Value::String(text) => words.push_str(text),
        Value::Array(list) => list.iter().for_each(|item| collect(item, words)),
        Value::Object(object) => {
            let kept =
                ["text", "content", "delta", "arguments", "partial_json", "thinking", "reasoning_content"];
            let inner = ["choices", "function", "tool_calls"];
            let of = |name: &String| kept.contains(&name.as_str()) || inner.contains(&name.as_str());
            object.iter().filter(|(name, _)| of(name)).for_each(|(_, item)| collect(item, words));
        }
    }
}

/// Follows agents over a socket and keeps what it is told, the parts of a block also as one text.
pub async fn listen(caller: &Caller, tab: &str, agents: &[String]) -> JoinHandle<String> {
    let mut socket = connect(caller, tab).await;
    for agent in agents {
        say(&mut socket, &json!({ "type": "active", "showing": agent })).await;
        say(&mut socket, &json!({ "type": "subscribe", "agent": agent, "after": 0 })).await;
    }
    tokio::spawn(heard(socket))
}

async fn heard(mut socket: Socket) -> String {
    let (mut frames, mut said) = (String::new(), String::new());
    while let Some(Ok(message)) = socket.next().await {
        if let Message::Text(text) = message {
            let frame: Value = serde_json::from_str(&text).unwrap();
            if let ("delta", Some(part)) =
                (frame["type"].as_str().unwrap_or_default(), frame["text"].as_str())
            {
                said.push_str(part);
            }
            frames.push_str(&text);
            frames.push('\n');
        }
    }
    frames + &said
}

fn arguments<'a>(things: &'a Things, path: &str) -> Vec<(&'static str, &'a str)> {
    match things.id(&named(path)) {
        Some((argument, ids)) => ids.into_iter().map(|id| (argument, id.as_str())).collect(),
        None => vec![("none", "")],
    }
}

fn takes_away(path: &str) -> bool {
    const WORDS: [&str; 11] = [
        "delete", "remove", "refuse", "discard", "revoke", "sign_out", "disable", "set_role", "sharing/",
        "set_key", "erase",
    ];
    WORDS.iter().any(|word| path.contains(word))
}

async fn look(hunt: &mut Hunt, brought: &[&str], place: &str, response: Response) {
    let head = format!("{:?}", response.headers());
    hunt.search_but(brought, &format!("the head of {place}"), head.as_bytes());
    let is_feed = response.headers().get("content-type").is_some_and(|kind| kind == "text/event-stream");
    let bytes = if is_feed { feed(response).await } else { response.bytes().await.unwrap().to_vec() };
    hunt.search_but(brought, place, &bytes);
    if bytes.starts_with(b"PK") {
        for (name, content) in unpacked(&bytes) {
            hunt.search(&format!("{name} of {place}"), &content);
        }
    }
}

/// What a feed has sent when it says that this was all so far.
async fn feed(mut response: Response) -> Vec<u8> {
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.unwrap() {
        bytes.extend_from_slice(&chunk);
        if String::from_utf8_lossy(&bytes).contains("caught_up") {
            break;
        }
    }
    bytes
}

fn unpacked(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let archive = ZipArchive::from_slice(bytes).unwrap();
    let mut found = Vec::new();
    for record in archive.entries() {
        let record = record.unwrap();
        let entry = archive.get_entry(record.wayfinder()).unwrap();
        let mut content = Vec::new();
        DeflateDecoder::new(entry.data()).read_to_end(&mut content).unwrap();
        found.push((String::from_utf8_lossy(record.file_path().as_bytes()).into_owned(), content));
    }
    assert!(!found.is_empty());
    found
}
