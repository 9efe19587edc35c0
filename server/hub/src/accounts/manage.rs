//! What administrators do with other people's accounts. One administrator always stays.

use super::pending;
use super::people;
use super::rules::PersonName;
use super::settings;
use crate::access::Admin;
use crate::accounts::{Accounts, People, SharesOf, end_shared_tasks, leave_unwanted};
use crate::audit::{AuditEvent, pattern};
use crate::cluster::Signal;
use crate::error::{Error, Result};
use crate::ledger;
use crate::store::{FromRow, Row, Store, Transaction, name_of, query};
use protocol::UserId;
use protocol::view::{AuditAction, Me, PEOPLE_AT_ONCE, PersonView, Role};
use std::time::Duration;

/// Looks for runs that began while their person was being disabled.
const LOOKS: usize = 20;
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// What is read of somebody.
const PERSON: &str = "SELECT users.id, users.name, users.role, users.disabled, users.created_at,
        (SELECT MAX(last_seen_at) FROM devices WHERE user_id = users.id) AS by_browser,
        (SELECT MAX(last_used_at) FROM tokens WHERE user_id = users.id) AS by_token,
        (SELECT COUNT(*) FROM second_factors WHERE user_id = users.id) AS factors
     FROM users WHERE users.role <> 'removed'";

impl People<'_> {
    /// Some of those with an account, by name: who comes after this name, and has the text in theirs. At most
    /// [`PEOPLE_AT_ONCE`].
    pub async fn list(self, after: &str, text: &str) -> Result<Vec<PersonView>> {
        let rows = query(
            [PERSON, "AND users.login > $1 AND users.login LIKE $2 ESCAPE '!' ORDER BY users.login LIMIT $3"],
            (people::login_of(after), pattern(text.trim()), i64::try_from(PEOPLE_AT_ONCE).unwrap_or(1)),
        )
        .fetch_all::<Row>(self.hub.store().read())
        .await?;
        let mut found = Vec::with_capacity(rows.len());
        for row in &rows {
            found.push(self.person(row).await?);
        }
        Ok(found)
    }

    pub async fn get(self, id: &UserId) -> Result<PersonView> {
        let row = query([PERSON, "AND users.id = $1"], (id,))
            .fetch_optional::<Row>(self.hub.store().read())
            .await?
            .ok_or(Error::NotFound("person"))?;
        let node = self.hub.cluster().node_of(id).await?;
        Ok(PersonView { node, ..self.person(&row).await? })
    }

    async fn person(self, row: &Row) -> Result<PersonView> {
        let Me { id, name, role, .. } = Me::from_row(row)?;
        let ledger = Admin { hub: self.hub, viewer: self.viewer }.ledger();
        let (by_browser, by_token): (Option<i64>, Option<i64>) =
            (row.get("by_browser")?, row.get("by_token")?);
        Ok(PersonView {
            is_self: id == self.viewer.me.id,
            budget: ledger.budget(Some(&id)).await?,
            id,
            name,
            role,
            disabled: row.get("disabled")?,
            created_at: row.get("created_at")?,
            last_seen_at: by_browser.max(by_token),
            second_factor: row.get::<i64>("factors")? > 0,
            node: None,
        })
    }

    pub async fn set_role(self, person: &UserId, role: Role) -> Result<()> {
        let mut tx = self.hub.store().write().await?;
        let me = people::lock(&mut tx, person).await?;
        query("UPDATE users SET role = $1 WHERE id = $2", (role, person)).execute(&mut *tx).await?;
        keep_an_admin(&mut tx).await?;
        let line = AuditEvent::done(AuditAction::RoleSet, self.viewer).about(&me.id.0, &me.name);
        self.hub.audit().note(&mut tx, line.object(&name_of(&role)?)).await?;
        tx.commit().await?;
        // What they share is shared no more with their role.
        self.hub.ledger().resume_unshared().await
    }

    /// Shuts the person out: sessions, sockets and runs end now, tokens do not open anything. What
    /// they have stays.
    pub async fn disable(self, person: &UserId) -> Result<()> {
        let mut tx = self.hub.store().write().await?;
        let me = people::lock(&mut tx, person).await?;
        query("UPDATE users SET disabled = 1 WHERE id = $1", (person,)).execute(&mut *tx).await?;
        keep_an_admin(&mut tx).await?;
        query("DELETE FROM devices WHERE user_id = $1", (person,)).execute(&mut *tx).await?;
        pending::forget(&mut tx, &person.0).await?;
        let line = AuditEvent::done(AuditAction::PersonDisabled, self.viewer).about(&me.id.0, &me.name);
        self.hub.audit().note(&mut tx, line).await?;
        tx.commit().await?;
        self.hub.live().end_person(person);
        self.hub.cluster().tell(Signal::PersonEnded { person: person.clone() }).await;
        self.hub.accounts().end_runs_of(person).await?;
        // What they share is shared no more while they are out.
        self.hub.ledger().resume_unshared().await
    }

    pub async fn enable(self, person: &UserId) -> Result<()> {
        let mut tx = self.hub.store().write().await?;
        let me = people::lock(&mut tx, person).await?;
        query("UPDATE users SET disabled = 0 WHERE id = $1", (person,)).execute(&mut *tx).await?;
        let line = AuditEvent::done(AuditAction::PersonEnabled, self.viewer).about(&me.id.0, &me.name);
        self.hub.audit().note(&mut tx, line).await?;
        tx.commit().await?;
        Ok(())
    }

    /// Deletes the person with all that they have. `name` is theirs, typed once more. Money that they
    /// spent stays spent.
    pub async fn remove(self, person: &UserId, name: &str) -> Result<()> {
        let typed = PersonName::parse(name)?.login;
        let login: String = query("SELECT login FROM users WHERE id = $1 AND role <> 'removed'", (person,))
            .fetch_optional(self.hub.store().read())
            .await?
            .ok_or(Error::NotFound("person"))?;
        if login != typed {
            return Err(Error::invalid("Type the person's name as it is shown."));
        }
        self.disable(person).await?;
        if self.runs_elsewhere(person).await? {
            return Err(Error::Conflict(
                "Their agents are still ending what they do. The account is disabled; remove it in a few seconds."
                    .to_owned(),
            ));
        }
        self.remove_disabled(person).await
    }

    /// On another node what was stopped may take a moment more.
    pub(super) async fn runs_elsewhere(self, person: &UserId) -> Result<bool> {
        Ok(!self.hub.cluster().is_alone() && is_running(self.hub.store(), person).await?)
    }

    /// Deletes somebody who is out, and for whom nothing runs any more.
    pub(super) async fn remove_disabled(self, person: &UserId) -> Result<()> {
        self.hub.accounts().end_shares(SharesOf::Recipient(person), self.viewer).await?;
        self.hub.running().give_up_elsewhere(self.hub, person).await?;
        let mut tx = self.hub.store().write().await?;
        let me = people::lock(&mut tx, person).await?;
        let stands_for = people::insert_removed(&mut tx, self.hub.now()).await?;
        ledger::hand_over(&mut tx, &person.0, &stands_for).await?;
        self.hub.store().leave_nothing(&mut tx).await?;
        let unanswered = end_shared_tasks(&mut tx, &person.0, None, self.hub.now()).await?;
        let unwanted_by = leave_unwanted(&mut tx, &person.0, None).await?;
        query("DELETE FROM users WHERE id = $1", (person,)).execute(&mut *tx).await?;
        let line = AuditEvent::done(AuditAction::PersonRemoved, self.viewer).about(&me.id.0, &me.name);
        self.hub.audit().note(&mut tx, line).await?;
        tx.commit().await?;
        self.hub.running().shared_tasks_ended(self.hub, &unanswered).await?;
        self.hub.running().stop_unwanted_runs(self.hub, &unwanted_by).await?;
        self.hub.pack_soon();
        // What they shared is gone with them.
        self.hub.ledger().resume_unshared().await
    }
}

impl Accounts<'_> {
    /// Ends what runs for a person who may not start anything any more. Of each agent also what is about to
    /// begin: it may have found its person before they were disabled.
    pub(crate) async fn end_runs_of(self, person: &UserId) -> Result<()> {
        for _ in 0..LOOKS {
            let rows = query(
                "SELECT agents.id FROM runs JOIN agents ON agents.id = runs.agent_id
                 WHERE agents.user_id = $1 AND runs.running = 1",
                (person,),
            )
            .fetch_all::<Row>(self.hub.store().read())
            .await?;
            if rows.is_empty() {
                break;
            }
            let agents = rows.iter().map(|row| row.get("id")).collect::<Result<Vec<_>>>()?;
            let stopped = futures_util::future::join_all(
                agents.iter().map(|agent| self.hub.running().stop(self.hub, agent)),
            )
            .await;
            stopped.into_iter().collect::<Result<()>>()?;
            tokio::time::sleep(BETWEEN_LOOKS).await;
        }
        Ok(())
    }
}

async fn is_running(store: &Store, person: &UserId) -> Result<bool> {
    query(
        "SELECT 1 FROM runs JOIN agents ON agents.id = runs.agent_id
         WHERE agents.user_id = $1 AND runs.running = 1 LIMIT 1",
        (person,),
    )
    .exists(store.read())
    .await
}

/// Refuses a change after which nobody could run the hub. Of two that would do so together one waits
/// for the other here.
async fn keep_an_admin(tx: &mut Transaction) -> Result<()> {
    settings::put(tx, settings::ADMINS, "").await?;
    let left = query("SELECT id FROM users WHERE role = 'admin' AND disabled = 0 LIMIT 1", ())
        .fetch_optional::<Row>(&mut **tx)
        .await?;
    left.map(|_| ()).ok_or_else(|| {
        Error::Conflict("This is the only administrator. Make somebody else one first.".to_owned())
    })
}
