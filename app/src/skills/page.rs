//! The library: what is in it, what comes with the hub, and the ways in.

use super::add::{AddSections, Ways};
use super::api::{RestoreSkill, RevokeSkill, TakeSkill, list_skills};
use super::lent::{Lent, Revoked};
use super::words::{source, state_kind, state_words, weight_kind, weight_words};
use crate::AppError;
use crate::browser::follow_drawn;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::mcp_servers::api::list_mcp_servers;
use crate::prelude::*;
use crate::session::{brings_own, me};
use crate::together::together;
use crate::ui::{Done, FormAction, PageTitle, Section, Table, When, kept, kept_each};
use protocol::hub::Noun;
use protocol::view::{McpServerView, Me, SkillLibrary, SkillView};
use serde::{Deserialize, Serialize};

/// All that the page shows.
#[derive(Clone, Serialize, Deserialize)]
struct PageData {
    me: Me,
    library: SkillLibrary,
    servers: Vec<McpServerView>,
}

/// What can be done here besides bringing one in.
#[derive(Clone, Copy)]
struct Answers {
    take: FormAction<TakeSkill>,
    revoke: FormAction<RevokeSkill>,
    restore: FormAction<RestoreSkill>,
}

#[component]
pub fn SkillsPage() -> impl IntoView {
    let ways = Ways::new();
    let answers = Answers { take: FormAction::new(), revoke: FormAction::new(), restore: FormAction::new() };
    let changed = move || answers.revoke.version().get() + answers.restore.version().get();
    let known = PageResource::new(changed, |_| load());
    let drawn = StoredValue::new(None);
    let read = || async { list_skills().await.ok() };
    follow_drawn(&[Noun::Skills], drawn, read, move || known.refetch());
    view! {
        <PageTitle text="Skills".to_owned()/>
        <Loaded resource=known view=move |known: PageData| {
            drawn.set_value(Some(known.library.clone()));
            view! { <Page known ways answers/> }
        }/>
    }
}

#[component]
fn Page(known: PageData, ways: Ways, answers: Answers) -> impl IntoView {
    let PageData { me, library, servers } = known;
    let may_load = brings_own(&me);
    view! {
        <Shell me>
            <div class="settings">
                <header class="section-head">
                    <h1>"Skills"</h1>
                    <p>"Instructions for a kind of work, which agents read when they need them. What comes from elsewhere waits here until you have looked at it and accepted it; then you choose it for an agent, in its settings."</p>
                </header>
                <Done what="refused" words="It is gone. What you had accepted before is as it was."/>
                <Done what="removed" words="The skill is removed, from every agent too."/>
                <Done what="revoked" words="No agent is given that version any more."/>
                <Done what="restored" words="Agents have that version again whose people accepted it."/>
                <Sections library servers may_load ways answers/>
            </div>
        </Shell>
    }
}

#[component]
fn Sections(
    library: SkillLibrary,
    servers: Vec<McpServerView>,
    may_load: bool,
    ways: Ways,
    answers: Answers,
) -> impl IntoView {
    let SkillLibrary { skills, shipped, lent, revoked } = library;
    let Answers { take, revoke, restore } = answers;
    view! {
        <Library skills/>
        <Lent lent take/>
        {kept((servers, may_load), move |(servers, may_load)| view! { <AddSections ways servers may_load/> })}
        <Shipped shipped/>
        {revoked.map(|revoked| view! { <Revoked revoked revoke restore/> })}
    }
}

async fn load() -> Result<PageData, AppError> {
    let (me, library, servers) = together!(me(), list_skills(), list_mcp_servers());
    Ok(PageData { me, library, servers })
}

#[component]
fn Library(skills: Vec<SkillView>) -> impl IntoView {
    let body = if skills.is_empty() {
        view! {
            <div class="empty">
                <h3>"No skill of your own yet"</h3>
                <p>"A skill is a folder with a SKILL.md, as many products have them. Add one below."</p>
            </div>
        }
        .into_any()
    } else {
        let rows = kept_each(skills, |skill| view! { <Row skill/> });
        view! { <Table columns=["Skill", "State", "Found", "From", "Came", "Agents"] rows=rows.into_any()/> }
            .into_any()
    };
    view! { <Section id="library" title="Your skills">{body}</Section> }
}

#[component]
fn Row(skill: SkillView) -> impl IntoView {
    let SkillView { id, name, description, state, source: from, at, gravest, agents } = skill;
    let found = match gravest {
        Some(weight) => {
            view! { <span class="chip" data-kind=weight_kind(weight)>{weight_words(weight)}</span> }
                .into_any()
        }
        None => t("Nothing").into_any(),
    };
    view! {
        <tr>
            <td>
                <a href=format!("/skills/{id}")>{name}</a>
                <p class="field-hint skill-about">{description}</p>
            </td>
            <td data-label="State"><span class="chip" data-kind=state_kind(state)>{state_words(state)}</span></td>
            <td data-label="Found">{found}</td>
            <td data-label="From">{source(from)}</td>
            <td data-label="Came"><When at/></td>
            <td data-label="Agents">{plural!(agents, "{agents} agent", "{agents} agents")}</td>
        </tr>
    }
}

#[component]
fn Shipped(shipped: Vec<(String, String)>) -> impl IntoView {
    let rows = shipped
        .into_iter()
        .map(|(name, about)| view! { <tr><td>{name}</td><td data-label="For">{about}</td></tr> })
        .collect_view();
    view! {
        <Section
            id="shipped"
            title="Skills of the hub"
            lead="Every agent that has the tool get_skill can read these."
        >
            <Table columns=["Skill", "For"] rows=rows.into_any()/>
        </Section>
    }
}
