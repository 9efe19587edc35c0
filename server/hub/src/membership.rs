//! What a node of several does for its place among them: it says that it is there, takes on people who are with no
//! node, goes on with what theirs left, and follows what the others say.

use crate::Hub;
use crate::cluster::{BEAT_MS, Placement, Signal};
use crate::error::Result;
use futures_util::{StreamExt, stream};
use protocol::UserId;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::timeout;

/// People who are taken on at once.
const CONCURRENT: usize = 8;
/// How long it may take to say that it is there.
const PATIENCE: Duration = Duration::from_secs(10);

impl Hub {
    /// Goes on with what the last process left of one person's, or of everybody's.
    pub(crate) async fn go_on_with(&self, person: Option<&UserId>) -> Result<()> {
        self.runs().recover(person).await?;
        self.delegations().recover(person).await?;
        self.pipelines().recover(person).await?;
        self.terminal_jobs().recover(person).await?;
        self.runs().arm_ambient_runs(person).await
    }

    /// Where this person is served. One who was with no node is taken on here, before this returns.
    pub async fn place(&self, person: &UserId) -> Result<Placement> {
        match self.cluster().place(person).await? {
            Placement::New => {
                self.take_on(person).await;
                Ok(Placement::Here)
            }
            placement => Ok(placement),
        }
    }

    /// Goes on as long as the hub is open.
    pub(crate) async fn keep_membership(&self, signals: mpsc::Receiver<Signal>) -> Result<()> {
        self.beat().await?;
        let hub = self.clone();
        self.tasks().spawn(async move { hub.stay_a_member().await });
        let hub = self.clone();
        self.tasks().spawn(async move { hub.follow_signals(signals).await });
        Ok(())
    }

    /// Before the process ends: who is placed here is taken on by others at once.
    pub(crate) async fn leave_the_others(&self) {
        match self.cluster().leave().await {
            Ok(()) => self.cluster().tell(Signal::NodeLeft).await,
            Err(error) => {
                let failure = error.into_failure();
                tracing::warn!("this node could not say that it goes: {failure}");
            }
        }
    }

    async fn stay_a_member(&self) {
        loop {
            tokio::select! {
                () = self.tasks().closing() => return,
                () = self.cluster().lost() => return,
                () = self.clock().until(self.moment().plus_ms(BEAT_MS)) => {}
            }
            // A way to the database that is cut may not say so.
            match timeout(PATIENCE, self.beat()).await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => {
                    let failure = error.into_failure();
                    tracing::warn!("this node could not say that it is there: {failure}");
                }
                Err(_) => tracing::warn!("this node could not say that it is there: the database is silent"),
            }
        }
    }

    async fn beat(&self) -> Result<()> {
        let people = self.cluster().beat().await?;
        // It says that it is there meanwhile.
        let hub = self.clone();
        self.tasks().spawn(async move {
            stream::iter(people)
                .for_each_concurrent(CONCURRENT, async |person| hub.take_on(&person).await)
                .await;
        });
        Ok(())
    }

    /// The trouble of one person keeps no other waiting.
    async fn take_on(&self, person: &UserId) {
        // What this process knows of them may be from before another one had them.
        self.gateway().forget_results();
        if let Err(error) = self.go_on_with(Some(person)).await {
            let failure = error.into_failure();
            tracing::warn!(user.id = %person, "what person {person} left could not be gone on with: {failure}");
        }
        self.schedules().look_soon();
        self.notifications().wake();
    }

    async fn follow_signals(&self, mut signals: mpsc::Receiver<Signal>) {
        loop {
            let signal = tokio::select! {
                () = self.tasks().closing() => return,
                signal = signals.recv() => signal,
            };
            let Some(signal) = signal else { return };
            if let Err(error) = self.follow(signal).await {
                let failure = error.into_failure();
                tracing::warn!("what another node said could not be followed: {failure}");
            }
        }
    }

    async fn follow(&self, signal: Signal) -> Result<()> {
        match signal {
            Signal::PersonEnded { person } => {
                self.live().end_person(&person);
                self.accounts().end_runs_of(&person).await
            }
            Signal::DevicesEnded { person } => {
                self.live().end_devices_of(&person);
                Ok(())
            }
            Signal::DeviceEnded { device } => {
                self.live().end_device(&device);
                Ok(())
            }
            Signal::TokenEnded { token } => {
                self.live().end_token(&token);
                self.runs().stop_for_token(&token).await
            }
            Signal::Answered { approval } => {
                self.approvals().heard(&approval);
                Ok(())
            }
            Signal::AgentResumed { agent } => self.runs().continue_last_run(&agent, None).await.map(|_| ()),
            Signal::FactsChanged => self.facts().load(self.store()).await,
            Signal::SchedulesChanged => {
                self.schedules().look_soon();
                Ok(())
            }
            Signal::NodeLeft => self.beat().await,
            // Its streams were broken off when it was heard.
            Signal::StreamsBroken { .. } => Ok(()),
        }
    }
}
