//! What a function returned is what another one takes: a program reads it, changes what it means to change, and
//! sends it back as it is.

use crate::archives::{archive_of, upload};
use crate::things::{json_of, schedule};
use crate::world::{Caller, Program};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

const CASES: usize = 24;

fn hook() -> impl Strategy<Value = Value> {
    let action = prop_oneof![
        Just(json!({ "type": "deny", "reason": "No." })),
        Just(json!({ "type": "add_context", "text": "Mind the moss." })),
    ];
    (prop::option::of(prop::sample::select(vec!["dom", "state"])), action).prop_map(|(tool, action)| {
        let mut hook = json!({ "event": "pre_tool_use", "action": action });
        if let Some(tool) = tool {
            hook["tool"] = json!(tool);
        }
        hook
    })
}

/// A definition as JSON says it, with lists that may be empty.
fn draft() -> impl Strategy<Value = Value> {
    let tools = prop::sample::subsequence(vec!["dom", "runjs", "state", "storage"], 0..=4);
    let text =
        prop::sample::select(vec!["", "0", "true", "null", "a=b&c[]=d", "[]", "{}", "ü %20 +", "two\nlines"]);
    let minutes = prop::option::of(1_u32..=600);
    (text, tools, prop::collection::vec(hook(), 0..=3), 0_u32..=50, minutes, any::<bool>()).prop_map(
        |(instructions, tools, hooks, rounds, minutes, is_hub)| {
            let mut settings = json!({ "hooks": hooks, "rounds": rounds });
            if let Some(minutes) = minutes {
                settings["clear_after_minutes"] = json!(minutes);
            }
            json!({
                "name": "Ada", "colour": "#3a7d44", "instructions": instructions, "tools": tools,
                "home": if is_hub { "hub" } else { "browser" }, "loop_settings": settings,
            })
        },
    )
}

/// The fields of `wanted`, as they are in `found`.
fn same_fields(wanted: &Value, found: &Value) -> Value {
    let fields = wanted.as_object().unwrap().keys();
    fields.map(|name| (name.clone(), found[name].clone())).collect()
}

#[tokio::test]
async fn a_definition_comes_back_as_it_went_whatever_is_empty_in_it() {
    let program = Program::start();
    let ada = program.caller("ada");
    let mut runner = TestRunner::deterministic();
    for _ in 0..CASES {
        let mut draft = draft().new_tree(&mut runner).unwrap().current();
        let made = ada.call("/api/agents/create", &draft).await;
        let id = made["id"].as_str().unwrap();
        // No rounds stand for the usual number, in answers too.
        draft["loop_settings"]["rounds"] = made["loop_settings"]["rounds"].clone();
        let read = json_of(&ada, &format!("/api/agents/get?id={id}")).await;
        for name in ["instructions", "tools", "home"] {
            assert_eq!(read[name], draft[name], "{name} {draft}");
        }
        let settings = &draft["loop_settings"];
        assert_eq!(same_fields(settings, &read["loop_settings"]), *settings);
        let edited = ada.call("/api/agents/edit", &read).await;
        assert_eq!(without_times(edited), without_times(read.clone()));

        // And as an archive: what its review says is what makes the agent.
        let review = upload(&ada, &archive_of(&ada, id).await).await;
        let mut create = review["draft"].clone();
        create["id"] = review["archive"].clone();
        let copy = ada.call("/api/archives/create", &create).await;
        assert_eq!(
            same_fields(&review["draft"]["loop_settings"], &copy["loop_settings"]),
            review["draft"]["loop_settings"]
        );
        for id in [id, copy["id"].as_str().unwrap()] {
            ada.call("/api/agents/delete", &json!({ "id": id })).await;
        }
    }
}

fn without_times(mut view: Value) -> Value {
    view.as_object_mut().unwrap().remove("updated_at");
    view
}

/// When something was decided is no argument: it is decided anew.
fn without_decisions(mut list: Value) -> Value {
    for row in list.as_array_mut().into_iter().flatten() {
        row.as_object_mut().map(|row| row.remove("decided_at"));
    }
    list
}

/// Reads with the first, sends it to the second with these fields besides, and reads the same again.
async fn round(caller: &Caller, read: &str, part: &str, write: &str, besides: Value) {
    let before = without_decisions(json_of(caller, read).await);
    let mut body = before.pointer(part).unwrap_or_else(|| panic!("{read} has no {part}: {before}")).clone();
    body.as_object_mut().unwrap().extend(besides.as_object().unwrap().clone());
    caller.call(write, &body).await;
    assert_eq!(without_decisions(json_of(caller, read).await), before, "{read} {write}");
}

#[tokio::test]
async fn what_one_function_returned_another_one_takes() {
    let program = Program::start();
    let ada = program.caller("ada");
    program.add_user("ben");
    let provider = json!({ "name": "Home", "kind": "open_ai", "base_url": "http://127.0.0.1:9", "key": "sk-0123456789" });
    let provider = ada.call("/api/providers/save", &provider).await["id"].clone();
    let group = ada.call("/api/groups/save", &json!({ "name": "Garden", "people": [] })).await;
    round(&ada, "/api/groups/list", "/0", "/api/groups/save", json!({ "id": group })).await;
    round(&ada, "/api/providers/list", "/0", "/api/providers/save", json!({})).await;
    for share in [
        json!({ "everyone": true }),
        json!({ "groups": [group], "models": "one, two" }),
        json!({ "everyone": true, "people": [], "groups": [], "models": [] }),
    ] {
        let mut body = share.clone();
        body["provider"] = provider.clone();
        ada.call("/api/sharing/set", &body).await;
        let read = format!("/api/sharing/get?provider={}", provider.as_str().unwrap());
        round(&ada, &read, "", "/api/sharing/set", json!({ "provider": provider })).await;
    }
    let agent = json!({ "name": "Ada", "colour": "#3a7d44", "tools": [] });
    let agent = ada.call("/api/agents/create", &agent).await["id"].clone();
    let id = agent.as_str().unwrap();
    ada.call("/api/policy/add", &json!({ "tool": "state", "verdict": "deny", "about": "a" })).await;
    let rules = format!("/api/policy/rules?agent={id}");
    let rule = json_of(&ada, &rules).await[0].clone();
    let again = ada.call("/api/policy/add", &rule).await;
    assert_eq!(
        (&again["tool"], &again["about"], &again["verdict"]),
        (&rule["tool"], &rule["about"], &rule["verdict"])
    );

    let permission = json!({ "id": agent, "permission": "camera", "allowed": true });
    ada.call("/api/agents/set_permission", &permission).await;
    let permissions = format!("/api/agents/permissions?id={id}");
    round(&ada, &permissions, "/0", "/api/agents/set_permission", json!({ "id": agent })).await;

    let due = json!({ "agent": agent, "draft": schedule() });
    ada.call("/api/schedules/create", &due).await;
    let settings = json_of(&ada, "/api/settings/all").await.to_string();
    ada.call("/api/settings/take", &json!({ "parcel": "p1", "settings": settings })).await;
}
