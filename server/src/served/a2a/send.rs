//! What a program says to an agent, and the task that answers.

use super::super::rpc::{INVALID_PARAMS, RpcError};
use super::push::push_draft;
use super::refusal::{no_such_content, unsupported};
use super::{Asker, CHAIN};
use hub::{
    Asked, AskedChain, AskedRun, Place, ProgramRun, RunState, RunWord, RunWords, TaskArtifacts, TaskName,
    TaskPush, WhenGone,
};
use protocol::ConversationId;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::timeout;

const LONGEST_ID: usize = 200;
/// How long a program is kept waiting for the end of a task.
const LONGEST: Duration = Duration::from_secs(30 * 60);

impl Asker {
    /// Answers when the task is over, asks something, or has taken as long as anybody waits.
    pub(super) async fn send(&self, params: &Value) -> Result<Value, RpcError> {
        let (task, mut words) = self.begin(params).await?;
        if params["configuration"]["returnImmediately"] != json!(true) {
            // A task that takes longer is asked for again.
            let _ = timeout(LONGEST, settled(&mut words)).await;
        }
        let run = self.found(&json!(task.run)).await?;
        Ok(json!({ "task": task.task(&run.state, run.at, TaskArtifacts::With) }))
    }

    /// Begins the run, or answers what one asks. It goes on if nobody listens: a task is asked for again, and ended by
    /// its name.
    pub(super) async fn begin(&self, params: &Value) -> Result<(TaskName, RunWords), RpcError> {
        check_configuration(&params["configuration"])?;
        let push = match &params["configuration"]["taskPushNotificationConfig"] {
            Value::Null => None,
            wanted => Some(self.runs().check_push(push_draft(wanted)?)?),
        };
        let (task, words) = self.begin_task(params, push.as_ref()).await?;
        if let Some(push) = push
            && let Err(error) = self.runs().push(&self.agent.id, &task.run, &push, &RunState::Works).await
        {
            // The task goes on, and its program has to know by what name.
            let failure = error.into_failure();
            tracing::warn!(run.id = %task.run, "of task {} nobody is told: {failure}", task.run);
        }
        Ok((task, words))
    }

    async fn begin_task(
        &self,
        params: &Value,
        push: Option<&TaskPush>,
    ) -> Result<(TaskName, RunWords), RpcError> {
        let text = text(&params["message"])?;
        let message = params["message"]["messageId"].as_str().filter(|_| self.messages_once);
        if let Some(begun) = self.begun_before(message).await? {
            return Ok(begun);
        }
        let named = |name: &str| params["message"][name].as_str().filter(|id| !id.is_empty());
        let context = named("contextId").map(ConversationId::from);
        if named("taskId").is_some() {
            let run = self.found(&params["message"]["taskId"]).await?;
            if let Some(push) = push {
                self.runs().require_room_for_push(Some(&run.run), push).await?;
            }
            return self.answer_task(&run, context.as_ref(), &text, message).await;
        }
        let place = context.as_ref().map_or(Place::New, Place::Same);
        let chain = chain(&params["message"]["metadata"])?;
        if let Some(push) = push {
            self.runs().require_room_for_push(None, push).await?;
        }
        match self.runs().ask_in_chain(&self.agent.id, place, &text, message, WhenGone::GoOn, chain).await? {
            Asked::Begun(asked) => {
                let AskedRun { run, conversation, words } = *asked;
                Ok((TaskName { run, conversation }, words))
            }
            Asked::Busy => {
                // The same message may have come twice at a time.
                if let Some(begun) = self.begun_before(message).await? {
                    return Ok(begun);
                }
                Err(unsupported(format!("{} is at work. Ask again when it has answered.", self.agent.name)))
            }
        }
    }

    /// The run that this message began, or in which it answered, when it came before.
    async fn begun_before(&self, message: Option<&str>) -> Result<Option<(TaskName, RunWords)>, RpcError> {
        let Some(message) = message else { return Ok(None) };
        let begun = match self.runs().find_asked_as(&self.agent.id, message).await? {
            Some(begun) => Some(begun),
            None => self.runs().find_answered_as(&self.agent.id, message).await?,
        };
        let Some(run) = begun else { return Ok(None) };
        let words = self.runs().listen(&self.agent.id, &run.run).await?;
        Ok(Some((TaskName::from(&run), words)))
    }

    async fn answer_task(
        &self,
        run: &ProgramRun,
        context: Option<&ConversationId>,
        text: &str,
        message: Option<&str>,
    ) -> Result<(TaskName, RunWords), RpcError> {
        if context.is_some_and(|context| *context != run.conversation) {
            return Err(RpcError::new(INVALID_PARAMS, "The task is of another context."));
        }
        Err(unsupported(match run.state {
            RunState::Asks(_) => match self.runs().answer(&self.agent.id, &run.run, text, message).await? {
                Some(words) => return Ok((TaskName::from(run), words)),
                None => "The question was answered before.",
            },
            RunState::Over(_) => "The task is over. Begin another one in its context.",
            RunState::Waits => "The task waits for its person, and takes no answer from a program.",
            RunState::Works => "The agent is at work. Say more when it has answered.",
        }))
    }
}

async fn settled(words: &mut RunWords) {
    loop {
        match words.next().await {
            Some(RunWord::Said(_) | RunWord::Waits | RunWord::GoesOn) => {}
            Some(RunWord::Asks(_) | RunWord::Over(_) | RunWord::Lost) | None => return,
        }
    }
}

fn check_configuration(configuration: &Value) -> Result<(), RpcError> {
    let takes_text = |modes: &Vec<Value>| {
        modes.is_empty()
            || modes.iter().any(|mode| ["text/plain", "text/*", "*/*"].iter().any(|text| mode == text))
    };
    match configuration["acceptedOutputModes"].as_array() {
        Some(modes) if !takes_text(modes) => Err(no_such_content()),
        Some(_) | None => Ok(()),
    }
}

/// Numbers of metadata may come as those with a fraction.
fn chain(metadata: &Value) -> Result<Option<AskedChain>, RpcError> {
    let chain = &metadata[CHAIN];
    if chain.is_null() {
        return Ok(None);
    }
    let depth = chain["depth"].as_f64().filter(|depth| depth.fract() == 0.0 && depth.abs() < 1e9);
    match (chain["cause"].as_str(), depth) {
        (Some(cause), Some(depth)) => Ok(Some(AskedChain { cause: cause.to_owned(), depth: depth as i64 })),
        _ => Err(RpcError::new(
            INVALID_PARAMS,
            format!("{CHAIN} has the name of what began the chain as cause, and a whole number as depth."),
        )),
    }
}

fn text(message: &Value) -> Result<String, RpcError> {
    let invalid = |words: &str| Err(RpcError::new(INVALID_PARAMS, words));
    if message["messageId"].as_str().is_none_or(str::is_empty) {
        return invalid("A message has an id of its own: messageId.");
    }
    if message["messageId"].as_str().is_some_and(|id| id.len() > LONGEST_ID) {
        return invalid("A messageId has at most 200 letters.");
    }
    if message["role"] != "ROLE_USER" {
        return invalid("What is sent here has the role ROLE_USER.");
    }
    let Some(parts) = message["parts"].as_array().filter(|parts| !parts.is_empty()) else {
        return invalid("A message has parts.");
    };
    let texts: Option<Vec<&str>> = parts.iter().map(|part| part["text"].as_str()).collect();
    match texts {
        Some(texts) => Ok(texts.join("\n")),
        None => Err(no_such_content()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_text_of_somebody_is_said() {
        let message = |parts: Value| json!({ "messageId": "1", "role": "ROLE_USER", "parts": parts });
        let hello = json!([{ "text": "Hello" }]);
        for (message, expected) in [
            (message(hello.clone()), Ok("Hello")),
            (message(json!([{ "text": "Hello" }, { "text": "there" }])), Ok("Hello\nthere")),
            (message(json!([])), Err(INVALID_PARAMS)),
            (message(json!([{ "text": "Look" }, { "url": "https://a.example/b.png" }])), Err(-32_005)),
            (message(json!([{ "data": {} }])), Err(-32_005)),
            (json!({ "role": "ROLE_USER", "parts": hello }), Err(INVALID_PARAMS)),
            (json!({ "messageId": "1", "role": "ROLE_AGENT", "parts": hello }), Err(INVALID_PARAMS)),
            (Value::Null, Err(INVALID_PARAMS)),
        ] {
            let said = text(&message).map_err(|refused| refused.code);
            assert_eq!(said.as_deref().map_err(|code| *code), expected, "{message}");
        }
        for (modes, code) in [
            (json!([]), None),
            (json!(["image/png", "text/plain"]), None),
            (json!(["image/png"]), Some(-32_005)),
        ] {
            let refused = check_configuration(&json!({ "acceptedOutputModes": modes })).err();
            assert_eq!(refused.map(|refused| refused.code), code);
        }
    }
}
