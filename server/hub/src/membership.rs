//! What a node of several does for its place among them: it says that it is there, takes on people who are with no
//! node, goes on with what theirs left, and follows what the others say.

mod asked_across;
mod hand_over;

pub use hand_over::AllNodes;

use crate::Hub;
use crate::cluster::{BEAT_MS, Placement, Signal};
use crate::error::Result;
use asked_across::GoingOn;
use protocol::UserId;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::timeout;

/// How often it looks for what it was not told.
const LOOKS: Duration = Duration::from_secs(60);
/// How long it may take to say that it is there.
const PATIENCE: Duration = Duration::from_secs(10);

impl Hub {
    /// Goes on with what the last process left of one person's, or of everybody's.
    pub(crate) async fn go_on_with(&self, person: Option<&UserId>) -> Result<()> {
        self.runs().recover(person).await?;
        if let Some(person) = person {
            self.cluster().note_taken_on(person).await?;
        }
        self.delegations().recover(person).await?;
        self.pipelines().recover(person).await?;
        self.terminal_jobs().recover(person).await?;
        self.external_jobs().recover(person).await?;
        self.runs().arm_ambient_runs(person).await
    }

    /// Where this person is served. One who was with no node is taken on here before this returns.
    pub async fn place(&self, person: &UserId) -> Result<Placement> {
        let placement = self.cluster().place(person).await?;
        if placement == Placement::Here && !self.cluster().has(person) {
            self.take_on(person);
            // Who hangs up does not end it.
            if let Err(error) = self.cluster().taken_on(person).await {
                // They may have been handed over meanwhile.
                return match self.cluster().place(person).await? {
                    elsewhere @ Placement::At(_) => Ok(elsewhere),
                    Placement::Here => Err(error),
                };
            }
        }
        Ok(placement)
    }

    /// Goes on as long as the hub is open.
    pub(crate) async fn keep_membership(&self, signals: mpsc::Receiver<Signal>) -> Result<()> {
        self.cluster().hear_itself().await;
        self.beat().await?;
        let hub = self.clone();
        self.tasks().spawn(async move { hub.stay_a_member().await });
        let hub = self.clone();
        self.tasks().spawn(async move { hub.keep_hearing_itself().await });
        let hub = self.clone();
        self.tasks().spawn(async move { hub.keep_handing_over().await });
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

    async fn keep_hearing_itself(&self) {
        loop {
            let next = async {
                self.clock().until(self.moment().plus_ms(BEAT_MS)).await;
                self.cluster().hear_itself().await;
            };
            tokio::select! {
                () = self.tasks().closing() => return,
                () = next => {}
            }
        }
    }

    /// Says that it is there, and takes on whoever is placed here and is not taken on.
    async fn beat(&self) -> Result<()> {
        for person in self.cluster().beat().await? {
            self.take_on(&person);
        }
        Ok(())
    }

    /// The same as long as it closes, when it takes on nobody.
    pub(crate) async fn beat_to_the_end(&self) {
        loop {
            self.clock().until(self.moment().plus_ms(BEAT_MS)).await;
            if let Err(error) = self.cluster().renew().await {
                let failure = error.into_failure();
                tracing::warn!("this node could not say that it is there: {failure}");
            }
        }
    }

    /// Begins to take somebody on, if nothing does yet. The trouble of one person keeps no other waiting.
    fn take_on(&self, person: &UserId) {
        if !self.cluster().begin_to_take_on(person) {
            return;
        }
        let (hub, person) = (self.clone(), person.clone());
        self.tasks().spawn(async move {
            let cluster = hub.cluster();
            let _turn = tokio::select! {
                turn = cluster.turn_to_take_on() => turn,
                () = hub.tasks().closing() => return,
            };
            // What this process knows of them may be from before another one had them.
            hub.gateway().forget_results();
            let done = hub.take_over(&person).await;
            if let Err(error) = &done {
                tracing::warn!(user.id = %person, error = ?error, "what person {person} left could not be gone on with");
            }
            // What could not be done is tried with the next beat.
            hub.cluster().end_taking_on(&person, done.is_ok());
            if done.is_ok()
                && let Err(error) = hub.ledger().resume_cleared(Some(&person)).await
            {
                tracing::warn!(user.id = %person, error = ?error, "what a limit of person {person} had stopped waits on");
            }
            hub.look_for_what_is_due();
        });
    }

    /// For whoever is of this node from now on.
    fn look_for_what_is_due(&self) {
        self.schedules().look_soon();
        self.notifications().wake();
    }

    /// Who is taken on anew may still count as taken on.
    async fn take_over(&self, person: &UserId) -> Result<()> {
        self.cluster().hold_back(std::slice::from_ref(person)).await?;
        self.go_on_with(Some(person)).await
    }

    /// What was said while NATS was away was not heard.
    async fn make_up_for_signals(&self) -> Result<()> {
        let ended = self.make_up_for_ends().await;
        let asked = self.delegations().make_up_across().await;
        let resumed = self.ledger().resume_cleared(None).await;
        ended.and(asked).and(resumed)
    }

    async fn make_up_for_ends(&self) -> Result<()> {
        self.facts().load(self.store()).await?;
        self.approvals().look_again();
        // Who signs in meanwhile is not among those that are looked up.
        let tabs = self.live().tab_keys();
        let (devices, tokens) = self.cluster().sessions().await?;
        self.live().end_without_session(&tabs, |person| self.cluster().has(person), &devices, &tokens);
        for person in self.cluster().disabled_people().await? {
            self.live().end_person(&person);
            self.accounts().end_runs_of(&person).await?;
        }
        Ok(())
    }

    async fn follow_signals(&self, mut signals: mpsc::Receiver<Signal>) {
        let mut look = tokio::time::interval(LOOKS);
        let across = GoingOn::default();
        loop {
            let signal = tokio::select! {
                () = self.tasks().closing() => return,
                signal = signals.recv() => signal,
                _ = look.tick() => Some(Signal::Missed),
            };
            let Some(signal) = signal else { return };
            if let Err(error) = self.follow(signal, &across).await {
                let failure = error.into_failure();
                tracing::warn!("what another node said could not be followed: {failure}");
            }
        }
    }

    async fn follow(&self, signal: Signal, across: &GoingOn) -> Result<()> {
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
            Signal::AgentResumed { agent } => self.ledger().resume_here(&agent).await,
            Signal::AgentChanged { agent } => {
                self.live().changed_beside_the_log(&agent);
                Ok(())
            }
            Signal::NounsChanged { of } => {
                self.live().nouns_changed(&of);
                Ok(())
            }
            Signal::AskedAcross { person } => {
                self.go_on_across(person, across);
                Ok(())
            }
            Signal::FactsChanged => self.facts().load(self.store()).await,
            Signal::SchedulesChanged => {
                self.schedules().look_soon();
                Ok(())
            }
            Signal::NodeLeft => self.beat().await,
            Signal::Missed => self.make_up_for_signals().await,
            // Its streams were broken off when it was heard.
            Signal::StreamsBroken { .. } => Ok(()),
        }
    }
}
