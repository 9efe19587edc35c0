//! Which drafts of schedules are accepted.

use super::due::Times;
use super::mail::MailboxDraft;
use super::{changed_files, feeds, finished};
use crate::error::{Error, Result};
use agent::rules::{Condition, is_about_change};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use protocol::ScheduleId;
use protocol::schedule::{FiringRules, Missed, Overlap, ScheduleDraft, StateCondition, Timing, TimingKind};

/// Characters of a name, and bytes of what the agent is told.
const NAME: usize = 80;
const MESSAGE: usize = 16 * 1024;
/// Seconds by which a time may be put off: an hour.
const LONGEST_JITTER: u32 = 60 * 60;
/// Failures in a row.
const MAX_FAILURES: u32 = 50;
/// Minutes from now: a year.
const LONGEST_DELAY: i64 = 366 * 24 * 60;

pub(super) struct Checked {
    pub(super) name: String,
    pub(super) message: String,
    pub(super) timing: Timing,
    pub(super) missed: Missed,
    pub(super) rules: FiringRules,
    pub(super) counted_from: i64,
    /// If that is when it is due.
    pub(super) mailbox: Option<MailboxDraft>,
    /// Before it is put off.
    times: Times,
}

impl Checked {
    pub(super) fn next(&self, id: &ScheduleId) -> Option<i64> {
        self.times.clone().put_off(id, self.rules.jitter_s).after(self.counted_from)
    }
}

pub(super) fn check(draft: &ScheduleDraft, now: i64) -> Result<Checked> {
    let (name, message) = words(&draft.name, &draft.message)?;
    let mailbox = match draft.kind {
        TimingKind::Mail => Some(MailboxDraft::check(draft)?),
        TimingKind::Once
        | TimingKind::After
        | TimingKind::Days
        | TimingKind::Every
        | TimingKind::Cron
        | TimingKind::Webhook
        | TimingKind::Feed
        | TimingKind::Finished
        | TimingKind::File
        | TimingKind::Device => None,
    };
    let timing = timing(draft, now)?;
    let times = Times::of(&timing, now).map_err(Error::Invalid)?;
    if times.after(now).is_none() && !times.are_events() {
        return Err(Error::invalid("That time has passed, or never comes. Choose another one."));
    }
    let rules = check_rules(FiringRules {
        overlap: overlap(draft),
        jitter_s: whole(&draft.jitter, 0, "The seconds by which it may be late")?,
        breaker: whole(&draft.breaker, FiringRules::default().breaker, "The failures in a row")?,
        only_if: only_if(draft),
    })?;
    Ok(Checked { name, message, timing, missed: draft.missed, rules, counted_from: now, mailbox, times })
}

pub(super) fn check_rules(rules: FiringRules) -> Result<FiringRules> {
    if rules.jitter_s > LONGEST_JITTER {
        return Err(Error::invalid(format!("A time can be up to {LONGEST_JITTER} seconds late.")));
    }
    if rules.breaker > MAX_FAILURES {
        return Err(Error::invalid(format!(
            "The failures in a row after which it is switched off are a whole number up to {MAX_FAILURES}; 0 is never."
        )));
    }
    if let Some(StateCondition { key, when }) = &rules.only_if {
        if key.is_empty() {
            return Err(Error::invalid("Say which key of the state the condition is about."));
        }
        let condition: Condition = when.parse().map_err(|error| Error::invalid(format!("{error}")))?;
        if is_about_change(&condition) {
            return Err(Error::invalid(
                "The condition of a schedule looks at the value as it is, like > 0 or .open == true. \"changed\" and \"always\" are for rules about the state.",
            ));
        }
    }
    Ok(rules)
}

/// What came has something to say, and a delivery was answered for: another one does not take its place.
fn overlap(draft: &ScheduleDraft) -> Overlap {
    let is_delivery = match draft.kind {
        TimingKind::Webhook
        | TimingKind::Mail
        | TimingKind::Feed
        | TimingKind::Finished
        | TimingKind::File
        | TimingKind::Device => true,
        TimingKind::Once | TimingKind::After | TimingKind::Days | TimingKind::Every | TimingKind::Cron => {
            false
        }
    };
    if is_delivery && draft.overlap == Overlap::Newest { Overlap::Each } else { draft.overlap }
}

fn only_if(draft: &ScheduleDraft) -> Option<StateCondition> {
    let (key, when) = (draft.only_if_key.trim(), draft.only_if.trim());
    (!when.is_empty()).then(|| StateCondition { key: key.to_owned(), when: when.to_owned() })
}

fn whole(text: &str, usual: u32, what: &str) -> Result<u32> {
    match text.trim() {
        "" => Ok(usual),
        text => text.parse().map_err(|_| Error::invalid(format!("{what} are a whole number, or empty."))),
    }
}

/// The name, and what the agent is told, as they are kept.
pub(super) fn words(name: &str, message: &str) -> Result<(String, String)> {
    let name: String = name.split_whitespace().collect::<Vec<_>>().join(" ");
    if name.is_empty() || name.chars().count() > NAME {
        return Err(Error::invalid(format!("The name of a schedule is a text of 1 to {NAME} characters.")));
    }
    let message = message.trim().to_owned();
    if message.is_empty() {
        return Err(Error::invalid("Write what the agent is to be told."));
    }
    if message.len() > MESSAGE {
        return Err(Error::Limit(
            "What the agent is to be told is longer than 16 KB. Write less.".to_owned(),
        ));
    }
    Ok((name, message))
}

fn timing(draft: &ScheduleDraft, now: i64) -> Result<Timing> {
    let zone = match draft.zone.trim() {
        "" => "UTC".to_owned(),
        zone => zone.to_owned(),
    };
    let text = |text: &str| text.trim().to_owned();
    Ok(match draft.kind {
        TimingKind::Once => Timing::Once { at: text(&draft.at), zone },
        TimingKind::After => after(draft.delay.trim(), now, zone)?,
        TimingKind::Days => Timing::Days { days: draft.days, time: text(&draft.time), zone },
        TimingKind::Every => {
            let minutes = draft.minutes.trim().parse();
            Timing::Every {
                minutes: minutes.map_err(|_| Error::invalid("The minutes are a whole number, like 60."))?,
            }
        }
        TimingKind::Webhook => Timing::Webhook,
        TimingKind::Mail => Timing::Mail(MailboxDraft::check(draft)?.mailbox),
        TimingKind::Feed => feeds::check(draft)?,
        TimingKind::Finished => finished::check(draft)?,
        TimingKind::File => changed_files::check(draft)?,
        TimingKind::Device => Timing::Device,
        TimingKind::Cron => Timing::Cron { expression: text(&draft.cron), zone },
    })
}

/// As a time of the wall clock. One that the clock shows twice is said in UTC.
fn after(delay: &str, now: i64, zone: String) -> Result<Timing> {
    let minutes =
        delay.parse().ok().filter(|minutes| (1..=LONGEST_DELAY).contains(minutes)).ok_or_else(|| {
            Error::invalid(format!("The minutes from now are a whole number from 1 to {LONGEST_DELAY}."))
        })?;
    let due = now.saturating_add(minutes * 60_000);
    let written = |zone: &str| {
        let local = TimeZone::get(zone).ok()?;
        let at = Timestamp::from_millisecond(due).ok()?.to_zoned(local).datetime();
        Some(Timing::Once { at: at.to_string(), zone: zone.to_owned() })
    };
    let is_meant =
        |timing: &Timing| Times::of(timing, now).is_ok_and(|times| times.after(due - 1) == Some(due));
    match written(&zone) {
        Some(timing) if is_meant(&timing) => Ok(timing),
        Some(_) => written("UTC").ok_or_else(|| Error::invalid("That time is out of reach.")),
        None => {
            Err(Error::invalid(format!("There is no time zone {zone:?}. Write a name like Europe/Berlin.")))
        }
    }
}
