//! A task while it goes on.

use super::super::rpc::{self, RpcError};
use super::Asker;
use super::refusal::unsupported;
use crate::limits::ConcurrencyPermit;
use axum::response::Response;
use futures_util::stream::{self, StreamExt};
use http::StatusCode;
use hub::{Hub, RunState, RunWord, RunWords, TaskArtifacts, TaskName};
use protocol::UserId;
use serde_json::{Value, json};

impl Asker {
    pub(super) async fn send_streaming(&self, id: &Value, params: &Value) -> Result<Response, RpcError> {
        let place = self.place()?;
        let (task, words) = self.begin(params).await?;
        Ok(self.follow(id, task, RunState::Works, words, place))
    }

    /// From its beginning, whenever somebody comes: all who follow are told the same.
    pub(super) async fn subscribe(&self, id: &Value, params: &Value) -> Result<Response, RpcError> {
        let place = self.place()?;
        let run = self.found(&params["id"]).await?;
        if let RunState::Over(_) = run.state {
            return Err(unsupported("The task is over: there is nothing to follow."));
        }
        let words = self.runs().listen(&self.agent.id, &run.run).await?;
        Ok(self.follow(id, TaskName::from(&run), run.state, words, place))
    }

    fn place(&self) -> Result<ConcurrencyPermit<UserId>, RpcError> {
        self.state.limits.socket(self.program.counted_as()).ok_or_else(|| RpcError {
            status: StatusCode::TOO_MANY_REQUESTS,
            ..unsupported("Your programs follow as many tasks as they may. Close one first.")
        })
    }

    fn follow(
        &self,
        id: &Value,
        task: TaskName,
        state: RunState,
        words: RunWords,
        place: ConcurrencyPermit<UserId>,
    ) -> Response {
        let hub = self.state.hub.clone();
        let has_said = words.go_on();
        let begun = Following { hub, id: id.clone(), task, words, has_said, _place: place };
        let first = begun.told(begun.task.task(&state, begun.hub.now(), TaskArtifacts::Without));
        let rest = stream::unfold(begun, |mut following| async {
            let update = following.next().await?;
            Some((following.told(update), following))
        });
        rpc::events(stream::iter([first]).chain(rest).boxed())
    }
}

struct Following {
    hub: Hub,
    id: Value,
    task: TaskName,
    words: RunWords,
    has_said: bool,
    _place: ConcurrencyPermit<UserId>,
}

impl Following {
    async fn next(&mut self) -> Option<Value> {
        let state = match self.words.next().await? {
            RunWord::Said(text) => {
                let is_more = std::mem::replace(&mut self.has_said, true);
                return Some(self.task.artifact_update(&text, is_more));
            }
            RunWord::Waits => RunState::Waits,
            RunWord::Asks(question) => RunState::Asks(question),
            RunWord::GoesOn => RunState::Works,
            RunWord::Over(end) => RunState::Over(end),
            RunWord::Lost => return None,
        };
        Some(self.task.status_update(&state, self.hub.now()))
    }

    fn told(&self, update: Value) -> Value {
        let update = if update.get("status").is_some() { json!({ "task": update }) } else { update };
        rpc::answer(&self.id, update)
    }
}
