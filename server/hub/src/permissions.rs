//! What a person decided about the page of an agent, once and for all. The shell keeps to it, in
//! whichever tab; decisions that hold for one page only never come here.

use crate::access::Scoped;
use crate::audit::Line;
use crate::error::{Error, Result};
use crate::log::Place;
use crate::store::{Row, Store};
use protocol::log::EntryBody;
use protocol::view::{AuditAction, PermissionView};
use protocol::{AgentId, Permission};
use serde_json::Value;
use sqlx::Row as _;

/// Decisions about one agent.
const MOST: i64 = 200;
/// Longest host, in characters, a port included.
const HOST: usize = 260;

impl Scoped<'_> {
    /// All decisions about the agent, by what they are about.
    pub async fn permissions(&self, agent: &AgentId) -> Result<Vec<PermissionView>> {
        self.require_agent(agent).await?;
        permissions_of(&self.hub.store, agent).await
    }

    /// `host` belongs to a decision about links, and to no other.
    pub async fn set_permission(
        &self,
        agent: &AgentId,
        permission: Permission,
        host: Option<&str>,
        allowed: bool,
    ) -> Result<()> {
        let agent_name = self.agent(agent).await?.name;
        check(permission, host)?;
        let mut appending = self.hub.appending().await?;
        let others = sqlx::query(
            "SELECT COUNT(*) FROM agent_permissions
             WHERE agent_id = $1 AND NOT (permission = $2 AND host = $3)",
        )
        .bind(&agent.0)
        .bind(name(permission))
        .bind(host.unwrap_or_default())
        .fetch_one(&mut *appending.tx)
        .await?;
        if others.try_get::<i64, _>(0)? >= MOST {
            return Err(Error::Limit(format!(
                "There are {MOST} decisions about this agent already. Forget some on its settings page first."
            )));
        }
        sqlx::query(
            "INSERT INTO agent_permissions (agent_id, permission, host, allowed, decided_at)
             VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (agent_id, permission, host) DO UPDATE
             SET allowed = excluded.allowed, decided_at = excluded.decided_at",
        )
        .bind(&agent.0)
        .bind(name(permission))
        .bind(host.unwrap_or_default())
        .bind(i64::from(allowed))
        .bind(self.hub.now())
        .execute(&mut *appending.tx)
        .await?;
        appending.append(&place(agent), entry(permission, host, Some(allowed))).await?;
        let decided = if allowed { "always" } else { "never" };
        let line = Line::done(AuditAction::PermissionSet, self.viewer);
        let object = format!("{} {decided}", in_words(&agent_name, permission, host));
        self.hub.note(&mut appending.tx, line.object(&object)).await?;
        self.hub.commit(appending).await?;
        Ok(())
    }

    /// The person will be asked again.
    pub async fn forget_permission(
        &self,
        agent: &AgentId,
        permission: Permission,
        host: Option<&str>,
    ) -> Result<()> {
        let agent_name = self.agent(agent).await?.name;
        let mut appending = self.hub.appending().await?;
        let gone = sqlx::query(
            "DELETE FROM agent_permissions WHERE agent_id = $1 AND permission = $2 AND host = $3",
        )
        .bind(&agent.0)
        .bind(name(permission))
        .bind(host.unwrap_or_default())
        .execute(&mut *appending.tx)
        .await?;
        if gone.rows_affected() == 0 {
            return Ok(());
        }
        appending.append(&place(agent), entry(permission, host, None)).await?;
        let line = Line::done(AuditAction::PermissionForgotten, self.viewer);
        self.hub.note(&mut appending.tx, line.object(&in_words(&agent_name, permission, host))).await?;
        self.hub.commit(appending).await?;
        Ok(())
    }
}

pub(crate) async fn permissions_of(store: &Store, agent: &AgentId) -> Result<Vec<PermissionView>> {
    let rows = sqlx::query(
        "SELECT permission, host, allowed, decided_at FROM agent_permissions
         WHERE agent_id = $1 ORDER BY permission, host",
    )
    .bind(&agent.0)
    .fetch_all(store.read())
    .await?;
    rows.iter().map(view).collect()
}

/// For the audit.
fn in_words(agent: &str, permission: Permission, host: Option<&str>) -> String {
    let host = host.map(|host| format!(" to {host}")).unwrap_or_default();
    format!("{agent}: {}{host}", name(permission))
}

fn view(row: &Row) -> Result<PermissionView> {
    let host: String = row.try_get("host")?;
    Ok(PermissionView {
        permission: named(&row.try_get::<String, _>("permission")?)?,
        host: (!host.is_empty()).then_some(host),
        allowed: row.try_get::<i64, _>("allowed")? != 0,
        decided_at: row.try_get("decided_at")?,
    })
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

/// As browsers write one: lower case, international names in ASCII, the port if it is not the usual.
fn is_host(host: &str) -> bool {
    let is_known = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-._:[]".contains(c);
    (1..=HOST).contains(&host.len()) && host.chars().all(is_known)
}

fn entry(permission: Permission, host: Option<&str>, allowed: Option<bool>) -> EntryBody {
    EntryBody::Permission { permission, host: host.map(str::to_owned), allowed }
}

fn place(agent: &AgentId) -> Place {
    Place { agent: agent.clone(), conversation: None, run: None }
}

fn name(permission: Permission) -> &'static str {
    match permission {
        Permission::Camera => "camera",
        Permission::Microphone => "microphone",
        Permission::Screen => "screen",
        Permission::Location => "location",
        Permission::Listen => "listen",
        Permission::Notifications => "notifications",
        Permission::View => "view",
        Permission::Links => "links",
    }
}

fn named(name: &str) -> Result<Permission> {
    Ok(serde_json::from_value(Value::from(name))?)
}
