//! What a file of a team would become, line by line, and the button that makes it.

use super::api::{MakeTeam, review_team};
use super::role::{number, tools_words};
use crate::AppError;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::prelude::*;
use crate::session::me;
use crate::together::both;
use crate::ui::{ActionFailure, ActionForm, FailureBanner, FormAction, Icon, PageTitle};
use leptos_router::hooks::use_params_map;
use protocol::view::{Me, RoleReview, TeamReview};
use protocol::{Failure, FailureKind};
use serde::{Deserialize, Serialize};

#[derive(Clone, Serialize, Deserialize)]
struct PageData {
    me: Me,
    file: TeamFile,
}

#[derive(Clone, Serialize, Deserialize)]
enum TeamFile {
    Read(TeamReview),
    /// It is there, and not in order.
    Refused(Failure),
}

#[component]
pub fn ReviewTeamPage() -> impl IntoView {
    let params = use_params_map();
    let id = Memo::new(move |_| params.read().get("file").unwrap_or_default());
    let make = FormAction::<MakeTeam>::new();
    let known = PageResource::new(move || id.get(), load);
    view! {
        <Loaded resource=known view=move |PageData { me, file }| view! {
            <PageTitle text=t("A team from a file").to_owned()/>
            <Shell me>
                <div class="settings">
                    {match file {
                        TeamFile::Read(review) => view! { <Reviewed review make/> }.into_any(),
                        TeamFile::Refused(failure) => view! { <Refused failure/> }.into_any(),
                    }}
                </div>
            </Shell>
        }/>
    }
}

#[component]
fn Reviewed(review: TeamReview, make: FormAction<MakeTeam>) -> impl IntoView {
    let TeamReview { file, team, roles } = review;
    let heading = team.unwrap_or_else(|| t("A team from a file").to_owned());
    let agents: usize = roles.iter().map(|role| role.makes.len()).sum();
    let words = match (agents, roles.len()) {
        (0, _) => t("Keep the roles").to_owned(),
        (agents, _) => plural!(agents, "Make 1 agent", "Make {agents} agents"),
    };
    view! {
        <header class="section-head">
            <h1>{heading}</h1>
            <p>"Nothing is made yet. This is what the file would become."</p>
        </header>
        <ActionFailure value=make.value()/>
        <ul class="schedules">{roles.into_iter().map(|role| view! { <Role role/> }).collect_view()}</ul>
        <ActionForm action=make attr:class="form">
            <input type="hidden" name="file" value=file/>
            <div class="form-end">
                <button type="submit" class="button" data-kind="primary">{words}</button>
                <a class="button" data-kind="quiet" href="/teams">"Cancel"</a>
            </div>
        </ActionForm>
    }
}

#[component]
fn Role(role: RoleReview) -> impl IntoView {
    let thinks = thinks(&role);
    let RoleReview {
        line,
        role: name,
        description,
        instructions,
        tools,
        least,
        most,
        is_known,
        there,
        makes,
        notices,
        provider: _,
        model: _,
    } = role;
    let (heading, labelled) = (format!("line-{line}"), format!("line-{line}"));
    let known = is_known.then(|| {
        let has = match there {
            0 => t("no agent has it").to_owned(),
            there => plural!(there, "1 agent has it and stays as it is", "{there} agents have it and stay as they are"),
        };
        view! { <p class="schedule-words">"You have this role: it becomes what the file says, " {has} "."</p> }
    });
    let made = if makes.is_empty() { t("No agent").to_owned() } else { makes.join(", ") };
    let notices = (!notices.is_empty()).then(|| {
        let notices = notices.into_iter().map(|notice| view! { <li>{notice}</li> }).collect_view();
        view! {
            <div class="banner" role="note">
                <Icon name="info"/>
                <ul class="banner-text">{notices}</ul>
            </div>
        }
    });
    view! {
        <li class="schedule" aria-labelledby=labelled>
            <div class="schedule-head">
                <h2 class="schedule-name" id=heading>{name}</h2>
                <span class="chip">"Line " {line}</span>
            </div>
            {(!description.is_empty()).then(|| view! { <p class="schedule-words">{description}</p> })}
            {known}
            {notices}
            <dl class="schedule-facts">
                <div><dt>"Agents made"</dt><dd>{made}</dd></div>
                <div><dt>"Number"</dt><dd>{number(least, most)}</dd></div>
                <div><dt>"Model"</dt><dd>{thinks}</dd></div>
                <div><dt>"Tools"</dt><dd>{tools_words(&tools)}</dd></div>
            </dl>
            {(!instructions.is_empty()).then(|| view! {
                <details class="fold">
                    <summary><span class="fold-title">"Instructions"</span></summary>
                    <div class="fold-body"><p class="schedule-words">{instructions}</p></div>
                </details>
            })}
        </li>
    }
}

fn thinks(role: &RoleReview) -> String {
    match (&role.provider, role.model.as_str()) {
        (_, "") => t("No model").to_owned(),
        (None, model) => say!("{model}, which you do not have"),
        (Some(provider), model) => say!("{model} of {provider}"),
    }
}

#[component]
fn Refused(failure: Failure) -> impl IntoView {
    let Failure { kind, message, id } = failure;
    let mut lines: Vec<String> = message.lines().map(str::to_owned).collect();
    let first = if lines.is_empty() { String::new() } else { lines.remove(0) };
    let more = (!lines.is_empty()).then(|| {
        let lines = lines.into_iter().map(|line| view! { <li>{line}</li> }).collect_view();
        view! { <ul>{lines}</ul> }
    });
    view! {
        <header class="section-head">
            <h1>"This file cannot become a team"</h1>
            <p>"Nothing was made. Put it right, and bring it again."</p>
        </header>
        <FailureBanner failure=Failure { kind, message: first, id }/>
        {more}
        <p class="actions"><a class="button" href="/teams#from">"Back"</a></p>
    }
}

async fn load(file: String) -> Result<PageData, AppError> {
    let (me, review) = both(me(), review_team(file)).await;
    let me = me?;
    let file = match review {
        Ok(review) => TeamFile::Read(review),
        Err(AppError(failure)) if failure.kind == FailureKind::Invalid => TeamFile::Refused(failure),
        Err(error) => return Err(error),
    };
    Ok(PageData { me, file })
}
