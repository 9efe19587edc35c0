//! The search that a provider of models has itself: a call of one of its models, which is told nothing but what is
//! searched for, and is paid for like every other.

use super::ask::Source;
use super::cache::Asked;
use super::failure::SourceError;
use super::hit::Hit;
use super::request::Wanted;
use super::rest::{Turn, USUAL_SECONDS};
use super::{OwnWebSearch, WebSearch};
use crate::Hub;
use crate::error::Result;
use crate::ledger::{BookedCall, CallPhase, Metered, ReservedAmount, Spender};
use crate::log::{Appending, EntryScope};
use crate::models::{CallTerms, Called, Searches};
use crate::providers::Asker;
use crate::store::query;
use crate::tally::{Settlement, Tally};
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use protocol::agent::ProviderKind;
use protocol::model::{
    Effort, ModelEvent, ModelFailure, ModelFailureKind, ModelMessage, ModelRequest, Source as Cited,
    ToolChoice, Usage,
};
use protocol::view::{CallKind, Network, Probe, ProviderReach, SearchModel};
use protocol::{CallId, Micros, UserId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;

const PROMPT: &str = include_str!("provider.md");
/// A model searches, reads and writes.
const LONGEST: Duration = Duration::from_secs(60);
/// Tokens of an answer at most, and those that a model may think before it where it does.
const OUTPUT: u32 = 2_000;
const THOUGHTS: u32 = 2_000;
/// Searches of one call, where the provider can be told.
const MOST_SEARCHES: u32 = 1;

/// The run that pays for a search.
#[derive(Clone)]
pub(crate) struct Payer {
    pub(crate) asker: Asker,
    pub(crate) spender: Spender,
    pub(crate) place: EntryScope,
    pub(crate) turn: u32,
    /// The call of the tool that searches.
    pub(crate) call: CallId,
}

/// One search of a person's at a time.
#[derive(Debug, Default)]
pub(super) struct Asking(Mutex<HashMap<UserId, Arc<tokio::sync::Mutex<()>>>>);

/// A call under way, and who pays for it.
struct Calling {
    payer: Payer,
    model: SearchModel,
    terms: CallTerms,
    searches: Searches,
    tally: Tally,
}

/// What a call brought.
#[derive(Debug, Default)]
struct Told {
    sources: Vec<Cited>,
    made: u32,
}

impl Asking {
    fn of(&self, person: &UserId) -> Arc<tokio::sync::Mutex<()>> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|_, one| Arc::strong_count(one) > 1);
        Arc::clone(all.entry(person.clone()).or_default())
    }
}

impl OwnWebSearch<'_> {
    /// Asks whether the model is there. Nothing is searched for: that would cost.
    pub(super) async fn test_provider(self, model: &SearchModel) -> Result<Probe> {
        let hub = self.scoped.hub;
        let before = hub.moment();
        let known = self.scoped.providers().models(&model.provider).await?;
        let (ok, message) = match (known.live, known.models.contains(&model.model)) {
            (false, _) => (false, "It did not say which models it has. Test it under Providers.".to_owned()),
            (true, false) => (false, format!("It answers, and has no model {}.", model.model)),
            (true, true) => (true, "It answers, and has the model. Nothing was searched for.".to_owned()),
        };
        Ok(Probe { ok, message, millis: u64::try_from(hub.moment().ms_since(before)).unwrap_or_default() })
    }
}

impl WebSearch<'_> {
    /// What the model finds with the search of its provider. That opens pages which nobody here checks, so it is
    /// only for agents that may reach everything public.
    pub(super) async fn ask_model(
        self,
        owner: &UserId,
        (source, model): (&Source, &SearchModel),
        wanted: &Wanted,
        network: Option<&Network>,
        payer: Option<&Payer>,
    ) -> std::result::Result<Vec<Hit>, SourceError> {
        match network {
            Some(Network::Public) | None => {}
            Some(Network::Off | Network::AllowList { .. }) => {
                return Err(SourceError::NotAllowed(
                    "Not allowed: it reaches all of the web, and this agent may not.".to_owned(),
                ));
            }
        }
        let payer = payer.ok_or(SourceError::NoRun)?.clone();
        let kind = self.searching_kind(owner, model).await?;
        let memory = &self.hub.0.web_search;
        let asked = Asked { person: owner.clone(), source: source.key(), wanted: wanted.clone() };
        let (hub, model, line) = (self.hub.clone(), model.clone(), memory.asking.of(owner));
        let (tell, told) = oneshot::channel();
        let known = asked.clone();
        // The call is paid for also if nobody waits for it any more.
        self.hub.tasks().spawn(async move {
            let mut tell = tell;
            let _turn = tokio::select! {
                () = tell.closed() => return,
                turn = line.lock_owned() => turn,
            };
            let outcome = hub.web_search().call_model(&known, kind, model, payer, &mut tell).await;
            // Nobody may be there any more.
            let _ = tell.send(outcome);
        });
        let outcome = told.await.unwrap_or(Err(SourceError::TooLate));
        if let Err(failure) = &outcome
            && let Some(seconds) = failure.rest()
        {
            memory.rests.leave_alone(&source.key(), seconds, self.hub.moment());
        }
        if let Ok(hits) = &outcome {
            memory.cache.keep(asked, hits, self.hub.moment());
        }
        outcome
    }

    async fn searching_kind(
        self,
        owner: &UserId,
        model: &SearchModel,
    ) -> std::result::Result<ProviderKind, SourceError> {
        let usable = self.hub.providers().usable(owner, &model.provider).await.map_err(|error| {
            tracing::warn!("the provider of a search source cannot be read: {error:?}");
            SourceError::Gone
        })?;
        let provider = usable.ok_or(SourceError::Gone)?.provider;
        match (provider.kind.has_web_search(), provider.reach) {
            (true, ProviderReach::Hub) => Ok(provider.kind),
            (true, ProviderReach::Device | ProviderReach::DeviceKey) | (false, _) => {
                Err(SourceError::NoModel)
            }
        }
    }

    async fn call_model(
        self,
        asked: &Asked,
        kind: ProviderKind,
        model: SearchModel,
        payer: Payer,
        waits: &mut oneshot::Sender<std::result::Result<Vec<Hit>, SourceError>>,
    ) -> std::result::Result<Vec<Hit>, SourceError> {
        let memory = &self.hub.0.web_search;
        // Whoever asked the same meanwhile has the answer.
        if let Some(hits) = memory.cache.find(asked, self.hub.moment()) {
            return Ok(hits);
        }
        memory.rests.turn(&asked.source, 0, Turn::Own, self.hub.moment())?;
        let wanted = &asked.wanted;
        let searches = Searches { most: MOST_SEARCHES, fee: fee(kind, &model.model) };
        let tally = Tally::default();
        let Called { terms, events } = self
            .hub
            .models()
            .search(
                payer.asker.clone(),
                &payer.spender,
                Some(model.provider.clone()),
                (self.question(&model, wanted), searches),
                &tally,
            )
            .await;
        let calling = Calling { payer, model, terms, searches, tally };
        let mut told = Told::default();
        let ended = tokio::select! {
            biased;
            () = self.hub.tasks().closing() => Err(SourceError::TooLate),
            () = waits.closed() => Err(SourceError::TooLate),
            () = tokio::time::sleep(LONGEST) => Err(SourceError::TooLate),
            ended = calling.hear_out(self.hub, events, &mut told) => ended,
        };
        let mut patience = self.hub.tasks().patience();
        // Who was not heard out may have searched.
        let made = if matches!(ended, Err(SourceError::TooLate)) { searches.most } else { told.made };
        while let Err(error) = calling.settle(self.hub, made).await {
            if patience.outlasts(&error).await {
                continue;
            }
            if error.is_database_away() || calling.settle_unlogged(self.hub, made).await.is_err() {
                tracing::error!(error = ?error, "what a search cost was not booked");
            }
            break;
        }
        ended?;
        if told.made == 0 && told.sources.is_empty() {
            return Err(SourceError::NotSearched);
        }
        // What the answer names is what fits best.
        let (named, others): (Vec<_>, Vec<_>) =
            told.sources.into_iter().partition(|source| !source.text.is_empty());
        let hits = named.into_iter().chain(others);
        let hits =
            hits.filter_map(|Cited { url, title, text, date }| Hit::of(&title, &url, &text, Some(&date)));
        Ok(hits.take(wanted.count).collect())
    }

    /// Nothing of the conversation is in it but the words that are searched for.
    fn question(self, model: &SearchModel, wanted: &Wanted) -> ModelRequest {
        let thinks = self.hub.facts().of(&model.model).reasoning;
        let mut text = format!("Search for: {}\nPages: {} at most.", wanted.query, wanted.count);
        if let Some(range) = wanted.range {
            text.push_str(&format!("\nNot older than a {}.", range.name()));
        }
        if let Some(language) = &wanted.language {
            text.push_str(&format!("\nLanguage of the pages: {language}."));
        }
        ModelRequest {
            model: model.model.clone(),
            system: PROMPT.trim_end().to_owned(),
            tools: Vec::new(),
            tool_choice: ToolChoice::Auto,
            messages: vec![ModelMessage::User { text, media: Vec::new() }].into(),
            max_output_tokens: if thinks { OUTPUT + THOUGHTS } else { OUTPUT },
            effort: thinks.then_some(Effort::Low),
            sampling: Box::default(),
        }
    }
}

impl Calling {
    async fn hear_out(
        &self,
        hub: &Hub,
        mut events: BoxStream<'static, ModelEvent>,
        told: &mut Told,
    ) -> std::result::Result<(), SourceError> {
        while let Some(event) = events.next().await {
            match event {
                ModelEvent::Cited { sources, searches } => {
                    told.sources = sources;
                    told.made = searches;
                }
                ModelEvent::Usage { usage } => self.keep_told(hub, usage).await,
                ModelEvent::Stopped { .. } => return Ok(()),
                ModelEvent::Failed { failure } => return Err(in_our_words(failure)),
                ModelEvent::BlockStarted { .. }
                | ModelEvent::Delta { .. }
                | ModelEvent::BlockFinished { .. }
                | ModelEvent::Unknown { .. } => {}
            }
        }
        Err(SourceError::NotSearched)
    }

    /// What a process that ends within the call leaves to the next one: as if every search was made.
    async fn keep_told(&self, hub: &Hub, usage: Usage) {
        if self.terms.held == ReservedAmount::Nothing {
            return;
        }
        let metered = self.metered(hub, usage, self.searches.most);
        let kept =
            hub.ledger().keep_told(&self.payer.spender, Some(self.payer.turn), &metered, CallPhase::On);
        if let Err(error) = kept.await {
            tracing::error!(error = ?error, "what a search used so far was not kept");
        }
    }

    async fn settle(&self, hub: &Hub, made: u32) -> Result<()> {
        let mut appending = hub.log().appending().await?;
        match (self.tally.owed(), &self.payer.spender) {
            (None, _)
            | (Some(_), Spender::Program { .. } | Spender::Speech { .. } | Spender::Person { .. }) => {
                return appending.give_up().await;
            }
            (Some(Settlement::Used(usage)), Spender::Run { agent, token, .. }) => {
                let metered = self.metered(hub, usage, made);
                let cost = metered.cost;
                let booked =
                    BookedCall { turn: self.payer.turn, agent: agent.clone(), token: token.clone(), metered };
                appending.book(&self.payer.place, booked).await?;
                self.note_cost(&mut appending, cost).await?;
            }
            (Some(Settlement::Unused), Spender::Run { .. }) => appending.let_go(&self.payer.spender).await?,
        }
        appending.books(self.tally.clone());
        hub.log().commit(appending).await
    }

    /// Beside the call, for who looks at it. One call may search with several models.
    async fn note_cost(&self, appending: &mut Appending, cost: Option<Micros>) -> Result<()> {
        let Payer { place, turn, call, .. } = &self.payer;
        let (Some(cost), Some(run)) = (cost, &place.run) else { return Ok(()) };
        query(
            "UPDATE tool_calls SET cost = COALESCE(cost, 0) + $4
             WHERE run_id = $1 AND turn = $2 AND call_id = $3",
            (run, *turn, call, cost.0),
        )
        .execute(&mut *appending.tx)
        .await?;
        Ok(())
    }

    /// The agent or the conversation went meanwhile.
    async fn settle_unlogged(&self, hub: &Hub, made: u32) -> Result<()> {
        let Some(Settlement::Used(usage)) = self.tally.owed() else { return Ok(()) };
        let mut appending = hub.log().appending().await?;
        appending.book_unlogged(&self.payer.spender, &self.metered(hub, usage, made)).await?;
        appending.books(self.tally.clone());
        hub.log().commit(appending).await
    }

    fn metered(&self, hub: &Hub, usage: Usage, made: u32) -> Metered {
        let Self { payer, model, terms, searches, .. } = self;
        let usage = usage.bounded();
        let fees = if terms.rate.is_free() { Micros(0) } else { searches.cost(made) };
        let cost = hub.models().cost(terms, &model.model, &usage);
        Metered {
            owner: payer.asker.person.clone(),
            provider: Some(model.provider.clone()),
            is_lent: terms.is_lent,
            is_servers: terms.is_servers,
            model: model.model.clone(),
            usage,
            cost: cost.map(|cost| Micros(cost.0.saturating_add(fees.0))),
            kind: CallKind::Search,
        }
    }
}

/// What one search costs besides the tokens, by the providers' lists: a thousand are $10 at Anthropic and OpenAI, $14
/// with Gemini 3 and $35 with those before it.
fn fee(kind: ProviderKind, model: &str) -> Micros {
    match kind {
        ProviderKind::Gemini if model.contains("gemini-3") => Micros(14_000),
        ProviderKind::Gemini => Micros(35_000),
        _ => Micros(10_000),
    }
}

/// Nothing that the provider said is told, but for how long it wants to be left alone.
fn in_our_words(failure: ModelFailure) -> SourceError {
    match failure.kind {
        ModelFailureKind::OverBudget => SourceError::OverBudget(failure.message),
        ModelFailureKind::BadKey => SourceError::KeyRefused,
        ModelFailureKind::RateLimited | ModelFailureKind::Overloaded => {
            let seconds = failure.retry_after_ms.map(|wait| wait.div_ceil(1000));
            SourceError::TooOften(seconds.unwrap_or(USUAL_SECONDS))
        }
        ModelFailureKind::NotConfigured
        | ModelFailureKind::UnknownModel
        | ModelFailureKind::BadRequest
        | ModelFailureKind::NotThisKind => SourceError::NoModel,
        ModelFailureKind::Unreachable | ModelFailureKind::Timeout => SourceError::TooLate,
        ModelFailureKind::ContextTooLong
        | ModelFailureKind::Refused
        | ModelFailureKind::Cut
        | ModelFailureKind::Malformed
        | ModelFailureKind::Server
        | ModelFailureKind::Aborted => SourceError::NotSearched,
    }
}
