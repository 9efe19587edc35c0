//! Who has a terminal and how much of it, as administrators say, and what each person has had of it today.

use super::TerminalError;
use crate::Hub;
use crate::access::Admin;
use crate::accounts;
use crate::audit::AuditEvent;
use crate::clock::Moment;
use crate::error::{Error, Result};
use crate::store::query;
use protocol::UserId;
use protocol::view::{AuditAction, Role, TerminalRoom, TerminalRules, TerminalSettings, TerminalUse};
use std::ops::RangeInclusive;
use std::time::Duration;

/// Its place among the settings of the hub.
const SETTING: &str = "terminal";
const DAY_MS: i64 = 24 * 60 * 60 * 1000;
/// Minutes of a day.
const MOST_MINUTES: u32 = 24 * 60;
/// What a room may be given.
const MEGABYTES: RangeInclusive<u32> = 64..=65_536;
const PROCESSES: RangeInclusive<u32> = 8..=4_096;

/// Leave to run a command, for a person.
#[derive(Clone, Debug)]
pub(crate) struct Allowed {
    pub(super) owner: UserId,
    /// How long it may take. None: as long as it says.
    rest: Option<Duration>,
    /// What its room may have.
    pub(super) most: TerminalRoom,
}

impl Allowed {
    /// As long as that, or what is left of the day.
    pub(crate) fn at_most(&self, timeout: Duration) -> Duration {
        self.rest.map_or(timeout, |rest| rest.min(timeout))
    }
}

/// What people may have of the terminal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TerminalAllowance<'a> {
    hub: &'a Hub,
}

impl Hub {
    pub(crate) fn terminal_allowance(&self) -> TerminalAllowance<'_> {
        TerminalAllowance { hub: self }
    }
}

impl TerminalAllowance<'_> {
    /// Without a word of administrators', what whoever runs the hub says.
    async fn rules(self) -> Result<TerminalRules> {
        let whose = self.hub.terminal().whose;
        let usual = TerminalRules { whose, minutes_a_day: None, room: TerminalRoom::default() };
        if usual.whose == TerminalUse::Nobody {
            return Ok(usual);
        }
        let said: Option<String> = query("SELECT value FROM settings WHERE key = $1", (SETTING,))
            .fetch_optional(self.hub.store().read())
            .await?;
        Ok(said.and_then(|said| serde_json::from_str(&said).ok()).unwrap_or(usual))
    }

    /// Whether agents of somebody with this role may run commands, and here.
    pub(crate) async fn is_for(self, role: Role) -> Result<bool> {
        Ok(includes(self.rules().await?.whose, role) && self.hub.terminal().ground().await.is_ok())
    }

    /// Leave for this person's agents, if there is any.
    pub(crate) async fn of(self, owner: &UserId) -> Result<std::result::Result<Allowed, TerminalError>> {
        let TerminalRules { whose, minutes_a_day, room } = self.rules().await?;
        let (role, disabled, used_ms): (Role, bool, i64) = query(
            "SELECT u.role, u.disabled, COALESCE(t.ms, 0) FROM users u
             LEFT JOIN terminal_time t ON t.user_id = u.id AND t.day = $2 WHERE u.id = $1",
            (owner, self.today()),
        )
        .fetch_optional(self.hub.store().read())
        .await?
        .ok_or(Error::NotFound("person"))?;
        if disabled || !includes(whose, role) {
            return Ok(Err(TerminalError::NotForThem));
        }
        let used = Duration::from_millis(used_ms.unsigned_abs());
        let rest =
            minutes_a_day.map(|minutes| Duration::from_secs(60 * u64::from(minutes)).saturating_sub(used));
        Ok(match rest {
            Some(Duration::ZERO) => Err(TerminalError::NoTime),
            rest => Ok(Allowed { owner: owner.clone(), rest, most: room }),
        })
    }

    /// Counts how long a command runs, from now on until it is dropped.
    pub(crate) fn timed(self, owner: &UserId) -> Timed {
        Timed { hub: self.hub.clone(), owner: owner.clone(), began: self.hub.moment() }
    }

    /// Counts how long a command ran.
    pub(crate) async fn note(self, owner: &UserId, millis: u64) -> Result<()> {
        query(
            "INSERT INTO terminal_time (user_id, day, ms) SELECT id, $2, $3 FROM users WHERE id = $1
             ON CONFLICT (user_id) DO UPDATE SET day = excluded.day,
               ms = CASE WHEN terminal_time.day = excluded.day THEN terminal_time.ms + excluded.ms
                    ELSE excluded.ms END",
            (owner, self.today(), i64::try_from(millis).unwrap_or(i64::MAX)),
        )
        .execute(self.hub.store().read())
        .await?;
        Ok(())
    }

    fn today(self) -> i64 {
        self.hub.now().div_euclid(DAY_MS)
    }
}

/// A command that runs. Whoever stops waiting for it has had its time all the same.
pub(crate) struct Timed {
    hub: Hub,
    owner: UserId,
    began: Moment,
}

impl Drop for Timed {
    fn drop(&mut self) {
        let (hub, owner) = (self.hub.clone(), self.owner.clone());
        let millis = u64::try_from(hub.moment().ms_since(self.began)).unwrap_or(0);
        self.hub.tasks().spawn(async move {
            if let Err(error) = hub.terminal_allowance().note(&owner, millis).await {
                tracing::warn!("how long a command ran was not counted: {error}");
            }
        });
    }
}

fn includes(whose: TerminalUse, role: Role) -> bool {
    match (whose, role) {
        (TerminalUse::Everyone, _)
        | (TerminalUse::Members, Role::Member)
        | (TerminalUse::Members | TerminalUse::Admins, Role::Admin) => true,
        (TerminalUse::Nobody, _)
        | (TerminalUse::Members, Role::Guest)
        | (TerminalUse::Admins, Role::Member | Role::Guest) => false,
    }
}

/// What administrators say of the terminal.
#[derive(Clone, Copy, Debug)]
pub struct TerminalOfAll<'a> {
    admin: Admin<'a>,
}

impl<'a> Admin<'a> {
    pub fn terminal(&self) -> TerminalOfAll<'a> {
        TerminalOfAll { admin: *self }
    }
}

impl TerminalOfAll<'_> {
    pub async fn read(self) -> Result<TerminalSettings> {
        let hub = self.admin.hub;
        let is_switched_off = hub.terminal().whose == TerminalUse::Nobody;
        let not_here = match is_switched_off {
            true => None,
            false => hub.terminal().ground().await.err(),
        };
        Ok(TerminalSettings { rules: hub.terminal_allowance().rules().await?, is_switched_off, not_here })
    }

    /// It holds from the next command on; jobs that may run no more are ended.
    pub async fn set(self, rules: TerminalRules) -> Result<TerminalSettings> {
        let hub = self.admin.hub;
        if hub.terminal().whose == TerminalUse::Nobody {
            return Err(Error::Conflict(
                "Whoever runs this hub has switched the terminal off: VIVARIUM_TERMINAL says so.".to_owned(),
            ));
        }
        if rules.minutes_a_day.is_some_and(|minutes| !(1..=MOST_MINUTES).contains(&minutes)) {
            return Err(Error::invalid("A day has 1 to 1440 minutes. Leave the field empty for no limit."));
        }
        check(rules.room)?;
        let text = serde_json::to_string(&rules)?;
        let mut tx = hub.store().write().await?;
        accounts::put_setting(&mut tx, SETTING, &text).await?;
        let words = in_words(rules);
        let line =
            AuditEvent::done(AuditAction::TerminalSet, self.admin.viewer).about_nobody().object(&words);
        hub.audit().note(&mut tx, line).await?;
        tx.commit().await?;
        self.read().await
    }
}

fn check(TerminalRoom { memory_mb, disk_mb, processes }: TerminalRoom) -> Result<()> {
    let is_within =
        |given: Option<u32>, within: &RangeInclusive<u32>| given.is_none_or(|given| within.contains(&given));
    if !is_within(memory_mb, &MEGABYTES) || !is_within(disk_mb, &MEGABYTES) {
        return Err(Error::invalid(
            "A room has 64 to 65,536 MB of memory and of disk. Leave a field empty for what is usual.",
        ));
    }
    if !is_within(processes, &PROCESSES) {
        return Err(Error::invalid(
            "A room has 8 to 4,096 processes. Leave the field empty for what is usual.",
        ));
    }
    Ok(())
}

fn in_words(TerminalRules { whose, minutes_a_day, room }: TerminalRules) -> String {
    let whose = match whose {
        TerminalUse::Nobody => "nobody",
        TerminalUse::Admins => "administrators",
        TerminalUse::Members => "all but guests",
        TerminalUse::Everyone => "everybody",
    };
    let parts = [
        minutes_a_day.map(|minutes| format!("{minutes} minutes a day")),
        room.memory_mb.map(|mb| format!("{mb} MB of memory")),
        room.disk_mb.map(|mb| format!("{mb} MB of disk")),
        room.processes.map(|count| format!("{count} processes")),
    ];
    let parts: Vec<String> = std::iter::once(whose.to_owned()).chain(parts.into_iter().flatten()).collect();
    parts.join(", ")
}
