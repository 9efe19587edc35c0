//! Skills that stand in one place elsewhere, to choose from. Nothing of them is here yet.

use super::api::{BringSkill, BringSkillFromServer, list_found_skills};
use super::words::source as from;
use crate::AppError;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::prelude::*;
use crate::session::me;
use crate::together::together;
use crate::ui::{ActionFailure, ActionForm, FormAction, PageTitle, Section, Table};
use protocol::view::{FoundSkill, FoundSkills, Me, SkillSource};
use serde::{Deserialize, Serialize};

/// All that the page shows.
#[derive(Clone, Serialize, Deserialize)]
struct PageData {
    me: Me,
    found: Option<FoundSkills>,
}

#[derive(Clone, Copy)]
struct Ways {
    bring: FormAction<BringSkill>,
    ask: FormAction<BringSkillFromServer>,
}

#[component]
pub fn FoundSkillsPage() -> impl IntoView {
    let ways = Ways { bring: FormAction::new(), ask: FormAction::new() };
    let known = PageResource::new(|| (), |()| load());
    view! {
        <PageTitle text="Skills elsewhere".to_owned()/>
        <Loaded resource=known view=move |PageData { me, found }| view! {
            <Shell me>
                <div class="settings">
                    <header class="section-head">
                        <h1>"Skills elsewhere"</h1>
                        <p>"Nothing of these is here yet. Take one to look at it: it waits in your library until you have accepted it."</p>
                    </header>
                    <ActionFailure value=ways.bring.value()/>
                    <ActionFailure value=ways.ask.value()/>
                    <List found ways/>
                    <p><a href="/skills">"Back to your skills"</a></p>
                </div>
            </Shell>
        }/>
    }
}

async fn load() -> Result<PageData, AppError> {
    let (me, found) = together!(me(), list_found_skills());
    Ok(PageData { me, found })
}

#[component]
fn List(found: Option<FoundSkills>, ways: Ways) -> impl IntoView {
    let Some(FoundSkills { source, skills }) = found else {
        return view! {
            <div class="empty">
                <h2>"Nothing to choose from"</h2>
                <p>"Enter an address among your skills first."</p>
            </div>
        }
        .into_any();
    };
    let rows = skills
        .into_iter()
        .map(|skill| view! { <Row skill source=source.clone() ways/> })
        .collect_view()
        .into_any();
    view! {
        <Section id="there" title="What is there">
            <p>"At " {from(source.clone())}</p>
            <Table columns=["Skill", "For", ""] rows/>
        </Section>
    }
    .into_any()
}

#[component]
fn Row(skill: FoundSkill, source: SkillSource, ways: Ways) -> impl IntoView {
    let FoundSkill { within, name, description } = skill;
    let place = (within != name).then(|| within.clone());
    let place = place.map(|place| view! { <p class="field-hint file-path">{place}</p> });
    let label = say!("Look at {name}");
    let button = view! { <button type="submit" class="button" aria-label=label>"Look at it"</button> };
    let form = match source {
        SkillSource::McpServer { server, .. } => view! {
            <ActionForm action=ways.ask>
                <input type="hidden" name="server" value=server.0/>
                <input type="hidden" name="uri" value=within/>
                {button}
            </ActionForm>
        }
        .into_any(),
        SkillSource::Address { url, .. } => view! {
            <ActionForm action=ways.bring>
                <input type="hidden" name="url" value=url/>
                <input type="hidden" name="within" value=within/>
                {button}
            </ActionForm>
        }
        .into_any(),
        SkillSource::File { .. }
        | SkillSource::Lent { .. }
        | SkillSource::Form
        | SkillSource::Agent { .. } => ().into_any(),
    };
    view! {
        <tr>
            <td>{name} {place}</td>
            <td data-label="For">{description}</td>
            <td>{form}</td>
        </tr>
    }
}
