//! A run goes on with another driver: the same run, from what the log has of it. What the former
//! driver still asks for is refused.

use super::Execution;
use super::driver;
use super::lease::Driven;
use super::lease_holder::LeaseHolder;
use super::streamed::Streamed;
use super::transcript::Transcript;
use crate::clock::new_secret;
use crate::error::{Error, Result};
use crate::live::{TabKey, TabLink};
use crate::log::{Appending, EntryScope};
use crate::runs::Runs;
use crate::store::query;
use protocol::AgentId;
use protocol::agent::Home;
use protocol::log::{Driver, EntryBody, Outcome};
use protocol::run::{RunGrant, RunReply};
use protocol::words;
use std::sync::{Arc, MutexGuard, PoisonError};
use tokio::sync::mpsc;

/// Where a run is to be driven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Destination {
    Hub,
    Tab(TabKey),
}

/// What moves there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moves {
    /// The agent lives there from then on.
    Agent,
    /// The run alone.
    Run,
}

/// Whoever takes the holder, ready to be told of the run.
pub(super) enum NextDriver {
    Hub(mpsc::UnboundedReceiver<RunReply>),
    Tab(Arc<TabLink>),
    Nobody,
}

impl Runs<'_> {
    /// Who is there; a tab may have gone.
    pub(super) async fn found_at(self, to: Option<Destination>) -> Result<(Driven, Option<Arc<TabLink>>)> {
        let key = match to {
            Some(Destination::Hub) => return Ok((Driven { home: Home::Hub, by: None }, None)),
            Some(Destination::Tab(key)) => Some(key),
            None => None,
        };
        let Some(link) = key.and_then(|key| self.hub.live().tab(key)) else {
            return Ok((Driven { home: Home::Browser, by: None }, None));
        };
        let device = self.hub.accounts().device_name_of(link.device.as_ref()).await?;
        let by = Some(Driver { tab: link.id.clone(), device });
        Ok((Driven { home: Home::Browser, by }, Some(link)))
    }
}

impl NextDriver {
    pub(super) fn seated(token: String, home: Home, link: Option<Arc<TabLink>>) -> (LeaseHolder, Self) {
        match (home, link) {
            (Home::Hub, _) => {
                let (holder, replies) = LeaseHolder::hub(token);
                (holder, Self::Hub(replies))
            }
            (Home::Browser, Some(link)) => (LeaseHolder::tab(token, link.id.clone()), Self::Tab(link)),
            (Home::Browser, None) => (LeaseHolder::empty(token), Self::Nobody),
        }
    }
}

impl Execution {
    /// Hands the run over at once. The reply that is being made is given up.
    pub(super) async fn hand_over(self: &Arc<Self>, to: Destination) -> Result<()> {
        let _one_at_a_time = self.writing.lock().await;
        self.give_to(to, Moves::Agent).await
    }

    /// The run goes there before its next model call.
    pub(super) fn bind_for(&self, to: Destination) {
        *self.bound_for() = Some(to);
    }

    /// What moves when the run goes to the hub by itself: its person may have wanted the agent there after the turn.
    pub(super) fn moves_to_hub(&self) -> Moves {
        match *self.bound_for() {
            Some(Destination::Hub) => Moves::Agent,
            Some(Destination::Tab(_)) | None => Moves::Run,
        }
    }

    /// Goes where the run is bound for; `false`: it stays.
    pub(super) async fn move_on(self: &Arc<Self>) -> bool {
        let Some(to) = self.bound_for().take() else { return false };
        match self.give_to(to, Moves::Agent).await {
            Ok(()) => true,
            Err(error) => {
                let failure = error.into_failure();
                tracing::warn!(run.id = %self.run, "run {} stays where it is: {failure}", self.run);
                false
            }
        }
    }

    /// A run that ends before it could go takes its agent along.
    pub(super) async fn move_home(&self, appending: &mut Appending) -> Result<()> {
        let home = match *self.bound_for() {
            None => return Ok(()),
            Some(Destination::Hub) => Home::Hub,
            Some(Destination::Tab(_)) => Home::Browser,
        };
        appending.move_agent(&EntryScope { run: None, ..self.place() }, home, None).await
    }

    /// Tells whoever took the holder.
    pub(super) async fn begin(self: &Arc<Self>, token: String, taker: NextDriver, transcript: Transcript) {
        match taker {
            NextDriver::Hub(replies) => {
                self.spawn(driver::drive(Arc::clone(self), token, transcript, replies));
            }
            NextDriver::Tab(link) => {
                let (past, transcript) = transcript.into_parts();
                let grant = RunGrant {
                    agent: self.agent.clone(),
                    conversation: self.conversation().clone(),
                    run: self.run.clone(),
                    spec: self.spec.clone(),
                    past: Some(past),
                    transcript,
                };
                self.holder().grant(Arc::clone(&link), grant);
                if self.hub().live().tab(link.key).is_none() {
                    self.hub().runs().tab_gone(&link);
                }
            }
            NextDriver::Nobody => {
                let why =
                    words!("This agent lives in the browser, and no page of it is open. Open it and retry.");
                self.force_finish(Outcome::Interrupted { why: why.to_owned() }).await;
            }
        }
    }

    /// Whoever calls it holds `writing`.
    pub(super) async fn give_to(self: &Arc<Self>, to: Destination, what: Moves) -> Result<()> {
        if self.is_finishing() {
            return Err(Error::Conflict("The run has just ended.".to_owned()));
        }
        let (driven, link) = self.hub.runs().found_at(Some(to)).await?;
        if driven.home == Home::Browser && link.is_none() {
            return Err(Error::Conflict(
                "The page that was to take the agent is not open any more.".to_owned(),
            ));
        }
        let (former, token) = (self.holder().token.clone(), new_secret());
        let mut appending = self.hub.log().appending().await?;
        match what {
            Moves::Agent => appending.move_agent(&self.place(), driven.home, driven.by.clone()).await?,
            Moves::Run => appending.move_run(&self.place(), &driven).await?,
        }
        appending.require_lease(&self.run, &former).await?;
        appending.pass_lease(&self.run, &token, &driven).await?;
        self.hub.log().commit(appending).await?;
        self.bound_for().take();
        self.slots.end().await;
        self.hub.live().void(&self.agent, &self.run, self.streamed().turn);
        let (holder, taker) = NextDriver::seated(token.clone(), driven.home, link);
        let mut former = std::mem::replace(&mut *self.holder(), holder);
        former.reply(&self.run, RunReply::Lost);
        match self.left_behind().await {
            Ok(transcript) => self.begin(token, taker, transcript).await,
            Err(error) => {
                let why = words!("The hub could not read what was to be taken over.").to_owned();
                self.finish(Outcome::Interrupted { why }).await?;
                return Err(error);
            }
        }
        Ok(())
    }

    /// Books what the former driver's last call used, and reads what it wrote.
    async fn left_behind(&self) -> Result<Transcript> {
        self.book_usage().await?;
        let transcript = self.hub.runs().transcript(&self.conversation, &self.spec).await?;
        *self.streamed() = Streamed::of(&self.run, &transcript.entries);
        Ok(transcript)
    }

    fn bound_for(&self) -> MutexGuard<'_, Option<Destination>> {
        self.bound_for.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Appending {
    /// The agent lives at `home` from here on.
    pub(super) async fn move_agent(
        &mut self,
        place: &EntryScope,
        home: Home,
        driver: Option<Driver>,
    ) -> Result<()> {
        self.append(place, EntryBody::Moved { home, driver, only_run: false }).await?;
        self.set_home(&place.agent, home).await
    }

    /// The run is driven like this from here on, wherever its agent lives.
    async fn move_run(&mut self, place: &EntryScope, driven: &Driven) -> Result<()> {
        let Driven { home, by } = driven.clone();
        self.append(place, EntryBody::Moved { home, driver: by, only_run: true }).await?;
        Ok(())
    }

    async fn set_home(&mut self, agent: &AgentId, home: Home) -> Result<()> {
        query(
            "UPDATE agents SET home = $2 WHERE id = $1",
            (
                agent,
                match home {
                    Home::Hub => "hub",
                    Home::Browser => "browser",
                },
            ),
        )
        .execute(&mut *self.tx)
        .await?;
        Ok(())
    }
}
