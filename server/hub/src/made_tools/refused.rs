//! What people wrote into the form of a tool and the hub did not take, for a page without script, which brings it back
//! into the form: the last one of each person, for a few minutes.

use super::{OwnMadeTools, WrittenTool};
use crate::error::Result;
use protocol::view::RefusedTool;
use protocol::{AgentId, UserId};
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// People whose text is kept, and bytes of one.
const PEOPLE: usize = 50;
const BYTES: usize = 128 * 1024;
const KEPT_MS: i64 = 10 * 60 * 1000;

#[derive(Default)]
pub(crate) struct InMemory(Mutex<VecDeque<Refused>>);

struct Refused {
    person: UserId,
    agent: AgentId,
    /// Until when, Unix milliseconds.
    until: i64,
    tool: RefusedTool,
}

impl InMemory {
    fn lock(&self) -> MutexGuard<'_, VecDeque<Refused>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn forget(&self, person: &UserId) {
        self.lock().retain(|refused| refused.person != *person);
    }
}

impl OwnMadeTools<'_> {
    /// Keeps what [`Self::write`] refused, if it is not too much.
    pub fn keep_refused(self, agent: &AgentId, written: WrittenTool) {
        let WrittenTool { name, description, input_schema, code, page, reads, writes } = written;
        let bytes: usize = [&agent.0, &name, &description, &input_schema, &code, &reads, &writes]
            .map(String::len)
            .iter()
            .sum();
        let hub = self.scoped.hub;
        let person = self.scoped.viewer.me.id.clone();
        let refused = &hub.0.refused_tools;
        refused.forget(&person);
        if bytes > BYTES {
            return;
        }
        let tool = RefusedTool { name, description, input_schema, code, page, reads, writes };
        let until = hub.now().saturating_add(KEPT_MS);
        let mut all = refused.lock();
        all.push_back(Refused { person, agent: agent.clone(), until, tool });
        if all.len() > PEOPLE {
            all.pop_front();
        }
    }

    /// What the viewer wrote for this agent last, if that was refused a moment ago.
    pub async fn refused(self, agent: &AgentId) -> Result<Option<RefusedTool>> {
        self.scoped.require_agent(agent).await?;
        let (hub, person) = (self.scoped.hub, &self.scoped.viewer.me.id);
        let now = hub.now();
        let mut all = hub.0.refused_tools.lock();
        all.retain(|refused| refused.until > now);
        let found = all.iter().find(|refused| refused.person == *person && refused.agent == *agent);
        Ok(found.map(|refused| refused.tool.clone()))
    }

    /// Their next one was taken.
    pub(super) fn forget_refused(self) {
        self.scoped.hub.0.refused_tools.forget(&self.scoped.viewer.me.id);
    }
}
