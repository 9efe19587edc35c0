//! The page on which the owner of an agent says whose agents may ask it, for how much, and takes it back.

use super::AskableSection;
use super::api::{EndAgentShare, ShareAgent, agent_shares_of, askable_agents};
use crate::AppError;
use crate::agents::agent_in_path;
use crate::agents::api::get_agent;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::prelude::*;
use crate::session::me;
use crate::together::together;
use crate::ui::{
    ACTIONS, ActionFailure, ActionForm, Field, FormAction, FormEnd, PageTitle, Section, Select, Table, When,
    WhoCan, dollars, emptied_by, kept_each,
};
use protocol::AgentId;
use protocol::view::{AgentShareView, AgentView, AskableAgentView, Me, Right};
use serde::{Deserialize, Serialize};

/// All that the page shows.
#[derive(Clone, Serialize, Deserialize)]
struct PageData {
    me: Me,
    agent: AgentView,
    shares: Vec<AgentShareView>,
    askable: Vec<AskableAgentView>,
}

#[component]
pub fn ShareAgentPage() -> impl IntoView {
    let id = agent_in_path();
    let give = FormAction::<ShareAgent>::new();
    let end = FormAction::<EndAgentShare>::new();
    let shown =
        PageResource::new(move || (id.get(), give.version().get(), end.version().get()), |(id, ..)| load(id));
    view! { <Loaded resource=shown view=move |shown| view! { <Sections shown give end/> }/> }
}

async fn load(id: AgentId) -> Result<PageData, AppError> {
    let (me, agent, shares, askable) =
        together!(me(), get_agent(id.clone()), agent_shares_of(id), askable_agents());
    Ok(PageData { me, agent, shares, askable })
}

#[component]
fn Sections(shown: PageData, give: FormAction<ShareAgent>, end: FormAction<EndAgentShare>) -> impl IntoView {
    let PageData { me, agent, shares, askable } = shown;
    let AgentView { id, name, .. } = agent;
    let heading = say!("Share {name}");
    let back = format!("/agents/{id}/edit");
    let form = match me.rights.contains(&Right::MakeTokens) {
        true => view! {
            <ActionForm action=give node_ref=emptied_by(give) attr:class="form">
                <input type="hidden" name="agent" value=id.0/>
                <Fields/>
                <FormEnd words="Share"/>
            </ActionForm>
        }
        .into_any(),
        false => view! { <WhoCan words="Members and administrators can share their agents."/> }.into_any(),
    };
    view! {
        <PageTitle text=heading.clone()/>
        <Shell me>
            <div class="settings">
                <header class="section-head">
                    <h1>{heading}</h1>
                    <p class="actions"><a class="button" href=back>"Back to the agent"</a></p>
                </header>
                <WhatItMeans/>
                <Section id="share" title="Let agents of somebody ask it">
                    <ActionFailure value=give.value()/>
                    {form}
                </Section>
                <SharedWith shares end/>
                <AskableSection agents=askable/>
            </div>
        </Shell>
    }
}

/// Said before anything is shared.
#[component]
fn WhatItMeans() -> impl IntoView {
    view! {
        <Section id="means" title="What that means">
            <div class="prose"><ul>
                <li>"Their agents see its name, yours, and the first line of its instructions, and may ask it."</li>
                <li>
                    "It answers each in a conversation of its own among yours, with its tools, files and memory. Your rules hold, and you are asked for what needs a yes."
                </li>
                <li>"What they say counts as a stranger's words. They hear the answer, and nothing else of it."</li>
                <li>"You pay, up to the limit. Under Delegations you see who asked, and can stop it."</li>
            </ul></div>
        </Section>
    }
}

#[component]
fn Fields() -> impl IntoView {
    view! {
        <Select id="share-of" name="group" label="With">
            <option value="false">"A person"</option>
            <option value="true">"A group that you are in"</option>
        </Select>
        <Field id="share-name" label="Name" hint="Of their account on this hub, or of the group, exactly.">
            <input
                class="input"
                id="share-name"
                name="name"
                required
                maxlength="60"
                autocomplete="off"
                autocapitalize="none"
                spellcheck="false"
                aria-describedby="share-name-hint"
            />
        </Field>
        <Field
            id="share-month"
            label="What their questions may cost in a month"
            hint="Dollars, like 5 or 2.50. For whom it is shared with already, this is the limit from now on."
        >
            <input
                class="input num"
                id="share-month"
                name="per_month"
                required
                inputmode="decimal"
                autocomplete="off"
                maxlength="20"
                aria-describedby="share-month-hint"
            />
        </Field>
    }
}

#[component]
fn SharedWith(shares: Vec<AgentShareView>, end: FormAction<EndAgentShare>) -> impl IntoView {
    let body = if shares.is_empty() {
        view! { <p class="empty" data-size="small"><span>"Nobody's agents may ask it."</span></p> }.into_any()
    } else {
        let rows = kept_each(shares, move |share| view! { <ShareRow share end/> });
        view! { <Table columns=["With", "A month", "This month", "Since", ACTIONS] rows/> }.into_any()
    };
    view! {
        <Section
            id="with"
            title="Whose agents may ask it"
            lead="When you take it back, what they asked ends at once."
        >
            <ActionFailure value=end.value()/>
            {body}
        </Section>
    }
}

#[component]
fn ShareRow(share: AgentShareView, end: FormAction<EndAgentShare>) -> impl IntoView {
    let AgentShareView { id, with, is_group, per_month, spent, shared_at } = share;
    let label = say!("Take it back from {with}");
    view! {
        <tr>
            <td>{with} {is_group.then(|| view! { <span class="faint">", a group"</span> })}</td>
            <td data-label="A month" class="num">{dollars(per_month)}</td>
            <td data-label="This month" class="num">{dollars(spent)}</td>
            <td data-label="Since"><When at=shared_at/></td>
            <td class="list-end">
                <ActionForm action=end>
                    <input type="hidden" name="id" value=id.0/>
                    <button type="submit" class="button" data-kind="danger" aria-label=label>"Take it back"</button>
                </ActionForm>
            </td>
        </tr>
    }
}
