//! Into which answers memories went: those that stood in the prompt of a run, and those that it found.

use super::{Memories, OwnMemories, rows};
use crate::error::{Error, Result};
use crate::store::{FromRow, Json, Row, query};
use protocol::hub::Noun;
use protocol::view::{Memory, MemoryAnswer, MemoryList, MemoryState, MemoryUse};
use protocol::{MemoryId, RunId, UserId};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Answers that are looked through, the last ones, and those of them that are named for a memory.
pub(super) const ANSWERS: u32 = 300;
const NAMED: usize = 3;
/// Memories that are noted for a run.
const MOST_NOTED: usize = 300;
/// Those of a search that count as used.
const USED: usize = 3;

/// A run with what went into it.
struct Answered {
    answer: MemoryAnswer,
    memories: Vec<MemoryId>,
}

impl FromRow for Answered {
    fn from_row(row: &Row) -> Result<Self> {
        let Json(memories) = row.get("memories")?;
        let answer = MemoryAnswer {
            agent: row.get("agent_id")?,
            agent_name: row.get("name")?,
            conversation: row.get("conversation_id")?,
            seq: row.get("seq")?,
            at: row.get("started_at")?,
        };
        Ok(Self { answer, memories })
    }
}

/// What went into a run, and what counts as used because of it.
#[derive(Default)]
struct OfRun {
    noted: Vec<MemoryId>,
    counted: BTreeSet<MemoryId>,
}

impl FromRow for OfRun {
    fn from_row(row: &Row) -> Result<Self> {
        let noted: Option<Json<_>> = row.get("memories")?;
        let counted: Option<Json<_>> = row.get("used_memories")?;
        Ok(Self {
            noted: noted.map(|Json(noted)| noted).unwrap_or_default(),
            counted: counted.map(|Json(counted)| counted).unwrap_or_default(),
        })
    }
}

impl OwnMemories<'_> {
    /// The uses of these among the viewer's last answers that any memory went into.
    pub(super) async fn uses(self, shown: &[Memory]) -> Result<Vec<MemoryUse>> {
        let answers: Vec<Answered> = query(
            "SELECT r.agent_id, a.name, r.conversation_id, r.started_at, r.memories,
                 (SELECT e.seq FROM entries e WHERE e.run_id = r.id AND e.kind = 'block'
                  ORDER BY e.ordinal DESC LIMIT 1) AS seq
             FROM runs r JOIN agents a ON a.id = r.agent_id
             WHERE r.id IN (
                 SELECT l.id FROM runs l JOIN agents o ON o.id = l.agent_id
                 JOIN conversations c ON c.id = l.conversation_id
                 WHERE o.user_id = $1 AND l.memories IS NOT NULL AND c.deleted_at IS NULL
                 ORDER BY l.started_at DESC, l.id DESC LIMIT $2)
             ORDER BY r.started_at DESC, r.id DESC",
            (self.scoped.owner(), i64::from(ANSWERS)),
        )
        .fetch_all(self.scoped.hub.store().read())
        .await?;
        let mut uses: HashMap<&MemoryId, MemoryUse> = HashMap::new();
        let shown: HashSet<&MemoryId> = shown.iter().map(|memory| &memory.id).collect();
        for Answered { answer, memories } in &answers {
            for memory in memories.iter().filter_map(|id| shown.get(id)) {
                let used = uses.entry(memory).or_insert_with(|| MemoryUse {
                    memory: (*memory).clone(),
                    answers: 0,
                    last: Vec::new(),
                });
                used.answers += 1;
                let is_named = used.last.iter().any(|last| last.conversation == answer.conversation);
                if used.last.len() < NAMED && !is_named {
                    used.last.push(answer.clone());
                }
            }
        }
        let mut uses: Vec<MemoryUse> = uses.into_values().collect();
        uses.sort_by(|one, other| one.memory.cmp(&other.memory));
        Ok(uses)
    }

    /// Those that are kept and went into the answer of this run.
    pub async fn of_run(self, run: &RunId) -> Result<MemoryList> {
        let (hub, owner) = (self.scoped.hub, &self.scoped.viewer.me.id);
        let noted: Option<Option<Json<HashSet<MemoryId>>>> = query(
            "SELECT r.memories FROM runs r JOIN agents a ON a.id = r.agent_id
             WHERE r.id = $1 AND a.user_id = $2",
            (run, owner),
        )
        .fetch_optional(hub.store().read())
        .await?;
        let noted = noted.ok_or(Error::NotFound("answer"))?.map(|Json(noted)| noted).unwrap_or_default();
        let total = rows::count(hub.store().read(), owner, MemoryState::Kept).await?;
        let total = u32::try_from(total).unwrap_or(u32::MAX);
        let noted: Vec<&MemoryId> = noted.iter().collect();
        let mut kept = rows::kept(hub.store(), owner, &noted).await?;
        kept.sort_by(|one, other| (other.changed_at, &one.id).cmp(&(one.changed_at, &other.id)));
        let uses = self.uses(&kept).await?;
        Ok(MemoryList { kept, total, uses, ..MemoryList::default() })
    }
}

impl Memories<'_> {
    /// Notes what a run found besides what it was told. Of a search the best fitting count as used, once for a run.
    pub(crate) async fn note_found(
        self,
        owner: &UserId,
        run: &RunId,
        found: &[Memory],
        is_search: bool,
    ) -> Result<()> {
        let mut tx = self.hub.store().write().await?;
        // Searches of one run that are made together are noted one after the other.
        let of_run: Option<OfRun> = query(
            "UPDATE runs SET memories = memories
             WHERE id = $1 AND agent_id IN (SELECT a.id FROM agents a WHERE a.user_id = $2)
             RETURNING memories, used_memories",
            (run, owner),
        )
        .fetch_optional(&mut *tx)
        .await?;
        let OfRun { mut noted, mut counted } = of_run.unwrap_or_default();
        let known: HashSet<MemoryId> = noted.iter().cloned().collect();
        let new = found.iter().map(|memory| memory.id.clone()).filter(|id| !known.contains(id));
        let before = noted.len();
        noted.extend(new.take(MOST_NOTED.saturating_sub(before)));
        let is_new = noted.len() > before;
        if is_new {
            query("UPDATE runs SET memories = $2 WHERE id = $1", (run, Json(&noted)))
                .execute(&mut *tx)
                .await?;
        }
        let used = if is_search { &found[..found.len().min(USED)] } else { &[] };
        // In order: two runs that found the same in another one would wait for each other.
        let used: BTreeSet<&MemoryId> =
            used.iter().map(|memory| &memory.id).filter(|id| !counted.contains(*id)).collect();
        counted.extend(used.iter().map(|id| (*id).clone()));
        if !used.is_empty() {
            query("UPDATE runs SET used_memories = $2 WHERE id = $1", (run, Json(&counted)))
                .execute(&mut *tx)
                .await?;
        }
        for id in &used {
            query("UPDATE memories SET used = used + 1 WHERE user_id = $1 AND id = $2", (owner, *id))
                .execute(&mut *tx)
                .await?;
        }
        if is_new || !used.is_empty() {
            tx.changes(owner, Noun::Memories);
            tx.commit().await?;
        }
        Ok(())
    }
}
