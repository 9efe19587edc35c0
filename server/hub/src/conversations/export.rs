//! A conversation as a file, made while it is read: it may be longer than the memory that a person may take.

use super::markdown;
use crate::Hub;
use crate::conversations::OwnConversations;
use crate::error::Result;
use crate::log::{Kinds, Lineage, Segment};
use crate::store::query;
use protocol::ConversationId;
use protocol::log::EntryBody;
use protocol::view::{ConversationView, Rating};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Characters of a title in the name of a file.
const NAME: usize = 60;

/// How a conversation is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportFormat {
    /// For people.
    Markdown,
    /// Every entry as it is in the log.
    Json,
}

/// A file that is still being made.
pub struct ConversationExport {
    hub: Hub,
    conversation: ConversationView,
    lineage: Lineage,
    /// By the entries that they are about.
    ratings: BTreeMap<u64, Rating>,
    agent: String,
    format: ExportFormat,
    /// All branches, if there are several.
    tree: Vec<Member>,
    step: Step,
}

/// A branch with what is its own; the one that left no other with all that it has.
struct Member {
    lineage: Lineage,
    /// What it has of others, and the entry that it has something else instead of.
    left: Option<(Segment, u64)>,
}

enum Step {
    Head,
    /// Behind this entry.
    Entries {
        after: u64,
    },
    /// The branch at this place, behind this entry of it.
    Tree {
        at: usize,
        after: u64,
    },
    End,
}

impl OwnConversations<'_> {
    /// As JSON with all of its branches.
    pub async fn export(self, id: &ConversationId, format: ExportFormat) -> Result<ConversationExport> {
        let tree = match format {
            ExportFormat::Json => self.tree(id).await?,
            ExportFormat::Markdown => Vec::new(),
        };
        Ok(ConversationExport { tree, ..self.export_alone(id, format).await? })
    }

    /// Where each branch is a file of its own.
    pub(crate) async fn export_alone(
        self,
        id: &ConversationId,
        format: ExportFormat,
    ) -> Result<ConversationExport> {
        let conversation = self.get(id).await?;
        let agent = self.scoped.agents().get(&conversation.agent).await?.name;
        let hub = self.scoped.hub.clone();
        let lineage = Lineage::of(hub.store().read(), id).await?;
        let ratings =
            self.ratings_in(&lineage).await?.into_iter().map(|rating| (rating.seq, rating)).collect();
        let (tree, step) = (Vec::new(), Step::Head);
        Ok(ConversationExport { hub, conversation, lineage, ratings, agent, format, tree, step })
    }

    /// All branches of it, those that others left first; none where there is but one.
    async fn tree(self, id: &ConversationId) -> Result<Vec<Member>> {
        let store = self.scoped.hub.store().read();
        let family: Vec<(ConversationId, Option<u64>)> = query(
            "SELECT id, branched_at FROM conversations
             WHERE family = (SELECT c.family FROM conversations c WHERE c.id = $1) ORDER BY created_at, id",
            (id,),
        )
        .fetch_all(store)
        .await?;
        if family.len() < 2 {
            return Ok(Vec::new());
        }
        let ids: Vec<ConversationId> = family.iter().map(|(id, _)| id.clone()).collect();
        let mut tree = Vec::new();
        for (id, at) in family {
            let lineage = Lineage::of(store, &id).await?;
            let left = at.zip(lineage.inherited().last().cloned()).map(|(at, mut last)| {
                // What the first one has of another conversation stands in the file as its own.
                if !ids.contains(&last.source) {
                    last.source = ids[0].clone();
                }
                (last, at)
            });
            let lineage = if left.is_some() { Lineage::with(id, Vec::new()) } else { lineage };
            tree.push(Member { lineage, left });
        }
        Ok(tree)
    }
}

impl Member {
    fn head(&self) -> String {
        let mut about = json!({ "id": self.lineage.conversation() });
        if let Some((Segment { source, end, messages_end }, at)) = &self.left {
            about["of"] = json!({ "from": source, "end": end, "messages_end": messages_end, "at": at });
        }
        opened(&about)
    }
}

/// An object that goes on with its entries.
fn opened(about: &Value) -> String {
    let about = about.to_string();
    let open = about.strip_suffix('}').unwrap_or(&about);
    format!("{open},\"entries\":[")
}

impl ConversationExport {
    pub fn file_name(&self) -> String {
        let title = match self.conversation.title.as_str() {
            "" => &self.agent,
            title => title,
        };
        let plain =
            |char: char| if char.is_alphanumeric() || matches!(char, '-' | '_' | '.') { char } else { ' ' };
        let words: String = title.chars().map(plain).take(NAME).collect();
        let words: Vec<&str> = words.split_whitespace().collect();
        let name = if words.is_empty() { "conversation".to_owned() } else { words.join(" ") };
        match self.format {
            ExportFormat::Markdown => format!("{name}.md"),
            ExportFormat::Json => format!("{name}.json"),
        }
    }

    /// The next part of the file, with as many entries as are read at a time. `None`: that was all.
    pub async fn next(&mut self) -> Result<Option<String>> {
        match self.step {
            Step::Head => {
                self.step = Step::Entries { after: 0 };
                Ok(Some(self.head()))
            }
            Step::Entries { after } => {
                let part = self.lineage.after(self.hub.store(), after).await?;
                let mut text = String::new();
                for entry in &part.entries {
                    match self.format {
                        ExportFormat::Markdown => {
                            text.push_str(&markdown::entry(entry, &self.agent));
                            if let Some(rating) = self.ratings.get(&entry.seq) {
                                text.push_str(&markdown::rating(rating));
                            }
                        }
                        ExportFormat::Json => {
                            let is_first = after == 0 && entry.seq == part.entries[0].seq;
                            text.push_str(if is_first { "\n" } else { ",\n" });
                            text.push_str(&serde_json::to_string(entry)?);
                        }
                    }
                }
                self.step = match part.entries.last() {
                    Some(last) if !part.is_last => Step::Entries { after: last.seq },
                    _ if self.tree.is_empty() => Step::End,
                    _ => Step::Tree { at: 0, after: 0 },
                };
                match (&self.step, self.format) {
                    (Step::End, ExportFormat::Json) => text.push_str("\n]}\n"),
                    (Step::End, ExportFormat::Markdown) => text.push_str(&self.tasks().await?),
                    (Step::Tree { .. }, _) => text.push_str("\n],\"tree\":["),
                    _ => {}
                }
                Ok(Some(text))
            }
            Step::Tree { at, after } => self.branch(at, after).await.map(Some),
            Step::End => Ok(None),
        }
    }

    /// What there is to do, behind what was said.
    async fn tasks(&self) -> Result<String> {
        let last = self.lineage.last(self.hub.store(), u64::MAX, Kinds::Todo, 1).await?.pop();
        Ok(match last.map(|entry| entry.body) {
            Some(EntryBody::Todo { list, .. }) => markdown::tasks(&list),
            _ => String::new(),
        })
    }

    async fn branch(&mut self, at: usize, after: u64) -> Result<String> {
        let member = &self.tree[at];
        let part = member.lineage.after(self.hub.store(), after).await?;
        let mut text = if after == 0 { member.head() } else { String::new() };
        for (place, entry) in part.entries.iter().enumerate() {
            text.push_str(if after == 0 && place == 0 { "\n" } else { ",\n" });
            text.push_str(&serde_json::to_string(entry)?);
        }
        let is_last = at + 1 == self.tree.len();
        self.step = match part.entries.last() {
            Some(last) if !part.is_last => Step::Tree { at, after: last.seq },
            _ if is_last => {
                text.push_str("\n]}]}\n");
                Step::End
            }
            _ => {
                text.push_str("\n]},\n");
                Step::Tree { at: at + 1, after: 0 }
            }
        };
        Ok(text)
    }

    fn head(&self) -> String {
        match self.format {
            ExportFormat::Markdown => markdown::head(&self.conversation.title, &self.agent),
            ExportFormat::Json => {
                let about = json!({
                    "format": "vivarium.conversation",
                    "version": 1,
                    "agent": self.agent,
                    "conversation": self.conversation,
                    "ratings": self.ratings.values().collect::<Vec<_>>(),
                });
                opened(&about)
            }
        }
    }
}
