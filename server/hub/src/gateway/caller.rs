//! In whose name a tool is called, and what every tool may know of that. The gateway makes no
//! difference between callers but where it asks [`Caller::by`].

use crate::Hub;
use crate::ledger::Slot;
use crate::live::{TabKey, TabLink};
use crate::log::EntryScope;
use crate::mcp_servers::PageOwner;
use crate::runs::{Definition, Execution};
use crate::web_search::Payer;
use agent::tools::ResolvedCall;
use protocol::agent::Home;
use protocol::approval::Asker;
use protocol::run::RunSpec;
use protocol::{AgentId, ConversationId, RunId, UserId};

pub(crate) struct Caller<'a> {
    pub(crate) hub: &'a Hub,
    pub(crate) owner: &'a UserId,
    pub(crate) agent: &'a AgentId,
    /// The agent at the top: of a sub-agent the one whose files, tools, rules and money it has, else itself.
    pub(crate) root: &'a AgentId,
    pub(crate) conversation: &'a ConversationId,
    pub(crate) spec: &'a RunSpec,
    pub(crate) home: Home,
    /// The tab that drives the run, or whose page calls.
    pub(crate) tab: Option<TabKey>,
    pub(crate) reads: ReadAs,
    /// The MCP server whose page calls. It has that server's tools, and no others.
    pub(crate) page_of: Option<PageOwner>,
    pub(super) by: CallOrigin<'a>,
}

/// As what a call of `read` is given a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReadAs {
    /// By its lines.
    Text,
    /// As an address, from which the person's browser takes it.
    Address,
}

/// In whose name what a call began goes on when the call is over.
#[derive(Clone)]
pub(crate) struct Beginner {
    pub(crate) hub: Hub,
    pub(crate) owner: UserId,
    pub(crate) agent: AgentId,
    /// The agent at the top, as [`Caller::root`].
    pub(crate) root: AgentId,
    pub(crate) conversation: ConversationId,
    pub(super) asker: Asker,
    pub(super) run: Option<RunId>,
}

#[derive(Clone, Copy)]
pub(super) enum CallOrigin<'a> {
    /// The model, in a turn of this run.
    Model { execution: &'a Execution, turn: u32 },
    /// The agent's page, in this tab.
    Page { tab: &'a TabLink },
}

impl<'a> Caller<'a> {
    pub(crate) fn model(execution: &'a Execution, turn: u32) -> Self {
        Self {
            hub: execution.hub(),
            owner: &execution.owner,
            agent: &execution.agent,
            root: &execution.root,
            conversation: execution.conversation(),
            spec: &execution.spec,
            home: execution.home(),
            tab: execution.driving_tab(),
            reads: ReadAs::Text,
            page_of: None,
            by: CallOrigin::Model { execution, turn },
        }
    }

    pub(super) fn page(
        hub: &'a Hub,
        agent: &'a AgentId,
        definition: &'a Definition,
        tab: &'a TabLink,
        reads: ReadAs,
    ) -> Self {
        Self {
            hub,
            owner: &definition.owner,
            agent,
            root: &definition.root,
            conversation: &definition.conversation,
            spec: &definition.spec,
            home: definition.home,
            tab: Some(tab.key),
            reads,
            page_of: None,
            by: CallOrigin::Page { tab },
        }
    }

    pub(crate) fn beginner(&self) -> Beginner {
        Beginner {
            hub: self.hub.clone(),
            owner: self.owner.clone(),
            agent: self.agent.clone(),
            root: self.root.clone(),
            conversation: self.conversation.clone(),
            asker: self.asker(),
            run: self.run().cloned(),
        }
    }

    /// The run that the call belongs to, if any.
    pub(crate) fn run(&self) -> Option<&'a RunId> {
        match self.by {
            CallOrigin::Model { execution, .. } => Some(&execution.run),
            CallOrigin::Page { .. } => None,
        }
    }

    /// Who pays for a search that costs, which this call makes. `None`: no run does.
    pub(crate) fn payer(&self, call: &ResolvedCall) -> Option<Payer> {
        match self.by {
            CallOrigin::Model { execution, turn } => Some(Payer {
                asker: execution.asker(),
                spender: execution.spender(Slot::Search),
                place: execution.place(),
                turn,
                call: call.asked().id.clone(),
            }),
            CallOrigin::Page { .. } => None,
        }
    }

    /// The turn of that run.
    pub(crate) fn turn(&self) -> Option<u32> {
        match self.by {
            CallOrigin::Model { turn, .. } => Some(turn),
            CallOrigin::Page { .. } => None,
        }
    }

    pub(crate) fn asker(&self) -> Asker {
        match self.by {
            CallOrigin::Model { .. } => Asker::Model,
            CallOrigin::Page { .. } => Asker::Page,
        }
    }

    /// Returns when nobody waits for the answer any more: the tab of a page is gone. A run waits wherever
    /// its driver is.
    pub(crate) async fn gave_up(&self) {
        match self.by {
            CallOrigin::Model { .. } => std::future::pending().await,
            CallOrigin::Page { tab } => tab.calls.gone().await,
        }
    }

    /// Where entries about the call belong.
    pub(crate) fn place(&self) -> EntryScope {
        match self.by {
            CallOrigin::Model { execution, .. } => execution.place(),
            CallOrigin::Page { .. } => {
                EntryScope { agent: self.agent.clone(), conversation: None, run: None }
            }
        }
    }
}
