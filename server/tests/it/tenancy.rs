//! S8: what belongs to somebody else is as what does not exist, on every route that takes an id, for
//! strangers too.

use crate::archives::{archive_of, upload};
use crate::attachments::{PICTURE, bring};
use crate::imports::export_of;
use crate::routes::{filled, pages, routes};
use crate::world::{Caller, Endpoint, PASSWORD, Program, a_moment};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use leptos::server_fn::axum::server_fn_paths;
use reqwest::Method;
use reqwest::header::{CONTENT_TYPE, ORIGIN};
use serde_json::{Value, json};
use std::cell::Cell;

/// What the id in a request names.
pub enum Named {
    Agent(&'static str),
    Provider(&'static str),
    Device(&'static str),
    Token(&'static str),
    Passkey(&'static str),
    Person(&'static str),
    Archive(&'static str),
    Approval(&'static str),
    Rule(&'static str),
    Schedule(&'static str),
    Delegation(&'static str),
    Pipeline(&'static str),
    AgentRole(&'static str),
    TeamFile(&'static str),
    Conversation(&'static str),
    Share(&'static str),
    Import(&'static str),
    Group(&'static str),
    SearchSource(&'static str),
    Memory(&'static str),
    Saying(&'static str),
    Skill(&'static str),
    Workspace(&'static str),
    McpServer(&'static str),
    Peer(&'static str),
    JobService(&'static str),
    ExternalJob(&'static str),
    Notification(&'static str),
    Channel(&'static str),
    GivenLink(&'static str),
    Nothing,
}

/// Every server function, with the argument that names a thing of somebody's.
pub fn named(path: &str) -> Named {
    match path {
        "/api/agents/get"
        | "/api/agents/page"
        | "/api/agents/context"
        | "/api/agents/edit"
        | "/api/agents/set_network"
        | "/api/agents/follow_robots"
        | "/api/agents/let_commands_out"
        | "/api/agents/set_key"
        | "/api/agents/forget_key"
        | "/api/agents/duplicate"
        | "/api/agents/delete"
        | "/api/agents/made_tools"
        | "/api/agents/delete_made_tool"
        | "/api/agents/skin"
        | "/api/agents/skins"
        | "/api/agents/restore_skin"
        | "/api/agents/state"
        | "/api/agents/left_behind"
        | "/api/agents/message_count"
        | "/api/agents/permissions"
        | "/api/agents/covers_link"
        | "/api/agents/set_permission"
        | "/api/agents/forget_permission" => Named::Agent("id"),
        "/api/agents/send"
        | "/api/agents/ask"
        | "/api/agents/retry"
        | "/api/agents/repair"
        | "/api/agents/stop"
        | "/api/agents/pause"
        | "/api/agents/pin"
        | "/api/agents/take_over"
        | "/api/agents/move"
        | "/api/agents/entries"
        | "/api/conversations/list"
        | "/api/conversations/create"
        | "/api/instructions/list"
        | "/api/instructions/view"
        | "/api/instructions/restore"
        | "/api/skills/of_agent"
        | "/api/skills/choose"
        | "/api/skins/list"
        | "/api/skins/save"
        | "/api/skins/load"
        | "/api/skins/delete"
        | "/api/memories/said"
        | "/api/money/agent_budget"
        | "/api/money/limit_agent"
        | "/api/policy/rules"
        | "/api/policy/add"
        | "/api/delegations/of_agent"
        | "/api/schedules/list"
        | "/api/schedules/create"
        | "/api/terminal/jobs"
        | "/api/terminal/stop"
        | "/api/workspaces/of_agent"
        | "/api/workspaces/give" => Named::Agent("agent"),
        "/api/skills/bring_from_server" => Named::McpServer("server"),
        "/api/files/folder"
        | "/api/files/list"
        | "/api/files/view"
        | "/api/files/deleted"
        | "/api/files/copy_to"
        | "/api/files/share"
        | "/api/files/leaving_bin"
        | "/api/files/rename"
        | "/api/files/delete"
        | "/api/files/restore"
        | "/api/files/undo"
        | "/api/files/part"
        | "/api/files/delete_chosen"
        | "/api/files/move_chosen"
        | "/api/files/copy_chosen"
        | "/api/files/undo_change" => Named::Agent("folder"),
        "/api/files/take_back" => Named::GivenLink("id"),
        "/api/files/undo_call" | "/api/files/of_call" => Named::Agent("agent"),
        "/api/workspaces/rename" | "/api/workspaces/delete" => Named::Workspace("id"),
        "/api/conversations/get"
        | "/api/conversations/read"
        | "/api/conversations/rename"
        | "/api/conversations/pin"
        | "/api/conversations/put_into"
        | "/api/conversations/archive"
        | "/api/conversations/delete"
        | "/api/conversations/restore"
        | "/api/conversations/edit"
        | "/api/conversations/regenerate"
        | "/api/conversations/set_model"
        | "/api/conversations/fork"
        | "/api/shares/of"
        | "/api/shares/give" => Named::Conversation("id"),
        "/api/shares/end" | "/api/shares/read" => Named::Share("id"),
        "/api/search/find" | "/api/todo/list" | "/api/todo/add" | "/api/todo/mark" => {
            Named::Conversation("conversation")
        }
        "/api/approvals/answer" | "/api/approvals/reply" => Named::Approval("id"),
        "/api/policy/delete" => Named::Rule("id"),
        "/api/delegations/stop" => Named::Delegation("id"),
        "/api/pipelines/answer"
        | "/api/pipelines/delete"
        | "/api/pipelines/get"
        | "/api/pipelines/retry"
        | "/api/pipelines/start"
        | "/api/pipelines/stop" => Named::Pipeline("id"),
        "/api/teams/another" | "/api/teams/limit" | "/api/teams/delete" => Named::AgentRole("id"),
        "/api/teams/review" | "/api/teams/make" => Named::TeamFile("file"),
        "/api/teams/export" => Named::Agent("agents"),
        "/api/schedules/edit"
        | "/api/schedules/history"
        | "/api/schedules/preview"
        | "/api/schedules/new_secret"
        | "/api/schedules/pause"
        | "/api/schedules/resume"
        | "/api/schedules/run"
        | "/api/schedules/limit"
        | "/api/schedules/delete" => Named::Schedule("id"),
        "/api/archives/review" | "/api/archives/create" | "/api/archives/discard" => Named::Archive("id"),
        "/api/imports/review" | "/api/imports/create" | "/api/imports/discard" => Named::Import("id"),
        "/api/providers/delete"
        | "/api/providers/key_forgotten"
        | "/api/providers/key_kept"
        | "/api/providers/models"
        | "/api/providers/read_models"
        | "/api/providers/save" => Named::Provider("id"),
        "/api/sharing/get" | "/api/sharing/set" | "/api/sharing/stop" => Named::Provider("provider"),
        "/api/groups/delete" | "/api/groups/save" => Named::Group("id"),
        "/api/speech/choose" => Named::Provider("provider"),
        "/api/web_search/remove" | "/api/web_search/shift" | "/api/web_search/test" => {
            Named::SearchSource("id")
        }
        "/api/memories/edit" | "/api/memories/forget" | "/api/memories/keep" => Named::Memory("id"),
        "/api/person_context/delete_saying" => Named::Saying("id"),
        "/api/skills/get"
        | "/api/skills/accept"
        | "/api/skills/refuse"
        | "/api/skills/remove"
        | "/api/skills/look_again" => Named::Skill("id"),
        "/api/mcp_servers/read"
        | "/api/mcp_servers/connect"
        | "/api/mcp_servers/disconnect"
        | "/api/mcp_servers/look"
        | "/api/mcp_servers/set_headers"
        | "/api/mcp_servers/switch"
        | "/api/mcp_servers/prompt"
        | "/api/mcp_servers/complete"
        | "/api/mcp_servers/resources"
        | "/api/mcp_servers/attach"
        | "/api/mcp_servers/answer_app_hosts"
        | "/api/mcp_servers/take"
        | "/api/mcp_servers/share"
        | "/api/mcp_servers/remove" => Named::McpServer("id"),
        "/api/peers/read"
        | "/api/peers/look"
        | "/api/peers/set_token"
        | "/api/peers/switch"
        | "/api/peers/switch_agent"
        | "/api/peers/remove" => Named::Peer("id"),
        "/api/job_services/read"
        | "/api/job_services/change"
        | "/api/job_services/set_token"
        | "/api/job_services/look"
        | "/api/job_services/switch"
        | "/api/job_services/remove" => Named::JobService("id"),
        "/api/external_jobs/read" | "/api/external_jobs/log" | "/api/external_jobs/cancel" => {
            Named::ExternalJob("id")
        }
        "/api/topics/subscribe"
        | "/api/topics/unsubscribe"
        | "/api/mcp_servers/of_agent"
        | "/api/mcp_servers/choose"
        | "/api/mcp_servers/commands"
        | "/api/mcp_servers/apps"
        | "/api/mcp_servers/app"
        | "/api/person_context/let_agent"
        | "/api/notifications/mute" => Named::Agent("agent"),
        "/api/notifications/read" => Named::Notification("id"),
        "/api/notifications/remove_channel" | "/api/notifications/confirm_channel" => Named::Channel("id"),
        "/api/account/revoke_device" => Named::Device("id"),
        "/api/account/limit_token" | "/api/account/revoke_token" => Named::Token("id"),
        "/api/passkeys/remove" => Named::Passkey("id"),
        "/api/money/budget" | "/api/money/limit" | "/api/audit/all" | "/api/audit/all_calls" => {
            Named::Person("person")
        }
        "/api/people/get"
        | "/api/people/set_role"
        | "/api/people/disable"
        | "/api/people/enable"
        | "/api/people/remove"
        | "/api/people/reset_password"
        | "/api/people/drop_second_factor" => Named::Person("id"),
        "/api/account/change_password"
        | "/api/account/choose_password"
        | "/api/account/reset_for"
        | "/api/audit/own"
        | "/api/audit/own_calls"
        | "/api/audit/state"
        | "/api/hub/status"
        | "/api/hub/choose_log_levels"
        | "/api/hub/terminal"
        | "/api/hub/set_terminal"
        | "/api/people/list"
        | "/api/account/create_token"
        | "/api/account/devices"
        | "/api/account/appearance"
        | "/api/account/side_calls"
        | "/api/account/space"
        | "/api/account/invite"
        | "/api/account/me"
        | "/api/account/side_bar"
        | "/api/account/pending_sign_in"
        | "/api/account/set_sign_up"
        | "/api/account/set_up"
        | "/api/account/sign_in"
        | "/api/account/sign_in_code"
        | "/api/account/sign_out"
        | "/api/account/sign_up"
        | "/api/account/tokens"
        | "/api/account/welcome"
        | "/api/oauth/asks"
        | "/api/oauth/answer"
        | "/api/agents/create"
        | "/api/agents/list"
        | "/api/agents/tools"
        | "/api/agents/wish"
        | "/api/agents/wish_with_key"
        | "/api/approvals/list"
        | "/api/archives/gallery"
        | "/api/groups/list"
        | "/api/guide/start"
        | "/api/models/delete"
        | "/api/models/enter"
        | "/api/models/entered"
        | "/api/models/facts"
        | "/api/models/forget_own_price"
        | "/api/models/own_prices"
        | "/api/models/refresh"
        | "/api/models/set_own_price"
        | "/api/models/wanted"
        | "/api/money/all_usage"
        | "/api/money/limit_own"
        | "/api/money/own_budget"
        | "/api/money/people"
        | "/api/money/usage"
        | "/api/money/warnings"
        | "/api/conversations/recent"
        | "/api/providers/find"
        | "/api/providers/kept_keys"
        | "/api/providers/list"
        | "/api/providers/local"
        | "/api/providers/test"
        | "/api/passkeys/add"
        | "/api/passkeys/challenge"
        | "/api/passkeys/list"
        | "/api/passkeys/offered"
        | "/api/passkeys/place"
        | "/api/passkeys/sign_in"
        | "/api/passkeys/start"
        | "/api/settings/all"
        | "/api/settings/take"
        | "/api/second_factor/confirm"
        | "/api/second_factor/get"
        | "/api/second_factor/leave"
        | "/api/second_factor/renew_codes"
        | "/api/second_factor/start"
        | "/api/second_factor/started"
        | "/api/second_factor/stop"
        | "/api/delegations/list"
        | "/api/pipelines/create"
        | "/api/pipelines/list"
        | "/api/teams/bring"
        | "/api/teams/roles"
        | "/api/schedules/all"
        | "/api/schedules/idle"
        | "/api/shares/list"
        | "/api/files/given"
        | "/api/files/take_all_back"
        | "/api/sharing/list"
        | "/api/approvals/answer_notified"
        | "/api/notifications/add_channel"
        | "/api/notifications/list"
        | "/api/notifications/muted"
        | "/api/notifications/push_off"
        | "/api/notifications/push_on"
        | "/api/notifications/reach"
        | "/api/notifications/read_all"
        | "/api/account/set_appearance"
        | "/api/account/set_side_calls"
        | "/api/agents/pause_all"
        | "/api/notifications/set"
        | "/api/notifications/settings"
        | "/api/memories/create"
        | "/api/memories/import"
        | "/api/memories/list"
        | "/api/person_context/show"
        | "/api/person_context/turn_on"
        | "/api/person_context/turn_off"
        | "/api/person_context/locate"
        | "/api/person_context/report"
        | "/api/person_context/note"
        | "/api/person_context/clear_sayings"
        | "/api/web_search/add"
        | "/api/skills/bring"
        | "/api/skills/found"
        | "/api/skills/list"
        | "/api/workspaces/list"
        | "/api/workspaces/create"
        | "/api/skills/write"
        | "/api/web_search/list"
        | "/api/speech/choices"
        | "/api/mcp_servers/add"
        | "/api/mcp_servers/offered"
        | "/api/mcp_servers/list"
        | "/api/peers/add"
        | "/api/peers/list"
        | "/api/job_services/add"
        | "/api/job_services/list"
        | "/api/external_jobs/list"
        | "/api/topics/publish"
        | "/api/topics/list" => Named::Nothing,
        path => panic!("say whose thing {path} names"),
    }
}

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

/// One that is not due for a long time.
pub fn schedule() -> Value {
    json!({ "name": "Rounds", "message": "Look around.", "kind": "every", "minutes": "500000" })
}

async fn ask(caller: &Caller, method: &Method, path: &str, argument: &str, id: &str) -> (u16, String) {
    let mut body = body();
    if path.starts_with("/api/memories/") {
        body["kind"] = json!("fact");
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
        body["hosts"] = json!([]);
    }
    body[argument] = json!(id);
    let response = if *method == Method::GET {
        let call = if path == "/api/files/of_call" { "&conversation=none&call=none" } else { "" };
        caller
            .get(&format!(
                "{path}?{argument}={id}{call}&after=0&text=hello&path=notes.md&version=1&hours=1&files=1&bytes=1&url=https://a.example/&tool=none"
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

/// Whose thing a path names.
enum Whose {
    Agent,
    /// Under an address that is signed.
    File,
    /// Under its agent.
    OfAgent,
    Archive,
    /// A picture.
    Attachment,
    Conversation,
    Share,
    Import,
    Provider,
    Skill,
    Workspace,
    Person,
    McpServer,
    Peer,
    JobService,
    ExternalJob,
    Pipeline,
    TeamFile,
    /// A code that somebody brings along, a function, a file of the build, a model by its public name, or where
    /// deliveries go.
    Nobody,
}

fn whose(path: &str) -> Whose {
    let (before, _) = path.split_once([':', '{']).unwrap();
    match before {
        "/sandbox/app/" => Whose::OfAgent,
        "/agents/"
            if ["/schedules/", "/conversations/", "/files/"].iter().any(|part| path.contains(part)) =>
        {
            Whose::OfAgent
        }
        "/agents/" | "/sandbox/still/" | "/archives/" | "/api/agents/" | "/a2a/" | "/folders/" => {
            Whose::Agent
        }
        "/files/" => Whose::File,
        "/gallery/" | "/sandbox/still/archive/" => Whose::Archive,
        "/attachments/" => Whose::Attachment,
        "/conversations/" => Whose::Conversation,
        "/shared/" => Whose::Share,
        "/import/" => Whose::Import,
        "/providers/" => Whose::Provider,
        "/skills/" => Whose::Skill,
        "/workspaces/" => Whose::Workspace,
        "/admin/people/" => Whose::Person,
        "/mcp-servers/" => Whose::McpServer,
        "/peers/" => Whose::Peer,
        "/job-services/" => Whose::JobService,
        "/external-jobs/" => Whose::ExternalJob,
        "/pipelines/" => Whose::Pipeline,
        "/teams/files/" => Whose::TeamFile,
        "/setup/" | "/reset/" | "/api/" | "/v1/models/" | "/v1/" | "/b/" | "/hooks/" | "/unsubscribe/"
        | "/app-icons/" => Whose::Nobody,
        before => panic!("say whose thing {before} names"),
    }
}

/// The path with this thing, and with a signature where one is looked for.
fn address(path: &str, id: &str) -> String {
    let signature = if path.starts_with("/files/") { "?until=1&mac=x" } else { "" };
    format!("{}{signature}", filled(path, id))
}

/// A skill of this person's that waits.
pub async fn skill_of(caller: &Caller, name: &str) -> String {
    let skill = format!("---\nname: {name}\ndescription: Knows moss.\n---\nWater it.\n");
    caller.call("/api/skills/write", &json!({ "text": skill })).await.as_str().unwrap().to_owned()
}

/// What the second agent said, which the first one hears.
async fn saying_of(caller: &Caller, hearer: &str, speaker: &str) -> String {
    caller
        .call("/api/person_context/let_agent", &json!({ "agent": hearer, "sees": true, "hears": true }))
        .await;
    caller.call("/api/agents/ask", &json!({ "agent": speaker, "text": "script: hello" })).await;
    let context = json_of(caller, "/api/person_context/show").await;
    context["said"][0]["id"].as_str().unwrap().to_owned()
}

/// A workspace of this person's.
pub async fn workspace_of(caller: &Caller, name: &str) -> String {
    caller.call("/api/workspaces/create", &json!({ "name": name })).await.as_str().unwrap().to_owned()
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

/// A passkey that this person made.
pub async fn passkey_of(caller: &Caller, password: &str) -> String {
    let options = caller.call("/api/passkeys/start", &json!({ "password": password })).await;
    let client =
        json!({ "type": "webauthn.create", "challenge": options["challenge"], "origin": caller.url });
    let client = URL_SAFE_NO_PAD.encode(client.to_string());
    let recorded: Value =
        serde_json::from_str(include_str!("../../hub/src/accounts/passkeys/recorded.json")).unwrap();
    let made =
        json!({ "name": "Key", "client_data": client, "attestation": recorded["cases"][0]["attestation"] });
    caller.call("/api/passkeys/add", &made).await["id"].as_str().unwrap().to_owned()
}

/// The conversation of this agent that was used last.
pub async fn conversation_of(caller: &Caller, agent: &str) -> String {
    let view = json_of(caller, &format!("/api/agents/get?id={agent}")).await;
    view["conversation"].as_str().unwrap().to_owned()
}

/// One that this agent leads, and that waits for its person.
pub async fn pipeline_of(caller: &Caller, agent: &str) -> String {
    let tasks = json!([{ "id": "yours", "title": "Yours", "approval": true }]);
    let draft = json!({ "title": "Rounds", "agent": agent, "tasks": tasks }).to_string();
    let id = caller.call("/api/pipelines/create", &json!({ "text": draft })).await;
    id.as_str().unwrap().to_owned()
}

/// The file of a team with one role.
pub async fn team_of(caller: &Caller, role: &str) -> String {
    let text = json!({ "agents": [{ "role": role }] }).to_string();
    caller.call("/api/teams/bring", &json!({ "text": text })).await.as_str().unwrap().to_owned()
}

/// The conversation as it is shown to this person.
pub async fn share_of(caller: &Caller, conversation: &str, reader: &str) -> String {
    caller.call("/api/shares/give", &json!({ "id": conversation, "name": reader })).await;
    let shares = json_of(caller, &format!("/api/shares/of?id={conversation}")).await;
    shares["shares"][0]["id"].as_str().unwrap().to_owned()
}

/// An address of a file of the agent's that is given away.
pub async fn given_link_of(caller: &Caller, agent: &str) -> String {
    let field = |head: &str, value: &str| {
        format!("--line\r\nContent-Disposition: form-data; name={head}\r\n\r\n{value}\r\n")
    };
    let file = field("\"file\"; filename=\"moss.txt\"", "moss");
    let form = format!("{}{file}--line--\r\n", field("\"agent\"", agent));
    let sent = caller
        .request(Method::POST, "/files")
        .header(ORIGIN, &caller.url)
        .header(CONTENT_TYPE, "multipart/form-data; boundary=line")
        .body(form)
        .send();
    assert!(sent.await.unwrap().status().is_success());
    let file = json!({ "folder": agent, "path": "moss.txt", "hours": 1 });
    caller.call("/api/files/share", &file).await;
    let given = json_of(caller, "/api/files/given").await;
    given[0]["id"].as_str().unwrap().to_owned()
}

/// What waits for this person, once something does.
/// A place where the person's agents may have something rendered.
pub async fn job_service_of(caller: &Caller, name: &str, url: &str) -> String {
    let service = json!({ "name": name, "kind": "http", "url": url, "jobs": "render" });
    caller.call("/api/job_services/add", &service).await["id"].as_str().unwrap().to_owned()
}

/// A job that the agent started there, whatever came of it.
pub async fn external_job_of(caller: &Caller, agent: &str, service: &str, url: &str) -> String {
    let host = url.split("://").nth(1).unwrap().split('/').next().unwrap();
    let network = json!({ "id": agent, "policy": "allow_list", "hosts": host });
    caller.call("/api/agents/set_network", &network).await;
    let rule = json!({ "agent": agent, "tool": "external_job", "verdict": "allow", "about": host });
    caller.call("/api/policy/add", &rule).await;
    let input = json!({ "action": "start", "service": service, "job": "render" });
    let turns = format!("turns: {}", json!([[{ "tool": "external_job", "input": input }]]));
    caller.call("/api/agents/send", &json!({ "agent": agent, "text": turns })).await;
    loop {
        let jobs = json_of(caller, "/api/external_jobs/list").await;
        let made = jobs.as_array().unwrap().iter().find(|job| job["service"] == service);
        if let Some(id) = made.filter(|job| job["ended_at"].is_i64()).and_then(|job| job["id"].as_str()) {
            return id.to_owned();
        }
        a_moment().await;
    }
}

async fn delegation_of(caller: &Caller, agent: &str) -> String {
    loop {
        let made = json_of(caller, &format!("/api/delegations/of_agent?agent={agent}")).await;
        if let Some(id) = made[0]["id"].as_str() {
            return id.to_owned();
        }
        a_moment().await;
    }
}

pub async fn approval_of(caller: &Caller) -> String {
    loop {
        let waiting = json_of(caller, "/api/approvals/list").await;
        if let Some(id) = waiting[0]["approval"]["id"].as_str() {
            return id.to_owned();
        }
        a_moment().await;
    }
}

pub async fn json_of(caller: &Caller, path: &str) -> Value {
    caller.get(path).await.json().await.unwrap()
}
