//! What agents of flo.monster call and ours can do without: the answer to a question of the page before the run
//! ends, another view, and their own calls.

use super::{ToolError, skin};
use crate::clock::in_utc;
use crate::gateway::{Caller, OwnCall};
use agent::tools::ResolvedCall;
use protocol::page::Answer;
use serde_json::{Value, json};

/// Calls that are listed at most.
const MAX_LISTED_CALLS: u64 = 100;

pub(super) fn respond(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let answer = match (call.input().get("error").and_then(Value::as_str), call.input().get("result")) {
        (Some(message), _) => Answer::Error { message: message.to_owned() },
        (None, Some(Value::String(text))) => Answer::Text { text: text.clone() },
        (None, Some(result)) => Answer::Text { text: result.to_string() },
        (None, None) => return Err(ToolError("Say a result, or an error.".to_owned())),
    };
    if !caller.hub.runs().answer_page(caller.agent, answer) {
        return Err(ToolError("Your page waits for no answer in this run.".to_owned()));
    }
    Ok(json!({ "ok": true }).to_string())
}

/// The person answers in their own time, so nobody waits for that.
pub(super) async fn view(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    if caller.hub.live().pages(caller.agent, None).is_empty() {
        return Err(ToolError("Your page is not open, so there is nothing to show otherwise.".to_owned()));
    }
    let view = json!(call.input().get("state").and_then(Value::as_str).unwrap_or_default());
    let code =
        format!("flo.requestViewState({view}).catch(() => {{}}); return 'Your person was offered it.'");
    skin::run(caller, call, code).await
}

pub(super) async fn audit(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let text = |field| call.input().get(field).and_then(Value::as_str).unwrap_or_default();
    let since = call.input().get("since").and_then(Value::as_i64).unwrap_or_default();
    let limit =
        call.input().get("limit").and_then(Value::as_u64).unwrap_or(MAX_LISTED_CALLS).min(MAX_LISTED_CALLS);
    let by = match text("source") {
        "srcdoc" => "page",
        "agent" => "model",
        _ => "",
    };
    let calls = caller.own_calls(by, since, i64::try_from(limit).unwrap_or(i64::MAX)).await?;
    let lines = |one: fn(&OwnCall) -> String| calls.iter().map(one).collect::<Vec<_>>().join("\n");
    Ok(match text("format") {
        "json" => json!(calls).to_string(),
        "jsonl" => lines(|call| json!(call).to_string()),
        _ if calls.is_empty() => "No calls.".to_owned(),
        _ => lines(summary),
    })
}

fn summary(call: &OwnCall) -> String {
    let about = call.about.as_deref().map(|about| format!(" {about}")).unwrap_or_default();
    format!(
        "{} {} {}{about}: {}",
        in_utc(call.at).strftime("%Y-%m-%dT%H:%M:%SZ"),
        call.caller,
        call.tool,
        call.outcome.as_deref().unwrap_or("under way"),
    )
}
