//! Where a program sends its person to be let in (OAuth): who asks, for what, and where the answer goes. Without a
//! script, so that nothing stands between the form and the program.

use super::entry::Case;
use super::opened::{OpenedChoices, agents_to_open};
use crate::AppError;
use crate::chrome::{Loaded, PageResource};
use crate::prelude::*;
use crate::session::me;
use crate::together::together;
use crate::transport::{Posted, Queried};
use crate::ui::{ActionFailure, ActionForm, ChoiceRow, FormAction, Select, WhoCan};
use leptos_router::hooks::use_location;
use protocol::AgentId;
use protocol::view::{GrantAnswer, NamedAgent, ProgramAsks, Right, TokenScope};

#[cfg(feature = "ssr")]
use crate::context::{facts, hub, viewer};
#[cfg(feature = "ssr")]
use hub::{OpenedAgents, Words};

/// What is asked for by the address `query` of the page.
#[server(name = GetProgramAsks, prefix = "/api", endpoint = "oauth/asks", protocol = Queried)]
pub async fn program_asks(query: String) -> Result<ProgramAsks, AppError> {
    let viewer = viewer()?;
    Ok(hub()
        .for_viewer(&viewer)
        .oauth_grants()
        .look(&query, &facts().origin)
        .await
        .map_err(hub::Error::from)?)
}

/// Leads back to the program. `relays`: what it says to agents are words of others; `files`: it may read theirs;
/// `chosen`: there are only these agents for it.
#[server(prefix = "/api", endpoint = "oauth/answer", protocol = Posted)]
pub async fn answer_program(
    query: String,
    answer: GrantAnswer,
    #[server(default)] relays: bool,
    #[server(default)] files: bool,
    #[server(default)] chosen: bool,
    #[server(default)] agents: Vec<AgentId>,
) -> Result<(), AppError> {
    let viewer = viewer()?;
    let (hub, origin) = (hub(), facts().origin);
    let scoped = hub.for_viewer(&viewer);
    let grants = scoped.oauth_grants();
    let answered = match answer {
        GrantAnswer::Allow => {
            let words = if relays { Words::OfOthers } else { Words::Own };
            let opened = OpenedAgents::chosen(chosen, agents)?;
            grants.allow(&query, &origin, words, files, &opened).await
        }
        GrantAnswer::Deny => grants.deny(&query, &origin).await,
    };
    crate::context::redirect(&answered.map_err(hub::Error::from)?);
    Ok(())
}

#[component]
pub fn AuthorizePage() -> impl IntoView {
    let answer = FormAction::<AnswerProgram>::new();
    let query = use_location().search.get_untracked();
    let query = query.trim_start_matches('?').to_owned();
    let asked = query.clone();
    let asks = PageResource::new(move || asked.clone(), consent);
    view! {
        <Loaded
            resource=asks
            view=move |(asks, agents, may_let_in)| {
                let query = query.clone();
                view! { <Case title="Let a program in"><Consent asks agents may_let_in query answer/></Case> }
            }
        />
    }
}

/// Who asks, which agents there are to speak with, and whether the person may let programs in.
async fn consent(query: String) -> Result<(ProgramAsks, Vec<NamedAgent>, bool), AppError> {
    let (asks, agents, me) = together!(program_asks(query), agents_to_open(), me());
    Ok((asks, agents, me.rights.contains(&Right::MakeTokens)))
}

#[component]
fn Consent(
    asks: ProgramAsks,
    agents: Vec<NamedAgent>,
    may_let_in: bool,
    query: String,
    answer: FormAction<AnswerProgram>,
) -> impl IntoView {
    let ProgramAsks { client, host, goes_to, is_here, scope } = asks;
    let vouched = match host {
        Some(host) => view! { "It is described at " <b>{host}</b> ", which speaks for it." }.into_any(),
        None => t("Nobody vouches for this name: the program gave it itself.").into_any(),
    };
    let back = match is_here {
        true => view! { "The answer goes to a program on this device (" <b>{goes_to}</b> ")." }.into_any(),
        false => view! { "The answer goes to " <b>{goes_to}</b> "." }.into_any(),
    };
    let allow = match may_let_in {
        true => view! {
            <Select
                id="grant-relays"
                name="relays"
                label="What it says to agents are"
                hint="Choose words of others for a program that passes on mails or chats: agents are told so, and you are asked before anything private leaves."
            >
                <option value="false">"Your own words"</option>
                <option value="true">"Words of others"</option>
            </Select>
            <OpenedChoices agents/>
            <button type="submit" class="button" data-kind="primary" name="answer" value="allow">"Let it in"</button>
        }
        .into_any(),
        false => view! { <WhoCan words="Members and administrators can let programs in."/> }.into_any(),
    };
    view! {
        <ActionForm action=answer attr:class="signin-form">
            <h1>{say!("Let {client} in?")}</h1>
            <ActionFailure value=answer.value()/>
            <p>"It speaks with your agents then, which act with all that they may do."</p>
            {(may_let_in && scope == TokenScope::Everything).then(|| view! {
                <ChoiceRow
                    words="It may read the files of your agents and your skills too"
                    hint="It asks for that. Without it, it only hears what they say."
                >
                    <input type="checkbox" name="files" value="true" checked/>
                </ChoiceRow>
            })}
            <p class="soft">{vouched} " " {back} " Go on only if you have just asked for this there."</p>
            <input type="hidden" name="query" value=query/>
            {allow}
            <button type="submit" class="button" name="answer" value="deny">"Do not"</button>
        </ActionForm>
        <p class="signin-foot">
            "You see and end its access under " <a href="/account#tokens">"API tokens"</a> "."
        </p>
    }
}
