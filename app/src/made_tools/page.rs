//! The page as a whole.

use super::api::{DeleteMadeTool, list_made_tools};
use super::row::MadeTool;
use crate::AppError;
use crate::agents::agent_in_path;
use crate::agents::api::get_agent;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::prelude::*;
use crate::session::me;
use crate::ui::{ActionFailure, FormAction, PageTitle, kept_each};
use protocol::AgentId;
use protocol::view::{AgentView, MadeToolView, Me};

#[component]
pub fn MadeToolsPage() -> impl IntoView {
    let id = agent_in_path();
    let delete = FormAction::<DeleteMadeTool>::new();
    let shown = PageResource::new(move || (id.get(), delete.version().get()), |(id, _)| load(id));
    view! {
        <Loaded resource=shown view=move |(me, agent, tools)| view! { <MadeTools me agent tools delete/> }/>
    }
}

#[component]
fn MadeTools(
    me: Me,
    agent: AgentView,
    tools: Vec<MadeToolView>,
    delete: FormAction<DeleteMadeTool>,
) -> impl IntoView {
    let AgentView { id, name, tools: given, .. } = agent;
    let heading = say!("Tools that {name} made");
    let (back, edit) = (format!("/agents/{id}"), format!("/agents/{id}/edit"));
    let none = tools.is_empty().then(|| {
        let can_make = given.iter().any(|tool| tool == "create_tool");
        let more = (!can_make).then(|| view! { " It cannot make any until you let it " <code>{"create_tool"}</code> " in " <a href=edit>"its settings"</a> "." });
        view! { <p class="empty" data-size="small"><span>"None yet." {more}</span></p> }
    });
    let list = (!tools.is_empty()).then(|| {
        let rows = kept_each(tools, move |tool| view! { <MadeTool agent=id.clone() tool delete/> });
        view! { <ul class="made-tools">{rows}</ul> }
    });
    view! {
        <PageTitle text=heading.clone()/>
        <Shell me>
            <div class="settings">
                <header class="section-head">
                    <h1>{heading}</h1>
                    <p>
                        "It can call these in every conversation, beside the tools that you gave it. Their code runs in its sealed page, without the network and without your keys."
                    </p>
                </header>
                <ActionFailure value=delete.value()/>
                {none}
                {list}
                <p class="actions"><a class="button" href=back>{say!("Back to {name}")}</a></p>
            </div>
        </Shell>
    }
}

async fn load(id: AgentId) -> Result<(Me, AgentView, Vec<MadeToolView>), AppError> {
    let me = me().await?;
    let tools = list_made_tools(id.clone()).await?;
    Ok((me, get_agent(id).await?, tools))
}
