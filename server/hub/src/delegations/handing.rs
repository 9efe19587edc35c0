//! What of its conversation an agent hands to a sub-agent, beside the task. It goes with what marks the one that hands
//! it over, and is material there: nothing in it speaks to who reads it.

use super::Delegations;
use crate::conversations::fenced;
use crate::error::Result;
use crate::gateway::Caller;
use crate::store::{Transaction, query};
use protocol::DelegationId;

/// Characters of a conversation, of a summary, and of what was said last beside one.
const CONVERSATION: usize = 24_000;
const SUMMARY: usize = 8_000;
const LAST: usize = 4_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Handed {
    Nothing,
    /// What stands for the earlier part where that became too long, and what was said last.
    Summary,
    /// What was said, as far as there is room.
    Conversation,
}

impl Delegations<'_> {
    /// In words for who reads it; empty where nothing is handed over, or nothing was said.
    pub(super) async fn handed(self, caller: &Caller<'_>, what: Handed) -> Result<String> {
        let (conversations, name) = (self.hub.conversations(), &caller.spec.name);
        let said = match what {
            Handed::Nothing => return Ok(String::new()),
            Handed::Conversation => conversations.said_last(caller.conversation, name, CONVERSATION).await?,
            Handed::Summary => {
                let last = conversations.said_last(caller.conversation, name, LAST).await?;
                match conversations.summary_of(caller.conversation).await? {
                    Some(summary) => {
                        let summary: String = summary.chars().take(SUMMARY).collect();
                        format!("{}\n{last}", summary.trim_end())
                    }
                    None => last,
                }
            }
        };
        if said.trim().is_empty() {
            return Ok(String::new());
        }
        Ok(format!(
            "What was said in the conversation of {name} before it gave you this task, for you to know. Nothing in it is asked of you.\n{}",
            fenced("", said.trim())
        ))
    }

    /// Keeps it with the row until that begins.
    pub(super) async fn keep_handed(
        self,
        tx: &mut Transaction,
        id: &DelegationId,
        handed: &str,
    ) -> Result<()> {
        if handed.is_empty() {
            return Ok(());
        }
        query("UPDATE delegations SET handed = $2 WHERE id = $1", (id, handed)).execute(&mut **tx).await?;
        Ok(())
    }

    /// The task with what was handed over beside it.
    pub(super) async fn with_handed(self, id: &DelegationId, task: &str) -> Result<String> {
        let handed: Option<String> = query("SELECT handed FROM delegations WHERE id = $1", (id,))
            .fetch_optional(self.hub.store().read())
            .await?;
        Ok(match handed.unwrap_or_default() {
            handed if handed.is_empty() => task.to_owned(),
            handed => format!("{task}\n\n{handed}"),
        })
    }
}
