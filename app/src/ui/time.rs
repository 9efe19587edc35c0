//! Points in time. The server does not know the reader's clock or zone, so both sides render the
//! same absolute text in UTC; once the page is its own, the browser tells how long ago it was, or when on its own clock.

use crate::browser::clock;
use crate::prelude::*;
use std::time::Duration;

/// A point in time, in Unix milliseconds.
#[component]
pub fn When(#[prop(into)] at: Signal<i64>) -> impl IntoView {
    let now = RwSignal::new(None);
    keep_time(now);
    let text = move || {
        let at = at.get();
        match now.get() {
            Some(now) => relative(at, now).unwrap_or_else(|| clock::format_date(at)),
            None => utc(at),
        }
    };
    view! { <time datetime=move || iso(at.get()) title=exact(at, now)>{text}</time> }
}

/// A point in time that is yet to come, in Unix milliseconds: on the reader's own clock, and how long that is.
#[component]
pub fn Ahead(#[prop(into)] at: Signal<i64>) -> impl IntoView {
    let now = RwSignal::new(None);
    keep_time(now);
    let text = move || {
        let at = at.get();
        match now.get() {
            Some(now) => format!("{}, {}", clock::format_time(at), ahead(at, now)),
            None => utc(at),
        }
    };
    view! { <time datetime=move || iso(at.get()) title=exact(at, now)>{text}</time> }
}

/// The whole date, with the zone in which it is told.
fn exact(at: Signal<i64>, now: RwSignal<Option<i64>>) -> impl Fn() -> String {
    let is_here = Memo::new(move |_| now.with(Option::is_some));
    move || match is_here.get() {
        true => clock::format_date_in_zone(at.get()),
        false => utc(at.get()),
    }
}

/// "in 3 hours"
fn ahead(at: i64, now: i64) -> String {
    const MINUTE: i64 = 60_000;
    const HOUR: i64 = 60 * MINUTE;
    const DAY: i64 = 24 * HOUR;
    let left = at - now;
    let (minutes, hours, days) = (left / MINUTE, left / HOUR, left / DAY);
    match left {
        ..MINUTE => t("in less than a minute").to_owned(),
        MINUTE..HOUR => plural!(minutes, "in {minutes} minute", "in {minutes} minutes"),
        HOUR..DAY => plural!(hours, "in {hours} hour", "in {hours} hours"),
        DAY.. => plural!(days, "in {days} day", "in {days} days"),
    }
}

fn keep_time(now: RwSignal<Option<i64>>) {
    let read = move || now.set(Some(clock::now() as i64));
    Effect::new(move |_| {
        read();
        if let Ok(ticks) = set_interval_with_handle(read, Duration::from_secs(30)) {
            on_cleanup(move || ticks.clear());
        }
    });
}

/// "3 minutes ago"; nothing where the date says it better.
fn relative(at: i64, now: i64) -> Option<String> {
    const MINUTE: i64 = 60_000;
    const HOUR: i64 = 60 * MINUTE;
    const DAY: i64 = 24 * HOUR;
    let ago = now - at;
    if !(-MINUTE..7 * DAY).contains(&ago) {
        return None;
    }
    let (minutes, hours, days) = (ago / MINUTE, ago / HOUR, ago / DAY);
    Some(match ago {
        ..MINUTE => t("just now").to_owned(),
        MINUTE..HOUR => plural!(minutes, "{minutes} minute ago", "{minutes} minutes ago"),
        HOUR..DAY => plural!(hours, "{hours} hour ago", "{hours} hours ago"),
        DAY.. => plural!(days, "{days} day ago", "{days} days ago"),
    })
}

/// How long something took, in its two largest units.
pub fn lasted(seconds: u64) -> String {
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => say!("{seconds} s"),
        (0, minutes, seconds) => say!("{minutes} min {seconds} s"),
        (hours, minutes, _) => say!("{hours} h {minutes} min"),
    }
}

fn iso(at: i64) -> String {
    let Moment { year, month, day, hour, minute, second } = Moment::of(at);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

fn utc(at: i64) -> String {
    utc_in(language::current(), at)
}

fn utc_in(language: Language, at: i64) -> String {
    let Moment { year, month, day, hour, minute, .. } = Moment::of(at);
    let date = match language {
        Language::English => format!("{day} {} {year}", ENGLISH_MONTHS[month - 1]),
        Language::German => format!("{day}. {} {year}", GERMAN_MONTHS[month - 1]),
    };
    format!("{date}, {hour:02}:{minute:02} UTC")
}

const ENGLISH_MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const GERMAN_MONTHS: [&str; 12] =
    ["Jan.", "Feb.", "März", "Apr.", "Mai", "Juni", "Juli", "Aug.", "Sept.", "Okt.", "Nov.", "Dez."];

/// A point in time on the Gregorian calendar, in UTC.
struct Moment {
    year: i64,
    /// 1 to 12.
    month: usize,
    day: i64,
    hour: i64,
    minute: i64,
    second: i64,
}

impl Moment {
    fn of(at: i64) -> Self {
        let seconds = at.div_euclid(1000);
        let (days, second_of_day) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
        let (year, day_of_year) = year_of(days);
        let (month, day) = month_of(year, day_of_year);
        Self {
            year,
            month,
            day,
            hour: second_of_day / 3600,
            minute: second_of_day / 60 % 60,
            second: second_of_day % 60,
        }
    }
}

/// The year of a day counted from 1970, and the day of that year, from 0.
fn year_of(days: i64) -> (i64, i64) {
    // 400 Gregorian years have 146 097 days; counted from year 1, which starts such a cycle.
    let from_year_1 = days + 719_162;
    let mut year = from_year_1 * 400 / 146_097 + 1;
    while first_day(year) > from_year_1 {
        year -= 1;
    }
    while first_day(year + 1) <= from_year_1 {
        year += 1;
    }
    (year, from_year_1 - first_day(year))
}

/// Days from the start of year 1 to the start of `year`.
fn first_day(year: i64) -> i64 {
    let before = year - 1;
    before * 365 + before.div_euclid(4) - before.div_euclid(100) + before.div_euclid(400)
}

fn month_of(year: i64, day_of_year: i64) -> (usize, i64) {
    let leap = i64::from(year % 4 == 0 && (year % 100 != 0 || year % 400 == 0));
    let lengths = [31, 28 + leap, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut day = day_of_year;
    for (index, length) in lengths.into_iter().enumerate() {
        if day < length {
            return (index + 1, day + 1);
        }
        day -= length;
    }
    (12, 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_in_utc() {
        let table = [
            (0, "1970-01-01T00:00:00Z", "1 Jan 1970, 00:00 UTC"),
            (951_782_400_000, "2000-02-29T00:00:00Z", "29 Feb 2000, 00:00 UTC"),
            (1_795_305_599_999, "2026-11-21T23:59:59Z", "21 Nov 2026, 23:59 UTC"),
            (1_798_761_599_000, "2026-12-31T23:59:59Z", "31 Dec 2026, 23:59 UTC"),
            (4_107_542_400_000, "2100-03-01T00:00:00Z", "1 Mar 2100, 00:00 UTC"),
            (-1, "1969-12-31T23:59:59Z", "31 Dec 1969, 23:59 UTC"),
        ];
        for (at, machine, person) in table {
            assert_eq!((iso(at).as_str(), utc(at).as_str()), (machine, person));
        }
    }

    #[test]
    fn a_time_is_said_in_its_two_largest_units() {
        for (seconds, words) in [
            (0, "0 s"),
            (59, "59 s"),
            (60, "1 min 0 s"),
            (3_599, "59 min 59 s"),
            (3_600, "1 h 0 min"),
            (100 * 3_600 + 61, "100 h 1 min"),
        ] {
            assert_eq!(lasted(seconds), words);
        }
    }

    #[test]
    fn a_date_is_written_as_its_language_does() {
        for (language, at, text) in [
            (Language::English, 1_795_874_700_000, "28 Nov 2026, 14:05 UTC"),
            (Language::German, 1_795_874_700_000, "28. Nov. 2026, 14:05 UTC"),
            (Language::German, 951_782_400_000, "29. Feb. 2000, 00:00 UTC"),
            (Language::German, 4_107_542_400_000, "1. März 2100, 00:00 UTC"),
        ] {
            assert_eq!(utc_in(language, at), text);
        }
    }

    /// What somebody who reads this language is told.
    #[cfg(feature = "ssr")]
    fn told<T>(language: Language, what: impl FnOnce() -> T) -> T {
        Owner::new().with(|| {
            provide_context(language);
            what()
        })
    }

    #[cfg(feature = "ssr")]
    #[test]
    fn how_long_it_is_to_then_is_told_in_the_language_of_its_reader() {
        for (language, left, text) in [
            (Language::English, 0, "in less than a minute"),
            (Language::German, 0, "in weniger als einer Minute"),
            (Language::English, 7_200_000, "in 2 hours"),
            (Language::German, 60_000, "in 1 Minute"),
            (Language::German, 7_200_000, "in 2 Stunden"),
            (Language::German, 3 * 86_400_000, "in 3 Tagen"),
        ] {
            assert_eq!(told(language, || ahead(left, 0)), text);
        }
    }

    #[cfg(feature = "ssr")]
    #[test]
    fn how_long_ago_it_was_is_told_in_the_language_of_its_reader() {
        for (language, ago, text) in [
            (Language::German, 0, "gerade eben"),
            (Language::English, 180_000, "3 minutes ago"),
            (Language::German, 180_000, "vor 3 Minuten"),
            (Language::German, 3_600_000, "vor 1 Stunde"),
            (Language::German, 2 * 86_400_000, "vor 2 Tagen"),
        ] {
            assert_eq!(told(language, || relative(0, ago)).as_deref(), Some(text));
        }
    }

    #[test]
    fn what_is_to_come_says_how_long_that_is() {
        for (left, text) in [
            (-5, "in less than a minute"),
            (59_999, "in less than a minute"),
            (60_000, "in 1 minute"),
            (7_200_000, "in 2 hours"),
            (3 * 86_400_000, "in 3 days"),
        ] {
            assert_eq!(ahead(left, 0), text, "{left}");
        }
    }

    #[test]
    fn a_time_is_relative_for_a_week() {
        let table = [
            (0, Some("just now")),
            (59_999, Some("just now")),
            (-30_000, Some("just now")),
            (60_000, Some("1 minute ago")),
            (7_199_999, Some("1 hour ago")),
            (7_200_000, Some("2 hours ago")),
            (6 * 86_400_000, Some("6 days ago")),
            (7 * 86_400_000, None),
            (-3_600_000, None),
        ];
        for (ago, text) in table {
            assert_eq!(relative(0, ago).as_deref(), text, "{ago}");
        }
    }
}
