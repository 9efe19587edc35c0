//! S8: what belongs to somebody else is as what does not exist, on every route that takes an id, for
//! strangers too.

use crate::archives::{archive_of, upload};
use crate::live::agent;
use crate::world::{Caller, Endpoint, PASSWORD, Program};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use leptos::server_fn::axum::server_fn_paths;
use reqwest::Method;
use reqwest::header::ORIGIN;
use serde_json::{Value, json};

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
        | "/api/agents/message_count"
        | "/api/agents/permissions"
        | "/api/agents/set_permission"
        | "/api/agents/forget_permission" => Named::Agent("id"),
        "/api/agents/send"
        | "/api/agents/ask"
        | "/api/agents/retry"
        | "/api/agents/repair"
        | "/api/agents/stop"
        | "/api/agents/take_over"
        | "/api/agents/move"
        | "/api/agents/entries"
        | "/api/files/list"
        | "/api/skins/list"
        | "/api/skins/save"
        | "/api/skins/load"
        | "/api/skins/delete"
        | "/api/money/agent_budget"
        | "/api/money/limit_agent"
        | "/api/policy/rules"
        | "/api/policy/add"
        | "/api/schedules/list"
        | "/api/schedules/create" => Named::Agent("agent"),
        "/api/approvals/answer" => Named::Approval("id"),
        "/api/policy/delete" => Named::Rule("id"),
        "/api/schedules/edit"
        | "/api/schedules/pause"
        | "/api/schedules/resume"
        | "/api/schedules/run"
        | "/api/schedules/limit"
        | "/api/schedules/delete" => Named::Schedule("id"),
        "/api/archives/review" | "/api/archives/create" | "/api/archives/discard" => Named::Archive("id"),
        "/api/providers/delete"
        | "/api/providers/key_forgotten"
        | "/api/providers/key_kept"
        | "/api/providers/models"
        | "/api/providers/read_models"
        | "/api/providers/save" => Named::Provider("id"),
        "/api/sharing/get" | "/api/sharing/set" | "/api/sharing/stop" => Named::Provider("provider"),
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
        | "/api/people/list"
        | "/api/account/create_token"
        | "/api/account/devices"
        | "/api/account/invite"
        | "/api/account/me"
        | "/api/account/pending_sign_in"
        | "/api/account/set_sign_up"
        | "/api/account/set_up"
        | "/api/account/sign_in"
        | "/api/account/sign_in_code"
        | "/api/account/sign_out"
        | "/api/account/sign_up"
        | "/api/account/tokens"
        | "/api/account/welcome"
        | "/api/agents/create"
        | "/api/agents/list"
        | "/api/agents/tools"
        | "/api/agents/wish"
        | "/api/approvals/list"
        | "/api/archives/gallery"
        | "/api/groups/delete"
        | "/api/groups/list"
        | "/api/groups/save"
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
        | "/api/schedules/idle"
        | "/api/sharing/list" => Named::Nothing,
        path => panic!("say whose thing {path} names"),
    }
}

/// What any function takes, beside an id.
pub fn body() -> Value {
    json!({
        "name": "Eve", "colour": "#3a7d44", "text": "hello", "after": 0, "version": 1, "tool": "state", "policy": "off",
        "kind": "open_ai", "base_url": "http://127.0.0.1:1", "permission": "camera", "allowed": true,
        "home": "hub", "tab": "tab-1", "status": 200, "role": "member", "key": "sk-somebody",
        "hash": "none", "decision": "once", "verdict": "ask", "draft": schedule(),
    })
}

/// One that is not due for a long time.
pub fn schedule() -> Value {
    json!({ "name": "Rounds", "message": "Look around.", "kind": "every", "minutes": "500000" })
}

async fn ask(caller: &Caller, method: &Method, path: &str, argument: &str, id: &str) -> (u16, String) {
    let mut body = body();
    body[argument] = json!(id);
    let response = if *method == Method::GET {
        caller.get(&format!("{path}?{argument}={id}&after=0")).await
    } else {
        caller.request(Method::POST, path).header(ORIGIN, &caller.url).json(&body).send().await.unwrap()
    };
    (response.status().as_u16(), response.text().await.unwrap().replace(id, "ID"))
}

#[tokio::test]
async fn what_is_somebody_elses_is_as_what_does_not_exist() {
    let _ = app::status_of;
    let program = Program::start();
    let endpoint = Endpoint::start();
    let (ada, eve, nobody) = (program.caller("ada"), program.caller("eve"), program.stranger());
    let (guest, out) = (program.caller("guest"), program.caller("out"));
    let people = json_of(&ada, "/api/people/list").await;
    let id_of = |name: &str| {
        let person = people.as_array().unwrap().iter().find(|person| person["name"] == name).unwrap();
        person["id"].as_str().unwrap().to_owned()
    };
    ada.call("/api/people/set_role", &json!({ "id": id_of("guest"), "role": "guest" })).await;
    ada.call("/api/people/disable", &json!({ "id": id_of("out") })).await;
    let ada_agent = agent(&ada, &endpoint).await;
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let ada_provider = text(&json_of(&ada, "/api/providers/list").await[0]["id"]);
    let ada_token = text(&json_of(&ada, "/api/account/tokens").await[0]["id"]);
    let ada_id = text(&json_of(&ada, "/api/account/me").await["id"]);
    let browser = program.browser("ada", "test").await;
    let ada_device = text(&json_of(&browser, "/api/account/devices").await[0]["id"]);
    let ada_archive = text(&upload(&ada, &archive_of(&ada, &ada_agent).await).await["archive"]);
    let rule = json!({ "tool": "state", "verdict": "ask" });
    let ada_rule = text(&ada.call("/api/policy/add", &rule).await["id"]);
    let due = json!({ "agent": ada_agent, "draft": schedule() });
    let ada_schedule = text(&ada.call("/api/schedules/create", &due).await);
    let turns = r#"turns: [[{"tool":"state","input":{"action":"set","key":"a","value":1}}]]"#;
    ada.call("/api/agents/send", &json!({ "agent": ada_agent, "text": turns })).await;
    let ada_approval = approval_of(&ada).await;
    let ada_passkey = passkey_of(&ada, PASSWORD).await;
    let mut asked = 0;
    for (path, method) in server_fn_paths() {
        let (argument, id) = match named(path) {
            Named::Agent(argument) => (argument, &ada_agent),
            Named::Provider(argument) => (argument, &ada_provider),
            Named::Device(argument) => (argument, &ada_device),
            Named::Token(argument) => (argument, &ada_token),
            Named::Passkey(argument) => (argument, &ada_passkey),
            Named::Person(argument) => (argument, &ada_id),
            Named::Archive(argument) => (argument, &ada_archive),
            Named::Approval(argument) => (argument, &ada_approval),
            Named::Rule(argument) => (argument, &ada_rule),
            Named::Schedule(argument) => (argument, &ada_schedule),
            Named::Nothing => continue,
        };
        asked += 1;
        let missing = "0198c0ffee0000000000000000000000";
        for caller in [&eve, &guest] {
            let theirs = ask(caller, &method, path, argument, id).await;
            assert_eq!(theirs, ask(caller, &method, path, argument, missing).await, "{path}");
            assert!(theirs.0 >= 400, "{path}: {theirs:?}");
        }
        for caller in [&nobody, &out] {
            let theirs = ask(caller, &method, path, argument, id).await;
            assert_eq!(theirs, ask(caller, &method, path, argument, missing).await, "{path}");
            assert!(theirs.0 == 401 || theirs.0 == 403, "{path}: {theirs:?}");
        }
    }
    assert!(asked > 0);
    for path in [
        "/sandbox/still/ID",
        "/api/agents/ID/events",
        "/agents/ID",
        "/agents/ID/edit",
        "/agents/ID/context",
        "/agents/ID/tools",
        "/agents/ID/skins",
        "/agents/ID/budget",
        "/agents/ID/rules",
        "/agents/ID/schedules",
        "/agents/ID/delete",
        "/archives/ID",
    ] {
        check_page(&[&eve, &guest], &[&nobody, &out], path, &ada_agent).await;
    }
    for path in ["/sandbox/still/archive/ID", "/gallery/ID"] {
        check_page(&[&eve, &guest], &[&nobody, &out], path, &ada_archive).await;
    }
    for caller in [&eve, &guest] {
        for path in ["/admin", "/admin/audit", "/admin/people/ID"] {
            assert_eq!(caller.get(&path.replace("ID", &ada_id)).await.status(), 403, "{path}");
        }
    }
    assert_eq!(json_of(&eve, "/api/agents/list").await, json!([]));
    assert_eq!(json_of(&ada, "/api/agents/list").await[0]["name"], "Ada");
}

/// For others there is no such thing; who is not signed in learns nothing either.
async fn check_page(others: &[&Caller], strangers: &[&Caller], path: &str, id: &str) {
    for caller in others {
        let theirs = caller.get(&path.replace("ID", id)).await.status();
        let missing = caller.get(&path.replace("ID", "0198c0ffee")).await.status();
        assert_eq!((theirs.as_u16(), missing.as_u16()), (404, 404), "{path}");
    }
    for caller in strangers {
        let theirs = caller.get(&path.replace("ID", id)).await;
        let missing = caller.get(&path.replace("ID", "0198c0ffee")).await;
        assert_eq!(theirs.status(), missing.status(), "{path}");
        assert!(matches!(theirs.status().as_u16(), 302 | 401 | 404), "{path}: {}", theirs.status());
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

/// What waits for this person, once something does.
pub async fn approval_of(caller: &Caller) -> String {
    loop {
        let waiting = json_of(caller, "/api/approvals/list").await;
        if let Some(id) = waiting[0]["approval"]["id"].as_str() {
            return id.to_owned();
        }
        tokio::task::yield_now().await;
    }
}

pub async fn json_of(caller: &Caller, path: &str) -> Value {
    caller.get(path).await.json().await.unwrap()
}
