//! Adding a line, in the transaction of what it tells.

use super::chain::{Head, StoredLine};
use super::scrub::scrub;
use super::{prune, share};
use crate::access::{Via, Viewer, Visitor};
use crate::audit::Audit;
use crate::error::Result;
use crate::store::{Row, Transaction, name_of, query};
use protocol::ApprovalId;
use protocol::view::{AuditAction, AuditOutcome, AuditVia, Me};
use std::net::IpAddr;

/// How long lines are kept, and calls: 400 days.
pub(crate) const KEPT_MS: i64 = 400 * 24 * 60 * 60 * 1000;
/// Lines between two looks for those that can go.
const PRUNED_EVERY: i64 = 512;

/// Who did it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Actor<'a> {
    pub(super) me: Option<&'a Me>,
    pub(super) via: AuditVia,
    address: Option<IpAddr>,
}

/// What is to be written down.
#[derive(Clone, Debug)]
pub(crate) struct AuditEvent<'a> {
    action: AuditAction,
    outcome: AuditOutcome,
    pub(super) actor: Actor<'a>,
    /// Id and name.
    pub(super) person: Option<(&'a str, &'a str)>,
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

impl<'a> AuditEvent<'a> {
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

    /// The question that it answers, by an id that the hub gave: no word of anybody's, and no secret.
    pub(crate) fn answering(self, approval: &ApprovalId) -> Self {
        Self { object: format!("{}, approval {approval}", self.object), ..self }
    }
}

impl Audit<'_> {
    /// Adds a line. It waits for other lines until this transaction ends, so it comes last in it.
    pub(crate) async fn note(self, tx: &mut Transaction, line: AuditEvent<'_>) -> Result<()> {
        let key = self.key();
        let mut writer = Writer::lock(tx, &key, self.hub.now()).await?;
        writer.push(&line).await?;
        writer.finish(&key).await
    }
}

struct Writer<'t> {
    tx: &'t mut Transaction,
    head: Head,
    /// The newest line when the writer came.
    came_at: i64,
    now: i64,
}

impl<'t> Writer<'t> {
    /// Takes the end of the audit. One that is not what it was is not sealed anew: the audit begins
    /// again here, and says so for ever.
    async fn lock(tx: &'t mut Transaction, key: &[u8; 32], now: i64) -> Result<Self> {
        query(
            "INSERT INTO audit_head (id, seq, hash, first_seq, before_hash, seal)
             VALUES (1, 0, '', 1, '', '') ON CONFLICT DO NOTHING",
            (),
        )
        .execute(&mut **tx)
        .await?;
        let row = query(
            "UPDATE audit_head SET id = id WHERE id = 1
             RETURNING seq, hash, first_seq, before_hash, seal",
            (),
        )
        .fetch_one::<Row>(&mut **tx)
        .await?;
        let head = Head {
            seq: row.get("seq")?,
            hash: row.get("hash")?,
            first_seq: row.get("first_seq")?,
            before_hash: row.get("before_hash")?,
        };
        let newest = query("SELECT COALESCE(MAX(seq), 0) FROM audit", ()).fetch_one::<Row>(&mut **tx).await?;
        let newest: i64 = newest.get(0)?;
        // Lines beyond the end: an older end was put back, as when tables of two backups are mixed.
        let fits = head.fits(key, &row.get::<String>("seal")?) && newest <= head.seq;
        let is_new = head.seq == 0 && newest == 0;
        let came_at = head.seq;
        let mut writer = Self { tx, head, came_at, now };
        if !fits {
            writer.head.seq = writer.head.seq.max(newest);
            writer.head.first_seq = writer.head.seq + 1;
            writer.head.before_hash = writer.head.hash.clone();
            let started = AuditEvent::done(AuditAction::LogStarted, Actor::hub());
            writer.push(&if is_new { started } else { started.refused() }).await?;
        }
        Ok(writer)
    }

    async fn push(&mut self, line: &AuditEvent<'_>) -> Result<()> {
        let (actor, actor_name) = line.actor.me.map_or(("", ""), |me| (me.id.0.as_str(), me.name.as_str()));
        let (person, person_name) = line.person.unwrap_or_default();
        let stored = StoredLine {
            seq: self.head.seq + 1,
            at: self.now,
            action: name_of(&line.action)?,
            outcome: name_of(&line.outcome)?,
            actor: actor.to_owned(),
            actor_name: actor_name.to_owned(),
            via: name_of(&line.actor.via)?,
            person: person.to_owned(),
            person_name: person_name.to_owned(),
            object: line.object.clone(),
            address: line.actor.address.map(|address| address.to_string()).unwrap_or_default(),
        };
        let hash = stored.hash(&self.head.hash);
        // What makes room takes none.
        let share = if line.action == AuditAction::LinesLetGo { "" } else { share::of(line) };
        share::count(self.tx, share, &stored.action, 1).await?;
        query(
            "INSERT INTO audit (seq, at, action, outcome, actor, actor_name, via, person, person_name,
                                object, address, hash, share)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
            (
                stored.seq,
                stored.at,
                stored.action,
                stored.outcome,
                stored.actor,
                stored.actor_name,
                stored.via,
                stored.person,
                stored.person_name,
                stored.object,
                stored.address,
                &hash,
                share,
            ),
        )
        .execute(&mut **self.tx)
        .await?;
        self.head.seq = stored.seq;
        self.head.hash = hash;
        Ok(())
    }

    async fn finish(mut self, key: &[u8; 32]) -> Result<()> {
        if self.head.seq / PRUNED_EVERY > self.came_at / PRUNED_EVERY {
            self.prune(key).await?;
        }
        query(
            "UPDATE audit_head SET seq = $1, hash = $2, first_seq = $3, before_hash = $4, seal = $5
             WHERE id = 1",
            (
                self.head.seq,
                &self.head.hash,
                self.head.first_seq,
                &self.head.before_hash,
                self.head.seal(key),
            ),
        )
        .execute(&mut **self.tx)
        .await?;
        Ok(())
    }

    async fn prune(&mut self, key: &[u8; 32]) -> Result<()> {
        prune::old(self.tx, &mut self.head, self.now - KEPT_MS).await?;
        let Some(let_go) = prune::too_many(self.tx, key, &self.head).await? else { return Ok(()) };
        let line = AuditEvent::done(AuditAction::LinesLetGo, Actor::hub()).object(&let_go.what);
        let person = let_go.person.as_ref();
        self.push(&match person {
            Some((id, name)) => line.about(id, name),
            None => line,
        })
        .await
    }
}
