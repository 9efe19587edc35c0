//! All of it, for the person whose it is.

use super::calendar::Kept;
use super::sources::Known;
use super::{OwnContext, keys};
use crate::error::Result;
use protocol::ContextSource;
use protocol::view::{ContextSourceView, PersonContext};

impl OwnContext<'_> {
    pub async fn show(self) -> Result<PersonContext> {
        let (contexts, owner) = (self.scoped.hub.person_contexts(), &self.scoped.viewer.me.id);
        let mut told = contexts.told_of(owner).await?;
        let known = contexts.sources(owner).await?;
        let sources = ContextSource::OWN.map(|source| ContextSourceView {
            source,
            on: known.contains_key(&source),
            told: told.remove(&source).unwrap_or_default(),
            entered: known.get(&source).map(entered).unwrap_or_default(),
            problem: known.get(&source).map(problem).unwrap_or_default(),
        });
        Ok(PersonContext {
            sources: sources.into(),
            keys: keys::all(self.scoped.hub.store().read(), owner).await?,
            said: self.sayings().await?,
            agents: self.agents().await?,
        })
    }
}

fn problem(known: &Known) -> String {
    match known {
        Known::Calendar(calendar) if calendar.failure.is_empty() => {
            calendar.kept.as_ref().map(Kept::lack).unwrap_or_default().to_owned()
        }
        Known::Calendar(calendar) => calendar.failure.clone(),
        _ => String::new(),
    }
}

fn entered(known: &Known) -> String {
    match known {
        Known::Zone { zone } => zone.clone(),
        Known::Place { words, found_at: None } => words.clone(),
        Known::Calendar(calendar) => calendar.place.clone(),
        Known::Nothing | Known::Device { .. } | Known::Place { .. } | Known::Seen { .. } => String::new(),
    }
}
