//! Commands of agents in the background, as a page shows them.

use serde::{Deserialize, Serialize};

/// How a job came to its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "how", rename_all = "snake_case")]
pub enum JobEnding {
    Exited {
        code: i32,
    },
    /// By a signal, by its number.
    Killed {
        signal: i32,
    },
    TimeOver,
    /// It took more than it may have.
    Exceeded {
        what: String,
    },
    StoppedByPerson,
    StoppedByAgent,
    /// Its agent is deleted, or its person may have no terminal any more.
    NotAllowedAnyMore,
    /// The hub stopped or crashed.
    HubEnded,
    /// It was never begun.
    NotRun {
        why: String,
    },
}

impl JobEnding {
    /// In words that follow "It".
    pub fn words(&self) -> String {
        match self {
            Self::Exited { code: 0 } => "succeeded".to_owned(),
            Self::Exited { code } => format!("failed with exit code {code}"),
            Self::Killed { signal } => format!("was killed by signal {signal}"),
            Self::TimeOver => "was ended when its time was over".to_owned(),
            Self::Exceeded { what } => {
                format!(
                    "was ended because {what}; what it changed since its output was last read was not kept"
                )
            }
            Self::StoppedByPerson => "was stopped by the person".to_owned(),
            Self::StoppedByAgent => "was stopped by the agent".to_owned(),
            Self::NotAllowedAnyMore => "was ended, because it may not run any more".to_owned(),
            Self::HubEnded => "ended with the hub".to_owned(),
            Self::NotRun { why } => format!("was not run: {why}"),
        }
    }
}

/// A command of an agent in the background.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TerminalJob {
    /// By which its agent knows it.
    pub number: u32,
    pub command: String,
    /// Since it began, until it ended if it has.
    pub age_s: u64,
    /// The last lines that it said.
    pub last: String,
    /// None: it runs.
    pub ending: Option<JobEnding>,
}
