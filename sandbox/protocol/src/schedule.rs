//! Schedules: when an agent is to be told something by itself, and what came of it.

use crate::money::Budget;
use crate::{AgentId, Micros, ScheduleId};
use serde::{Deserialize, Serialize};

/// When a schedule is due. Times are those of a wall clock in a zone of the IANA database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Timing {
    /// `2026-11-23T08:00`.
    Once { at: String, zone: String },
    /// Counted from when the schedule was made.
    Every { minutes: u32 },
    /// `08:00`.
    Days { days: Days, time: String, zone: String },
    /// Minute, hour, day of the month, month, day of the week.
    Cron { expression: String, zone: String },
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Days {
    #[default]
    All,
    /// Monday to Friday.
    Workdays,
    Weekends,
    Monday,
    Tuesday,
    Wednesday,
    Thursday,
    Friday,
    Saturday,
    Sunday,
}

impl Days {
    pub const ALL: [Self; 10] = [
        Self::All,
        Self::Workdays,
        Self::Weekends,
        Self::Monday,
        Self::Tuesday,
        Self::Wednesday,
        Self::Thursday,
        Self::Friday,
        Self::Saturday,
        Self::Sunday,
    ];
}

/// What becomes of a time that passed while the hub was off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Missed {
    /// The latest of them is made up for, the others are not.
    #[default]
    CatchUp,
    Skip,
}

/// Who made a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Author {
    Person,
    Agent,
}

/// What happened with a schedule, as the agent's log has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ScheduleEvent {
    Made {
        by: Author,
    },
    /// It came with the agent from an archive or from the agent's original, switched off.
    Brought,
    Changed,
    Paused,
    Resumed,
    Deleted {
        by: Author,
    },
    /// The hub was off when it was due, and it did not run for that time.
    Missed {
        due: i64,
    },
    /// It ran so many times, and nobody has looked since.
    Idle {
        times: u32,
        cost: Micros,
    },
}

/// A schedule as its person sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScheduleView {
    pub id: ScheduleId,
    pub agent: AgentId,
    pub name: String,
    /// What the agent is told.
    pub message: String,
    pub timing: Timing,
    pub missed: Missed,
    pub paused: bool,
    pub by: Author,
    /// Unix milliseconds; absent: it will not be due any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_at: Option<i64>,
    /// What came of the last time that it was due.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<Firing>,
    pub budget: Budget,
    /// It runs, and nobody looks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idle: Option<Idle>,
}

/// One time that a schedule was due.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Firing {
    pub due: i64,
    pub state: FiringState,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FiringState {
    /// The agent is still at work on something else.
    Queued,
    /// The agent lives in a browser, and no page of it is open.
    NoPage,
    Running,
    /// The run waits for its person: for a yes, or for money.
    WaitsForYou,
    Done,
    Failed {
        why: String,
    },
    /// The hub was off.
    Missed,
    /// It was due again before the agent was free.
    Overtaken,
    /// A limit on spending had stopped the agent that day.
    OverLimit,
}

/// Since somebody last looked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Idle {
    pub times: u32,
    pub cost: Micros,
}

/// What "create" and "edit" take, as a form has it: `kind` says which of the fields count.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScheduleDraft {
    pub name: String,
    pub message: String,
    pub kind: TimingKind,
    /// Once: `2026-11-23T08:00`.
    #[serde(default)]
    pub at: String,
    /// On days: `08:00`.
    #[serde(default)]
    pub time: String,
    #[serde(default)]
    pub days: Days,
    /// Every so many minutes.
    #[serde(default)]
    pub minutes: String,
    #[serde(default)]
    pub cron: String,
    /// An IANA name; empty: UTC.
    #[serde(default)]
    pub zone: String,
    #[serde(default)]
    pub missed: Missed,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TimingKind {
    Once,
    #[default]
    Days,
    Every,
    Cron,
}
