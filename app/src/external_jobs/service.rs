//! The page of one service: whether it answers, what agents may start there, and its token.

use super::api::{
    ChangeJobService, LookAtJobService, RemoveJobService, SetJobServiceToken, SwitchJobService,
    read_job_service,
};
use super::form::{JobsField, LogField, TokenField};
use super::words;
use crate::AppError;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::prelude::*;
use crate::session::{brings_own, me};
use crate::together::together;
use crate::ui::{ActionFailure, ActionForm, Done, FormAction, Icon, PageTitle, Section, WhoCan, kept};
use leptos_router::hooks::use_params_map;
use protocol::JobServiceId;
use protocol::view::{JobServiceView, Me};
use serde::{Deserialize, Serialize};

/// What can be done here.
#[derive(Clone, Copy)]
struct Ways {
    look: FormAction<LookAtJobService>,
    switch: FormAction<SwitchJobService>,
    change: FormAction<ChangeJobService>,
    token: FormAction<SetJobServiceToken>,
    remove: FormAction<RemoveJobService>,
}

/// All that the page shows.
#[derive(Clone, Serialize, Deserialize)]
struct PageData {
    me: Me,
    service: JobServiceView,
}

#[component]
pub fn JobServicePage() -> impl IntoView {
    let params = use_params_map();
    let id = Memo::new(move |_| JobServiceId(params.read().get("id").unwrap_or_default()));
    let ways = Ways {
        look: FormAction::<LookAtJobService>::new(),
        switch: FormAction::<SwitchJobService>::new(),
        change: FormAction::<ChangeJobService>::new(),
        token: FormAction::<SetJobServiceToken>::new(),
        remove: FormAction::<RemoveJobService>::new(),
    };
    let done = move || {
        let changed = (ways.switch.version().get(), ways.change.version().get());
        (ways.look.version().get(), ways.token.version().get(), changed)
    };
    let shown = PageResource::new(move || (id.get(), done()), |(id, _)| load(id));
    view! { <Loaded resource=shown view=move |shown| view! { <Service shown ways/> }/> }
}

#[component]
fn Service(shown: PageData, ways: Ways) -> impl IntoView {
    let PageData { me, service } = shown;
    let (heading, may_change) = (service.name.clone(), brings_own(&me));
    let failure = service.failure.clone().map(|why| view! { <Failed why/> });
    let done = service.failure.is_none().then(|| {
        view! {
            <Done what="added" words="The service is added, and it answers."/>
            <Done what="looked" words="It answers."/>
            <Done what="token" words="This says who asks from now on, and the service answers."/>
            <Done what="changed" words="Saved. It holds from the next start on."/>
        }
    });
    let place = match service.repository.is_empty() {
        true => service.url.clone(),
        false => format!("{} · {}", service.url, service.repository),
    };
    view! {
        <PageTitle text={say!("{heading}, job service")}/>
        <Shell me>
            <div class="settings">
                <header class="section-head">
                    <h1>{heading}</h1>
                    <p class="made-tool-about">{words::kind(service.kind)} " " <code>{place}</code></p>
                    {(!service.is_on).then(|| view! { <p>"It is off: no agent of yours can start anything there, and what is under way there is not looked at."</p> })}
                </header>
                <ActionFailure value=ways.look.value()/>
                <ActionFailure value=ways.switch.value()/>
                {done}
                {failure}
                <div class="actions">
                    {kept(service.clone(), move |service| {
                        let changes = may_change.then(|| view! { <Look service=service.clone() look=ways.look/> <Switch service=service.clone() switch=ways.switch/> });
                        view! { {changes} <Remove service remove=ways.remove/> }
                    })}
                </div>
                <ActionFailure value=ways.remove.value()/>
                {match may_change {
                    true => kept(service, move |service| view! { <Jobs service=service.clone() change=ways.change/> <Token service token=ways.token/> }),
                    false => view! { <WhoCan words="Members and administrators can change it. You can remove it."/> }.into_any(),
                }}
                <p class="actions"><a class="button" href="/external-jobs">"All external jobs"</a></p>
            </div>
        </Shell>
    }
}

#[component]
fn Failed(why: String) -> impl IntoView {
    view! {
        <div class="banner" data-kind="error" role="alert">
            <Icon name="warn"/>
            <p class="banner-text">"When it was last tried, it did not answer as it should. " {why}</p>
        </div>
    }
}

#[component]
fn Look(service: JobServiceView, look: FormAction<LookAtJobService>) -> impl IntoView {
    let id = service.id.0.clone();
    let is_looking = move || look.is_pending_with("id", &id);
    view! {
        <ActionForm action=look>
            <input type="hidden" name="id" value=service.id.0/>
            <button type="submit" class="button" aria-busy=move || is_looking().then_some("true")>"Test"</button>
        </ActionForm>
    }
}

#[component]
fn Switch(service: JobServiceView, switch: FormAction<SwitchJobService>) -> impl IntoView {
    let words = t(if service.is_on { "Switch off" } else { "Switch on" });
    view! {
        <ActionForm action=switch>
            <input type="hidden" name="id" value=service.id.0/>
            {(!service.is_on).then(|| view! { <input type="hidden" name="on" value="true"/> })}
            <button type="submit" class="button">{words}</button>
        </ActionForm>
    }
}

#[component]
fn Remove(service: JobServiceView, remove: FormAction<RemoveJobService>) -> impl IntoView {
    let words = t(if service.has_token { "Remove it and its token" } else { "Remove it" });
    view! {
        <details class="confirm">
            <summary class="button" data-kind="quiet" aria-label={say!("Remove {name}", name = service.name)}>
                <Icon name="trash" small=true/>
                "Remove"
            </summary>
            <ActionForm action=remove attr:class="confirm-body">
                <p>"No agent of yours can start anything there any more, and what is under way there is not heard of."</p>
                <input type="hidden" name="id" value=service.id.0/>
                <button type="submit" class="button" data-kind="danger">{words}</button>
            </ActionForm>
        </details>
    }
}

/// What agents may start there.
#[component]
fn Jobs(service: JobServiceView, change: FormAction<ChangeJobService>) -> impl IntoView {
    view! {
        <Section id="jobs" title="Jobs" lead="Agents can start these and no others.">
            <ActionFailure value=change.value()/>
            <ActionForm action=change attr:class="form" attr:autocomplete="off">
                <input type="hidden" name="id" value=service.id.0/>
                <JobsField value={words::jobs(&service.jobs)}/>
                <LogField value=service.log_url/>
                <div class="form-end">
                    <button type="submit" class="button">"Save jobs"</button>
                </div>
            </ActionForm>
        </Section>
    }
}

/// What says who asks, and the form for something else.
#[component]
fn Token(service: JobServiceView, token: FormAction<SetJobServiceToken>) -> impl IntoView {
    let sent = t(match service.has_token {
        true => "A token, kept encrypted.",
        false => "Nothing that says who asks.",
    });
    view! {
        <Section id="token" title="Token" lead="Sent with each request to this server. What you enter takes its place; an empty field takes it away.">
            <p>{sent}</p>
            <ActionFailure value=token.value()/>
            <ActionForm action=token attr:class="form" attr:autocomplete="off">
                <input type="hidden" name="id" value=service.id.0/>
                <TokenField/>
                <div class="form-end">
                    <button type="submit" class="button">"Set the token"</button>
                </div>
            </ActionForm>
        </Section>
    }
}

async fn load(id: JobServiceId) -> Result<PageData, AppError> {
    let (me, service) = together!(me(), read_job_service(id));
    Ok(PageData { me, service })
}
