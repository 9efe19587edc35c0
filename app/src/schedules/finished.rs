//! Another agent whose end of a run, or of a pipeline, makes a schedule due: which one.

use crate::prelude::*;
use crate::ui::Field;
use protocol::AgentId;
use protocol::view::AgentCard;
use serde::{Deserialize, Serialize};

/// An agent of the same person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OtherAgent {
    pub id: AgentId,
    pub name: String,
}

/// All but this one, by name.
pub fn others(agents: &[AgentCard], agent: &AgentId) -> Vec<OtherAgent> {
    let others = agents.iter().filter(|other| other.id != *agent);
    let mut others: Vec<_> =
        others.map(|AgentCard { id, name, .. }| OtherAgent { id: id.clone(), name: name.clone() }).collect();
    others.sort_by_key(|other| other.name.to_lowercase());
    others
}

#[component]
pub fn FinishedFields(after: String, pipelines: bool, others: Vec<OtherAgent>) -> impl IntoView {
    let runs = !pipelines;
    // Else the browser would choose another one by itself.
    let is_gone = !after.is_empty() && others.iter().all(|other| other.id.0 != after);
    let gone = is_gone.then(|| {
        view! { <option value=after.clone() selected=true>{t("When an agent has finished that is not here")}</option> }
    });
    let options = others.into_iter().map(move |OtherAgent { id, name }| {
        let selected = id.0 == after;
        view! { <option value=id.0 selected=selected>{name}</option> }
    });
    view! {
        <Field
            id="schedule-after-agent"
            label="Which agent"
            hint="How it ended, and what it answered, is told as words of strangers. What agents ask of each other does not count, nor what you stop."
            attr:data-for="finished"
        >
            <select
                class="input"
                id="schedule-after-agent"
                name="draft[after_agent]"
                aria-describedby="schedule-after-agent-hint"
            >
                {gone}
                {options.collect_view()}
            </select>
        </Field>
        <Field id="schedule-after-pipelines" label="With what" attr:data-for="finished">
            <select class="input" id="schedule-after-pipelines" name="draft[after_pipelines]">
                <option value="false" selected=runs>{t("With a run")}</option>
                <option value="true" selected=pipelines>{t("With a pipeline that it leads")}</option>
            </select>
        </Field>
    }
}
