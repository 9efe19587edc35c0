//! A conversation as a file, made while it is read: it may be longer than the memory that a person may take.

use super::markdown;
use crate::Hub;
use crate::conversations::OwnConversations;
use crate::error::Result;
use crate::log::Lineage;
use protocol::ConversationId;
use protocol::view::{ConversationView, Rating};
use serde_json::json;
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
    step: Step,
}

enum Step {
    Head,
    /// Behind this entry.
    Entries {
        after: u64,
    },
    End,
}

impl OwnConversations<'_> {
    pub async fn export(self, id: &ConversationId, format: ExportFormat) -> Result<ConversationExport> {
        let conversation = self.get(id).await?;
        let agent = self.scoped.agents().get(&conversation.agent).await?.name;
        let hub = self.scoped.hub.clone();
        let lineage = Lineage::of(hub.store().read(), id).await?;
        let ratings =
            self.ratings_in(&lineage).await?.into_iter().map(|rating| (rating.seq, rating)).collect();
        Ok(ConversationExport { hub, conversation, lineage, ratings, agent, format, step: Step::Head })
    }
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
                    _ => Step::End,
                };
                if let (Step::End, ExportFormat::Json) = (&self.step, self.format) {
                    text.push_str("\n]}\n");
                }
                Ok(Some(text))
            }
            Step::End => Ok(None),
        }
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
                let about = about.to_string();
                let open = about.strip_suffix('}').unwrap_or(&about);
                format!("{open},\"entries\":[")
            }
        }
    }
}
