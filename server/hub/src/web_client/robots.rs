//! `robots.txt` of servers, as RFC 9309 has it: asked for once and kept for a while.

use super::rules::Rules;
use super::{WebClient, WebError};
use crate::clock::Moment;
use crate::outbound::{Answer, Outbound, OutboundError, Target};
use reqwest::Method;
use reqwest::header::{ACCEPT_ENCODING, HeaderMap, HeaderValue, LOCATION};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::timeout;

/// By which rules name this program.
pub(super) const NAME: &str = "vivarium";
const LIMIT: Duration = Duration::from_secs(5);
/// Bytes that are read, the least that RFC 9309 asks for.
const BODY: usize = 500 * 1024;
const REDIRECTS: usize = 5;
const KEPT_MS: i64 = 60 * 60 * 1000;
/// What could not be read is tried again sooner.
const FAILED_MS: i64 = 5 * 60 * 1000;
/// Servers that are known at once, of rules of 100 KB at most each.
const MOST_KNOWN: usize = 500;

#[derive(Debug, Default)]
pub(super) struct KnownRobots(Mutex<HashMap<String, Kept>>);

#[derive(Clone, Debug)]
struct Kept {
    rules: Option<Arc<Rules>>,
    until: Moment,
}

impl KnownRobots {
    fn find(&self, place: &str, now: Moment) -> Option<Kept> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(place).filter(|kept| now < kept.until).cloned()
    }

    fn keep(&self, place: &str, kept: Kept, now: Moment) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST_KNOWN {
            known.retain(|_, kept| now < kept.until);
        }
        if known.len() >= MOST_KNOWN
            && let Some(first) =
                known.iter().min_by_key(|(_, kept)| kept.until).map(|(place, _)| place.clone())
        {
            known.remove(&first);
        }
        known.insert(place.to_owned(), kept);
    }
}

impl WebClient<'_> {
    pub(super) async fn follow_robots(self, target: &Target) -> Result<(), WebError> {
        let place = target.place();
        let now = self.hub.moment();
        let kept = match self.memory().robots.find(&place, now) {
            Some(kept) => kept,
            None => {
                let read = timeout(LIMIT, read(self.hub.web(), target)).await;
                let rules = read.ok().and_then(Result::ok).map(Arc::new);
                let ms = if rules.is_some() { KEPT_MS } else { FAILED_MS };
                let kept = Kept { rules, until: now.plus_ms(ms) };
                self.memory().robots.keep(&place, kept.clone(), now);
                kept
            }
        };
        match kept.rules {
            Some(rules) if rules.allow(target.url()) => Ok(()),
            Some(_) => Err(WebError::Robots(place)),
            None => Err(WebError::NoRobots(place)),
        }
    }
}

/// What the server says. An error: it has to be taken as a no to everything.
async fn read(door: &Outbound, page: &Target) -> Result<Rules, Option<OutboundError>> {
    let mut target = page.join("/robots.txt").map_err(Some)?;
    for _ in 0..=REDIRECTS {
        let headers = HeaderMap::from_iter([(ACCEPT_ENCODING, HeaderValue::from_static("identity"))]);
        let answer = door.send(Method::GET, &target, headers, Vec::new()).await.map_err(Some)?;
        match answer.status() {
            301 | 302 | 303 | 307 | 308 => match led(&target, &answer) {
                Some(next) => target = next,
                None => return Ok(Rules::default()),
            },
            200..=299 => return Ok(parsed(answer).await),
            500..=599 | 429 => return Err(None),
            // There is none.
            _ => return Ok(Rules::default()),
        }
    }
    Ok(Rules::default())
}

/// Where it leads, if that is the same server: nobody said that another one may be asked.
fn led(from: &Target, answer: &Answer) -> Option<Target> {
    let next = from.join(answer.header(LOCATION)?).ok()?;
    let is_same = next.without_www().is_server_of(&from.without_www());
    is_same.then_some(next)
}

async fn parsed(answer: Answer) -> Rules {
    let body = answer.start_of_body(BODY).await;
    let rules = tokio::task::spawn_blocking(move || Rules::parse(&String::from_utf8_lossy(&body), NAME));
    rules.await.unwrap_or_default()
}
