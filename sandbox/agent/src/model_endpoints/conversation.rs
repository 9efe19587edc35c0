//! A conversation as a program tells it, put into the order of ours: one assistant message for what was
//! said at once, one message for the results of its calls.

use super::api_error::ApiError;
use protocol::CallId;
use protocol::model::{Block, Media, ModelMessage, ToolResult};
use std::collections::BTreeMap;

#[derive(Debug, Default)]
pub(super) struct Conversation {
    system: Vec<String>,
    messages: Vec<ModelMessage>,
    /// The tools of the calls so far.
    called: BTreeMap<CallId, String>,
}

/// What a tool answered.
#[derive(Debug)]
pub(super) struct ToolAnswer {
    pub(super) content: String,
    pub(super) media: Vec<Media>,
    pub(super) is_error: bool,
}

impl Conversation {
    pub(super) fn instruct(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.system.push(text.to_owned());
        }
    }

    pub(super) fn ask(&mut self, text: String, media: Vec<Media>) {
        self.messages.push(ModelMessage::User { text, media });
    }

    pub(super) fn say(&mut self, said: Vec<Block>) {
        for block in &said {
            if let Block::ToolUse(call) = block {
                self.called.insert(call.id.clone(), call.name.clone());
            }
        }
        match self.messages.last_mut() {
            Some(ModelMessage::Assistant { blocks }) => blocks.extend(said),
            Some(ModelMessage::User { .. } | ModelMessage::Tools { .. }) | None => {
                self.messages.push(ModelMessage::Assistant { blocks: said });
            }
        }
    }

    pub(super) fn answer(&mut self, field: &str, call: &str, answered: ToolAnswer) -> Result<(), ApiError> {
        let call = CallId(call.to_owned());
        let Some(name) = self.called.get(&call).cloned() else {
            let what = format!(
                "The result of the call {call} comes without the call. Send the message with it before."
            );
            return Err(ApiError::field(field, what));
        };
        let ToolAnswer { content, media, is_error } = answered;
        let result = ToolResult { call, name, content, media, is_error };
        match self.messages.last_mut() {
            Some(ModelMessage::Tools { results }) => results.push(result),
            Some(ModelMessage::User { .. } | ModelMessage::Assistant { .. }) | None => {
                self.messages.push(ModelMessage::Tools { results: vec![result] });
            }
        }
        Ok(())
    }

    /// The system text and the messages.
    pub(super) fn finish(self, field: &str) -> Result<(String, Vec<ModelMessage>), ApiError> {
        if self.messages.is_empty() {
            return Err(ApiError::field(field, format!("{field} is empty. Send at least one message.")));
        }
        Ok((self.system.join("\n\n"), self.messages))
    }
}
