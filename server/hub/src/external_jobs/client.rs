//! What is said to a job service and what it answers, through the one outbound client. Its token goes to this server
//! and to no other; a log may lie elsewhere, where it is fetched without.

use super::failure::JobFailure;
use super::kept_log::plain;
use super::rows::ServiceRow;
use crate::Hub;
use crate::fair_queue::Permit;
use crate::outbound::{Answer, Outbound, OutboundError, Target};
use crate::vault::Secret;
use protocol::UserId;
use protocol::view::JobServiceKind;
use redact::Needles;
use reqwest::Method;
use reqwest::header::{
    ACCEPT, ACCEPT_ENCODING, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LOCATION,
    RANGE, RETRY_AFTER,
};
use serde_json::Value;
use std::time::Duration;
use tokio::time::timeout;

const KILOBYTE: usize = 1024;
/// Bytes of an answer that is no log.
const BODY: usize = 2 * 1024 * KILOBYTE;
/// Bytes of a log that are read over once more, where a server knows no ranges.
const SKIPPED: u64 = 16 * 1024 * KILOBYTE as u64;
const PATIENCE: Duration = Duration::from_secs(30);
/// Characters of an error of a service's.
const TOLD: usize = 300;
/// For how long one is left alone that does not say for how long, and at most.
const USUAL_REST_S: u64 = 60;
const LONGEST_REST_S: u64 = 60 * 60;
const KEY: HeaderName = HeaderName::from_static("idempotency-key");
const GITHUB_VERSION: HeaderName = HeaderName::from_static("x-github-api-version");
const REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
const RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset");

/// Somebody who asks one service.
pub(super) struct ServiceClient {
    hub: Hub,
    base: Target,
    kind: JobServiceKind,
    /// Where logs may lie besides.
    log_place: String,
    token: Option<Secret>,
    /// One of the requests that a person may have under way.
    _turn: Permit<UserId>,
}

/// What it answered.
pub(super) struct Reply {
    pub(super) location: Option<String>,
    pub(super) body: Value,
}

/// Bytes of a log, from where they were asked for.
pub(super) struct LogPart {
    pub(super) bytes: Vec<u8>,
    /// Whether these are all that there were.
    pub(super) is_whole: bool,
}

impl ServiceClient {
    pub(super) fn new(
        hub: &Hub,
        service: &ServiceRow,
        token: Option<Secret>,
        turn: Permit<UserId>,
    ) -> Result<Self, JobFailure> {
        Ok(Self {
            hub: hub.clone(),
            base: Target::parse(&service.view.url)?,
            kind: service.view.kind,
            log_place: service.view.log_url.clone(),
            token,
            _turn: turn,
        })
    }

    /// This path behind the address of the service.
    pub(super) fn at(&self, path: &str) -> Result<Target, JobFailure> {
        let base = self.base.url().as_str().trim_end_matches('/');
        Ok(Target::parse(&format!("{base}{path}"))?)
    }

    /// An address that the service named, if it is its own.
    pub(super) fn own(&self, from: &Target, address: &str) -> Result<Target, JobFailure> {
        let target = from.join(address)?;
        match target.place() == self.base.place() {
            true => Ok(target),
            false => Err(JobFailure::NotAsDescribed("the job is to be at another server.")),
        }
    }

    /// A page of the service's that people may be led to, if it is one.
    pub(super) fn link(&self, address: &str) -> String {
        let host = |target: &Target| target.url().host_str().map(str::to_owned).unwrap_or_default();
        let Ok(target) = Target::parse_without_fragment(address) else { return String::new() };
        let (there, here) = (host(&target), host(&self.base));
        match there == here || here.strip_prefix("api.") == Some(&*there) {
            true => target.url().as_str().to_owned(),
            false => String::new(),
        }
    }

    pub(super) async fn get(&self, target: &Target) -> Result<Reply, JobFailure> {
        self.ask(Method::GET, target, None, None).await
    }

    /// Whoever is sent the same key a second time may know it again.
    pub(super) async fn post(
        &self,
        target: &Target,
        body: Option<&Value>,
        key: Option<&str>,
    ) -> Result<Reply, JobFailure> {
        self.ask(Method::POST, target, body, key).await
    }

    pub(super) async fn delete(&self, target: &Target) -> Result<Reply, JobFailure> {
        self.ask(Method::DELETE, target, None, None).await
    }

    async fn ask(
        &self,
        method: Method,
        target: &Target,
        body: Option<&Value>,
        key: Option<&str>,
    ) -> Result<Reply, JobFailure> {
        let asked = async {
            let mut headers = self.headers(target)?;
            if let Some(key) = key.and_then(|key| HeaderValue::from_str(key).ok()) {
                headers.insert(KEY, key);
            }
            let bytes = match body {
                Some(body) => {
                    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
                    body.to_string().into_bytes()
                }
                None => Vec::new(),
            };
            let answer = self.hub.outbound().send(method, target, headers, bytes).await?;
            if !answer.is_success() {
                return Err(self.refused(answer).await);
            }
            let location = answer.header(LOCATION).map(str::to_owned);
            Ok(Reply { location, body: json_of(answer).await? })
        };
        timeout(PATIENCE, asked).await.unwrap_or(Err(JobFailure::TooLate(PATIENCE.as_secs())))
    }

    /// A log, or the part of it from that byte on, wherever the service says that it lies. None: there is none, or
    /// nothing behind that byte.
    pub(super) async fn log(
        &self,
        target: &Target,
        from: u64,
        most: usize,
    ) -> Result<Option<LogPart>, JobFailure> {
        let fetched = async {
            let answer =
                self.hub.outbound().send(Method::GET, target, self.log_headers(target, from)?, Vec::new());
            let mut answer = answer.await?;
            if (300..400).contains(&answer.status()) {
                let Some(location) = answer.header(LOCATION) else {
                    return Err(JobFailure::Moved(answer.status()));
                };
                let there = target.join(location)?;
                answer =
                    self.door_to(&there)?.send(Method::GET, &there, range(from), Vec::new()).await.map_err(
                        |failure| match failure {
                            OutboundError::NotAllowed { place } => JobFailure::LogElsewhere(place),
                            failure => failure.into(),
                        },
                    )?;
            }
            match answer.status() {
                206 => part_of(answer, 0, most).await.map(Some),
                200 => part_of(answer, from, most).await.map(Some),
                204 | 404 | 410 | 416 => Ok(None),
                _ => Err(self.refused(answer).await),
            }
        };
        timeout(PATIENCE, fetched).await.unwrap_or(Err(JobFailure::TooLate(PATIENCE.as_secs())))
    }

    /// Which addresses a log may have: the service's own, the one that was entered for logs, and public ones. That a
    /// service is near by opens nothing else that is.
    fn door_to(&self, there: &Target) -> Result<&Outbound, JobFailure> {
        if there.place() == self.base.place() || there.place() == self.log_place {
            return Ok(self.hub.outbound());
        }
        match there.url().scheme() == "https" || self.base.url().scheme() == "http" {
            true => Ok(self.hub.web()),
            false => Err(JobFailure::LogElsewhere(there.place())),
        }
    }

    fn headers(&self, target: &Target) -> Result<HeaderMap, JobFailure> {
        // The token is for this server alone.
        if target.place() != self.base.place() {
            return Err(JobFailure::NotAsDescribed("it leads to another server."));
        }
        let mut headers = HeaderMap::new();
        let accept = match self.kind {
            JobServiceKind::Github => {
                headers.insert(GITHUB_VERSION, HeaderValue::from_static("2022-11-28"));
                "application/vnd.github+json"
            }
            JobServiceKind::Http => "application/json",
        };
        headers.insert(ACCEPT, HeaderValue::from_static(accept));
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        if let Some(token) = &self.token
            && let Ok(mut bearer) = HeaderValue::from_str(&format!("Bearer {}", token.expose()))
        {
            bearer.set_sensitive(true);
            headers.insert(AUTHORIZATION, bearer);
        }
        Ok(headers)
    }

    fn log_headers(&self, target: &Target, from: u64) -> Result<HeaderMap, JobFailure> {
        let mut headers = self.headers(target)?;
        match self.kind {
            // It answers with where the log lies.
            JobServiceKind::Github => {}
            JobServiceKind::Http => {
                headers.insert(ACCEPT, HeaderValue::from_static("text/plain"));
                headers.extend(range(from));
            }
        }
        Ok(headers)
    }

    async fn refused(&self, answer: Answer) -> JobFailure {
        let status = answer.status();
        let seconds = |name: HeaderName| answer.header(name).and_then(|text| text.trim().parse::<u64>().ok());
        let rest = seconds(RETRY_AFTER).or_else(|| {
            let reset = seconds(RESET).filter(|_| seconds(REMAINING) == Some(0))?;
            Some(reset.saturating_sub(u64::try_from(self.hub.now() / 1000).unwrap_or_default()))
        });
        let wait_s = rest.unwrap_or(USUAL_REST_S).clamp(1, LONGEST_REST_S);
        match status {
            429 => JobFailure::TooOften { wait_s },
            403 | 503 if rest.is_some() => JobFailure::TooOften { wait_s },
            300..=399 => JobFailure::Moved(status),
            401 => JobFailure::LoginNeeded,
            403 => JobFailure::Forbidden,
            400 | 409 | 422 => {
                let body = answer.start_of_body(16 * KILOBYTE).await;
                let words = serde_json::from_slice::<Value>(&body).ok();
                let words = words.as_ref().and_then(|body| body["message"].as_str()).unwrap_or("no reason.");
                JobFailure::Refused { status, words: self.told(words, TOLD) }
            }
            500..=599 => JobFailure::Broken(status),
            status => JobFailure::NotThere(status),
        }
    }

    /// What it says, on one line, so long at most, and without the token that was sent along.
    pub(super) fn told(&self, text: &str, most: usize) -> String {
        let text: String = plain(text).replace('\n', " ").chars().take(most).collect();
        self.without_token(&text)
    }

    pub(super) fn without_token(&self, text: &str) -> String {
        let needles = self.token.as_ref().and_then(|token| Needles::of(token.expose()));
        needles.map_or_else(|| text.to_owned(), |needles| needles.hide(text).into_owned())
    }
}

fn range(from: u64) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    if from > 0
        && let Ok(range) = HeaderValue::from_str(&format!("bytes={from}-"))
    {
        headers.insert(RANGE, range);
    }
    headers
}

/// So many bytes of a log, without those before.
async fn part_of(mut answer: Answer, skip: u64, most: usize) -> Result<LogPart, JobFailure> {
    if skip > SKIPPED {
        return Ok(LogPart { bytes: Vec::new(), is_whole: true });
    }
    let (mut skip, mut bytes) = (skip, Vec::new());
    while let Some(next) = answer.next().await? {
        let over = usize::try_from(skip).unwrap_or(usize::MAX).min(next.len());
        skip -= over as u64;
        let room = most - bytes.len();
        let new = &next[over..];
        bytes.extend_from_slice(&new[..new.len().min(room)]);
        if new.len() > room || bytes.len() == most {
            return Ok(LogPart { bytes, is_whole: false });
        }
    }
    Ok(LogPart { bytes, is_whole: true })
}

/// Nothing, where there is no body.
async fn json_of(mut answer: Answer) -> Result<Value, JobFailure> {
    let mut body = Vec::new();
    while let Some(bytes) = answer.next().await? {
        if body.len() + bytes.len() > BODY {
            return Err(JobFailure::TooMuch(BODY / KILOBYTE));
        }
        body.extend_from_slice(&bytes);
    }
    if body.iter().all(u8::is_ascii_whitespace) {
        return Ok(Value::Null);
    }
    let parsing = tokio::task::spawn_blocking(move || serde_json::from_slice(&body));
    let parsed = parsing.await.ok().and_then(Result::ok);
    parsed.ok_or(JobFailure::NotAsDescribed("that is not JSON."))
}
