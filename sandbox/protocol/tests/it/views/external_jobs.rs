//! Services that run jobs, and the jobs.

use crate::golden::{Section, every, section};
use crate::samples::{AT, agent};
use protocol::view::{
    ExternalJobDetail, ExternalJobLog, ExternalJobState, ExternalJobView, JobServiceDraft, JobServiceKind,
    JobServiceView, OfferedJob,
};

pub fn sections() -> Vec<Section> {
    vec![
        section("JobServiceView", &[job_service()]),
        section("JobServiceDraft", &[job_service_draft()]),
        section("ExternalJobDetail", &[external_job()]),
        every!(JobServiceKind {
            JobServiceKind::Github => [JobServiceKind::Github],
            JobServiceKind::Http => [JobServiceKind::Http],
        }),
        every!(ExternalJobState {
            ExternalJobState::Starting => [ExternalJobState::Starting],
            ExternalJobState::Queued => [ExternalJobState::Queued],
            ExternalJobState::Running => [ExternalJobState::Running],
            ExternalJobState::Succeeded => [ExternalJobState::Succeeded],
            ExternalJobState::Failed => [ExternalJobState::Failed],
            ExternalJobState::Cancelled => [ExternalJobState::Cancelled],
            ExternalJobState::Lost => [ExternalJobState::Lost],
        }),
    ]
}

pub fn job_service() -> JobServiceView {
    let job = |name: &str, branch: &str, id_input: &str| OfferedJob {
        name: name.to_owned(),
        branch: branch.to_owned(),
        id_input: id_input.to_owned(),
    };
    JobServiceView {
        id: "service-1".into(),
        name: "ci".to_owned(),
        kind: JobServiceKind::Github,
        url: "https://api.github.com".to_owned(),
        repository: "octo/garden".to_owned(),
        log_url: String::new(),
        jobs: vec![job("build.yml", "main", "job_id"), job("render", "", "")],
        has_token: true,
        is_on: true,
        failure: Some("It refuses this (status 403). Check what the token may do.".to_owned()),
        under_way: 1,
    }
}

pub fn job_service_draft() -> JobServiceDraft {
    JobServiceDraft {
        name: "farm".to_owned(),
        kind: JobServiceKind::Http,
        url: "https://farm.example".to_owned(),
        jobs: "render".to_owned(),
        token: "token".to_owned(),
        ..JobServiceDraft::default()
    }
}

pub fn external_job() -> ExternalJobDetail {
    ExternalJobDetail {
        job: ExternalJobView {
            id: "job-1".into(),
            number: 3,
            service: "ci".to_owned(),
            job: "build.yml".to_owned(),
            agent: Some(agent()),
            agent_name: Some("Fern".to_owned()),
            state: ExternalJobState::Failed,
            why: "Failed: grow.".to_owned(),
            progress: String::new(),
            link: Some("https://github.com/octo/garden/actions/runs/1000".to_owned()),
            exit_code: Some(1),
            is_cancelled: false,
            started_at: AT,
            ended_at: Some(AT),
        },
        input: r#"{"leaf":"moss"}"#.to_owned(),
        result: Some(r#"{"conclusion":"failure"}"#.to_owned()),
        log: ExternalJobLog { text: "one\n".to_owned(), from: 8, next: 12, left_out: 0 },
    }
}
