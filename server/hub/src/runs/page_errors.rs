//! Errors of a page come back to its agent as a run that repairs it: once for the same errors of the
//! same drawing, and only so often while nobody speaks. Beyond that a person decides.

use super::page_events::PageEvent;
use crate::agents::loop_settings_of;
use crate::error::{Error, Result};
use crate::live::Tab;
use crate::log::{EntryScope, packed};
use crate::runs::OwnRuns;
use crate::skins;
use crate::store::{Json, Row, Transaction, query};
use protocol::log::{EntryBody, Sender};
use protocol::page::{PageError, PageErrorKind};
use protocol::view::Repairs;
use protocol::{AgentId, TabId};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;

/// Problems of one batch, and characters of each.
const PROBLEMS: usize = 10;
const MAX_ERROR_CHARS: usize = 500;
/// Runs that repair since a person last spoke.
const REPAIRS: usize = 3;
/// How far back a person's message is looked for.
const LOOK_BACK: i64 = 100;

impl Tab {
    /// Believed from the stage only: other tabs may show an older page.
    pub async fn page_problems(&self, agent: &AgentId, problems: &[PageError]) -> Result<()> {
        let hub = self.hub();
        let scoped = hub.for_viewer(self.viewer());
        scoped.require_agent(agent).await?;
        scoped.require_counted().await?;
        hub.spaces().require(&self.viewer().me.id).await?;
        let tab = self.link().key;
        if problems.is_empty() || hub.live().stage(agent).is_none_or(|stage| stage.key != tab) {
            return Ok(());
        }
        self.pass_bytes(agent, in_words(problems).len())?;
        let conversation = hub.conversations().current(agent).await?;
        let place = EntryScope { agent: agent.clone(), conversation: Some(conversation), run: None };
        let mut appending = hub.log().appending().await?;
        if !note(&mut appending.tx, agent, problems).await? {
            return Ok(());
        }
        let text = in_words(problems);
        if may_repair(&mut appending.tx, agent).await? {
            hub.log().commit(appending).await?;
            let event =
                PageEvent { tab: Some(tab), sender: Sender::PageErrors, text: text.clone(), ask: None };
            match hub.runs().take_event(agent, event).await {
                // Too much waits already: this is for a person then.
                Err(Error::Limit(_)) => {}
                outcome => return outcome,
            }
            appending = hub.log().appending().await?;
        }
        appending.append(&place, EntryBody::PageErrors { text }).await?;
        hub.log().commit(appending).await?;
        Ok(())
    }
}

impl OwnRuns<'_> {
    /// Wakes the agent for the errors of its page that it was not woken for.
    pub async fn repair(self, agent: &AgentId, tab: Option<&TabId>) -> Result<()> {
        self.scoped.require_agent(agent).await?;
        self.scoped.require_counted().await?;
        let store = self.scoped.hub.store();
        let newest: Option<(i64, String)> = query(
            "SELECT seq, body FROM entries WHERE agent_id = $1 AND kind = 'page_errors' ORDER BY seq DESC LIMIT 1",
            (agent,),
        )
        .fetch_optional(store.read())
        .await?;
        let after = newest.as_ref().map_or(0, |(seq, _)| *seq);
        let packed = packed::newest_page_errors(store, agent, after).await?.map(|entry| entry.body);
        let Some(body) = packed.or(newest.map(|(_, body)| body)) else {
            return Err(Error::Conflict("The page has no errors that are known.".to_owned()));
        };
        let EntryBody::PageErrors { text } = serde_json::from_str(&body)? else {
            return Err(Error::internal("an entry is not of its kind"));
        };
        let tab = tab.and_then(|tab| self.scoped.hub.live().tab_named(tab, self.scoped.viewer));
        self.scoped
            .hub
            .runs()
            .take_event(agent, PageEvent { tab, sender: Sender::PageErrors, text, ask: None })
            .await
    }
}

/// Writes the problems down; `false` if they are known.
async fn note(tx: &mut Transaction, agent: &AgentId, problems: &[PageError]) -> Result<bool> {
    let version = skins::drawn(tx, agent).await?;
    query("DELETE FROM page_errors WHERE agent_id = $1 AND version < $2", (agent, version))
        .execute(&mut **tx)
        .await?;
    let noted = query(
        "INSERT INTO page_errors (agent_id, version, digest) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        (agent, version, digest(problems)),
    )
    .execute(&mut **tx)
    .await?;
    Ok(noted > 0)
}

/// Whether the errors wake the agent by themselves.
async fn may_repair(tx: &mut Transaction, agent: &AgentId) -> Result<bool> {
    let row =
        query("SELECT loop_settings FROM agents WHERE id = $1", (agent,)).fetch_one::<Row>(&mut **tx).await?;
    match loop_settings_of(&row)?.repairs {
        Repairs::Alone => Ok(repairs(tx, agent).await? < REPAIRS),
        Repairs::Asked => Ok(false),
    }
}

/// Counts the runs that repaired since a person last spoke. What came before something that is packed is long ago, and
/// does not count: who spoke since may stand in it.
async fn repairs(tx: &mut Transaction, agent: &AgentId) -> Result<usize> {
    let rows = query(
        "SELECT body FROM entries
         WHERE agent_id = $1 AND kind = 'message'
           AND seq > (SELECT COALESCE(MAX(p.last_seq), 0) FROM packed_conversations p
                      WHERE p.agent_id = $1
                        AND NOT EXISTS (SELECT 1 FROM imported_conversations i
                                        WHERE i.conversation_id = p.conversation_id AND i.last_seq >= p.last_seq))
         ORDER BY seq DESC LIMIT $2",
        (agent, LOOK_BACK),
    )
    .fetch_all::<Row>(&mut **tx)
    .await?;
    let mut repairs = 0;
    for row in rows {
        match row.get::<Json<_>>("body")?.0 {
            EntryBody::Message { from, .. } if from.speaks_for_person() => break,
            EntryBody::Message { from: Sender::PageErrors, .. } => repairs += 1,
            _ => {}
        }
    }
    Ok(repairs)
}

/// The same for the same problems, in whatever order and however often they came.
fn digest(problems: &[PageError]) -> String {
    let mut lines: Vec<String> = problems.iter().take(PROBLEMS).map(line).collect();
    lines.sort_unstable();
    lines.dedup();
    Sha256::digest(lines.join("\n")).iter().fold(String::new(), |mut hex, byte| {
        // Writing into a text cannot fail.
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

fn in_words(problems: &[PageError]) -> String {
    let mut text = "The page reported errors:".to_owned();
    for problem in problems.iter().take(PROBLEMS) {
        text.push_str("\n- ");
        text.push_str(&line(problem));
        if problem.count > 1 {
            text.push_str(&format!(" ({} times)", problem.count));
        }
    }
    text
}

/// Kind, message and place on one line.
fn line(problem: &PageError) -> String {
    let kind = match problem.kind {
        PageErrorKind::Logged => "console.error",
        PageErrorKind::Exception => "exception",
        PageErrorKind::Rejection => "unhandled rejection",
        PageErrorKind::Resource => "did not load",
        PageErrorKind::Blocked => "blocked",
    };
    let source = problem.source.as_deref().map(|source| format!(" in {source}")).unwrap_or_default();
    let line = problem.line.map(|line| format!(", line {line}")).unwrap_or_default();
    format!("{kind}: {}{source}{line}", problem.message)
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(MAX_ERROR_CHARS)
        .collect()
}
