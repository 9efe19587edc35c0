//! One tool: what it is for, what it takes and reaches, what it does, and what can be done with it.

use super::api::AcceptMadeTool;
use super::form::ToolForm;
use super::offered::Offered;
use super::page::Answers;
use super::reach::Reach;
use crate::prelude::*;
use crate::ui::{ActionForm, Exact, FormAction, Icon, Spelled, When};
use protocol::AgentId;
use protocol::view::{MadeToolView, RefusedTool, ToolAuthor};

#[component]
pub(super) fn MadeTool(
    agent: AgentId,
    tool: MadeToolView,
    refused: Option<RefusedTool>,
    answers: Answers,
) -> impl IntoView {
    let form = tool.clone();
    let MadeToolView {
        name,
        description,
        version,
        made_at,
        input_schema,
        code,
        author,
        reach,
        waiting,
        offered,
    } = tool;
    let schema = serde_json::to_string_pretty(&input_schema).unwrap_or_default();
    let made = made_at.map(|at| view! { ", made " <When at/> });
    let accept = waiting.then(|| {
        view! { <Accept agent=agent.clone() name=name.clone() version accept=answers.accept/> }
    });
    let change = (!waiting).then(|| {
        let (agent, name) = (agent.clone(), name.clone());
        view! { <Change agent name tool=form refused answers/> }
    });
    let offered = offered.map(|tool| {
        view! { <Offered agent=agent.clone() name=name.clone() tool answers/> }
    });
    let delete = if waiting { say!("Refuse {name}") } else { say!("Delete {name}") };
    let short = t(if waiting { "Refuse" } else { "Delete" });
    let gone = t(if waiting {
        "It goes as it came: the agent never had it."
    } else {
        "The agent cannot call it any more. All its versions stay in the conversation."
    });
    view! {
        <li class="made-tool">
            <div class="made-tool-head">
                <h2 class="made-tool-name"><code>{name.clone()}</code></h2>
                <p class="made-tool-meta">"Version " {version} {made} ", " {author_words(author)}</p>
            </div>
            {waiting.then(|| view! {
                <p><span class="chip" data-kind="caution">"Waits for you"</span> " " <span>"The agent has nothing of it yet."</span></p>
            })}
            <p class="made-tool-about"><Spelled text=description/></p>
            <Reach reach/>
            <details class="tool" data-status="done" open=waiting>
                <summary>
                    <Icon name="tool" small=true/>
                    <span class="tool-verb">"Input and code"</span>
                    <span class="sr-only">{say!(" of {name}")}</span>
                </summary>
                <div class="tool-body">
                    <p class="tool-label">"Input schema"</p>
                    <Exact text=schema/>
                    <p class="tool-label">"Code"</p>
                    <Exact text=code/>
                </div>
            </details>
            {offered}
            {accept}
            {change}
            <details class="confirm">
                <summary class="button" data-kind="quiet" aria-label=delete.clone()>
                    <Icon name="trash" small=true/>
                    {short}
                </summary>
                <ActionForm action=answers.delete attr:class="confirm-body">
                    <p>{gone}</p>
                    <input type="hidden" name="id" value=agent.0/>
                    <input type="hidden" name="name" value=name/>
                    <button type="submit" class="button" data-kind="danger">{delete}</button>
                </ActionForm>
            </details>
        </li>
    }
}

#[component]
fn Accept(agent: AgentId, name: String, version: u32, accept: FormAction<AcceptMadeTool>) -> impl IntoView {
    let words = say!("Let the agent have {name}");
    view! {
        <ActionForm action=accept>
            <input type="hidden" name="id" value=agent.0/>
            <input type="hidden" name="name" value=name/>
            <input type="hidden" name="version" value=version.to_string()/>
            <button type="submit" class="button" data-kind="primary">{words}</button>
        </ActionForm>
    }
}

/// What is done with a tool that the agent has.
#[component]
fn Change(
    agent: AgentId,
    name: String,
    tool: MadeToolView,
    refused: Option<RefusedTool>,
    answers: Answers,
) -> impl IntoView {
    let file = format!("/tools/{agent}/{name}");
    let is_refused = refused.is_some();
    view! {
        <details class="fold" open=is_refused>
            <summary><span class="fold-title">{say!("Change {name}")}</span></summary>
            <div class="fold-body">
                <p class="field-hint">"What you save is yours: the agent can call it, and not change it."</p>
                <ToolForm agent tool=Some(tool) refused write=answers.write/>
            </div>
        </details>
        <p class="actions">
            <a class="button" data-kind="quiet" href=file download rel="external">{say!("Save {name} as a file")}</a>
        </p>
    }
}

fn author_words(author: ToolAuthor) -> &'static str {
    t(match author {
        ToolAuthor::Agent => "by the agent itself",
        ToolAuthor::Person => "by you",
        ToolAuthor::File => "from a file",
    })
}
