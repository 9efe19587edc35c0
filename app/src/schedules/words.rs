//! Schedules in words.

use crate::prelude::{plural, say, t};
use crate::ui::{dollars, exactly};
use protocol::Caps;
use protocol::schedule::{
    Author, Days, FiringCause, FiringState, Idle, Mailbox, ScheduleEvent, ScheduleView, Timing,
};

/// Where no time is set.
pub fn no_time(timing: &Timing, paused: bool) -> &'static str {
    if paused {
        return t("Paused");
    }
    t(match timing {
        Timing::Webhook => "When something comes",
        Timing::Mail(_) => "When a mail comes",
        Timing::Feed { .. } => "When a feed has something new",
        Timing::Finished { .. } => "When another agent has finished",
        Timing::File { .. } => "When files have changed",
        Timing::Device => "When you come back",
        Timing::Once { .. } | Timing::Every { .. } | Timing::Days { .. } | Timing::Cron { .. } => {
            "Not due any more"
        }
    })
}

/// When a schedule is due, with the name of the agent that it waits for.
pub fn when(schedule: &ScheduleView) -> String {
    let Timing::Finished { pipelines, .. } = schedule.timing else { return timing(&schedule.timing) };
    match &schedule.after {
        Some(name) if pipelines => say!("When a pipeline of {name} has finished"),
        Some(name) => say!("When {name} has finished"),
        None => t("When an agent has finished that is not here").to_owned(),
    }
}

/// When it is due.
pub fn timing(timing: &Timing) -> String {
    match timing {
        Timing::Once { at, zone } => match at.split_once('T') {
            Some((date, time)) => say!("Once, on {date} at {time} ({zone})"),
            None => say!("Once, on {at} ({zone})"),
        },
        Timing::Every { minutes } => every(*minutes),
        Timing::Days { days: which, time, zone } => say!("{days} at {time} ({zone})", days = days(*which)),
        Timing::Webhook => t("When something is delivered to its address").to_owned(),
        Timing::Mail(mailbox) => mail(mailbox),
        Timing::Finished { .. } => t("When another agent has finished").to_owned(),
        Timing::Device => t("When you come back").to_owned(),
        Timing::File { path } => say!("When {path} has changed"),
        Timing::Feed { url, minutes } => {
            let often = within_a_sentence(&every(*minutes));
            say!("When the feed {url} has something new, looked at {often}")
        }
        Timing::Cron { expression, zone } => say!("By the cron expression {expression} ({zone})"),
    }
}

fn mail(Mailbox { server, user, folder, from, subject, minutes, .. }: &Mailbox) -> String {
    let from =
        if from.is_empty() { String::new() } else { say!(" from {senders}", senders = from.join(", ")) };
    let about = if subject.is_empty() { String::new() } else { say!(" about “{subject}”") };
    let often = within_a_sentence(&every(*minutes));
    say!("When a mail{from}{about} comes for {user} at {server} ({folder}), looked for {often}")
}

fn every(minutes: u32) -> String {
    const HOUR: u32 = 60;
    const DAY: u32 = 24 * HOUR;
    match minutes {
        1 => t("Every minute").to_owned(),
        HOUR => t("Every hour").to_owned(),
        DAY => t("Every day").to_owned(),
        minutes if minutes.is_multiple_of(DAY) => {
            let count = minutes / DAY;
            plural!(count, "Every {count} day", "Every {count} days")
        }
        minutes if minutes.is_multiple_of(HOUR) => {
            let count = minutes / HOUR;
            plural!(count, "Every {count} hour", "Every {count} hours")
        }
        count => plural!(count, "Every {count} minute", "Every {count} minutes"),
    }
}

/// Where a text that begins a sentence stands elsewhere in one.
fn within_a_sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().into_iter().flat_map(char::to_lowercase).chain(letters).collect()
}

pub fn days(days: Days) -> &'static str {
    t(match days {
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
    })
}

/// What came of the last time.
pub fn outcome(state: &FiringState) -> String {
    let words = match state {
        FiringState::Queued => t("waits until the agent is free"),
        FiringState::Paused => t("waits until you resume the agent"),
        FiringState::NoPage => t("waits until a page of the agent is open, because it lives in a browser"),
        FiringState::Running => t("is under way"),
        FiringState::WaitsForYou => t("waits for you"),
        FiringState::Done => t("done"),
        FiringState::Failed { why } => return language::sentence(why).into_owned(),
        FiringState::Missed => t("missed: the hub was off"),
        FiringState::Overtaken => t("left out: the agent was still at work"),
        FiringState::OverLimit => t("left out: a limit on spending, or on what agents keep, was in the way"),
        FiringState::Skipped => t("left out: the agent was at work, or it was switched off"),
        FiringState::Unmet => t("left out: condition not met"),
    };
    words.to_owned()
}

/// Why it was due.
pub fn cause(cause: FiringCause) -> &'static str {
    t(match cause {
        FiringCause::Time => "Its time",
        FiringCause::Person => "Run now",
        FiringCause::Webhook => "Delivered",
        FiringCause::Mail => "A mail came",
        FiringCause::Feed => "Something new",
        FiringCause::Finished => "An agent finished",
        FiringCause::File => "Files changed",
        FiringCause::Device => "You came back",
    })
}

/// What it may spend.
pub fn limits(caps: &Caps) -> String {
    let Caps { per_call, per_run, per_day, per_month, ever } = *caps;
    let limits = [
        per_call.map(|limit| say!("{limit} a call", limit = exactly(limit))),
        per_run.map(|limit| say!("{limit} a run", limit = exactly(limit))),
        per_day.map(|limit| say!("{limit} a day", limit = exactly(limit))),
        per_month.map(|limit| say!("{limit} a month", limit = exactly(limit))),
        ever.map(|limit| say!("{limit} in all", limit = exactly(limit))),
    ];
    let limits: Vec<String> = limits.into_iter().flatten().collect();
    if limits.is_empty() {
        t("no limit of its own").to_owned()
    } else {
        say!("at most {limits}", limits = limits.join(", "))
    }
}

/// That nobody looks, with what it costs.
pub fn idle(Idle { times, cost }: Idle) -> String {
    let cost = dollars(cost);
    say!("It ran {times} times since somebody last looked, and cost {cost}. Pause it if nobody needs it.")
}

/// A line of the conversation.
pub fn news(name: &str, news: &ScheduleEvent) -> String {
    match news {
        ScheduleEvent::Made { by: Author::Person } => say!("{name} was made"),
        ScheduleEvent::Made { by: Author::Agent } => say!("the agent made {name}"),
        ScheduleEvent::Brought => say!("{name} came along, switched off until you resume it"),
        ScheduleEvent::Changed => say!("{name} was changed"),
        ScheduleEvent::Paused => say!("{name} was paused"),
        ScheduleEvent::Resumed => say!("{name} goes on"),
        ScheduleEvent::Deleted { by: Author::Person } => say!("{name} was deleted"),
        ScheduleEvent::Deleted { by: Author::Agent } => say!("the agent deleted {name}"),
        ScheduleEvent::Missed { .. } => say!("{name} was due while the hub was off"),
        ScheduleEvent::Idle { times, cost } => {
            format!("{name}: {}", idle(Idle { times: *times, cost: *cost }))
        }
        ScheduleEvent::Broken { times, why } => {
            let often = if *times == 1 { String::new() } else { say!(" {times} times in a row") };
            say!("{name} failed{often} and is switched off. {why}", why = language::sentence(why))
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
