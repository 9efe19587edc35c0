//! A new schedule.

use super::api::CreateSchedule;
use super::fields::ScheduleFields;
use super::finished::OtherAgent;
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, FormAction, FormEnd, Section, emptied_by};
use protocol::AgentId;
use protocol::schedule::ScheduleDraft;

#[component]
pub fn NewSchedule(
    agent: AgentId,
    others: Vec<OtherAgent>,
    may_mail: bool,
    create: FormAction<CreateSchedule>,
) -> impl IntoView {
    let form = emptied_by(create);
    let draft =
        ScheduleDraft { time: "08:00".to_owned(), minutes: "60".to_owned(), ..ScheduleDraft::default() };
    view! {
        <Section
            id="new-schedule"
            title="New schedule"
            lead="Each time is a run, and costs what a run costs. What it may spend you say afterwards, under Edit."
        >
            <ActionFailure value=create.value()/>
            <ActionForm action=create attr:class="form" node_ref=form>
                <input type="hidden" name="agent" value=agent.0/>
                <ScheduleFields draft others may_mail/>
                <FormEnd words="Add schedule"/>
            </ActionForm>
        </Section>
    }
}
