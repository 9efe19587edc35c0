//! What is searched for, and the request that it becomes.

use super::failure::SourceError;
use crate::outbound::Target;
use crate::vault::Secret;
use jiff::Timestamp;
use reqwest::Method;
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use serde::Deserialize;
use serde_json::Value;
use url::Url;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wanted {
    pub(crate) query: String,
    pub(crate) count: usize,
    pub(crate) range: Option<TimeRange>,
    /// The moment before which everything is too old, in Unix seconds to the hour: `range` before now.
    pub(crate) since: Option<i64>,
    /// Like `de` or `pt-BR`.
    pub(crate) language: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TimeRange {
    Day,
    Week,
    Month,
    Year,
}

impl TimeRange {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Year => "year",
        }
    }

    /// Where it begins, of a range that ends at this Unix millisecond.
    pub(crate) fn begins(self, now_ms: i64) -> i64 {
        const HOUR: i64 = 3600;
        let days = match self {
            Self::Day => 1,
            Self::Week => 7,
            Self::Month => 31,
            Self::Year => 366,
        };
        let since = now_ms / 1000 - days * 24 * HOUR;
        since - since.rem_euclid(HOUR)
    }
}

impl Wanted {
    pub(super) fn count_text(&self) -> String {
        self.count.to_string()
    }

    /// `since` as a day or an instant, in this form of `strftime`.
    pub(super) fn since_as(&self, form: &str) -> Option<String> {
        Some(Timestamp::from_second(self.since?).ok()?.strftime(form).to_string())
    }

    /// The language without its country.
    pub(super) fn bare_language(&self) -> Option<&str> {
        self.language.as_deref()?.split('-').next()
    }
}

pub(super) struct Request {
    pub(super) method: Method,
    pub(super) target: Target,
    pub(super) headers: HeaderMap,
    pub(super) body: Vec<u8>,
}

impl Request {
    pub(super) fn get(base: &Url, path: &str, parameters: &[(&str, &str)]) -> Result<Self, SourceError> {
        let mut url = below(base, path);
        url.query_pairs_mut().extend_pairs(parameters);
        Self::to(Method::GET, &url)
    }

    pub(super) fn post(base: &Url, path: &str, body: &Value) -> Result<Self, SourceError> {
        let mut request = Self::to(Method::POST, &below(base, path))?;
        request.headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        request.body = body.to_string().into_bytes();
        Ok(request)
    }

    fn to(method: Method, url: &Url) -> Result<Self, SourceError> {
        let target = Target::parse(url.as_str()).map_err(|_| SourceError::TooLong)?;
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        Ok(Self { method, target, headers, body: Vec::new() })
    }

    pub(super) fn bearing(self, key: Option<&Secret>) -> Result<Self, SourceError> {
        self.authorized("Bearer", key)
    }

    pub(super) fn authorized(self, scheme: &str, key: Option<&Secret>) -> Result<Self, SourceError> {
        let key = key.ok_or(SourceError::NoKey)?;
        self.with_secret(AUTHORIZATION, &Secret::new(format!("{scheme} {}", key.expose())))
    }

    pub(super) fn with_secret(mut self, name: HeaderName, key: &Secret) -> Result<Self, SourceError> {
        let mut value = HeaderValue::from_str(key.expose()).map_err(|_| SourceError::NoKey)?;
        value.set_sensitive(true);
        self.headers.insert(name, value);
        Ok(self)
    }
}

fn below(base: &Url, path: &str) -> Url {
    let mut url = base.clone();
    url.set_path(&format!("{}{path}", base.path().trim_end_matches('/')));
    url
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_goes_below_that_of_the_base() {
        for (base, expected) in [
            ("https://searx.example", "https://searx.example/search?q=a+b%26c"),
            ("https://example.org/searx/", "https://example.org/searx/search?q=a+b%26c"),
        ] {
            let base = Url::parse(base).expect("an address");
            let request = Request::get(&base, "/search", &[("q", "a b&c")]).expect("a request");
            assert_eq!(request.target.url().as_str(), expected);
        }
    }

    #[test]
    fn a_range_begins_at_an_hour() {
        let wanted =
            |range: TimeRange| Wanted { since: Some(range.begins(1_700_000_000_123)), ..Wanted::default() };
        for (range, expected) in [
            (TimeRange::Day, "2023-11-13 22:00"),
            (TimeRange::Week, "2023-11-07 22:00"),
            (TimeRange::Month, "2023-10-14 22:00"),
            (TimeRange::Year, "2022-11-13 22:00"),
        ] {
            assert_eq!(wanted(range).since_as("%Y-%m-%d %H:%M").as_deref(), Some(expected));
        }
    }
}
