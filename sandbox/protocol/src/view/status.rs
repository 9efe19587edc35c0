//! How the hub is, for administrators: what it measures itself, and nobody's words. Names are there only of the people
//! who keep each of several nodes busy.

use crate::UserId;
use crate::agent::ProviderKind;
use crate::model::ModelFailureKind;
use serde::{Deserialize, Serialize};

/// Times are in Unix milliseconds, sizes in bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HubStatus {
    pub version: String,
    /// When this process began.
    pub began_at: i64,
    pub database: DatabaseStatus,
    /// Absent: where the hub keeps its files cannot be looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disk: Option<DiskStatus>,
    pub work: WorkStatus,
    pub schedules: ScheduleStatus,
    /// Those that were called since the start.
    pub providers: Vec<ProviderHealth>,
    pub tools: ToolCallStatus,
    /// Absent: the hub makes none by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backups: Option<BackupStatus>,
    pub keys: KeyStatus,
    /// Absent: this process writes none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log: Option<LogStatus>,
    /// Those that serve the hub together, the oldest first. Empty: this process is alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<NodeStatus>,
}

/// A node as the others see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeStatus {
    pub id: String,
    pub version: String,
    pub began_at: i64,
    /// Since it last said that it is there, in milliseconds.
    pub silent_ms: u64,
    /// How many people are placed on it.
    pub people: u64,
    /// How many of their runs are under way.
    #[serde(default)]
    pub runs: u64,
    /// Whose they are: some, who has the most first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub busiest: Vec<BusyPerson>,
    /// How long its last word to itself was under way over NATS, in microseconds. Absent: it did not come back, or the
    /// node is of a version that says none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nats_us: Option<u64>,
    /// It hands its people to the others, because an administrator wants that.
    #[serde(default)]
    pub hands_over: bool,
    /// It is the one that tells this.
    pub is_this: bool,
}

/// Somebody with runs under way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BusyPerson {
    pub id: UserId,
    pub name: String,
    pub runs: u64,
}

/// What the hub logs, in the grammar of `RUST_LOG`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogStatus {
    pub filter: String,
    /// What it logs if nobody chooses.
    pub usual: String,
    /// When it goes back to what is usual. Absent: it logs that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<i64>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DatabaseStatus {
    /// Its own name.
    pub kind: String,
    pub bytes: u64,
    /// The number of the newest change of its schema.
    pub migration: i64,
    /// Statements of the last hour that took more than a second.
    #[serde(default)]
    pub slow: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slowest: Option<SlowStatement>,
}

/// The statement of the last hour that took the longest: what it does, to which table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlowStatement {
    pub ms: u64,
    pub what: String,
}

/// The disk with the hub's files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiskStatus {
    pub free: u64,
    pub whole: u64,
    pub room: DiskRoom,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DiskRoom {
    Enough,
    /// Less than 64 MB: soon nothing can be saved any more.
    Little,
    /// Less than 1 MB: what is written now may not be saved.
    Full,
}

/// What is under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkStatus {
    pub runs: u64,
    /// Questions that people have not answered.
    pub questions: u64,
    /// Notifications on their way to devices and channels.
    pub deliveries: u64,
    pub tasks: u64,
    /// Tabs and streams that are connected.
    pub connections: u64,
}

/// What agents are told by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScheduleStatus {
    pub active: u64,
    /// Due for more than a minute, and not begun.
    pub overdue: u64,
    pub next_at: Option<i64>,
}

/// How calls of one kind of provider went. A request that it refused says nothing about its health.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProviderHealth {
    pub kind: ProviderKind,
    pub answered: u64,
    pub failed: u64,
    pub last_answer_at: Option<i64>,
    pub last_failure: Option<ProviderFailure>,
    /// Calls of the last hour that took more than a minute.
    #[serde(default)]
    pub slow: u64,
    /// What the longest of them took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slowest_ms: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProviderFailure {
    pub at: i64,
    pub kind: ModelFailureKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCallStatus {
    pub ended: u64,
    /// Those that took more than five seconds, waiting for people included.
    pub slow: u64,
}

/// Backups that the hub makes by itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackupStatus {
    pub every_hours: u64,
    /// The newest in the folder, whoever made it.
    pub newest_at: Option<i64>,
    pub newest_bytes: Option<u64>,
    /// Why the last try made none, and when that was.
    pub failure: Option<BackupFailure>,
    /// Absent: none is being made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub under_way_since: Option<i64>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackupFailure {
    pub at: i64,
    pub why: String,
}

/// The key that seals the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyStatus {
    /// It is in a file of the hub's; else it was given to the program.
    pub in_file: bool,
    /// A rotation is not done.
    pub rotating: bool,
    pub secrets: u64,
}
