//! A place that a command reaches, past every tool: only one that a call of `fetch` could reach with nobody asked. What
//! the command may carry there was weighed with the command itself.

use super::caller::Beginner;
use super::permit::for_hooks;
use crate::agents::hooks_of;
use crate::error::Result;
use crate::network;
use crate::outbound::Target;
use crate::policy::{PolicyRequest, Ruling, Subject};
use agent::hooks;
use agent::tools::{PageTier, ResolvedCall};
use protocol::agent::HookEvent;
use protocol::model::ToolCall;
use serde_json::json;

/// The tool by whose rules places are reached.
const READING: &str = "fetch";

/// Whether anybody but the server sees more of an address than host and port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sealed {
    Yes,
    No,
}

impl Beginner {
    /// Whether a command may connect to it now; otherwise why not, in words.
    pub(crate) async fn may_connect(
        &self,
        target: &Target,
        sealed: Sealed,
    ) -> Result<std::result::Result<(), String>> {
        let network = self.hub.networks().of_commands(&self.root).await?;
        if let Err(why) = network::permit(&network, target) {
            return Ok(Err(why));
        }
        let input = json!({ "url": target.url().as_str() });
        let call = ResolvedCall::of(ToolCall { id: "".into(), name: READING.to_owned(), input });
        let hooks = hooks_of(self.hub.store(), &self.agent).await?;
        let event = HookEvent::PreToolUse;
        if let Some(reason) = hooks::evaluate(&hooks, event, Some(READING), &for_hooks(&call)).denied {
            return Ok(Err(format!("Not allowed: {reason}")));
        }
        if let Some(run) = &self.run
            && let Some(why) = self.hub.skills().against(run, &call, Some(target)).await?
        {
            return Ok(Err(why));
        }
        let about = match sealed {
            Sealed::Yes => Subject::of_sealed(&call),
            Sealed::No => Subject::of(&call),
        };
        let about = match about {
            Ok(about) => about,
            Err(error) => return Ok(Err(error.to_string())),
        };
        let asked = PolicyRequest {
            tool: READING,
            about: &about,
            asker: self.asker,
            run: self.run.as_ref(),
            risk: call.risk(),
            page: PageTier::Immediate,
            writes: false,
            leaks: false,
            denials: 0,
            once: false,
            strangers: false,
        };
        let rules = self.hub.policies().rules_of(&self.owner, &self.agent).await?;
        Ok(match rules.ruling(&asked) {
            Ruling::Allow { .. } => Ok(()),
            Ruling::Deny { why, .. } => Err(why),
            Ruling::Ask(_) => {
                Err("A rule says that your person is asked before this place is reached, and nobody is \
                                   asked in the middle of a command."
                    .to_owned())
            }
        })
    }
}
