//! Switching tools of a server on and off, one or all.

use super::OwnMcpServers;
use super::rows::{self, ToolRow};
use crate::audit::AuditEvent;
use crate::error::{Error, Result};
use crate::store::Transaction;
use protocol::McpServerId;
use protocol::hub::Noun;
use protocol::view::{AuditAction, McpServerView};

/// Tools of a server that are on at a time.
const MAX_ON: usize = 64;

impl OwnMcpServers<'_> {
    /// Switches a tool on, as it is with this digest, or off.
    pub async fn switch(self, id: &McpServerId, tool: &str, on: bool, digest: &str) -> Result<()> {
        let mut tx = self.scoped.hub.store().write().await?;
        let (server, tools) = self.usable(&mut tx, id).await?;
        let others_on = tools.iter().filter(|other| other.is_on && other.offered.name != tool).count();
        let mut tool =
            tools.into_iter().find(|other| other.offered.name == tool).ok_or(Error::NotFound("tool"))?;
        if !on {
            tool.leave_off();
        } else if let Some(why) = &tool.problem {
            return Err(Error::invalid(format!("It cannot be switched on. {why}")));
        } else if tool.digest != digest {
            return Err(Error::Conflict("The tool is another one by now. Look at it again.".to_owned()));
        } else if others_on >= MAX_ON {
            return Err(Error::Limit(format!("{MAX_ON} tools of a server may be on. Switch one off first.")));
        } else {
            tool.accept();
        }
        self.put(&mut tx, &server, &tool).await?;
        tx.commit().await
    }

    /// Switches on all tools that were looked at, as they are with these digests, or all off. Where one of them is
    /// another one by now, nothing is switched.
    pub async fn switch_all(self, id: &McpServerId, on: bool, digests: &[String]) -> Result<()> {
        let mut tx = self.scoped.hub.store().write().await?;
        let (server, tools) = self.usable(&mut tx, id).await?;
        let is_meant = |tool: &ToolRow| match on {
            true => tool.problem.is_none() && digests.contains(&tool.digest),
            false => tool.is_on || tool.is_new,
        };
        let (mut meant, others): (Vec<ToolRow>, Vec<ToolRow>) = tools.into_iter().partition(is_meant);
        if on && !digests.iter().all(|digest| meant.iter().any(|tool| tool.digest == *digest)) {
            return Err(Error::Conflict("Some tools are others by now. Look at them again.".to_owned()));
        }
        if on && meant.len() + others.iter().filter(|tool| tool.is_on).count() > MAX_ON {
            return Err(Error::Limit(format!(
                "{MAX_ON} tools of a server may be on. Switch those on that you need, one by one."
            )));
        }
        for tool in &mut meant {
            match on {
                true => tool.accept(),
                false => tool.leave_off(),
            }
            self.put(&mut tx, &server, tool).await?;
        }
        tx.commit().await
    }

    async fn usable(self, tx: &mut Transaction, id: &McpServerId) -> Result<(McpServerView, Vec<ToolRow>)> {
        let owner = self.scoped.owner();
        let server = rows::find(&mut **tx, owner, id).await?.ok_or(Error::NotFound("server"))?;
        self.require_use(&server)?;
        let tools = rows::tools(&mut **tx, owner, id).await?;
        Ok((server, tools))
    }

    async fn put(self, tx: &mut Transaction, server: &McpServerView, tool: &ToolRow) -> Result<()> {
        rows::put(tx, &server.id, tool).await?;
        let line = AuditEvent::done(AuditAction::McpToolSwitched, self.scoped.viewer);
        let object = format!("{} {}, {}", tool.called, if tool.is_on { "on" } else { "off" }, server.name);
        self.scoped.hub.audit().note(tx, line.object(&object)).await?;
        tx.changes(&self.scoped.viewer.me.id, Noun::McpServers);
        Ok(())
    }
}
