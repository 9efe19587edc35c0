//! The statements of delegations.

use super::across::Across;
use crate::error::Result;
use crate::store::{Connection, FromRow, Row, Transaction, query};
use protocol::hub::Noun;
use protocol::view::{ChainBeginning, DelegationKind, DelegationState};
use protocol::{AgentId, ConversationId, DelegationId, Micros, RunId, UserId};
use sqlx::{Any, Executor};

#[derive(Clone, Debug)]
pub(crate) struct Delegation {
    pub(crate) id: DelegationId,
    pub(crate) kind: DelegationKind,
    pub(crate) asker: AgentId,
    pub(super) asker_name: String,
    pub(super) asker_run: RunId,
    pub(super) asker_conversation: ConversationId,
    pub(crate) agent: AgentId,
    pub(crate) name: String,
    pub(crate) conversation: ConversationId,
    pub(super) run: Option<RunId>,
    pub(super) chain: RunId,
    pub(super) depth: i64,
    pub(super) begun_by: ChainBeginning,
    pub(super) begun_with: String,
    pub(super) task: String,
    pub(super) untrusted: bool,
    pub(super) private: bool,
    pub(crate) state: DelegationState,
    pub(crate) why: String,
    pub(super) created_at: i64,
    pub(super) started_at: Option<i64>,
    pub(super) finished_at: Option<i64>,
    /// When it ends, or is given up while it is queued.
    pub(super) until: i64,
    pub(super) cost: Micros,
    /// The last words of an agent elsewhere.
    pub(super) latest: String,
    /// Set where an agent of somebody else is asked. The agent and the conversation above are then the asker's.
    pub(super) across: Option<Across>,
    /// Of one that is over: an agent elsewhere wants to hear more before it goes on.
    pub(crate) asks: bool,
}

/// With the names of both agents, and what its chain began with: those of a pipeline have no first run, and of one that
/// began with somebody else nothing is told.
pub(super) const DELEGATIONS: &str =
    "SELECT d.id, d.kind, d.asker_id, d.asker_run, d.asker_conversation, d.agent_id,
            d.conversation_id, d.run_id, d.chain, d.depth, d.task, d.untrusted, d.private, d.state, d.why,
            d.created_at, d.started_at, d.finished_at, d.until,
            COALESCE(p.latest, '') AS latest, COALESCE(p.asks, 0) AS asks, o.name AS asker_name, COALESCE(p.name, s.name, a.name) AS agent_name,
            COALESCE(r.cost, 0) AS cost, s.share_id, s.token_id AS share_token, s.owner_id AS share_owner,
            s.agent_id AS share_agent, w.name AS share_agent_name, s.conversation_id AS share_conversation,
            s.asker AS share_asker,
            COALESCE(b.name, '') AS begun_with,
            CASE WHEN c.id IS NULL AND d.asker_run = d.chain THEN 'pipeline' WHEN b.id IS NULL THEN 'unknown'
                 WHEN c.asked_by IS NOT NULL THEN 'program' WHEN c.schedule_id IS NOT NULL THEN 'schedule'
                 WHEN c.ambient = 1 THEN 'thought' ELSE 'conversation' END AS begun_by
     FROM delegations d JOIN agents o ON o.id = d.asker_id JOIN agents a ON a.id = d.agent_id
     LEFT JOIN runs r ON r.id = d.run_id LEFT JOIN peer_tasks p ON p.delegation_id = d.id
     LEFT JOIN shared_tasks s ON s.delegation_id = d.id LEFT JOIN agents w ON w.id = s.agent_id
     LEFT JOIN runs c ON c.id = d.chain LEFT JOIN agents b ON b.id = c.agent_id AND b.user_id = d.user_id
     WHERE";

impl FromRow for Delegation {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            id: row.get("id")?,
            kind: row.get("kind")?,
            asker: row.get("asker_id")?,
            asker_name: row.get("asker_name")?,
            asker_run: row.get("asker_run")?,
            asker_conversation: row.get("asker_conversation")?,
            agent: row.get("agent_id")?,
            name: row.get("agent_name")?,
            conversation: row.get("conversation_id")?,
            run: row.get("run_id")?,
            chain: row.get("chain")?,
            depth: row.get("depth")?,
            begun_by: row.get("begun_by")?,
            begun_with: row.get("begun_with")?,
            task: row.get("task")?,
            untrusted: row.get::<i64>("untrusted")? == 1,
            private: row.get::<i64>("private")? == 1,
            state: row.get("state")?,
            why: row.get("why")?,
            created_at: row.get("created_at")?,
            started_at: row.get("started_at")?,
            finished_at: row.get("finished_at")?,
            until: row.get("until")?,
            cost: row.get("cost")?,
            latest: row.get("latest")?,
            across: Across::of(row)?,
            asks: row.get::<i64>("asks")? == 1,
        })
    }
}

/// Whose agent asked, and of somebody else's agent whose that is.
const WHOSE: &str = "SELECT DISTINCT d.user_id, s.owner_id FROM delegations d
     LEFT JOIN shared_tasks s ON s.delegation_id = d.id WHERE";

/// Which of them a transaction changes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Changed<'a> {
    One(&'a DelegationId),
    CarriedOutBy(&'a RunId),
    AskedBy(&'a RunId),
    OfChain(&'a RunId),
}

/// The pages of who asked, and of who has the agent, show them otherwise once the transaction is committed.
pub(super) async fn change(tx: &mut Transaction, which: Changed<'_>) -> Result<()> {
    let whose = match which {
        Changed::One(id) => query([WHOSE, "d.id = $1"], (id,)),
        Changed::CarriedOutBy(run) => query([WHOSE, "d.run_id = $1"], (run,)),
        Changed::AskedBy(run) => query([WHOSE, "d.asker_run = $1"], (run,)),
        Changed::OfChain(chain) => query([WHOSE, "d.chain = $1"], (chain,)),
    };
    let whose: Vec<(UserId, Option<UserId>)> = whose.fetch_all(&mut **tx).await?;
    for (asker, owner) in &whose {
        tx.changes(asker, Noun::Delegations);
        if let Some(owner) = owner {
            tx.changes(owner, Noun::Delegations);
        }
    }
    Ok(())
}

/// Of those that this run asked for, these.
pub(super) async fn of_run<'e>(
    executor: impl Executor<'e, Database = Any>,
    asker_run: &RunId,
    which: Which,
) -> Result<Vec<Delegation>> {
    let and = match which {
        Which::Running => "d.asker_run = $1 AND d.state = 'running' ORDER BY d.created_at, d.id",
        Which::Undelivered => {
            "d.asker_run = $1 AND d.state NOT IN ('queued', 'running') AND d.delivered = 0
             ORDER BY d.finished_at, d.id"
        }
        Which::Open => "d.asker_run = $1 AND d.state IN ('queued', 'running') ORDER BY d.created_at, d.id",
        Which::OverWithOthers => {
            "d.asker_run = $1 AND d.kind = 'sub_agent' AND d.state NOT IN ('queued', 'running')
             AND EXISTS (SELECT 1 FROM delegations w WHERE w.asker_run = d.run_id)"
        }
    };
    query([DELEGATIONS, and], (asker_run,)).fetch_all(executor).await
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Which {
    Running,
    /// Over, and the asker knows nothing of it.
    Undelivered,
    /// Not over.
    Open,
    /// Sub-agents whose task is over, and which had others made for it.
    OverWithOthers,
}

/// The one that this run carries out.
pub(super) async fn carried_out_by<'e>(
    executor: impl Executor<'e, Database = Any>,
    run: &RunId,
) -> Result<Option<Delegation>> {
    query([DELEGATIONS, "d.run_id = $1"], (run,)).fetch_optional(executor).await
}

/// The chain that a run belongs to and how far down it stands in it.
pub(super) async fn chain_of(connection: &mut Connection, run: &RunId) -> Result<(RunId, i64)> {
    let chain: Option<RunId> = query("SELECT COALESCE(chain, id) FROM runs WHERE id = $1", (run,))
        .fetch_optional(&mut *connection)
        .await?;
    let chain = chain.unwrap_or_else(|| run.clone());
    let depth: Option<i64> = query("SELECT depth FROM delegations WHERE run_id = $1", (run,))
        .fetch_optional(&mut *connection)
        .await?;
    if let Some(depth) = depth {
        return Ok((chain, depth));
    }
    // What came in from another hub began as deep as it was there.
    let begun: Option<i64> = query("SELECT asked_depth FROM runs WHERE id = $1", (&chain,))
        .fetch_optional(&mut *connection)
        .await?;
    Ok((chain, begun.unwrap_or(0)))
}
