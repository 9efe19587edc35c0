//! The order of roles that the strictest provider accepts, kept while messages are added one by
//! one. Where the messages come from is not known here.

use protocol::model::{Block, ModelMessage, ToolResult};

/// Stands where a person's first words would, if the conversation does not begin with any.
const OPENING: &str = "[The conversation begins.]";

/// A list that begins with the user, where tool calls are followed by their results and replies
/// without calls by the user.
#[derive(Clone, Debug, Default)]
pub(super) struct Messages(Vec<ModelMessage>);

impl Messages {
    /// Joins the text to a user message that is already last, after a blank line.
    pub(super) fn push_user(&mut self, text: &str) {
        if text.trim().is_empty() {
            return;
        }
        match self.0.last_mut() {
            Some(ModelMessage::User { text: last, .. }) => {
                last.push_str("\n\n");
                last.push_str(text);
            }
            Some(ModelMessage::Assistant { .. } | ModelMessage::Tools { .. }) | None => {
                self.0.push(ModelMessage::User { text: text.to_owned(), media: Vec::new() });
            }
        }
    }

    /// Adds a reply and the results of its tool calls, one for each. A reply that says and calls
    /// nothing is left out. The list must have begun.
    pub(super) fn push_reply(&mut self, mut blocks: Vec<Block>, results: Vec<ToolResult>) {
        blocks.retain(|block| !is_blank(block));
        if blocks.iter().all(|block| matches!(block, Block::Reasoning { .. })) {
            return;
        }
        self.end_with_user();
        self.0.push(ModelMessage::Assistant { blocks });
        if !results.is_empty() {
            self.0.push(ModelMessage::Tools { results });
        }
    }

    pub(super) fn finish(mut self) -> Vec<ModelMessage> {
        self.end_with_user();
        self.0
    }

    /// Makes sure that there is something to answer.
    pub(super) fn begin(&mut self) {
        if self.0.is_empty() {
            self.push_user(OPENING);
        }
    }

    /// Makes it the model's turn: what was said last and then answered by nobody falls away,
    /// because it is about to be said again.
    fn end_with_user(&mut self) {
        if let Some(ModelMessage::Assistant { .. }) = self.0.last() {
            self.0.pop();
        }
    }
}

/// Providers refuse text blocks with nothing in them.
fn is_blank(block: &Block) -> bool {
    match block {
        Block::Text { text } => text.trim().is_empty(),
        Block::Reasoning { .. } | Block::ToolUse(_) => false,
    }
}
