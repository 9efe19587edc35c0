//! What of an exchange is worth remembering. It is kept as what was noted in the background; of an agent that has read
//! words of strangers it waits for the person, like what that agent writes.

use super::call::Question;
use super::{AnsweredRun, SideCalls};
use crate::error::{Error, Result};
use crate::memories::{MemoryWords, Place};
use crate::skills;
use protocol::log::Sender;
use protocol::view::{CallKind, MemoryKind};
use serde::Deserialize;
use serde_json::Value;

const PROMPT: &str = include_str!("memories.md");
/// Tokens of an answer at most, and memories that are taken of it.
const OUTPUT: u32 = 400;
const MOST_MEMORIES: usize = 3;

#[derive(Deserialize)]
struct Worth {
    text: String,
    #[serde(default)]
    kind: Value,
    #[serde(default)]
    importance: Value,
}

impl SideCalls<'_> {
    pub(super) async fn remember(self, answered: &AnsweredRun) -> Result<()> {
        let exchange =
            self.exchange(answered, self.since_last_run(answered).await?, Sender::is_person).await?;
        if exchange.said.is_empty() {
            return Ok(());
        }
        let Some(model) = self.model_for(answered).await? else { return Ok(()) };
        let known = &answered.memories;
        let text = if known.is_empty() {
            exchange.fenced()
        } else {
            format!("Known already:\n{known}\n\n{}", exchange.fenced())
        };
        let question = Question { kind: CallKind::Memories, system: PROMPT, text, output: OUTPUT };
        let Some(said) = self.ask(answered, &model, question).await? else { return Ok(()) };
        for memory in worth(&said) {
            let at =
                Place { agent: &answered.agent, conversation: &answered.conversation, seq: exchange.last };
            match self.hub.memories().add(&answered.owner, at, &memory).await {
                Ok(()) => {}
                // There are as many as there may be.
                Err(Error::Limit(_)) => return Ok(()),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// What the answer lists, as far as it can be kept.
fn worth(said: &str) -> Vec<MemoryWords> {
    let answer = said.rsplit_once("</think>").map_or(said, |(_, answer)| answer);
    let (Some(from), Some(to)) = (answer.find('['), answer.rfind(']')) else { return Vec::new() };
    let listed: Vec<Worth> =
        answer.get(from..=to).and_then(|list| serde_json::from_str(list).ok()).unwrap_or_default();
    let words = |Worth { text, kind, importance }: Worth| {
        let kind = serde_json::from_value(kind).unwrap_or(MemoryKind::default());
        let importance = importance.as_u64().and_then(|one| u8::try_from(one).ok()).unwrap_or(3);
        MemoryWords::new(&skills::visible(&text), kind, &[], importance).ok()
    };
    listed.into_iter().filter_map(words).take(MOST_MEMORIES).collect()
}

#[cfg(test)]
mod tests {
    use super::worth;

    #[test]
    fn what_is_listed_is_kept_as_far_as_it_is_a_memory() {
        let long = format!(r#"[{{"text":"{}"}}]"#, "x".repeat(501));
        for (said, count) in [
            (r#"[{"text":"Ada lives in Graz.","kind":"fact","importance":4}]"#, 1),
            (
                "Here:\n```json\n[{\"text\":\"Ada lives in Graz.\",\"kind\":\"nonsense\",\"importance\":\"high\"}]\n```",
                1,
            ),
            (
                r#"<think>[maybe]</think>[{"text":"One."},{"text":""},{"text":"Two."},{"text":"Three."},{"text":"Four."}]"#,
                3,
            ),
            ("[]", 0),
            ("Nothing.", 0),
            ("][", 0),
            (r#"[{"text":"cut"#, 0),
            (r#"[{"text":"\u200b"}]"#, 0),
            (&long, 0),
        ] {
            assert_eq!(worth(said).len(), count, "{said}");
        }
    }
}
