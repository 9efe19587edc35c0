//! Files that a program names by their addresses. The hub fetches them itself, so that every provider gets
//! the same and none learns an address.

use super::{ApiError, ApiErrorKind};
use crate::fair_queue::{FairQueue, QueueFull};
use crate::outbound::{Answer, Outbound, OutboundError, Target};
use agent::model_endpoints::{Files, IncomingRequest, ParsedRequest};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use futures_util::future::try_join_all;
use protocol::UserId;
use protocol::model::Media;
use reqwest::Method;
use reqwest::header::{CONTENT_TYPE, HeaderMap, LOCATION};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::time::timeout;

/// For one file, redirects and all.
const FETCH_TIMEOUT: Duration = Duration::from_secs(20);
const REDIRECTS: usize = 3;
/// Bytes of a file.
const MAX_FILE_BYTES: usize = 10 * MB;
/// Files of a request, and the bytes of all of them: as many as a body may have.
const MAX_FILES_PER_REQUEST: usize = 20;
const ALTOGETHER: usize = 32 * MB;
/// Files that are being fetched at once, half of them for one person: they are kept in memory. And how many
/// of one person may wait.
const CONCURRENT_FETCHES: usize = 32;
const WAITING: usize = 256;
const MB: usize = 1024 * 1024;
/// What models look at.
const KINDS: [&str; 5] = ["image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf"];

/// Whether a request may go there, as far as that is not the client's own to say.
pub(super) type Permits = fn(&Target) -> bool;

/// Files that are fetched: they are kept in memory.
pub(super) struct Fetching(pub(super) FairQueue<UserId>);

impl Default for Fetching {
    fn default() -> Self {
        Self(FairQueue::new(CONCURRENT_FETCHES, WAITING))
    }
}

/// For whom files are fetched, and where they wait for it.
#[derive(Clone, Copy)]
pub(super) struct FetchQueue<'a> {
    pub(super) person: &'a UserId,
    pub(super) queue: &'a FairQueue<UserId>,
}

/// Reads what is asked, with the files that it names.
pub(super) async fn read(
    web: &Outbound,
    permits: Permits,
    FetchQueue { person, queue }: FetchQueue<'_>,
    asking: IncomingRequest,
) -> Result<ParsedRequest, ApiError> {
    let mut files = Files::default();
    let asked = asking.read(&files)?;
    let missing = files.missing();
    if missing.is_empty() {
        return Ok(asked);
    }
    if missing.len() > MAX_FILES_PER_REQUEST {
        return Err(bad(format!(
            "A request names at most {MAX_FILES_PER_REQUEST} files by their addresses."
        )));
    }
    let room = AtomicUsize::new(ALTOGETHER);
    let fetched = try_join_all(missing.into_iter().map(async |address| {
        let _place = queue.enter(person).await.map_err(|QueueFull| busy())?;
        let late = || bad(format!("{address} took longer than {} seconds.", FETCH_TIMEOUT.as_secs()));
        let file =
            timeout(FETCH_TIMEOUT, fetch(web, permits, &address, &room)).await.map_err(|_| late())??;
        Ok::<_, ApiError>((address, file))
    }));
    for (address, file) in fetched.await? {
        files.put(address, file);
    }
    asking.read(&files)
}

async fn fetch(
    web: &Outbound,
    permits: Permits,
    address: &str,
    room: &AtomicUsize,
) -> Result<Media, ApiError> {
    let mut target = Target::parse_without_fragment(address).map_err(unreached)?;
    for _ in 0..=REDIRECTS {
        if !permits(&target) {
            let place = target.place();
            return Err(bad(format!(
                "{place} has an unusual port: send the file itself as a data: address."
            )));
        }
        let asked = web.send(Method::GET, &target, HeaderMap::new(), Vec::new());
        let answer = asked.await.map_err(unreached)?;
        match led(&target, &answer)? {
            Some(next) => target = next,
            None => return file(&target, answer, room).await,
        }
    }
    Err(bad(format!("{address} leads on more than {REDIRECTS} times.")))
}

/// Where a redirect leads.
fn led(from: &Target, answer: &Answer) -> Result<Option<Target>, ApiError> {
    if !matches!(answer.status(), 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let Some(location) = answer.header(LOCATION) else { return Ok(None) };
    let target = from.join(location).map_err(unreached)?;
    if from.url().scheme() == "https" && target.url().scheme() != "https" {
        return Err(bad(format!("{} leads to an address that is not encrypted.", from.place())));
    }
    Ok(Some(target))
}

async fn file(from: &Target, mut answer: Answer, room: &AtomicUsize) -> Result<Media, ApiError> {
    let place = from.place();
    if !answer.is_success() {
        return Err(bad(format!("{place} answered with the status {} and no file.", answer.status())));
    }
    let named = answer.header(CONTENT_TYPE).unwrap_or_default();
    let kind = named.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if !KINDS.contains(&kind.as_str()) {
        let kind = if kind.is_empty() { "no type".to_owned() } else { format!("the type {kind}") };
        return Err(bad(format!("The file at {place} has {kind}: models get PNG, JPEG, GIF, WebP and PDF.")));
    }
    let mut bytes = Vec::new();
    while let Some(piece) = answer.next().await.map_err(unreached)? {
        bytes.extend_from_slice(&piece);
        if bytes.len() > MAX_FILE_BYTES {
            return Err(bad(format!("The file at {place} is larger than {} MB.", MAX_FILE_BYTES / MB)));
        }
        let taken =
            room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(piece.len()));
        if taken.is_err() {
            return Err(bad(format!("The files are larger than {} MB altogether.", ALTOGETHER / MB)));
        }
    }
    let name = from.url().path_segments().and_then(|mut parts| parts.next_back()).unwrap_or_default();
    let name = (!name.is_empty()).then(|| name.to_owned());
    Ok(Media { mime: kind, data: STANDARD.encode(bytes), name, stored: None })
}

fn unreached(error: OutboundError) -> ApiError {
    bad(match error {
        OutboundError::NotAllowed { place } => {
            format!("{place} is not a public address: send the file itself as a data: address.")
        }
        error @ (OutboundError::Url(_)
        | OutboundError::NoSuchName { .. }
        | OutboundError::NoAnswer { .. }
        | OutboundError::Timeout { .. }
        | OutboundError::Insecure { .. }
        | OutboundError::Cut { .. }) => format!("A file could not be fetched. {error}"),
    })
}

fn busy() -> ApiError {
    let words = "Too many of your files are being fetched. Try again in a moment.";
    ApiError::new(ApiErrorKind::Overloaded, words.to_owned())
}

fn bad(message: String) -> ApiError {
    ApiError::new(ApiErrorKind::BadRequest, message)
}

#[cfg(test)]
mod tests;
