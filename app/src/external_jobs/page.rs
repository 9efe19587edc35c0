//! The page: what was started elsewhere, where that may be, and the form for one more service.

use super::api::{AddJobService, list_external_jobs, list_job_services};
use super::form::ServiceForm;
use super::list::{JobList, ServiceList};
use crate::AppError;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::prelude::*;
use crate::session::{brings_own, me};
use crate::together::together;
use crate::ui::{FormAction, Section, WhoCan, kept};
use leptos_meta::Title;
use protocol::view::{ExternalJobView, JobServiceView, Me};
use serde::{Deserialize, Serialize};

/// All that the page shows.
#[derive(Clone, Serialize, Deserialize)]
struct PageData {
    me: Me,
    services: Vec<JobServiceView>,
    jobs: Vec<ExternalJobView>,
}

#[component]
pub fn ExternalJobsPage() -> impl IntoView {
    let add = FormAction::<AddJobService>::new();
    let known = PageResource::new(move || add.version().get(), |_| load());
    view! {
        <Title text="External jobs"/>
        <Loaded resource=known view=move |known| view! { <Sections known add/> }/>
    }
}

#[component]
fn Sections(known: PageData, add: FormAction<AddJobService>) -> impl IntoView {
    let PageData { me, services, jobs } = known;
    let form = match brings_own(&me) {
        true => kept((), move |()| view! { <ServiceForm add/> }),
        false => view! { <WhoCan words="Members and administrators can add services."/> }.into_any(),
    };
    let jobs = match jobs.is_empty() {
        true => view! { <p class="empty" data-size="small"><span>"None yet. What your agents start at a service stands here, with how it goes."</span></p> }.into_any(),
        false => view! { <JobList jobs/> }.into_any(),
    };
    let list = match services.is_empty() {
        true => view! { <NoServices/> }.into_any(),
        false => view! { <ServiceList list=services/> }.into_any(),
    };
    view! {
        <Shell me>
            <div class="settings">
                <h1>"External jobs"</h1>
                <Section id="jobs" title="Started by your agents" lead="What they have done elsewhere, the newest first.">
                    {jobs}
                </Section>
                <Section
                    id="services"
                    title="Services"
                    lead="Places elsewhere that carry out jobs. An agent that has the tool external_job, and may reach the service, can start those that you name. You are asked before each, unless a rule of yours says otherwise."
                >
                    {list}
                </Section>
                {form}
            </div>
        </Shell>
    }
}

#[component]
fn NoServices() -> impl IntoView {
    view! {
        <div class="empty">
            <h3>"No service yet"</h3>
            <p>"A repository at GitHub, or another server that carries out jobs, with what your agents may start there."</p>
        </div>
    }
}

async fn load() -> Result<PageData, AppError> {
    let (me, services, jobs) = together!(me(), list_job_services(), list_external_jobs());
    Ok(PageData { me, services, jobs })
}
