//! Jobs elsewhere in words.

use crate::prelude::t;
use protocol::view::{ExternalJobState, JobServiceKind, OfferedJob};

pub(super) fn state(state: ExternalJobState) -> &'static str {
    t(match state {
        ExternalJobState::Starting => "Starting",
        ExternalJobState::Queued => "Waits there",
        ExternalJobState::Running => "Runs",
        ExternalJobState::Succeeded => "Succeeded",
        ExternalJobState::Failed => "Failed",
        ExternalJobState::Cancelled => "Cancelled",
        ExternalJobState::Lost => "Nobody knows",
    })
}

/// How a chip shows it.
pub(super) fn chip(state: ExternalJobState) -> Option<&'static str> {
    match state {
        ExternalJobState::Failed | ExternalJobState::Lost => Some("refused"),
        ExternalJobState::Starting
        | ExternalJobState::Queued
        | ExternalJobState::Running
        | ExternalJobState::Succeeded
        | ExternalJobState::Cancelled => None,
    }
}

pub(super) fn kind(kind: JobServiceKind) -> &'static str {
    t(match kind {
        JobServiceKind::Github => "GitHub Actions",
        JobServiceKind::Http => "Another server",
    })
}

/// As they are entered: one a line.
pub(super) fn jobs(jobs: &[OfferedJob]) -> String {
    let line = |job: &OfferedJob| {
        let words = [&job.name, &job.branch, &job.id_input].map(String::as_str);
        words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
    };
    jobs.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// JSON as it is read.
pub(super) fn json(text: &str) -> String {
    let value: Option<serde_json::Value> = serde_json::from_str(text).ok();
    value.and_then(|value| serde_json::to_string_pretty(&value).ok()).unwrap_or_else(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_are_shown_as_they_are_entered() {
        let job = |name: &str, branch: &str, id_input: &str| OfferedJob {
            name: name.to_owned(),
            branch: branch.to_owned(),
            id_input: id_input.to_owned(),
        };
        let list = [job("build.yml", "main", "job_id"), job("render", "", "")];
        assert_eq!(jobs(&list), "build.yml main job_id\nrender");
    }
}
