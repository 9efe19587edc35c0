//! What an agent asks in the middle of a call, where the client puts questions to its person: the call is answered by the
//! question, and the client calls once more with what they said. Between the two the run waits, as it does for its person
//! on a page here, who may be first.

use super::super::rpc::{INVALID_PARAMS, RpcError};
use super::Asker;
use super::call::{Begun, failed};
use hub::{AskedRun, Error, OfferedAgent, RunState, WhenGone};
use protocol::RunId;
use serde_json::{Value, json};

/// The one question of a call, and the one field of its answer.
const ANSWER: &str = "answer";

/// Whether these capabilities of a client say that it shows its person a form.
pub(super) fn are_answered_by(capabilities: &Value) -> bool {
    // Without a word of kinds a form is meant.
    capabilities["elicitation"]
        .as_object()
        .is_some_and(|kinds| kinds.is_empty() || kinds.contains_key("form"))
}

/// A result that asks this for the run.
pub(super) fn asked(question: &str, run: &RunId) -> Value {
    let form = json!({
        "mode": "form",
        "message": question,
        "requestedSchema": {
            "type": "object",
            "properties": { ANSWER: { "type": "string", "title": "Answer" } },
            "required": [ANSWER],
        },
    });
    json!({
        "resultType": "input_required",
        "inputRequests": { ANSWER: { "method": "elicitation/create", "params": form } },
        "requestState": run,
    })
}

impl Asker {
    /// Goes on with a call that asked. What it names is a run that this program asked of this agent, or none.
    pub(super) async fn go_on(
        &self,
        id: Value,
        agent: &OfferedAgent,
        params: &Value,
    ) -> Result<Begun, RpcError> {
        let run = RunId(params["requestState"].as_str().unwrap_or_default().to_owned());
        let runs = self.state.hub.program_runs(&self.program);
        let found = runs.find(&agent.id, &run).await.map_err(|error| match error {
            Error::NotFound(_) => RpcError::new(INVALID_PARAMS, "There is no call that asked this."),
            error => error.into(),
        })?;
        let reply = &params["inputResponses"][ANSWER];
        let answered = match (&found.state, reply["action"].as_str()) {
            (RunState::Asks(question), Some("accept")) => {
                let said = reply["content"][ANSWER].as_str().unwrap_or_default();
                match runs.answer(&agent.id, &run, said, None).await {
                    Ok(words) => words,
                    Err(error @ Error::Invalid(_)) => {
                        return Ok(Begun::Answered(asked(&format!("{error}\n\n{question}"), &run)));
                    }
                    Err(error) => return Err(error.into()),
                }
            }
            (RunState::Asks(_), Some("decline" | "cancel")) => {
                runs.stop(&agent.id, &run).await?;
                let words = "Nobody answered what the agent asked, so it was stopped.";
                return Ok(Begun::Answered(failed(words)));
            }
            (RunState::Asks(question), _) => return Ok(Begun::Answered(asked(question, &run))),
            // Its person was first.
            (RunState::Works | RunState::Waits | RunState::Over(_), _) => None,
        };
        let mut words = match answered {
            Some(words) => words,
            None => runs.listen(&agent.id, &run).await?,
        };
        words.set_when_gone(WhenGone::Stop);
        let asked = AskedRun { run, conversation: found.conversation, words };
        Ok(self.under(id, agent, asked, params))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_is_asked_if_it_shows_forms() {
        for (capabilities, is_asked) in [
            (json!({ "elicitation": {} }), true),
            (json!({ "elicitation": { "form": {} } }), true),
            (json!({ "elicitation": { "url": {} } }), false),
            (json!({ "elicitation": true }), false),
            (json!({}), false),
        ] {
            assert_eq!(are_answered_by(&capabilities), is_asked, "{capabilities}");
        }
    }
}
