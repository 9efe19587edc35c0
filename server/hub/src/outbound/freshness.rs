//! For how long an answer holds, by what HTTP says of it (RFC 9111), as a cache that is one person's.

use jiff::fmt::rfc2822::DateTimeParser;
use reqwest::header::{AGE, CACHE_CONTROL, DATE, ETAG, EXPIRES, HeaderName};

static HTTP_DATE: DateTimeParser = DateTimeParser::new();
/// Nothing is held for longer, whatever an answer says.
const MOST_SECONDS: i64 = 24 * 60 * 60;

/// What is to be done with an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Freshness {
    /// It is told once and forgotten.
    Never,
    /// It holds for so long, and by its tag its server can say later that it still does.
    Kept { seconds: i64, tag: Option<String> },
}

impl Freshness {
    /// With this tag, if it says none itself.
    pub(crate) fn or_tag(self, known: Option<String>) -> Self {
        match self {
            Self::Never => Self::Never,
            Self::Kept { seconds, tag } => Self::Kept { seconds, tag: tag.or(known) },
        }
    }
}

/// `usual` is for an answer that says nothing of it.
pub(crate) fn of<'h>(header: impl Fn(HeaderName) -> Option<&'h str>, usual: i64) -> Freshness {
    let control = header(CACHE_CONTROL).unwrap_or_default().to_ascii_lowercase();
    let says = |wanted: &str| control.split(',').any(|part| part.trim().split('=').next() == Some(wanted));
    if says("no-store") {
        return Freshness::Never;
    }
    let max_age = control.split(',').find_map(|part| part.trim().strip_prefix("max-age=")).map(seconds);
    let seconds = match max_age {
        _ if says("no-cache") => 0,
        Some(max_age) => max_age - header(AGE).map_or(0, seconds),
        None => expires(&header).unwrap_or(usual),
    };
    let tag = header(ETAG).map(str::to_owned);
    Freshness::Kept { seconds: seconds.clamp(0, MOST_SECONDS), tag }
}

/// What is no number holds for no time.
fn seconds(text: &str) -> i64 {
    text.trim().trim_matches('"').parse::<u32>().map_or(0, i64::from)
}

fn expires<'h>(header: &impl Fn(HeaderName) -> Option<&'h str>) -> Option<i64> {
    let moment = |text: &str| HTTP_DATE.parse_timestamp(text).ok().map(|at| at.as_second());
    let until = header(EXPIRES)?;
    let sent = header(DATE).and_then(moment);
    // What is no date, like `0`, is one that is over.
    Some(moment(until).zip(sent).map_or(0, |(until, sent)| until - sent))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_holds_for_as_long_as_it_says() {
        for (headers, expected) in [
            (&[][..], Some(600)),
            (&[("cache-control", "public, max-age=900")], Some(900)),
            (&[("cache-control", "max-age=900"), ("age", "300")], Some(600)),
            (&[("cache-control", "max-age=900"), ("age", "1000")], Some(0)),
            (&[("cache-control", "max-age=99999999")], Some(86_400)),
            (&[("cache-control", "max-age=soon")], Some(0)),
            (&[("cache-control", "Max-Age=60, s-maxage=5")], Some(60)),
            (&[("cache-control", "no-cache, max-age=60")], Some(0)),
            (&[("cache-control", "private, no-store")], None),
            (
                &[("expires", "Sun, 06 Nov 1994 08:50:37 GMT"), ("date", "Sun, 06 Nov 1994 08:49:37 GMT")],
                Some(60),
            ),
            (&[("expires", "0")], Some(0)),
            (&[("cache-control", "max-age=5"), ("expires", "0")], Some(5)),
        ] {
            let header = |name: HeaderName| {
                headers.iter().find(|(own, _)| *own == name.as_str()).map(|(_, value)| *value)
            };
            let found = match of(header, 600) {
                Freshness::Never => None,
                Freshness::Kept { seconds, .. } => Some(seconds),
            };
            assert_eq!(found, expected, "{headers:?}");
        }
    }
}
