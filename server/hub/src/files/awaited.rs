//! Changes of files for which schedules wait. Each is noted in the commit that makes it, for all but the agent that
//! made it; what comes of that is theirs.

use super::uploads::file_name;
use super::{FilePath, Mount, Written};
use crate::error::{Error, Result};
use crate::store::{Json, Transaction, query};
use globset::{GlobBuilder, GlobMatcher};
use protocol::files::FileAuthor;
use protocol::{AgentId, FolderId, ScheduleId};
use std::collections::BTreeSet;

/// Paths that are noted for one schedule; it hears that there were more.
pub(crate) const MOST_NOTED: usize = 100;
/// From one time that a schedule is due by changes to the next at least.
const PAUSE_MS: i64 = 60_000;
const UPLOADS: &str = "/uploads";
/// Bytes of a path or a pattern.
const LONGEST: usize = 512;
/// What makes a path a pattern.
const SIGNS: [char; 4] = ['*', '?', '[', '{'];

/// Where files are whose changes are waited for, and which.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AwaitedPath {
    /// `agent`, `workspace` or `uploads`.
    mount: &'static str,
    /// Empty: all.
    pattern: String,
}

impl AwaitedPath {
    pub(crate) fn parse(path: &str) -> Result<Self> {
        let mounts =
            [(Mount::Agent.path(), "agent"), (Mount::Workspace.path(), "workspace"), (UPLOADS, "uploads")];
        let spelled = FilePath::spelled(path.trim());
        let within = mounts.into_iter().find_map(|(begin, mount)| {
            let rest = spelled.strip_prefix(begin)?;
            (rest.is_empty() || rest.starts_with('/')).then(|| (mount, rest.trim_matches('/').to_owned()))
        });
        let Some((mount, pattern)) = within else {
            return Err(Error::invalid(
                "Write which files it waits for as a path like /workspace/plan.md, /agent/notes or /uploads/*.pdf.",
            ));
        };
        if pattern.len() > LONGEST || pattern.split('/').any(|part| part == "..") {
            return Err(Error::invalid("The path of the files is at most 512 bytes and leads nowhere up."));
        }
        matcher(&pattern)
            .map_err(|error| Error::invalid(format!("The pattern of the files cannot be read: {error}.")))?;
        Ok(Self { mount, pattern })
    }

    /// Lets the schedule wait for them from now on.
    pub(crate) async fn put(&self, tx: &mut Transaction, schedule: &ScheduleId) -> Result<()> {
        forget_awaited(tx, schedule).await?;
        query(
            "INSERT INTO file_triggers (schedule_id, mount, pattern) VALUES ($1, $2, $3)",
            (schedule, self.mount, &self.pattern),
        )
        .execute(&mut **tx)
        .await?;
        Ok(())
    }
}

/// The schedule waits for no files any more.
pub(crate) async fn forget_awaited(tx: &mut Transaction, schedule: &ScheduleId) -> Result<()> {
    query("DELETE FROM file_triggers WHERE schedule_id = $1", (schedule,)).execute(&mut **tx).await?;
    Ok(())
}

/// Paths of a folder have changed.
pub(super) async fn note(
    tx: &mut Transaction,
    folder: &FolderId,
    paths: &[FilePath],
    written: &Written,
) -> Result<()> {
    let by: Option<&AgentId> = match &written.by {
        FileAuthor::Agent { agent, .. } => agent.as_ref(),
        FileAuthor::Person | FileAuthor::Archive => None,
    };
    if paths.is_empty() {
        return Ok(());
    }
    // Sub-agents change files as a part of the agent at the top.
    let awaiting: Vec<(ScheduleId, String, String)> = query(
        "SELECT t.schedule_id, t.mount, t.pattern FROM schedules s JOIN file_triggers t ON t.schedule_id = s.id
         WHERE s.agent_id = $1 AND t.mount = 'agent' AND s.paused = 0
           AND NOT EXISTS (SELECT 1 FROM agents b WHERE b.id = $2 AND COALESCE(b.root_id, b.id) = s.agent_id)
         UNION ALL
         SELECT t.schedule_id, t.mount, t.pattern FROM workspace_agents w
         JOIN schedules s ON s.agent_id = w.agent_id JOIN file_triggers t ON t.schedule_id = s.id
         WHERE w.folder_id = $1 AND t.mount = 'workspace' AND s.paused = 0
           AND NOT EXISTS (SELECT 1 FROM agents b WHERE b.id = $2 AND COALESCE(b.root_id, b.id) = s.agent_id)
         ORDER BY 1",
        (folder, by),
    )
    .fetch_all(&mut **tx)
    .await?;
    for (schedule, mount, pattern) in awaiting {
        note_for(tx, &schedule, &mount, &pattern, paths.iter().map(FilePath::as_str), written.at).await?;
    }
    Ok(())
}

/// A message to the agent came with this file.
pub(crate) async fn note_upload(tx: &mut Transaction, agent: &AgentId, name: &str, now: i64) -> Result<()> {
    let awaiting: Vec<(ScheduleId, String)> = query(
        "SELECT t.schedule_id, t.pattern FROM schedules s JOIN file_triggers t ON t.schedule_id = s.id
         WHERE s.agent_id = $1 AND t.mount = 'uploads' AND s.paused = 0 ORDER BY t.schedule_id",
        (agent,),
    )
    .fetch_all(&mut **tx)
    .await?;
    let name = file_name(name);
    for (schedule, pattern) in awaiting {
        note_for(tx, &schedule, "uploads", &pattern, std::iter::once(name.as_str()), now).await?;
    }
    Ok(())
}

async fn note_for<'p>(
    tx: &mut Transaction,
    schedule: &ScheduleId,
    mount: &str,
    pattern: &str,
    paths: impl Iterator<Item = &'p str>,
    now: i64,
) -> Result<()> {
    // It was read when it was entered.
    let Ok(matcher) = matcher(pattern) else { return Ok(()) };
    let meant: Vec<String> =
        paths.filter(|path| fits(&matcher, pattern, path)).map(|path| format!("/{mount}/{path}")).collect();
    if meant.is_empty() {
        return Ok(());
    }
    // Whoever changes files of another folder at the same moment waits here.
    type Known = (Option<Json<BTreeSet<String>>>, Option<i64>, Option<i64>);
    let known: Option<Known> = query(
        "UPDATE file_triggers SET mount = mount WHERE schedule_id = $1 RETURNING changed, due_at, told_at",
        (schedule,),
    )
    .fetch_optional(&mut **tx)
    .await?;
    let Some((changed, due_at, told_at)) = known else { return Ok(()) };
    let mut changed = changed.map(|Json(changed)| changed).unwrap_or_default();
    // One more than is told says that there are more.
    for path in meant {
        if changed.len() > MOST_NOTED {
            break;
        }
        changed.insert(path);
    }
    let due_at = due_at.unwrap_or_else(|| now.max(told_at.map_or(now, |at| at.saturating_add(PAUSE_MS))));
    query(
        "UPDATE file_triggers SET changed = $2, due_at = $3 WHERE schedule_id = $1",
        (schedule, Json(changed), due_at),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

fn matcher(pattern: &str) -> std::result::Result<GlobMatcher, globset::Error> {
    GlobBuilder::new(pattern).literal_separator(true).build().map(|glob| glob.compile_matcher())
}

/// A path without a pattern means what is below it, too.
fn fits(matcher: &GlobMatcher, pattern: &str, path: &str) -> bool {
    let is_below =
        || !pattern.contains(SIGNS) && path.strip_prefix(pattern).is_some_and(|rest| rest.starts_with('/'));
    pattern.is_empty() || matcher.is_match(path) || is_below()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_means_a_file_what_is_below_it_or_what_a_pattern_says() {
        for (awaited, path, expected) in [
            ("/workspace/plan.md", "plan.md", true),
            ("/workspace/plan.md", "old/plan.md", false),
            ("/workspace/notes", "notes/a/b.md", true),
            ("/workspace/notes/", "notes.md", false),
            ("/agent", "a/b", true),
            ("/agent/*.md", "a.md", true),
            ("/agent/*.md", "a/b.md", false),
            ("/agent/**/*.md", "a/b.md", true),
            ("/uploads/*.{pdf,docx}", "plan.pdf", true),
        ] {
            let AwaitedPath { pattern, .. } = AwaitedPath::parse(awaited).unwrap();
            assert_eq!(fits(&matcher(&pattern).unwrap(), &pattern, path), expected, "{awaited} {path}");
        }
        for wrong in ["", "plan.md", "/", "/agents/a", "/local/a", "/agent/../a", "/agent/[", "/opfs"] {
            assert!(AwaitedPath::parse(wrong).is_err(), "{wrong}");
        }
    }
}
