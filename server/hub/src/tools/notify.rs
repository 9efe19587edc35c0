//! `notify`: a word to a person who looks elsewhere.

use super::ToolError;
use crate::gateway::Caller;
use crate::notifications::{News, Noted};
use crate::store::{Transaction, query};
use agent::tools::ResolvedCall;
use protocol::view::NotificationKind;
use serde_json::{Value, json};

/// An agent notifies its person so often within an hour.
const MOST_AN_HOUR: i64 = 6;
const HOUR_MS: i64 = 60 * 60 * 1000;

pub(super) async fn notify(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let text = call.input().get("text").and_then(Value::as_str).unwrap_or_default().trim();
    if text.is_empty() {
        return Err(ToolError("Say in text what they are told.".to_owned()));
    }
    let hub = caller.hub;
    let mut tx = hub.store().write().await?;
    if said_since(&mut tx, caller, hub.now() - HOUR_MS).await? >= MOST_AN_HOUR {
        return Err(ToolError(
            "They were notified 6 times within an hour, which is the most. Say it in the conversation."
                .to_owned(),
        ));
    }
    let news = News::Said { text };
    let noted = hub.notifications().note(&mut tx, caller.agent, Some(caller.conversation), news).await?;
    tx.commit().await?;
    hub.notifications().wake();
    hub.live().changed_beside_the_log(caller.agent);
    Ok(match noted {
        Noted::Sent => json!({ "notified": true }),
        Noted::Kept => {
            json!({ "notified": false, "why": "They have quiet hours, and are told when those end." })
        }
        Noted::Seen => json!({ "notified": false, "why": "They look at you. Say it in the conversation." }),
        Noted::Unwanted => json!({ "notified": false, "why": "They want no such notifications." }),
    }
    .to_string())
}

async fn said_since(tx: &mut Transaction, caller: &Caller<'_>, after: i64) -> Result<i64, ToolError> {
    Ok(query(
        "SELECT COUNT(*) FROM notifications WHERE user_id = $1 AND agent_id = $2 AND kind = $3 AND at > $4",
        (caller.owner, caller.agent, NotificationKind::Message, after),
    )
    .fetch_one(&mut **tx)
    .await?)
}
