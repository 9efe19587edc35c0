//! What is told of a calendar: what is on, and what comes next, today and tomorrow.

use super::calendar::Kept;
use crate::engine::CalendarEntry;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned, civil};

/// Entries that are told.
const MOST_ENTRIES: usize = 12;
const PARTLY: &str = "More may be on: not all of the calendar is known.";

/// What strangers may have written is in it wherever something is on. Where nothing is and these days are not known
/// as a whole, nothing is told.
pub(super) enum CalendarWords {
    Nothing(String),
    Entries(String),
}

pub(super) fn of_calendar(kept: &Kept, now: i64) -> Option<CalendarWords> {
    let zone = TimeZone::get(&kept.zone).ok()?;
    let now = Timestamp::from_millisecond(now).ok()?.to_zoned(zone.clone());
    let (today, tomorrow) = (now.date(), now.date().tomorrow().ok()?);
    if !kept.knows(now.timestamp().as_second()) {
        return None;
    }
    let is_whole = !kept.incomplete && kept.knows(end_of(tomorrow, &zone)?);
    let (mut room, mut left_out, mut days) = (MOST_ENTRIES, 0, Vec::new());
    for day in [today, tomorrow] {
        let (begin, end) = (start_of(day, &zone)?.max(now.timestamp().as_second()), end_of(day, &zone)?);
        let of_day: Vec<&CalendarEntry> =
            kept.entries.iter().filter(|entry| entry.is_within(begin, end)).collect();
        let told = of_day.len().min(room);
        left_out += of_day.len() - told;
        room -= told;
        let lines: Vec<String> =
            of_day.iter().take(told).map(|entry| line(entry, day, &now, &zone)).collect();
        days.push((day, lines));
    }
    let shown = |day: civil::Date| day.strftime("%A, %-d %B").to_string();
    if days.iter().all(|(_, lines)| lines.is_empty()) {
        let (today, tomorrow) = (shown(today), shown(tomorrow));
        return is_whole.then(|| {
            CalendarWords::Nothing(format!(
                "Nothing more today, {today}, and nothing tomorrow, {tomorrow} ({}).",
                kept.zone
            ))
        });
    }
    let mut text = Vec::new();
    for ((day, lines), name) in days.into_iter().zip(["Today", "Tomorrow"]) {
        text.push(format!("{name}, {} ({}):", shown(day), kept.zone));
        match lines.is_empty() {
            true => text.push(if is_whole { "- nothing" } else { "- nothing that is known" }.to_owned()),
            false => text.extend(lines),
        }
    }
    if left_out > 0 {
        text.push(format!("And {left_out} more."));
    }
    if !is_whole {
        text.push(PARTLY.to_owned());
    }
    Some(CalendarWords::Entries(text.join("\n")))
}

impl CalendarEntry {
    /// What lasts for no time is over once it began.
    fn is_within(&self, begin: i64, end: i64) -> bool {
        self.start < end && (self.end > begin || self.start >= begin)
    }
}

fn line(entry: &CalendarEntry, day: civil::Date, now: &Zoned, zone: &TimeZone) -> String {
    let at = |seconds: i64| Timestamp::from_second(seconds).unwrap_or_default().to_zoned(zone.clone());
    let (start, end) = (at(entry.start), at(entry.end));
    let clock = |at: &Zoned| match at.date() == day {
        true => at.strftime("%H:%M").to_string(),
        false => at.strftime("%H:%M on %-d %B").to_string(),
    };
    let is_on = start <= *now && day == now.date();
    let when = match (entry.all_day, is_on, entry.start == entry.end) {
        (true, ..) => "all day".to_owned(),
        (false, true, _) => format!("now, until {}", clock(&end)),
        (false, false, true) => clock(&start),
        (false, false, false) => format!("{} to {}", clock(&start), clock(&end)),
    };
    let title = if entry.title.is_empty() { "without a title" } else { &entry.title };
    match entry.place.is_empty() {
        true => format!("- {when}: {title}"),
        false => format!("- {when}: {title} ({})", entry.place),
    }
}

fn start_of(day: civil::Date, zone: &TimeZone) -> Option<i64> {
    Some(day.to_zoned(zone.clone()).ok()?.timestamp().as_second())
}

fn end_of(day: civil::Date, zone: &TimeZone) -> Option<i64> {
    start_of(day.tomorrow().ok()?, zone)
}
