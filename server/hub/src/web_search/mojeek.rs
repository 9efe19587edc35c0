//! Mojeek.

use super::answer::{first, json, list, text};
use super::backend::{Backend, KeyUse};
use super::failure::SourceError;
use super::hit::Hit;
use super::request::{Request, Wanted};
use crate::vault::Secret;
use url::Url;

pub(super) struct Mojeek;

impl Backend for Mojeek {
    fn own_address(&self) -> Option<&'static str> {
        Some("https://api.mojeek.com")
    }

    fn key(&self) -> KeyUse {
        KeyUse::Needed
    }

    /// Its key goes into the address: there is no other place for it.
    fn request(&self, base: &Url, wanted: &Wanted, key: Option<&Secret>) -> Result<Request, SourceError> {
        let count = wanted.count_text();
        let key = key.ok_or(SourceError::NoKey)?.expose();
        let mut parameters =
            vec![("q", wanted.query.as_str()), ("api_key", key), ("fmt", "json"), ("t", count.as_str())];
        let since = wanted.since_as("%Y%m%d");
        if let Some(since) = &since {
            parameters.push(("since", since));
        }
        Request::get(base, "/search", &parameters)
    }

    fn read(&self, _base: &Url, body: &[u8]) -> Result<Vec<Hit>, SourceError> {
        let answer = json(body)?;
        let hits = list(&answer, "/response/results")?.iter().filter_map(|found| {
            let date = first(found, &["date", "cdatestr"]);
            Hit::of(text(found, "title"), text(found, "url"), text(found, "desc"), date)
        });
        Ok(hits.collect())
    }
}
