//! A call that its server answers later, by a task: it is asked how far that is until it is over, and told what the
//! person says meanwhile. Servers of today make a call a task as they like; those of 2025-11-25 where the call asks for
//! it, and what comes of it is asked for apart.

use super::asked_back::replies;
use super::era::TASK;
use super::progress::{WORDS, in_a_line};
use super::{Asked, Client, McpFailure, message};
use protocol::hub::CallProgress;
use serde_json::{Map, Value, json};
use std::collections::HashSet;
use std::time::Duration;
use tokio::time::sleep;

const CALL: &str = "tools/call";
/// Before it is asked how far it is: where it says nothing, and within these bounds where it does.
const PAUSE_MS: u64 = 1_000;
const SHORTEST_MS: u64 = 100;
const LONGEST_MS: u64 = 30_000;
/// So many times in a row it may be in trouble: what it works on may be well.
const MOST_TROUBLE: u32 = 5;
const TROUBLE: Duration = Duration::from_millis(PAUSE_MS);
/// Bytes of a task's name.
const LONGEST_ID: usize = 1024;

pub(super) struct Task {
    id: String,
    pause: Duration,
    /// Whether what came of it stands with it.
    has_result: bool,
}

impl Task {
    /// `None`: the answer is one. Nothing but a call is answered later.
    pub(super) fn begun(asked: &Asked<'_>, answer: &Value) -> Result<Option<Self>, McpFailure> {
        let is_of_today = answer.get("resultType").is_some_and(|kind| kind == TASK);
        let wanted = answer.get("task").filter(|_| asked.params.get("task").is_some());
        let (begun, has_result) = match wanted {
            _ if is_of_today => (answer, true),
            Some(begun) => (begun, false),
            None => return Ok(None),
        };
        let id = begun.get("taskId").and_then(Value::as_str).filter(|_| asked.method == CALL);
        let id = id.filter(|id| (1..=LONGEST_ID).contains(&id.len())).ok_or(McpFailure::NotMcp)?;
        Ok(Some(Self { id: id.to_owned(), pause: pause(begun), has_result }))
    }

    fn asked(&self, method: &'static str, mut more: Map<String, Value>) -> Asked<'_> {
        more.insert("taskId".to_owned(), json!(self.id));
        Asked { method, about: Some(&self.id), params: more.into(), mirrored: Vec::new() }
    }
}

impl Client<'_> {
    /// What came of the task. Its server hears of it when nobody waits any more.
    pub(super) async fn done(&self, task: &Task) -> Result<Value, McpFailure> {
        let mut cancelling = self.cancelling_task(&task.id);
        let (mut replied, mut pause_before, mut times) = (HashSet::new(), task.pause, 0.0);
        loop {
            self.rest(pause_before).await?;
            let mut now = self.told(task, "tasks/get", Map::new()).await?;
            // The word has to be theirs who are known by now.
            std::mem::replace(&mut cancelling, self.cancelling_task(&task.id)).end();
            times += 1.0;
            match now.get("status").and_then(Value::as_str) {
                Some("working") => {}
                Some("input_required") if task.has_result => {
                    self.reply(task, &mut now, &mut replied).await?;
                }
                Some("cancelled") => {
                    cancelling.end();
                    return Err(McpFailure::GaveUp);
                }
                // What it wants to know it asks in the stream of that answer.
                Some("input_required" | "completed" | "failed") if !task.has_result => {
                    let result = self.told(task, "tasks/result", Map::new()).await?;
                    cancelling.end();
                    return Ok(result);
                }
                Some("completed") => {
                    cancelling.end();
                    let result = now.get_mut("result").map(Value::take).filter(Value::is_object);
                    return result.ok_or(McpFailure::NotMcp);
                }
                Some("failed") => {
                    cancelling.end();
                    let words = now.pointer("/error/message").and_then(Value::as_str).unwrap_or_default();
                    return Err(message::said(&self.without_secrets(words)));
                }
                Some(_) | None => return Err(McpFailure::NotMcp),
            }
            self.goes_on(&now, times);
            pause_before = pause(&now);
        }
    }

    /// Puts to the person what they were not asked yet.
    async fn reply(
        &self,
        task: &Task,
        now: &mut Value,
        replied: &mut HashSet<String>,
    ) -> Result<(), McpFailure> {
        let Some(Value::Object(mut questions)) = now.get_mut("inputRequests").map(Value::take) else {
            return Err(McpFailure::NotMcp);
        };
        questions.retain(|name, _| !replied.contains(name));
        if questions.is_empty() {
            return Ok(());
        }
        replied.extend(questions.keys().cloned());
        let replies = replies(self.asking(), questions).await?;
        let more = Map::from_iter([("inputResponses".to_owned(), Value::Object(replies))]);
        self.told(task, "tasks/update", more).await.map(drop)
    }

    /// What it answers about the task, though it may be in trouble for a moment.
    async fn told(
        &self,
        task: &Task,
        method: &'static str,
        more: Map<String, Value>,
    ) -> Result<Value, McpFailure> {
        let asked = task.asked(method, more);
        for _ in 0..MOST_TROUBLE {
            match self.answered_once_known(&asked).await {
                Err(failure) if failure.may_pass() => self.rest(TROUBLE).await?,
                other => return other,
            }
        }
        self.answered_once_known(&asked).await
    }

    async fn rest(&self, pause: Duration) -> Result<(), McpFailure> {
        match self.asking() {
            Some(asking) => asking.rest(pause).await,
            None => {
                sleep(pause).await;
                Ok(())
            }
        }
    }

    /// It works on: its time begins anew, as with every word of how far a call is.
    fn goes_on(&self, now: &Value, times: f64) {
        let Some(asking) = self.asking() else { return };
        asking.goes_on();
        let words = now.get("statusMessage").and_then(Value::as_str).unwrap_or_default();
        let words = self.without_secrets(&in_a_line(words, WORDS));
        if !words.is_empty() {
            asking.tell(CallProgress { done: times, total: None, words, asked: Vec::new() });
        }
    }
}

/// What it wants before it is asked again.
fn pause(task: &Value) -> Duration {
    let named = task.get("pollIntervalMs").or_else(|| task.get("pollInterval")).and_then(Value::as_u64);
    Duration::from_millis(named.unwrap_or(PAUSE_MS).clamp(SHORTEST_MS, LONGEST_MS))
}
