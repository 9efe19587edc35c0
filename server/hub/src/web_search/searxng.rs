//! SearXNG, on a machine of the person's own.

use super::answer::{first, json, list, text};
use super::backend::Backend;
use super::failure::SourceError;
use super::hit::Hit;
use super::request::{Request, Wanted};
use crate::vault::Secret;
use url::Url;

pub(super) struct Searxng;

impl Backend for Searxng {
    fn own_address(&self) -> Option<&'static str> {
        None
    }

    fn request(&self, base: &Url, wanted: &Wanted, _key: Option<&Secret>) -> Result<Request, SourceError> {
        let mut parameters = vec![("q", wanted.query.as_str()), ("format", "json")];
        if let Some(range) = wanted.range {
            parameters.push(("time_range", range.name()));
        }
        if let Some(language) = &wanted.language {
            parameters.push(("language", language));
        }
        Request::get(base, "/search", &parameters)
    }

    fn read(&self, _base: &Url, body: &[u8]) -> Result<Vec<Hit>, SourceError> {
        let answer = json(body)?;
        let hits = list(&answer, "/results")?.iter().filter_map(|found| {
            let date = first(found, &["publishedDate", "pubdate"]);
            Hit::of(text(found, "title"), text(found, "url"), text(found, "content"), date)
        });
        Ok(hits.collect())
    }

    /// It answers so when its settings do not list the format.
    fn failure(&self, status: u16) -> Option<SourceError> {
        (status == 403).then_some(SourceError::NoJson)
    }
}
