//! Waiting for what came of it, and reading that. Nothing is spent meanwhile, and whoever dies waiting asks again.

use super::Delegations;
use super::elsewhere::is_elsewhere;
use super::rows::{self, DELEGATIONS, Delegation, Which};
use crate::error::{Error, Result};
use crate::files;
use crate::live::tail_of;
use crate::log::run_entries;
use crate::marks;
use crate::store::query;
use agent::tools::ResolvedCall;
use protocol::files::FileAuthor;
use protocol::log::EntryBody;
use protocol::view::{DelegationKind, DelegationState};
use protocol::{AgentId, ConversationId};

/// Characters of an answer that are given at a time.
const PART: usize = 4_000;
/// Of a conversation, the newest that are listed.
const LISTED: i64 = 50;
/// Another hub on the same database may have ended one: so often this one looks.
const LOOKS_MS: i64 = 5_000;

/// While somebody looks on, this often they are told how it stands.
const TELLS_MS: i64 = 500;

/// When a wait is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Until {
    Any,
    All,
}

/// How one stands, with a part of what its agent answered.
pub(crate) struct DelegationOutcome {
    pub(crate) text: String,
    /// Characters of the whole answer.
    pub(crate) length: usize,
    /// The agent had read words of strangers.
    pub(crate) untrusted: bool,
}

impl Delegations<'_> {
    /// Those of the asker's with these ids, in their order.
    pub(crate) async fn asked_by(self, asker: &AgentId, ids: &[String]) -> Result<Vec<Delegation>> {
        let mut found = Vec::new();
        for id in ids {
            let one: Option<Delegation> =
                query([DELEGATIONS, "d.id = $1 AND d.asker_id = $2"], (id.as_str(), asker))
                    .fetch_optional(self.hub.store().read())
                    .await?;
            found.push(one.ok_or_else(|| {
                Error::invalid(format!("You asked nobody under {id}. agent_list has the ids."))
            })?);
        }
        Ok(found)
    }

    /// What was asked in this conversation, the newest first.
    pub(crate) async fn of_conversation(
        self,
        asker: &AgentId,
        conversation: &ConversationId,
    ) -> Result<Vec<Delegation>> {
        query(
            [
                DELEGATIONS,
                "d.asker_id = $1 AND d.asker_conversation = $2 ORDER BY d.created_at DESC, d.id DESC LIMIT $3",
            ],
            (asker, conversation, LISTED),
        )
        .fetch_all(self.hub.store().read())
        .await
    }

    /// Waits at most so long, and says how they stand then. Meanwhile `look` is shown it, twice a second at most.
    pub(crate) async fn wait(
        self,
        asker: &AgentId,
        ids: &[String],
        until: Until,
        seconds: i64,
        mut look: impl FnMut(&[Delegation]) + Send,
    ) -> Result<Vec<Delegation>> {
        let end = self.hub.moment().plus_ms(seconds.saturating_mul(1000));
        let mut next_look = self.hub.moment();
        loop {
            let heard = self.hub.delegations_changed().notified();
            tokio::pin!(heard);
            heard.as_mut().enable();
            let found = self.asked_by(asker, ids).await?;
            let mut over = found.iter().map(|one| one.state.is_over());
            let is_enough = match until {
                Until::Any => over.any(|is_over| is_over),
                Until::All => over.all(|is_over| is_over),
            };
            if is_enough || self.hub.moment() >= end {
                return Ok(found);
            }
            let next = self.hub.moment().plus_ms(LOOKS_MS).min(end);
            loop {
                let now = self.hub.moment();
                if now >= next {
                    break;
                }
                if now >= next_look {
                    look(&found);
                    next_look = now.plus_ms(TELLS_MS);
                }
                tokio::select! {
                    biased;
                    () = &mut heard => break,
                    () = self.hub.clock().until(next_look.min(next)) => {}
                }
            }
        }
    }

    /// What its agent is saying, as far as whoever had it asked may know that before it is over: at most so many
    /// characters from the end.
    pub(crate) fn latest_words(self, of: &Delegation, most: usize) -> String {
        match &of.run {
            _ if of.state != DelegationState::Running => String::new(),
            _ if is_elsewhere(of) => tail_of(&of.latest, most),
            Some(run) if of.across.is_none() => self.hub.live().last_words_of(&of.agent, run, most),
            Some(_) | None => String::new(),
        }
    }

    /// What its agent answered, from this character on. The asker knows of it then.
    pub(crate) async fn heard(self, of: &Delegation, from: usize) -> Result<DelegationOutcome> {
        if of.state.is_over() {
            let mut tx = self.hub.store().write().await?;
            query("UPDATE delegations SET delivered = 1 WHERE id = $1 AND delivered = 0", (&of.id,))
                .execute(&mut *tx)
                .await?;
            tx.commit().await?;
        }
        self.outcome_of(of, from).await
    }

    /// What a sub-agent changed of the files that it shares with its asker.
    pub(crate) async fn changed_files(self, of: &Delegation) -> Result<Vec<String>> {
        let (DelegationKind::SubAgent, Some(run)) = (of.kind, &of.run) else { return Ok(Vec::new()) };
        let mut authors = Vec::new();
        for entry in run_entries(self.hub.store(), run).await? {
            let EntryBody::ToolStarted { call, .. } = entry.body else { continue };
            let call = ResolvedCall::of(call);
            if !call.is_read_only() {
                authors.push(FileAuthor::Agent {
                    conversation: of.conversation.clone(),
                    agent: Some(of.agent.clone()),
                    call: Some(call.id().clone()),
                    name: None,
                });
            }
        }
        let root: Option<AgentId> =
            query("SELECT COALESCE(root_id, id) FROM agents WHERE id = $1", (&of.asker,))
                .fetch_optional(self.hub.store().read())
                .await?;
        files::changed_by(self.hub.store(), root.as_ref().unwrap_or(&of.asker), &authors).await
    }

    /// Whom a sub-agent that is done left at work, by their names.
    pub(crate) async fn left_at_work(self, of: &Delegation) -> Result<Vec<String>> {
        let (DelegationKind::SubAgent, Some(run)) = (of.kind, &of.run) else { return Ok(Vec::new()) };
        let open = rows::of_run(self.hub.store().read(), run, Which::Open).await?;
        Ok(open.into_iter().map(|one| one.name).collect())
    }

    pub(super) async fn outcome_of(self, of: &Delegation, from: usize) -> Result<DelegationOutcome> {
        if is_elsewhere(of) {
            let whole = match of.state.is_over() {
                true => self.said_elsewhere(&of.id).await?,
                false => String::new(),
            };
            let text = whole.chars().skip(from).take(PART).collect();
            return Ok(DelegationOutcome { text, length: whole.chars().count(), untrusted: true });
        }
        let whole = match &of.run {
            Some(run) if of.state != DelegationState::Running => self.hub.runs().final_text_of(run).await?,
            Some(_) | None => String::new(),
        };
        let untrusted = match of.across {
            Some(_) => true,
            None => {
                let mut connection = self.hub.store().reader().await?;
                marks::of(&mut connection, &of.agent).await?.untrusted
            }
        };
        let text = whole.chars().skip(from).take(PART).collect();
        Ok(DelegationOutcome { text, length: whole.chars().count(), untrusted })
    }
}
