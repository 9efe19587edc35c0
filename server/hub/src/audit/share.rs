//! Whose room a line takes. The lines of administrators, and of the hub itself, take nobody's.

use super::write::AuditEvent;
use crate::error::Result;
use crate::store::{Row, Transaction, query};
use protocol::view::{AuditVia, Role};

/// What strangers make by failing to sign in.
const STRANGERS: &str = "-";

/// Lines of one, and of all who are counted.
const MOST_OF_ONE: i64 = 50_000;
const MAX_LINES: i64 = 500_000;

/// Lines that are too many: the oldest ones of this kind.
#[derive(Debug)]
pub(super) struct Excess {
    pub(super) share: String,
    pub(super) action: String,
    pub(super) lines: i64,
}

/// Empty: nobody's.
pub(super) fn of<'a>(line: &'a AuditEvent<'_>) -> &'a str {
    match (line.actor.via, line.actor.me) {
        (AuditVia::Visitor, _) => STRANGERS,
        (AuditVia::Terminal, _) => "",
        (AuditVia::Browser | AuditVia::Token | AuditVia::Hub, Some(me)) if me.role == Role::Admin => "",
        (AuditVia::Browser | AuditVia::Token | AuditVia::Hub, Some(me)) => &me.id.0,
        (AuditVia::Browser | AuditVia::Token | AuditVia::Hub, None) => line.person.map_or("", |(id, _)| id),
    }
}

/// Whether a person is behind it.
pub(super) fn is_of_person(share: &str) -> bool {
    share != STRANGERS
}

pub(super) async fn count(tx: &mut Transaction, share: &str, action: &str, lines: i64) -> Result<()> {
    if share.is_empty() {
        return Ok(());
    }
    query(
        "INSERT INTO audit_shares (share, action, lines) VALUES ($1, $2, $3)
         ON CONFLICT (share, action) DO UPDATE SET lines = audit_shares.lines + excluded.lines",
        (share, action, lines),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Takes what is older than this out of the counts.
pub(super) async fn forget_until(tx: &mut Transaction, seq: i64) -> Result<()> {
    query(
        "UPDATE audit_shares SET lines = lines - (SELECT COUNT(*) FROM audit
             WHERE audit.share = audit_shares.share AND audit.action = audit_shares.action
             AND audit.seq <= $1)",
        (seq,),
    )
    .execute(&mut **tx)
    .await?;
    query("DELETE FROM audit_shares WHERE lines <= 0", ()).execute(&mut **tx).await?;
    Ok(())
}

/// Who has most gives first, of what they have most of: what somebody writes pushes out what they wrote
/// before of the same kind, and nothing else.
pub(super) async fn excess(tx: &mut Transaction) -> Result<Option<Excess>> {
    let row = query(
        "SELECT share, CAST(SUM(lines) AS BIGINT) AS lines,
                (SELECT CAST(SUM(lines) AS BIGINT) FROM audit_shares) AS all_lines
         FROM audit_shares GROUP BY share ORDER BY 2 DESC, share LIMIT 1",
        (),
    )
    .fetch_optional::<Row>(&mut **tx)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let (share, lines): (String, i64) = (row.get("share")?, row.get("lines")?);
    let lines = (lines - MOST_OF_ONE).max(row.get::<i64>("all_lines")? - MAX_LINES);
    if lines <= 0 {
        return Ok(None);
    }
    let action =
        query("SELECT action FROM audit_shares WHERE share = $1 ORDER BY lines DESC LIMIT 1", (&share,))
            .fetch_one(&mut **tx)
            .await?;
    Ok(Some(Excess { share, action, lines }))
}
