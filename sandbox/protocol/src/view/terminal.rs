//! Commands of agents in the background, as a page shows them.

use serde::{Deserialize, Serialize};

/// Whose agents may run commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TerminalUse {
    Nobody,
    Admins,
    /// All but guests.
    Members,
    Everyone,
}

/// Who has a terminal, and how much of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TerminalRules {
    pub whose: TerminalUse,
    /// How long commands of one person's agents may run in a day (UTC), those in the background too. None: without
    /// bound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minutes_a_day: Option<u32>,
    #[serde(default, skip_serializing_if = "TerminalRoom::is_usual")]
    pub room: TerminalRoom,
}

/// What the room of one command may take. None: what is usual.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TerminalRoom {
    /// Of all its processes together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_mb: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disk_mb: Option<u32>,
    /// At once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processes: Option<u32>,
}

impl TerminalRoom {
    pub fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

/// The same, with what stands against it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TerminalSettings {
    pub rules: TerminalRules,
    /// Whoever runs the hub has switched it off, for everybody.
    pub is_switched_off: bool,
    /// Why commands cannot be confined on this machine, if they cannot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_here: Option<String>,
}

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
