//! The page of one job: how it stands, what it says while it says it, what came of it, and a way to end it.

use super::api::{CancelExternalJob, read_external_job, read_external_job_log};
use super::words;
use crate::AppError;
use crate::browser::follow_nouns;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::prelude::*;
use crate::session::me;
use crate::together::together;
use crate::ui::{ActionFailure, ActionForm, FormAction, PageTitle, Section, When};
use leptos::task::spawn_local;
use leptos_router::hooks::use_params_map;
use protocol::ExternalJobId;
use protocol::hub::Noun;
use protocol::view::{ExternalJobDetail, ExternalJobLog, ExternalJobView, Me};
use serde::{Deserialize, Serialize};

/// Parts of a log that are asked for at once.
const PARTS: usize = 8;
/// Of a log that the page holds.
const MOST_LOG_BYTES: usize = 512 * 1024;

/// All that the page shows.
#[derive(Clone, Serialize, Deserialize)]
struct PageData {
    me: Me,
    found: ExternalJobDetail,
}

#[component]
pub fn ExternalJobPage() -> impl IntoView {
    let params = use_params_map();
    let id = Memo::new(move |_| ExternalJobId(params.read().get("id").unwrap_or_default()));
    let cancel = FormAction::<CancelExternalJob>::new();
    let shown = PageResource::new(move || (id.get(), cancel.version().get()), |(id, _)| load(id));
    view! { <Loaded resource=shown view=move |shown| view! { <Job shown cancel/> }/> }
}

#[component]
fn Job(shown: PageData, cancel: FormAction<CancelExternalJob>) -> impl IntoView {
    let PageData { me, found } = shown;
    let ExternalJobDetail { job, input, result, log } = found;
    let id = job.id.clone();
    let heading = say!("{job} at {service}", job = job.job.clone(), service = job.service.clone());
    let (job, result, log) = (RwSignal::new(job), RwSignal::new(result), RwSignal::new(log));
    follow(id.clone(), job, result, log);
    let is_over = Memo::new(move |_| job.with(|job| job.state.is_over()));
    let is_cancelled = Memo::new(move |_| job.with(|job| job.is_cancelled));
    let given = (input != "{}").then(|| {
        let input = words::json(&input);
        view! {
            <Section id="input" title="What it was given">
                <pre class="job-log" data-size="small" tabindex="0" aria-label="What it was given">{input}</pre>
            </Section>
        }
    });
    view! {
        <PageTitle text=heading.clone()/>
        <Shell me>
            <div class="settings">
                <header class="section-head">
                    <h1>{heading}</h1>
                    <Standing job/>
                </header>
                <ActionFailure value=cancel.value()/>
                <div class="actions">
                    <Show when=move || !is_over.get() && !is_cancelled.get()>
                        <ActionForm action=cancel>
                            <input type="hidden" name="id" value={job.with_untracked(|job| job.id.0.clone())}/>
                            <button type="submit" class="button" data-kind="danger">"Cancel the job"</button>
                        </ActionForm>
                    </Show>
                    <PageThere job/>
                    <a class="button" href="/external-jobs">"All external jobs"</a>
                </div>
                <CameOfIt result/>
                <Log log/>
                {given}
            </div>
        </Shell>
    }
}

/// State, progress and why, as they change.
#[component]
fn Standing(job: RwSignal<ExternalJobView>) -> impl IntoView {
    let state = Memo::new(move |_| job.with(|job| job.state));
    let more = move || {
        job.with(|job| {
            let code = job.exit_code.map(|code| say!("Exit code {code}."));
            let cancelling =
                (job.is_cancelled && !job.state.is_over()).then(|| t("It was asked to end.").to_owned());
            let progress = (!job.state.is_over()).then(|| job.progress.clone());
            let told = [progress, Some(job.why.clone()), code, cancelling];
            told.into_iter().flatten().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ")
        })
    };
    let started_at = job.with_untracked(|job| job.started_at);
    let ended = move || job.with(|job| job.ended_at).map(|at| view! { ", ended " <When at/> });
    let by = job.with_untracked(|job| match (job.agent.clone(), job.agent_name.clone()) {
        (Some(id), Some(name)) => view! { <a href=format!("/agents/{id}")>{name}</a> }.into_any(),
        _ => view! { <span>"An agent that is deleted"</span> }.into_any(),
    });
    view! {
        <p role="status">
            <span class="chip" data-kind=move || words::chip(state.get())>{move || words::state(state.get())}</span>
            " "
            {more}
        </p>
        <p class="made-tool-meta">{by} ", started " <When at=started_at/> {ended}</p>
    }
}

/// Its page there.
#[component]
fn PageThere(job: RwSignal<ExternalJobView>) -> impl IntoView {
    let link = Memo::new(move |_| job.with(|job| job.link.clone()));
    move || {
        link.get().map(|link| {
            view! { <a class="button" href=link target="_blank" rel="noreferrer noopener">"Open it there"</a> }
        })
    }
}

#[component]
fn CameOfIt(result: RwSignal<Option<String>>) -> impl IntoView {
    move || {
        result.get().map(|result| {
            let result = words::json(&result);
            view! {
                <Section id="result" title="What came of it">
                    <pre class="job-log" data-size="small" tabindex="0" aria-label="What came of it">{result}</pre>
                </Section>
            }
        })
    }
}

#[component]
fn Log(log: RwSignal<ExternalJobLog>) -> impl IntoView {
    let text = move || log.with(|log| log.text.clone());
    let is_empty = Memo::new(move |_| log.with(|log| log.text.is_empty()));
    let before = Memo::new(move |_| log.with(|log| log.from));
    view! {
        <Section id="log" title="Log" lead="In the words of the job. Of a long one the end is kept.">
            <Show when=move || { before.get() > 0 }>
                <p class="field-hint">{move || say!("{bytes} bytes before this are not shown.", bytes = before.get())}</p>
            </Show>
            <Show when=move || is_empty.get()>
                <p class="field-hint">"Nothing yet."</p>
            </Show>
            <Show when=move || !is_empty.get()>
                <pre class="job-log" tabindex="0" aria-label="Log">{text}</pre>
            </Show>
        </Section>
    }
}

/// Looks again whenever the hub heard more of it, and takes what was said since.
fn follow(
    id: ExternalJobId,
    job: RwSignal<ExternalJobView>,
    result: RwSignal<Option<String>>,
    log: RwSignal<ExternalJobLog>,
) {
    let id = StoredValue::new(id);
    follow_nouns(&[Noun::ExternalJobs], move || {
        if job.try_with_untracked(|job| job.state.is_over()) != Some(false) {
            return;
        }
        let Some(id) = id.try_get_value() else { return };
        spawn_local(async move {
            let Ok(ExternalJobDetail { job: now, result: came, .. }) = read_external_job(id.clone()).await
            else {
                return;
            };
            for _ in 0..PARTS {
                let Some(next) = log.try_with_untracked(|log| log.next) else { return };
                let Ok(more) = read_external_job_log(id.clone(), next).await else { return };
                if more.text.is_empty() {
                    break;
                }
                log.try_update(|log| take(log, more));
            }
            // One that was asked for later may have come first.
            if job.try_with_untracked(|job| !job.state.is_over() && *job != now) == Some(true) {
                result.try_set(came);
                job.try_set(now);
            }
        });
    });
}

/// Adds what follows on what is there, or begins anew where something is missing between.
fn take(log: &mut ExternalJobLog, more: ExternalJobLog) {
    if more.from < log.next || more.text.is_empty() {
        return;
    }
    if more.from > log.next || log.text.len() + more.text.len() > MOST_LOG_BYTES {
        *log = more;
        return;
    }
    log.text.push_str(&more.text);
    log.next = more.next;
}

async fn load(id: ExternalJobId) -> Result<PageData, AppError> {
    let (me, found) = together!(me(), read_external_job(id));
    Ok(PageData { me, found })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_follows_is_added_once_and_what_does_not_takes_its_place() {
        let part = |text: &str, from: u64| ExternalJobLog {
            text: text.to_owned(),
            from,
            next: from + text.len() as u64,
            left_out: 0,
        };
        for (more, expected) in [
            (part("b\n", 2), ("a\nb\n", 0, 4)),
            (part("a\n", 0), ("a\n", 0, 2)),
            (part("", 2), ("a\n", 0, 2)),
            (part("z\n", 9), ("z\n", 9, 11)),
        ] {
            let mut log = part("a\n", 0);
            take(&mut log, more);
            assert_eq!((log.text.as_str(), log.from, log.next), expected);
        }
    }
}
