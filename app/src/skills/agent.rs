//! Which skills an agent has: a form of its own on its settings page.

use super::api::ChooseSkills;
use super::words::use_words;
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, Done, FormAction, Section};
use protocol::AgentId;
use protocol::view::{AgentSkill, SkillUse};

#[component]
pub fn SkillsSection(id: AgentId, skills: Vec<AgentSkill>) -> impl IntoView {
    let choose = FormAction::<ChooseSkills>::new();
    let form = if skills.is_empty() {
        view! { <p class="empty" data-size="small"><span>"You have accepted no skill yet."</span></p> }
            .into_any()
    } else {
        let rows = skills
            .into_iter()
            .enumerate()
            .map(|(number, skill)| view! { <Choose number skill/> })
            .collect_view();
        view! {
            <ActionForm action=choose attr:class="form">
                <input type="hidden" name="agent" value=id.0/>
                {rows}
                <div class="form-end"><button type="submit" class="button">"Set its skills"</button></div>
            </ActionForm>
        }
        .into_any()
    };
    view! {
        <Section
            id="skills"
            title="Skills"
            lead="Of your library. What it reads when it needs it, it finds with list_skills and get_skill. It counts from its next run on."
        >
            <Done what="skills" words="Its skills are set."/>
            <ActionFailure value=choose.value()/>
            {form}
            <p><a href="/skills">"Your library of skills"</a></p>
        </Section>
    }
}

#[component]
fn Choose(number: usize, skill: AgentSkill) -> impl IntoView {
    let AgentSkill { skill, name, description, chosen } = skill;
    let (field, hint) = (format!("skill-{number}"), format!("skill-{number}-hint"));
    let options = SkillUse::ALL
        .into_iter()
        .map(|each| view! { <option value=each.name() selected=each == chosen>{use_words(each)}</option> })
        .collect_view();
    view! {
        <div class="field">
            <label class="field-label" for=field.clone()>{name}</label>
            <input type="hidden" name=format!("choices[{number}][skill]") value=skill.0/>
            <select class="input" id=field name=format!("choices[{number}][chosen]") aria-describedby=hint.clone()>
                {options}
            </select>
            <p class="field-hint" id=hint>{description}</p>
        </div>
    }
}
