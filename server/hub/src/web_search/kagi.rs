//! Kagi.

use super::answer::{first, json, list, text};
use super::backend::{Backend, KeyUse};
use super::failure::SourceError;
use super::hit::Hit;
use super::request::{Request, Wanted};
use crate::vault::Secret;
use serde_json::Value;
use url::Url;

pub(super) struct Kagi;

/// What a part of the answer is that is a result, and no searches beside it.
const RESULT: i64 = 0;

impl Backend for Kagi {
    fn own_address(&self) -> Option<&'static str> {
        Some("https://kagi.com")
    }

    fn key(&self) -> KeyUse {
        KeyUse::Needed
    }

    fn request(&self, base: &Url, wanted: &Wanted, key: Option<&Secret>) -> Result<Request, SourceError> {
        let count = wanted.count_text();
        let parameters = [("q", wanted.query.as_str()), ("limit", count.as_str())];
        Request::get(base, "/api/v0/search", &parameters)?.authorized("Bot", key)
    }

    fn read(&self, _base: &Url, body: &[u8]) -> Result<Vec<Hit>, SourceError> {
        let answer = json(body)?;
        let found = list(&answer, "/data")?.iter();
        let results = found.filter(|part| part.get("t").and_then(Value::as_i64) == Some(RESULT));
        let hits = results.filter_map(|found| {
            let date = first(found, &["published"]);
            Hit::of(text(found, "title"), text(found, "url"), text(found, "snippet"), date)
        });
        Ok(hits.collect())
    }
}
