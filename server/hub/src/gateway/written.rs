//! `flo.state` as pages and scripts write it, past the tool. What forbids the tool forbids this as well; nobody
//! is asked, because a page writes with every key that the person presses.

use super::Caller;
use super::caller::CallOrigin;
use super::permit::for_hooks;
use crate::agents::hooks_of;
use crate::error::Result;
use crate::gateway::Gateway;
use crate::live::TabLink;
use crate::policy::{PolicyRequest, Rules, Subject};
use agent::hooks;
use agent::tools::{PageTier, ResolvedCall};
use protocol::agent::{Hook, HookEvent};
use protocol::approval::Asker;
use protocol::model::ToolCall;
use protocol::{AgentId, RunId, UserId};
use serde_json::{Value, json};

/// The tool that does the same.
const TOOL: &str = "state";

/// Who writes, and what speaks of that.
struct Writer<'a> {
    hooks: &'a [Hook],
    rules: &'a Rules,
    asker: Asker,
    run: Option<&'a RunId>,
    denials: u32,
}

impl Writer<'_> {
    fn refuses(&self, key: &str, value: &Value) -> Option<String> {
        let input = match value {
            Value::Null => json!({ "action": "delete", "key": key }),
            value => json!({ "action": "set", "key": key, "value": value }),
        };
        let call = ResolvedCall::of(ToolCall { id: "".into(), name: TOOL.to_owned(), input });
        let verdict = hooks::evaluate(self.hooks, HookEvent::PreToolUse, Some(TOOL), &for_hooks(&call));
        if let Some(reason) = verdict.denied {
            return Some(format!("Not allowed: {reason}"));
        }
        let about = match Subject::of(&call) {
            Ok(about) => about,
            Err(error) => return Some(error.to_string()),
        };
        let denied = self.rules.deny(&PolicyRequest {
            tool: TOOL,
            about: &about,
            asker: self.asker,
            run: self.run,
            risk: call.risk(),
            page: PageTier::Immediate,
            writes: true,
            leaks: false,
            denials: self.denials,
            once: false,
            strangers: false,
        });
        denied.map(|(_, why)| why)
    }
}

impl Caller<'_> {
    /// Why what a script of this call set may not be kept. It ran as the page does, whoever called it.
    pub(crate) async fn refuses_state<'s>(
        &self,
        set: impl IntoIterator<Item = (&'s String, &'s Value)>,
    ) -> Result<Option<String>> {
        let mut set = set.into_iter().peekable();
        if set.peek().is_none() {
            return Ok(None);
        }
        let rules = self.hub.policies().rules_of(self.owner, self.agent).await?;
        let denials = super::consent::denials(self).await?;
        let writer =
            |asker| Writer { hooks: &self.spec.hooks, rules: &rules, asker, run: self.run(), denials };
        let writers = match self.by {
            CallOrigin::Model { .. } => vec![writer(Asker::Model), writer(Asker::Page)],
            CallOrigin::Page { .. } => vec![writer(Asker::Page)],
        };
        Ok(set.find_map(|(key, value)| writers.iter().find_map(|writer| writer.refuses(key, value))))
    }
}

impl Gateway<'_> {
    /// Why the page in this tab may not write its state.
    pub(crate) async fn refuses_state_of_page(
        self,
        owner: &UserId,
        agent: &AgentId,
        tab: &TabLink,
        (key, value): (&str, &Value),
    ) -> Result<Option<String>> {
        let hooks = hooks_of(self.hub.store(), agent).await?;
        let rules = self.hub.policies().rules_of(owner, agent).await?;
        let denials = tab.calls.denials(agent);
        let writer = Writer { hooks: &hooks, rules: &rules, asker: Asker::Page, run: None, denials };
        Ok(writer.refuses(key, value))
    }
}
