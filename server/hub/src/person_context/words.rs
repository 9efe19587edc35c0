//! What is told of a source, as a person reads it too.

use super::sources::{Known, Sources};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use protocol::ContextSource;
use protocol::view::{ContextKey, Saying};

const MINUTE_MS: i64 = 60_000;
const HOUR_MS: i64 = 60 * MINUTE_MS;
const DAY_MS: i64 = 24 * HOUR_MS;
/// So long a page counts as looked at.
const LOOKS_MS: i64 = 10 * MINUTE_MS;

/// The pages beside those of agents, by the first part of their path.
const PAGES: [(&str, &str); 23] = [
    ("", "the dashboard"),
    ("account", "the page Account"),
    ("admin", "the page Admin"),
    ("context", "the page Context"),
    ("conversations", "a conversation"),
    ("delegations", "the page Delegations"),
    ("external-jobs", "the page External jobs"),
    ("gallery", "the page Gallery"),
    ("groups", "the page Groups"),
    ("job-services", "the page External jobs"),
    ("mcp-servers", "the page MCP servers"),
    ("memory", "the page Memory"),
    ("models", "the page Models"),
    ("notifications", "the page Notifications"),
    ("peers", "the page Peers"),
    ("pipelines", "the page Pipelines"),
    ("providers", "the page Providers"),
    ("schedules", "the page Schedules"),
    ("search", "the page Search"),
    ("skills", "the page Skills"),
    ("topics", "the page Topics"),
    ("usage", "the page Usage"),
    ("workspaces", "the page Workspaces"),
];

/// What an agent is told of it. Empty: nothing. `agent` is the name of the one whose page is looked at.
pub(super) fn of_source(known: &Known, sources: &Sources, agent: Option<&str>, now: i64) -> String {
    match known {
        // What a calendar says is told otherwise.
        Known::Nothing | Known::Calendar(_) => String::new(),
        Known::Zone { zone } => local_time(zone, now),
        Known::Device { phone, language } => {
            let what = if *phone { "A phone or tablet" } else { "A computer" };
            format!("{what}, whose language is {language}.")
        }
        Known::Place { words, found_at: None } => words.clone(),
        Known::Place { words, found_at: Some(at) } => {
            format!("Near {words} (latitude, longitude), to about a kilometre, {}.", age(now - at))
        }
        Known::Seen { path, at, away } => {
            let (page, since) = (page(path, agent), clock(*at, sources));
            match (*away, now.saturating_sub(*at) < LOOKS_MS) {
                (true, _) => format!("Away since {since}; looked at {page} before."),
                (false, true) => format!("Looks at {page}."),
                (false, false) => format!("Looked at {page} at {since}."),
            }
        }
    }
}

/// The agent whose pages have this path.
pub(super) fn agent_in(path: &str) -> Option<&str> {
    let rest = path.strip_prefix("/agents/")?;
    rest.split('/').next().filter(|id| !id.is_empty() && *id != "new")
}

pub(super) fn of_keys<'a>(keys: impl Iterator<Item = &'a ContextKey>) -> String {
    keys.map(|key| format!("{}: {}", key.name, key.value)).collect::<Vec<_>>().join("\n")
}

/// The oldest first.
pub(super) fn of_sayings<'a>(said: impl DoubleEndedIterator<Item = &'a Saying>) -> String {
    let line = |saying: &Saying| {
        let at = Timestamp::from_millisecond(saying.at).unwrap_or_default().strftime("%Y-%m-%d %H:%M UTC");
        format!("{} ({at}): {}", saying.agent_name, saying.text)
    };
    said.rev().map(line).collect::<Vec<_>>().join("\n")
}

fn local_time(zone: &str, now: i64) -> String {
    let Ok(known) = TimeZone::get(zone) else { return String::new() };
    let time = Timestamp::from_millisecond(now).unwrap_or_default().to_zoned(known);
    format!("{} in {zone} (UTC{}).", time.strftime("%A, %-d %B %Y, %H:%M"), time.strftime("%:z"))
}

/// In the person's zone if they tell it.
fn clock(at: i64, sources: &Sources) -> String {
    let at = Timestamp::from_millisecond(at).unwrap_or_default();
    let shared = match sources.get(&ContextSource::Time) {
        Some(Known::Zone { zone }) => TimeZone::get(zone).ok(),
        _ => None,
    };
    match shared {
        Some(zone) => at.to_zoned(zone).strftime("%H:%M on %-d %B").to_string(),
        None => at.strftime("%H:%M UTC on %-d %B").to_string(),
    }
}

fn page(path: &str, agent: Option<&str>) -> String {
    if let Some(name) = agent {
        return format!("the agent {name}");
    }
    let first = path.trim_start_matches('/').split('/').next().unwrap_or_default();
    let found = PAGES.iter().find(|(name, _)| *name == first);
    found.map_or("another page", |(_, words)| words).to_owned()
}

/// Coarse, so that it does not change with every run.
fn age(ms: i64) -> String {
    let (count, unit) = match ms {
        ..HOUR_MS => return "found less than an hour ago".to_owned(),
        HOUR_MS..DAY_MS => (ms / HOUR_MS, "hour"),
        DAY_MS.. => (ms / DAY_MS, "day"),
    };
    let plural = if count == 1 { "" } else { "s" };
    format!("found {count} {unit}{plural} ago")
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_795_798_200_000;

    fn check(source: ContextSource, known: Known, agent: Option<&str>, expected: &str) {
        let mut sources = Sources::new();
        sources.insert(ContextSource::Time, Known::Zone { zone: "Europe/Vienna".to_owned() });
        sources.insert(source, known.clone());
        assert_eq!(of_source(&known, &sources, agent, NOW), expected);
    }

    #[test]
    fn a_source_is_told_in_a_sentence() {
        let seen = |path: &str, ago, away| Known::Seen { path: path.to_owned(), at: NOW - ago, away };
        let place = |found_at| Known::Place { words: "48.21, 16.37".to_owned(), found_at };
        for (source, known, agent, expected) in [
            (
                ContextSource::Time,
                Known::Zone { zone: "Europe/Vienna".to_owned() },
                None,
                "Friday, 27 November 2026, 17:50 in Europe/Vienna (UTC+01:00).",
            ),
            (
                ContextSource::Device,
                Known::Device { phone: true, language: "de-AT".to_owned() },
                None,
                "A phone or tablet, whose language is de-AT.",
            ),
            (ContextSource::Device, Known::Nothing, None, ""),
            (ContextSource::Place, place(None), None, "48.21, 16.37"),
            (
                ContextSource::Place,
                place(Some(NOW - 3 * HOUR_MS)),
                None,
                "Near 48.21, 16.37 (latitude, longitude), to about a kilometre, found 3 hours ago.",
            ),
            (ContextSource::Activity, seen("/schedules", 0, false), None, "Looks at the page Schedules."),
            (ContextSource::Activity, seen("/nowhere", 0, false), None, "Looks at another page."),
            (
                ContextSource::Activity,
                seen("/agents/a/files", HOUR_MS, false),
                Some("Fern"),
                "Looked at the agent Fern at 16:50 on 27 November.",
            ),
            (
                ContextSource::Activity,
                seen("/", MINUTE_MS, true),
                None,
                "Away since 17:49 on 27 November; looked at the dashboard before.",
            ),
        ] {
            check(source, known, agent, expected);
        }
    }

    #[test]
    fn a_time_is_told_in_no_zone_that_is_not_shared() {
        let known = Known::Seen { path: "/".to_owned(), at: NOW, away: true };
        let told = of_source(&known, &Sources::new(), None, NOW);
        assert_eq!(told, "Away since 16:50 UTC on 27 November; looked at the dashboard before.");
    }

    #[test]
    fn the_agent_in_a_path_is_found() {
        for (path, expected) in [
            ("/agents/a", Some("a")),
            ("/agents/a/files", Some("a")),
            ("/agents/new", None),
            ("/agents", None),
        ] {
            assert_eq!(agent_in(path), expected, "{path}");
        }
    }
}
