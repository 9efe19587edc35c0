//! Searching the web: the sources that a person chose for their agents, in their order, and what all of them
//! found as one list. Whether an agent may search at all is the gateway's to say.

mod answer;
mod arxiv;
mod ask;
mod backend;
mod brave;
mod cache;
mod check;
mod exa;
mod failure;
mod find;
mod hacker_news;
mod hit;
mod kagi;
mod merge;
mod mojeek;
mod plain;
mod provider;
mod request;
mod rest;
mod rows;
mod searxng;
mod stack_exchange;
mod tavily;
mod wikipedia;

use crate::Hub;
use crate::access::Scoped;
use crate::audit::AuditEvent;
use crate::clock::new_id;
use crate::error::{Error, Result};
use crate::vault::{Secret, Vault};
use ask::Source;
use cache::Cache;
pub(crate) use find::Found;
pub(crate) use merge::MergedHit;
pub(crate) use plain::plain;
use protocol::view::{AuditAction, Probe, Right, SearchKind, SearchModel, SearchSourceView, Towards};
use protocol::{ProviderId, SearchSourceId, UserId};
pub(crate) use provider::Payer;
pub(crate) use request::{TimeRange, Wanted};
use rest::Rests;
use url::Url;

/// Where the viewer's agents search the web.
#[derive(Clone, Copy, Debug)]
pub struct OwnWebSearch<'a> {
    scoped: Scoped<'a>,
}

impl<'a> Scoped<'a> {
    pub fn web_search(&self) -> OwnWebSearch<'a> {
        OwnWebSearch { scoped: *self }
    }
}

/// Where agents search the web.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WebSearch<'a> {
    hub: &'a Hub,
}

impl Hub {
    pub(crate) fn web_search(&self) -> WebSearch<'_> {
        WebSearch { hub: self }
    }
}

pub(crate) struct InMemory {
    cache: Cache,
    rests: Rests,
    asking: provider::Asking,
    /// What whoever runs the hub set up for people who have no source of their own.
    searxng: Option<Url>,
}

impl InMemory {
    pub(crate) fn new(searxng: Option<Url>) -> Self {
        Self {
            cache: Cache::default(),
            rests: Rests::default(),
            asking: provider::Asking::default(),
            searxng,
        }
    }
}

/// Asked when a person has no source of their own: they need no key.
pub(crate) const KEYLESS: [SearchKind; 4] =
    [SearchKind::Wikipedia, SearchKind::HackerNews, SearchKind::StackExchange, SearchKind::Arxiv];

const MAX_SOURCES: usize = 20;
/// What a test searches for.
const TRIED: &str = "moss";

impl WebSearch<'_> {
    /// The person's own, in their order.
    async fn sources_of(self, person: &UserId) -> Result<Vec<SearchSourceView>> {
        let mut sources = rows::list(self.hub.store().read(), &person.0).await?;
        for model in sources.iter_mut().filter_map(|source| source.model.as_mut()) {
            let name = self.hub.providers().provider_name(person, &model.provider).await?;
            model.name = name.unwrap_or_default();
        }
        Ok(sources)
    }
}

impl OwnWebSearch<'_> {
    /// In the order in which they are asked.
    pub async fn list(self) -> Result<Vec<SearchSourceView>> {
        self.scoped.hub.web_search().sources_of(&self.scoped.viewer.me.id).await
    }

    /// Adds a source at the end.
    pub async fn add(
        self,
        kind: SearchKind,
        base_url: Option<&str>,
        key: Option<&str>,
    ) -> Result<SearchSourceView> {
        self.scoped.require(Right::SaveProviders)?;
        let (base_url, key) = check::entered(kind, base_url, key, self.scoped.hub.outbound().reach())?;
        let id = SearchSourceId(new_id());
        self.put(SearchSourceView { id, kind, base_url, has_key: key.is_some(), model: None }, key).await
    }

    /// Adds the search that a provider has itself, at the end. One of its models searches.
    pub async fn add_provider(self, provider: &ProviderId, model: &str) -> Result<SearchSourceView> {
        self.scoped.require(Right::SaveProviders)?;
        let model = check::searching_model(model)?;
        let usable = self.scoped.hub.providers().usable(&self.scoped.viewer.me.id, provider).await?;
        let usable = usable.ok_or(Error::NotFound("provider"))?;
        check::searching_provider(&usable)?;
        let model = SearchModel { provider: provider.clone(), name: usable.provider.name, model };
        let (id, kind) = (SearchSourceId(new_id()), SearchKind::Provider);
        self.put(SearchSourceView { id, kind, base_url: None, has_key: false, model: Some(model) }, None)
            .await
    }

    async fn put(self, source: SearchSourceView, key: Option<Secret>) -> Result<SearchSourceView> {
        let hub = self.scoped.hub;
        let (owner, now, kind) = (self.scoped.owner(), hub.now(), source.kind);
        let mut tx = hub.store().write().await?;
        let existing = rows::list(&mut *tx, owner).await?;
        if existing.len() >= MAX_SOURCES {
            return Err(Error::Limit(format!("You have {MAX_SOURCES} sources. Remove one first.")));
        }
        rows::insert(&mut tx, owner, &source, existing.len(), now).await?;
        if let Some(key) = &key {
            let server = check::server_of(kind, source.base_url.as_deref());
            hub.vault().put(&mut tx, rows::key_place(owner, &source.id, &server), key, now).await?;
        }
        let line = AuditEvent::done(AuditAction::SearchSourceAdded, self.scoped.viewer);
        hub.audit().note(&mut tx, line.object(kind.label())).await?;
        tx.commit().await?;
        Ok(source)
    }

    /// Removes a source and its key.
    pub async fn remove(self, id: &SearchSourceId) -> Result<()> {
        let owner = self.scoped.owner();
        let mut tx = self.scoped.hub.store().write().await?;
        let kind = rows::delete(&mut tx, owner, id).await?.ok_or(Error::NotFound("source"))?;
        Vault::forget(&mut tx, owner, &id.0).await?;
        let line = AuditEvent::done(AuditAction::SearchSourceRemoved, self.scoped.viewer);
        self.scoped.hub.audit().note(&mut tx, line.object(kind.label())).await?;
        tx.commit().await
    }

    /// Moves a source by one place. The first cannot go further, nor the last.
    pub async fn shift(self, id: &SearchSourceId, towards: Towards) -> Result<()> {
        let owner = self.scoped.owner();
        let mut tx = self.scoped.hub.store().write().await?;
        let mut order: Vec<SearchSourceId> =
            rows::list(&mut *tx, owner).await?.into_iter().map(|source| source.id).collect();
        let at = order.iter().position(|other| other == id).ok_or(Error::NotFound("source"))?;
        let to = match towards {
            Towards::Start => at.saturating_sub(1),
            Towards::End => (at + 1).min(order.len() - 1),
        };
        order.swap(at, to);
        rows::put_in_order(&mut tx, owner, &order).await?;
        tx.commit().await
    }

    /// Searches for one word there, and says in words what came of it.
    pub async fn test(self, id: &SearchSourceId) -> Result<Probe> {
        self.scoped.require(Right::SaveProviders)?;
        let hub = self.scoped.hub;
        let source = self.list().await?.into_iter().find(|source| source.id == *id);
        let source = source.ok_or(Error::NotFound("source"))?;
        if let Some(model) = &source.model {
            return self.test_provider(model).await;
        }
        let source = Source::own(source);
        let before = hub.moment();
        let wanted = Wanted { query: TRIED.to_owned(), count: 5, ..Wanted::default() };
        let asked =
            hub.web_search().ask(&self.scoped.viewer.me.id, &source, &wanted, None, ask::LIMIT, None).await;
        let (ok, message) = match asked {
            Ok(hits) if hits.is_empty() => (true, "It answers, and knows nothing of moss.".to_owned()),
            Ok(hits) if hits.len() == 1 => (true, "It answers, with 1 result.".to_owned()),
            Ok(hits) => (true, format!("It answers, with {} results.", hits.len())),
            Err(failure) => (false, format!("{}: {failure}", source.label())),
        };
        let millis = u64::try_from(hub.moment().ms_since(before)).unwrap_or_default();
        Ok(Probe { ok, message, millis })
    }
}
