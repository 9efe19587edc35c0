//! Where an answer leads a call: to another place it goes only as a call of its own could, with nobody asked.

use super::Caller;
use super::caller::CallOrigin;
use super::consent;
use super::permit::{for_hooks, kept_by_a_skill};
use crate::error::Result;
use crate::outbound::Target;
use crate::policy::{Ruling, Subject};
use crate::store::query;
use agent::hooks;
use agent::tools::ResolvedCall;
use protocol::agent::HookEvent;
use protocol::view::CallDecider;
use serde_json::json;

pub(crate) enum RedirectCheck {
    On,
    /// The person would have to be asked, in these words.
    NoFurther(String),
}

impl Caller<'_> {
    /// Whether the call may go on to this address; an error in words if something forbids it.
    pub(crate) async fn is_led(
        &self,
        call: &ResolvedCall,
        target: &Target,
    ) -> Result<std::result::Result<RedirectCheck, String>> {
        let first = match Subject::of(call) {
            Ok(first) => first,
            Err(error) => return Ok(Err(error.to_string())),
        };
        let is_same_server = first.target().is_some_and(|first| first.is_server_of(target));
        let led = led(call, target, is_same_server);
        let (event, text) = (HookEvent::PreToolUse, for_hooks(&led));
        if let Some(reason) = hooks::evaluate(&self.spec.hooks, event, Some(led.name()), &text).denied {
            return Ok(Err(format!("Not allowed: {reason}")));
        }
        if let Some(why) = kept_by_a_skill(self, &led, Some(target)).await? {
            return Ok(Err(why));
        }
        let about = match Subject::of(&led) {
            Ok(about) => about,
            Err(error) => return Ok(Err(error.to_string())),
        };
        let mut asked = consent::asked(self, &led, &about).await?;
        let ruling = match is_same_server {
            // It has what the call sent, so nothing more leaves, and it is the call that was counted.
            true => {
                asked.leaks = false;
                self.hub.policies().rules_of(self.owner, self.agent).await?.ruling(&asked)
            }
            false => self.hub.policies().ruling(self.owner, self.agent, &asked).await?,
        };
        match ruling {
            Ruling::Deny { why, .. } => return Ok(Err(why)),
            Ruling::Allow { .. } => return Ok(Ok(RedirectCheck::On)),
            Ruling::Ask(_) => {}
        }
        if is_same_server && self.was_agreed_to(call).await? {
            let shown = consent::asked(self, call, &first).await?;
            if !self.hub.policies().rules_of(self.owner, self.agent).await?.ask_of_one(&asked, &shown) {
                return Ok(Ok(RedirectCheck::On));
            }
        }
        Ok(Ok(RedirectCheck::NoFurther(format!(
            "It leads to {}, for which your person has to be asked. Call that address itself if it is right.",
            target.url()
        ))))
    }

    /// Whether the person said yes to this very call.
    async fn was_agreed_to(&self, call: &ResolvedCall) -> Result<bool> {
        let statement = match self.by {
            CallOrigin::Model { execution, turn } => query(
                "SELECT decided_by FROM tool_calls WHERE call_id = $1 AND agent_id = $2 AND run_id = $3
             AND turn = $4",
                (call.id(), &self.agent, &execution.run, turn),
            ),
            CallOrigin::Page { .. } => query(
                "SELECT decided_by FROM tool_calls WHERE call_id = $1 AND agent_id = $2 AND run_id IS NULL",
                (call.id(), &self.agent),
            ),
        };
        let decided_by: Option<Option<CallDecider>> =
            statement.fetch_optional(self.hub.store().read()).await?;
        Ok(decided_by.flatten() == Some(CallDecider::Person))
    }
}

/// The request that it would become. To another server nothing goes along but the address.
fn led(call: &ResolvedCall, target: &Target, is_same_server: bool) -> ResolvedCall {
    let url = json!(target.url().as_str());
    let mut input = if is_same_server { call.input().clone() } else { json!({}) };
    input["url"] = url;
    call.with_input(input)
}
