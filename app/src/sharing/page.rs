//! The page where an administrator shares a provider of theirs, changes how, or takes it back.

use super::api::{ShareProvider, StopSharing, get_share, list_groups};
use super::people::PeopleChoices;
use crate::AppError;
use crate::amount;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::money::api::people_budgets;
use crate::prelude::*;
use crate::providers::api::list_providers;
use crate::session::me;
use crate::together::together;
use crate::ui::{
    ActionFailure, ActionForm, ChoiceRow, Done, Field, FormAction, PageTitle, Section, TextArea,
};
use leptos_router::hooks::use_params_map;
use protocol::view::{GroupView, Me, PersonBudget, ProviderOwnership, ProviderView, Share};
use protocol::{Failure, FailureKind, GroupId, ProviderId};
use serde::{Deserialize, Serialize};

/// All that the page shows.
#[derive(Clone, Serialize, Deserialize)]
struct PageData {
    me: Me,
    provider: ProviderView,
    /// `None`: it is not shared.
    share: Option<Share>,
    /// Everybody else.
    people: Vec<PersonBudget>,
    groups: Vec<GroupView>,
}

#[component]
pub fn SharePage() -> impl IntoView {
    let params = use_params_map();
    let id = Memo::new(move |_| ProviderId(params.with(|params| params.get("id").unwrap_or_default())));
    let set = FormAction::<ShareProvider>::new();
    let stop = FormAction::<StopSharing>::new();
    let shown = PageResource::new(move || (id.get(), set.version().get()), |(id, _)| load(id));
    view! { <Loaded resource=shown view=move |shown| view! { <Sections shown set stop/> }/> }
}

#[component]
fn Sections(shown: PageData, set: FormAction<ShareProvider>, stop: FormAction<StopSharing>) -> impl IntoView {
    let PageData { me, provider, share, people, groups } = shown;
    let ProviderView { id, name, .. } = provider;
    let heading = say!("Share {name}");
    let is_shared = share.is_some();
    let share = share.unwrap_or_default();
    let stopped = id.0.clone();
    view! {
        <PageTitle text=heading.clone()/>
        <Shell me>
            <div class="settings">
                <header class="section-head">
                    <h1>{heading}</h1>
                    <p>
                        "Whom you choose can use it with your key, at your cost. They do not see the key or the \
                        address, and cannot change either. Your agents are not limited by what stands here."
                    </p>
                </header>
                <Done what="shared" words="It is shared like this from now on."/>
                <ActionFailure value=set.value()/>
                <ActionForm action=set attr:class="form">
                    <input type="hidden" name="provider" value=id.0/>
                    <Fields share people groups/>
                    <div class="form-end">
                        <button type="submit" class="button" data-kind="primary">{t(if is_shared { "Save" } else { "Share" })}</button>
                        <a class="button" data-kind="quiet" href="/providers">"Back to providers"</a>
                    </div>
                </ActionForm>
                {is_shared.then(|| view! { <Stop id=stopped name stop/> })}
            </div>
        </Shell>
    }
}

#[component]
fn Fields(share: Share, people: Vec<PersonBudget>, groups: Vec<GroupView>) -> impl IntoView {
    let Share { everyone, people: chosen, groups: grouped, models, per_month } = share;
    let per_month = per_month.map(amount::written).unwrap_or_default();
    view! {
        <ChoiceRow words="Everybody with an account" hint="Also those who come later.">
            <input type="checkbox" name="everyone" value="true" checked=everyone/>
        </ChoiceRow>
        <PeopleChoices people chosen/>
        <Groups groups grouped/>
        <Field id="share-limit" label="What each person may spend in a month" hint="Dollars, like 5 or 2.50. Empty: no limit here.">
            <input
                class="input num"
                id="share-limit"
                name="per_month"
                value=per_month
                inputmode="decimal"
                maxlength="20"
                aria-describedby="share-limit-hint"
            />
        </Field>
        <Field id="share-models" label="Models that they may use" hint="One on each line, as the provider calls it. Empty: all of them.">
            <TextArea
                text=models.join("\n")
                attr:class="input input-code"
                attr:id="share-models"
                attr:name="models"
                attr:rows="4"
                attr:maxlength="20000"
                attr:spellcheck="false"
                attr:aria-describedby="share-models-hint"
            />
        </Field>
    }
}

#[component]
fn Groups(groups: Vec<GroupView>, grouped: Vec<GroupId>) -> impl IntoView {
    if groups.is_empty() {
        return view! { <p class="field-hint">"There are no groups yet. " <a href="/groups">"Make one"</a> " to share with several at once."</p> }
            .into_any();
    }
    let choices = groups
        .into_iter()
        .map(|GroupView { id, name, people }| {
            let checked = grouped.contains(&id);
            let hint = match people.len() {
                0 => t("Nobody yet").to_owned(),
                count => plural!(count, "{count} person", "{count} people"),
            };
            view! {
                <label class="choice">
                    <input type="checkbox" name="groups[]" value=id.0 checked=checked/>
                    <span>{name}</span>
                    <span class="choice-hint">{hint}</span>
                </label>
            }
        })
        .collect_view();
    view! {
        <fieldset class="choices" data-flow="columns">
            <legend class="field-label">"Groups"</legend>
            {choices}
        </fieldset>
        <p class="field-hint"><a href="/groups">"Change groups"</a></p>
    }
    .into_any()
}

#[component]
fn Stop(id: String, name: String, stop: FormAction<StopSharing>) -> impl IntoView {
    view! {
        <Section
            id="stop"
            title="Take it back"
            lead="From their next call on, agents of others that use it fail and say why. Nothing of theirs is lost."
        >
            <ActionFailure value=stop.value()/>
            <ActionForm action=stop attr:class="actions">
                <input type="hidden" name="provider" value=id/>
                <button type="submit" class="button" data-kind="danger">{say!("Stop sharing {name}")}</button>
            </ActionForm>
        </Section>
    }
}

async fn load(id: ProviderId) -> Result<PageData, AppError> {
    let (me, share, providers, mut people, groups) =
        together!(me(), get_share(id.clone()), list_providers(), people_budgets(), list_groups());
    let own = providers.into_iter().find(|provider| {
        provider.id == id
            && match provider.whose {
                ProviderOwnership::Own | ProviderOwnership::OwnShared => true,
                ProviderOwnership::Lent { .. } => false,
            }
    });
    let provider =
        own.ok_or_else(|| AppError(Failure::new(FailureKind::NotFound, t("There is no such provider."))))?;
    people.retain(|person| person.id != me.id);
    Ok(PageData { me, provider, share, people, groups })
}
