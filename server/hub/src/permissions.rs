//! What a person decided about the page of an agent, once and for all. The shell keeps to it, in
//! whichever tab; decisions that hold for one page only never come here.

use crate::access::Scoped;
use crate::audit::AuditEvent;
use crate::error::{Error, Result};
use crate::log::EntryScope;
use crate::marks;
use crate::store::{FromRow, Row, Store, name_of, query};
use protocol::log::EntryBody;
use protocol::view::{AuditAction, PermissionView};
use protocol::{AgentId, Permission};
use serde_json::json;

/// What the pages of the viewer's agents may do outside of their frames.
#[derive(Clone, Copy, Debug)]
pub struct Permissions<'a> {
    scoped: Scoped<'a>,
}

impl<'a> Scoped<'a> {
    pub fn permissions(&self) -> Permissions<'a> {
        Permissions { scoped: *self }
    }
}

/// Decisions about one agent.
const MAX_DECISIONS_PER_AGENT: i64 = 200;
/// Longest host, in characters, a port included.
const HOST: usize = 260;

impl Permissions<'_> {
    /// All decisions about the agent, by what they are about.
    pub async fn list(self, agent: &AgentId) -> Result<Vec<PermissionView>> {
        self.scoped.require_agent(agent).await?;
        permissions_of(self.scoped.hub.store(), agent).await
    }

    /// `host` belongs to a decision about links, and to no other.
    pub async fn set(
        self,
        agent: &AgentId,
        permission: Permission,
        host: Option<&str>,
        allowed: bool,
    ) -> Result<()> {
        let agent_name = self.scoped.agents().get(agent).await?.name;
        check(permission, host)?;
        let mut appending = self.scoped.hub.log().appending().await?;
        let others: i64 = query(
            "SELECT COUNT(*) FROM agent_permissions
             WHERE agent_id = $1 AND NOT (permission = $2 AND host = $3)",
            (agent, permission, host.unwrap_or_default()),
        )
        .fetch_one(&mut *appending.tx)
        .await?;
        if others >= MAX_DECISIONS_PER_AGENT {
            return Err(Error::Limit(format!(
                "There are {MAX_DECISIONS_PER_AGENT} decisions about this agent already. Forget some on its settings page first."
            )));
        }
        query(
            "INSERT INTO agent_permissions (agent_id, permission, host, allowed, decided_at)
             VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (agent_id, permission, host) DO UPDATE
             SET allowed = excluded.allowed, decided_at = excluded.decided_at",
            (agent, permission, host.unwrap_or_default(), allowed, self.scoped.hub.now()),
        )
        .execute(&mut *appending.tx)
        .await?;
        appending.append(&place(agent), entry(permission, host, Some(allowed))).await?;
        let decided = if allowed { "always" } else { "never" };
        let line = AuditEvent::done(AuditAction::PermissionSet, self.scoped.viewer);
        let object = format!("{} {decided}", in_words(&agent_name, permission, host)?);
        self.scoped.hub.audit().note(&mut appending.tx, line.object(&object)).await?;
        self.scoped.hub.log().commit(appending).await?;
        Ok(())
    }

    /// Whether a lasting yes to the host of this link is one to its whole address. Once strangers' words are
    /// in the conversation, the rest of an address may carry out what the page knows because they said so:
    /// then only what the person wrote themselves is covered.
    pub async fn covers_link(self, agent: &AgentId, url: &str) -> Result<bool> {
        self.scoped.require_agent(agent).await?;
        if is_bare_host(url) {
            return Ok(true);
        }
        let conversation = self.scoped.hub.conversations().current(agent).await?;
        let mut connection = self.scoped.hub.store().reader().await?;
        if !marks::of(&mut connection, agent).await?.untrusted {
            return Ok(true);
        }
        marks::was_written_by_the_person(&mut connection, &conversation, &json!({ "url": url })).await
    }

    /// The person will be asked again.
    pub async fn forget(self, agent: &AgentId, permission: Permission, host: Option<&str>) -> Result<()> {
        let agent_name = self.scoped.agents().get(agent).await?.name;
        let mut appending = self.scoped.hub.log().appending().await?;
        let gone = query(
            "DELETE FROM agent_permissions WHERE agent_id = $1 AND permission = $2 AND host = $3",
            (agent, permission, host.unwrap_or_default()),
        )
        .execute(&mut *appending.tx)
        .await?;
        if gone == 0 {
            return Ok(());
        }
        appending.append(&place(agent), entry(permission, host, None)).await?;
        let line = AuditEvent::done(AuditAction::PermissionForgotten, self.scoped.viewer);
        self.scoped
            .hub
            .audit()
            .note(&mut appending.tx, line.object(&in_words(&agent_name, permission, host)?))
            .await?;
        self.scoped.hub.log().commit(appending).await?;
        Ok(())
    }
}

pub(crate) async fn permissions_of(store: &Store, agent: &AgentId) -> Result<Vec<PermissionView>> {
    query(
        "SELECT permission, host, allowed, decided_at FROM agent_permissions
         WHERE agent_id = $1 ORDER BY permission, host",
        (agent,),
    )
    .fetch_all(store.read())
    .await
}

/// For the audit.
fn in_words(agent: &str, permission: Permission, host: Option<&str>) -> Result<String> {
    let host = host.map(|host| format!(" to {host}")).unwrap_or_default();
    Ok(format!("{agent}: {}{host}", name_of(&permission)?))
}

impl FromRow for PermissionView {
    fn from_row(row: &Row) -> Result<Self> {
        let host: String = row.get("host")?;
        Ok(Self {
            permission: row.get("permission")?,
            host: (!host.is_empty()).then_some(host),
            allowed: row.get("allowed")?,
            decided_at: row.get("decided_at")?,
        })
    }
}

fn check(permission: Permission, host: Option<&str>) -> Result<()> {
    match (permission, host) {
        (Permission::Links, Some(host)) if is_host(host) => Ok(()),
        (Permission::Links, _) => {
            Err(Error::invalid("A decision about links names one host, example.org for instance."))
        }
        (
            Permission::Camera
            | Permission::Microphone
            | Permission::Screen
            | Permission::Location
            | Permission::Listen
            | Permission::Notifications
            | Permission::View,
            host,
        ) => match host {
            None => Ok(()),
            Some(_) => Err(Error::invalid("Only a decision about links names a host.")),
        },
    }
}

/// An address that says nothing but where it leads.
fn is_bare_host(url: &str) -> bool {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split_once('/').is_none_or(|(_, path)| path.is_empty()) && !rest.contains(['?', '#', '\\', '@'])
}

/// As browsers write one: lower case, international names in ASCII, the port if it is not the usual.
fn is_host(host: &str) -> bool {
    let is_known = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-._:[]".contains(c);
    (1..=HOST).contains(&host.len()) && host.chars().all(is_known)
}

fn entry(permission: Permission, host: Option<&str>, allowed: Option<bool>) -> EntryBody {
    EntryBody::Permission { permission, host: host.map(str::to_owned), allowed }
}

fn place(agent: &AgentId) -> EntryScope {
    EntryScope { agent: agent.clone(), conversation: None, run: None }
}
