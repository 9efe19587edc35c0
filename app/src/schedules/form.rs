//! A new schedule.

use super::api::CreateSchedule;
use super::fields::ScheduleFields;
use crate::ui::{ActionFailure, emptied_by};
use leptos::form::ActionForm;
use leptos::prelude::*;
use protocol::AgentId;
use protocol::schedule::ScheduleDraft;

#[component]
pub fn NewSchedule(agent: AgentId, create: ServerAction<CreateSchedule>) -> impl IntoView {
    let form = emptied_by(create);
    let draft =
        ScheduleDraft { time: "08:00".to_owned(), minutes: "60".to_owned(), ..ScheduleDraft::default() };
    view! {
        <section class="section" aria-labelledby="new-schedule">
            <div class="section-head">
                <h2 id="new-schedule">"New schedule"</h2>
                <p>"Each time is a run, and costs what a run costs. What it may spend you say afterwards, under Edit."</p>
            </div>
            <ActionFailure value=create.value()/>
            <ActionForm action=create attr:class="form" node_ref=form>
                <input type="hidden" name="agent" value=agent.0/>
                <ScheduleFields draft/>
                <div class="form-end">
                    <button type="submit" class="button" data-kind="primary">"Add schedule"</button>
                </div>
            </ActionForm>
        </section>
    }
}
