//! The order of roles that the strictest provider accepts, kept while messages are added one by
//! one. Where the messages come from is not known here.

use super::cut;
use protocol::model::{Block, Media, MessageList, ModelMessage, ToolResult};
use std::sync::Arc;

/// Stands where a person's first words would, if the conversation does not begin with any.
const OPENING: &str = "[The conversation begins.]";

/// A list that begins with the user, where tool calls are followed by their results and replies
/// without calls by the user.
#[derive(Clone, Debug)]
pub(super) struct Messages {
    list: MessageList,
    /// Bytes of a text at most.
    longest: usize,
}

impl Messages {
    pub(super) fn new(longest: usize) -> Self {
        Self { list: MessageList::default(), longest }
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// Joins the text, and the files that came with it, to a user message that is already last, after a blank line.
    pub(super) fn push_user(&mut self, text: &str, files: &[Media]) {
        if text.trim().is_empty() {
            return;
        }
        let text = &cut::in_the_middle(text, self.longest);
        match self.list.last_mut() {
            Some(ModelMessage::User { text: last, media }) => {
                last.push_str("\n\n");
                last.push_str(text);
                media.extend_from_slice(files);
            }
            Some(ModelMessage::Assistant { .. } | ModelMessage::Tools { .. }) | None => {
                self.list.push(ModelMessage::User { text: text.to_string(), media: files.to_vec() });
            }
        }
    }

    /// Adds a reply and the results of its tool calls, one for each. A reply that says and calls
    /// nothing is left out. The list must have begun. Gives the place of the reply.
    pub(super) fn push_reply(&mut self, mut blocks: Vec<Block>, results: Vec<ToolResult>) -> Option<usize> {
        blocks.retain(|block| !is_blank(block));
        if blocks.iter().all(|block| matches!(block, Block::Reasoning { .. })) {
            return None;
        }
        self.shorten(&mut blocks);
        self.end_with_user();
        let at = self.list.len();
        self.list.push(ModelMessage::Assistant { blocks });
        if !results.is_empty() {
            self.list.push(ModelMessage::Tools { results });
        }
        Some(at)
    }

    pub(super) fn takes_as_is(&self) -> bool {
        self.longest == usize::MAX
    }

    /// Adds a reply that has something to say, and the results of its calls, as they are. Gives the
    /// place of the reply.
    pub(super) fn push_shared(
        &mut self,
        reply: Arc<ModelMessage>,
        results: Option<Arc<ModelMessage>>,
    ) -> usize {
        self.end_with_user();
        let at = self.list.len();
        self.list.push(reply);
        results.into_iter().for_each(|results| self.list.push(results));
        at
    }

    fn shorten(&self, blocks: &mut Vec<Block>) {
        if self.takes_as_is() {
            return;
        }
        blocks.retain(|block| !matches!(block, Block::Reasoning { text, .. } if text.len() > self.longest));
        for block in blocks {
            match block {
                Block::Text { text } => *text = cut::in_the_middle(text, self.longest).into_owned(),
                Block::ToolUse(call) if call.input.to_string().len() > self.longest => {
                    call.input = serde_json::json!({});
                }
                Block::ToolUse(_) | Block::Reasoning { .. } => {}
            }
        }
    }

    /// The list as it is sent: it ends with something to answer.
    pub(super) fn request(&self) -> MessageList {
        let mut list = self.list.clone();
        if self.request_len() < list.len() {
            list.pop();
        }
        list
    }

    pub(super) fn request_len(&self) -> usize {
        let is_answered = matches!(self.list.last(), Some(ModelMessage::Assistant { .. }));
        self.list.len() - usize::from(is_answered)
    }

    pub(super) fn from(&self, first: usize) -> impl Iterator<Item = &ModelMessage> {
        self.list.iter().skip(first)
    }

    /// Makes sure that there is something to answer.
    pub(super) fn begin(&mut self) {
        if self.list.is_empty() {
            self.push_user(OPENING, &[]);
        }
    }

    /// Makes it the model's turn: what was said last and then answered by nobody falls away,
    /// because it is about to be said again.
    fn end_with_user(&mut self) {
        if let Some(ModelMessage::Assistant { .. }) = self.list.last() {
            self.list.pop();
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
