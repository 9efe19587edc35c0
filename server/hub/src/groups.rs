//! Groups: people whom administrators name together, to share something with all of them.

use crate::Hub;
use crate::access::{Admin, Viewer};
use crate::accounts::SharesOf;
use crate::audit::AuditEvent;
use crate::clock::new_id;
use crate::error::{Error, Result};
use crate::store::{Row, Transaction, query};
use protocol::view::{AuditAction, GroupView};
use protocol::{GroupId, UserId};

/// Groups of people.
#[derive(Clone, Copy, Debug)]
pub struct Groups<'a> {
    hub: &'a Hub,
    viewer: &'a Viewer,
}

impl<'a> Admin<'a> {
    pub fn groups(&self) -> Groups<'a> {
        Groups { hub: self.hub, viewer: self.viewer }
    }
}

const MAX_GROUPS: usize = 200;
const LONGEST_NAME: usize = 60;

impl Groups<'_> {
    /// By name.
    pub async fn list(self) -> Result<Vec<GroupView>> {
        let rows = query(
            "SELECT g.id, g.name, m.user_id FROM people_groups g
             LEFT JOIN people_group_members m ON m.group_id = g.id ORDER BY g.name, g.id, m.user_id",
            (),
        )
        .fetch_all::<Row>(self.hub.store().read())
        .await?;
        let mut groups: Vec<GroupView> = Vec::new();
        for row in rows {
            let id: GroupId = row.get("id")?;
            if groups.last().is_none_or(|last| last.id != id) {
                groups.push(GroupView { id, name: row.get("name")?, people: Vec::new() });
            }
            let person: Option<UserId> = row.get("user_id")?;
            if let Some(group) = groups.last_mut() {
                group.people.extend(person);
            }
        }
        Ok(groups)
    }

    /// Adds a group, or changes the one with this id.
    pub async fn save(self, id: Option<&GroupId>, name: &str, people: &[UserId]) -> Result<GroupId> {
        let name = name.trim();
        if name.is_empty() || name.chars().count() > LONGEST_NAME || name.contains(char::is_control) {
            return Err(Error::invalid(format!(
                "The name of a group has 1 to {LONGEST_NAME} characters on one line."
            )));
        }
        let mut tx = self.hub.store().write().await?;
        let id = match id {
            Some(id) => {
                let renamed = query("UPDATE people_groups SET name = $2 WHERE id = $1", (id, name))
                    .execute(&mut *tx)
                    .await?;
                if renamed == 0 {
                    return Err(Error::NotFound("group"));
                }
                id.clone()
            }
            None => self.insert(&mut tx, name).await?,
        };
        query("DELETE FROM people_group_members WHERE group_id = $1", (&id,)).execute(&mut *tx).await?;
        for person in people {
            // Somebody who is not there, or no more, is left out.
            query(
                "INSERT INTO people_group_members (group_id, user_id) SELECT $1, id FROM users WHERE id = $2
                 ON CONFLICT DO NOTHING",
                (&id, person),
            )
            .execute(&mut *tx)
            .await?;
        }
        let line = AuditEvent::done(AuditAction::GroupSaved, self.viewer).about_nobody();
        self.hub.audit().note(&mut tx, line.object(&format!("{name}, people: {}", people.len()))).await?;
        tx.commit().await?;
        self.hub.ledger().resume_unshared().await?;
        Ok(id)
    }

    /// What was shared with the group is not shared with it any more.
    pub async fn delete(self, id: &GroupId) -> Result<()> {
        self.hub.accounts().end_shares(SharesOf::Group(id), self.viewer).await?;
        let mut tx = self.hub.store().write().await?;
        let name: String = query("DELETE FROM people_groups WHERE id = $1 RETURNING name", (id,))
            .fetch_optional(&mut *tx)
            .await?
            .ok_or(Error::NotFound("group"))?;
        let line = AuditEvent::done(AuditAction::GroupDeleted, self.viewer).about_nobody();
        self.hub.audit().note(&mut tx, line.object(&name)).await?;
        tx.commit().await?;
        self.hub.ledger().resume_unshared().await
    }

    async fn insert(self, tx: &mut Transaction, name: &str) -> Result<GroupId> {
        let groups: i64 = query("SELECT COUNT(*) FROM people_groups", ()).fetch_one(&mut **tx).await?;
        if usize::try_from(groups).is_ok_and(|count| count >= MAX_GROUPS) {
            return Err(Error::Limit(format!("There are {MAX_GROUPS} groups. Delete one first.")));
        }
        let id = GroupId(new_id());
        query(
            "INSERT INTO people_groups (id, name, created_at) VALUES ($1, $2, $3)",
            (&id, name, self.hub.now()),
        )
        .execute(&mut **tx)
        .await?;
        Ok(id)
    }
}
