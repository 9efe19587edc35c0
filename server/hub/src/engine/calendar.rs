//! What is in a calendar between two moments, with what recurs told one by one: RFC 5545, as its programs write it.

mod zones;

use super::job::{CalendarEntries, CalendarEntry, CalendarFile};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use calcard::common::PartialDateTime;
use calcard::common::timezone::Tz;
use calcard::icalendar::dates::TimeOrDelta;
use calcard::icalendar::{
    ICalendar, ICalendarComponent, ICalendarComponentType, ICalendarEntry, ICalendarProperty,
    ICalendarStatus, ICalendarValue,
};
use jiff::tz::TimeZone;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::str::FromStr;
use zones::{days_after, local, moment, settle, without_unknown};

/// Times of all that recurs, which are worked out one after the other.
const TIMES: usize = 300_000;
/// Characters of a title and of a place.
const LINE: usize = 200;
const DAY: i64 = 24 * 60 * 60;

/// Fails with what is wrong with it.
pub(super) fn read(file: &CalendarFile) -> Result<CalendarEntries, String> {
    let bytes = STANDARD.decode(&file.bytes).map_err(|error| error.to_string())?;
    let gave_up = |_| Err("its times could not be worked out".to_owned());
    catch_unwind(AssertUnwindSafe(|| of(&bytes, file))).unwrap_or_else(gave_up)
}

fn of(bytes: &[u8], file: &CalendarFile) -> Result<CalendarEntries, String> {
    let text = String::from_utf8_lossy(bytes);
    let calendar = ICalendar::parse(text.trim_start_matches('\u{feff}'));
    let mut calendar = calendar.map_err(|_| "it is no calendar in the format of iCalendar")?;
    let (zone, tz) = zone_of(&calendar, &file.zone);
    let mut incomplete = without_unknown(&mut calendar, tz) || has_unknown_rule(&calendar);
    settle(&mut calendar, tz);
    let resolver = calendar.build_owned_tz_resolver().with_default(tz);
    let (mut left, mut entries) = (TIMES, Vec::new());
    for part in parts(bounded(calendar, tz, file.until)) {
        let expanded = part.expand_dates(tz, left);
        // What is left out of what recurs was worked out too.
        left = left.saturating_sub(expanded.events.len() + exceptions(&part));
        incomplete |= left == 0 || !expanded.errors.is_empty();
        for event in expanded.events {
            let Some(component) = part.component_by_id(event.comp_id) else { continue };
            let (mut start, mut tz) = (event.start.timestamp(), event.start.timezone());
            if tz.is_floating() {
                // Clocks show it twice, or never.
                tz = resolver.resolve_or_default(start_of(component).and_then(ICalendarEntry::tz_id));
                start = moment(start, tz);
            }
            let end = match event.end {
                _ if has_no_end(component) => start,
                TimeOrDelta::Time(end) => end.timestamp().max(start),
                TimeOrDelta::Delta(delta) if is_all_day(component) => {
                    let seconds = delta.num_seconds().max(0);
                    days_after(start, seconds / DAY, tz).saturating_add(seconds % DAY)
                }
                TimeOrDelta::Delta(delta) => start.saturating_add(delta.num_seconds().max(0)),
            };
            let is_asked_for = start < file.until && end.max(start + 1) > file.from;
            if is_asked_for && component.status() != Some(&ICalendarStatus::Cancelled) {
                entries.push(CalendarEntry {
                    start,
                    end,
                    all_day: is_all_day(component),
                    title: text_of(component, &ICalendarProperty::Summary),
                    place: text_of(component, &ICalendarProperty::Location),
                });
            }
        }
    }
    entries.sort_by(|a, b| (a.start, a.end, &a.title).cmp(&(b.start, b.end, &b.title)));
    let until = entries.get(file.most).map_or(file.until, |entry| entry.start);
    entries.truncate(file.most);
    Ok(CalendarEntries { zone, entries, until, incomplete })
}

/// A rule that is none would be passed over, and what recurs be told once.
fn has_unknown_rule(calendar: &ICalendar) -> bool {
    let mut entries = calendar.components.iter().flat_map(|component| &component.entries);
    entries.any(|entry| {
        entry.name == ICalendarProperty::Rrule
            && !matches!(entry.values.first(), Some(ICalendarValue::RecurrenceRule(_)))
    })
}

fn exceptions(part: &ICalendar) -> usize {
    let entries = part.components.iter().flat_map(|component| &component.entries);
    entries.filter(|entry| entry.name == ICalendarProperty::Exdate).map(|entry| entry.values.len()).sum()
}

/// The zone that is asked for, or the calendar's own, or UTC.
fn zone_of(calendar: &ICalendar, wanted: &str) -> (String, Tz) {
    let own = calendar.components.iter().flat_map(|component| &component.entries).find_map(|entry| {
        let is_zone = matches!(&entry.name, ICalendarProperty::Other(name) if name.eq_ignore_ascii_case("X-WR-TIMEZONE"));
        entry.values.first().filter(|_| is_zone)?.as_text()
    });
    let found = [Some(wanted), own].into_iter().flatten().filter(|name| !name.is_empty()).find_map(|name| {
        TimeZone::get(name).ok()?;
        Some((name.to_owned(), Tz::from_str(name).ok()?))
    });
    found.unwrap_or_else(|| ("UTC".to_owned(), Tz::UTC))
}

/// What recurs with exceptions is a calendar of its own: there they are told apart by their times alone.
fn parts(calendar: ICalendar) -> impl Iterator<Item = ICalendar> {
    let is_zone =
        |component: &ICalendarComponent| component.component_type == ICalendarComponentType::VTimezone;
    let uid = |component: &ICalendarComponent| component.uid().unwrap_or_default().to_owned();
    let zones: Vec<_> = calendar.components.iter().filter(|component| is_zone(component)).cloned().collect();
    let with_exceptions: BTreeSet<String> =
        calendar.components.iter().filter(|component| component.is_recurrence_override()).map(uid).collect();
    let mut parts = BTreeMap::<Option<String>, Vec<ICalendarComponent>>::new();
    for mut component in calendar.components {
        if component.component_type == ICalendarComponentType::VEvent {
            // An exception may have been changed more often than what it is one of.
            component.entries.retain(|entry| entry.name != ICalendarProperty::Sequence);
            let part = Some(uid(&component)).filter(|uid| with_exceptions.contains(uid));
            parts.entry(part).or_default().push(component);
        }
    }
    parts.into_values().map(move |events| ICalendar { components: [zones.as_slice(), &events].concat() })
}

/// With rules that end where nobody looks any more, in the time of what recurs.
fn bounded(mut calendar: ICalendar, default: Tz, until: i64) -> ICalendar {
    let resolver = calendar.build_owned_tz_resolver().with_default(default);
    let latest = local(until.saturating_add(2 * DAY), Tz::UTC);
    for component in &mut calendar.components {
        let start = start_of(component).and_then(ICalendarEntry::tz_id);
        let tz = resolver.resolve_or_default(start);
        for value in component.entries.iter_mut().flat_map(|entry| &mut entry.values) {
            let ICalendarValue::RecurrenceRule(rule) = value else { continue };
            if let Some(end) = &rule.until
                && end.tz_hour.is_some()
                && let Some(end) = end.to_date_time_with_tz(Tz::UTC)
            {
                rule.until = Some(local(end.timestamp(), tz));
            }
            let is_late = rule.until.as_ref().is_none_or(|end| day(end) > day(&latest));
            if is_late && rule.count.is_none() {
                rule.until = Some(latest.clone());
            }
        }
    }
    calendar
}

fn day(at: &PartialDateTime) -> (Option<u16>, Option<u8>, Option<u8>) {
    (at.year, at.month, at.day)
}

fn start_of(component: &ICalendarComponent) -> Option<&ICalendarEntry> {
    component.property(&ICalendarProperty::Dtstart)
}

fn is_all_day(component: &ICalendarComponent) -> bool {
    let start = start_of(component).and_then(|entry| entry.values.first());
    start.and_then(ICalendarValue::as_partial_date_time).is_some_and(|start| start.hour.is_none())
}

/// It begins at a time and does not say how long it lasts.
fn has_no_end(component: &ICalendarComponent) -> bool {
    let says = |name| component.has_property(name);
    !is_all_day(component) && !says(&ICalendarProperty::Dtend) && !says(&ICalendarProperty::Duration)
}

/// In one line, as long as it may be.
fn text_of(component: &ICalendarComponent, name: &ICalendarProperty) -> String {
    let text =
        component.property(name).and_then(|entry| entry.values.first()).and_then(ICalendarValue::as_text);
    let shown = text.unwrap_or_default().chars().map(|letter| if is_hidden(letter) { ' ' } else { letter });
    let shown: String = shown.collect();
    let line = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(LINE).collect()
}

/// Nobody sees it, or it turns around what is seen.
fn is_hidden(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests;
