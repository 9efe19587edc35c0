//! What a call that lists all keys shows of each: no more than one that names it could read with nobody asked.

use super::{Beginner, Caller};
use crate::agents::Mounts;
use crate::error::{Error, Result};
use crate::policy::{PolicyRequest, Ruling, Subject};
use agent::tools::{PageTier, ResolvedCall};
use protocol::RunId;
use protocol::approval::{ApprovalReason, Asker};
use protocol::model::ToolCall;
use serde_json::{Value, json};
use std::collections::BTreeMap;

impl Caller<'_> {
    /// Without the keys that a rule denies, or asks about by themselves.
    pub(crate) async fn listed(
        &self,
        call: &ResolvedCall,
        all: BTreeMap<String, Value>,
    ) -> Result<BTreeMap<String, Value>> {
        let rules = self.hub.policies().rules_of(self.owner, self.agent).await?;
        let subject = |call: &ResolvedCall| Subject::of(call).map_err(Error::internal);
        let whole = subject(call)?;
        let asked = self.reading(call, &whole);
        let mut shown = BTreeMap::new();
        for (key, value) in all {
            let input = json!({ "action": "get", "key": key });
            let one = subject(&call.with_input(input))?;
            let naming = PolicyRequest { about: &one, ..asked };
            let is_shown = match rules.ruling(&naming) {
                Ruling::Deny { .. } => false,
                // What the person was asked about as a whole they have agreed to.
                Ruling::Ask(ApprovalReason::Rule) => !rules.ask_of_one(&naming, &asked),
                Ruling::Ask(
                    ApprovalReason::Risk
                    | ApprovalReason::Page
                    | ApprovalReason::WayOut
                    | ApprovalReason::Denials
                    | ApprovalReason::Question
                    | ApprovalReason::Unknown,
                )
                | Ruling::Allow { .. } => true,
            };
            if is_shown {
                shown.insert(key, value);
            }
        }
        Ok(shown)
    }

    /// Those of the things, each with its path, that a call of `read` could read with nobody asked, and no skill of the
    /// run keeps from it.
    pub(crate) async fn readable<T>(&self, things: Vec<T>, path: impl Fn(&T) -> &str) -> Result<Vec<T>> {
        self.beginner().permitted("read", things, |thing| path(thing).to_owned()).await
    }

    fn reading<'c>(&'c self, call: &'c ResolvedCall, about: &'c Subject) -> PolicyRequest<'c> {
        reading(self.asker(), self.run(), call, about)
    }
}

impl Beginner {
    /// Those of the things, each with its path, that a call of `write` could write with nobody asked, and no skill of the
    /// run keeps from it.
    pub(crate) async fn writable<T>(&self, things: Vec<T>, path: impl Fn(&T) -> String) -> Result<Vec<T>> {
        self.permitted("write", things, path).await
    }

    async fn permitted<T>(&self, tool: &str, things: Vec<T>, path: impl Fn(&T) -> String) -> Result<Vec<T>> {
        let rules = self.hub.policies().rules_of(&self.owner, &self.agent).await?;
        let loaded = match &self.run {
            Some(run) => self.hub.skills().narrowing(run).await?,
            None => Vec::new(),
        };
        let mounts = match self.agent == self.root {
            true => Mounts::default(),
            false => Mounts::of_agent(self.hub.store(), &self.agent).await?,
        };
        let mut permitted = Vec::new();
        for thing in things {
            let path = path(&thing);
            if !mounts.leaves(&path) || loaded.iter().any(|narrowing| !narrowing.leaves(&path)) {
                continue;
            }
            let input = json!({ "path": path });
            let call = ResolvedCall::of(ToolCall { id: tool.into(), name: tool.to_owned(), input });
            let subject = Subject::of(&call).map_err(Error::internal)?;
            match rules.ruling(&reading(self.asker, self.run.as_ref(), &call, &subject)) {
                Ruling::Deny { .. } | Ruling::Ask(ApprovalReason::Rule) => {}
                Ruling::Ask(
                    ApprovalReason::Risk
                    | ApprovalReason::Page
                    | ApprovalReason::WayOut
                    | ApprovalReason::Denials
                    | ApprovalReason::Question
                    | ApprovalReason::Unknown,
                )
                | Ruling::Allow { .. } => permitted.push(thing),
            }
        }
        Ok(permitted)
    }
}

fn reading<'c>(
    asker: Asker,
    run: Option<&'c RunId>,
    call: &'c ResolvedCall,
    about: &'c Subject,
) -> PolicyRequest<'c> {
    PolicyRequest {
        tool: call.name(),
        about,
        asker,
        run,
        risk: call.risk(),
        page: PageTier::Immediate,
        writes: false,
        leaks: false,
        denials: 0,
        once: false,
        strangers: false,
    }
}
