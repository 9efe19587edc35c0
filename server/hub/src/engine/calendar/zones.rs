//! Times of a calendar whose zone is not plain: times in UTC that recur, zones that nobody knows, and times that clocks
//! show twice or never.

use calcard::common::PartialDateTime;
use calcard::common::timezone::Tz;
use calcard::icalendar::timezone::TzResolver;
use calcard::icalendar::{
    ICalendar, ICalendarComponent, ICalendarComponentType, ICalendarEntry, ICalendarParameter,
    ICalendarParameterName, ICalendarProperty, ICalendarValue,
};
use jiff::civil::{Date, DateTime, Time};
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};
use std::collections::BTreeSet;

/// Leaves out what is in a zone that nobody knows, with all that has the same name, and says whether there was any.
pub(super) fn without_unknown(calendar: &mut ICalendar, tz: Tz) -> bool {
    let resolver = calendar.build_owned_tz_resolver().with_default(tz);
    let is_unknown = |component: &ICalendarComponent| {
        component.component_type == ICalendarComponentType::VEvent
            && component.entries.iter().any(|entry| is_of_unknown(entry, &resolver))
    };
    let unknown = calendar.components.iter().filter(|component| is_unknown(component));
    let names: BTreeSet<String> =
        unknown.filter_map(|component| component.uid()).map(str::to_owned).collect();
    let before = calendar.components.len();
    calendar
        .components
        .retain(|component| !is_unknown(component) && component.uid().is_none_or(|uid| !names.contains(uid)));
    calendar.components.len() < before
}

fn is_of_unknown(entry: &ICalendarEntry, resolver: &TzResolver<String>) -> bool {
    let is_local = |value: &ICalendarValue| match value {
        ICalendarValue::PartialDateTime(at) => at.hour.is_some() && at.tz_hour.is_none(),
        ICalendarValue::Period(_) => true,
        _ => false,
    };
    entry.tz_id().is_some_and(|name| resolver.resolve(name).is_none()) && entry.values.iter().any(is_local)
}

/// What recurs goes by the clocks of its zone, which for a time in UTC is to be said; and single times that clocks show
/// twice or never are those that the most programs take them for.
pub(super) fn settle(calendar: &mut ICalendar, tz: Tz) {
    let resolver = calendar.build_owned_tz_resolver().with_default(tz);
    for component in &mut calendar.components {
        if component.component_type != ICalendarComponentType::VEvent {
            continue;
        }
        let recurs = component.has_property(&ICalendarProperty::Rrule);
        for entry in &mut component.entries {
            match entry.name {
                ICalendarProperty::Dtstart if recurs => name_utc(entry),
                ICalendarProperty::Dtend if recurs => {}
                ICalendarProperty::Dtstart | ICalendarProperty::Dtend | ICalendarProperty::Rdate => {
                    settle_times(entry, &resolver, |_, moment| local(moment, Tz::UTC));
                }
                // Where what recurs falls on such a time, it goes by what clocks show as if they showed UTC.
                ICalendarProperty::RecurrenceId | ICalendarProperty::Exdate => {
                    settle_times(entry, &resolver, |shown, _| shown.clone());
                }
                _ => {}
            }
        }
    }
}

fn name_utc(entry: &mut ICalendarEntry) {
    let Some(ICalendarValue::PartialDateTime(start)) = entry.values.first_mut() else { return };
    if start.tz_hour == Some(0) && start.tz_minute.unwrap_or_default() == 0 {
        (start.tz_hour, start.tz_minute, start.tz_minus) = (None, None, false);
        entry.params.retain(|param| param.name != ICalendarParameterName::Tzid);
        entry.params.push(ICalendarParameter::tzid("UTC".to_owned()));
    }
}

/// In UTC, by what clocks show and the moment that this is taken for.
fn settle_times(
    entry: &mut ICalendarEntry,
    resolver: &TzResolver<String>,
    in_utc: impl Fn(&PartialDateTime, i64) -> PartialDateTime,
) {
    let zone = zone(resolver.resolve_or_default(entry.tz_id()));
    for value in &mut entry.values {
        let ICalendarValue::PartialDateTime(at) = value else { continue };
        if at.hour.is_none() || at.tz_hour.is_some() {
            continue;
        }
        let Some(shown) = clock(at) else { continue };
        let moment = zone.to_ambiguous_timestamp(shown);
        if moment.is_ambiguous()
            && let Ok(moment) = moment.compatible()
        {
            let utc = in_utc(at, moment.as_second());
            **at = PartialDateTime { tz_hour: Some(0), tz_minute: Some(0), ..utc };
        }
    }
}

/// The moment at which clocks of the zone show this. `shown` are the seconds as if they were in UTC.
pub(super) fn moment(shown: i64, tz: Tz) -> i64 {
    let clock = Timestamp::from_second(shown).unwrap_or(Timestamp::MAX).to_zoned(TimeZone::UTC).datetime();
    clock.to_zoned(zone(tz)).map_or(shown, |at| at.timestamp().as_second())
}

/// So many days later by the calendar of the zone: some of them have 23 hours, and some 25.
pub(super) fn days_after(start: i64, days: i64, tz: Tz) -> i64 {
    let at = Timestamp::from_second(start).unwrap_or(Timestamp::MAX).to_zoned(zone(tz));
    let after = Span::new().try_days(days).and_then(|days| at.checked_add(days));
    after.map_or(i64::MAX, |after| after.timestamp().as_second())
}

fn clock(at: &PartialDateTime) -> Option<DateTime> {
    let part = |part: Option<u8>| i8::try_from(part.unwrap_or_default()).ok();
    let date = Date::new(i16::try_from(at.year?).ok()?, part(at.month)?, part(at.day)?).ok()?;
    let time = Time::new(part(at.hour)?, part(at.minute)?, part(at.second)?, 0).ok()?;
    Some(date.to_datetime(time))
}

/// A moment as clocks of the zone show it.
pub(super) fn local(seconds: i64, tz: Tz) -> PartialDateTime {
    let at = Timestamp::from_second(seconds).unwrap_or(Timestamp::MAX).to_zoned(zone(tz)).datetime();
    PartialDateTime {
        year: u16::try_from(at.year()).ok(),
        month: u8::try_from(at.month()).ok(),
        day: u8::try_from(at.day()).ok(),
        hour: u8::try_from(at.hour()).ok(),
        minute: u8::try_from(at.minute()).ok(),
        second: u8::try_from(at.second()).ok(),
        ..PartialDateTime::default()
    }
}

fn zone(tz: Tz) -> TimeZone {
    tz.name().and_then(|name| TimeZone::get(&name).ok()).unwrap_or(TimeZone::UTC)
}
