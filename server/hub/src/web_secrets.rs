//! Secrets that an agent sends and never sees: each is kept in the vault under a name, for one server and one header of
//! requests to it. Its person enters it where the agent asks for it, and `fetch` sends it.

mod check;
mod sent;

use crate::Hub;
use crate::access::Scoped;
use crate::audit::AuditEvent;
use crate::error::{Error, Result};
use crate::store::{FromRow, Row, Transaction, query};
use crate::vault::{AssociatedData, Secret, Vault};
pub(crate) use check::{SecretAsked, entered, wanted};
use protocol::AgentId;
use protocol::view::{AuditAction, WebSecretView};
pub(crate) use sent::SentSecret;

/// Secrets of one agent.
const MAX_SECRETS: i64 = 30;

/// Secrets that the viewer's agents send.
#[derive(Clone, Copy, Debug)]
pub struct OwnWebSecrets<'a> {
    scoped: Scoped<'a>,
}

impl<'a> Scoped<'a> {
    pub fn web_secrets(&self) -> OwnWebSecrets<'a> {
        OwnWebSecrets { scoped: *self }
    }
}

/// Secrets that agents send.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WebSecrets<'a> {
    hub: &'a Hub,
}

impl Hub {
    pub(crate) fn web_secrets(&self) -> WebSecrets<'_> {
        WebSecrets { hub: self }
    }
}

/// Where one is kept, and how it is sent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SecretPlace<'a> {
    pub(crate) name: &'a str,
    pub(crate) place: &'a str,
    pub(crate) header: &'a str,
    pub(crate) scheme: Option<&'a str>,
}

impl OwnWebSecrets<'_> {
    /// What the agent has, by name. No more of them is known to anybody.
    pub async fn list(self, agent: &AgentId) -> Result<Vec<WebSecretView>> {
        self.scoped.agents().get(agent).await?;
        self.scoped.hub.web_secrets().of_agent(self.scoped.owner(), agent).await
    }

    /// From its next request on the agent does not have it any more.
    pub async fn forget(self, agent: &AgentId, name: &str) -> Result<()> {
        let agent_name = self.scoped.agents().get(agent).await?.name;
        let (kept_as, purpose) = (kept_as(name), purpose(agent));
        let mut tx = self.scoped.hub.store().write().await?;
        let place =
            AssociatedData { user: self.scoped.owner(), provider: &kept_as, purpose: &purpose, server: None };
        Vault::forget_one(&mut tx, place).await?;
        let line = AuditEvent::done(AuditAction::WebSecretForgotten, self.scoped.viewer);
        self.scoped.hub.audit().note(&mut tx, line.object(&format!("{agent_name}: {name}"))).await?;
        tx.commit().await?;
        Ok(())
    }
}

impl WebSecrets<'_> {
    pub(crate) async fn of_agent(self, owner: &str, agent: &AgentId) -> Result<Vec<WebSecretView>> {
        query(
            "SELECT provider_id, server, created_at FROM secrets
             WHERE user_id = $1 AND purpose = $2 ORDER BY provider_id",
            (owner, purpose(agent)),
        )
        .fetch_all(self.hub.store().read())
        .await
    }

    /// Keeps it, in place of the one of this name.
    pub(crate) async fn keep(
        self,
        tx: &mut Transaction,
        owner: &str,
        agent: &AgentId,
        at: SecretPlace<'_>,
        secret: &Secret,
    ) -> Result<()> {
        let (kept_as, purpose) = (kept_as(at.name), purpose(agent));
        let others: i64 = query(
            "SELECT COUNT(*) FROM secrets WHERE user_id = $1 AND purpose = $2 AND provider_id <> $3",
            (owner, &purpose, &kept_as),
        )
        .fetch_one(&mut **tx)
        .await?;
        if others >= MAX_SECRETS {
            return Err(Error::Limit(format!(
                "This agent has {MAX_SECRETS} secrets already. Forget some on its settings page first."
            )));
        }
        let place =
            AssociatedData { user: owner, provider: &kept_as, purpose: &purpose, server: Some(at.place) };
        self.hub.vault().put(tx, place, &sent::sealed(at, secret), self.hub.now()).await
    }

    /// The secret of this name, for a request to this place; otherwise why it cannot be sent there, for the model.
    pub(crate) async fn to_send(
        self,
        owner: &str,
        agent: &AgentId,
        name: &str,
        place: &str,
    ) -> Result<std::result::Result<SentSecret, String>> {
        let known = self.of_agent(owner, agent).await?;
        let Some(found) = known.iter().find(|secret| secret.name == name) else {
            let names: Vec<&str> = known.iter().map(|secret| secret.name.as_str()).collect();
            return Ok(Err(match names.is_empty() {
                true => format!(
                    "There is no secret {name}. Your person enters one where ask_user asks for it (kind secret)."
                ),
                false => format!("There is no secret {name}. There are: {}.", names.join(", ")),
            }));
        };
        if found.place != place {
            return Ok(Err(format!("The secret {name} is for {} and is sent nowhere else.", found.place)));
        }
        let (kept_as, purpose) = (kept_as(name), purpose(agent));
        let at = AssociatedData { user: owner, provider: &kept_as, purpose: &purpose, server: Some(place) };
        let kept = self.hub.vault().read(self.hub.store(), at).await?;
        let sent = kept.as_ref().and_then(SentSecret::opened);
        Ok(sent.ok_or_else(|| format!("The secret {name} is gone. Ask for it again.")))
    }
}

/// Forgets those of an agent.
pub(crate) async fn forget(tx: &mut Transaction, owner: &str, agent: &AgentId) -> Result<()> {
    Vault::forget_purpose(tx, owner, &purpose(agent)).await
}

/// Under which purpose the vault keeps those of an agent.
pub(crate) fn purpose(agent: &AgentId) -> String {
    format!("web secret of agent {agent}")
}

const KEPT_AS: &str = "web:";

/// As whose the vault keeps one: of no provider.
fn kept_as(name: &str) -> String {
    format!("{KEPT_AS}{name}")
}

impl FromRow for WebSecretView {
    fn from_row(row: &Row) -> Result<Self> {
        let kept_as: String = row.get("provider_id")?;
        Ok(Self {
            name: kept_as.strip_prefix(KEPT_AS).unwrap_or(&kept_as).to_owned(),
            place: row.get::<Option<String>>("server")?.unwrap_or_default(),
            kept_at: row.get("created_at")?,
        })
    }
}
