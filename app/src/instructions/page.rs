//! The page as a whole.

use super::api::{RestoreInstructions, list_instructions, view_instructions};
use super::version::{Version, VersionText};
use crate::AppError;
use crate::agents::agent_in_path;
use crate::agents::api::get_agent;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::prelude::*;
use crate::session::me;
use crate::together::together;
use crate::ui::{ACTIONS, ActionFailure, FormAction, PageTitle, Section, Table, kept_each};
use leptos_router::hooks::use_query_map;
use protocol::AgentId;
use protocol::view::{AgentView, InstructionsText, InstructionsVersion, Me};
use serde::{Deserialize, Serialize};

#[derive(Clone, Serialize, Deserialize)]
struct PageData {
    me: Me,
    agent: AgentView,
    versions: Vec<InstructionsVersion>,
    /// The one that the address names, or the newest.
    shown: InstructionsText,
}

#[component]
pub fn InstructionsPage() -> impl IntoView {
    let (id, query) = (agent_in_path(), use_query_map());
    let version = Memo::new(move |_| query.with(|query| query.get_str("version")?.parse().ok()));
    let restore = FormAction::<RestoreInstructions>::new();
    let known = PageResource::new(
        move || (id.get(), version.get(), restore.version().get()),
        |(id, version, _)| load(id, version),
    );
    view! { <Loaded resource=known view=move |known| view! { <Instructions known restore/> }/> }
}

async fn load(id: AgentId, version: Option<u64>) -> Result<PageData, AppError> {
    let (me, agent, versions) = together!(me(), get_agent(id.clone()), list_instructions(id.clone()));
    let newest = versions.first().map(|newest| newest.version);
    let shown = view_instructions(id, version.or(newest).unwrap_or_default()).await?;
    Ok(PageData { me, agent, versions, shown })
}

#[component]
fn Instructions(known: PageData, restore: FormAction<RestoreInstructions>) -> impl IntoView {
    let PageData { me, agent: AgentView { id, name, .. }, versions, shown } = known;
    let newest = versions.first().map(|newest| newest.version);
    let (edit, by) = (format!("/agents/{id}/edit"), name.clone());
    let versions = versions.into_iter().map(|version| (Some(version.version) == newest, version)).collect();
    let rows = kept_each(versions, move |(is_newest, version)| {
        view! { <Version agent=id.clone() name=by.clone() version is_newest restore/> }
    });
    let heading = say!("Instructions of {name}");
    view! {
        <PageTitle text=heading.clone()/>
        <Shell me>
            <div class="settings">
                <header class="section-head">
                    <h1>{heading}</h1>
                    <p>"What it was told to be: the newest fifty versions. A change counts from the next run on; one under way goes on with the instructions that it began with."</p>
                    <p class="actions"><a class="button" href=edit>{say!("Edit {name}")}</a></p>
                </header>
                <VersionText shown/>
                <Section id="versions" title="Versions" lead="The newest first. Restoring one makes it the newest.">
                    <ActionFailure value=restore.value()/>
                    <Table columns=["Version", "When", "By", ACTIONS] rows=rows.into_any()/>
                </Section>
            </div>
        </Shell>
    }
}
