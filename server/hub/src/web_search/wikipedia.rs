//! Wikipedia, and every other wiki that runs MediaWiki.

use super::answer::{first, json, list, text};
use super::backend::Backend;
use super::failure::SourceError;
use super::hit::Hit;
use super::request::{Request, Wanted};
use crate::vault::Secret;
use url::Url;

pub(super) struct Wikipedia;

const ADDRESS: &str = "https://en.wikipedia.org";
/// Below the root of a wiki.
const API: &str = "/w/api.php";
/// What follows the language in the names of Wikipedia's servers.
const FAMILY: &str = ".wikipedia.org";

impl Backend for Wikipedia {
    fn own_address(&self) -> Option<&'static str> {
        Some(ADDRESS)
    }

    fn request(&self, base: &Url, wanted: &Wanted, _key: Option<&Secret>) -> Result<Request, SourceError> {
        let count = wanted.count_text();
        let parameters = [
            ("action", "query"),
            ("list", "search"),
            ("srsearch", wanted.query.as_str()),
            ("srlimit", count.as_str()),
            ("srprop", "snippet|timestamp"),
            ("format", "json"),
            ("formatversion", "2"),
        ];
        Request::get(&in_language(base, wanted), API, &parameters)
    }

    /// `base` is where it was asked.
    fn read(&self, base: &Url, body: &[u8]) -> Result<Vec<Hit>, SourceError> {
        let answer = json(body)?;
        let root = base.path().strip_suffix(API).unwrap_or_default();
        let hits = list(&answer, "/query/search")?.iter().filter_map(|found| {
            let title = text(found, "title");
            let mut page = base.clone();
            page.set_query(None);
            page.set_path(&format!("{root}/wiki/"));
            page.path_segments_mut().ok()?.pop_if_empty().push(&title.replace(' ', "_"));
            Hit::of(title, page.as_str(), text(found, "snippet"), first(found, &["timestamp"]))
        });
        Ok(hits.collect())
    }
}

fn in_language(base: &Url, wanted: &Wanted) -> Url {
    let mut there = base.clone();
    let is_family = base.host_str().is_some_and(|host| host.ends_with(FAMILY));
    if let Some(language) = wanted.bare_language().filter(|language| is_family && is_word(language)) {
        // A word of letters is always a name.
        let _ = there.set_host(Some(&format!("{language}{FAMILY}")));
    }
    there
}

fn is_word(language: &str) -> bool {
    (2..=3).contains(&language.len()) && language.bytes().all(|byte| byte.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_below_the_root_of_their_wiki() {
        let body = br#"{"query":{"search":[{"title":"On moss"}]}}"#;
        for (asked, expected) in [
            ("https://de.wikipedia.org/w/api.php?a=b", "https://de.wikipedia.org/wiki/On_moss"),
            ("https://example.org/garden/w/api.php", "https://example.org/garden/wiki/On_moss"),
        ] {
            let asked = Url::parse(asked).expect("an address");
            let hits = Wikipedia.read(&asked, body).expect("an answer");
            assert_eq!(hits[0].url.as_str(), expected);
        }
    }

    #[test]
    fn a_language_has_a_server_of_its_own_and_no_other_place() {
        for (base, language, expected) in [
            (ADDRESS, None, "en.wikipedia.org"),
            (ADDRESS, Some("de-AT"), "de.wikipedia.org"),
            (ADDRESS, Some("evil.example/"), "en.wikipedia.org"),
            ("https://wiki.example", Some("de"), "wiki.example"),
        ] {
            let wanted = Wanted { language: language.map(str::to_owned), ..Wanted::default() };
            let base = Url::parse(base).expect("an address");
            let request = Wikipedia.request(&base, &wanted, None).expect("a request");
            assert_eq!(request.target.url().host_str(), Some(expected));
        }
    }
}
