use super::*;
use jiff::civil::date;
use proptest::prelude::*;

/// Written by icalendar 7.3.2 (Python), by ical-generator (Node.js), and as Outlook writes them.
const ICALENDAR: &str = include_str!("icalendar.ics");
const ICAL_GENERATOR: &str = include_str!("ical-generator.ics");
const OUTLOOK: &str = include_str!("outlook.ics");

fn read_text(text: &str, zone: &str, from: i64, until: i64) -> Result<CalendarEntries, String> {
    read(&CalendarFile { bytes: STANDARD.encode(text), zone: zone.to_owned(), from, until, most: 100 })
}

/// What there is on 27 and 28 November 2026, as clocks of the zone show it.
fn check(text: &str, wanted: &str, zone: &str, expected: &[&str]) {
    let tz = TimeZone::get(zone).unwrap();
    let at = |day: i8| date(2026, 11, day).to_zoned(tz.clone()).unwrap().timestamp().as_second();
    let read = read_text(text, wanted, at(27), at(29)).unwrap();
    assert_eq!(read.zone, zone);
    let shown = |seconds: i64| {
        Timestamp::from_second(seconds).unwrap().to_zoned(tz.clone()).strftime("%d %H:%M").to_string()
    };
    let line = |entry: &CalendarEntry| {
        let CalendarEntry { start, end, all_day, title, place } = entry;
        let kind = if *all_day { "day" } else { "time" };
        format!("{kind} {} to {}: {title} | {place}", shown(*start), shown(*end))
    };
    assert_eq!(read.entries.iter().map(line).collect::<Vec<_>>(), expected);
}

#[test]
fn what_recurs_is_told_one_by_one_with_its_exceptions_in_the_zone_that_is_asked_for() {
    check(
        ICALENDAR,
        "Europe/Vienna",
        "Europe/Vienna",
        &[
            "day 26 00:00 to 29 00:00: Garden fair | Hall",
            "time 27 09:00 to 27 10:00: Review | ",
            "time 27 18:00 to 27 18:30: Stand-up, moved | ",
            "time 27 19:00 to 27 20:00: Call with New York | ",
            "time 27 20:00 to 27 22:00: Last Friday of the month | ",
            "day 28 00:00 to 29 00:00: Grüße: Moss' birthday | ",
        ],
    );
    check(
        ICAL_GENERATOR,
        "",
        "America/New_York",
        &[
            "day 27 00:00 to 28 00:00: Day off | ",
            "time 27 07:00 to 27 08:15: Daily | ",
            "time 27 17:00 to 27 18:00: In UTC; with, signs\\ and a line | Here",
            "time 27 19:30 to 27 19:30: Floating | ",
        ],
    );
    // It ends with the very moment at which the last one begins, told in another zone.
    check(OUTLOOK, "Europe/Berlin", "Europe/Berlin", &["time 27 18:00 to 27 19:00: Until the last one | "]);
    check(OUTLOOK, "Nowhere/Else", "UTC", &["time 27 17:00 to 27 18:00: Until the last one | "]);
}

#[test]
fn what_is_no_calendar_is_said_and_a_broken_one_is_read_as_far_as_it_goes() {
    for text in ["", "<html>Sign in</html>", "BEGIN:VCARD\nEND:VCARD\n"] {
        assert_eq!(
            read_text(text, "UTC", 0, 1).unwrap_err(),
            "it is no calendar in the format of iCalendar",
            "{text}"
        );
    }
    let event =
        |lines: &str| format!("BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a\n{lines}\nEND:VEVENT\nEND:VCALENDAR\n");
    let (from, until) = (1_795_737_600, 1_795_910_400);
    for (lines, expected) in [
        ("DTSTART:20261127T100000Z\nDTEND:20261127T090000Z\nSUMMARY:Ends before it begins", 1),
        ("DTSTART:20261127T100000Z\nDURATION:PT1H\nSUMMARY:a\u{202e}b\u{200b}c", 1),
        ("DTSTART:20261127\nSUMMARY:Of a day without saying so", 1),
        ("DTSTART:soon\nSUMMARY:Never", 0),
        ("DTSTART:20261127T100000Z\nRRULE:FREQ=DAILY;BYMONTHDAY=99", 0),
        ("DTSTART:20261127T100000Z\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", 0),
    ] {
        let read = read_text(&event(lines), "UTC", from, until).unwrap();
        assert_eq!(read.entries.len(), expected, "{lines}: {read:?}");
        assert!(
            read.entries.iter().all(|entry| entry.end >= entry.start && !entry.title.contains(is_hidden))
        );
    }
    let forever = event("DTSTART:20000101T000000Z\nRRULE:FREQ=SECONDLY\nSUMMARY:Always");
    assert!(read_text(&forever, "UTC", from, until).unwrap().entries.len() <= 100);
}

proptest! {
    #[test]
    fn no_text_breaks_the_reader(
        lines in prop::collection::vec(
            prop_oneof![
                Just("BEGIN:VCALENDAR".to_owned()), Just("BEGIN:VEVENT".to_owned()), Just("END:VEVENT".to_owned()),
                Just("DTSTART;TZID=Europe/Vienna:20261025T023000".to_owned()), Just("RECURRENCE-ID:20261127T000000Z".to_owned()),
                "DT(START|END):[0-9]{8}(T[0-9]{6}Z?)?", "RRULE:FREQ=(DAILY|WEEKLY|MONTHLY|YEARLY);(INTERVAL|COUNT|BYDAY|BYSETPOS|UNTIL)=[-0-9A-Z]{1,6}",
                "(EXDATE|RDATE|DURATION|SUMMARY):.{0,12}", ".{0,20}",
            ],
            0..30,
        )
    ) {
        let text = format!("BEGIN:VCALENDAR\n{}\nEND:VCALENDAR\n", lines.join("\n"));
        if let Ok(read) = read_text(&text, "Europe/Vienna", 1_795_737_600, 1_795_910_400) {
            prop_assert!(read.entries.len() <= 100);
        }
    }
}
