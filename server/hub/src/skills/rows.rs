//! Skills in the store. What is somebody's is asked for with its owner.

use super::parcel::Parcel;
use crate::error::Result;
use crate::store::{FromRow, Json, Row, Transaction, query};
use protocol::view::{SkillReport, SkillState, SkillView};
use protocol::{SkillId, UserId};
use sqlx::{Any, Executor};
use std::collections::BTreeMap;

/// Which of the two versions of a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Which {
    Accepted,
    Waiting,
}

impl Which {
    pub(super) fn is_waiting(self) -> bool {
        match self {
            Self::Accepted => false,
            Self::Waiting => true,
        }
    }
}

/// A version without its files.
#[derive(Clone, Debug)]
pub(super) struct StoredVersion {
    pub(super) digest: String,
    pub(super) report: SkillReport,
    pub(super) vouched: bool,
    pub(super) at: i64,
}

impl FromRow for StoredVersion {
    fn from_row(row: &Row) -> Result<Self> {
        let Json(report) = row.get("report")?;
        Ok(Self { digest: row.get("digest")?, report, vouched: row.get("vouched")?, at: row.get("at")? })
    }
}

/// The newest version says what it is.
const VIEWS: &str = "SELECT s.id, s.name, v.report, v.at, v.waiting,
        (SELECT COUNT(*) FROM skill_versions o WHERE o.skill_id = s.id AND o.waiting = 0) AS accepted,
        (SELECT COUNT(*) FROM skill_versions o JOIN revoked_skills r ON r.digest = o.digest
         WHERE o.skill_id = s.id AND o.waiting = 0) AS revoked,
        (SELECT COUNT(*) FROM agent_skills c WHERE c.skill_id = s.id) AS agents
     FROM skills s JOIN skill_versions v ON v.skill_id = s.id
     WHERE s.user_id = $1
       AND v.waiting = (SELECT MAX(n.waiting) FROM skill_versions n WHERE n.skill_id = s.id)";

impl FromRow for SkillView {
    fn from_row(row: &Row) -> Result<Self> {
        let Json(report): Json<SkillReport> = row.get("report")?;
        let is_accepted = row.get::<i64>("accepted")? > 0;
        let state = match (row.get("waiting")?, is_accepted) {
            _ if row.get::<i64>("revoked")? > 0 => SkillState::Revoked,
            (false, _) => SkillState::Accepted,
            (true, false) => SkillState::Quarantined,
            (true, true) => SkillState::UpdateWaiting,
        };
        Ok(Self {
            id: row.get("id")?,
            name: row.get("name")?,
            description: report.description,
            state,
            source: report.source,
            at: row.get("at")?,
            gravest: report.findings.iter().map(|finding| finding.rule.weight()).max(),
            agents: row.get("agents")?,
        })
    }
}

pub(super) async fn list(db: impl Executor<'_, Database = Any>, owner: &str) -> Result<Vec<SkillView>> {
    query([VIEWS, "ORDER BY s.name"], (owner,)).fetch_all(db).await
}

/// Those of which a version waits, by name.
pub(super) async fn waiting(db: impl Executor<'_, Database = Any>, owner: &str) -> Result<Vec<SkillView>> {
    query([VIEWS, "AND v.waiting = 1 ORDER BY s.name"], (owner,)).fetch_all(db).await
}

pub(super) async fn find(
    db: impl Executor<'_, Database = Any>,
    owner: &str,
    id: &SkillId,
) -> Result<Option<SkillView>> {
    query([VIEWS, "AND s.id = $2"], (owner, id)).fetch_optional(db).await
}

pub(super) async fn named(tx: &mut Transaction, owner: &UserId, name: &str) -> Result<Option<SkillId>> {
    query("SELECT id FROM skills WHERE user_id = $1 AND name = $2", (owner, name))
        .fetch_optional(&mut **tx)
        .await
}

pub(super) async fn version(
    db: impl Executor<'_, Database = Any>,
    owner: &str,
    id: &SkillId,
    which: Which,
) -> Result<Option<StoredVersion>> {
    query(
        "SELECT v.digest, v.report, v.vouched, v.at FROM skill_versions v JOIN skills s ON s.id = v.skill_id
         WHERE s.user_id = $1 AND s.id = $2 AND v.waiting = $3",
        (owner, id, which.is_waiting()),
    )
    .fetch_optional(db)
    .await
}

/// All files of a version, by their paths.
pub(super) async fn files(
    db: impl Executor<'_, Database = Any>,
    owner: &str,
    id: &SkillId,
    which: Which,
) -> Result<Parcel> {
    let files: Vec<(String, Vec<u8>)> = query(
        "SELECT f.path, f.bytes FROM skill_files f JOIN skills s ON s.id = f.skill_id
         WHERE s.user_id = $1 AND s.id = $2 AND f.waiting = $3",
        (owner, id, which.is_waiting()),
    )
    .fetch_all(db)
    .await?;
    Ok(Parcel(files.into_iter().collect::<BTreeMap<_, _>>()))
}

/// Puts a version in the place of the one that waited, if one did.
pub(super) async fn put_waiting(
    tx: &mut Transaction,
    id: &SkillId,
    version: &StoredVersion,
    parcel: &Parcel,
) -> Result<()> {
    delete_version(tx, id, Which::Waiting).await?;
    query(
        "INSERT INTO skill_versions (skill_id, waiting, digest, report, vouched, bytes, at)
         VALUES ($1, 1, $2, $3, $4, $5, $6)",
        (id, &version.digest, Json(&version.report), version.vouched, parcel.bytes(), version.at),
    )
    .execute(&mut **tx)
    .await?;
    for (path, bytes) in &parcel.0 {
        query(
            "INSERT INTO skill_files (skill_id, waiting, path, bytes) VALUES ($1, 1, $2, $3)",
            (id, path, bytes.as_slice()),
        )
        .execute(&mut **tx)
        .await?;
    }
    Ok(())
}

/// Of a skill that is known to be its owner's.
pub(super) async fn delete_version(tx: &mut Transaction, id: &SkillId, which: Which) -> Result<u64> {
    query("DELETE FROM skill_files WHERE skill_id = $1 AND waiting = $2", (id, which.is_waiting()))
        .execute(&mut **tx)
        .await?;
    query("DELETE FROM skill_versions WHERE skill_id = $1 AND waiting = $2", (id, which.is_waiting()))
        .execute(&mut **tx)
        .await
}

/// Makes the version that waits the accepted one.
pub(super) async fn accept(tx: &mut Transaction, id: &SkillId, vouched: bool) -> Result<()> {
    delete_version(tx, id, Which::Accepted).await?;
    query(
        "UPDATE skill_versions SET waiting = 0, vouched = $2 WHERE skill_id = $1 AND waiting = 1",
        (id, vouched),
    )
    .execute(&mut **tx)
    .await?;
    query("UPDATE skill_files SET waiting = 0 WHERE skill_id = $1 AND waiting = 1", (id,))
        .execute(&mut **tx)
        .await?;
    Ok(())
}
