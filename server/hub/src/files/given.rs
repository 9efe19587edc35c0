//! Addresses that a person gave away: each is a row, so that they see it and take it back.

use super::{FilePath, OwnFiles, SignedLink};
use crate::audit::AuditEvent;
use crate::clock::new_id;
use crate::error::{Error, Result};
use crate::store::{FromRow, Row, Transaction, query};
use protocol::files::{FolderKind, GivenLink};
use protocol::view::AuditAction;
use protocol::{FolderId, GivenLinkId};
use std::collections::{BTreeMap, BTreeSet};

/// The longest that an address holds that was made to be given away.
pub const LONGEST_LINK_HOURS: u64 = 7 * 24;
const HOUR_MS: i64 = 60 * 60 * 1000;
/// Of one person, that are not over.
pub const MOST_GIVEN_LINKS: usize = 100;

/// A row, and what it takes to say its address.
struct Given {
    link: GivenLink,
    digest: String,
}

impl OwnFiles<'_> {
    /// Path and query of an address that opens the file as it is now for whoever has it, for so many hours. It ends
    /// before that when the file changes or goes, or it is taken back.
    ///
    /// # Errors
    ///
    /// If there is no such file of the viewer's, the hours are none, or too many addresses are given away already.
    pub async fn share(self, folder: impl Into<FolderId>, path: &str, hours: u64) -> Result<String> {
        let (folder, path) = (folder.into(), FilePath::check(path)?);
        let name = self.folder(folder.clone()).await?.name;
        if !(1..=LONGEST_LINK_HOURS).contains(&hours) {
            return Err(Error::invalid(format!("An address holds for 1 to {LONGEST_LINK_HOURS} hours.")));
        }
        let (hub, person) = (self.scoped.hub, self.scoped.owner());
        let now = hub.now();
        let ends_at = now + i64::try_from(hours).map_err(Error::internal)? * HOUR_MS;
        let mut tx = hub.store().write().await?;
        super::lock(&mut tx, &folder, now).await?;
        let (_, digest) = super::now_there(&mut tx, &folder, &path).await?.ok_or(Error::NotFound("file"))?;
        query("DELETE FROM given_links WHERE user_id = $1 AND ends_at <= $2", (person, now))
            .execute(&mut *tx)
            .await?;
        let id = GivenLinkId(new_id());
        let given = query(
            "INSERT INTO given_links (id, user_id, folder_id, path, digest, made_at, ends_at)
             SELECT $1, u.id, $3, $4, $5, CAST($6 AS BIGINT), CAST($7 AS BIGINT) FROM users u
             WHERE u.id = $2 AND (SELECT COUNT(*) FROM given_links l WHERE l.user_id = $2) < $8",
            (&id, person, &folder, path.as_str(), &digest, now, ends_at, MOST_GIVEN_LINKS),
        )
        .execute(&mut *tx)
        .await?;
        if given == 0 {
            return Err(Error::Limit(format!(
                "{MOST_GIVEN_LINKS} addresses are given away already. Take some back first, on the page of any files."
            )));
        }
        let line = AuditEvent::done(AuditAction::FileLinkGiven, self.scoped.viewer).object(&name);
        hub.audit().note(&mut tx, line).await?;
        tx.commit().await?;
        self.tell(&folder).await;
        Ok(hub.files().sign_given(&id, &folder, path.as_str(), &digest, ends_at).address())
    }

    /// Those of the viewer's that are not over, given last first, of all their folders.
    pub async fn given_links(self) -> Result<Vec<GivenLink>> {
        let hub = self.scoped.hub;
        let given: Vec<Given> = query(
            "SELECT l.id, l.folder_id, l.path, l.digest, l.made_at, l.ends_at, l.opened, l.last_opened_at,
                    COALESCE(a.name, d.name, '') AS folder_name,
                    CAST(CASE WHEN d.agent_id IS NULL THEN 0 ELSE 1 END AS BIGINT) AS is_agents,
                    CAST(CASE WHEN f.digest = l.digest THEN 1 ELSE 0 END AS BIGINT) AS holds
             FROM given_links l JOIN folders d ON d.id = l.folder_id LEFT JOIN agents a ON a.id = d.agent_id
             LEFT JOIN files f ON f.folder_id = l.folder_id AND f.path = l.path
             WHERE l.user_id = $1 AND l.ends_at > $2 ORDER BY l.made_at DESC, l.id",
            (self.scoped.owner(), hub.now()),
        )
        .fetch_all(hub.store().read())
        .await?;
        let address = |Given { link, digest }| {
            let GivenLink { id, folder, path, ends_at, .. } = &link;
            let address = hub.files().sign_given(id, folder, path, &digest, *ends_at).address();
            GivenLink { address, ..link }
        };
        Ok(given.into_iter().map(address).collect())
    }

    /// Nobody opens the file with this address any more.
    pub async fn take_back(self, id: &GivenLinkId) -> Result<()> {
        self.take_back_of(Some(id)).await
    }

    /// The same for all that the viewer gave away.
    pub async fn take_all_back(self) -> Result<()> {
        self.take_back_of(None).await
    }

    async fn take_back_of(self, id: Option<&GivenLinkId>) -> Result<()> {
        let hub = self.scoped.hub;
        let mut tx = hub.store().write().await?;
        let taken: Vec<FolderId> = query(
            "DELETE FROM given_links WHERE user_id = $1 AND ($2 = '' OR id = $2) AND ends_at > $3
             RETURNING folder_id",
            (self.scoped.owner(), id.map_or("", |id| id.0.as_str()), hub.now()),
        )
        .fetch_all(&mut *tx)
        .await?;
        if id.is_some() && taken.is_empty() {
            return Err(Error::NotFound("address"));
        }
        let names: Vec<(FolderId, String)> = query(
            "SELECT d.id, COALESCE(a.name, d.name, '') FROM folders d LEFT JOIN agents a ON a.id = d.agent_id
             WHERE d.user_id = $1",
            (self.scoped.owner(),),
        )
        .fetch_all(&mut *tx)
        .await?;
        let names: BTreeMap<FolderId, String> = names.into_iter().collect();
        for folder in &taken {
            let name = names.get(folder).map_or("", String::as_str);
            let line = AuditEvent::done(AuditAction::FileLinkTakenBack, self.scoped.viewer).object(name);
            hub.audit().note(&mut tx, line).await?;
        }
        tx.commit().await?;
        for folder in taken.into_iter().collect::<BTreeSet<_>>() {
            self.tell(&folder).await;
        }
        Ok(())
    }
}

/// Counts that the address was opened, and says whether it is still given away.
pub(super) async fn opened(
    tx: &mut Transaction,
    link: &SignedLink,
    id: &GivenLinkId,
    now: i64,
) -> Result<bool> {
    let counted = query(
        "UPDATE given_links SET opened = opened + 1, last_opened_at = $3 WHERE id = $1 AND folder_id = $2",
        (id, &link.folder, now),
    )
    .execute(&mut **tx)
    .await?;
    Ok(counted > 0)
}

impl FromRow for Given {
    fn from_row(row: &Row) -> Result<Self> {
        let is_agents: bool = row.get("is_agents")?;
        let link = GivenLink {
            id: row.get("id")?,
            folder: row.get("folder_id")?,
            folder_name: row.get("folder_name")?,
            kind: if is_agents { FolderKind::Agent } else { FolderKind::Workspace },
            path: row.get("path")?,
            address: String::new(),
            made_at: row.get("made_at")?,
            ends_at: row.get("ends_at")?,
            opened: row.get("opened")?,
            last_opened_at: row.get("last_opened_at")?,
            holds: row.get("holds")?,
        };
        Ok(Self { link, digest: row.get("digest")? })
    }
}
