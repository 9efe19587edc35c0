//! Things that a person has, each made just now.

use crate::world::{Caller, a_moment};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use reqwest::Method;
use reqwest::header::{CONTENT_TYPE, ORIGIN};
use serde_json::{Value, json};

/// One that is not due for a long time.
pub fn schedule() -> Value {
    json!({ "name": "Rounds", "message": "Look around.", "kind": "every", "minutes": "500000" })
}

/// A skill of this person's that waits.
pub async fn skill_of(caller: &Caller, name: &str) -> String {
    let skill = format!("---\nname: {name}\ndescription: Knows moss.\n---\nWater it.\n");
    caller.call("/api/skills/write", &json!({ "text": skill })).await.as_str().unwrap().to_owned()
}

/// A tool that came to this agent in a file and waits.
pub async fn tool_of(caller: &Caller, agent: &str) -> String {
    let file = json!({
        "vivarium_tool": 1, "name": "mow", "description": "Mows.", "input_schema": { "type": "object" },
        "code": "return 1",
    });
    let form = format!(
        "--line\r\nContent-Disposition: form-data; name=\"tool\"; filename=\"mow.tool.json\"\r\n\r\n{file}\r\n--line--\r\n"
    );
    let sent = caller
        .request(Method::POST, &format!("/tools/{agent}"))
        .header(CONTENT_TYPE, "multipart/form-data; boundary=line")
        .header(ORIGIN, &caller.url)
        .body(form)
        .send();
    let tools: Value = sent.await.unwrap().json().await.unwrap();
    assert_eq!(tools[0]["waiting"], json!(true), "{tools}");
    tools[0]["name"].as_str().unwrap().to_owned()
}

/// What the second agent said, which the first one hears.
pub async fn saying_of(caller: &Caller, hearer: &str, speaker: &str) -> String {
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

/// With this person.
pub async fn agent_share_of(caller: &Caller, agent: &str, with: &str) -> String {
    let share = json!({ "agent": agent, "name": with, "per_month": "5" });
    caller.call("/api/agent_shares/give", &share).await;
    let shares = json_of(caller, &format!("/api/agent_shares/of?agent={agent}")).await;
    shares[0]["id"].as_str().unwrap().to_owned()
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

/// What this agent asked another, once it did.
pub async fn delegation_of(caller: &Caller, agent: &str) -> String {
    loop {
        let made = json_of(caller, &format!("/api/delegations/of_agent?agent={agent}")).await;
        if let Some(id) = made[0]["id"].as_str() {
            return id.to_owned();
        }
        a_moment().await;
    }
}

/// What waits for this person, once something does.
pub async fn approval_of(caller: &Caller) -> String {
    loop {
        let waiting = json_of(caller, "/api/approvals/list").await;
        if let Some(id) = waiting[0]["approval"]["id"].as_str() {
            return id.to_owned();
        }
        a_moment().await;
    }
}

/// What stands at this path.
pub async fn json_of(caller: &Caller, path: &str) -> Value {
    caller.get(path).await.json().await.unwrap()
}
