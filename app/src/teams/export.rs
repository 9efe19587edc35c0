//! The file of chosen agents, and what it leaves out.

use super::api::export_team;
use crate::AppError;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::prelude::*;
use crate::session::me;
use crate::together::together;
use crate::ui::{Copy, Field, Icon, PageTitle, TextArea};
use leptos_router::hooks::use_query_map;
use protocol::view::{Me, TeamExport};

#[component]
pub fn ExportTeamPage() -> impl IntoView {
    let query = use_query_map();
    let chosen = Memo::new(move |_| query.with(|query| query.get_all("agent")).unwrap_or_default().join(","));
    let known = PageResource::new(move || chosen.get(), load);
    view! {
        <PageTitle text="A team as a file".to_owned()/>
        <Loaded resource=known view=move |(me, export): (Me, TeamExport)| view! {
            <Shell me>
                <div class="settings">
                    <Exported export address=format!("/teams/agents.yaml?agents={}", chosen.get_untracked())/>
                </div>
            </Shell>
        }/>
    }
}

#[component]
fn Exported(export: TeamExport, address: String) -> impl IntoView {
    let TeamExport { text, left_behind } = export;
    let copied = text.clone();
    let rows = text.lines().count().clamp(8, 30).to_string();
    let stays = left_behind.into_iter().map(|words| view! { <li>{words}</li> }).collect_view();
    view! {
        <header class="section-head">
            <h1>"A team as a file"</h1>
            <p>"Whoever brings it to a hub gets agents like these."</p>
        </header>
        <div class="banner" role="note">
            <Icon name="info"/>
            <ul class="banner-text">{stays}</ul>
        </div>
        <Field id="team-yaml" label="agents.yaml">
            <TextArea
                text
                attr:class="input input-code"
                attr:id="team-yaml"
                attr:readonly=""
                attr:rows=rows
                attr:spellcheck="false"
            />
        </Field>
        <p class="actions">
            <a class="button" data-kind="primary" href=address download="agents.yaml" rel="external">"Save as a file"</a>
            <Copy what=key!("the file") text=copied/>
            <a class="button" data-kind="quiet" href="/teams">"Back"</a>
        </p>
    }
}

async fn load(agents: String) -> Result<(Me, TeamExport), AppError> {
    Ok(together!(me(), export_team(agents)))
}
