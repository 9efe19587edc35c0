//! Brave Search.

use super::answer::{first, json, list, text};
use super::backend::{Backend, KeyUse};
use super::failure::SourceError;
use super::hit::Hit;
use super::request::{Request, TimeRange, Wanted};
use crate::vault::Secret;
use reqwest::header::HeaderName;
use url::Url;

pub(super) struct Brave;

impl Backend for Brave {
    fn own_address(&self) -> Option<&'static str> {
        Some("https://api.search.brave.com")
    }

    fn key(&self) -> KeyUse {
        KeyUse::Needed
    }

    fn request(&self, base: &Url, wanted: &Wanted, key: Option<&Secret>) -> Result<Request, SourceError> {
        let count = wanted.count_text();
        let mut parameters =
            vec![("q", wanted.query.as_str()), ("count", count.as_str()), ("text_decorations", "false")];
        if let Some(range) = wanted.range {
            parameters.push(("freshness", freshness(range)));
        }
        if let Some(language) = wanted.bare_language() {
            parameters.push(("search_lang", language));
        }
        let request = Request::get(base, "/res/v1/web/search", &parameters)?;
        request.with_secret(HeaderName::from_static("x-subscription-token"), key.ok_or(SourceError::NoKey)?)
    }

    fn read(&self, _base: &Url, body: &[u8]) -> Result<Vec<Hit>, SourceError> {
        let answer = json(body)?;
        // Where nothing is found of the web, that part is missing.
        if answer.get("web").is_none() && text(&answer, "type") == "search" {
            return Ok(Vec::new());
        }
        let hits = list(&answer, "/web/results")?.iter().filter_map(|found| {
            let date = first(found, &["page_age", "age"]);
            Hit::of(text(found, "title"), text(found, "url"), text(found, "description"), date)
        });
        Ok(hits.collect())
    }

    /// It says so of a key that is none.
    fn failure(&self, status: u16) -> Option<SourceError> {
        (status == 422).then_some(SourceError::KeyRefused)
    }
}

fn freshness(range: TimeRange) -> &'static str {
    match range {
        TimeRange::Day => "pd",
        TimeRange::Week => "pw",
        TimeRange::Month => "pm",
        TimeRange::Year => "py",
    }
}
