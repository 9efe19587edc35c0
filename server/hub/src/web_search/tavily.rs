//! Tavily.

use super::answer::{first, json, list, text};
use super::backend::{Backend, KeyUse};
use super::failure::SourceError;
use super::hit::Hit;
use super::request::{Request, Wanted};
use crate::vault::Secret;
use serde_json::json;
use url::Url;

pub(super) struct Tavily;

impl Backend for Tavily {
    fn own_address(&self) -> Option<&'static str> {
        Some("https://api.tavily.com")
    }

    fn key(&self) -> KeyUse {
        KeyUse::Needed
    }

    fn request(&self, base: &Url, wanted: &Wanted, key: Option<&Secret>) -> Result<Request, SourceError> {
        let mut body = json!({ "query": wanted.query, "search_depth": "basic", "max_results": wanted.count });
        if let Some(range) = wanted.range {
            body["time_range"] = range.name().into();
        }
        Request::post(base, "/search", &body)?.bearing(key)
    }

    fn read(&self, _base: &Url, body: &[u8]) -> Result<Vec<Hit>, SourceError> {
        let answer = json(body)?;
        let hits = list(&answer, "/results")?.iter().filter_map(|found| {
            let date = first(found, &["published_date"]);
            Hit::of(text(found, "title"), text(found, "url"), text(found, "content"), date)
        });
        Ok(hits.collect())
    }

    /// The limits of a plan, and of what is paid beyond it.
    fn failure(&self, status: u16) -> Option<SourceError> {
        matches!(status, 432 | 433).then_some(SourceError::UsedUp)
    }
}
