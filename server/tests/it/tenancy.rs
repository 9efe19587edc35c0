//! S8: what belongs to somebody else is as what does not exist, on every route that takes an id, for
//! strangers too.

mod named;
mod whose;

pub use named::{Named, named};

use crate::archives::{archive_of, upload};
use crate::attachments::{PICTURE, bring};
use crate::imports::export_of;
use crate::routes::{filled, pages, routes};
use crate::things::{
    agent_share_of, approval_of, conversation_of, delegation_of, external_job_of, given_link_of,
    job_service_of, json_of, passkey_of, pipeline_of, saying_of, schedule, share_of, skill_of, team_of,
    workspace_of,
};
use crate::world::{Caller, Endpoint, PASSWORD, Program};
use leptos::server_fn::axum::server_fn_paths;
use reqwest::Method;
use reqwest::header::ORIGIN;
use serde_json::{Value, json};
use std::cell::Cell;
use whose::{Whose, address, whose};

/// What any function takes, beside an id.
pub fn body() -> Value {
    json!({
        "name": "Eve", "colour": "#3a7d44", "text": "hello", "importance": 3, "after": 0, "version": 1, "tool": "state", "policy": "off",
        "kind": "open_ai", "base_url": "http://127.0.0.1:1", "permission": "camera", "allowed": true,
        "home": "hub", "tab": "tab-1", "status": 200, "role": "member", "key": "sk-somebody",
        "hash": "none", "title": "Ferns", "entry": 1, "run": "none", "decision": "once", "verdict": "ask", "draft": schedule(),
        "path": "notes.md", "to": "plan.md", "towards": "end", "digest": "none", "task": 1, "state": "done",
        "hours": 1,
    })
}

async fn ask(caller: &Caller, method: &Method, path: &str, argument: &str, id: &str) -> (u16, String) {
    let mut body = body();
    if path.starts_with("/api/memories/") {
        body["kind"] = json!("fact");
        body["keep"] = json!("both");
    }
    if path.starts_with("/api/pipelines/") {
        body["task"] = json!("yours");
        body["yes"] = json!(true);
    }
    if path.starts_with("/api/speech/") {
        body["part"] = json!("hearing");
        body["model"] = json!("whisper-1");
    }
    if path.starts_with("/api/topics/") {
        body["topic"] = json!("moss");
    }
    if path.starts_with("/api/agent_shares/") {
        body["per_month"] = json!("5");
    }
    if path.starts_with("/api/peers/") {
        body["agent"] = json!("none");
    }
    if path == "/api/files/copy_to" || path == "/api/files/copy_chosen" {
        body["to"] = json!(id);
    }
    if path == "/api/files/undo_change" {
        body["at"] = json!(1);
    }
    if path == "/api/files/undo_call" {
        body["conversation"] = json!("none");
        body["call"] = json!("none");
    }
    if path.starts_with("/api/terminal/") {
        body["job"] = json!(1);
    }
    if path.starts_with("/api/mcp_servers/") {
        body["agent"] = json!("none");
        body["prompt"] = json!("plan");
        body["argument"] = json!("bed");
        body["uri"] = json!("garden://plan");
        body["url"] = json!("https://garden.example/mcp");
        body["hosts"] = json!([]);
    }
    body[argument] = json!(id);
    let is_list = path.starts_with("/api/console/") || path == "/api/mcp_servers/add";
    if is_list {
        body[argument] = json!([id]);
    }
    let in_address = if is_list { format!("{argument}[]") } else { argument.to_owned() };
    let response = if *method == Method::GET {
        let call = if path == "/api/files/of_call" { "&conversation=none&call=none" } else { "" };
        caller
            .get(&format!(
                "{path}?{in_address}={id}{call}&after=0&text=hello&path=notes.md&version=1&hours=1&files=1&bytes=1&url=https://a.example/&tool=none"
            ))
            .await
    } else {
        caller.request(Method::POST, path).header(ORIGIN, &caller.url).json(&body).send().await.unwrap()
    };
    (response.status().as_u16(), response.text().await.unwrap().replace(id, "ID"))
}

/// A thing of ada's, made just now.
struct Owner<'a> {
    program: &'a Program,
    ada: Caller,
    endpoint: Endpoint,
    /// What her agents have; there may not be one for each.
    provider: String,
    made: Cell<usize>,
}

impl Owner<'_> {
    async fn agent(&self) -> String {
        let draft = json!({
            "name": "Ada", "colour": "#3a7d44", "provider": self.provider, "model": "gpt-5-mini",
            "tools": ["state", "agent_spawn", "external_job"], "home": "hub",
        });
        self.ada.call("/api/agents/create", &draft).await["id"].as_str().unwrap().to_owned()
    }

    /// One that waits.
    async fn question(&self) -> String {
        let (ada, agent) = (&self.ada, self.agent().await);
        let rule = json!({ "agent": agent, "tool": "state", "verdict": "ask" });
        ada.call("/api/policy/add", &rule).await;
        let turns = r#"turns: [[{"tool":"state","input":{"action":"set","key":"a","value":1}}]]"#;
        ada.call("/api/agents/send", &json!({ "agent": agent, "text": turns })).await;
        approval_of(ada).await
    }

    async fn make(&self, named: &Named) -> String {
        let ada = &self.ada;
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        self.made.set(self.made.get() + 1);
        let name = format!("thing-{}", self.made.get());
        match named {
            Named::Agent(_) => self.agent().await,
            Named::Provider(_) => {
                let provider = json!({ "name": name, "kind": "open_ai", "base_url": self.endpoint.url, "key": "key-good" });
                text(&ada.call("/api/providers/save", &provider).await["id"])
            }
            Named::Device(_) => {
                let browser = self.program.browser("ada", "test").await;
                let devices = json_of(&browser, "/api/account/devices").await;
                let own = devices.as_array().unwrap().iter().find(|device| device["current"] == true);
                text(&own.unwrap_or(&devices[0])["id"])
            }
            Named::Token(_) => {
                text(&ada.call("/api/account/create_token", &json!({ "name": name })).await["view"]["id"])
            }
            Named::Passkey(_) => match json_of(ada, "/api/passkeys/list").await[0]["id"].as_str() {
                Some(id) => id.to_owned(),
                None => passkey_of(ada, PASSWORD).await,
            },
            Named::Person(_) => {
                self.program.add_user(&name);
                let people = json_of(ada, "/api/people/list").await;
                text(&people.as_array().unwrap().iter().find(|person| person["name"] == *name).unwrap()["id"])
            }
            Named::Archive(_) => {
                let agent = self.agent().await;
                text(&upload(ada, &archive_of(ada, &agent).await).await["archive"])
            }
            Named::Approval(_) => self.question().await,
            Named::Rule(_) => {
                text(&ada.call("/api/policy/add", &json!({ "tool": "dom", "verdict": "ask" })).await["id"])
            }
            Named::Schedule(_) => {
                let due = json!({ "agent": self.agent().await, "draft": schedule() });
                text(&ada.call("/api/schedules/create", &due).await)
            }
            Named::Delegation(_) => {
                let agent = self.agent().await;
                let turns =
                    r#"turns: [[{"tool":"agent_spawn","input":{"label":"Moss","task":"Say moss."}}]]"#;
                ada.call("/api/agents/send", &json!({ "agent": agent, "text": turns })).await;
                delegation_of(ada, &agent).await
            }
            Named::Pipeline(_) => {
                let id = pipeline_of(ada, &self.agent().await).await;
                ada.call("/api/pipelines/start", &json!({ "id": id })).await;
                id
            }
            Named::AgentRole(_) => {
                let file = team_of(ada, &name).await;
                ada.call("/api/teams/make", &json!({ "file": file })).await;
                let roles = json_of(ada, "/api/teams/roles").await;
                text(&roles.as_array().unwrap().iter().find(|role| role["name"] == *name).unwrap()["id"])
            }
            Named::TeamFile(_) => team_of(ada, &name).await,
            Named::Conversation(_) => conversation_of(ada, &self.agent().await).await,
            Named::Share(_) => {
                share_of(ada, &conversation_of(ada, &self.agent().await).await, "reader").await
            }
            Named::AgentShare(_) => agent_share_of(ada, &self.agent().await, "reader").await,
            Named::Import(_) => export_of(ada).await,
            Named::Group(_) => text(&ada.call("/api/groups/save", &json!({ "name": name })).await),
            Named::SearchSource(_) => {
                let source = json!({ "kind": "searxng", "base_url": self.endpoint.url });
                text(&ada.call("/api/web_search/add", &source).await["id"])
            }
            Named::Memory(_) => {
                let memory = json!({ "text": format!("Ada likes {name}."), "importance": 3 });
                text(&ada.call("/api/memories/create", &memory).await)
            }
            Named::Saying(_) => saying_of(ada, &self.agent().await, &self.agent().await).await,
            Named::Skill(_) => skill_of(ada, &name).await,
            Named::Workspace(_) => workspace_of(ada, &name).await,
            Named::McpServer(_) => {
                let server = json!({ "name": name, "url": self.endpoint.url });
                text(&ada.call("/api/mcp_servers/add", &server).await["id"])
            }
            Named::Peer(_) => {
                let peer = json!({ "name": name, "url": self.endpoint.url });
                text(&ada.call("/api/peers/add", &peer).await["id"])
            }
            Named::JobService(_) => job_service_of(ada, &name, &self.endpoint.url).await,
            Named::ExternalJob(_) => {
                job_service_of(ada, &name, &self.endpoint.url).await;
                external_job_of(ada, &self.agent().await, &name, &self.endpoint.url).await
            }
            Named::Notification(_) => {
                self.question().await;
                text(&json_of(ada, "/api/notifications/list").await["list"][0]["id"])
            }
            Named::Channel(_) => {
                let channel = json!({ "kind": "webhook", "address": self.endpoint.url });
                text(&ada.call("/api/notifications/add_channel", &channel).await["view"]["id"])
            }
            Named::GivenLink(_) => given_link_of(ada, &self.agent().await).await,
            Named::Nothing => String::new(),
        }
    }
}

#[tokio::test]
async fn what_is_somebody_elses_is_as_what_does_not_exist_and_its_owner_sees_it() {
    let program = Program::start_with(&[("VIVARIUM_ADDRESS_REQUESTS", "0")]);
    let (ada, _, nobody) = (program.caller("ada"), program.caller("eve"), program.stranger());
    let (_, out) = (program.caller("guest"), program.caller("out"));
    program.add_user("reader");
    let people = json_of(&ada, "/api/people/list").await;
    let id_of = |name: &str| {
        let person = people.as_array().unwrap().iter().find(|person| person["name"] == name).unwrap();
        person["id"].as_str().unwrap().to_owned()
    };
    ada.call("/api/people/set_role", &json!({ "id": id_of("guest"), "role": "guest" })).await;
    ada.call("/api/people/disable", &json!({ "id": id_of("out") })).await;
    // Some functions are for browsers only.
    let (hers, eve, guest) = (
        program.browser("ada", "test").await,
        program.browser("eve", "test").await,
        program.browser("guest", "test").await,
    );
    let endpoint = Endpoint::start();
    let provider = json!({ "name": "Test", "kind": "open_ai", "base_url": endpoint.url, "key": "key-good" });
    let provider = ada.call("/api/providers/save", &provider).await["id"].as_str().unwrap().to_owned();
    let owner = Owner { program: &program, ada: ada.clone(), endpoint, provider, made: Cell::new(0) };
    let missing = "0198c0ffee0000000000000000000000";
    let mut asked = 0;
    for (path, method) in server_fn_paths() {
        let named = named(path);
        let (Named::Agent(argument)
        | Named::Provider(argument)
        | Named::Device(argument)
        | Named::Token(argument)
        | Named::Passkey(argument)
        | Named::Person(argument)
        | Named::Archive(argument)
        | Named::Approval(argument)
        | Named::Rule(argument)
        | Named::Schedule(argument)
        | Named::Delegation(argument)
        | Named::Pipeline(argument)
        | Named::AgentRole(argument)
        | Named::TeamFile(argument)
        | Named::Conversation(argument)
        | Named::Share(argument)
        | Named::AgentShare(argument)
        | Named::Import(argument)
        | Named::Group(argument)
        | Named::SearchSource(argument)
        | Named::Memory(argument)
        | Named::Saying(argument)
        | Named::Skill(argument)
        | Named::Workspace(argument)
        | Named::McpServer(argument)
        | Named::Peer(argument)
        | Named::JobService(argument)
        | Named::ExternalJob(argument)
        | Named::Notification(argument)
        | Named::Channel(argument)
        | Named::GivenLink(argument)) = named
        else {
            continue;
        };
        let id = owner.make(&named).await;
        asked += 1;
        for caller in [&eve, &guest] {
            let theirs = ask(caller, &method, path, argument, &id).await;
            assert_eq!(theirs, ask(caller, &method, path, argument, missing).await, "{path}");
            assert!(theirs.0 >= 400, "{path}: {theirs:?}");
        }
        for caller in [&nobody, &out] {
            let theirs = ask(caller, &method, path, argument, &id).await;
            assert_eq!(theirs, ask(caller, &method, path, argument, missing).await, "{path}");
            assert!(theirs.0 == 401 || theirs.0 == 403, "{path}: {theirs:?}");
        }
        let strangers = ask(&eve, &method, path, argument, &id).await;
        let own = ask(&hers, &method, path, argument, &id).await;
        assert_ne!(own, strangers, "{path} tells its owner nothing else");
    }
    assert!(asked > 50, "{asked}");
    // An agent with a page.
    let notes = json!({ "id": "notes", "name": "Notes", "colour": "#c57b2c" });
    let agent = ada.call("/api/archives/create", &notes).await["id"].as_str().unwrap().to_owned();
    let archive = upload(&ada, &archive_of(&ada, &agent).await).await["archive"].as_str().unwrap().to_owned();
    let conversation = conversation_of(&ada, &agent).await;
    let share = share_of(&ada, &conversation, "reader").await;
    let import = export_of(&ada).await;
    let skill = skill_of(&ada, "moss").await;
    let workspace = workspace_of(&ada, "moss").await;
    let attachment = bring(&ada, "holes.png", PICTURE).await["id"].as_str().unwrap().to_owned();
    let (provider, person) = (owner.make(&Named::Provider("")).await, owner.make(&Named::Person("")).await);
    let mcp_server = owner.make(&Named::McpServer("")).await;
    let peer = owner.make(&Named::Peer("")).await;
    let job_service = owner.make(&Named::JobService("")).await;
    let external_job = owner.make(&Named::ExternalJob("")).await;
    let pipeline = owner.make(&Named::Pipeline("")).await;
    let team_file = owner.make(&Named::TeamFile("")).await;
    let opened = pages().into_iter().chain(routes().into_iter().map(|(_, path)| path.to_owned()));
    for path in opened.filter(|path| path.contains([':', '{'])) {
        let (id, has_control) = match whose(&path) {
            Whose::Agent => (&agent, true),
            // A page of its own; what it draws is the same for a link that was changed.
            Whose::File => (&agent, false),
            // By the agent; that the other thing is the agent's is asked of the functions.
            Whose::OfAgent => (&agent, false),
            Whose::Archive => (&archive, true),
            Whose::Attachment => (&attachment, true),
            Whose::Conversation => (&conversation, true),
            Whose::Share => (&share, true),
            Whose::Import => (&import, true),
            Whose::Provider => (&provider, true),
            Whose::Skill => (&skill, true),
            // The page of a file names it besides, and there is none.
            Whose::Workspace => (&workspace, !path.ends_with("/view")),
            Whose::Person => (&person, true),
            Whose::McpServer => (&mcp_server, true),
            Whose::Peer => (&peer, true),
            Whose::JobService => (&job_service, true),
            Whose::ExternalJob => (&external_job, true),
            Whose::Pipeline => (&pipeline, true),
            Whose::TeamFile => (&team_file, true),
            Whose::Nobody => continue,
        };
        check_page(&[&eve, &guest], &[&nobody, &out], &|id| address(&path, id), id).await;
        if has_control {
            let own = ada.get(&filled(&path, id)).await;
            assert_eq!(own.status(), 200, "{path} is there for its owner");
        }
    }
    assert_eq!(json_of(&eve, "/api/agents/list").await, json!([]));
    for caller in [&eve, &guest] {
        let opened = pages().into_iter().chain(routes().into_iter().map(|(_, path)| path.to_owned()));
        for path in opened.filter(|path| path.starts_with("/admin")) {
            assert_eq!(caller.get(&filled(&path, &person)).await.status(), 403, "{path}");
        }
    }
}

/// For others there is no such thing; who is not signed in learns nothing either.
async fn check_page(
    others: &[&Caller],
    strangers: &[&Caller],
    address: &(dyn Fn(&str) -> String + Sync),
    id: &str,
) {
    let path = address(id);
    for caller in others {
        let theirs = caller.get(&path).await.status();
        assert_eq!(theirs, caller.get(&address("0198c0ffee")).await.status(), "{path}");
        // Where programs alone come in, a session is none.
        let is_refused =
            if path.starts_with("/a2a/") { theirs == 401 } else { matches!(theirs.as_u16(), 403 | 404) };
        assert!(is_refused, "{path}: {theirs}");
    }
    for caller in strangers {
        let theirs = caller.get(&path).await.status();
        assert_eq!(theirs, caller.get(&address("0198c0ffee")).await.status(), "{path}");
        assert!(matches!(theirs.as_u16(), 302 | 401 | 403 | 404), "{path}: {theirs}");
    }
}
