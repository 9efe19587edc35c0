//! One schedule in the list.

use super::api::{PauseSchedule, ResumeSchedule, RunSchedule};
use super::mailbox::LookProblem;
use super::words;
use crate::prelude::*;
use crate::ui::{ActionForm, Ahead, FormAction, Icon, When, dollars};
use protocol::Budget;
use protocol::schedule::{Author, Firing, LookState, ScheduleView};

#[component]
pub fn ScheduleRow(
    schedule: ScheduleView,
    run: FormAction<RunSchedule>,
    pause: FormAction<PauseSchedule>,
    resume: FormAction<ResumeSchedule>,
) -> impl IntoView {
    let when = words::when(&schedule);
    let ScheduleView {
        id,
        agent,
        name,
        message,
        timing,
        paused,
        by,
        next_at,
        last,
        budget,
        idle,
        broken,
        mailbox,
        feed,
        ..
    } = schedule;
    let edit = format!("/agents/{agent}/schedules/{id}");
    let (heading, labelled) = (format!("schedule-{id}"), format!("schedule-{id}"));
    let (run_words, edit_words) = (say!("Run now: {name}"), say!("Edit {name}"));
    let (resume_word, resume_words) = match broken {
        Some(_) => (t("Switch on again"), say!("Switch on again {name}")),
        None => (t("Resume"), say!("Resume {name}")),
    };
    let pause_word = t("Pause");
    let switch_words = if paused { resume_words } else { say!("Pause {name}") };
    let next = match next_at {
        Some(at) => view! { <Ahead at/> }.into_any(),
        None => words::no_time(&timing, paused).into_any(),
    };
    let last = last.map(|Firing { due, state, .. }| {
        view! { <div><dt>"Last"</dt><dd><When at=due/> ": " {words::outcome(&state)}</dd></div> }
    });
    let (run_id, switch_id) = (id.0.clone(), id.0);
    // Both are made alike, so that one takes the place of the other without taking the focus from it.
    let switch = if paused {
        view! {
            <ActionForm action=resume>
                <input type="hidden" name="id" value=switch_id/>
                <button type="submit" class="button" aria-label=switch_words>{resume_word}</button>
            </ActionForm>
        }
        .into_any()
    } else {
        view! {
            <ActionForm action=pause>
                <input type="hidden" name="id" value=switch_id/>
                <button type="submit" class="button" aria-label=switch_words>{pause_word}</button>
            </ActionForm>
        }
        .into_any()
    };
    let is_broken = broken.is_some();
    let failure = broken.map(|why| {
        let why = language::sentence(&why).into_owned();
        view! {
            <div class="banner" data-kind="error" role="note">
                <Icon name="warn"/>
                <p class="banner-text">"It failed again and again, and is switched off. The last time: " {why}</p>
            </div>
        }
    });
    let warning = idle.map(|idle| {
        view! {
            <div class="banner" data-kind="warn" role="note">
                <Icon name="warn"/>
                <p class="banner-text">{words::idle(idle)}</p>
            </div>
        }
    });
    let looked_at = match &feed {
        Some(LookState { checked_at: Some(at), .. }) => {
            let at = *at;
            Some(view! { <div><dt>"Last look"</dt><dd><When at/></dd></div> })
        }
        Some(LookState { checked_at: None, .. }) | None => None,
    };
    let looked = mailbox.or(feed).filter(|_| !paused);
    let problem = looked.map(|looked| view! { <LookProblem looked/> });
    view! {
        <li class="schedule" aria-labelledby=labelled>
            <div class="schedule-head">
                <h3 class="schedule-name" id=heading>{name}</h3>
                {(paused && !is_broken).then(|| view! { <span class="chip">"Paused"</span> })}
                {(by == Author::Agent).then(|| view! { <span class="chip">"Made by the agent"</span> })}
            </div>
            <p class="schedule-message">{message}</p>
            <dl class="schedule-facts">
                <div><dt>"When"</dt><dd>{when}</dd></div>
                <div><dt>"Next"</dt><dd>{next}</dd></div>
                {last}
                {looked_at}
                <div><dt>"Spent"</dt><dd>{spent(&budget)}</dd></div>
            </dl>
            {failure}
            {problem}
            {warning}
            <div class="actions">
                <ActionForm action=run>
                    <input type="hidden" name="id" value=run_id/>
                    <button type="submit" class="button" aria-label=run_words>"Run now"</button>
                </ActionForm>
                {switch}
                <a class="button" data-kind="quiet" href=edit aria-label=edit_words>"Edit"</a>
            </div>
        </li>
    }
}

fn spent(budget: &Budget) -> String {
    let Budget { caps, spent } = budget;
    let limits = words::limits(caps);
    let (today, all) = (dollars(spent.day), dollars(spent.ever));
    say!("{today} today, {all} in all; {limits}")
}
