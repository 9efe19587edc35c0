use super::*;
use jiff::Timestamp;
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

fn events(lines: &[&str]) -> String {
    let event = |lines: &&str| format!("BEGIN:VEVENT\nUID:a\n{lines}\nEND:VEVENT\n");
    format!("BEGIN:VCALENDAR\n{}END:VCALENDAR\n", lines.iter().map(event).collect::<String>())
}

#[test]
fn what_recurs_in_utc_keeps_its_moment_wherever_it_is_told() {
    let daily = "DTSTART:20261120T170000Z\nDTEND:20261120T173000Z\nRRULE:FREQ=DAILY;UNTIL=20261128T170000Z\nSUMMARY:Daily";
    let first = "time 27 18:00 to 27 18:30: Daily | ";
    check(
        &events(&[daily]),
        "Europe/Vienna",
        "Europe/Vienna",
        &[first, "time 28 18:00 to 28 18:30: Daily | "],
    );
    check(
        &events(&[daily]),
        "America/New_York",
        "America/New_York",
        &["time 27 12:00 to 27 12:30: Daily | ", "time 28 12:00 to 28 12:30: Daily | "],
    );
    let without = format!("{daily}\nEXDATE:20261128T170000Z");
    check(&events(&[&without]), "Europe/Vienna", "Europe/Vienna", &[first]);
    let moved =
        "RECURRENCE-ID:20261128T170000Z\nDTSTART:20261128T190000Z\nDTEND:20261128T193000Z\nSUMMARY:Moved";
    check(
        &events(&[daily, moved]),
        "Europe/Vienna",
        "Europe/Vienna",
        &[first, "time 28 20:00 to 28 20:30: Moved | "],
    );
}

#[test]
fn days_on_which_clocks_change_are_days_and_their_times_are_moments() {
    let vienna = |month: i8, day: i8, hour: i8, minute: i8| {
        let at = date(2026, month, day).at(hour, minute, 0, 0);
        at.to_zoned(TimeZone::get("Europe/Vienna").unwrap()).unwrap().timestamp().as_second()
    };
    for (lines, start, end) in [
        ("DTSTART;VALUE=DATE:20260329\nSUMMARY:23 hours", vienna(3, 29, 0, 0), vienna(3, 30, 0, 0)),
        ("DTSTART;VALUE=DATE:20260322\nRRULE:FREQ=WEEKLY", vienna(3, 29, 0, 0), vienna(3, 30, 0, 0)),
        ("DTSTART;VALUE=DATE:20261025\nDURATION:P1D", vienna(10, 25, 0, 0), vienna(10, 26, 0, 0)),
        // Never, and twice: by what most programs say.
        ("DTSTART;TZID=Europe/Vienna:20260329T023000", vienna(3, 29, 3, 30), vienna(3, 29, 3, 30)),
        (
            "DTSTART;TZID=Europe/Vienna:20260328T023000\nRRULE:FREQ=DAILY",
            vienna(3, 29, 3, 30),
            vienna(3, 29, 3, 30),
        ),
        ("DTSTART;TZID=Europe/Vienna:20261025T023000", vienna(10, 25, 2, 30), vienna(10, 25, 2, 30)),
        (
            "DTSTART;TZID=Europe/Vienna:20261024T023000\nRRULE:FREQ=DAILY",
            vienna(10, 25, 2, 30),
            vienna(10, 25, 2, 30),
        ),
    ] {
        let month = if start < vienna(6, 1, 0, 0) { 3 } else { 10 };
        let day = if month == 3 { 29 } else { 25 };
        let read = read_text(
            &events(&[lines]),
            "Europe/Vienna",
            vienna(month, day, 0, 0),
            vienna(month, day + 1, 0, 0),
        );
        let read = read.unwrap();
        let times: Vec<_> = read.entries.iter().map(|entry| (entry.start, entry.end)).collect();
        assert_eq!((times, read.incomplete), (vec![(start, end)], false), "{lines}");
    }
    let without = "DTSTART;TZID=Europe/Vienna:20261024T023000\nRRULE:FREQ=DAILY\nEXDATE;TZID=Europe/Vienna:20261025T023000";
    let read = read_text(&events(&[without]), "Europe/Vienna", vienna(10, 25, 0, 0), vienna(10, 26, 0, 0));
    assert_eq!(read.unwrap().entries, []);
}

#[test]
fn what_could_not_be_read_and_what_there_was_no_room_for_is_said() {
    let (from, until) = (1_795_737_600, 1_795_910_400);
    let own = "BEGIN:VTIMEZONE\nTZID:Ours\nBEGIN:STANDARD\nDTSTART:19700101T000000\nTZOFFSETFROM:+0300\nTZOFFSETTO:+0300\n\
               END:STANDARD\nEND:VTIMEZONE\nBEGIN:VEVENT";
    let in_ours = "DTSTART;TZID=Ours:20261127T100000";
    for (lines, entries, incomplete) in [
        (&["DTSTART:20261127T100000Z"][..], 1, false),
        (&["DTSTART:soon", "DTSTART:20261127T100000Z"], 1, true),
        (&["DTSTART:20261127T100000Z\nRRULE:FREQ=DAILY;BYMONTHDAY=99"], 0, true),
        (&["DTSTART:20000101T000000Z\nRRULE:FREQ=SECONDLY"], 0, true),
        (&[in_ours], 0, true),
        // The one that is moved is not told where it was.
        (
            &[
                "DTSTART:20261127T100000Z\nRRULE:FREQ=DAILY",
                "RECURRENCE-ID:20261127T100000Z\nDTSTART;TZID=Ours:20261127T150000",
            ],
            0,
            true,
        ),
    ] {
        let text = events(lines).replacen("BEGIN:VEVENT", own, 1);
        let read = read_text(&text, "Europe/Vienna", from, until).unwrap();
        assert_eq!((read.entries.len(), read.incomplete), (entries, incomplete), "{lines:?}");
    }
    let by_minutes = events(&["DTSTART:20261127T003000Z\nRRULE:FREQ=MINUTELY"]);
    let read = read_text(&by_minutes, "UTC", from, until).unwrap();
    assert_eq!((read.entries.len(), read.until), (100, read.entries[99].start + 60));
    let few = events(&["DTSTART:20261127T003000Z"]);
    assert_eq!(read_text(&few, "UTC", from, until).unwrap().until, until);
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
