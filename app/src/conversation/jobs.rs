//! What of the agent runs in the background, beside what is said: with what it said last, and a way to stop it.

use super::context::ConversationContext;
use crate::browser::follow_nouns;
use crate::prelude::*;
use crate::terminal_jobs::api::list_jobs;
use crate::ui::{ActionForm, Icon, lasted};
use leptos::task::spawn_local;
use protocol::hub::{HubFrame, Noun};
use protocol::log::EntryBody;
use protocol::view::{JobEnding, TerminalJob};
use std::time::Duration;

const SECOND: Duration = Duration::from_secs(1);

#[component]
pub fn JobsCard(context: ConversationContext) -> impl IntoView {
    let jobs = context.jobs;
    Effect::new(move |_| ask(context));
    if context.has_terminal {
        follow_nouns(&[Noun::TerminalJobs], move || ask(context));
    }
    let passed = seconds_since_told(context);
    let stopped = context.stop_job.value();
    Effect::new(move |_| {
        if stopped.with(Option::is_some) {
            ask(context);
        }
    });
    let is_there = Memo::new(move |_| jobs.with(|jobs| !jobs.is_empty()));
    view! {
        <Show when=move || is_there.get()>
            <details class="todo" aria-label="In the background">
                <summary>
                    <Icon name="tool" small=true/>
                    <span class="todo-words" role="status">{move || jobs.with(|jobs| in_words(jobs))}</span>
                    <Icon name="chevron" small=true/>
                </summary>
                <ul class="jobs" aria-label="Commands">
                    <For each=move || jobs.with(|jobs| jobs.iter().map(|job| job.number).collect::<Vec<_>>()) key=|number| *number let(number)>
                        <Job number passed context/>
                    </For>
                </ul>
            </details>
        </Show>
    }
}

/// Seconds that passed since it was told what there is: for so long those that run have run on.
fn seconds_since_told(context: ConversationContext) -> RwSignal<u64> {
    let passed = RwSignal::new(0);
    Effect::new(move |_| {
        context.jobs.track();
        passed.set(0);
    });
    Effect::new(move |_| {
        let tick = move || {
            if context.jobs.with_untracked(|jobs| jobs.iter().any(runs)) {
                passed.update(|passed| *passed += 1);
            }
        };
        if let Ok(interval) = set_interval_with_handle(tick, SECOND) {
            on_cleanup(move || interval.clear());
        }
    });
    passed
}

/// Asks what there is. Without an answer it is asked again when something happens.
fn ask(context: ConversationContext) {
    if !context.has_terminal {
        return;
    }
    let Some(agent) = context.agent.try_get_value() else { return };
    spawn_local(async move {
        if let Ok(now) = list_jobs(agent).await
            && context.jobs.try_with_untracked(|shown| *shown != now) == Some(true)
        {
            context.jobs.try_set(now);
        }
    });
}

/// A call of the tool may have begun one, or have ended one.
pub fn hear(context: ConversationContext, frame: &HubFrame) {
    let HubFrame::Entry { entry } = frame else { return };
    if let EntryBody::ToolFinished { result, .. } = &entry.body
        && result.content.contains("\"job\":")
    {
        ask(context);
    }
}

fn runs(job: &TerminalJob) -> bool {
    job.ending.is_none()
}

fn in_words(jobs: &[TerminalJob]) -> String {
    let running: Vec<_> = jobs.iter().filter(|job| runs(job)).collect();
    match running[..] {
        [] => t("Nothing runs in the background any more").to_owned(),
        [job] => say!("In the background: {command}", command = job.command),
        _ => say!("{count} commands in the background", count = running.len()),
    }
}

/// So many seconds after that was told.
fn how_it_is(job: &TerminalJob, passed: u64) -> String {
    let age = if runs(job) { job.age_s.saturating_add(passed) } else { job.age_s };
    let (number, time) = (job.number, lasted(age));
    match &job.ending {
        None => say!("Job {number}, for {time}"),
        Some(ending) => say!("Job {number} {ending}, after {time}", ending = how_it_ended(ending)),
    }
}

/// Follows the number of the job.
fn how_it_ended(ending: &JobEnding) -> String {
    match ending {
        JobEnding::Exited { code: 0 } => t("succeeded").to_owned(),
        JobEnding::Exited { code } => say!("failed with exit code {code}"),
        JobEnding::Killed { signal } => say!("was killed by signal {signal}"),
        JobEnding::TimeOver => t("was ended when its time was over").to_owned(),
        JobEnding::Exceeded { what } => {
            say!("was ended because {what}; what it changed since its output was last read was not kept")
        }
        JobEnding::StoppedByPerson => t("was stopped by the person").to_owned(),
        JobEnding::StoppedByAgent => t("was stopped by the agent").to_owned(),
        JobEnding::NotAllowedAnyMore => t("was ended, because it may not run any more").to_owned(),
        JobEnding::HubEnded => t("ended with the hub").to_owned(),
        JobEnding::NotRun { why } => say!("was not run: {why}"),
    }
}

#[component]
fn Job(number: u32, passed: RwSignal<u64>, context: ConversationContext) -> impl IntoView {
    let find = move || context.jobs.with(|jobs| jobs.iter().find(|job| job.number == number).cloned());
    let job = Memo::new(move |_| find());
    let of = move |text: fn(&TerminalJob) -> String| move || job.get().as_ref().map(text).unwrap_or_default();
    let (command, last) = (of(|job| job.command.clone()), of(|job| job.last.clone()));
    let how = move || job.get().map(|job| how_it_is(&job, passed.get())).unwrap_or_default();
    let has_said = Memo::new(move |_| job.with(|job| job.as_ref().is_some_and(|job| !job.last.is_empty())));
    let is_running = Memo::new(move |_| job.with(|job| job.as_ref().is_some_and(runs)));
    view! {
        <li class="job">
            <code class="job-command" tabindex="0">{command}</code>
            <Show when=move || is_running.get()>
                <ActionForm action=context.stop_job attr:class="job-stop">
                    <input type="hidden" name="agent" value=context.agent.get_value().0/>
                    <input type="hidden" name="job" value=number/>
                    <button class="button" type="submit" aria-label={say!("Stop job {number}")}>
                        <Icon name="stop" small=true/>
                        "Stop"
                    </button>
                </ActionForm>
            </Show>
            <p class="field-hint job-how">{how}</p>
            <Show when=move || has_said.get()>
                <pre class="job-last" tabindex="0" aria-label={say!("Last lines of job {number}")}>{last}</pre>
            </Show>
        </li>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::view::JobEnding;

    #[test]
    fn a_job_says_how_it_is_and_for_how_long() {
        let job = |age_s, ending| TerminalJob {
            number: 2,
            command: "make".to_owned(),
            age_s,
            last: String::new(),
            ending,
        };
        for (job, passed, words) in [
            (job(5, None), 0, "Job 2, for 5 s"),
            (job(5, None), 60, "Job 2, for 1 min 5 s"),
            (job(3_900, None), 0, "Job 2, for 1 h 5 min"),
            (job(60, Some(JobEnding::HubEnded)), 60, "Job 2 ended with the hub, after 1 min 0 s"),
            (job(9, Some(JobEnding::Exited { code: 1 })), 0, "Job 2 failed with exit code 1, after 9 s"),
        ] {
            assert_eq!(how_it_is(&job, passed), words);
        }
        let (over, runs) = (job(1, Some(JobEnding::TimeOver)), job(1, None));
        assert_eq!(in_words(std::slice::from_ref(&over)), "Nothing runs in the background any more");
        assert_eq!(in_words(&[runs.clone(), over]), "In the background: make");
        assert_eq!(in_words(&[runs.clone(), runs]), "2 commands in the background");
    }
}
