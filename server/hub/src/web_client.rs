//! Asking servers of the web for agents, politely: a page that may be kept is not asked for again, no server is asked
//! in a rush, one that wants to be left alone is, and `robots.txt` is followed where a person chose that. Whether an
//! agent may ask at all is the gateway's to say.

mod cache;
mod manners;
mod pace;
mod robots;
mod rules;

use crate::Hub;
use crate::outbound::{Answer, OutboundError, Target};
use cache::Cache;
use pace::Pace;
use protocol::UserId;
use reqwest::Method;
use reqwest::header::HeaderMap;
use robots::KnownRobots;
use thiserror::Error;

/// What of the web is asked of for one person.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WebClient<'a> {
    hub: &'a Hub,
    owner: &'a UserId,
    manners: Manners,
}

impl Hub {
    pub(crate) fn web_client<'a>(&'a self, owner: &'a UserId, manners: Manners) -> WebClient<'a> {
        WebClient { hub: self, owner, manners }
    }
}

#[derive(Debug, Default)]
pub(crate) struct InMemory {
    cache: Cache,
    pace: Pace,
    robots: KnownRobots,
}

/// How servers are treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Manners {
    /// Whether `robots.txt` is asked before a page is read.
    pub(crate) follows_robots: bool,
    /// Whether requests wait for their turn; not where a person named the server.
    pub(crate) is_paced: bool,
}

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WebRequest<'a> {
    pub(crate) method: &'a Method,
    pub(crate) target: &'a Target,
    pub(crate) headers: &'a HeaderMap,
    pub(crate) body: &'a [u8],
    pub(crate) reading: Reading,
}

/// Whether an answer that was kept is good enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// Never: the request has something of its own.
    Anew,
    /// While its server says so.
    FromStart,
    /// What goes on is the text that was begun, for ten minutes.
    On,
}

/// Why a server was not asked, or gave no answer.
#[derive(Debug, Error)]
pub(crate) enum WebError {
    #[error(transparent)]
    Outbound(#[from] OutboundError),
    #[error("{0} asked to be left alone. It can be asked again in {1} s.")]
    Resting(String, u64),
    #[error("{0} is asked for too much at once. It can be asked again in {1} s.")]
    Paced(String, u64),
    #[error("The robots.txt of {0} asks programs to keep away from this page, and this agent follows that.")]
    Robots(String),
    #[error(
        "The robots.txt of {0} could not be read, and this agent reads nothing without it. Try again later."
    )]
    NoRobots(String),
}

impl WebClient<'_> {
    fn memory(&self) -> &InMemory {
        &self.hub.0.web_client
    }

    /// The answer, from its server or from what is kept.
    pub(crate) async fn send(self, request: WebRequest<'_>) -> Result<Answer, WebError> {
        let WebRequest { method, target, headers, body, reading } = request;
        let known = self.memory().cache.find(self.owner, target, reading, self.hub.moment());
        if let Some(answer) = known.as_ref().and_then(|known| known.answer()) {
            return Ok(answer);
        }
        self.mind_manners(method, target).await?;
        let validators = known.as_ref().map(|known| known.validators()).unwrap_or_default();
        let mut headers = headers.clone();
        headers.extend(validators);
        let answer = self.hub.web().send(method.clone(), target, headers, body.to_vec()).await?;
        self.note_rest(target, &answer);
        if reading == Reading::Anew {
            self.memory().cache.forget(self.owner, target);
            return Ok(answer);
        }
        Ok(self.memory().cache.keep(self.owner, target, answer, known, self.hub.moment()).await?)
    }
}
