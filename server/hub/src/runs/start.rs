//! Starting a run: the lease and its first entry in one commit, then whoever is to drive it.

use super::definition::Definition;
use super::execution::CREDIT;
use super::streamed::Streamed;
use super::{Execution, driver};
use crate::Hub;
use crate::clock::{new_id, new_secret};
use crate::error::Result;
use crate::live::TabKey;
use crate::log::{Place, conversation_entries};
use protocol::hub::{HubFrame, RunGrant};
use protocol::log::{EntryBody, Outcome};
use protocol::view::Home;
use protocol::{AgentId, RunId};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize};
use std::sync::{Arc, Mutex};
use tokio::sync::{Semaphore, mpsc};
use tokio_util::sync::CancellationToken;

impl Hub {
    /// Starts a run of this agent unless one is active. `tab` sent the input.
    pub(crate) async fn start_run(&self, agent: &AgentId, tab: Option<TabKey>) -> Result<Option<RunId>> {
        let definition = self.definition(agent).await?;
        let run = RunId(new_id());
        let token = new_secret();
        let driver = match definition.home {
            Home::Hub => None,
            Home::Browser => tab.or_else(|| self.live.stage(agent).map(|tab| tab.key)),
        };
        if !self.begin(agent, &definition, &run, &token, driver).await? {
            return Ok(None);
        }
        let home = definition.home;
        let (replies, receiver) = match home {
            Home::Hub => {
                let (sender, receiver) = mpsc::unbounded_channel();
                (Some(sender), Some(receiver))
            }
            Home::Browser => (None, None),
        };
        let execution = Arc::new(Execution {
            hub: self.clone(),
            agent: agent.clone(),
            owner: definition.owner,
            conversation: definition.conversation.clone(),
            run: run.clone(),
            token: token.clone(),
            spec: definition.spec.clone(),
            provider: definition.provider,
            tab: driver,
            replies,
            credit: Semaphore::new(CREDIT),
            streamed: Mutex::new(Streamed::default()),
            extras: AtomicU32::new(0),
            own_words: AtomicUsize::new(0),
            model: Mutex::new(CancellationToken::new()),
            tools: Mutex::new(CancellationToken::new()),
            finishing: AtomicBool::new(false),
            ended: CancellationToken::new(),
            writing: tokio::sync::Mutex::default(),
        });
        self.runs.insert(Arc::clone(&execution));
        let transcript = conversation_entries(&self.store, &definition.conversation).await?;
        if let Some(receiver) = receiver {
            tokio::spawn(driver::drive(execution, transcript, receiver));
            return Ok(Some(run));
        }
        let grant = RunGrant {
            agent: agent.clone(),
            conversation: definition.conversation,
            run: run.clone(),
            spec: definition.spec,
            transcript,
        };
        match driver.and_then(|key| self.live.tab(key)) {
            Some(tab) => tab.send(&HubFrame::Granted { token, grant }),
            None => {
                let why = "This agent lives in the browser, and no page of it is open. Open it and retry."
                    .to_owned();
                execution.force_finish(Outcome::Interrupted { why }).await;
            }
        }
        Ok(Some(run))
    }

    /// Takes the lease; `false` if another run holds it.
    async fn begin(
        &self,
        agent: &AgentId,
        definition: &Definition,
        run: &RunId,
        token: &str,
        driver: Option<TabKey>,
    ) -> Result<bool> {
        if self.runs.is_active(agent) {
            return Ok(false);
        }
        let mut appending = self.appending().await?;
        let inserted = sqlx::query(
            "INSERT INTO runs (id, agent_id, conversation_id, home, owner, token, running, started_at)
             VALUES ($1, $2, $3, $4, $5, $6, 1, $7) ON CONFLICT DO NOTHING",
        )
        .bind(&run.0)
        .bind(&agent.0)
        .bind(&definition.conversation.0)
        .bind(match definition.home {
            Home::Hub => "hub",
            Home::Browser => "browser",
        })
        .bind(driver.map_or_else(|| "hub".to_owned(), |tab| format!("{tab:?}")))
        .bind(token)
        .bind(self.now())
        .execute(&mut *appending.tx)
        .await?;
        if inserted.rows_affected() == 0 {
            return Ok(false);
        }
        let place = Place {
            agent: agent.clone(),
            conversation: Some(definition.conversation.clone()),
            run: Some(run.clone()),
        };
        let started = EntryBody::RunStarted {
            home: definition.home,
            model: Some(definition.spec.model.clone()),
            rounds: Some(definition.spec.round_limit),
            unverified: definition.spec.on_device.is_some(),
        };
        appending.append(&place, started).await?;
        self.commit(appending).await?;
        Ok(true)
    }
}
