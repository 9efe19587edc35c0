//! Following a task elsewhere to its end: what its agent tells is kept as it comes, what breaks off is taken up again,
//! by the id of the task or of the message, and whoever stops it has it cancelled there.

use super::Delegations;
use super::elsewhere::{PeerEnd, PeerTask};
use super::rows::Delegation;
use crate::Hub;
use crate::clock::Moment;
use crate::error::{Error, Result};
use crate::peers::{CHAIN, Manner, PeerClient, PeerFailure, PeerTaskState, Told, Updates};
use crate::store::query;
use protocol::DelegationId;
use protocol::hub::Noun;
use protocol::view::DelegationState;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

/// Between two looks at a task that tells nothing by itself, and before what broke off is taken up again.
pub(super) const SHORTEST_PAUSE_MS: i64 = 500;
pub(super) const LONGEST_PAUSE_MS: i64 = 15_000;
/// What it says is written down so often while it comes.
const WRITES_MS: i64 = 700;
/// Characters of the last words that somebody who looks on is shown.
const LATEST: usize = 300;
/// After so long without a word a stream is taken up anew: the connection may be gone.
const SILENCE: Duration = Duration::from_secs(120);
/// For a word of good-bye.
pub(super) const PARTING: Duration = Duration::from_secs(10);
/// The agent has no such way, or the task is over.
const UNSUPPORTED: [i64; 3] = [-32_004, -32_003, -32_601];
const TOO_LATE: &str = "What it asked had been answered by somebody else, and it did not hear you.";

/// Those that this process looks after.
#[derive(Default)]
pub(super) struct Followed {
    all: Mutex<HashMap<DelegationId, CancellationToken>>,
    /// One of them is over.
    ended: Notify,
}

impl Followed {
    /// `None`: somebody follows it already.
    pub(super) fn begin(&self, id: &DelegationId) -> Option<CancellationToken> {
        let mut all = self.all();
        if all.contains_key(id) {
            return None;
        }
        Some(all.entry(id.clone()).or_default().clone())
    }

    pub(super) fn end(&self, id: &DelegationId) {
        self.all().remove(id);
        self.ended.notify_waiters();
    }

    pub(super) fn stop(&self, id: &DelegationId) {
        if let Some(token) = self.all().get(id) {
            token.cancel();
        }
    }

    /// Waits until nobody follows it.
    pub(super) async fn ended(&self, id: &DelegationId) {
        loop {
            let ended = self.ended.notified();
            if !self.all().contains_key(id) {
                return;
            }
            ended.await;
        }
    }

    fn all(&self) -> MutexGuard<'_, HashMap<DelegationId, CancellationToken>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Delegations<'_> {
    /// Follows it in the background, from its beginning or from where the last process left it.
    pub(super) fn follow(self, id: &DelegationId) {
        let Some(stop) = self.hub.0.delegations.followed.begin(id) else { return };
        let (hub, id) = (self.hub.clone(), id.clone());
        self.hub.tasks().spawn(async move {
            if let Err(error) = hub.delegations().follow_to_its_end(&id, &stop).await {
                let failure = error.into_failure();
                tracing::warn!("what an agent elsewhere was asked could not be followed: {failure}");
            }
            hub.0.delegations.followed.end(&id);
        });
    }

    async fn follow_to_its_end(self, id: &DelegationId, stop: &CancellationToken) -> Result<()> {
        let (delegation, task) = (self.require(id).await?, self.peer_task(id).await?);
        let Some(task) = task else { return Ok(()) };
        let manner = self.hub.peers().manner(&task.owner, &task.peer, &task.url).await?;
        let left_ms = delegation.until.saturating_sub(self.hub.now()).max(0);
        let until = self.hub.moment().plus_ms(left_ms);
        let told = Told::of(task.task.clone(), task.context.clone());
        let is_resumed = task.is_sent;
        let mut following = Following {
            hub: self.hub.clone(),
            delegation,
            task,
            manner,
            told,
            is_resumed,
            was_late: false,
            written: self.hub.moment(),
        };
        let end = tokio::select! {
            biased;
            () = self.hub.tasks().closing() => return Ok(()),
            () = stop.cancelled() => None,
            end = following.heard() => Some(end),
            () = self.hub.clock().until(until) => Some(PeerEnd {
                state: DelegationState::TimedOut,
                why: "It took longer than it was given.".to_owned(),
                asks: false,
            }),
        };
        let is_left = end.as_ref().is_none_or(|end| end.state == DelegationState::TimedOut);
        let end = end.unwrap_or(PeerEnd { state: DelegationState::Stopped, why: String::new(), asks: false });
        following.end(&end).await?;
        if self.is_unwanted_elsewhere(id).await? {
            return Ok(());
        }
        // Whoever asked may have been deleted right after they stopped it.
        let ended = match self.peer_task(id).await? {
            Some(_) => self.ended(&following.delegation).await,
            None => Ok(()),
        };
        if is_left {
            // What it does not hear of it does for nobody.
            let _ = timeout(PARTING, following.cancel()).await;
        }
        ended
    }

    /// Whoever waits for it hears of it, and others have their turn.
    async fn ended(self, delegation: &Delegation) -> Result<()> {
        self.hub.delegations_changed().notify_waiters();
        let over = self.require(&delegation.id).await?;
        if over.state.is_over() {
            self.tell_asker_if_over(over).await?;
        }
        let owner = query("SELECT user_id FROM delegations WHERE id = $1", (&delegation.id,));
        match owner.fetch_optional(self.hub.store().read()).await? {
            Some(owner) => self.begin_queued(&owner).await,
            None => Ok(()),
        }
    }
}

struct Following {
    hub: Hub,
    delegation: Delegation,
    task: PeerTask,
    manner: Manner,
    told: Told,
    /// Something of it was missed, so that only the whole says what was said.
    is_resumed: bool,
    /// Somebody else had answered what it asked.
    was_late: bool,
    /// When what it says was last written down.
    written: Moment,
}

/// What the agent has just been told.
#[derive(Clone, Copy)]
enum Heard {
    Nothing,
    /// What it tells first may stand as it did before.
    AnAnswer,
}

/// What came of asking once.
enum Step {
    End(PeerEnd),
    /// It goes on, and is to be asked again.
    Again,
}

impl Following {
    async fn heard(&mut self) -> PeerEnd {
        let mut pause_ms = SHORTEST_PAUSE_MS;
        loop {
            let before = (self.told.text().len(), self.told.state);
            match self.step().await {
                Ok(Step::End(end)) => return end,
                Ok(Step::Again) => {}
                Err(failure) if self.may_go_on(&failure) => {
                    tracing::debug!("an agent elsewhere was not heard: {failure}");
                }
                Err(failure) => return failed(failure.to_string()),
            }
            self.is_resumed = true;
            pause_ms = match (self.told.text().len(), self.told.state) == before {
                true => (pause_ms * 2).min(LONGEST_PAUSE_MS),
                false => SHORTEST_PAUSE_MS,
            };
            self.hub.clock().until(self.hub.moment().plus_ms(pause_ms)).await;
        }
    }

    /// Whether it can be asked once more with nothing done twice.
    fn may_go_on(&self, failure: &PeerFailure) -> bool {
        // Before it is known there, a failure that says that nothing arrived ends the wait.
        failure.is_passing() && (!self.has_to_send() || self.task.is_sent && self.manner.takes_messages_once)
    }

    fn has_to_send(&self) -> bool {
        self.told.task.is_none() || self.task.goes_on && !self.task.is_sent
    }

    async fn client(&self) -> std::result::Result<PeerClient, PeerFailure> {
        self.hub.peers().client(&self.task.owner, &self.task.peer).await
    }

    async fn step(&mut self) -> std::result::Result<Step, PeerFailure> {
        if self.has_to_send() {
            return self.send().await;
        }
        let params = json!({ "id": self.told.task });
        if self.manner.streams {
            match self.client().await?.follow(&self.task.url, "SubscribeToTask", params.clone()).await {
                Ok(updates) => match self.listen(updates, Heard::Nothing).await {
                    Err(PeerFailure::Refused { code, .. }) if UNSUPPORTED.contains(&code) => {}
                    other => return other,
                },
                Err(failure) => return Err(failure),
            }
        }
        self.look(params).await
    }

    async fn send(&mut self) -> std::result::Result<Step, PeerFailure> {
        if self.task.is_sent && !self.manner.takes_messages_once {
            return Err(PeerFailure::Unknown);
        }
        let client = self.client().await?;
        self.note_sent(true).await?;
        let streams = self.manner.streams;
        let method = if streams { "SendStreamingMessage" } else { "SendMessage" };
        match client.follow(&self.task.url, method, self.message(!streams)).await {
            Ok(updates) => {
                let heard = if self.task.goes_on { Heard::AnAnswer } else { Heard::Nothing };
                match self.listen(updates, heard).await {
                    Err(PeerFailure::Refused { code, .. })
                        if self.task.goes_on && UNSUPPORTED.contains(&code) =>
                    {
                        self.was_late = true;
                        self.look(json!({ "id": self.told.task })).await
                    }
                    other => other,
                }
            }
            Err(failure) => {
                if !failure.may_have_arrived() {
                    self.note_sent(false).await?;
                }
                Err(failure)
            }
        }
    }

    fn message(&self, at_once: bool) -> Value {
        message(&self.delegation.id, &self.task, &self.manner, at_once)
    }

    async fn listen(
        &mut self,
        mut updates: Updates,
        mut heard: Heard,
    ) -> std::result::Result<Step, PeerFailure> {
        let mut is_written = true;
        loop {
            let hub = self.hub.clone();
            let next = tokio::select! {
                biased;
                next = timeout(SILENCE, updates.next()) => next.unwrap_or(Err(PeerFailure::Cut)),
                () = hub.clock().until(self.written.plus_ms(WRITES_MS)), if !is_written => {
                    self.write_down(&updates.without_token(&self.told.text())).await?;
                    is_written = true;
                    continue;
                }
            };
            let Some(update) = next? else { break };
            let knew = self.told.task.is_some();
            if !self.told.take(&update) {
                return Err(PeerFailure::NotA2a);
            }
            if self.told.is_over() {
                return self.over(&updates.without_token(&self.told.text())).await;
            }
            if self.told.state == PeerTaskState::Asks {
                match heard {
                    Heard::Nothing => break,
                    Heard::AnAnswer => self.told.state = PeerTaskState::Works,
                }
            }
            heard = Heard::Nothing;
            let is_due = self.hub.moment().ms_since(self.written) >= WRITES_MS;
            is_written = is_due || !knew && self.told.task.is_some();
            if is_written {
                self.write_down(&updates.without_token(&self.told.text())).await?;
            }
        }
        self.write_down(&updates.without_token(&self.told.text())).await?;
        if self.told.task.is_none() {
            return Err(PeerFailure::Cut);
        }
        Ok(self.asks_or_again())
    }

    /// Asks how it stands.
    async fn look(&mut self, params: Value) -> std::result::Result<Step, PeerFailure> {
        let client = self.client().await?;
        let task = client.call(&self.task.url, "GetTask", params).await?;
        if !self.told.take_task(&task) {
            return Err(PeerFailure::NotA2a);
        }
        let said = client.without_token(&self.told.text());
        self.write_down(&said).await?;
        // It is whole now.
        self.is_resumed = false;
        match self.told.is_over() {
            true => self.over(&said).await,
            false => Ok(self.asks_or_again()),
        }
    }

    /// What it asks is an answer to who asked it, and goes on with what that says to it.
    fn asks_or_again(&self) -> Step {
        match self.told.state {
            PeerTaskState::Asks => Step::End(self.completed(true)),
            _ => Step::Again,
        }
    }

    fn completed(&self, asks: bool) -> PeerEnd {
        let why = if self.was_late { TOO_LATE } else { "" };
        PeerEnd { state: DelegationState::Completed, why: why.to_owned(), asks }
    }

    async fn over(&mut self, said: &str) -> std::result::Result<Step, PeerFailure> {
        if self.is_resumed
            && let Some(task) = self.told.task.clone()
        {
            let client = self.client().await?;
            let whole = client.call(&self.task.url, "GetTask", json!({ "id": task })).await?;
            if !self.told.take_task(&whole) {
                return Err(PeerFailure::NotA2a);
            }
            self.write_down(&client.without_token(&self.told.text())).await?;
        } else {
            self.write_down(said).await?;
        }
        let words = self.told.words().trim().to_owned();
        Ok(Step::End(match self.told.state {
            PeerTaskState::Cancelled => PeerEnd {
                state: DelegationState::Stopped,
                why: "It was stopped there.".to_owned(),
                asks: false,
            },
            PeerTaskState::Failed if words.is_empty() => {
                failed("It failed there, and does not say why.".to_owned())
            }
            PeerTaskState::Failed => failed("It failed there.".to_owned()),
            PeerTaskState::Works | PeerTaskState::Asks | PeerTaskState::Completed => self.completed(false),
        }))
    }

    async fn note_sent(&mut self, is_sent: bool) -> Result<()> {
        self.task.is_sent = is_sent;
        let mut tx = self.hub.store().write().await?;
        let noted =
            query("UPDATE peer_tasks SET sent = $2 WHERE delegation_id = $1", (&self.delegation.id, is_sent))
                .execute(&mut *tx)
                .await?;
        tx.commit().await?;
        // Whoever asks was deleted.
        if noted == 0 { Err(Error::NotFound("task")) } else { Ok(()) }
    }

    async fn write_down(&mut self, said: &str) -> Result<()> {
        self.written = self.hub.moment();
        let letters = said.chars().count();
        let latest: String = said.chars().skip(letters.saturating_sub(LATEST)).collect();
        let mut tx = self.hub.store().write().await?;
        query(
            "UPDATE peer_tasks SET said = $2, latest = $3, task_id = $4, context_id = $5 WHERE delegation_id = $1",
            (&self.delegation.id, said, latest, self.told.task.as_deref(), self.told.context.as_deref()),
        )
        .execute(&mut *tx)
        .await?;
        tx.changes(&self.task.owner, Noun::Delegations);
        tx.commit().await
    }

    /// Ends the row, unless somebody did already.
    async fn end(&self, end: &PeerEnd) -> Result<()> {
        let mut tx = self.hub.store().write().await?;
        query(
            "UPDATE delegations SET state = $2, why = $3, finished_at = $4 WHERE id = $1 AND state = 'running'",
            (&self.delegation.id, end.state, &end.why, self.hub.now()),
        )
        .execute(&mut *tx)
        .await?;
        query("UPDATE peer_tasks SET asks = $2 WHERE delegation_id = $1", (&self.delegation.id, end.asks))
            .execute(&mut *tx)
            .await?;
        tx.changes(&self.task.owner, Noun::Delegations);
        tx.commit().await
    }

    async fn cancel(&mut self) -> std::result::Result<(), PeerFailure> {
        cancel(&self.hub, &self.delegation.id, &self.task, &self.manner, &mut self.told).await
    }
}

/// What is said, under an id by which the other side knows it again.
fn message(id: &DelegationId, task: &PeerTask, manner: &Manner, at_once: bool) -> Value {
    let mut message = json!({
        "messageId": id,
        "role": "ROLE_USER",
        "parts": [{ "text": task.text }],
    });
    if let Some(context) = &task.context {
        message["contextId"] = json!(context);
    }
    if let Some(known) = task.task.as_ref().filter(|_| task.goes_on) {
        message["taskId"] = json!(known);
    }
    if let Some(cause) = task.cause.as_ref().filter(|_| manner.takes_chain) {
        message["extensions"] = json!([CHAIN]);
        message["metadata"] = json!({ CHAIN: { "cause": cause, "depth": task.depth } });
    }
    let configuration = json!({ "acceptedOutputModes": ["text/plain"], "returnImmediately": at_once });
    json!({ "message": message, "configuration": configuration })
}

/// Has it cancelled there, as far as it is known there.
pub(super) async fn cancel(
    hub: &Hub,
    id: &DelegationId,
    task: &PeerTask,
    manner: &Manner,
    told: &mut Told,
) -> std::result::Result<(), PeerFailure> {
    if !task.is_sent {
        return Ok(());
    }
    if told.task.is_none() && manner.takes_messages_once {
        let client = hub.peers().client(&task.owner, &task.peer).await?;
        let begun = client.call(&task.url, "SendMessage", message(id, task, manner, true)).await?;
        told.take(&begun);
    }
    let Some(known) = &told.task else { return Ok(()) };
    let client = hub.peers().client(&task.owner, &task.peer).await?;
    client.call(&task.url, "CancelTask", json!({ "id": known })).await?;
    Ok(())
}

fn failed(why: String) -> PeerEnd {
    PeerEnd { state: DelegationState::Failed, why, asks: false }
}
