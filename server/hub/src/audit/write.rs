//! Adding a line, in the transaction of what it tells.

use super::chain::{Head, Stored};
use super::scrub::scrub;
use super::word;
use crate::Hub;
use crate::access::{Via, Viewer, Visitor};
use crate::error::Result;
use crate::store::Transaction;
use protocol::view::{AuditAction, AuditOutcome, AuditVia, Me};
use sqlx::Row as _;
use std::net::IpAddr;

/// How long lines are kept, and calls: 400 days.
pub(crate) const KEPT_MS: i64 = 400 * 24 * 60 * 60 * 1000;
/// How many lines are kept at most: strangers can make some, by failing to sign in.
const MOST: i64 = 500_000;
/// Lines between two looks for old ones.
const PRUNED_EVERY: i64 = 512;

/// Who did it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Actor<'a> {
    me: Option<&'a Me>,
    via: AuditVia,
    address: Option<IpAddr>,
}

/// What is to be written down.
#[derive(Clone, Debug)]
pub(crate) struct Line<'a> {
    action: AuditAction,
    outcome: AuditOutcome,
    actor: Actor<'a>,
    /// Id and name.
    person: Option<(&'a str, &'a str)>,
    object: String,
}

impl<'a> From<&'a Viewer> for Actor<'a> {
    fn from(viewer: &'a Viewer) -> Self {
        let via = match viewer.via {
            Via::Device(_) => AuditVia::Browser,
            Via::Token(_) => AuditVia::Token,
            Via::Terminal => AuditVia::Terminal,
        };
        Self { me: Some(&viewer.me), via, address: viewer.address }
    }
}

impl From<&Visitor<'_>> for Actor<'_> {
    fn from(visitor: &Visitor<'_>) -> Self {
        Self { me: None, via: AuditVia::Visitor, address: visitor.address }
    }
}

impl Actor<'_> {
    pub(crate) fn terminal() -> Self {
        Self { me: None, via: AuditVia::Terminal, address: None }
    }

    /// The hub itself, or an agent in it.
    pub(crate) fn hub() -> Self {
        Self { me: None, via: AuditVia::Hub, address: None }
    }
}

impl<'a> Line<'a> {
    /// Something that was done, and that concerns whoever did it.
    pub(crate) fn done(action: AuditAction, actor: impl Into<Actor<'a>>) -> Self {
        let actor = actor.into();
        let person = actor.me.map(|me| (me.id.0.as_str(), me.name.as_str()));
        Self { action, outcome: AuditOutcome::Done, actor, person, object: String::new() }
    }

    pub(crate) fn refused(self) -> Self {
        Self { outcome: AuditOutcome::Refused, ..self }
    }

    /// It concerns this person.
    pub(crate) fn about(self, id: &'a str, name: &'a str) -> Self {
        Self { person: Some((id, name)), ..self }
    }

    /// It concerns the whole hub.
    pub(crate) fn about_nobody(self) -> Self {
        Self { person: None, ..self }
    }

    /// What it was done to or with; never a secret.
    pub(crate) fn object(self, object: &str) -> Self {
        Self { object: scrub(object), ..self }
    }
}

impl Hub {
    /// Adds a line. It waits for other lines until this transaction ends, so it comes last in it.
    pub(crate) async fn note(&self, tx: &mut Transaction, line: Line<'_>) -> Result<()> {
        let key = self.audit_key();
        let mut writer = Writer::lock(tx, &key, self.now()).await?;
        writer.push(&line).await?;
        writer.finish(&key).await
    }
}

struct Writer<'t> {
    tx: &'t mut Transaction,
    head: Head,
    now: i64,
}

impl<'t> Writer<'t> {
    /// Takes the end of the audit. One that is not what it was is not sealed anew: the audit begins
    /// again here, and says so for ever.
    async fn lock(tx: &'t mut Transaction, key: &[u8; 32], now: i64) -> Result<Self> {
        sqlx::query(
            "INSERT INTO audit_head (id, seq, hash, first_seq, before_hash, seal)
             VALUES (1, 0, '', 1, '', '') ON CONFLICT DO NOTHING",
        )
        .execute(&mut **tx)
        .await?;
        let row = sqlx::query(
            "UPDATE audit_head SET id = id WHERE id = 1
             RETURNING seq, hash, first_seq, before_hash, seal",
        )
        .fetch_one(&mut **tx)
        .await?;
        let head = Head {
            seq: row.try_get("seq")?,
            hash: row.try_get("hash")?,
            first_seq: row.try_get("first_seq")?,
            before_hash: row.try_get("before_hash")?,
        };
        let newest = sqlx::query("SELECT COALESCE(MAX(seq), 0) FROM audit").fetch_one(&mut **tx).await?;
        let newest: i64 = newest.try_get(0)?;
        // Lines beyond the end: an older end was put back, as when tables of two backups are mixed.
        let fits = head.fits(key, &row.try_get::<String, _>("seal")?) && newest <= head.seq;
        let is_new = head.seq == 0 && newest == 0;
        let mut writer = Self { tx, head, now };
        if !fits {
            writer.head.seq = writer.head.seq.max(newest);
            writer.head.first_seq = writer.head.seq + 1;
            writer.head.before_hash = writer.head.hash.clone();
            let started = Line::done(AuditAction::LogStarted, Actor::hub());
            writer.push(&if is_new { started } else { started.refused() }).await?;
        }
        Ok(writer)
    }

    async fn push(&mut self, line: &Line<'_>) -> Result<()> {
        let (actor, actor_name) = line.actor.me.map_or(("", ""), |me| (me.id.0.as_str(), me.name.as_str()));
        let (person, person_name) = line.person.unwrap_or_default();
        let stored = Stored {
            seq: self.head.seq + 1,
            at: self.now,
            action: word(line.action)?,
            outcome: word(line.outcome)?,
            actor: actor.to_owned(),
            actor_name: actor_name.to_owned(),
            via: word(line.actor.via)?,
            person: person.to_owned(),
            person_name: person_name.to_owned(),
            object: line.object.clone(),
            address: line.actor.address.map(|address| address.to_string()).unwrap_or_default(),
        };
        let hash = stored.hash(&self.head.hash);
        sqlx::query(
            "INSERT INTO audit (seq, at, action, outcome, actor, actor_name, via, person, person_name, object,
                                address, hash)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
        )
        .bind(stored.seq)
        .bind(stored.at)
        .bind(stored.action)
        .bind(stored.outcome)
        .bind(stored.actor)
        .bind(stored.actor_name)
        .bind(stored.via)
        .bind(stored.person)
        .bind(stored.person_name)
        .bind(stored.object)
        .bind(stored.address)
        .bind(&hash)
        .execute(&mut **self.tx)
        .await?;
        self.head.seq = stored.seq;
        self.head.hash = hash;
        Ok(())
    }

    async fn finish(mut self, key: &[u8; 32]) -> Result<()> {
        if self.head.seq % PRUNED_EVERY == 0 {
            self.prune().await?;
        }
        sqlx::query(
            "UPDATE audit_head SET seq = $1, hash = $2, first_seq = $3, before_hash = $4, seal = $5 WHERE id = 1",
        )
        .bind(self.head.seq)
        .bind(&self.head.hash)
        .bind(self.head.first_seq)
        .bind(&self.head.before_hash)
        .bind(self.head.seal(key))
        .execute(&mut **self.tx)
        .await?;
        Ok(())
    }

    /// Lets go of lines that are too old, or too many.
    async fn prune(&mut self) -> Result<()> {
        let last = sqlx::query(
            "SELECT seq, hash FROM audit WHERE seq >= $1 AND (at < $2 OR seq <= $3) ORDER BY seq DESC LIMIT 1",
        )
        .bind(self.head.first_seq)
        .bind(self.now - KEPT_MS)
        .bind(self.head.seq - MOST)
        .fetch_optional(&mut **self.tx)
        .await?;
        let Some(last) = last else { return Ok(()) };
        let seq: i64 = last.try_get("seq")?;
        sqlx::query("DELETE FROM audit WHERE seq <= $1").bind(seq).execute(&mut **self.tx).await?;
        self.head.first_seq = seq + 1;
        self.head.before_hash = last.try_get("hash")?;
        Ok(())
    }
}
