//! Schedules in words.

use crate::ui::dollars;
use protocol::Caps;
use protocol::schedule::{Author, Days, FiringCause, FiringState, Idle, Mailbox, ScheduleEvent, Timing};

/// Where no time is set.
pub fn no_time(timing: &Timing, paused: bool) -> &'static str {
    if paused {
        return "Paused";
    }
    match timing {
        Timing::Webhook => "When something comes",
        Timing::Mail(_) => "When a mail comes",
        Timing::Once { .. } | Timing::Every { .. } | Timing::Days { .. } | Timing::Cron { .. } => {
            "Not due any more"
        }
    }
}

/// When it is due.
pub fn timing(timing: &Timing) -> String {
    match timing {
        Timing::Once { at, zone } => format!("Once, on {} ({zone})", at.replace('T', " at ")),
        Timing::Every { minutes } => every(*minutes),
        Timing::Days { days: which, time, zone } => format!("{} at {time} ({zone})", days(*which)),
        Timing::Webhook => "When something is delivered to its address".to_owned(),
        Timing::Mail(mailbox) => mail(mailbox),
        Timing::Cron { expression, zone } => format!("By the cron expression {expression} ({zone})"),
    }
}

fn mail(Mailbox { server, user, folder, from, subject, minutes, .. }: &Mailbox) -> String {
    let from = if from.is_empty() { String::new() } else { format!(" from {}", from.join(", ")) };
    let about = if subject.is_empty() { String::new() } else { format!(" about \u{201c}{subject}\u{201d}") };
    let often = every(*minutes).to_lowercase();
    format!("When a mail{from}{about} comes for {user} at {server} ({folder}), looked for {often}")
}

fn every(minutes: u32) -> String {
    const UNITS: [(u32, &str); 3] = [(24 * 60, "day"), (60, "hour"), (1, "minute")];
    let fitting = UNITS.into_iter().find(|(unit, _)| minutes.is_multiple_of(*unit));
    let (unit, word) = fitting.unwrap_or((1, "minute"));
    match minutes / unit {
        1 => format!("Every {word}"),
        count => format!("Every {count} {word}s"),
    }
}

pub fn days(days: Days) -> &'static str {
    match days {
        Days::All => "Every day",
        Days::Workdays => "Monday to Friday",
        Days::Weekends => "Saturday and Sunday",
        Days::Monday => "Every Monday",
        Days::Tuesday => "Every Tuesday",
        Days::Wednesday => "Every Wednesday",
        Days::Thursday => "Every Thursday",
        Days::Friday => "Every Friday",
        Days::Saturday => "Every Saturday",
        Days::Sunday => "Every Sunday",
    }
}

/// What came of the last time.
pub fn outcome(state: &FiringState) -> String {
    match state {
        FiringState::Queued => "waits until the agent is free".to_owned(),
        FiringState::Paused => "waits until you resume the agent".to_owned(),
        FiringState::NoPage => {
            "waits until a page of the agent is open, because it lives in a browser".to_owned()
        }
        FiringState::Running => "is under way".to_owned(),
        FiringState::WaitsForYou => "waits for you".to_owned(),
        FiringState::Done => "done".to_owned(),
        FiringState::Failed { why } => why.clone(),
        FiringState::Missed => "missed: the hub was off".to_owned(),
        FiringState::Overtaken => "left out: the agent was still at work".to_owned(),
        FiringState::OverLimit => {
            "left out: a limit on spending, or on what agents keep, was in the way".to_owned()
        }
        FiringState::Skipped => "left out: the agent was at work, or it was switched off".to_owned(),
        FiringState::Unmet => "left out: condition not met".to_owned(),
    }
}

/// Why it was due.
pub fn cause(cause: FiringCause) -> &'static str {
    match cause {
        FiringCause::Time => "Its time",
        FiringCause::Person => "Run now",
        FiringCause::Webhook => "Delivered",
        FiringCause::Mail => "A mail came",
    }
}

/// What it may spend.
pub fn limits(caps: &Caps) -> String {
    let limits = [
        (caps.per_call, "a call"),
        (caps.per_run, "a run"),
        (caps.per_day, "a day"),
        (caps.per_month, "a month"),
        (caps.ever, "in all"),
    ];
    let limits: Vec<String> =
        limits.into_iter().filter_map(|(limit, per)| Some(format!("{} {per}", limit?))).collect();
    if limits.is_empty() {
        "no limit of its own".to_owned()
    } else {
        format!("at most {}", limits.join(", "))
    }
}

/// That nobody looks, with what it costs.
pub fn idle(Idle { times, cost }: Idle) -> String {
    let cost = dollars(cost);
    format!("It ran {times} times since somebody last looked, and cost {cost}. Pause it if nobody needs it.")
}

/// A line of the conversation.
pub fn news(name: &str, news: &ScheduleEvent) -> String {
    match news {
        ScheduleEvent::Made { by: Author::Person } => format!("{name} was made"),
        ScheduleEvent::Made { by: Author::Agent } => format!("the agent made {name}"),
        ScheduleEvent::Brought => format!("{name} came along, switched off until you resume it"),
        ScheduleEvent::Changed => format!("{name} was changed"),
        ScheduleEvent::Paused => format!("{name} was paused"),
        ScheduleEvent::Resumed => format!("{name} goes on"),
        ScheduleEvent::Deleted { by: Author::Person } => format!("{name} was deleted"),
        ScheduleEvent::Deleted { by: Author::Agent } => format!("the agent deleted {name}"),
        ScheduleEvent::Missed { .. } => format!("{name} was due while the hub was off"),
        ScheduleEvent::Idle { times, cost } => {
            format!("{name}: {}", idle(Idle { times: *times, cost: *cost }))
        }
        ScheduleEvent::Broken { times, why } => {
            let often = if *times == 1 { String::new() } else { format!(" {times} times in a row") };
            format!("{name} failed{often} and is switched off. {why}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timing_is_said_as_people_say_it() {
        let zone = "Europe/Berlin".to_owned();
        for (when, words) in [
            (Timing::Every { minutes: 1 }, "Every minute"),
            (Timing::Every { minutes: 90 }, "Every 90 minutes"),
            (Timing::Every { minutes: 120 }, "Every 2 hours"),
            (Timing::Every { minutes: 1440 }, "Every day"),
            (
                Timing::Once { at: "2026-11-23T08:00".to_owned(), zone: zone.clone() },
                "Once, on 2026-11-23 at 08:00 (Europe/Berlin)",
            ),
            (
                Timing::Days { days: Days::Workdays, time: "08:00".to_owned(), zone: zone.clone() },
                "Monday to Friday at 08:00 (Europe/Berlin)",
            ),
            (
                Timing::Cron { expression: "0 8 1 * *".to_owned(), zone },
                "By the cron expression 0 8 1 * * (Europe/Berlin)",
            ),
        ] {
            assert_eq!(timing(&when), words);
        }
    }
}
