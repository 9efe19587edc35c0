//! Hacker News, by the search of Algolia.

use super::answer::{first, json, list, text};
use super::backend::Backend;
use super::failure::SourceError;
use super::hit::Hit;
use super::request::{Request, Wanted};
use crate::vault::Secret;
use serde_json::Value;
use url::Url;

pub(super) struct HackerNews;

impl Backend for HackerNews {
    fn own_address(&self) -> Option<&'static str> {
        Some("https://hn.algolia.com")
    }

    fn request(&self, base: &Url, wanted: &Wanted, _key: Option<&Secret>) -> Result<Request, SourceError> {
        let count = wanted.count_text();
        let mut parameters =
            vec![("query", wanted.query.as_str()), ("tags", "story"), ("hitsPerPage", count.as_str())];
        let since = wanted.since.map(|since| format!("created_at_i>{since}"));
        if let Some(since) = &since {
            parameters.push(("numericFilters", since));
        }
        Request::get(base, "/api/v1/search", &parameters)
    }

    fn read(&self, _base: &Url, body: &[u8]) -> Result<Vec<Hit>, SourceError> {
        let answer = json(body)?;
        Ok(list(&answer, "/hits")?.iter().filter_map(hit).collect())
    }
}

/// What has no address is a question to those who read there.
fn hit(found: &Value) -> Option<Hit> {
    let talk = format!("https://news.ycombinator.com/item?id={}", text(found, "objectID"));
    let number = |name: &str| found.get(name).and_then(Value::as_u64).unwrap_or_default();
    let counted = format!("{} points, {} comments: {talk}", number("points"), number("num_comments"));
    let snippet = match first(found, &["story_text"]) {
        Some(said) => format!("{said} ({counted})"),
        None => counted,
    };
    let url = first(found, &["url"]).unwrap_or(&talk);
    Hit::of(text(found, "title"), url, &snippet, first(found, &["created_at"]))
}
