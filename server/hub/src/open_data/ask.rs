//! One request to one service, or what it told before.

use super::OpenData;
use super::failure::DataError;
use crate::network;
use crate::outbound::{Answer, Target, freshness};
use reqwest::Method;
use reqwest::header::{ACCEPT, ACCEPT_ENCODING, HeaderMap, HeaderValue, IF_NONE_MATCH, RETRY_AFTER};
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;
use url::Url;

const LIMIT: Duration = Duration::from_secs(10);
/// Bytes of an answer.
const BODY: usize = 256 * 1024;

/// What is asked of a service.
#[derive(Debug)]
pub(super) struct Question<'a> {
    /// What people call the service, like `weather service`.
    pub(super) service: &'static str,
    /// What comes from it.
    pub(super) what: &'static str,
    pub(super) base: &'a Url,
    pub(super) path: &'a str,
    pub(super) parameters: &'a [(&'a str, &'a str)],
    /// Seconds for which an answer holds that says nothing of it.
    pub(super) usual: i64,
}

impl OpenData<'_> {
    /// The answer as JSON. `None`: there is no such thing there (404).
    pub(super) async fn ask(self, question: &Question<'_>) -> Result<Option<Value>, DataError> {
        let asked = self.within_time(question);
        timeout(LIMIT, asked).await.unwrap_or(Err(DataError::TooLate(question.service)))
    }

    async fn within_time(self, question: &Question<'_>) -> Result<Option<Value>, DataError> {
        let Question { service, what, .. } = *question;
        let target = question.target()?;
        let network = self.hub.networks().of_agent(self.agent).await;
        let network = network.map_err(|error| DataError::Asked(error.into_failure().to_string()))?;
        network::permit_chosen(&network, &target).map_err(|why| DataError::NotAllowed(why, what))?;
        let (memory, url) = (&self.hub.0.open_data, target.url().as_str());
        let kept = memory.cache.find(self.owner, url);
        if let Some(kept) = kept.as_ref().filter(|kept| kept.holds(self.hub.moment())) {
            return read(service, &kept.body).map(Some);
        }
        memory.pace.take(service, self.owner, self.hub.moment())?;
        let tag = kept.as_ref().and_then(|kept| kept.tag.as_deref());
        let answer = self.hub.outbound().send(Method::GET, &target, headers(tag), Vec::new()).await;
        let answer = answer.map_err(DataError::Unreached)?;
        let mut how = freshness::of(|name| answer.header(name), question.usual);
        let body = match (answer.status(), kept) {
            (304, Some(kept)) => {
                how = how.or_tag(kept.tag);
                kept.body
            }
            (404, _) => return Ok(None),
            (429, _) => {
                let seconds = answer.header(RETRY_AFTER).and_then(|after| after.trim().parse().ok());
                let rest = memory.pace.leave_alone(service, seconds, self.hub.moment());
                return Err(DataError::TooOften(service, rest));
            }
            (500..=599, _) => return Err(DataError::Broken(service, answer.status())),
            (status, _) if !answer.is_success() => return Err(DataError::Refused(service, status)),
            _ => whole(service, answer).await?,
        };
        let told = read(service, &body)?;
        memory.cache.keep(self.owner, url, &body, how, self.hub.moment());
        Ok(Some(told))
    }
}

impl Question<'_> {
    fn target(&self) -> Result<Target, DataError> {
        let mut url = self.base.clone();
        url.set_path(&format!("{}{}", self.base.path().trim_end_matches('/'), self.path));
        url.set_query(None);
        if !self.parameters.is_empty() {
            url.query_pairs_mut().extend_pairs(self.parameters);
        }
        Target::parse(url.as_str()).map_err(DataError::Unreached)
    }
}

fn headers(tag: Option<&str>) -> HeaderMap {
    let mut headers = HeaderMap::from_iter([
        (ACCEPT, HeaderValue::from_static("application/json")),
        (ACCEPT_ENCODING, HeaderValue::from_static("identity")),
    ]);
    if let Some(tag) = tag.and_then(|tag| HeaderValue::from_str(tag).ok()) {
        headers.insert(IF_NONE_MATCH, tag);
    }
    headers
}

async fn whole(service: &'static str, mut answer: Answer) -> Result<Arc<[u8]>, DataError> {
    let mut body = Vec::new();
    while let Some(bytes) = answer.next().await.map_err(DataError::Unreached)? {
        if body.len() + bytes.len() > BODY {
            return Err(DataError::TooMuch(service));
        }
        body.extend_from_slice(&bytes);
    }
    Ok(body.into())
}

fn read(service: &'static str, body: &[u8]) -> Result<Value, DataError> {
    serde_json::from_slice(body).map_err(|_| DataError::NotThisKind(service))
}
