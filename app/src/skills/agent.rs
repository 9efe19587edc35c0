//! Which skills an agent has: a form of its own on its settings page.

use super::api::ChooseSkills;
use super::words::use_words;
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, Done, FormAction, Icon, Section};
use protocol::AgentId;
use protocol::view::{AgentSkill, ShippedSkill, SkillUse};

/// The tools by which skills are read, and found where there are more than the prompt has room for.
const READS: &str = "get_skill";
const FINDS: &str = "list_skills";

/// `tools` are those that the agent has.
#[component]
pub fn SkillsSection(
    id: AgentId,
    skills: Vec<AgentSkill>,
    shipped: Vec<ShippedSkill>,
    tools: Vec<String>,
) -> impl IntoView {
    let choose = FormAction::<ChooseSkills>::new();
    let lack = lack_words(&skills, &tools).map(|words| {
        view! {
            <div class="banner" data-kind="warn" role="note">
                <Icon name="warn"/>
                <p class="banner-text">{words}</p>
            </div>
        }
    });
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
            lead="Of your library. Of what it reads when it needs it, a line stands in its prompt, and it reads the rest with get_skill. It counts from its next run on."
        >
            <Done what="skills" words="Its skills are set."/>
            <ActionFailure value=choose.value()/>
            {lack}
            {form}
            <Shipped shipped/>
            <p><a href="/skills">"Your library of skills"</a></p>
        </Section>
    }
}

/// Of which skills of the hub it is told, and what it takes for the others.
#[component]
fn Shipped(shipped: Vec<ShippedSkill>) -> impl IntoView {
    let (told, others): (Vec<_>, Vec<_>) = shipped.into_iter().partition(|skill| skill.lacks.is_empty());
    let told = (!told.is_empty()).then(|| {
        let names: Vec<String> = told.into_iter().map(|skill| skill.name).collect();
        let words = say!("Of the skills of the hub it is told of these: {names}.", names = names.join(", "));
        view! { <p class="field-hint">{words}</p> }
    });
    let others = (!others.is_empty()).then(|| {
        let named = |ShippedSkill { name, lacks }| format!("{name} ({})", lacks.join(", "));
        let names: Vec<String> = others.into_iter().map(named).collect();
        let words = say!(
            "Of these it is not told, as it lacks the tools in brackets: {names}.",
            names = names.join(", ")
        );
        view! { <p class="field-hint">{words}</p> }
    });
    view! { {told} {others} }
}

/// Why it does not read what it is to read when it needs it, and what to do.
fn lack_words(skills: &[AgentSkill], tools: &[String]) -> Option<&'static str> {
    let has = |name: &str| tools.iter().any(|tool| tool == name);
    let is_to_read = skills.iter().any(|skill| skill.chosen == SkillUse::Found);
    match (is_to_read, has(READS), has(FINDS)) {
        (false, _, _) | (true, true, true) => None,
        (true, false, _) => Some(t(
            "It cannot read a skill when it needs it: it lacks the tool get_skill. Tick get_skill and list_skills among its tools above, and press Save.",
        )),
        (true, true, false) => Some(t(
            "It lacks the tool list_skills, with which it finds the skills that its prompt has no room for. Tick it among its tools above, and press Save.",
        )),
    }
}

#[component]
fn Choose(number: usize, skill: AgentSkill) -> impl IntoView {
    let AgentSkill { skill, name, description, chosen, lacks } = skill;
    let (field, hint) = (format!("skill-{number}"), format!("skill-{number}-hint"));
    let options = SkillUse::ALL
        .into_iter()
        .map(|each| view! { <option value=each.name() selected=each == chosen>{use_words(each)}</option> })
        .collect_view();
    let lack = (!lacks.is_empty()).then(|| {
        let words = say!(
            "It is not told of this one until it has what the skill requires: {tools}.",
            tools = lacks.join(", ")
        );
        view! { <p class="field-hint">{words}</p> }
    });
    view! {
        <div class="field">
            <label class="field-label" for=field.clone()>{name}</label>
            <input type="hidden" name=format!("choices[{number}][skill]") value=skill.0/>
            <select class="input" id=field name=format!("choices[{number}][chosen]") aria-describedby=hint.clone()>
                {options}
            </select>
            <p class="field-hint" id=hint>{description}</p>
            {lack}
        </div>
    }
}
