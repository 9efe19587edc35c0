//! `schedule`: an agent arranges to be told something later.

use super::ToolError;
use crate::gateway::Caller;
use crate::outbound::Target;
use agent::tools::ResolvedCall;
use protocol::schedule::{Author, ScheduleDraft, ScheduleView, Timing};
use protocol::{AgentId, ScheduleId};
use serde_json::{Value, json};

pub(super) async fn perform(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let text = |field| call.input().get(field).and_then(Value::as_str).unwrap_or_default();
    match text("action") {
        "list" => {
            let schedules = caller.hub.schedules().schedules_of(caller.agent).await?;
            let lines: Vec<_> = schedules.iter().map(describe).collect();
            Ok(json!({ "schedules": lines, "now": caller.hub.now() }).to_string())
        }
        "create" => {
            if call.input().get("kind").is_none() {
                return Err(ToolError(
                    "Say its kind: once, after, days, every, cron, finished, file or device.".to_owned(),
                ));
            }
            let id = caller
                .hub
                .schedules()
                .schedule_for_itself(&caller.place(), &draft(caller, call).await?)
                .await?;
            let made = caller.hub.schedules().schedules_of(caller.agent).await?;
            let next = made.iter().find(|schedule| schedule.id == id).and_then(|schedule| schedule.next_at);
            Ok(json!({ "ok": true, "id": id, "next": next }).to_string())
        }
        "delete" => {
            let id = ScheduleId::from(text("id"));
            caller.hub.schedules().unschedule_for_itself(&caller.place(), &id).await?;
            Ok(json!({ "ok": true }).to_string())
        }
        action => Err(ToolError(format!("schedule has no action {action}."))),
    }
}

/// What the call says, as a form would.
async fn draft(caller: &Caller<'_>, call: &ResolvedCall) -> Result<ScheduleDraft, ToolError> {
    let mut input = call.input().clone();
    for field in ["minutes", "delay"] {
        if let Some(minutes) = input.get_mut(field) {
            *minutes = Value::from(minutes.to_string());
        }
    }
    for field in ["name", "message"] {
        if input.get(field).is_none() {
            return Err(ToolError(format!("Say its {field}.")));
        }
    }
    let draft: ScheduleDraft = serde_json::from_value(input)?;
    if draft.after_agent.is_empty() {
        return Ok(draft);
    }
    let AgentId(after_agent) = caller.hub.delegations().named(caller, &draft.after_agent).await?;
    Ok(ScheduleDraft { after_agent, ..draft })
}

/// The address of a feed may be a secret of its person's: where it is has to do.
fn timing(of: &Timing) -> Value {
    match of {
        Timing::Feed { url, minutes } => {
            let place = Target::parse_without_fragment(url).map(|target| target.place()).unwrap_or_default();
            json!({ "type": "feed", "at": place, "minutes": minutes })
        }
        other => json!(other),
    }
}

fn describe(schedule: &ScheduleView) -> Value {
    json!({
        "id": schedule.id,
        "name": schedule.name,
        "message": schedule.message,
        "timing": timing(&schedule.timing),
        "after": schedule.after,
        "paused": schedule.paused,
        "next": schedule.next_at,
        "last": schedule.last,
        "yours": schedule.by == Author::Agent,
    })
}
