//! Servers of a person's that are programs: one more, and what one is given.

use super::{address_of, checked_values, find, require_program, sealed_for, values_place};
use crate::audit::AuditEvent;
use crate::error::{Error, Result};
use crate::mcp_servers::{OwnMcpServers, check, new_server, rows};
use crate::vault::Vault;
use protocol::McpServerId;
use protocol::hub::Noun;
use protocol::view::{AuditAction, McpServerView, McpVariable, Right};

impl OwnMcpServers<'_> {
    /// Adds a server that is a program which administrators allow, with what it is given, and asks it which tools it has.
    pub async fn add_program(
        self,
        name: &str,
        program: &str,
        given: &[McpVariable],
    ) -> Result<McpServerView> {
        self.scoped.require(Right::SaveProviders)?;
        let (hub, owner, name) = (self.scoped.hub, self.scoped.owner(), check::name(name)?);
        let mut tx = hub.store().write().await?;
        let program = find(&mut *tx, program).await?.ok_or(Error::NotFound("program"))?;
        let values = checked_values(&program, given)?;
        let server = new_server(name, address_of(&program), values.names());
        self.insert(&mut tx, &server).await?;
        if !values.is_empty() {
            let place = sealed_for(&program);
            let place = values_place(owner, &server.id, &place);
            hub.vault().put(&mut tx, place, &values.seal()?, hub.now()).await?;
        }
        self.note_added(&mut tx, &server).await?;
        tx.commit().await?;
        let _ = self.asked(&server).await;
        self.found(&server.id).await
    }

    /// Gives these to the program that the server is, from now on and nothing else, and asks it once more which tools
    /// it has.
    pub async fn set_values(self, id: &McpServerId, given: &[McpVariable]) -> Result<McpServerView> {
        self.scoped.require(Right::SaveProviders)?;
        let (hub, owner) = (self.scoped.hub, self.scoped.owner());
        let mut tx = hub.store().write().await?;
        let server = rows::find(&mut *tx, owner, id).await?.ok_or(Error::NotFound("server"))?;
        let program = require_program(&server)?;
        if server.lent.is_some() {
            return Err(Error::invalid(
                "What is filled in for a server that is lent is its administrator's to enter.",
            ));
        }
        let program = find(&mut *tx, program).await?.ok_or(Error::NotFound("program"))?;
        let values = checked_values(&program, given)?;
        let server = McpServerView { headers: values.names(), ..server };
        rows::set_headers(&mut tx, owner, &server).await?;
        let place = sealed_for(&program);
        let place = values_place(owner, id, &place);
        Vault::forget_one(&mut tx, place).await?;
        if !values.is_empty() {
            hub.vault().put(&mut tx, place, &values.seal()?, hub.now()).await?;
        }
        let line = AuditEvent::done(AuditAction::McpVariablesSet, self.scoped.viewer);
        hub.audit().note(&mut tx, line.object(&server.name)).await?;
        tx.changes(&self.scoped.viewer.me.id, Noun::McpServers);
        tx.commit().await?;
        hub.0.mcp_servers.processes.end(id);
        let _ = self.asked(&server).await;
        self.found(id).await
    }
}
