//! What a call that lists all keys shows of each: no more than one that names it could read with nobody asked.

use super::Caller;
use crate::error::Result;
use crate::policy::{Asked, Ruling, Subject};
use agent::tools::{PageTier, Risk, find};
use protocol::approval::WhyAsked;
use protocol::model::ToolCall;
use serde_json::{Value, json};
use std::collections::BTreeMap;

impl Caller<'_> {
    /// Without the keys that a rule denies, or asks about by themselves.
    pub(crate) async fn listed(
        &self,
        call: &ToolCall,
        mut all: BTreeMap<String, Value>,
    ) -> Result<BTreeMap<String, Value>> {
        let rules = self.hub.rules_of(self.owner, self.agent).await?;
        let tool = find(&call.name);
        let whole = Subject::of(tool, call);
        let asked = self.reading(call, &whole);
        all.retain(|key, _| {
            let input = json!({ "action": "get", "key": key });
            let one = Subject::of(tool, &ToolCall { input, ..call.clone() });
            let naming = Asked { about: &one, ..asked };
            match rules.ruling(&naming) {
                Ruling::Deny { .. } => false,
                // What the person was asked about as a whole they have agreed to.
                Ruling::Ask(WhyAsked::Rule) => !rules.ask_of_one(&naming, &asked),
                Ruling::Ask(WhyAsked::Risk | WhyAsked::Page | WhyAsked::WayOut | WhyAsked::Denials)
                | Ruling::Allow { .. } => true,
            }
        });
        Ok(all)
    }

    fn reading<'c>(&'c self, call: &'c ToolCall, about: &'c Subject) -> Asked<'c> {
        Asked {
            tool: &call.name,
            about,
            asker: self.asker(),
            run: self.run(),
            risk: find(&call.name).map_or(Risk::None, |tool| tool.risk_of(&call.input)),
            page: PageTier::Immediate,
            writes: false,
            leaks: false,
            denials: 0,
            once: false,
        }
    }
}
