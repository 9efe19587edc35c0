//! Sharing: an administrator lets others use a provider of theirs, with its key, which stays theirs.

use super::rows;
use crate::audit::AuditEvent;
use crate::error::{Error, Result};
use crate::ledger;
use crate::providers::SharedProviders;
use crate::store::{Json, Row, Transaction, query};
use protocol::agent::ProviderKind;
use protocol::hub::Noun;
use protocol::view::{AuditAction, ProviderReach, Share, SharedProvider};
use protocol::{ProviderId, UserId};

const MOST_MODELS: usize = 200;
const LONGEST_MODEL: usize = 200;

impl SharedProviders<'_> {
    /// What is shared here, by any administrator, by name.
    pub async fn list(self) -> Result<Vec<SharedProvider>> {
        let rows = query(
            "SELECT p.id, p.name, u.name AS owner FROM shared_providers s
             JOIN providers p ON p.id = s.provider_id JOIN users u ON u.id = p.user_id ORDER BY p.name, p.id",
            (),
        )
        .fetch_all::<Row>(self.hub.store().read())
        .await?;
        let mut shared = Vec::new();
        for row in rows {
            let id: ProviderId = row.get("id")?;
            let share = self.share(&id).await?.unwrap_or_default();
            shared.push(SharedProvider { id, name: row.get("name")?, owner: row.get("owner")?, share });
        }
        Ok(shared)
    }

    /// On what terms the provider is shared. `None`: it is not.
    pub async fn share(self, id: &ProviderId) -> Result<Option<Share>> {
        let store = self.hub.store().read();
        let row = query(
            "SELECT s.everyone, s.models, c.per_month FROM shared_providers s
             LEFT JOIN caps c ON c.scope = 'shared' AND c.owner = s.provider_id WHERE s.provider_id = $1",
            (id,),
        )
        .fetch_optional::<Row>(store)
        .await?;
        let Some(row) = row else { return Ok(None) };
        let people =
            query("SELECT user_id FROM shared_with_people WHERE provider_id = $1 ORDER BY user_id", (id,))
                .fetch_all::<Row>(store)
                .await?;
        let groups =
            query("SELECT group_id FROM shared_with_groups WHERE provider_id = $1 ORDER BY group_id", (id,))
                .fetch_all::<Row>(store)
                .await?;
        Ok(Some(Share {
            everyone: row.get("everyone")?,
            people: people.iter().map(|row| row.get(0)).collect::<Result<_>>()?,
            groups: groups.iter().map(|row| row.get(0)).collect::<Result<_>>()?,
            models: row.get::<Json<_>>("models")?.0,
            per_month: row.get("per_month")?,
        }))
    }

    /// Shares a provider of the administrator's own, in place of how it was shared before.
    pub async fn put(self, id: &ProviderId, share: &Share) -> Result<()> {
        let models = check(share)?;
        let mut tx = self.hub.store().write().await?;
        let own = rows::own(&mut *tx, &self.viewer.me.id.0, id).await?.ok_or(Error::NotFound("provider"))?;
        if own.reach != ProviderReach::Hub || own.kind == ProviderKind::Scripted {
            return Err(Error::invalid(
                "A model on a device of yours is called by your browser, and the guide is everybody's: neither can be shared.",
            ));
        }
        end(&mut tx, id).await?;
        query(
            "INSERT INTO shared_providers (provider_id, everyone, models) VALUES ($1, $2, $3)",
            (id, share.everyone, Json(&models)),
        )
        .execute(&mut *tx)
        .await?;
        for person in &share.people {
            query(
                "INSERT INTO shared_with_people (provider_id, user_id) SELECT $1, id FROM users WHERE id = $2
                 ON CONFLICT DO NOTHING",
                (id, person),
            )
            .execute(&mut *tx)
            .await?;
        }
        for group in &share.groups {
            query(
                "INSERT INTO shared_with_groups (provider_id, group_id) SELECT $1, id FROM people_groups
                 WHERE id = $2
                 ON CONFLICT DO NOTHING",
                (id, group),
            )
            .execute(&mut *tx)
            .await?;
        }
        ledger::limit_shared(&mut tx, id, share.per_month).await?;
        let line = AuditEvent::done(AuditAction::ProviderShared, self.viewer).about_nobody();
        self.hub.audit().note(&mut tx, line.object(&format!("{} {}", own.name, with_whom(share)))).await?;
        tx.changes(&self.viewer.me.id, Noun::Providers);
        tx.commit().await?;
        self.hub.ledger().resume_on(id).await
    }

    /// Takes it back, whichever administrator shared it. Calls are refused from the next one on.
    pub async fn stop_sharing(self, id: &ProviderId) -> Result<()> {
        let mut tx = self.hub.store().write().await?;
        if !end(&mut tx, id).await? {
            return Err(Error::NotFound("provider"));
        }
        let (name, owner): (String, UserId) =
            query("SELECT name, user_id FROM providers WHERE id = $1", (id,)).fetch_one(&mut *tx).await?;
        let line = AuditEvent::done(AuditAction::SharingStopped, self.viewer).about_nobody();
        self.hub.audit().note(&mut tx, line.object(&name)).await?;
        tx.changes(&owner, Noun::Providers);
        tx.commit().await?;
        self.hub.ledger().resume_unshared().await
    }
}

/// Whether it was shared.
pub(super) async fn end(tx: &mut Transaction, id: &ProviderId) -> Result<bool> {
    let ended =
        query("DELETE FROM shared_providers WHERE provider_id = $1", (id,)).execute(&mut **tx).await?;
    ledger::limit_shared(tx, id, None).await?;
    Ok(ended > 0)
}

/// In few words, for the audit.
fn with_whom(share: &Share) -> String {
    match (share.everyone, share.people.len(), share.groups.len()) {
        (true, _, _) => "with everybody".to_owned(),
        (false, people, groups) => format!("with people: {people}, groups: {groups}"),
    }
}

/// The models, each once.
fn check(share: &Share) -> Result<Vec<&str>> {
    if !share.everyone && share.people.is_empty() && share.groups.is_empty() {
        return Err(Error::invalid("Choose with whom: everybody, people or groups. Or stop sharing it."));
    }
    if share.per_month.is_some_and(|limit| limit.0 < 0) {
        return Err(Error::invalid("A limit is not negative."));
    }
    let mut models: Vec<&str> =
        share.models.iter().map(|model| model.trim()).filter(|model| !model.is_empty()).collect();
    models.sort_unstable();
    models.dedup();
    let is_name = |model: &&str| model.chars().count() <= LONGEST_MODEL && !model.contains(char::is_control);
    if models.len() > MOST_MODELS || !models.iter().all(is_name) {
        return Err(Error::invalid(format!(
            "At most {MOST_MODELS} models, each with a name of at most {LONGEST_MODEL} characters on one line."
        )));
    }
    Ok(models)
}
