//! Peers and their agents, in the store.

use super::card::Offer;
use super::presence::pause_by_chance_ms;
use crate::agent_cards::CardKey;
use crate::error::Result;
use crate::store::{FromRow, Json, Row, Transaction, query};
use crate::vault::AssociatedData;
use protocol::view::{PeerAgentState, PeerAgentView, PeerView};
use protocol::{PeerAgentId, PeerId};
use sqlx::{Any, Executor};

/// What is kept for a peer in the vault.
const TOKEN: &str = "peer";

pub(super) fn token_place<'a>(owner: &'a str, id: &'a PeerId, server: &'a str) -> AssociatedData<'a> {
    AssociatedData { user: owner, provider: &id.0, purpose: TOKEN, server: Some(server) }
}

const PEERS: &str =
    "SELECT p.id, p.name, p.url, p.has_token, p.is_on, p.looked_at, p.failure, p.left_out, p.signer, p.away_since,
         (SELECT COUNT(*) FROM peer_agents a WHERE a.peer_id = p.id AND a.is_on = 1) AS agents_on,
         (SELECT COUNT(*) FROM peer_agents a WHERE a.peer_id = p.id AND a.is_on = 0) AS agents_off
     FROM peers p WHERE p.user_id = $1";

/// By name.
pub(super) async fn list(db: impl Executor<'_, Database = Any>, owner: &str) -> Result<Vec<PeerView>> {
    query([PEERS, "ORDER BY p.name"], (owner,)).fetch_all(db).await
}

pub(super) async fn find(
    db: impl Executor<'_, Database = Any>,
    owner: &str,
    id: &PeerId,
) -> Result<Option<PeerView>> {
    query([PEERS, "AND p.id = $2"], (owner, id)).fetch_optional(db).await
}

pub(super) async fn find_named(
    db: impl Executor<'_, Database = Any>,
    owner: &str,
    name: &str,
) -> Result<Option<PeerView>> {
    query([PEERS, "AND p.name = LOWER($2)"], (owner, name)).fetch_optional(db).await
}

pub(super) async fn insert(
    tx: &mut Transaction,
    owner: &str,
    id: &PeerId,
    name: &str,
    url: &str,
    has_token: bool,
    now: i64,
) -> Result<()> {
    query(
        "INSERT INTO peers (id, user_id, name, url, has_token, created_at, look_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        (id, owner, name, url, has_token, now, now + pause_by_chance_ms(0)),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

pub(super) async fn set_token(tx: &mut Transaction, owner: &str, id: &PeerId, has_token: bool) -> Result<()> {
    query("UPDATE peers SET has_token = $3 WHERE user_id = $1 AND id = $2", (owner, id, has_token))
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// One that is on again is looked at soon.
pub(super) async fn switch(tx: &mut Transaction, owner: &str, id: &PeerId, on: bool, now: i64) -> Result<()> {
    query(
        "UPDATE peers SET is_on = $3, away_since = NULL, misses = 0, look_at = $4
         WHERE user_id = $1 AND id = $2",
        (owner, id, on, now),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

pub(super) async fn delete(tx: &mut Transaction, owner: &str, id: &PeerId) -> Result<u64> {
    query("DELETE FROM peers WHERE user_id = $1 AND id = $2", (owner, id)).execute(&mut **tx).await
}

/// By which its cards are signed, if they are, and how often in a row it did not answer.
pub(super) async fn standing(
    db: impl Executor<'_, Database = Any>,
    owner: &str,
    id: &PeerId,
) -> Result<(Option<CardKey>, i64)> {
    let (signer, misses): (Option<String>, i64) =
        query("SELECT signer, misses FROM peers WHERE user_id = $1 AND id = $2", (owner, id))
            .fetch_optional(db)
            .await?
            .unwrap_or_default();
    Ok((signer.and_then(|signer| CardKey::from_text(&signer)), misses))
}

/// It said which agents it has, in cards that are signed by this key. Once there is one, it stays.
pub(super) async fn looked(
    tx: &mut Transaction,
    owner: &str,
    id: &PeerId,
    left_out: usize,
    signer: Option<&CardKey>,
    now: i64,
) -> Result<u64> {
    query(
        "UPDATE peers SET looked_at = $3, failure = NULL, left_out = $4, signer = COALESCE(signer, $5),
             away_since = NULL, misses = 0, look_at = $6
         WHERE user_id = $1 AND id = $2",
        (owner, id, now, left_out, signer.map(CardKey::in_text), now + pause_by_chance_ms(0)),
    )
    .execute(&mut **tx)
    .await
}

/// Why it did not, so many times in a row.
pub(super) async fn failed(
    tx: &mut Transaction,
    owner: &str,
    id: &PeerId,
    why: &str,
    misses: i64,
    now: i64,
) -> Result<()> {
    query(
        "UPDATE peers SET failure = $3, away_since = COALESCE(away_since, $4), misses = $5, look_at = $6
         WHERE user_id = $1 AND id = $2",
        (owner, id, why, now, misses, now + pause_by_chance_ms(misses)),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Nobody came to ask it, for this reason. That says nothing of it.
pub(super) async fn not_asked(
    tx: &mut Transaction,
    owner: &str,
    id: &PeerId,
    why: &str,
    now: i64,
) -> Result<()> {
    query(
        "UPDATE peers SET failure = $3, look_at = $4 WHERE user_id = $1 AND id = $2",
        (owner, id, why, now + pause_by_chance_ms(0)),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// An agent of a peer as it is kept.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct AgentRow {
    pub(super) id: PeerAgentId,
    pub(super) offered: Offer,
    pub(super) accepted: Option<Offer>,
    pub(super) is_on: bool,
}

impl AgentRow {
    /// Its person said yes to it in these words.
    pub(super) fn accept(&mut self) {
        self.accepted = Some(self.offered.clone());
        self.is_on = true;
    }

    /// What agents are told of it.
    pub(super) fn words(&self) -> &Offer {
        self.accepted.as_ref().unwrap_or(&self.offered)
    }

    /// By an agent that names it or its id.
    pub(super) fn is_called(&self, name: &str) -> bool {
        self.id.0 == name || self.words().name.eq_ignore_ascii_case(name)
    }

    pub(super) fn view(self) -> PeerAgentView {
        let Offer { name, about, url, .. } = self.words().clone();
        let says_the_same = self.words().says_the_same(&self.offered);
        let digest = self.offered.digest();
        let state = match (self.offered.problem, self.is_on) {
            (Some(why), _) => PeerAgentState::Unusable { why },
            (None, false) => PeerAgentState::Off,
            (None, true) if says_the_same => PeerAgentState::On,
            (None, true) => PeerAgentState::Changed { name: self.offered.name, about: self.offered.about },
        };
        PeerAgentView { id: self.id, name, about, url, digest, state }
    }
}

/// The agents of a peer, in the order in which they came to be known.
pub(super) async fn agents(
    db: impl Executor<'_, Database = Any>,
    owner: &str,
    id: &PeerId,
) -> Result<Vec<AgentRow>> {
    query(
        "SELECT a.id, a.offered, a.accepted, a.is_on FROM peer_agents a JOIN peers p ON p.id = a.peer_id
         WHERE p.user_id = $1 AND p.id = $2 ORDER BY a.id",
        (owner, id),
    )
    .fetch_all(db)
    .await
}

/// Those of all peers that may be asked, with the name of the peer, and since when that is away.
pub(super) async fn callable(
    db: impl Executor<'_, Database = Any>,
    owner: &str,
) -> Result<Vec<(String, Option<i64>, AgentRow)>> {
    let rows: Vec<Row> = query(
        "SELECT p.name, p.away_since, a.id, a.offered, a.accepted, a.is_on FROM peer_agents a JOIN peers p ON p.id = a.peer_id
         WHERE p.user_id = $1 AND p.is_on = 1 AND a.is_on = 1 ORDER BY p.name, a.id",
        (owner,),
    )
    .fetch_all(db)
    .await?;
    rows.iter().map(|row| Ok((row.get("name")?, row.get("away_since")?, AgentRow::from_row(row)?))).collect()
}

/// Puts an agent of a peer that is known to be its person's.
pub(super) async fn put(tx: &mut Transaction, peer: &PeerId, agent: &AgentRow) -> Result<()> {
    query(
        "INSERT INTO peer_agents (id, peer_id, url, offered, accepted, is_on) VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (peer_id, url) DO UPDATE
         SET offered = excluded.offered, accepted = excluded.accepted, is_on = excluded.is_on",
        (
            &agent.id,
            peer,
            &agent.offered.url,
            Json(&agent.offered),
            agent.accepted.as_ref().map(Json),
            agent.is_on,
        ),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Forgets an agent of a peer that is known to be its person's.
pub(super) async fn forget(tx: &mut Transaction, peer: &PeerId, agent: &PeerAgentId) -> Result<()> {
    query("DELETE FROM peer_agents WHERE peer_id = $1 AND id = $2", (peer, agent)).execute(&mut **tx).await?;
    Ok(())
}

impl FromRow for PeerView {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            id: row.get("id")?,
            name: row.get("name")?,
            url: row.get("url")?,
            has_token: row.get("has_token")?,
            is_on: row.get("is_on")?,
            looked_at: row.get("looked_at")?,
            failure: row.get("failure")?,
            agents_on: row.get("agents_on")?,
            agents_off: row.get("agents_off")?,
            left_out: row.get("left_out")?,
            signed: row.get::<Option<String>>("signer")?.is_some(),
            away_since: row.get("away_since")?,
        })
    }
}

impl FromRow for AgentRow {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            id: row.get("id")?,
            offered: row.get::<Json<_>>("offered")?.0,
            accepted: row.get::<Option<Json<_>>>("accepted")?.map(|Json(offer)| offer),
            is_on: row.get("is_on")?,
        })
    }
}
