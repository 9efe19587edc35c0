//! A server that asks in the middle of a call: the person is asked, so often and no more, and while they think it over
//! the call's time stands still and its place is another's.

use super::McpServers;
use super::failure::McpFailure;
use super::form::Form;
use crate::error::Result as HubResult;
use crate::fair_queue::Permit;
use futures_util::future::BoxFuture;
use protocol::UserId;
use protocol::approval::ApprovalOutcome;
use protocol::hub::CallProgress;
use protocol::question::{Answer, Question};
use serde_json::{Value, json};
use std::future::pending;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, sleep_until};
use tokio_util::sync::CancellationToken;

/// Questions of a server's within one call.
const MOST_QUESTIONS: u32 = 5;
/// So many times its limit a call may take whose server says again and again how far it is.
const LONGEST: u32 = 5;

/// Whoever can ask the person for whom a call is made.
pub(crate) trait Asks: Send + Sync {
    /// Puts the `nth` question of the call to them, until `gone`.
    fn ask<'a>(
        &'a self,
        question: Question,
        nth: u32,
        gone: &'a CancellationToken,
    ) -> BoxFuture<'a, HubResult<ApprovalOutcome>>;

    /// Tells them how far it is.
    fn tell(&self, progress: CallProgress);
}

/// A call in whose middle its person may be asked.
pub(super) struct Asking<'a> {
    servers: McpServers<'a>,
    owner: &'a UserId,
    server_name: &'a str,
    person: &'a dyn Asks,
    /// The call's place among all. Nobody has one who waits for a person.
    turn: Mutex<Option<Permit<UserId>>>,
    asked: AtomicU32,
    /// Whoever has it asks: one question at a time, wherever it came.
    floor: tokio::sync::Mutex<()>,
    limit: Duration,
    /// When the call's time is up. `None`: it stands still.
    until: watch::Sender<Option<End>>,
}

/// When a call's time is up.
#[derive(Clone, Copy)]
struct End {
    /// Without another word of how far it is.
    at: Instant,
    /// Whatever its server says.
    latest: Instant,
}

/// What a server is told.
#[derive(Debug, PartialEq)]
pub(super) enum Reply {
    /// What the person did, as the protocol has it.
    Person(Value),
    /// Nobody was asked, for what was sent is no question.
    NotAsked(String),
}

impl<'a> Asking<'a> {
    pub(super) fn new(
        servers: McpServers<'a>,
        owner: &'a UserId,
        server_name: &'a str,
        person: &'a dyn Asks,
        limit: Duration,
    ) -> Self {
        let now = Instant::now();
        let until = watch::Sender::new(Some(End { at: now + limit, latest: now + limit * LONGEST }));
        Self {
            servers,
            owner,
            server_name,
            person,
            turn: Mutex::default(),
            asked: AtomicU32::new(0),
            floor: tokio::sync::Mutex::default(),
            limit,
            until,
        }
    }

    /// Ends the call when its time is up, without the time in which a person thought something over.
    pub(super) async fn within_time<T>(
        &self,
        call: impl Future<Output = Result<T, McpFailure>>,
    ) -> Result<T, McpFailure> {
        let mut until = self.until.subscribe();
        tokio::pin!(call);
        loop {
            let end = *until.borrow_and_update();
            let is_over = async {
                match end {
                    Some(end) => sleep_until(end.at).await,
                    None => pending().await,
                }
            };
            tokio::select! {
                biased;
                done = &mut call => return done,
                _ = until.changed() => {}
                () = is_over => {
                    let is_latest = end.is_some_and(|end| end.at == end.latest);
                    let limit = if is_latest { self.limit * LONGEST } else { self.limit };
                    return Err(McpFailure::TooLate(limit.as_secs()));
                }
            }
        }
    }

    pub(super) fn owner(&self) -> &UserId {
        self.owner
    }

    /// Waits for a place.
    pub(super) async fn enter(&self) -> Result<(), McpFailure> {
        let turn = self.servers.turn(self.owner).await?;
        *self.turn.lock().unwrap_or_else(PoisonError::into_inner) = Some(turn);
        Ok(())
    }

    /// Has no place while nothing is asked of its server, and waits for one anew.
    pub(super) async fn rest(&self, pause: Duration) -> Result<(), McpFailure> {
        self.leave();
        loop {
            sleep(pause).await;
            match self.enter().await {
                // Its time ends it, if nobody else leaves.
                Err(McpFailure::Busy) => {}
                entered => return entered,
            }
        }
    }

    fn leave(&self) {
        drop(self.turn.lock().unwrap_or_else(PoisonError::into_inner).take());
    }

    /// It says how far it is: its time begins anew, but for the longest that it may take.
    pub(super) fn goes_on(&self) {
        let at = Instant::now() + self.limit;
        self.until.send_modify(|until| {
            if let Some(end) = until {
                end.at = at.min(end.latest);
            }
        });
    }

    pub(super) fn tell(&self, progress: CallProgress) {
        self.person.tell(progress);
    }

    /// What the person says to `elicitation/create`. Who asks too often is answered no more.
    pub(super) async fn reply(&self, params: &Value, gone: &CancellationToken) -> Result<Reply, McpFailure> {
        let nth = self.asked.fetch_add(1, Ordering::Relaxed) + 1;
        if nth > MOST_QUESTIONS {
            return Err(McpFailure::AsksOn(MOST_QUESTIONS));
        }
        let form = match Form::read(self.server_name, params) {
            Ok(form) => form,
            Err(why) => return Ok(Reply::NotAsked(why)),
        };
        let _floor = tokio::select! {
            biased;
            () = gone.cancelled() => return Ok(Reply::Person(json!({ "action": "cancel" }))),
            floor = self.floor.lock() => floor,
        };
        let (stood, left) = (Instant::now(), self.until.send_replace(None));
        self.leave();
        let said = self.person.ask(form.question.clone(), nth, gone).await;
        let thought = stood.elapsed();
        self.until.send_replace(left.map(|end| End { at: end.at + thought, latest: end.latest + thought }));
        self.enter().await?;
        Ok(Reply::Person(match said? {
            ApprovalOutcome::Answered { answer: Answer::Form { fields }, .. } => form.accepted(&fields),
            ApprovalOutcome::Answered { .. } | ApprovalOutcome::Decided { .. } => {
                json!({ "action": "decline" })
            }
            ApprovalOutcome::Expired | ApprovalOutcome::Withdrawn => json!({ "action": "cancel" }),
        }))
    }
}
