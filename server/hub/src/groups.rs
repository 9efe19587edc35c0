//! Groups: people whom administrators name together, to share something with all of them.

use crate::access::Admin;
use crate::audit::Line;
use crate::clock::new_id;
use crate::error::{Error, Result};
use crate::store::Transaction;
use protocol::view::{AuditAction, GroupView};
use protocol::{GroupId, UserId};
use sqlx::Row as _;

const MOST: usize = 200;
const LONGEST_NAME: usize = 60;

impl Admin<'_> {
    /// By name.
    pub async fn groups(&self) -> Result<Vec<GroupView>> {
        let rows = sqlx::query(
            "SELECT g.id, g.name, m.user_id FROM people_groups g
             LEFT JOIN people_group_members m ON m.group_id = g.id ORDER BY g.name, g.id, m.user_id",
        )
        .fetch_all(self.hub.store.read())
        .await?;
        let mut groups: Vec<GroupView> = Vec::new();
        for row in rows {
            let id = GroupId(row.try_get("id")?);
            if groups.last().is_none_or(|last| last.id != id) {
                groups.push(GroupView { id, name: row.try_get("name")?, people: Vec::new() });
            }
            let person: Option<String> = row.try_get("user_id")?;
            if let Some(group) = groups.last_mut() {
                group.people.extend(person.map(UserId));
            }
        }
        Ok(groups)
    }

    /// Adds a group, or changes the one with this id.
    pub async fn save_group(&self, id: Option<&GroupId>, name: &str, people: &[UserId]) -> Result<GroupId> {
        let name = name.trim();
        if name.is_empty() || name.chars().count() > LONGEST_NAME || name.contains(char::is_control) {
            return Err(Error::invalid(format!(
                "The name of a group has 1 to {LONGEST_NAME} characters on one line."
            )));
        }
        let mut tx = self.hub.store.write().await?;
        let id = match id {
            Some(id) => {
                let renamed = sqlx::query("UPDATE people_groups SET name = $2 WHERE id = $1")
                    .bind(&id.0)
                    .bind(name)
                    .execute(&mut *tx)
                    .await?;
                if renamed.rows_affected() == 0 {
                    return Err(Error::NotFound("group"));
                }
                id.clone()
            }
            None => self.insert(&mut tx, name).await?,
        };
        sqlx::query("DELETE FROM people_group_members WHERE group_id = $1")
            .bind(&id.0)
            .execute(&mut *tx)
            .await?;
        for person in people {
            // Somebody who is not there, or no more, is left out.
            sqlx::query(
                "INSERT INTO people_group_members (group_id, user_id) SELECT $1, id FROM users WHERE id = $2
                 ON CONFLICT DO NOTHING",
            )
            .bind(&id.0)
            .bind(&person.0)
            .execute(&mut *tx)
            .await?;
        }
        let line = Line::done(AuditAction::GroupSaved, self.viewer).about_nobody();
        self.hub.note(&mut tx, line.object(&format!("{name}, people: {}", people.len()))).await?;
        tx.commit().await?;
        self.hub.resume_unshared().await?;
        Ok(id)
    }

    /// What was shared with the group is not shared with it any more.
    pub async fn delete_group(&self, id: &GroupId) -> Result<()> {
        let mut tx = self.hub.store.write().await?;
        let deleted = sqlx::query("DELETE FROM people_groups WHERE id = $1 RETURNING name")
            .bind(&id.0)
            .fetch_optional(&mut *tx)
            .await?
            .ok_or(Error::NotFound("group"))?;
        let line = Line::done(AuditAction::GroupDeleted, self.viewer).about_nobody();
        self.hub.note(&mut tx, line.object(&deleted.try_get::<String, _>("name")?)).await?;
        tx.commit().await?;
        self.hub.resume_unshared().await
    }

    async fn insert(&self, tx: &mut Transaction, name: &str) -> Result<GroupId> {
        let row = sqlx::query("SELECT COUNT(*) FROM people_groups").fetch_one(&mut **tx).await?;
        if usize::try_from(row.try_get::<i64, _>(0)?).is_ok_and(|count| count >= MOST) {
            return Err(Error::Limit(format!("There are {MOST} groups. Delete one first.")));
        }
        let id = GroupId(new_id());
        sqlx::query("INSERT INTO people_groups (id, name, created_at) VALUES ($1, $2, $3)")
            .bind(&id.0)
            .bind(name)
            .bind(self.hub.now())
            .execute(&mut **tx)
            .await?;
        Ok(id)
    }
}
