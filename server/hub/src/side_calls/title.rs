//! The name of a conversation, after its first answer.

use super::call::Question;
use super::{AnsweredRun, SideCalls};
use crate::conversations::title_by_model;
use crate::error::Result;
use protocol::log::Sender;
use protocol::view::CallKind;

const PROMPT: &str = include_str!("title.md");
/// Tokens of a title at most: a few words, in whatever script.
const OUTPUT: u32 = 100;

impl SideCalls<'_> {
    /// Names it, if nobody has. It is tried once: without money, or an answer, it stays called as it began.
    pub(super) async fn name(self, answered: &AnsweredRun) -> Result<()> {
        let Some(model) = self.model_for(answered).await? else { return Ok(()) };
        let conversations = self.hub.conversations();
        if !conversations.is_unnamed(&answered.conversation).await? {
            return Ok(());
        }
        let exchange = self.exchange(answered, 0, is_said).await?;
        if exchange.said.is_empty() || !conversations.claim_naming(&answered.conversation).await? {
            return Ok(());
        }
        let text = exchange.fenced();
        let question = Question { kind: CallKind::Title, system: PROMPT, text, output: OUTPUT };
        let Some(said) = self.ask(answered, &model, question).await? else { return Ok(()) };
        if let Some(title) = title_by_model(&said)
            && conversations.name_by_model(&answered.conversation, &title).await?
        {
            self.hub.live().changed_beside_the_log(&answered.agent);
        }
        Ok(())
    }
}

/// Whether a conversation may be named after it.
fn is_said(from: &Sender) -> bool {
    match from {
        Sender::Person | Sender::Program { .. } | Sender::Schedule { .. } => true,
        Sender::PageNotify { .. }
        | Sender::PageAsk
        | Sender::PageEmit { .. }
        | Sender::PageErrors
        | Sender::Rule { .. }
        | Sender::Devices
        | Sender::Todo
        | Sender::Rating
        | Sender::Context { .. }
        | Sender::Agent { .. }
        | Sender::Job { .. }
        | Sender::Trigger { .. } => false,
    }
}
