//! The page as a whole.

use super::add::AddSection;
use super::api::{AcceptMadeTool, DeleteMadeTool, WriteMadeTool, list_made_tools, refused_made_tool};
use super::row::MadeTool;
use crate::AppError;
use crate::agents::agent_in_path;
use crate::agents::api::get_agent;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::prelude::*;
use crate::session::me;
use crate::together::together;
use crate::ui::{ActionFailure, Done, FormAction, PageTitle, kept_each};
use protocol::AgentId;
use protocol::view::{AgentView, MadeToolView, Me, RefusedTool};

/// What a person does with the tools.
#[derive(Clone, Copy)]
pub(super) struct Answers {
    pub(super) write: FormAction<WriteMadeTool>,
    pub(super) accept: FormAction<AcceptMadeTool>,
    pub(super) delete: FormAction<DeleteMadeTool>,
}

#[component]
pub fn MadeToolsPage() -> impl IntoView {
    let id = agent_in_path();
    let answers = Answers { write: FormAction::new(), accept: FormAction::new(), delete: FormAction::new() };
    let changed = move || {
        answers.write.version().get() + answers.accept.version().get() + answers.delete.version().get()
    };
    let shown = PageResource::new(move || (id.get(), changed()), |(id, _)| load(id));
    view! {
        <Loaded resource=shown view=move |(me, agent, tools, refused)| view! { <MadeTools me agent tools refused answers/> }/>
    }
}

#[component]
fn MadeTools(
    me: Me,
    agent: AgentView,
    tools: Vec<MadeToolView>,
    refused: Option<RefusedTool>,
    answers: Answers,
) -> impl IntoView {
    let AgentView { id, name, tools: given, .. } = agent;
    let heading = say!("Own tools of {name}");
    let (back, edit) = (format!("/agents/{id}"), format!("/agents/{id}/edit"));
    let none = tools.is_empty().then(|| {
        let can_make = given.iter().any(|tool| tool == "create_tool");
        let more = (!can_make).then(|| view! { " It cannot make any until you let it " <code>{"create_tool"}</code> " in " <a href=edit>"its settings"</a> "." });
        view! { <p class="empty" data-size="small"><span>"None yet." {more}</span></p> }
    });
    let adding = id.clone();
    // Whose name none has was to be a new one.
    let of_new = refused.clone().filter(|refused| tools.iter().all(|tool| tool.name != refused.name));
    let list = (!tools.is_empty()).then(|| {
        let rows = kept_each(tools, move |tool: MadeToolView| {
            let refused = refused.clone().filter(|refused| refused.name == tool.name);
            view! { <MadeTool agent=id.clone() tool refused answers/> }
        });
        view! { <ul class="made-tools">{rows}</ul> }
    });
    view! {
        <PageTitle text=heading.clone()/>
        <Shell me>
            <div class="settings">
                <header class="section-head">
                    <h1>{heading}</h1>
                    <p>
                        "It can call these in every conversation, beside the tools that you gave it. It made them for itself, or they come from you. Their code runs sealed off, without the network and without your keys, and reaches what the tool declares."
                    </p>
                </header>
                <Done what="written" words="Saved. The agent has it from its next run on."/>
                <Done what="accepted" words="Accepted. The agent has it from its next run on."/>
                // What was wrong with a file, the first of them says too.
                <ActionFailure value=answers.write.value()/>
                <ActionFailure value=answers.accept.value()/>
                <ActionFailure value=answers.delete.value()/>
                {none}
                {list}
                <AddSection agent=adding refused=of_new write=answers.write/>
                <p class="actions"><a class="button" href=back>{say!("Back to {name}")}</a></p>
            </div>
        </Shell>
    }
}

type PageData = (Me, AgentView, Vec<MadeToolView>, Option<RefusedTool>);

async fn load(id: AgentId) -> Result<PageData, AppError> {
    let refused = refused_made_tool(id.clone());
    Ok(together!(me(), get_agent(id.clone()), list_made_tools(id), refused))
}
