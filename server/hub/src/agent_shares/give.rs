//! With whom an agent is shared: its owner says so, and takes it back.

use super::OwnAgentShares;
use crate::accounts::UncarriedToken;
use crate::agents;
use crate::audit::AuditEvent;
use crate::clock::new_id;
use crate::error::{Error, Result};
use crate::ledger::limit_token;
use crate::store::{Row, Transaction, query};
use protocol::view::{AgentShareView, AuditAction, Right};
use protocol::{AgentId, AgentShareId, GroupId, Micros, TokenId, UserId};

/// Most people and groups with whom one agent is shared.
const MOST_SHARES: i64 = 20;

/// With whom, by name.
#[derive(Clone, Copy, Debug)]
pub enum SharedWith<'a> {
    Person(&'a str),
    Group(&'a str),
}

/// Whom the name means.
struct Recipient {
    person: Option<UserId>,
    group: Option<GroupId>,
    name: String,
}

impl OwnAgentShares<'_> {
    /// With whom this agent of the viewer's is shared, and what that costs.
    pub async fn of(self, agent: &AgentId) -> Result<Vec<AgentShareView>> {
        let hub = self.scoped.hub;
        self.scoped.require_agent(agent).await?;
        let rows: Vec<Row> = query(
            "SELECT s.id, s.token_id, COALESCE(u.name, g.name) AS with_name, s.group_id, s.shared_at
             FROM agent_shares s LEFT JOIN users u ON u.id = s.person_id
             LEFT JOIN people_groups g ON g.id = s.group_id
             WHERE s.agent_id = $1 ORDER BY s.shared_at, s.id",
            (agent,),
        )
        .fetch_all(hub.store().read())
        .await?;
        let mut shares = Vec::new();
        for row in rows {
            let token: TokenId = row.get("token_id")?;
            let budget = hub.ledger().token_budget(&token).await?;
            shares.push(AgentShareView {
                id: row.get("id")?,
                with: row.get("with_name")?,
                is_group: row.get::<Option<GroupId>>("group_id")?.is_some(),
                per_month: budget.caps.per_month.unwrap_or_default(),
                spent: budget.spent.month,
                shared_at: row.get("shared_at")?,
            });
        }
        Ok(shares)
    }

    /// Lets their agents ask this one, for so much in a month; or says anew for how much.
    pub async fn give(self, agent: &AgentId, with: SharedWith<'_>, per_month: Option<Micros>) -> Result<()> {
        let (hub, owner) = (self.scoped.hub, self.scoped.owner());
        if self.scoped.require(Right::MakeTokens).is_err() {
            return Err(Error::Forbidden(
                "Guests share no agents. To share yours, ask an administrator to make you a member.",
            ));
        }
        self.scoped.require_no_limit().await?;
        let per_month = per_month
            .filter(|limit| limit.0 > 0)
            .ok_or_else(|| Error::invalid("Say what their questions may cost you in a month."))?;
        let agent_name: String = query(
            "SELECT name FROM agents WHERE id = $1 AND user_id = $2 AND parent_id IS NULL",
            (agent, owner),
        )
        .fetch_optional(hub.store().read())
        .await?
        .ok_or(Error::NotFound("agent"))?;
        let to = self.recipient(with).await?;
        let mut tx = hub.store().write().await?;
        agents::lock(&mut tx, agent).await?;
        let former: Option<TokenId> = query(
            "SELECT token_id FROM agent_shares WHERE agent_id = $1 AND (person_id = $2 OR group_id = $3)",
            (agent, &to.person, &to.group),
        )
        .fetch_optional(&mut *tx)
        .await?;
        let token = match former {
            Some(token) => token,
            None => self.insert(&mut tx, agent, &agent_name, &to).await?,
        };
        limit_token(&mut tx, &token, Some(per_month)).await?;
        let line = AuditEvent::done(AuditAction::AgentShared, self.scoped.viewer);
        let object = format!("{agent_name}, with {}", to.name);
        let line = match &to.person {
            Some(person) => line.about(&person.0, &to.name).object(&agent_name),
            None => line.object(&object),
        };
        hub.audit().note(&mut tx, line).await?;
        tx.commit().await?;
        hub.ledger().resume_for_program(&token).await
    }

    /// Takes it back. What was asked ends, begun or not.
    pub async fn end(self, id: &AgentShareId) -> Result<()> {
        let row: Option<Row> = query(
            "SELECT s.token_id, u.id AS person, u.name FROM agent_shares s JOIN agents a ON a.id = s.agent_id
             LEFT JOIN users u ON u.id = s.person_id WHERE s.id = $1 AND a.user_id = $2",
            (id, self.scoped.owner()),
        )
        .fetch_optional(self.scoped.hub.store().read())
        .await?;
        let row = row.ok_or(Error::NotFound("shared agent"))?;
        let (token, person): (TokenId, Option<UserId>) = (row.get("token_id")?, row.get("person")?);
        let name = row.get::<Option<String>>("name")?.unwrap_or_default();
        let line = AuditEvent::done(AuditAction::AgentUnshared, self.scoped.viewer);
        let line = match &person {
            Some(person) => line.about(&person.0, &name),
            None => line,
        };
        self.scoped.hub.accounts().end_token(self.scoped.owner(), &token, line).await
    }

    async fn recipient(self, with: SharedWith<'_>) -> Result<Recipient> {
        match with {
            SharedWith::Person(name) => {
                let person = self.scoped.account().person_named(name).await?;
                Ok(Recipient { person: Some(person.id), group: None, name: person.name })
            }
            SharedWith::Group(name) => {
                let runs_the_hub = self.scoped.require(Right::RunTheHub).is_ok();
                let found: Option<(GroupId, String)> = query(
                    "SELECT g.id, g.name FROM people_groups g WHERE LOWER(g.name) = LOWER($1)
                     AND (CAST($3 AS BIGINT) = 1 OR EXISTS (
                          SELECT 1 FROM people_group_members m WHERE m.group_id = g.id AND m.user_id = $2))
                     ORDER BY g.id LIMIT 1",
                    (name.trim(), self.scoped.owner(), i64::from(runs_the_hub)),
                )
                .fetch_optional(self.scoped.hub.store().read())
                .await?;
                let (id, name) = found.ok_or_else(|| {
                    Error::invalid("You are in no group of this name. Write the name of the group exactly.")
                })?;
                Ok(Recipient { person: None, group: Some(id), name })
            }
        }
    }

    async fn insert(
        self,
        tx: &mut Transaction,
        agent: &AgentId,
        agent_name: &str,
        to: &Recipient,
    ) -> Result<TokenId> {
        let count: i64 = query("SELECT COUNT(*) FROM agent_shares WHERE agent_id = $1", (agent,))
            .fetch_one(&mut **tx)
            .await?;
        if count >= MOST_SHARES {
            return Err(Error::Limit(format!(
                "An agent is shared with at most {MOST_SHARES} people and groups. Take it back from some first."
            )));
        }
        let (hub, token, now) = (self.scoped.hub, TokenId(new_id()), self.scoped.hub.now());
        let name = format!("{agent_name}, asked by {}", to.name);
        let owner = self.scoped.owner();
        let uncarried = UncarriedToken { id: &token, owner, name: &name, agent, at: now };
        hub.accounts().add_uncarried(tx, &uncarried).await?;
        query(
            "INSERT INTO agent_shares (id, agent_id, token_id, person_id, group_id, shared_at)
             VALUES ($1, $2, $3, $4, $5, $6)",
            (AgentShareId(new_id()), agent, &token, &to.person, &to.group, now),
        )
        .execute(&mut **tx)
        .await?;
        Ok(token)
    }
}
