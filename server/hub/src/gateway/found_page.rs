//! A page that a search found: it is read only as a call of `fetch` could, with nobody asked. Of the call that
//! searched it gets nothing, so what that call could carry out was weighed with the call itself.

use super::Caller;
use super::consent;
use super::pace::Paced;
use super::permit::{for_hooks, kept_by_a_skill};
use crate::error::Result;
use crate::network;
use crate::outbound::Target;
use crate::policy::{PolicyRequest, Ruling, Subject};
use agent::hooks;
use agent::tools::{ResolvedCall, find};
use protocol::agent::HookEvent;
use protocol::model::ToolCall;
use serde_json::json;

/// The tool by whose rules pages are read.
const READING: &str = "fetch";

impl Caller<'_> {
    /// Counts a page like a call of `fetch`, or says in words when the next one may be read.
    pub(crate) fn count_found_page(&self) -> std::result::Result<(), String> {
        self.hub.paces().take(self.owner, Paced::Here(find(READING)), self.hub.moment())
    }

    /// Whether the page may be read for this call, which found it; otherwise why not, in words.
    pub(crate) async fn may_read_found(
        &self,
        call: &ResolvedCall,
        target: &Target,
    ) -> Result<std::result::Result<(), String>> {
        let reading = reading(call, target);
        let network = self.hub.networks().of_agent(self.root).await?;
        if let Err(why) = network::permit(&network, target) {
            return Ok(Err(why));
        }
        let event = HookEvent::PreToolUse;
        let verdict = hooks::evaluate(&self.spec.hooks, event, Some(reading.name()), &for_hooks(&reading));
        if let Some(reason) = verdict.denied {
            return Ok(Err(format!("Not allowed: {reason}")));
        }
        if let Some(why) = kept_by_a_skill(self, &reading, Some(target)).await? {
            return Ok(Err(why));
        }
        let about = match Subject::of(&reading) {
            Ok(about) => about,
            Err(error) => return Ok(Err(error.to_string())),
        };
        let asked = PolicyRequest { leaks: false, ..consent::asked(self, &reading, &about).await? };
        Ok(match self.hub.policies().ruling(self.owner, self.agent, &asked).await? {
            Ruling::Allow { .. } => Ok(()),
            Ruling::Deny { why, .. } => Err(why),
            Ruling::Ask(_) => {
                Err("Your person would have to be asked. Call fetch for it if it is right.".to_owned())
            }
        })
    }
}

/// The call that reads it.
fn reading(call: &ResolvedCall, target: &Target) -> ResolvedCall {
    let input = json!({ "url": target.url().as_str() });
    ResolvedCall::of(ToolCall { id: call.id().clone(), name: READING.to_owned(), input })
}
