//! Places elsewhere that carry out jobs for a person's agents, and those jobs.

use crate::{AgentId, ExternalJobId, JobServiceId};
use serde::{Deserialize, Serialize};

/// How a job service is spoken with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JobServiceKind {
    /// Workflows of a repository that are started by hand.
    #[default]
    Github,
    /// The requests that `docs/operating.md` describes.
    Http,
}

/// What a person says of a new one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobServiceDraft {
    pub name: String,
    pub kind: JobServiceKind,
    pub url: String,
    #[serde(default)]
    pub repository: String,
    #[serde(default)]
    pub log_url: String,
    /// One a line: its name, of GitHub the branch after it, and the input for its id after that.
    pub jobs: String,
    #[serde(default)]
    pub token: String,
}

/// A place elsewhere where a person's agents may start jobs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobServiceView {
    pub id: JobServiceId,
    /// By which agents name it.
    pub name: String,
    pub kind: JobServiceKind,
    /// Where its API begins.
    pub url: String,
    /// Of GitHub: owner and name, with a slash between them.
    pub repository: String,
    /// Where its logs lie, if that is neither with it nor on the public web.
    pub log_url: String,
    pub jobs: Vec<OfferedJob>,
    pub has_token: bool,
    pub is_on: bool,
    /// Why it did not answer when it was last asked.
    pub failure: Option<String>,
    pub under_way: u32,
}

/// A job that agents may start.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OfferedJob {
    /// Of GitHub the file of a workflow.
    pub name: String,
    /// Of GitHub the branch or tag that it runs on.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub branch: String,
    /// Of GitHub the input that takes an id by which its run is found again, where the workflow has one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub id_input: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExternalJobState {
    /// It was asked for, and the service has not shown it yet.
    Starting,
    Queued,
    Running,
    Succeeded,
    Failed,
    Cancelled,
    /// Nobody knows what became of it.
    Lost,
}

impl ExternalJobState {
    pub fn is_over(self) -> bool {
        match self {
            Self::Starting | Self::Queued | Self::Running => false,
            Self::Succeeded | Self::Failed | Self::Cancelled | Self::Lost => true,
        }
    }
}

/// A job that an agent started elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExternalJobView {
    pub id: ExternalJobId,
    /// By which its agent knows it.
    pub number: u32,
    /// The name of the service.
    pub service: String,
    pub job: String,
    /// Who started it, if that agent is still there.
    pub agent: Option<AgentId>,
    pub agent_name: Option<String>,
    pub state: ExternalJobState,
    /// Why it ended as it did, or what is in the way of looking at it.
    pub why: String,
    /// How far it is, in the words of the service.
    pub progress: String,
    /// Its page there.
    pub link: Option<String>,
    pub exit_code: Option<i64>,
    /// Whether it was asked to end before its time.
    pub is_cancelled: bool,
    /// In Unix milliseconds.
    pub started_at: i64,
    pub ended_at: Option<i64>,
}

/// One with what was said to it and by it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExternalJobDetail {
    pub job: ExternalJobView,
    /// What it was given, as JSON.
    pub input: String,
    /// What came of it, as JSON of the service's.
    pub result: Option<String>,
    pub log: ExternalJobLog,
}

/// A part of a job's log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExternalJobLog {
    pub text: String,
    /// The byte of the log at which it begins.
    pub from: u64,
    /// Where to read on.
    pub next: u64,
    /// Bytes between where reading was to begin and where it does, which are not kept.
    pub left_out: u64,
}
