use super::*;
use proptest::prelude::*;

/// The instants, as a wall clock of the zone shows them, with their distance from UTC.
fn times(timing: &Timing, zone: &str, from: &str, count: usize) -> Vec<String> {
    let times = Times::of(timing, 0).expect("a good timing");
    let zone = TimeZone::get(zone).expect("a zone");
    let mut at = from.parse::<Timestamp>().expect("an instant").as_millisecond();
    let mut found = Vec::new();
    for _ in 0..count {
        let Some(next) = times.after(at) else { break };
        found.push(zoned(next, &zone).expect("an instant").strftime("%d %H:%M %:z").to_string());
        at = next;
    }
    found
}

fn daily(time: &str, zone: &str) -> Timing {
    Timing::Days { days: Days::All, time: time.to_owned(), zone: zone.to_owned() }
}

fn cron(expression: &str, zone: &str) -> Timing {
    Timing::Cron { expression: expression.to_owned(), zone: zone.to_owned() }
}

#[test]
fn a_time_that_the_clocks_leave_out_is_due_when_they_leap_and_one_that_comes_twice_the_first_time() {
    for (zone, time, from, expected) in [
        (
            "Europe/Berlin",
            "02:30",
            "2026-03-27T12:00Z",
            ["28 02:30 +01:00", "29 03:00 +02:00", "30 02:30 +02:00"],
        ),
        (
            "Europe/Berlin",
            "02:30",
            "2026-10-23T12:00Z",
            ["24 02:30 +02:00", "25 02:30 +02:00", "26 02:30 +01:00"],
        ),
        (
            "America/New_York",
            "02:15",
            "2026-03-06T12:00Z",
            ["07 02:15 -05:00", "08 03:00 -04:00", "09 02:15 -04:00"],
        ),
        (
            "America/New_York",
            "01:15",
            "2026-10-30T12:00Z",
            ["31 01:15 -04:00", "01 01:15 -04:00", "02 01:15 -05:00"],
        ),
        (
            "Australia/Lord_Howe",
            "02:10",
            "2026-10-02T12:00Z",
            ["03 02:10 +10:30", "04 02:30 +11:00", "05 02:10 +11:00"],
        ),
        (
            "America/Sao_Paulo",
            "00:00",
            "2018-11-02T12:00Z",
            ["03 00:00 -03:00", "04 01:00 -02:00", "05 00:00 -02:00"],
        ),
        (
            "Pacific/Chatham",
            "02:50",
            "2026-09-25T00:00Z",
            ["26 02:50 +12:45", "27 03:45 +13:45", "28 02:50 +13:45"],
        ),
        (
            "Asia/Kolkata",
            "02:30",
            "2026-03-27T12:00Z",
            ["28 02:30 +05:30", "29 02:30 +05:30", "30 02:30 +05:30"],
        ),
        ("UTC", "02:30", "2026-03-27T12:00Z", ["28 02:30 +00:00", "29 02:30 +00:00", "30 02:30 +00:00"]),
    ] {
        assert_eq!(times(&daily(time, zone), zone, from, 3), expected, "{zone} {time}");
    }
}

#[test]
fn what_is_due_every_hour_is_due_every_real_hour() {
    let hourly = cron("30 * * * *", "Europe/Berlin");
    for (from, expected) in [
        ("2026-03-29T00:00Z", ["29 01:30 +01:00", "29 03:30 +02:00", "29 04:30 +02:00"]),
        ("2026-10-25T00:00Z", ["25 02:30 +02:00", "25 02:30 +01:00", "25 03:30 +01:00"]),
    ] {
        assert_eq!(times(&hourly, "Europe/Berlin", from, 3), expected, "{from}");
    }
}

#[test]
fn a_single_time_is_one_instant_wherever_the_clocks_leap() {
    for (zone, at, expected) in [
        ("Europe/Berlin", "2026-03-29T02:30", "29 03:00 +02:00"),
        ("Europe/Berlin", "2026-10-25T02:30", "25 02:30 +02:00"),
        ("America/New_York", "2026-11-22T08:00", "22 08:00 -05:00"),
        ("Australia/Lord_Howe", "2026-10-04T02:10", "04 02:30 +11:00"),
    ] {
        let once = Timing::Once { at: at.to_owned(), zone: zone.to_owned() };
        assert_eq!(times(&once, zone, "2026-01-01T00:00Z", 2), [expected], "{zone} {at}");
    }
}

#[test]
fn a_calendar_is_kept_to() {
    for (timing, expected) in [
        (cron("0 12 29 2 *", "UTC"), vec!["29 12:00 +00:00", "29 12:00 +00:00"]),
        (cron("0 0 31 * *", "UTC"), vec!["31 00:00 +00:00", "31 00:00 +00:00"]),
        (cron("0 0 30 2 *", "UTC"), vec![]),
        (cron("0 9 * * 1-5", "Asia/Tokyo"), vec!["01 09:00 +09:00", "02 09:00 +09:00"]),
    ] {
        let zone =
            if expected.first().is_some_and(|time| time.ends_with("+09:00")) { "Asia/Tokyo" } else { "UTC" };
        assert_eq!(times(&timing, zone, "2025-12-31T12:00Z", 2), expected, "{timing:?}");
    }
}

#[test]
fn what_makes_no_sense_is_refused_in_a_sentence() {
    for timing in [
        cron("every morning", "UTC"),
        cron("0 0 8 * * *", "UTC"),
        cron("0 8 * * *", "Europe/Atlantis"),
        cron("61 8 * * *", "UTC"),
        daily("25:00", "UTC"),
        daily("", "UTC"),
        Timing::Every { minutes: 0 },
        Timing::Every { minutes: u32::MAX },
        Timing::Once { at: "tomorrow".to_owned(), zone: "UTC".to_owned() },
        Timing::Once { at: "2026-13-01T08:00".to_owned(), zone: "UTC".to_owned() },
    ] {
        let why = Times::of(&timing, 0).expect_err("no sense");
        assert!(why.ends_with('.') && why.len() > 20, "{timing:?}: {why}");
    }
}

#[test]
fn what_the_hub_slept_through_is_made_up_for_once_or_skipped_and_never_both() {
    const HOUR: i64 = 3_600_000;
    let hourly = Times::of(&Timing::Every { minutes: 60 }, 0).expect("a good timing");
    for (due, now, missed, expected) in [
        (HOUR, HOUR, Missed::Skip, DueCheck { fires: Some(HOUR), missed: None, next: Some(2 * HOUR) }),
        (
            HOUR,
            HOUR + LATE_MS,
            Missed::Skip,
            DueCheck { fires: Some(HOUR), missed: None, next: Some(2 * HOUR) },
        ),
        (
            HOUR,
            HOUR + LATE_MS + 1,
            Missed::Skip,
            DueCheck { fires: None, missed: Some(HOUR), next: Some(2 * HOUR) },
        ),
        (
            HOUR,
            HOUR + LATE_MS + 1,
            Missed::CatchUp,
            DueCheck { fires: Some(HOUR), missed: None, next: Some(2 * HOUR) },
        ),
        (
            HOUR,
            9 * HOUR + LATE_MS + 1,
            Missed::CatchUp,
            DueCheck { fires: Some(9 * HOUR), missed: Some(HOUR), next: Some(10 * HOUR) },
        ),
        (
            HOUR,
            9 * HOUR + LATE_MS + 1,
            Missed::Skip,
            DueCheck { fires: None, missed: Some(HOUR), next: Some(10 * HOUR) },
        ),
        (
            HOUR,
            9 * HOUR + 5,
            Missed::Skip,
            DueCheck { fires: Some(9 * HOUR), missed: Some(HOUR), next: Some(10 * HOUR) },
        ),
    ] {
        assert_eq!(hourly.turn(due, now, missed), expected, "{due} {now} {missed:?}");
    }
    let once = Timing::Once { at: "1970-01-01T01:00".to_owned(), zone: "UTC".to_owned() };
    let once = Times::of(&once, 0).expect("a good timing");
    let late = once.turn(HOUR, 5 * HOUR, Missed::Skip);
    assert_eq!(late, DueCheck { fires: None, missed: Some(HOUR), next: None });
}

fn timing() -> impl Strategy<Value = Timing> {
    let zone = prop::sample::select(vec![
        "UTC",
        "Europe/Berlin",
        "America/New_York",
        "America/St_Johns",
        "Australia/Lord_Howe",
        "Pacific/Apia",
        "Africa/Casablanca",
        "Asia/Tehran",
        "Antarctica/Troll",
    ]);
    let expression = prop::sample::select(vec![
        "* * * * *",
        "*/7 * * * *",
        "30 * * * *",
        "30 2 * * *",
        "0 0 * * 0",
        "15 1-3 * * *",
        "0 8 1 * *",
        "0 3 L * *",
        "59 23 31 12 *",
    ]);
    prop_oneof![
        (1..5000_u32).prop_map(|minutes| Timing::Every { minutes }),
        (zone.clone(), 0..24_u8, 0..60_u8)
            .prop_map(|(zone, hour, minute)| daily(&format!("{hour:02}:{minute:02}"), zone)),
        (zone, expression).prop_map(|(zone, expression)| cron(expression, zone)),
    ]
}

/// Seconds.
fn jitter() -> impl Strategy<Value = u32> {
    prop_oneof![Just(0), 1..60_u32, 60..3601_u32]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// From 2015 to 2045, at any millisecond.
    #[test]
    fn the_next_time_is_later_and_nothing_lies_between(
        timing in timing(),
        jitter in jitter(),
        at in 1_420_000_000_000_i64..2_366_000_000_000,
    ) {
        let times = Times::of(&timing, 1_400_000_000_000).expect("a good timing");
        let times = times.put_off(&"schedule-1".into(), jitter);
        let next = times.after(at).expect("it is due again");
        prop_assert!(next > at);
        prop_assert_eq!(times.latest(next), Some(next));
        prop_assert_eq!(times.after(next - 1), Some(next), "the same from just before");
        if let Some(last) = times.latest(next - 1) {
            prop_assert!(last <= at, "nothing lies between {at} and {next}: {last}");
        }
    }

    /// However near the next one is.
    #[test]
    fn a_time_is_put_off_by_no_more_than_it_may_be_and_never_past_the_next(
        timing in timing(),
        jitter in jitter(),
        at in 1_420_000_000_000_i64..2_366_000_000_000,
    ) {
        let plain = Times::of(&timing, 1_400_000_000_000).expect("a good timing");
        let times = plain.clone().put_off(&"schedule-1".into(), jitter);
        let hour = plain.after(at).expect("it is due again");
        let next = plain.after(hour).expect("it is due again");
        let late = times.after(hour - 1).expect("it is due again");
        prop_assert!(late >= hour && late < next && late - hour <= i64::from(jitter) * 1000);
        prop_assert_eq!(late, plain.clone().put_off(&"schedule-1".into(), jitter).after(hour - 1).expect("the same"));
    }

    /// Whenever the hub looks, however long it slept: no time is run for twice, none after the next one,
    /// and with `CatchUp` the newest is always run for.
    #[test]
    fn however_long_the_hub_sleeps_no_time_is_run_for_twice(
        timing in timing(),
        begins in 1_420_000_000_000_i64..2_366_000_000_000,
        sleeps in prop::collection::vec(prop_oneof![0..120_000_i64, 0..200_000_000_i64], 1..20),
        catches_up in any::<bool>(),
        jitter in jitter(),
    ) {
        let missed = if catches_up { Missed::CatchUp } else { Missed::Skip };
        let times = Times::of(&timing, begins).expect("a good timing");
        let times = times.put_off(&"schedule-1".into(), jitter);
        let mut due = times.after(begins).expect("it is due");
        let mut last_run = begins;
        let mut now = begins;
        for sleep in sleeps {
            now = now.max(due) + sleep;
            let turn = times.turn(due, now, missed);
            if let Some(fires) = turn.fires {
                prop_assert!(fires > last_run && fires <= now && fires >= due);
                last_run = fires;
            }
            prop_assert!(turn.fires.is_some() || turn.missed == Some(due), "nothing is lost without a word");
            prop_assert!(!catches_up || turn.fires == times.latest(now));
            let next = turn.next.expect("it is due again");
            prop_assert!(next > now && turn.fires.is_none_or(|fires| next > fires));
            due = next;
        }
    }
}
