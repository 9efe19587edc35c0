//! Schedules: when an agent is to be told something by itself, and what came of it.

use crate::money::Budget;
use crate::{AgentId, ConversationId, Micros, ScheduleId};
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
    /// Whenever something is delivered to its address.
    Webhook,
    /// Whenever a mail came into a mailbox.
    Mail(Mailbox),
    /// Whenever a feed (RSS, Atom, JSON Feed) has something new. `minutes`: from one look to the next.
    Feed { url: String, minutes: u32 },
    /// Whenever a run of another agent of the same person has ended, or with `pipelines` a pipeline that it leads.
    Finished {
        agent: AgentId,
        #[serde(default, skip_serializing_if = "crate::is_false")]
        pipelines: bool,
    },
    /// Whenever files have changed that this agent did not change: a path or a pattern like `/workspace/*.md`.
    File { path: String },
    /// Whenever its person has a page open on a device after there was none for an hour.
    Device,
}

/// A mailbox on a server of IMAP, without the password that opens it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mailbox {
    /// Host and port: `imap.example.org:993`.
    pub server: String,
    #[serde(default)]
    pub seal: MailSeal,
    pub user: String,
    pub folder: String,
    /// Whose mail counts: addresses, or `@example.org` for all of a domain. Empty: everybody's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub from: Vec<String>,
    /// What has to stand in the subject, in capitals or not.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub subject: String,
    /// From one look to the next.
    pub minutes: u32,
}

/// How a connection to a server for mail is sealed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MailSeal {
    /// From the first byte on.
    #[default]
    Tls,
    /// After the greeting, or not used at all.
    Starttls,
    /// Not at all, for a server on the hub's own machine.
    None,
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

/// How the times of a schedule become runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FiringRules {
    pub overlap: Overlap,
    /// Each time is put off by up to so many seconds.
    pub jitter_s: u32,
    /// So many failures in a row switch it off; 0: none do.
    pub breaker: u32,
    /// What must hold of the agent's state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub only_if: Option<StateCondition>,
}

impl Default for FiringRules {
    fn default() -> Self {
        Self { overlap: Overlap::default(), jitter_s: 0, breaker: 5, only_if: None }
    }
}

/// A condition on the value of a key of `flo.state`, in the grammar of its rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateCondition {
    pub key: String,
    pub when: String,
}

/// What becomes of a time at which the agent is still at work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Overlap {
    /// It waits, and the next one takes its place.
    #[default]
    Newest,
    Skip,
    /// Each waits for its turn, up to twenty.
    Each,
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
    /// It failed so many times in a row, and was switched off.
    Broken {
        times: u32,
        why: String,
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
    #[serde(default)]
    pub rules: FiringRules,
    pub paused: bool,
    /// Why the hub switched it off, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broken: Option<String>,
    pub by: Author,
    /// When the secret for deliveries was made, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret_made_at: Option<i64>,
    /// How its mailbox stands, if it has one with a password.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mailbox: Option<LookState>,
    /// How its feed stands, if it has one that the hub looks at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feed: Option<LookState>,
    /// What the agent is called after which it is due; absent: there is no such agent here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// Unix milliseconds; absent: no time is set, or none is left.
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

/// What came of the last look into a mailbox, or at a feed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LookState {
    /// When one was without a failure. Unix milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checked_at: Option<i64>,
    /// What is in the way since, and what to do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// One time that a schedule was due.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Firing {
    pub due: i64,
    #[serde(default)]
    pub cause: FiringCause,
    pub state: FiringState,
    /// What its runs cost so far.
    #[serde(default)]
    pub cost: Micros,
    /// Where its words were said, if they were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversation: Option<ConversationId>,
}

/// Why a schedule was due.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FiringCause {
    #[default]
    Time,
    /// Its person pressed "Run now".
    Person,
    /// Something was delivered to its address.
    Webhook,
    /// A mail came.
    Mail,
    /// A feed had something new.
    Feed,
    /// A run of another agent had ended, or a pipeline that it leads.
    Finished,
    /// Files had changed.
    File,
    /// Its person had come back.
    Device,
}

/// What a schedule would do, without doing it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SchedulePreview {
    /// What the model would read.
    pub text: String,
    /// Whether its condition holds now; absent: it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<bool>,
    /// The next five times at most, as if it were not paused.
    pub next: Vec<i64>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FiringState {
    /// The agent is still at work on something else.
    Queued,
    /// The agent is paused.
    Paused,
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
    /// The agent was at work, or the schedule was switched off before its turn came.
    Skipped,
    /// Its condition did not hold.
    Unmet,
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
    /// After so many minutes from now.
    #[serde(default)]
    pub delay: String,
    #[serde(default)]
    pub cron: String,
    /// By mail: a host, with its port where it is not the usual one.
    #[serde(default)]
    pub mail_server: String,
    #[serde(default)]
    pub mail_seal: MailSeal,
    #[serde(default)]
    pub mail_user: String,
    /// Empty: the one that is kept.
    #[serde(default)]
    pub mail_password: String,
    /// Empty: `INBOX`.
    #[serde(default)]
    pub mail_folder: String,
    /// Addresses with commas or blanks in between; empty: everybody's mail counts.
    #[serde(default)]
    pub mail_from: String,
    #[serde(default)]
    pub mail_subject: String,
    /// From one look to the next; empty: five.
    #[serde(default)]
    pub mail_minutes: String,
    /// By a feed: its address.
    #[serde(default)]
    pub feed_url: String,
    /// From one look to the next; empty: thirty.
    #[serde(default)]
    pub feed_minutes: String,
    /// After a run of this agent.
    #[serde(default)]
    pub after_agent: String,
    /// After a pipeline that it leads, in place of its runs.
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub after_pipelines: bool,
    /// By files: a path or a pattern.
    #[serde(default)]
    pub file_path: String,
    /// An IANA name; empty: UTC.
    #[serde(default)]
    pub zone: String,
    #[serde(default)]
    pub missed: Missed,
    #[serde(default)]
    pub overlap: Overlap,
    /// Seconds; empty: none.
    #[serde(default)]
    pub jitter: String,
    /// Failures in a row; empty: five.
    #[serde(default)]
    pub breaker: String,
    /// The key of the state that `only_if` is about.
    #[serde(default)]
    pub only_if_key: String,
    /// Empty: no condition.
    #[serde(default)]
    pub only_if: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TimingKind {
    Once,
    /// Once, counted from now.
    After,
    #[default]
    Days,
    Every,
    Cron,
    Webhook,
    Mail,
    Feed,
    Finished,
    File,
    Device,
}
