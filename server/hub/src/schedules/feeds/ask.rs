//! Asking for a feed, as its agent could: where its network policy lets it, step by step, and only if something
//! changed. What came is read in the process without rights.

use crate::engine::{EngineError, FeedEntries, FeedFile};
use crate::error::Error;
use crate::network;
use crate::outbound::{Answer, OutboundError, Target};
use crate::schedules::Schedules;
use crate::web_client::{Manners, Reading, WebError, WebRequest};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use protocol::view::Network;
use protocol::{AgentId, UserId, told};
use reqwest::Method;
use reqwest::header::{
    ACCEPT, ACCEPT_ENCODING, ETAG, HeaderMap, HeaderName, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH,
    LAST_MODIFIED, LOCATION,
};
use std::time::Duration;
use tokio::time::timeout;

/// Bytes of a feed.
const LARGEST: usize = 2 * 1024 * 1024;
/// For all of it: redirects and body.
const ASKING: Duration = Duration::from_secs(20);
/// For reading what came.
const READING: Duration = Duration::from_secs(5);
const REDIRECTS: usize = 5;
/// Bytes of a header by which a server says that it is still the same.
const VALIDATOR: usize = 500;
const KINDS: &str =
    "application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.9, */*;q=0.5";

/// Who asks for which feed.
#[derive(Clone, Copy)]
pub(super) struct Question<'a> {
    pub(super) owner: &'a UserId,
    pub(super) agent: &'a AgentId,
    pub(super) url: &'a str,
    pub(super) validators: Option<&'a Validators>,
}

/// By which its server says that it is still the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Validators {
    pub(super) etag: Option<String>,
    pub(super) last_modified: Option<String>,
}

pub(super) enum Answered {
    Same,
    Feed { feed: FeedEntries, validators: Validators },
}

/// What a server gave, and where that was in the end.
struct Came {
    bytes: Vec<u8>,
    at: Target,
    validators: Validators,
}

/// Why there is no feed, in words for whoever named it.
#[derive(Debug, thiserror::Error)]
pub(super) enum FeedError {
    /// It may be there the next time.
    #[error("{0}")]
    NotYet(String),
    /// A person has to do something.
    #[error("{0}")]
    Refused(String),
}

pub(super) enum Failed {
    Feed(FeedError),
    Hub(Error),
}

impl From<FeedError> for Failed {
    fn from(error: FeedError) -> Self {
        Self::Feed(error)
    }
}

impl From<Error> for Failed {
    fn from(error: Error) -> Self {
        Self::Hub(error)
    }
}

impl From<OutboundError> for FeedError {
    fn from(error: OutboundError) -> Self {
        let why = error.to_string();
        match error {
            OutboundError::Url(_) | OutboundError::NotAllowed { .. } => Self::Refused(why),
            OutboundError::NoSuchName { .. }
            | OutboundError::NoAnswer { .. }
            | OutboundError::Timeout { .. }
            | OutboundError::Insecure { .. }
            | OutboundError::Cut { .. } => Self::NotYet(why),
        }
    }
}

impl From<WebError> for FeedError {
    fn from(error: WebError) -> Self {
        match error {
            WebError::Outbound(error) => error.into(),
            WebError::Robots(_) => Self::Refused(error.to_string()),
            WebError::Resting(..) | WebError::Paced(..) | WebError::NoRobots(_) => {
                Self::NotYet(error.to_string())
            }
        }
    }
}

impl Schedules<'_> {
    pub(super) async fn ask_for_feed(self, question: Question<'_>) -> Result<Answered, Failed> {
        let late = |_| {
            let seconds = ASKING.as_secs();
            FeedError::NotYet(told!("The feed did not come within {seconds} seconds."))
        };
        let came = timeout(ASKING, self.body_of(question)).await.map_err(late)??;
        let Some(Came { bytes, at, validators }) = came else { return Ok(Answered::Same) };
        let feed = self.read_feed(question.owner, &bytes, &at).await?;
        Ok(Answered::Feed { feed, validators })
    }

    /// What its server gives. `None`: it is the same as before.
    async fn body_of(self, question: Question<'_>) -> Result<Option<Came>, Failed> {
        let network = self.hub.networks().of_agent(question.agent).await?;
        let follows_robots = self.hub.networks().follows_robots(question.agent).await?;
        let mut target = Target::parse_without_fragment(question.url).map_err(FeedError::from)?;
        network::permit_chosen(&network, &target).map_err(|_| out_of_reach(&target))?;
        // A name of the open web is looked up by others, who could have it lead into the house.
        let is_near = matches!(network, Network::AllowList { .. }) && target.is_local();
        let headers = headers(question.validators);
        for _ in 0..=REDIRECTS {
            let answer = if is_near {
                let sent = self.hub.listed().send(Method::GET, &target, headers.clone(), Vec::new()).await;
                sent.map_err(FeedError::from)?
            } else {
                let manners = Manners { follows_robots, is_paced: network == Network::Public };
                let request = WebRequest {
                    method: &Method::GET,
                    target: &target,
                    headers: &headers,
                    body: &[],
                    reading: Reading::Anew,
                };
                let sent = self.hub.web_client(question.owner, manners).send(request).await;
                sent.map_err(FeedError::from)?
            };
            let Some(next) = led(&target, &answer)? else {
                return Ok(body(answer, &target, question.validators.is_some()).await?);
            };
            if is_near != next.is_local() || network::permit(&network, &next).is_err() {
                return Err(out_of_reach(&next).into());
            }
            target = next;
        }
        let place = target.place();
        Err(FeedError::Refused(told!(
            "{place} sends on again and again. Enter the address where the feed is."
        ))
        .into())
    }

    async fn read_feed(self, owner: &UserId, bytes: &[u8], at: &Target) -> Result<FeedEntries, FeedError> {
        let file = FeedFile { bytes: STANDARD.encode(bytes), url: at.url().as_str().to_owned() };
        match self.hub.engine().perform(owner, file, READING).await {
            Ok(Ok(feed)) => Ok(feed),
            Ok(Err(why)) => {
                tracing::debug!("what was to be a feed is none: {why}");
                Err(no_feed(at))
            }
            Err(EngineError::Died) => Err(no_feed(at)),
            Err(error @ (EngineError::TimedOut | EngineError::Busy | EngineError::NotStarted(_))) => {
                Err(FeedError::NotYet(told!("The feed could not be read: {error}.")))
            }
        }
    }
}

fn no_feed(at: &Target) -> FeedError {
    let place = at.place();
    FeedError::Refused(told!(
        "What {place} gives there is no feed. Enter the address of its RSS, Atom or JSON Feed."
    ))
}

fn out_of_reach(target: &Target) -> FeedError {
    let place = target.place();
    FeedError::Refused(told!(
        "This agent may not reach {place}. What it may reach of the web you say in its settings."
    ))
}

fn headers(validators: Option<&Validators>) -> HeaderMap {
    let mut headers = HeaderMap::from_iter([
        (ACCEPT, HeaderValue::from_static(KINDS)),
        (ACCEPT_ENCODING, HeaderValue::from_static("identity")),
    ]);
    let Some(Validators { etag, last_modified }) = validators else { return headers };
    for (name, value) in [(IF_NONE_MATCH, etag), (IF_MODIFIED_SINCE, last_modified)] {
        if let Some(value) = value.as_deref().and_then(|value| HeaderValue::from_str(value).ok()) {
            headers.insert(name, value);
        }
    }
    headers
}

/// Where the answer leads, if it is a redirect.
fn led(from: &Target, answer: &Answer) -> Result<Option<Target>, FeedError> {
    if !matches!(answer.status(), 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let Some(location) = answer.header(LOCATION) else { return Ok(None) };
    let target = from.join(location)?;
    if from.url().scheme() == "https" && target.url().scheme() != "https" {
        let place = target.place();
        return Err(FeedError::Refused(told!("It leads from https to {place}, which is not encrypted.")));
    }
    Ok(Some(target))
}

async fn body(mut answer: Answer, at: &Target, may_be_same: bool) -> Result<Option<Came>, FeedError> {
    let (place, status) = (at.place(), answer.status());
    match status {
        200..=299 => {}
        304 if may_be_same => return Ok(None),
        401 | 403 => {
            return Err(FeedError::Refused(told!(
                "{place} does not give it without a sign-in. Many services have a secret address for this."
            )));
        }
        404 | 410 => {
            return Err(FeedError::Refused(told!("There is nothing at this address of {place}.")));
        }
        429 | 500..=599 => {
            return Err(FeedError::NotYet(told!("{place} cannot give it right now (status {status}).")));
        }
        status => {
            return Err(FeedError::Refused(told!("{place} gives the status {status} in place of a feed.")));
        }
    }
    let validators =
        Validators { etag: validator(&answer, ETAG), last_modified: validator(&answer, LAST_MODIFIED) };
    let mut bytes = Vec::new();
    while let Some(more) = answer.next().await? {
        if bytes.len() + more.len() > LARGEST {
            return Err(FeedError::Refused(told!(
                "The feed of {place} is larger than 2 MB. Enter a shorter one."
            )));
        }
        bytes.extend_from_slice(&more);
    }
    Ok(Some(Came { bytes, at: at.clone(), validators }))
}

fn validator(answer: &Answer, name: HeaderName) -> Option<String> {
    answer.header(name).filter(|value| value.len() <= VALIDATOR).map(str::to_owned)
}
