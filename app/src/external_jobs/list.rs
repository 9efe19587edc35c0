//! The person's services, and what was started there, as it goes on.

use super::api::list_external_jobs;
use super::words;
use crate::browser::{follow_nouns, reading_anew};
use crate::prelude::*;
use crate::ui::{Table, When};
use protocol::hub::Noun;
use protocol::view::{ExternalJobView, JobServiceView};

#[component]
pub(super) fn ServiceList(list: Vec<JobServiceView>) -> impl IntoView {
    let rows = list.into_iter().map(service).collect_view().into_any();
    view! { <Table columns=["Service", "Kind", "Jobs"] rows/> }
}

fn service(service: JobServiceView) -> impl IntoView {
    let page = format!("/job-services/{}", service.id);
    let off = (!service.is_on).then(|| view! { <span class="chip">"Off"</span> });
    let silent = service
        .failure
        .is_some()
        .then(|| view! { <span class="chip" data-kind="refused">"Did not answer"</span> });
    let jobs: Vec<String> = service.jobs.iter().map(|job| job.name.clone()).collect();
    view! {
        <tr>
            <td><a href=page>{service.name}</a> {off} {silent}</td>
            <td data-label="Kind">{words::kind(service.kind)}</td>
            <td data-label="Jobs">{jobs.join(", ")}</td>
        </tr>
    }
}

#[component]
pub(super) fn JobList(jobs: Vec<ExternalJobView>) -> impl IntoView {
    let jobs = RwSignal::new(jobs);
    let read = || async { list_external_jobs().await.ok() };
    let again = reading_anew(read, move |now: Vec<ExternalJobView>| {
        if jobs.try_with_untracked(|shown| *shown != now) == Some(true) {
            jobs.try_set(now);
        }
    });
    follow_nouns(&[Noun::ExternalJobs], again);
    move || {
        let rows = jobs.get().into_iter().map(job).collect_view().into_any();
        view! { <Table columns=["Job", "Agent", "State", "Started"] rows/> }
    }
}

fn job(job: ExternalJobView) -> impl IntoView {
    let name = say!("{job} at {service}", job = job.job.clone(), service = job.service.clone());
    let agent = match (job.agent, job.agent_name) {
        (Some(id), Some(name)) => view! { <a href=format!("/agents/{id}")>{name}</a> }.into_any(),
        _ => view! { <span>"An agent that is deleted"</span> }.into_any(),
    };
    let progress = (!job.progress.is_empty() && !job.state.is_over()).then_some(job.progress);
    view! {
        <tr>
            <td><a href=format!("/external-jobs/{}", job.id)>{name}</a></td>
            <td data-label="Agent">{agent}</td>
            <td data-label="State"><span class="chip" data-kind=words::chip(job.state)>{words::state(job.state)}</span> " " {progress}</td>
            <td data-label="Started"><When at=job.started_at/></td>
        </tr>
    }
}
