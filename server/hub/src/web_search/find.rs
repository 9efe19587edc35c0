//! A whole search: which sources are asked, who stands in for whom, and what all of them found.

use super::ask::{LIMIT, Source};
use super::failure::SourceError;
use super::hit::Hit;
use super::merge::{MergedHit, merge};
use super::provider::Payer;
use super::request::Wanted;
use super::{KEYLESS, WebSearch};
use crate::error::Result;
use futures_util::future::join_all;
use protocol::view::{Network, SearchKind};
use protocol::{AgentId, UserId};
use std::time::Duration;
use tokio::time::Instant;

/// For all of it.
const WHOLE: Duration = Duration::from_secs(20);

#[derive(Debug, Default)]
pub(crate) struct Found {
    /// The best first.
    pub(crate) hits: Vec<MergedHit>,
    /// Sources that answered, by their names.
    pub(crate) answered: Vec<String>,
    /// Sources that did not, and why.
    pub(crate) failed: Vec<(String, SourceError)>,
    /// Kinds that could have been asked.
    pub(crate) there: Vec<SearchKind>,
}

/// A source and what came of asking it.
type Outcome = (Source, std::result::Result<Vec<Hit>, SourceError>);

struct Search<'a> {
    web: WebSearch<'a>,
    owner: &'a UserId,
    wanted: &'a Wanted,
    network: &'a Network,
    payer: Option<&'a Payer>,
    until: Instant,
}

impl WebSearch<'_> {
    /// Asks the person's sources, or those of the kinds that are named. What searches the web as a whole stands
    /// in for one another, in the person's order; what knows a part of it is asked besides. Of those that are
    /// named each one is asked.
    pub(crate) async fn find(
        self,
        owner: &UserId,
        agent: &AgentId,
        wanted: &Wanted,
        named: &[SearchKind],
        payer: Option<&Payer>,
    ) -> Result<Found> {
        let rows = self.sources_of(owner).await?;
        let sources: Vec<Source> = match rows.is_empty() {
            true => self.sources_of_all(),
            false => rows.into_iter().map(Source::own).collect(),
        };
        let network = self.hub.networks().of_agent(agent).await?;
        let there = sources.iter().map(|source| source.kind).collect();
        let search =
            Search { web: self, owner, wanted, network: &network, payer, until: Instant::now() + WHOLE };
        let outcomes = match named.is_empty() {
            true => search.in_order(sources).await,
            false => {
                let meant = sources.into_iter().filter(|source| named.contains(&source.kind));
                search.all(meant.collect()).await
            }
        };
        Ok(told(outcomes, wanted.count, there))
    }
}

impl WebSearch<'_> {
    /// Those of people who have none: what whoever runs the hub set up, and what needs no key.
    fn sources_of_all(self) -> Vec<Source> {
        let set_up = self.hub.0.web_search.searxng.as_ref().map(Source::of_hub);
        set_up.into_iter().chain(KEYLESS.map(Source::keyless)).collect()
    }
}

impl Search<'_> {
    async fn in_order(&self, sources: Vec<Source>) -> Vec<Outcome> {
        let (general, special): (Vec<_>, Vec<_>) =
            sources.into_iter().partition(|source| source.kind.is_general());
        let (mut outcomes, others) = tokio::join!(self.first_that_finds(general), self.all(special));
        outcomes.extend(others);
        outcomes
    }

    async fn first_that_finds(&self, sources: Vec<Source>) -> Vec<Outcome> {
        let mut outcomes = Vec::new();
        for source in sources {
            let outcome = self.ask(&source).await;
            let has_found = outcome.as_ref().is_ok_and(|hits| !hits.is_empty());
            outcomes.push((source, outcome));
            if has_found {
                break;
            }
        }
        outcomes
    }

    async fn all(&self, sources: Vec<Source>) -> Vec<Outcome> {
        let asked = sources.into_iter().map(async |source| {
            let outcome = self.ask(&source).await;
            (source, outcome)
        });
        join_all(asked).await
    }

    async fn ask(&self, source: &Source) -> std::result::Result<Vec<Hit>, SourceError> {
        let left = self.until.saturating_duration_since(Instant::now()).min(LIMIT);
        self.web.ask(self.owner, source, self.wanted, Some(self.network), left, self.payer).await
    }
}

fn told(outcomes: Vec<Outcome>, most: usize, there: Vec<SearchKind>) -> Found {
    let mut told = Found { there, ..Found::default() };
    let mut found = Vec::new();
    for (source, outcome) in outcomes {
        match outcome {
            Ok(hits) => {
                told.answered.push(source.label());
                found.push((source.kind, hits));
            }
            Err(failure) => told.failed.push((source.label(), failure)),
        }
    }
    told.hits = merge(found, most);
    told
}
