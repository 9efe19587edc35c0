//! arXiv, whose answers are Atom.

use super::backend::Backend;
use super::failure::SourceError;
use super::hit::Hit;
use super::request::{Request, Wanted};
use crate::vault::Secret;
use url::Url;

pub(super) struct Arxiv;

impl Backend for Arxiv {
    fn own_address(&self) -> Option<&'static str> {
        Some("https://export.arxiv.org")
    }

    fn gap_ms(&self) -> i64 {
        3000
    }

    fn request(&self, base: &Url, wanted: &Wanted, _key: Option<&Secret>) -> Result<Request, SourceError> {
        let words = wanted.query.split_whitespace().map(|word| word.replace(['"', '(', ')', ':'], ""));
        let words = words.filter(|word| !word.is_empty()).map(|word| format!("all:{word}"));
        let mut search = words.collect::<Vec<_>>().join(" AND ");
        if let Some(since) = wanted.since_as("%Y%m%d%H%M") {
            search.push_str(&format!(" AND submittedDate:[{since} TO 999912312359]"));
        }
        let count = wanted.count_text();
        let parameters = [("search_query", search.as_str()), ("max_results", count.as_str())];
        Request::get(base, "/api/query", &parameters)
    }

    fn read(&self, _base: &Url, body: &[u8]) -> Result<Vec<Hit>, SourceError> {
        let feed = String::from_utf8_lossy(body);
        if !feed.contains("<feed") {
            return Err(SourceError::NotThisKind);
        }
        let hits = feed.split("<entry").skip(1).filter_map(|entry| {
            let date = element(entry, "published");
            let url = element(entry, "id").replacen("http://", "https://", 1);
            Hit::of(element(entry, "title"), &url, element(entry, "summary"), Some(date))
        });
        Ok(hits.collect())
    }
}

/// What stands in the first element of this name.
fn element<'t>(entry: &'t str, name: &str) -> &'t str {
    let inside = || {
        let (_, rest) = entry.split_once(&format!("<{name}"))?;
        let (_, rest) = rest.split_once('>')?;
        Some(rest.split_once(&format!("</{name}>"))?.0.trim())
    };
    inside().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_read_and_what_is_no_feed_is_refused() {
        let base = Url::parse("https://export.arxiv.org").expect("an address");
        let feed = "<?xml version='1.0'?><feed xmlns='http://www.w3.org/2005/Atom'><title>Results</title>
            <entry><id>http://arxiv.org/abs/1</id><published>2024-01-02T03:04:05Z</published>
            <title type='html'>On
              Moss &amp; Fern</title><summary>It grows.</summary></entry><entry><title>Broken";
        let hits = Arxiv.read(&base, feed.as_bytes()).expect("a feed");
        assert_eq!(hits.len(), 1);
        assert_eq!((hits[0].title.as_str(), hits[0].date.as_deref()), ("On Moss & Fern", Some("2024-01-02")));
        assert_eq!(hits[0].url.as_str(), "https://arxiv.org/abs/1");
        assert!(Arxiv.read(&base, b"<html>").is_err());
    }

    #[test]
    fn words_are_words_whatever_they_mean_in_its_language() {
        let base = Url::parse("https://export.arxiv.org").expect("an address");
        let wanted = Wanted { query: "moss (\"fern\") au:x".to_owned(), count: 3, ..Wanted::default() };
        let request = Arxiv.request(&base, &wanted, None).expect("a request");
        assert_eq!(
            request.target.url().query(),
            Some("search_query=all%3Amoss+AND+all%3Afern+AND+all%3Aaux&max_results=3")
        );
    }
}
