//! One thing that a source found, in the form in which all of them are told: plain words, and an address that
//! can be opened.

use super::plain::plain;
use crate::outbound::Target;
use jiff::Timestamp;
use redact::Needles;
use std::borrow::Cow;
use url::Url;

/// Characters of a title and of the text below it.
const TITLE: usize = 200;
pub(crate) const SNIPPET: usize = 300;
/// Characters of a date that is no date as calendars have it.
const DATE: usize = 40;
/// Parts of an address that say from where somebody came, and not what is there.
const TRACKING: [&str; 6] = ["gclid", "fbclid", "msclkid", "dclid", "mc_cid", "mc_eid"];

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    pub(crate) title: String,
    pub(crate) url: Url,
    pub(crate) snippet: String,
    /// A day like 2026-11-24, or what the source says instead.
    pub(crate) date: Option<String>,
}

impl Hit {
    /// Of texts that may be HTML. `None`: there is no address that a browser would open.
    pub(super) fn of(title: &str, url: &str, snippet: &str, date: Option<&str>) -> Option<Self> {
        let url = without_tracking(Target::parse_without_fragment(url).ok()?.url());
        let title = match plain(title, TITLE) {
            title if title.is_empty() => url.host_str().unwrap_or_default().to_owned(),
            title => title,
        };
        Some(Self { title, url, snippet: plain(snippet, SNIPPET), date: date.and_then(day) })
    }

    /// The same without the key of the source, which some give back. `None`: its address has the key.
    pub(super) fn without(self, key: &Needles) -> Option<Self> {
        let Self { title, url, snippet, date } = self;
        if matches!(key.hide(url.as_str()), Cow::Owned(_)) {
            return None;
        }
        let hide = |text: &str| key.hide(text).into_owned();
        Some(Self { title: hide(&title), snippet: hide(&snippet), date: date.as_deref().map(hide), url })
    }

    /// The same for every spelling in which sources name the page.
    pub(super) fn page(&self) -> String {
        let host = self.url.host_str().unwrap_or_default();
        let host = host.strip_prefix("www.").unwrap_or(host);
        let port = self.url.port().map(|port| format!(":{port}")).unwrap_or_default();
        let query = self.url.query().map(|query| format!("?{query}")).unwrap_or_default();
        format!("{host}{port}{}{query}", self.url.path().trim_end_matches('/'))
    }
}

/// The day of a Unix second.
pub(super) fn day_of(second: i64) -> Option<String> {
    Some(Timestamp::from_second(second).ok()?.strftime("%Y-%m-%d").to_string())
}

fn day(text: &str) -> Option<String> {
    let text = plain(text, DATE);
    let is_day = text.len() >= 10
        && text.bytes().take(10).enumerate().all(|(at, byte)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    if is_day {
        return Some(text[..10].to_owned());
    }
    (!text.is_empty()).then_some(text)
}

fn without_tracking(url: &Url) -> Url {
    let mut clean = url.clone();
    let is_tracking = |name: &str| name.starts_with("utm_") || TRACKING.contains(&name);
    if !url.query_pairs().any(|(name, _)| is_tracking(&name)) {
        return clean;
    }
    let kept: Vec<_> = url.query_pairs().filter(|(name, _)| !is_tracking(name)).collect();
    clean.set_query(None);
    if !kept.is_empty() {
        clean.query_pairs_mut().extend_pairs(kept);
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_the_same_in_every_spelling_of_its_address() {
        let page = |url: &str| Hit::of("t", url, "", None).expect(url).page();
        let moss = page("https://example.org/moss");
        for same in [
            "https://EXAMPLE.org:443/moss/",
            "http://www.example.org/moss#where",
            "https://example.org/moss?utm_source=a&gclid=b",
        ] {
            assert_eq!(page(same), moss, "{same}");
        }
        for other in
            ["https://example.org/Moss", "https://example.org/moss?page=2", "https://example.org:81/moss"]
        {
            assert_ne!(page(other), moss, "{other}");
        }
    }

    #[test]
    fn a_hit_is_plain_words_and_an_address_of_the_web() {
        let hit = Hit::of(
            "<b>On</b> moss &amp; fern",
            "https://example.org/a?utm_medium=x&b=1#c",
            "It <strong>grows</strong>\n\n where&#39;s damp.",
            Some("2026-11-24T10:00:00Z"),
        )
        .expect("a hit");
        assert_eq!(hit.title, "On moss & fern");
        assert_eq!(hit.url.as_str(), "https://example.org/a?b=1");
        assert_eq!(hit.snippet, "It grows where's damp.");
        assert_eq!(hit.date.as_deref(), Some("2026-11-24"));
        for url in ["javascript:alert(1)", "data:text/html,x", "", "https://user:pass@example.org/"] {
            assert_eq!(Hit::of("t", url, "", None), None, "{url}");
        }
        for (date, expected) in
            [("2 days ago", Some("2 days ago")), ("", None), ("ä234-56-78", Some("ä234-56-78"))]
        {
            assert_eq!(day(date).as_deref(), expected);
        }
        assert_eq!(day_of(0).as_deref(), Some("1970-01-01"));
    }
}
