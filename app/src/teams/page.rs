//! All roles with their agents, a form for a file, and one that chooses agents for one.

use super::api::{BringTeam, DeleteRole, LimitRole, MakeAnother, list_agent_roles};
use super::role::RoleRow;
use crate::AppError;
use crate::agents::api::list_agents;
use crate::browser::uploads;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::prelude::*;
use crate::session::me;
use crate::together::together;
use crate::ui::{ActionFailure, ActionForm, Done, Field, FormAction, PageTitle, Section, hint_id, kept_each};
use leptos::ev::Event;
use leptos::task::spawn_local;
use protocol::view::{AgentCard, AgentRoleView, Me};
use serde::{Deserialize, Serialize};

/// Longest file, in bytes.
const FILE: f64 = 256.0 * 1024.0;
const EXAMPLE: &str = include_str!("example.yaml");

#[derive(Clone, Serialize, Deserialize)]
struct PageData {
    me: Me,
    roles: Vec<AgentRoleView>,
    agents: Vec<AgentCard>,
}

/// What the rows send.
#[derive(Clone, Copy)]
pub(super) struct Actions {
    pub(super) another: FormAction<MakeAnother>,
    pub(super) limit: FormAction<LimitRole>,
    pub(super) delete: FormAction<DeleteRole>,
}

#[component]
pub fn TeamsPage() -> impl IntoView {
    let bring = FormAction::<BringTeam>::new();
    let actions = Actions { another: FormAction::new(), limit: FormAction::new(), delete: FormAction::new() };
    let versions = move || {
        (actions.another.version().get(), actions.limit.version().get(), actions.delete.version().get())
    };
    let known = PageResource::new(versions, |_| load());
    view! {
        <PageTitle text="Teams".to_owned()/>
        <Loaded resource=known view=move |PageData { me, roles, agents }| view! {
            <Shell me>
                <div class="settings">
                    <header class="section-head">
                        <h1>"Teams"</h1>
                        <p>"A role is a kind of agent: what it is told, which tools and which model it has, and how many of it there may be. An agent that may use " <code>"agent_spawn"</code> " asks for one by its name."</p>
                    </header>
                    <Done what="made" words="The agents are made."/>
                    <Done what="limited" words="The limit is set."/>
                    <Done what="deleted" words="The role is deleted. Its agents are still there."/>
                    <Roles roles actions/>
                    <FromFile bring/>
                    <IntoFile agents/>
                </div>
            </Shell>
        }/>
    }
}

#[component]
fn Roles(roles: Vec<AgentRoleView>, actions: Actions) -> impl IntoView {
    let body = if roles.is_empty() {
        view! { <p class="empty" data-size="small"><span>"No role yet. Roles come with the file of a team."</span></p> }
            .into_any()
    } else {
        let rows = kept_each(roles, move |role| view! { <RoleRow role actions/> });
        view! { <ul class="schedules">{rows}</ul> }.into_any()
    };
    view! {
        <Section id="roles" title="Roles">
            <ActionFailure value=actions.another.value()/>
            <ActionFailure value=actions.limit.value()/>
            <ActionFailure value=actions.delete.value()/>
            {body}
        </Section>
    }
}

#[component]
fn FromFile(bring: FormAction<BringTeam>) -> impl IntoView {
    let text = RwSignal::new(EXAMPLE.to_owned());
    let trouble = RwSignal::new("");
    let has_script = RwSignal::new(false);
    Effect::new(move |_| has_script.set(true));
    let take = move |event: Event| {
        let Some(file) = uploads::chosen(&event).into_iter().next() else { return };
        if file.size() > FILE {
            return trouble.set(t("The file is larger than 256 KB."));
        }
        trouble.set("");
        spawn_local(async move {
            if let Some(read) = file.text().await {
                text.try_set(read);
            }
        });
    };
    view! {
        <Section
            id="from"
            title="From a file"
            lead=view! { "Agents and their roles, as " <code>"agents.yaml"</code> " has them. You see what would be made before anything is." }.into_any()
        >
            <ActionFailure value=bring.value()/>
            <ActionForm action=bring attr:class="form">
                <Show when=move || has_script.get()>
                    <Field id="team-file" label="A file">
                        <input class="input" id="team-file" type="file" accept=".yaml,.yml,.json,application/json" on:change=take/>
                    </Field>
                    <p role="status">{move || trouble.get()}</p>
                </Show>
                <Field
                    id="team-text"
                    label="The text"
                    hint="YAML or JSON. Each agent has a role, and may have description, instructions, tools (names, or the sets page, research, writing, code and leading), model, home, colour, max_output_tokens, loop, names, least (so many are made) and most (more are never made)."
                >
                    <textarea
                        class="input input-code"
                        id="team-text"
                        name="text"
                        rows="16"
                        required
                        spellcheck="false"
                        aria-describedby=hint_id("team-text")
                        prop:value=move || text.get()
                        on:input=move |event| text.set(event_target_value(&event))
                    >
                        {EXAMPLE}
                    </textarea>
                </Field>
                <div class="form-end"><button type="submit" class="button" data-kind="primary">"Look at the team"</button></div>
            </ActionForm>
        </Section>
    }
}

/// A form of the browser's own, whose answer is a page with the file.
#[component]
fn IntoFile(agents: Vec<AgentCard>) -> impl IntoView {
    let is_empty = agents.is_empty();
    let choice = |AgentCard { id, name, .. }: AgentCard| {
        view! {
            <label class="choice">
                <input type="checkbox" name="agent" value=id.0/>
                <span>{name}</span>
            </label>
        }
    };
    let body = if is_empty {
        view! { <p class="empty" data-size="small"><span>"You have no agent yet. " <a href="/agents/new">"Make one."</a></span></p> }.into_any()
    } else {
        view! {
            <form class="form" method="get" action="/teams/export">
                <fieldset class="choices" data-flow="columns">
                    <legend class="field-label">"Agents"</legend>
                    {agents.into_iter().map(choice).collect_view()}
                </fieldset>
                <div class="form-end"><button type="submit" class="button">"Show the file"</button></div>
            </form>
        }
        .into_any()
    };
    view! {
        <Section id="into" title="Into a file" lead="Choose who goes along. You see the file, and what it leaves out, before you take it.">
            {body}
        </Section>
    }
}

async fn load() -> Result<PageData, AppError> {
    let (me, roles, agents) = together!(me(), list_agent_roles(), list_agents());
    Ok(PageData { me, roles, agents })
}
