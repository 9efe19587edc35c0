//! A name and instructions for an agent that is not made yet, from a sentence that says what it is for. Its person waits
//! for them, and changes what they like.

use super::OwnSideCalls;
use crate::Hub;
use crate::clock::new_id;
use crate::conversations::title_by_model;
use crate::error::{Error, Result};
use crate::ledger::{Metered, ReservedAmount, Spender};
use crate::models::Called;
use crate::providers::Asker;
use crate::tally::{Settlement, Tally};
use agent::context::fenced;
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use protocol::agent::ProviderKind;
use protocol::model::{Block, Effort, ModelEvent, ModelFailureKind, ModelMessage, ModelRequest, ToolChoice};
use protocol::view::{CallKind, ProposedAgent};
use protocol::{ProviderId, UserId, words};
use std::time::Duration;

const PROMPT: &str = include_str!("proposal.md");
/// Characters of a sentence, and of a name.
const SENTENCE: usize = 2_000;
const NAME: usize = 60;
/// Tokens of the answer, and before it where the model thinks.
const OUTPUT: u32 = 800;
const THOUGHTS: u32 = 1_000;
const LONGEST: Duration = Duration::from_secs(60);
const IN_VAIN: &str =
    words!("The model proposed nothing that could be used. Try again, or write it yourself.");

impl OwnSideCalls<'_> {
    /// What an agent could be called and told to be. Nothing is made; the call is the person's to pay.
    pub async fn propose_agent(
        self,
        sentence: &str,
        provider: &ProviderId,
        model: &str,
    ) -> Result<ProposedAgent> {
        let (sentence, model) = (sentence.trim(), model.trim());
        if sentence.is_empty() {
            return Err(Error::invalid("Say in a sentence what the agent is for."));
        }
        if sentence.chars().count() > SENTENCE {
            return Err(Error::Limit(format!("What the agent is for has at most {SENTENCE} characters.")));
        }
        self.scoped.require_counted().await?;
        let (hub, owner) = (self.scoped.hub, &self.scoped.viewer.me.id);
        let usable = hub.providers().usable(owner, provider).await?.ok_or(Error::NotFound("provider"))?;
        if usable.provider.reach.only_home().is_some() || usable.provider.kind == ProviderKind::Scripted {
            return Err(Error::Conflict(
                "The hub cannot ask a model of this provider. Choose another one, or write it yourself."
                    .to_owned(),
            ));
        }
        let asked = Asked {
            hub: hub.clone(),
            owner: owner.clone(),
            provider: provider.clone(),
            model: model.to_owned(),
            thinks: hub.facts().of(model).reasoning,
            sentence: fenced(sentence),
        };
        let said = hub.tasks().complete(answer(asked)).await??;
        proposed(&said).ok_or_else(|| Error::Upstream(IN_VAIN.to_owned()))
    }
}

/// A call that comes to its end, whoever still waits for it.
struct Asked {
    hub: Hub,
    owner: UserId,
    provider: ProviderId,
    model: String,
    thinks: bool,
    sentence: String,
}

async fn answer(asked: Asked) -> Result<String> {
    let asker = Asker { person: asked.owner.clone(), agent: None };
    let spender = Spender::Person { call: new_id() };
    let (tally, provider) = (Tally::default(), Some(asked.provider.clone()));
    let Called { terms, events } =
        asked.hub.models().call(asker, &spender, provider, request_of(&asked), &tally).await;
    let said = tokio::select! {
        biased;
        () = asked.hub.tasks().closing() => Err(Error::Upstream(IN_VAIN.to_owned())),
        () = tokio::time::sleep(LONGEST) => Err(Error::Upstream(IN_VAIN.to_owned())),
        said = hear_out(events) => said,
    };
    let Some(settlement) = tally.settle() else { return said };
    let metered = match settlement {
        Settlement::Unused => None,
        Settlement::Used(usage) => {
            let usage = usage.bounded();
            Some(Metered {
                cost: asked.hub.models().cost(&terms, &asked.model, &usage),
                owner: asked.owner,
                provider: Some(asked.provider),
                is_lent: terms.is_lent,
                is_servers: terms.is_servers,
                model: asked.model,
                usage,
                kind: CallKind::Proposal,
            })
        }
    };
    if metered.is_some() || terms.held != ReservedAmount::Nothing {
        asked.hub.ledger().settle(spender, metered, terms.held).await;
    }
    said
}

fn request_of(asked: &Asked) -> ModelRequest {
    ModelRequest {
        model: asked.model.clone(),
        system: PROMPT.trim_end().to_owned(),
        tools: Vec::new(),
        tool_choice: ToolChoice::Auto,
        messages: vec![ModelMessage::User { text: asked.sentence.clone(), media: Vec::new() }].into(),
        max_output_tokens: if asked.thinks { OUTPUT + THOUGHTS } else { OUTPUT },
        effort: asked.thinks.then_some(Effort::Low),
        sampling: Box::default(),
    }
}

async fn hear_out(mut events: BoxStream<'static, ModelEvent>) -> Result<String> {
    let mut said = String::new();
    while let Some(event) = events.next().await {
        match event {
            ModelEvent::BlockFinished { block: Block::Text { text }, .. } => said.push_str(&text),
            ModelEvent::Stopped { .. } => return Ok(said),
            ModelEvent::Failed { failure } if failure.kind == ModelFailureKind::OverBudget => {
                return Err(Error::Limit(failure.message));
            }
            ModelEvent::Failed { failure } => return Err(Error::Upstream(failure.message)),
            ModelEvent::BlockStarted { .. }
            | ModelEvent::Delta { .. }
            | ModelEvent::BlockFinished { .. }
            | ModelEvent::Usage { .. }
            | ModelEvent::Cited { .. }
            | ModelEvent::Unknown { .. } => {}
        }
    }
    Err(Error::Upstream(IN_VAIN.to_owned()))
}

/// The name on the first line, and what stands below it. `None`: one of them is missing.
fn proposed(said: &str) -> Option<ProposedAgent> {
    let answer = said.rsplit_once("</think>").map_or(said, |(_, answer)| answer).trim();
    let (first, rest) = answer.split_once('\n')?;
    let name = title_by_model(first)?.chars().take(NAME).collect();
    let instructions = rest.trim().to_owned();
    (!instructions.is_empty()).then_some(ProposedAgent { name, instructions })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stands_on_the_first_line_and_instructions_below_it() {
        let found = |said| proposed(said).map(|agent| (agent.name, agent.instructions));
        let whole = |name: &str, instructions: &str| Some((name.to_owned(), instructions.to_owned()));
        for (said, expected) in [
            (
                "Fern keeper\n\nYou keep ferns.\nYou water them.",
                whole("Fern keeper", "You keep ferns.\nYou water them."),
            ),
            ("<think>A name…\n</think>\n\n# **Moss**\nYou grow.", whole("Moss", "You grow.")),
            ("“Moos”\r\n\r\nDu wächst.", whole("Moos", "Du wächst.")),
            ("Only a name", None),
            ("Only a name\n\n", None),
            ("***\n\nYou keep ferns.", None),
            ("", None),
        ] {
            assert_eq!(found(said), expected, "{said:?}");
        }
        let long = format!("{}\nYou count.", "a".repeat(500));
        assert_eq!(proposed(&long).map(|agent| agent.name.chars().count()), Some(NAME));
    }
}
