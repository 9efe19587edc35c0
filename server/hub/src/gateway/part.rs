//! A call that does several things: each of them goes as far as a call for it alone could. What the person was asked
//! about as a whole they have agreed to.

use super::Caller;
use super::consent;
use super::permit::{beyond_mounts, for_hooks, kept_by_a_skill};
use crate::error::{Error, Result};
use crate::policy::{Ruling, Subject};
use crate::store::query;
use agent::hooks;
use agent::tools::ResolvedCall;
use protocol::agent::HookEvent;
use protocol::approval::ApprovalReason;

impl Caller<'_> {
    /// Why this part of the call is not done, in words. None: it may be.
    pub(crate) async fn refuse_part(
        &self,
        whole: &ResolvedCall,
        part: &ResolvedCall,
    ) -> Result<Option<String>> {
        if !self.spec.given().any(|tool| tool.name == part.name()) {
            return Ok(Some(format!("There is no tool {} here, which does that.", part.name())));
        }
        let event = HookEvent::PreToolUse;
        let verdict = hooks::evaluate(&self.spec.hooks, event, Some(part.name()), &for_hooks(part));
        if let Some(reason) = verdict.denied {
            return Ok(Some(format!("Not allowed: {reason}")));
        }
        let subject = |call: &ResolvedCall| Subject::of(call).map_err(Error::internal);
        let (about, about_whole) = (subject(part)?, subject(whole)?);
        if let Some(why) = kept_by_a_skill(self, part, about.target()).await? {
            return Ok(Some(why));
        }
        if let Some(why) = beyond_mounts(self, part).await? {
            return Ok(Some(why));
        }
        let asked = consent::asked(self, part, &about).await?;
        let asked_whole = consent::asked(self, whole, &about_whole).await?;
        let rules = self.hub.policies().rules_of(self.owner, self.agent).await?;
        // A rule may have said yes to the whole by what it names first, and nobody was asked.
        let was_asked = self.was_asked(whole).await?;
        Ok(match rules.ruling(&asked) {
            Ruling::Deny { why, .. } => Some(why),
            Ruling::Ask(ApprovalReason::Rule) if !was_asked || rules.ask_of_one(&asked, &asked_whole) => {
                Some("Your person would have to be asked. Do that by a call of its own.".to_owned())
            }
            Ruling::Ask(_) | Ruling::Allow { .. } => None,
        })
    }

    /// Whether its person said yes to this very call.
    async fn was_asked(&self, call: &ResolvedCall) -> Result<bool> {
        let (Some(run), Some(turn)) = (self.run(), self.turn()) else { return Ok(false) };
        query(
            "SELECT 1 FROM approvals WHERE run_id = $1 AND turn = $2 AND call_id = $3 AND taken_at IS NOT NULL",
            (run, turn, call.id()),
        )
        .exists(self.hub.store().read())
        .await
    }
}
