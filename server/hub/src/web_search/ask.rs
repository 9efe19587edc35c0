//! One request to one source: where it goes, with which key, and what of the answer counts.

use super::WebSearch;
use super::backend::{self, Backend, KeyUse};
use super::cache::Asked;
use super::check::server_of;
use super::failure::SourceError;
use super::hit::Hit;
use super::provider::Payer;
use super::request::{Request, Wanted};
use super::rest::{Turn, USUAL_SECONDS};
use super::rows::key_place;
use crate::network;
use crate::outbound::Answer;
use crate::vault::Secret;
use flate2::read::GzDecoder;
use protocol::view::{Network, SearchKind, SearchModel, SearchSourceView};
use protocol::{SearchSourceId, UserId};
use redact::Needles;
use reqwest::header::{ACCEPT_ENCODING, CONTENT_ENCODING, HeaderValue, RETRY_AFTER};
use std::io::Read;
use std::time::Duration;
use tokio::time::{sleep, timeout};
use url::{Position, Url};

/// For one source.
pub(super) const LIMIT: Duration = Duration::from_secs(8);
/// The name of the one that whoever runs the hub set up.
const OF_HUB: &str = "hub";
/// Bytes of an answer, packed and unpacked.
const BODY: usize = 2 * 1024 * 1024;

/// Where something is asked. Without a row it is one that needs no key, and is where everybody asks it.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) kind: SearchKind,
    row: Option<SearchSourceView>,
}

impl Source {
    pub(super) fn own(row: SearchSourceView) -> Self {
        Self { kind: row.kind, row: Some(row) }
    }

    pub(super) fn keyless(kind: SearchKind) -> Self {
        Self { kind, row: None }
    }

    /// One that everybody asks who has none.
    pub(super) fn of_hub(address: &Url) -> Self {
        let (id, kind) = (SearchSourceId(OF_HUB.to_owned()), SearchKind::Searxng);
        let base_url = Some(address.as_str().trim_end_matches('/').to_owned());
        Self::own(SearchSourceView { id, kind, base_url, has_key: false, model: None })
    }

    fn is_of_hub(&self) -> bool {
        self.row.as_ref().is_some_and(|row| row.id.0 == OF_HUB)
    }

    fn base_url(&self) -> Option<&str> {
        self.row.as_ref()?.base_url.as_deref()
    }

    /// What people know it by.
    pub(super) fn label(&self) -> String {
        if let Some(SearchModel { name, model, .. }) = self.model() {
            let name = if name.is_empty() { "A provider" } else { name };
            return format!("{name}'s own search ({model})");
        }
        let label = self.kind.label();
        match self.base_url().and_then(|url| Url::parse(url).ok()) {
            Some(url) => format!("{label} ({})", &url[Position::BeforeHost..Position::AfterPort]),
            None => label.to_owned(),
        }
    }

    /// The model that searches there.
    pub(super) fn model(&self) -> Option<&SearchModel> {
        self.row.as_ref()?.model.as_ref()
    }

    /// The name under which what is known of it is kept: its own if it has a key or an address, and the kind's
    /// where everybody asks the same.
    pub(super) fn key(&self) -> String {
        self.private_row().map_or_else(|| self.kind.name().to_owned(), |row| row.id.0.clone())
    }

    /// Of a source that is not the same for everybody.
    fn private_row(&self) -> Option<&SearchSourceView> {
        self.row.as_ref().filter(|row| row.has_key || row.base_url.is_some() || row.model.is_some())
    }

    fn turn_of<'a>(&self, person: &'a UserId) -> Turn<'a> {
        let is_own = self.private_row().is_some() && !self.is_of_hub();
        if is_own { Turn::Own } else { Turn::Shared(person) }
    }

    /// Milliseconds between two requests. Somebody's own server says itself what is too often.
    fn gap_ms(&self) -> i64 {
        match backend::of(self.kind) {
            Some(backend) if self.base_url().is_none() || self.is_of_hub() => backend.gap_ms(),
            Some(_) | None => 0,
        }
    }
}

impl WebSearch<'_> {
    /// What the source finds. With a `network` it is asked only if that lets an agent go there. A provider's own
    /// search takes its own time.
    pub(super) async fn ask(
        self,
        owner: &UserId,
        source: &Source,
        wanted: &Wanted,
        network: Option<&Network>,
        limit: Duration,
        payer: Option<&Payer>,
    ) -> Result<Vec<Hit>, SourceError> {
        if let Some(model) = source.model() {
            return self.ask_model(owner, (source, model), wanted, network, payer).await;
        }
        let asked = self.within_time(owner, source, wanted, network);
        timeout(limit, asked).await.unwrap_or(Err(SourceError::TooLate))
    }

    async fn within_time(
        self,
        owner: &UserId,
        source: &Source,
        wanted: &Wanted,
        network: Option<&Network>,
    ) -> Result<Vec<Hit>, SourceError> {
        let backend = backend::of(source.kind).ok_or(SourceError::NotThisKind)?;
        let base = source.base_url().or(backend.own_address()).unwrap_or_default();
        let base = Url::parse(base).map_err(|_| SourceError::NotThisKind)?;
        let key = self.key(owner, source).await?;
        let request = backend.request(&base, wanted, key.as_ref())?;
        if let Some(network) = network {
            network::permit_chosen(network, &request.target).map_err(SourceError::NotAllowed)?;
        }
        let memory = &self.hub.0.web_search;
        let asked = Asked { person: owner.clone(), source: source.key(), wanted: wanted.clone() };
        if let Some(hits) = memory.cache.find(&asked, self.hub.moment()) {
            return Ok(hits);
        }
        let wait =
            memory.rests.turn(&source.key(), source.gap_ms(), source.turn_of(owner), self.hub.moment())?;
        if wait > 0 {
            sleep(Duration::from_millis(wait)).await;
        }
        let there = request.target.url().clone();
        let body = self.send(backend, request).await.inspect_err(|failure| {
            if let Some(seconds) = failure.rest() {
                memory.rests.leave_alone(&source.key(), seconds, self.hub.moment());
            }
        })?;
        // Two megabytes of an answer are read off the threads that serve others.
        let read = tokio::task::spawn_blocking(move || (backend.backoff(&body), backend.read(&there, &body)));
        let (backoff, hits) = read.await.map_err(|_| SourceError::NotThisKind)?;
        if let Some(seconds) = backoff {
            memory.rests.leave_alone(&source.key(), seconds, self.hub.moment());
        }
        let mut hits = hits?;
        hits.truncate(wanted.count);
        if let Some(needles) = key.as_ref().and_then(|key| Needles::of(key.expose())) {
            hits = hits.into_iter().filter_map(|hit| hit.without(&needles)).collect();
        }
        memory.cache.keep(asked, &hits, self.hub.moment());
        Ok(hits)
    }

    async fn key(self, owner: &UserId, source: &Source) -> Result<Option<Secret>, SourceError> {
        let Some(row) = source.row.as_ref().filter(|row| row.has_key) else { return Ok(None) };
        let server = server_of(row.kind, row.base_url.as_deref());
        let read = self.hub.vault().read(self.hub.store(), key_place(&owner.0, &row.id, &server)).await;
        read.map_err(|error| {
            tracing::warn!("the key of a search source cannot be read: {error:?}");
            SourceError::NoKey
        })
    }

    async fn send(self, backend: &dyn Backend, request: Request) -> Result<Vec<u8>, SourceError> {
        let Request { method, target, mut headers, body } = request;
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        let answer = self.hub.outbound().send(method, &target, headers, body).await?;
        if !answer.is_success() {
            return Err(refused(backend, &answer));
        }
        let is_packed = answer.header(CONTENT_ENCODING) == Some("gzip");
        let body = whole(answer).await?;
        if !is_packed {
            return Ok(body);
        }
        let unpacking = tokio::task::spawn_blocking(move || unpacked(&body));
        unpacking.await.map_err(|_| SourceError::NotThisKind)?
    }
}

fn refused(backend: &dyn Backend, answer: &Answer) -> SourceError {
    let status = answer.status();
    if let Some(failure) = backend.failure(status) {
        return failure;
    }
    let has_key = backend.key() == KeyUse::Needed;
    match status {
        401 | 403 if has_key => SourceError::KeyRefused,
        402 => SourceError::UsedUp,
        429 | 503 => {
            let seconds = answer.header(RETRY_AFTER).and_then(|after| after.trim().parse().ok());
            SourceError::TooOften(seconds.unwrap_or(USUAL_SECONDS))
        }
        300..=399 => SourceError::Moved(status),
        404 | 405 => SourceError::NotThisKind,
        500..=599 => SourceError::Broken(status),
        status => SourceError::Refused(status),
    }
}

async fn whole(mut answer: Answer) -> Result<Vec<u8>, SourceError> {
    let mut body = Vec::new();
    while let Some(bytes) = answer.next().await? {
        if body.len() + bytes.len() > BODY {
            return Err(SourceError::TooMuch);
        }
        body.extend_from_slice(&bytes);
    }
    Ok(body)
}

/// Some pack whatever they are asked for.
fn unpacked(packed: &[u8]) -> Result<Vec<u8>, SourceError> {
    let mut body = Vec::new();
    let most = u64::try_from(BODY).unwrap_or(u64::MAX) + 1;
    GzDecoder::new(packed).take(most).read_to_end(&mut body).map_err(|_| SourceError::NotThisKind)?;
    if body.len() > BODY { Err(SourceError::TooMuch) } else { Ok(body) }
}
