//! Memories as a file, to keep or to bring along.

use super::audience::Audience;
use super::rows::Stored;
use super::same::Said;
use super::source::Source;
use super::write::{Dates, MemoryWords, Writing, put, room_for};
use super::{MOST_KEPT, OwnMemories, meaning, rows};
use crate::error::{Error, Result};
use crate::store::query;
use protocol::view::{
    CarriedMemories, CarriedMemory, Memory, MemoryAuthor, MemoryImport, MemoryKind, MemoryState,
    RefusedMemory,
};
use protocol::{AgentId, FolderId};
use std::collections::{HashMap, HashSet};

/// Of a memory that came as a line, in the middle.
const IMPORTANCE: u8 = 3;
/// Memories of one import, and those of one commit.
const MOST_CARRIED: usize = MOST_KEPT;
const AT_ONCE: usize = 50;
/// Characters of what was refused, to know it by.
const EXCERPT: usize = 80;

impl OwnMemories<'_> {
    /// All that is kept, those that changed last first. What waits for a yes and what was forgotten stays here.
    pub async fn export(self) -> Result<CarriedMemories> {
        let owner = &self.scoped.viewer.me.id;
        let kept = rows::all(self.scoped.hub.store().read(), owner, MemoryState::Kept).await?;
        let carried = kept.into_iter().map(|stored| {
            let memory = stored.memory;
            CarriedMemory {
                text: memory.text,
                kind: memory.kind,
                tags: memory.tags,
                importance: memory.importance,
                agent: memory.agent_name,
                workspace: memory.workspace_name,
                author: memory.author,
                writer: memory.writer_name,
                strangers: memory.strangers,
                written_at: stored.created_at,
                changed_at: Some(memory.changed_at),
            }
        });
        Ok(CarriedMemories { format: CarriedMemories::FORMAT.to_owned(), memories: carried.collect() })
    }

    /// Keeps what the text says: a file of [`OwnMemories::export`], with its dates and who wrote it, or else a memory
    /// to a line. What is known already, word for word, is not kept twice, and what cannot be kept is said. Fails, and
    /// keeps nothing, if there is not room for all.
    pub async fn import(self, text: &str) -> Result<MemoryImport> {
        let carried = read(text)?;
        let (hub, owner) = (self.scoped.hub, &self.scoped.viewer.me.id);
        let names = self.names().await?;
        let kept = rows::all(hub.store().read(), owner, MemoryState::Kept).await?;
        let room = MOST_KEPT.saturating_sub(kept.len());
        let of = |memory: Memory| match (memory.agent, memory.workspace) {
            (Some(agent), _) => Audience::Agent(agent),
            (None, Some(workspace)) => Audience::Workspace(workspace),
            (None, None) => Audience::All,
        };
        let mut known: HashSet<(Audience, String)> = kept
            .into_iter()
            .map(|Stored { memory, .. }| {
                let said = Said::in_text(&memory.text).digest();
                (of(memory), said)
            })
            .collect();
        let mut report = MemoryImport::default();
        let mut new = Vec::new();
        for memory in carried {
            match names.audience(&memory) {
                Ok((audience, words)) if known.insert((audience.clone(), words.said().digest())) => {
                    let writer = memory.writer.as_ref().and_then(|name| names.agents.get(name)).cloned();
                    let dates = dates_of(&memory, hub.now());
                    let source = Source { strangers: memory.strangers, ..Source::default() };
                    new.push(New { audience, words, author: memory.author, writer, source, dates });
                }
                Ok(_) => report.known += 1,
                Err(why) => {
                    let text = memory.text.trim().chars().take(EXCERPT).collect();
                    report.refused.push(RefusedMemory { text, why });
                }
            }
        }
        if new.len() > room {
            return Err(Error::Limit(format!(
                "These are {} new memories, and there is room for {room}. Forget some first, or bring fewer.",
                new.len()
            )));
        }
        // A few at a time, so that others write in between.
        for part in new.chunks(AT_ONCE) {
            let mut tx = hub.store().write().await?;
            room_for(&mut tx, owner, MemoryState::Kept, part.len()).await?;
            meaning::due(&mut tx, owner, hub.now()).await?;
            for New { audience, words, author, writer, source, dates } in part {
                let writing = Writing {
                    author: *author,
                    audience,
                    writer: writer.as_ref(),
                    source,
                    against: None,
                    state: MemoryState::Kept,
                };
                put(&mut tx, owner, words, &writing, *dates).await?;
                report.added += 1;
            }
            tx.commit().await?;
            hub.memories().changed();
        }
        Ok(report)
    }

    async fn names(self) -> Result<Names> {
        let (store, owner) = (self.scoped.hub.store().read(), &self.scoped.viewer.me.id);
        let agents: Vec<(String, AgentId)> =
            query("SELECT name, id FROM agents WHERE user_id = $1 ORDER BY id DESC", (owner,))
                .fetch_all(store)
                .await?;
        let workspaces: Vec<(String, FolderId)> =
            query("SELECT name, id FROM folders WHERE user_id = $1 AND agent_id IS NULL", (owner,))
                .fetch_all(store)
                .await?;
        Ok(Names { agents: agents.into_iter().collect(), workspaces: workspaces.into_iter().collect() })
    }
}

/// One that is not there yet.
struct New {
    audience: Audience,
    words: MemoryWords,
    author: MemoryAuthor,
    writer: Option<AgentId>,
    source: Source,
    dates: Dates,
}

/// Those that it names, as far as they are in an order and not to come.
fn dates_of(memory: &CarriedMemory, now: i64) -> Dates {
    let written = Some(memory.written_at).filter(|at| (1..=now).contains(at)).unwrap_or(now);
    let changed = memory.changed_at.filter(|at| (written..=now).contains(at)).unwrap_or(written);
    Dates { written, changed }
}

/// Whom a person has, by name.
struct Names {
    agents: HashMap<String, AgentId>,
    workspaces: HashMap<String, FolderId>,
}

impl Names {
    /// Who is told of it and its words, or why it is not kept.
    fn audience(&self, memory: &CarriedMemory) -> std::result::Result<(Audience, MemoryWords), String> {
        let CarriedMemory { text, kind, tags, importance, agent, workspace, .. } = memory;
        let words =
            MemoryWords::new(text, *kind, tags, *importance).map_err(|error| error.into_failure().message)?;
        let audience =
            match (agent, workspace) {
                (Some(name), _) => Audience::Agent(self.agents.get(name).cloned().ok_or_else(|| {
                    format!("It was for {name} alone, and you have no agent of this name.")
                })?),
                (None, Some(name)) => {
                    Audience::Workspace(self.workspaces.get(name).cloned().ok_or_else(|| {
                        format!("It was for the workspace {name}, and you have none of this name.")
                    })?)
                }
                (None, None) => Audience::All,
            };
        Ok((audience, words))
    }
}

/// What the text says, without the marks of a list before its lines.
fn read(text: &str) -> Result<Vec<CarriedMemory>> {
    let text = text.trim_start_matches('\u{feff}').trim();
    let carried: Vec<CarriedMemory> = if text.starts_with('{') {
        let file: CarriedMemories = serde_json::from_str(text)
            .map_err(|error| Error::Invalid(format!("This is no file of memories: {error}.")))?;
        if file.format != CarriedMemories::FORMAT {
            return Err(Error::invalid(
                "This is a file of something else, or of a later version of Vivarium.",
            ));
        }
        file.memories
    } else {
        text.lines().filter_map(of_line).collect()
    };
    if carried.is_empty() {
        return Err(Error::invalid("Nothing stands there to be remembered."));
    }
    if carried.len() > MOST_CARRIED {
        return Err(Error::Invalid(format!(
            "These are {} memories. At most {MOST_CARRIED} come along at once.",
            carried.len()
        )));
    }
    Ok(carried)
}

fn of_line(line: &str) -> Option<CarriedMemory> {
    let text = line.trim().trim_start_matches(['-', '*', '•']).trim();
    (!text.is_empty()).then(|| CarriedMemory {
        text: text.to_owned(),
        kind: MemoryKind::Fact,
        tags: Vec::new(),
        importance: IMPORTANCE,
        agent: None,
        workspace: None,
        author: MemoryAuthor::Person,
        writer: None,
        strangers: false,
        written_at: 0,
        changed_at: None,
    })
}
