//! Exa.

use super::answer::{first, json, list, text};
use super::backend::{Backend, KeyUse};
use super::failure::SourceError;
use super::hit::{Hit, SNIPPET};
use super::request::{Request, Wanted};
use crate::vault::Secret;
use reqwest::header::HeaderName;
use serde_json::json;
use url::Url;

pub(super) struct Exa;

impl Backend for Exa {
    fn own_address(&self) -> Option<&'static str> {
        Some("https://api.exa.ai")
    }

    fn key(&self) -> KeyUse {
        KeyUse::Needed
    }

    fn request(&self, base: &Url, wanted: &Wanted, key: Option<&Secret>) -> Result<Request, SourceError> {
        let mut body = json!({
            "query": wanted.query,
            "type": "auto",
            "numResults": wanted.count,
            // Room for the markup that goes.
            "contents": { "text": { "maxCharacters": SNIPPET * 2 } },
        });
        if let Some(since) = wanted.since_as("%Y-%m-%dT%H:%M:%S.000Z") {
            body["startPublishedDate"] = since.into();
        }
        let request = Request::post(base, "/search", &body)?;
        request.with_secret(HeaderName::from_static("x-api-key"), key.ok_or(SourceError::NoKey)?)
    }

    fn read(&self, _base: &Url, body: &[u8]) -> Result<Vec<Hit>, SourceError> {
        let answer = json(body)?;
        let hits = list(&answer, "/results")?.iter().filter_map(|found| {
            let date = first(found, &["publishedDate"]);
            Hit::of(text(found, "title"), text(found, "url"), text(found, "text"), date)
        });
        Ok(hits.collect())
    }
}
