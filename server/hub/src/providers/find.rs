//! What kind of server is at an address, as people write addresses.

use super::{Server, check};
use crate::access::Scoped;
use crate::error::Result;
use crate::models::ask_models;
use crate::providers::OwnProviders;
use agent::providers::{Attempt, Candidate, Judgement, Wire, candidates, summarise};
use futures_util::future::join_all;
use protocol::model::{ModelFailure, ModelFailureKind};
use protocol::view::{FoundServers, LocalEndpoint, Right};
use protocol::{told, words};
use std::time::Duration;

const PROBE_TIMEOUT: Duration = Duration::from_secs(3);
/// Servers that are asked for one address.
const MAX_CANDIDATES: usize = 12;

impl OwnProviders<'_> {
    /// Asks whatever may be there for its models, without a key, and says what each answered.
    pub async fn find(self, typed: &str) -> Result<FoundServers> {
        self.scoped.require(Right::SaveProviders)?;
        let asked = candidates(typed).into_iter().take(MAX_CANDIDATES);
        let attempts = join_all(asked.map(|candidate| attempt(&self.scoped, candidate))).await;
        let found = attempts.iter().filter_map(|Attempt { candidate, judgement }| match judgement {
            Judgement::Found { models } => Some(LocalEndpoint {
                name: host(candidate),
                kind: candidate.kind,
                base_url: candidate.base_url.clone(),
                models: models.clone(),
            }),
            Judgement::WantsKey | Judgement::NotThere(_) => None,
        });
        Ok(FoundServers { found: found.collect(), summary: summarise(&attempts) })
    }
}

async fn attempt(viewer: &Scoped<'_>, candidate: Candidate) -> Attempt {
    let judgement = match ask(viewer, &candidate).await {
        Ok(models) => Judgement::Found { models },
        Err(failure) if failure.kind == ModelFailureKind::BadKey => Judgement::WantsKey,
        Err(failure) => Judgement::NotThere(failure),
    };
    Attempt { candidate, judgement }
}

async fn ask(viewer: &Scoped<'_>, candidate: &Candidate) -> std::result::Result<Vec<String>, ModelFailure> {
    let outbound = viewer.hub.outbound();
    let base_url = check::base_url(Some(&candidate.base_url), outbound.reach())
        .map_err(|error| not_there(error.into_failure().message))?;
    let wire = Wire::of(candidate.kind).ok_or_else(|| not_there(words!("It is no server.").to_owned()))?;
    let server = Server { name: candidate.base_url.clone(), wire, base_url, key: None, lent: None };
    let asked = tokio::time::timeout(PROBE_TIMEOUT, ask_models(outbound, &server, viewer.hub.now())).await;
    asked.unwrap_or_else(|_| Err(not_there(told!("no answer within {} seconds.", PROBE_TIMEOUT.as_secs()))))
}

fn not_there(message: String) -> ModelFailure {
    ModelFailure { kind: ModelFailureKind::Unreachable, message, retry_after_ms: None }
}

/// What a provider at this address is called until somebody names it.
fn host(candidate: &Candidate) -> String {
    let rest = candidate.base_url.split_once("://").map_or(candidate.base_url.as_str(), |(_, rest)| rest);
    rest.split('/').next().unwrap_or(rest).to_owned()
}
