//! Where an answer leads a call: to another place it goes only as a call of its own could, with nobody asked.

use super::Caller;
use super::caller::By;
use super::consent::{self, DecidedBy};
use super::permit::for_hooks;
use crate::error::Result;
use crate::outbound::Target;
use crate::policy::{Ruling, Subject};
use agent::hooks;
use agent::tools::find;
use protocol::hub::HookEvent;
use protocol::model::ToolCall;
use serde_json::json;
use sqlx::Row as _;

pub(crate) enum Led {
    On,
    /// The person would have to be asked, in these words.
    NoFurther(String),
}

impl Caller<'_> {
    /// Whether the call may go on to this address; an error in words if something forbids it.
    pub(crate) async fn is_led(
        &self,
        call: &ToolCall,
        target: &Target,
    ) -> Result<std::result::Result<Led, String>> {
        let tool = find(&call.name);
        let first = Subject::of(tool, call);
        let is_same_server = first.text() == Subject::at(target).text();
        let led = led(call, target, is_same_server);
        let (event, text) = (HookEvent::PreToolUse, for_hooks(&led));
        if let Some(reason) = hooks::evaluate(&self.spec.hooks, event, Some(&led.name), &text).denied {
            return Ok(Err(format!("Not allowed: {reason}")));
        }
        let about = Subject::of(tool, &led);
        let mut asked = consent::asked(self, &led, &about).await?;
        let ruling = match is_same_server {
            // It has what the call sent, so nothing more leaves, and it is the call that was counted.
            true => {
                asked.leaks = false;
                self.hub.rules_of(self.owner, self.agent).await?.ruling(&asked)
            }
            false => self.hub.ruling(self.owner, self.agent, &asked).await?,
        };
        match ruling {
            Ruling::Deny { why, .. } => return Ok(Err(why)),
            Ruling::Allow { .. } => return Ok(Ok(Led::On)),
            Ruling::Ask(_) => {}
        }
        if is_same_server && self.was_agreed_to(call).await? {
            let shown = consent::asked(self, call, &first).await?;
            if !self.hub.rules_of(self.owner, self.agent).await?.ask_of_one(&asked, &shown) {
                return Ok(Ok(Led::On));
            }
        }
        Ok(Ok(Led::NoFurther(format!(
            "It leads to {}, for which your person has to be asked. Call that address itself if it is right.",
            target.url()
        ))))
    }

    /// Whether the person said yes to this very call.
    async fn was_agreed_to(&self, call: &ToolCall) -> Result<bool> {
        let statement = match self.by {
            By::Model { execution, turn } => sqlx::query(
                "SELECT decided_by FROM tool_calls WHERE call_id = $1 AND agent_id = $2 AND run_id = $3 AND turn = $4",
            )
            .bind(&call.id.0)
            .bind(&self.agent.0)
            .bind(&execution.run.0)
            .bind(i64::from(turn)),
            By::Page { .. } => sqlx::query(
                "SELECT decided_by FROM tool_calls WHERE call_id = $1 AND agent_id = $2 AND run_id IS NULL",
            )
            .bind(&call.id.0)
            .bind(&self.agent.0),
        };
        let row = statement.fetch_optional(self.hub.store.read()).await?;
        let decided_by = row.map(|row| row.try_get::<Option<String>, _>("decided_by")).transpose()?.flatten();
        Ok(decided_by.as_deref() == Some(DecidedBy::Person.name()))
    }
}

/// The request that it would become. To another server nothing goes along but the address.
fn led(call: &ToolCall, target: &Target, is_same_server: bool) -> ToolCall {
    let url = json!(target.url().as_str());
    let mut input = if is_same_server { call.input.clone() } else { json!({}) };
    input["url"] = url;
    ToolCall { input, ..call.clone() }
}
