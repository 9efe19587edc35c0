//! Every function that changes something is sensitive, with the line that it writes into the audit, or it is
//! said to be not. A new one does not pass before it is said which.

use crate::live::agent;
use crate::mailed::{self, MailServer};
use crate::things::{conversation_of, given_link_of, json_of, pipeline_of, schedule, skill_of, tool_of};
use crate::world::{Caller, Endpoint, Program};
use leptos::server_fn::axum::server_fn_paths;
use reqwest::Method;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

/// The line of the function. `None`: what it does concerns nobody's safety, money or access, or stands in the
/// log of the agent.
fn line_of(path: &str) -> Option<&'static str> {
    Some(match path {
        "/api/account/set_up" | "/api/account/sign_up" => "account_made",
        "/api/account/sign_in" | "/api/account/sign_in_code" | "/api/passkeys/sign_in" => "signed_in",
        "/api/account/choose_password" => "password_reset",
        "/api/account/sign_out" => "signed_out",
        "/api/account/change_password" => "password_changed",
        "/api/account/revoke_device" => "device_revoked",
        "/api/account/create_token" | "/api/oauth/answer" => "token_made",
        "/api/account/revoke_token" => "token_revoked",
        "/api/account/invite" => "invited",
        "/api/account/set_sign_up" => "sign_up_set",
        "/api/second_factor/confirm" => "second_factor_on",
        "/api/second_factor/renew_codes" => "recovery_codes_made",
        "/api/second_factor/stop" | "/api/people/drop_second_factor" => "second_factor_off",
        "/api/passkeys/add" => "passkey_added",
        "/api/passkeys/remove" => "passkey_removed",
        "/api/people/set_role" => "role_set",
        "/api/people/disable" => "person_disabled",
        "/api/people/enable" => "person_enabled",
        "/api/people/remove" | "/api/account/erase" => "person_removed",
        "/api/people/reset_password" => "reset_link_made",
        "/api/providers/save" | "/api/agents/wish_with_key" => "provider_saved",
        "/api/providers/delete" => "provider_deleted",
        "/api/web_search/add" => "search_source_added",
        "/api/web_search/remove" => "search_source_removed",
        "/api/skills/accept" => "skill_accepted",
        "/api/agents/accept_made_tool" => "tool_accepted",
        "/api/skills/remove" => "skill_removed",
        "/api/skills/choose" | "/api/skills/give" => "skills_chosen",
        "/api/skills/share" => "skill_shared",
        "/api/hub/revoke_skill" => "skill_revoked",
        "/api/hub/restore_skill" => "skill_restored",
        "/api/mcp_servers/add" | "/api/mcp_servers/add_program" | "/api/mcp_servers/take" => {
            "mcp_server_added"
        }
        "/api/mcp_servers/share" => "mcp_server_shared",
        "/api/mcp_servers/remove" => "mcp_server_removed",
        "/api/mcp_servers/set_headers" => "mcp_headers_set",
        "/api/mcp_servers/set_values" => "mcp_variables_set",
        "/api/mcp_servers/switch" | "/api/mcp_servers/switch_all" => "mcp_tool_switched",
        "/api/mcp_servers/answer_app_hosts" => "mcp_app_hosts_answered",
        "/api/mcp_servers/disconnect" => "mcp_disconnected",
        "/api/mcp_servers/choose"
        | "/api/mcp_servers/give"
        | "/api/mcp_servers/mount"
        | "/api/mcp_servers/unmount" => "mcp_servers_chosen",
        "/api/peers/add" => "peer_added",
        "/api/peers/remove" => "peer_removed",
        "/api/peers/set_token" => "peer_token_set",
        "/api/peers/switch" | "/api/peers/switch_agent" => "peer_switched",
        "/api/job_services/add" => "job_service_added",
        "/api/job_services/remove" => "job_service_removed",
        "/api/job_services/change" => "job_service_changed",
        "/api/job_services/set_token" => "job_service_token_set",
        "/api/job_services/switch" => "job_service_switched",
        "/api/sharing/set" => "provider_shared",
        "/api/sharing/stop" => "sharing_stopped",
        "/api/groups/save" => "group_saved",
        "/api/groups/delete" => "group_deleted",
        "/api/hub/choose_log_levels" => "log_levels_set",
        "/api/hub/back_up" => "backup_begun",
        "/api/hub/set_terminal" => "terminal_set",
        "/api/hub/set_files" => "files_set",
        "/api/hub/allow_mcp_program" => "mcp_program_allowed",
        "/api/hub/forbid_mcp_program" => "mcp_program_forbidden",
        "/api/account/keep_conversations"
        | "/api/account/pack_conversations"
        | "/api/hub/pack_conversations" => "retention_set",
        "/api/agent_shares/give" => "agent_shared",
        "/api/agent_shares/end" => "agent_unshared",
        "/api/shares/give" => "conversation_shared",
        "/api/shares/end" => "conversation_unshared",
        "/api/files/share" => "file_link_given",
        "/api/files/take_back" | "/api/files/take_all_back" => "file_link_taken_back",
        "/api/models/enter" | "/api/models/set_own_price" | "/api/models/refresh" => "price_set",
        "/api/models/delete" | "/api/models/forget_own_price" => "price_forgotten",
        "/api/agents/delete" => "agent_deleted",
        "/api/agents/set_network" | "/api/agents/follow_robots" | "/api/agents/let_commands_out" => {
            "network_set"
        }
        "/api/agents/set_key" => "agent_key_set",
        "/api/agents/forget_key" => "agent_key_forgotten",
        "/api/agents/forget_secret" => "web_secret_forgotten",
        "/api/agents/set_permission" => "permission_set",
        "/api/agents/forget_permission" => "permission_forgotten",
        "/api/approvals/answer" | "/api/approvals/answer_notified" => "call_allowed",
        "/api/notifications/push_on" | "/api/notifications/push_renew" => "push_on",
        "/api/notifications/add_channel" | "/api/notifications/confirm_channel" => "channel_added",
        "/api/notifications/remove_channel" => "channel_removed",
        "/api/policy/add" | "/api/settings/take" => "rule_added",
        "/api/policy/delete" => "rule_deleted",
        "/api/money/limit_agent"
        | "/api/money/limit_own"
        | "/api/money/limit"
        | "/api/account/limit_token"
        | "/api/pipelines/limit"
        | "/api/schedules/limit" => "limit_set",
        "/api/schedules/create" => "schedule_made",
        "/api/schedules/edit"
        | "/api/schedules/new_secret"
        | "/api/schedules/pause"
        | "/api/schedules/resume" => "schedule_changed",
        "/api/schedules/delete" => "schedule_deleted",
        // Steps on the way to one of those, and looking.
        "/api/second_factor/start"
        | "/api/second_factor/leave"
        | "/api/passkeys/start"
        | "/api/passkeys/challenge"
        | "/api/providers/test"
        | "/api/providers/read_models"
        | "/api/providers/find"
        | "/api/mcp_servers/connect"
        | "/api/mcp_servers/look"
        | "/api/peers/look"
        | "/api/job_services/look"
        | "/api/external_jobs/cancel"
        | "/api/console/say"
        | "/api/console/stop"
        | "/api/topics/publish"
        | "/api/topics/subscribe"
        | "/api/topics/unsubscribe"
        | "/api/mcp_servers/prompt"
        | "/api/mcp_servers/complete"
        | "/api/mcp_servers/attach"
        | "/api/web_search/test" => return None,
        // What waits in quarantine, no agent has.
        "/api/skills/write"
        | "/api/skills/bring"
        | "/api/skills/bring_from_server"
        | "/api/skills/look_again"
        | "/api/skills/take"
        | "/api/skills/refuse" => return None,
        // In which order sources are asked.
        "/api/web_search/shift" => return None,
        // Which of a person's providers hears and speaks.
        "/api/speech/choose" => return None,
        // Where somebody is served is the same to them.
        "/api/hub/hand_over" => return None,
        // The hub is told which keys a browser has, and has none of them.
        "/api/providers/key_kept" | "/api/providers/key_forgotten" => return None,
        // What a person has their agents remember.
        "/api/memories/create"
        | "/api/memories/edit"
        | "/api/memories/import"
        | "/api/memories/forget"
        | "/api/memories/choose_meaning"
        | "/api/memories/keep"
        | "/api/memories/settle" => {
            return None;
        }
        // What a person lets their agents know, and takes back.
        "/api/person_context/turn_on"
        | "/api/person_context/turn_off"
        | "/api/person_context/locate"
        | "/api/person_context/report"
        | "/api/person_context/note"
        | "/api/person_context/let_agent"
        | "/api/person_context/delete_saying"
        | "/api/person_context/clear_sayings" => return None,
        // What people do with agents of their own.
        "/api/guide/start"
        | "/api/agents/create"
        | "/api/agents/propose"
        | "/api/agents/wish"
        | "/api/agents/edit"
        | "/api/agents/duplicate"
        | "/api/agents/pause"
        | "/api/agents/pause_all"
        | "/api/agents/pin"
        | "/api/agents/write_made_tool"
        | "/api/agents/delete_made_tool"
        | "/api/agents/remove_state_rule"
        | "/api/agents/set_state"
        | "/api/agents/restore_skin"
        | "/api/files/rename"
        | "/api/files/copy_to"
        | "/api/files/delete"
        | "/api/files/restore"
        | "/api/files/undo"
        | "/api/files/undo_call"
        | "/api/files/delete_chosen"
        | "/api/files/move_chosen"
        | "/api/files/make_folder"
        | "/api/files/copy_chosen"
        | "/api/files/undo_change"
        | "/api/workspaces/create"
        | "/api/workspaces/rename"
        | "/api/workspaces/delete"
        | "/api/workspaces/give"
        | "/api/instructions/restore"
        | "/api/skins/save"
        | "/api/skins/load"
        | "/api/skins/delete"
        | "/api/teams/bring"
        | "/api/teams/make"
        | "/api/teams/another"
        | "/api/teams/limit"
        | "/api/teams/delete"
        | "/api/archives/create"
        | "/api/archives/discard"
        | "/api/imports/create"
        | "/api/imports/discard"
        | "/api/conversations/create"
        | "/api/conversations/rename"
        | "/api/conversations/pin"
        | "/api/conversations/put_into"
        | "/api/conversations/read"
        | "/api/conversations/keep_draft"
        | "/api/conversations/archive"
        | "/api/conversations/delete"
        | "/api/conversations/restore"
        | "/api/conversations/edit"
        | "/api/conversations/regenerate"
        | "/api/conversations/fork"
        | "/api/conversations/set_model"
        | "/api/conversations/rate"
        | "/api/conversations/note"
        | "/api/agents/send"
        | "/api/agents/ask"
        | "/api/agents/stop"
        | "/api/agents/retry"
        | "/api/agents/repair"
        | "/api/agents/take_over"
        | "/api/agents/move"
        | "/api/todo/add"
        | "/api/todo/mark"
        | "/api/delegations/stop"
        | "/api/delegations/stop_chain"
        | "/api/terminal/stop"
        | "/api/pipelines/answer"
        | "/api/pipelines/create"
        | "/api/pipelines/delete"
        | "/api/pipelines/retry"
        | "/api/pipelines/start"
        | "/api/pipelines/stop"
        | "/api/schedules/run" => return None,
        // What a person hears of, and has.
        "/api/notifications/read"
        | "/api/notifications/read_all"
        | "/api/account/set_appearance"
        | "/api/account/set_side_calls"
        | "/api/notifications/set"
        | "/api/notifications/push_off"
        | "/api/notifications/try_out"
        | "/api/notifications/mute" => return None,
        // It says something, which stands in the conversation. Where it has a call made again, `killed_call` looks.
        "/api/approvals/reply" | "/api/approvals/reply_notified" => return None,
        path => panic!("say whether {path} is sensitive, and which line it writes"),
    })
}

/// Those that take a ceremony, a question, the web or a place for backups, whose lines are looked at in tests of the
/// hub: accounts, passkeys, second factors, approvals, backups; of programs that are let in, in `oauth`.
const CEREMONIES: [&str; 23] = [
    "/api/account/set_up",
    "/api/account/sign_up",
    "/api/account/sign_in",
    "/api/account/sign_in_code",
    "/api/account/choose_password",
    "/api/account/sign_out",
    "/api/account/change_password",
    "/api/account/erase",
    "/api/oauth/answer",
    "/api/passkeys/add",
    "/api/passkeys/remove",
    "/api/passkeys/sign_in",
    "/api/second_factor/confirm",
    "/api/second_factor/renew_codes",
    "/api/second_factor/stop",
    "/api/people/drop_second_factor",
    "/api/people/remove",
    "/api/models/refresh",
    "/api/hub/back_up",
    "/api/approvals/answer",
    "/api/approvals/answer_notified",
    "/api/notifications/push_on",
    "/api/notifications/push_renew",
];

/// Calls the function and looks for its line.
async fn check(caller: &Caller, done: &mut BTreeSet<String>, name: &str, body: Value) -> Value {
    let path = format!("/api/{name}");
    let line = line_of(&path).unwrap_or_else(|| panic!("{path} has no line"));
    let lines = format!("/api/audit/all?action={line}");
    let before = json_of(caller, &lines).await["lines"][0]["seq"].as_u64().unwrap_or(0);
    let answer = caller.call(&path, &body).await;
    let newest = json_of(caller, &lines).await["lines"][0].clone();
    assert!(newest["seq"].as_u64().unwrap_or(0) > before, "{path} wrote no {line}");
    assert_eq!((&newest["outcome"], &newest["actor"]), (&json!("done"), &json!("ada")), "{path}");
    done.insert(path);
    answer
}

#[tokio::test]
async fn every_function_that_changes_something_writes_its_line_or_is_said_to_write_none() {
    let _ = app::status_of;
    let mut mail = MailServer::start();
    let settings = mail.settings(mailed::PASSWORD);
    let settings: Vec<_> = settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let program = Program::start_with(&settings);
    let endpoint = Endpoint::start();
    let ada = program.caller("ada");
    let other = program.caller("ben");
    let browser = program.browser("ada", "test").await;
    let mut done = BTreeSet::new();
    let people = json_of(&ada, "/api/people/list").await;
    let ben = people.as_array().unwrap().iter().find(|person| person["name"] == "ben").unwrap()["id"].clone();
    let agent = agent(&ada, &endpoint).await;
    let provider = json_of(&ada, "/api/providers/list").await[0]["id"].clone();
    let device = json_of(&browser, "/api/account/devices").await[0]["id"].clone();

    let done = &mut done;
    let token = check(&ada, done, "account/create_token", json!({ "name": "backup" })).await;
    let limit = json!({ "id": token["view"]["id"], "per_month": "1" });
    check(&ada, done, "account/limit_token", limit).await;
    check(&ada, done, "account/revoke_token", json!({ "id": token["view"]["id"] })).await;
    check(&ada, done, "account/revoke_device", json!({ "id": device })).await;
    check(&ada, done, "account/invite", json!({})).await;
    check(&ada, done, "account/set_sign_up", json!({ "mode": "closed" })).await;
    check(&ada, done, "people/set_role", json!({ "id": ben, "role": "guest" })).await;
    check(&ada, done, "people/disable", json!({ "id": ben })).await;
    check(&ada, done, "people/enable", json!({ "id": ben })).await;
    check(&ada, done, "people/reset_password", json!({ "id": ben })).await;
    let group = check(&ada, done, "groups/save", json!({ "name": "Garden", "people": [ben] })).await;
    check(&ada, done, "sharing/set", json!({ "provider": provider, "everyone": true })).await;
    check(&ada, done, "sharing/stop", json!({ "provider": provider })).await;
    check(&ada, done, "groups/delete", json!({ "id": group })).await;
    let log = json!({ "filter": "hub=debug", "minutes": 15 });
    check(&ada, done, "hub/choose_log_levels", log).await;
    check(&ada, done, "hub/set_terminal", json!({ "whose": "admins" })).await;
    check(&ada, done, "hub/set_files", json!({ "folder_mb": "60" })).await;
    check(&ada, done, "hub/pack_conversations", json!({ "days": "90" })).await;
    let conversation = conversation_of(&ada, &agent).await;
    check(&ada, done, "shares/give", json!({ "id": conversation, "name": "ben" })).await;
    let shares = json_of(&ada, &format!("/api/shares/of?id={conversation}")).await;
    check(&ada, done, "shares/end", json!({ "id": shares["shares"][0]["id"] })).await;
    let share = json!({ "agent": agent, "name": "ben", "per_month": "5" });
    check(&ada, done, "agent_shares/give", share).await;
    let shares = json_of(&ada, &format!("/api/agent_shares/of?agent={agent}")).await;
    check(&ada, done, "agent_shares/end", json!({ "id": shares[0]["id"] })).await;
    let given = given_link_of(&ada, &agent).await;
    check(&ada, done, "files/share", json!({ "folder": agent, "path": "moss.txt", "hours": 1 })).await;
    check(&ada, done, "files/take_back", json!({ "id": given })).await;
    check(&ada, done, "files/take_all_back", json!({})).await;
    let price = json!({ "model": "moss-1", "input_price": "1", "output_price": "2" });
    check(&ada, done, "models/set_own_price", price.clone()).await;
    check(&ada, done, "models/forget_own_price", json!({ "model": "moss-1" })).await;
    check(&ada, done, "models/enter", price).await;
    check(&ada, done, "models/delete", json!({ "model": "moss-1" })).await;
    check(&ada, done, "agents/set_key", json!({ "id": agent, "key": "key-good" })).await;
    check(&ada, done, "agents/forget_key", json!({ "id": agent })).await;
    check(&ada, done, "agents/forget_secret", json!({ "id": agent, "name": "moss" })).await;
    check(&ada, done, "agents/set_network", json!({ "id": agent, "policy": "public" })).await;
    check(&ada, done, "agents/follow_robots", json!({ "id": agent, "follows": true })).await;
    check(&ada, done, "agents/let_commands_out", json!({ "id": agent, "allowed": true })).await;
    let camera = json!({ "id": agent, "permission": "camera", "allowed": true });
    check(&ada, done, "agents/set_permission", camera.clone()).await;
    check(&ada, done, "agents/forget_permission", camera).await;
    let rule = check(&ada, done, "policy/add", json!({ "tool": "state", "verdict": "ask" })).await;
    check(&ada, done, "policy/delete", json!({ "id": rule["id"] })).await;
    let rules = json!({ "providers": [], "prices": [], "rules": [{ "tool": "state", "verdict": "ask" }] });
    check(&ada, done, "settings/take", json!({ "parcel": "p1", "settings": rules.to_string() })).await;
    let skill = skill_of(&ada, "moss").await;
    let detail = json_of(&ada, &format!("/api/skills/get?id={skill}")).await;
    let accepted = json!({ "id": skill, "digest": detail["waiting"]["digest"] });
    check(&ada, done, "skills/accept", accepted).await;
    check(&ada, done, "skills/give", json!({ "id": skill, "agents": [agent] })).await;
    let choices = json!({ "agent": agent, "choices": [{ "skill": skill, "chosen": "found" }] });
    check(&ada, done, "skills/choose", choices).await;
    check(&ada, done, "skills/share", json!({ "id": skill, "everyone": true })).await;
    let version = json!({ "digest": detail["waiting"]["digest"] });
    check(&ada, done, "hub/revoke_skill", version.clone()).await;
    check(&ada, done, "hub/restore_skill", version).await;
    check(&ada, done, "skills/remove", json!({ "id": skill })).await;
    let tool = tool_of(&ada, &agent).await;
    check(&ada, done, "agents/accept_made_tool", json!({ "id": agent, "name": tool, "version": 1 })).await;
    check(&ada, done, "money/limit_agent", json!({ "agent": agent, "per_day": "1" })).await;
    check(&ada, done, "money/limit_own", json!({ "per_day": "1" })).await;
    check(&ada, done, "account/keep_conversations", json!({ "days": "90" })).await;
    check(&ada, done, "account/pack_conversations", json!({ "days": "0" })).await;
    check(&ada, done, "money/limit", json!({ "per_day": "1" })).await;
    let due = json!({ "agent": agent, "draft": schedule() });
    let id = check(&ada, done, "schedules/create", due).await;
    let draft = json!({ "id": id, "draft": schedule() });
    check(&ada, done, "schedules/edit", draft).await;
    check(&ada, done, "schedules/limit", json!({ "id": id, "per_day": "1" })).await;
    let pipeline = pipeline_of(&ada, &agent).await;
    check(&ada, done, "pipelines/limit", json!({ "id": pipeline, "budget": "1" })).await;
    check(&ada, done, "schedules/pause", json!({ "id": id })).await;
    check(&ada, done, "schedules/resume", json!({ "id": id })).await;
    check(&ada, done, "schedules/delete", json!({ "id": id })).await;
    let hook = json!({ "name": "Orders", "message": "Look.", "kind": "webhook" });
    let id = check(&ada, done, "schedules/create", json!({ "agent": agent, "draft": hook })).await;
    check(&ada, done, "schedules/new_secret", json!({ "id": id })).await;
    check(&ada, done, "mcp_servers/choose", json!({ "agent": agent, "servers": [] })).await;
    let beds = ada.call("/api/mcp_servers/add", &json!({ "name": "beds", "url": mcp_server() })).await;
    check(&ada, done, "mcp_servers/give", json!({ "id": beds["id"], "agents": [agent] })).await;
    for mounted in ["mcp_servers/mount", "mcp_servers/unmount"] {
        check(&ada, done, mounted, json!({ "id": beds["id"], "agent": agent })).await;
    }
    check(&ada, done, "agents/delete", json!({ "id": agent })).await;
    let saved = json!({ "id": provider, "name": "Home", "kind": "open_ai", "base_url": endpoint.url });
    check(&ada, done, "providers/save", saved).await;
    check(&ada, done, "providers/delete", json!({ "id": provider })).await;
    let source = json!({ "kind": "brave", "key": "key-good" });
    let source = check(&ada, done, "web_search/add", source).await;
    check(&ada, done, "web_search/remove", json!({ "id": source["id"] })).await;
    let channel = json!({ "kind": "webhook", "address": endpoint.url });
    let channel = check(&ada, done, "notifications/add_channel", channel).await;
    check(&ada, done, "notifications/remove_channel", json!({ "id": channel["view"]["id"] })).await;
    let channel = json!({ "kind": "mail", "address": "ada@example.org" });
    let channel = ada.call("/api/notifications/add_channel", &channel).await;
    let code = json!({ "id": channel["view"]["id"], "code": mailed::code(&mail.mail()) });
    check(&ada, done, "notifications/confirm_channel", code).await;
    let server = json!({ "name": "garden", "url": mcp_server() });
    let server = check(&ada, done, "mcp_servers/add", server).await;
    let token = json!({ "id": server["id"], "token": "key-good" });
    check(&ada, done, "mcp_servers/set_headers", token).await;
    let switched = json!({ "id": server["id"], "tool": "water", "on": false });
    check(&ada, done, "mcp_servers/switch", switched).await;
    let found = json_of(&ada, &format!("/api/mcp_servers/read?id={}", server["id"].as_str().unwrap())).await;
    let digests = json!([found["tools"][0]["digest"]]);
    let switched = json!({ "id": server["id"], "on": true, "digests": digests });
    check(&ada, done, "mcp_servers/switch_all", switched).await;
    let hosts = json!({ "id": server["id"], "hosts": ["https://tiles.example"], "allow": true });
    check(&ada, done, "mcp_servers/answer_app_hosts", hosts).await;
    check(&ada, done, "mcp_servers/share", json!({ "id": server["id"], "everyone": true })).await;
    other.call("/api/mcp_servers/take", &json!({ "id": server["id"] })).await;
    let taken = json_of(&ada, "/api/audit/all?action=mcp_server_added").await["lines"][0].clone();
    assert_eq!((&taken["outcome"], &taken["actor"]), (&json!("done"), &json!("ben")));
    done.insert("/api/mcp_servers/take".to_owned());
    check(&ada, done, "mcp_servers/disconnect", json!({ "id": server["id"] })).await;
    check(&ada, done, "mcp_servers/remove", json!({ "id": server["id"] })).await;
    let program = json!({ "name": "garden", "line": "/usr/bin/false", "variables": "GARDEN_KEY" });
    check(&ada, done, "hub/allow_mcp_program", program).await;
    let server = json!({ "name": "program", "program": "garden", "values": [] });
    let server = check(&ada, done, "mcp_servers/add_program", server).await;
    check(&ada, done, "mcp_servers/set_values", json!({ "id": server["id"], "values": [] })).await;
    check(&ada, done, "hub/forbid_mcp_program", json!({ "name": "garden" })).await;
    let peer = json!({ "name": "garden", "url": mcp_server() });
    let peer = check(&ada, done, "peers/add", peer).await;
    check(&ada, done, "peers/set_token", json!({ "id": peer["id"], "token": "key-good" })).await;
    check(&ada, done, "peers/switch", json!({ "id": peer["id"], "on": false })).await;
    let known = ada.get(&format!("/api/peers/read?id={}", peer["id"].as_str().unwrap())).await;
    let known: Value = known.json().await.unwrap();
    let switched = json!({ "id": peer["id"], "agent": known["agents"][0]["id"], "on": false });
    check(&ada, done, "peers/switch_agent", switched).await;
    check(&ada, done, "peers/remove", json!({ "id": peer["id"] })).await;
    let service = json!({ "name": "farm", "kind": "http", "url": endpoint.url, "jobs": "render" });
    let service = check(&ada, done, "job_services/add", service).await;
    check(&ada, done, "job_services/change", json!({ "id": service["id"], "jobs": "encode" })).await;
    check(&ada, done, "job_services/set_token", json!({ "id": service["id"], "token": "key-good" })).await;
    check(&ada, done, "job_services/switch", json!({ "id": service["id"], "on": false })).await;
    check(&ada, done, "job_services/remove", json!({ "id": service["id"] })).await;
    let wish = json!({ "wish": "A clock.", "kind": "open_ai", "base_url": endpoint.url, "key": "key-good" });
    check(&ada, done, "agents/wish_with_key", wish).await;

    let changing = server_fn_paths().filter(|(_, method)| *method == Method::POST).map(|(path, _)| path);
    let sensitive: BTreeSet<String> =
        changing.filter(|path| line_of(path).is_some()).map(str::to_owned).collect();
    done.extend(CEREMONIES.map(str::to_owned));
    assert_eq!(*done, sensitive);
}

/// An MCP server with one tool, which is an agent too, and where it is.
fn mcp_server() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let url = format!("http://{}/mcp", listener.local_addr().expect("it is bound"));
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // A connection that breaks off has asked nothing.
            let _ = answer(stream);
        }
    });
    url
}

/// Answers one request with all that any is about.
fn answer(mut stream: TcpStream) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let (mut length, mut host) = (0, String::new());
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        if line.trim().is_empty() {
            break;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("host:") {
            host = value.trim().to_owned();
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let asked: Value = serde_json::from_slice(&body).unwrap_or_default();
    let result = json!({
        "supportedVersions": ["2026-07-28"], "capabilities": { "tools": {} }, "tools": [{ "name": "water" }],
    });
    let mut told = json!({ "jsonrpc": "2.0", "id": asked["id"], "result": result });
    if asked.is_null() {
        let rpc = json!({
            "url": format!("http://{host}/"), "protocolBinding": "JSONRPC", "protocolVersion": "1.0",
        });
        told = json!({ "name": "Fern", "supportedInterfaces": [rpc] });
    }
    let text = told.to_string();
    let head = "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: application/json";
    stream.write_all(format!("{head}\r\ncontent-length: {}\r\n\r\n{text}", text.len()).as_bytes()).ok()
}
