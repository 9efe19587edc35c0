//! Which drafts of schedules are accepted.

use super::due::Times;
use crate::error::{Error, Result};
use protocol::schedule::{Missed, ScheduleDraft, Timing, TimingKind};

/// Characters of a name, and bytes of what the agent is told.
const NAME: usize = 80;
const MESSAGE: usize = 16 * 1024;

pub(super) struct Checked {
    pub(super) name: String,
    pub(super) message: String,
    pub(super) timing: Timing,
    pub(super) missed: Missed,
    pub(super) counted_from: i64,
    pub(super) next: Option<i64>,
}

pub(super) fn check(draft: &ScheduleDraft, now: i64) -> Result<Checked> {
    let (name, message) = words(&draft.name, &draft.message)?;
    let timing = timing(draft)?;
    let next = Times::of(&timing, now).map_err(Error::Invalid)?.after(now);
    if next.is_none() {
        return Err(Error::invalid("That time has passed, or never comes. Choose another one."));
    }
    Ok(Checked { name, message, timing, missed: draft.missed, counted_from: now, next })
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

fn timing(draft: &ScheduleDraft) -> Result<Timing> {
    let zone = match draft.zone.trim() {
        "" => "UTC".to_owned(),
        zone => zone.to_owned(),
    };
    let text = |text: &str| text.trim().to_owned();
    Ok(match draft.kind {
        TimingKind::Once => Timing::Once { at: text(&draft.at), zone },
        TimingKind::Days => Timing::Days { days: draft.days, time: text(&draft.time), zone },
        TimingKind::Every => {
            let minutes = draft.minutes.trim().parse();
            Timing::Every {
                minutes: minutes.map_err(|_| Error::invalid("The minutes are a whole number, like 60."))?,
            }
        }
        TimingKind::Cron => Timing::Cron { expression: text(&draft.cron), zone },
    })
}
