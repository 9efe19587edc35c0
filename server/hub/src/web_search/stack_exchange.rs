//! Questions at Stack Overflow.

use super::answer::{json, list, text};
use super::backend::Backend;
use super::failure::SourceError;
use super::hit::{Hit, day_of};
use super::request::{Request, Wanted};
use crate::vault::Secret;
use serde_json::Value;
use url::Url;

pub(super) struct StackExchange;

impl Backend for StackExchange {
    fn own_address(&self) -> Option<&'static str> {
        Some("https://api.stackexchange.com")
    }

    fn request(&self, base: &Url, wanted: &Wanted, _key: Option<&Secret>) -> Result<Request, SourceError> {
        let count = wanted.count_text();
        let mut parameters = vec![
            ("q", wanted.query.as_str()),
            ("site", "stackoverflow"),
            ("sort", "relevance"),
            ("order", "desc"),
            ("pagesize", count.as_str()),
            ("filter", "withbody"),
        ];
        let since = wanted.since.map(|since| since.to_string());
        if let Some(since) = &since {
            parameters.push(("fromdate", since));
        }
        Request::get(base, "/2.3/search/advanced", &parameters)
    }

    fn read(&self, _base: &Url, body: &[u8]) -> Result<Vec<Hit>, SourceError> {
        let answer = json(body)?;
        let hits = list(&answer, "/items")?.iter().filter_map(|found| {
            let number = |name: &str| found.get(name).and_then(Value::as_i64).unwrap_or_default();
            let counted = format!("{} answers, score {}", number("answer_count"), number("score"));
            let snippet = format!("{counted}. {}", text(found, "body"));
            let date = found.get("creation_date").and_then(Value::as_i64).and_then(day_of);
            Hit::of(text(found, "title"), text(found, "link"), &snippet, date.as_deref())
        });
        Ok(hits.collect())
    }

    fn backoff(&self, body: &[u8]) -> Option<u64> {
        json(body).ok()?.get("backoff")?.as_u64()
    }
}
