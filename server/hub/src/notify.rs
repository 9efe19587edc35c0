//! Calling for a person who is elsewhere: the one place from which that is done, whatever waits for them.

use crate::Hub;
use protocol::{AgentId, UserId};

impl Hub {
    /// Something of this agent's goes on only where the person is. It is in the log by now, so whatever
    /// they have open says so; who has nothing open is not reached yet.
    pub(crate) fn notify_person(&self, person: &UserId, agent: &AgentId) {
        tracing::info!(user.id = %person, agent.id = %agent, "agent {agent} waits for its person");
    }
}
