//! Where a program wants to be told how a task goes on, so that it need not ask: addresses, each sealed in a row that
//! goes when the end of the task was told there, or when nobody could be.

mod sending;
mod signal;

use super::{ProgramRuns, RunState};
use crate::Hub;
use crate::error::{Error, Result};
use crate::fair_queue::FairQueue;
use crate::log::Observer;
use crate::notifications::checked;
use crate::store::{Connection, query};
use crate::vault::Secret;
use protocol::{AgentId, RunId, TokenId, UserId};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use signal::PushSignal;
use std::collections::HashSet;
use std::sync::{Arc, Mutex};

/// Addresses of one task, and of all tasks of a token.
const MOST_OF_TASK: i64 = 4;
const MOST_OF_TOKEN: i64 = 200;
/// Bytes of the name of one, of its address, and of what a program is known by there.
const LONGEST_ID: usize = 200;
const LONGEST_URL: usize = 2000;
const LONGEST_WORD: usize = 4 * 1024;
/// Sent at once, and how many of a person may wait.
const PLACES: usize = 16;
const WAITING: usize = 20;
/// What an address is sealed for.
const PURPOSE: &str = "task pushes";

/// What a program enters. What is empty was not said.
#[derive(Clone, Copy)]
pub struct TaskPushDraft<'a> {
    /// By what it names this address of the task.
    pub id: &'a str,
    pub url: &'a str,
    /// By which the program knows that it is the hub that speaks.
    pub token: &'a str,
    /// The same for whatever stands before it.
    pub scheme: &'a str,
    pub credentials: &'a str,
}

/// An address to which the hub can send.
pub struct TaskPush {
    id: Option<String>,
    address: Address,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskPushView {
    pub id: String,
    pub run: RunId,
    pub url: String,
}

#[derive(Serialize, Deserialize)]
struct Address {
    url: String,
    token: String,
    authorization: String,
}

/// What is told to programs unasked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TaskPushes<'a> {
    hub: &'a Hub,
}

impl Hub {
    pub(crate) fn task_pushes(&self) -> TaskPushes<'_> {
        TaskPushes { hub: self }
    }
}

pub(crate) struct InMemory {
    signal: PushSignal,
    places: FairQueue<UserId>,
    /// By task and name.
    under_way: Mutex<HashSet<(RunId, String)>>,
}

impl Default for InMemory {
    fn default() -> Self {
        Self {
            signal: PushSignal::default(),
            places: FairQueue::new(PLACES, WAITING),
            under_way: Mutex::default(),
        }
    }
}

impl InMemory {
    pub(crate) fn observer(&self) -> Arc<dyn Observer> {
        Arc::new(self.signal.clone())
    }
}

impl ProgramRuns<'_> {
    /// Fails where the hub may send nothing, or could not say who it is.
    pub fn check_push(self, draft: TaskPushDraft<'_>) -> Result<TaskPush> {
        self.require()?;
        let TaskPushDraft { id, url, token, scheme, credentials } = draft;
        if id.len() > LONGEST_ID || url.len() > LONGEST_URL {
            return Err(Error::invalid(format!(
                "The id of a configuration has at most {LONGEST_ID} letters, and its url {LONGEST_URL}."
            )));
        }
        let target = checked(url, self.hub.outbound().reach())?;
        let authorization = match (scheme, credentials) {
            (_, "") => String::new(),
            ("", _) => return Err(Error::invalid("Credentials want a scheme, like Bearer.")),
            (scheme, credentials) => format!("{scheme} {credentials}"),
        };
        for word in [token, authorization.as_str()] {
            if word.len() > LONGEST_WORD || !word.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
                return Err(Error::invalid(
                    "A token and credentials go into the head of a request: letters, digits and signs, 4 KB at most.",
                ));
            }
        }
        let address =
            Address { url: target.url().as_str().to_owned(), token: token.to_owned(), authorization };
        Ok(TaskPush { id: (!id.is_empty()).then(|| id.to_owned()), address })
    }

    /// Fails if no more of the program's addresses are told of a task: of this one, or of one that is about to begin.
    pub async fn require_room_for_push(self, run: Option<&RunId>, push: &TaskPush) -> Result<()> {
        let none = RunId::from("");
        let run = run.unwrap_or(&none);
        let mut connection = self.hub.store().reader().await?;
        require_room(&mut connection, &self.program.token, run, push.id.as_ref().unwrap_or(&run.0)).await
    }

    /// Tells there how the task goes on from this state, which the program knows. One that has no name has that of the
    /// task, and one of the same name gives way to it.
    pub async fn push(
        self,
        agent: &AgentId,
        run: &RunId,
        push: &TaskPush,
        known: &RunState,
    ) -> Result<TaskPushView> {
        self.header(agent, run).await?;
        let id = push.id.as_ref().unwrap_or(&run.0);
        let address = Secret::new(serde_json::to_string(&push.address)?);
        let sealed = self.hub.vault().seal_in_row(PURPOSE, &row_name(run, id), &address);
        let mut tx = self.hub.store().write().await?;
        // Two that count at once would both find room.
        query("UPDATE tokens SET id = id WHERE id = $1", (&self.program.token,)).execute(&mut *tx).await?;
        require_room(&mut tx, &self.program.token, run, id).await?;
        query(
            "INSERT INTO task_pushes (run_id, id, token_id, sealed, told, tries, due_at)
             VALUES ($1, $2, $3, $4, $5, 0, $6)
             ON CONFLICT (run_id, id) DO UPDATE SET sealed = $4, told = $5, tries = 0, due_at = $6",
            (run, id, &self.program.token, sealed, stands(known), self.hub.now()),
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        self.hub.0.task_pushes.signal.ring();
        Ok(TaskPushView { id: id.clone(), run: run.clone(), url: push.address.url.clone() })
    }

    /// Where this task is told of, by name.
    pub async fn pushes(self, agent: &AgentId, run: &RunId) -> Result<Vec<TaskPushView>> {
        self.header(agent, run).await?;
        let rows: Vec<(String, String)> =
            query("SELECT id, sealed FROM task_pushes WHERE run_id = $1 ORDER BY id", (run,))
                .fetch_all(self.hub.store().read())
                .await?;
        let view = |(id, sealed): (String, String)| {
            let address = self.hub.task_pushes().opened(run, &id, &sealed)?;
            Some(TaskPushView { id, run: run.clone(), url: address.url })
        };
        Ok(rows.into_iter().filter_map(view).collect())
    }

    pub async fn forget_push(self, agent: &AgentId, run: &RunId, id: &str) -> Result<()> {
        self.header(agent, run).await?;
        let mut tx = self.hub.store().write().await?;
        query("DELETE FROM task_pushes WHERE run_id = $1 AND id = $2", (run, id)).execute(&mut *tx).await?;
        tx.commit().await
    }
}

impl TaskPushes<'_> {
    /// `None`: it was sealed by another hub.
    fn opened(self, run: &RunId, id: &str, sealed: &str) -> Option<Address> {
        let address = self.hub.vault().open_in_row(PURPOSE, &row_name(run, id), sealed)?;
        serde_json::from_str(address.expose()).ok()
    }
}

/// Beside the one of this name, to which another gives way.
async fn require_room(connection: &mut Connection, token: &TokenId, run: &RunId, id: &str) -> Result<()> {
    let of_task: i64 = query(
        "SELECT COUNT(*) FROM task_pushes WHERE token_id = $1 AND run_id = $2 AND id <> $3",
        (token, run, id),
    )
    .fetch_one(&mut *connection)
    .await?;
    if of_task >= MOST_OF_TASK {
        return Err(Error::Limit(format!(
            "{MOST_OF_TASK} addresses are told of this task. Delete one first."
        )));
    }
    let of_token: i64 = query(
        "SELECT COUNT(*) FROM task_pushes WHERE token_id = $1 AND NOT (run_id = $2 AND id = $3)",
        (token, run, id),
    )
    .fetch_one(&mut *connection)
    .await?;
    if of_token >= MOST_OF_TOKEN {
        return Err(Error::Limit(format!(
            "{MOST_OF_TOKEN} addresses are told of this program's tasks. Wait for the end of some, or delete them."
        )));
    }
    Ok(())
}

fn row_name(run: &RunId, id: &str) -> String {
    format!("{run} {id}")
}

/// By which it is known whether the task came further since it was told of.
fn stands(state: &RunState) -> String {
    match state {
        RunState::Works => "works".to_owned(),
        RunState::Waits => "waits".to_owned(),
        RunState::Asks(question) => {
            format!("asks {}", data_encoding::HEXLOWER.encode(&Sha256::digest(question)))
        }
        RunState::Over(_) => "over".to_owned(),
    }
}
