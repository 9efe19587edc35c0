//! The page of one person, for administrators.

use super::api::{
    DisablePerson, DropSecondFactor, EnablePerson, RemovePerson, ResetPassword, SetRole, person,
};
use super::people::role_words;
use crate::AppError;
use crate::account::api::me;
use crate::account::{ShownOnce, origin, take_one_time};
use crate::chrome::Shell;
use crate::money::api::Limit;
use crate::money::{LimitFields, Spending};
use crate::ui::{ActionFailure, Done, Loaded, PageTitle, When};
use leptos::form::ActionForm;
use leptos::prelude::*;
use leptos_router::hooks::use_params_map;
use protocol::UserId;
use protocol::view::{Me, NewReset, OneTime, PersonView, Role};
use serde::{Deserialize, Serialize};

/// All that the page shows.
#[derive(Clone, Serialize, Deserialize)]
struct Shown {
    me: Me,
    person: PersonView,
    /// Where reset links lead.
    origin: String,
    /// What the form post before this page made.
    new_reset: Option<NewReset>,
}

#[derive(Clone, Copy)]
struct Forms {
    set_role: ServerAction<SetRole>,
    disable: ServerAction<DisablePerson>,
    enable: ServerAction<EnablePerson>,
    remove: ServerAction<RemovePerson>,
    reset: ServerAction<ResetPassword>,
    drop_factor: ServerAction<DropSecondFactor>,
    limit: ServerAction<Limit>,
}

impl Forms {
    fn new() -> Self {
        Self {
            set_role: ServerAction::new(),
            disable: ServerAction::new(),
            enable: ServerAction::new(),
            remove: ServerAction::new(),
            reset: ServerAction::new(),
            drop_factor: ServerAction::new(),
            limit: ServerAction::new(),
        }
    }

    /// Changes when a form was answered that changes what is shown.
    fn answered(self) -> [usize; 5] {
        [
            self.set_role.version().get(),
            self.disable.version().get(),
            self.enable.version().get(),
            self.limit.version().get(),
            self.drop_factor.version().get(),
        ]
    }
}

#[component]
pub fn PersonPage() -> impl IntoView {
    let params = use_params_map();
    let id = move || params.with(|params| params.get("id")).unwrap_or_default();
    let forms = Forms::new();
    let shown = Resource::new_blocking(move || (id(), forms.answered()), |(id, _)| load(UserId(id)));
    view! { <Loaded resource=shown view=move |shown| view! { <Sections shown forms/> }/> }
}

#[component]
fn Sections(shown: Shown, forms: Forms) -> impl IntoView {
    let Shown { me, person, origin, new_reset } = shown;
    let (id, name) = (person.id.0.clone(), person.name.clone());
    let audit = format!("/admin/audit?person={id}");
    view! {
        <PageTitle text=name.clone()/>
        <Shell me>
            <div class="settings">
                <div class="section-head">
                    <h1>{name.clone()} {person.disabled.then(|| view! { <span class="chip">"Disabled"</span> })}</h1>
                    <p>
                        {role_words(person.role)} ", here since " <When at=person.created_at/> ", "
                        {match person.last_seen_at {
                            Some(at) => view! { "last seen " <When at/> }.into_any(),
                            None => "never seen".into_any(),
                        }}
                        ". "
                        <a href=audit>"What happened with this account"</a>
                    </p>
                </div>
                <RoleSection id=id.clone() role=person.role set_role=forms.set_role/>
                <LimitSection person=person.clone() limit=forms.limit/>
                <ResetSection id=id.clone() origin new_reset reset=forms.reset/>
                <FactorSection id=id.clone() is_on=person.second_factor drop_factor=forms.drop_factor/>
                <ShutOut person forms/>
            </div>
        </Shell>
    }
}

#[component]
fn RoleSection(id: String, role: Role, set_role: ServerAction<SetRole>) -> impl IntoView {
    view! {
        <section class="section" aria-labelledby="role">
            <div class="section-head"><h2 id="role">"Role"</h2></div>
            <ActionFailure value=set_role.value()/>
            <Done what="role" words="The role is set."/>
            <ActionForm action=set_role attr:class="form">
                <input type="hidden" name="id" value=id/>
                <fieldset class="choices">
                    <legend class="sr-only">"Role"</legend>
                    <Choice value="admin" words="Administrator: runs the hub, and manages people" checked=role == Role::Admin/>
                    <Choice value="member" words="Member: brings in own providers and tokens" checked=role == Role::Member/>
                    <Choice value="guest" words="Guest: works with what others share" checked=role == Role::Guest/>
                </fieldset>
                <div class="form-end"><button type="submit" class="button">"Save"</button></div>
            </ActionForm>
        </section>
    }
}

#[component]
fn Choice(value: &'static str, words: &'static str, checked: bool) -> impl IntoView {
    view! {
        <label class="choice">
            <input type="radio" name="role" value=value checked=checked/>
            <span>{words}</span>
        </label>
    }
}

#[component]
fn LimitSection(person: PersonView, limit: ServerAction<Limit>) -> impl IntoView {
    let PersonView { id, budget, .. } = person;
    view! {
        <section class="section" aria-labelledby="limits">
            <div class="section-head">
                <h2 id="limits">"Limits on spending"</h2>
                <p>"They count beside those that people set for themselves, and only administrators change them."</p>
            </div>
            <ActionFailure value=limit.value()/>
            <Done what="limits" words="The limits are saved."/>
            <Spending budget/>
            <ActionForm action=limit attr:class="form">
                <input type="hidden" name="person" value=id.0/>
                <LimitFields caps=budget.caps of="person".to_owned()/>
                <div class="form-end"><button type="submit" class="button">"Save"</button></div>
            </ActionForm>
        </section>
    }
}

#[component]
fn ResetSection(
    id: String,
    origin: String,
    new_reset: Option<NewReset>,
    reset: ServerAction<ResetPassword>,
) -> impl IntoView {
    let shown = move || reset.value().get().and_then(Result::ok).or_else(|| new_reset.clone());
    view! {
        <section class="section" aria-labelledby="reset">
            <div class="section-head">
                <h2 id="reset">"Forgotten password"</h2>
                <p>"A link with which they choose a new one, within a day. It works once, and then signs their devices out."</p>
            </div>
            <ActionFailure value=reset.value()/>
            {move || shown().map(|new| view! {
                <ShownOnce words=format!("Send this link to {}.", new.name) value=format!("{origin}{}", new.path)/>
            })}
            <ActionForm action=reset attr:class="actions">
                <input type="hidden" name="id" value=id/>
                <button type="submit" class="button">"Create reset link"</button>
            </ActionForm>
        </section>
    }
}

#[component]
fn FactorSection(id: String, is_on: bool, drop_factor: ServerAction<DropSecondFactor>) -> impl IntoView {
    let (words, form) = if is_on {
        (
            "They sign in with a code besides the password. If they lost phone and recovery codes, take it away: \
             their password is enough then, and they see in their account that you did it.",
            view! {
                <ActionForm action=drop_factor attr:class="actions">
                    <input type="hidden" name="id" value=id/>
                    <button type="submit" class="button">"Take the second factor away"</button>
                </ActionForm>
            }
            .into_any(),
        )
    } else {
        ("They sign in with their password alone.", ().into_any())
    };
    view! {
        <section class="section" aria-labelledby="factor">
            <div class="section-head">
                <h2 id="factor">"Second factor"</h2>
                <p>{words}</p>
            </div>
            <ActionFailure value=drop_factor.value()/>
            <Done what="second-factor" words="The second factor is taken away."/>
            {form}
        </section>
    }
}

#[component]
fn ShutOut(person: PersonView, forms: Forms) -> impl IntoView {
    let Forms { disable, enable, remove, .. } = forms;
    let PersonView { id, name, disabled, is_self, .. } = person;
    let hint = format!("Type {name} to say that you mean it.");
    let switched = id.0.clone();
    let switch = if disabled {
        view! {
            <ActionForm action=enable attr:class="actions">
                <input type="hidden" name="id" value=switched/>
                <button type="submit" class="button">"Enable the account"</button>
            </ActionForm>
        }
        .into_any()
    } else {
        view! {
            <ActionForm action=disable attr:class="actions">
                <input type="hidden" name="id" value=switched/>
                <button type="submit" class="button">"Disable the account"</button>
            </ActionForm>
        }
        .into_any()
    };
    view! {
        <section class="section" aria-labelledby="out">
            <div class="section-head">
                <h2 id="out">"Shut out"</h2>
                <p>
                    "Who is disabled is signed out at once, and what runs for them ends. Their agents stay. "
                    {is_self.then_some("This is your own account.")}
                </p>
            </div>
            <ActionFailure value=disable.value()/>
            <ActionFailure value=enable.value()/>
            {switch}
            <ActionFailure value=remove.value()/>
            <ActionForm action=remove attr:class="form">
                <input type="hidden" name="id" value=id.0/>
                <div class="field">
                    <label class="field-label" for="remove-name">{format!("Remove {name} with all agents and keys")}</label>
                    <input class="input" id="remove-name" name="name" required maxlength="40" autocomplete="off" aria-describedby="remove-hint"/>
                    <p class="field-hint" id="remove-hint">{hint}</p>
                </div>
                <div class="form-end">
                    <button type="submit" class="button" data-kind="danger">"Remove the account"</button>
                </div>
            </ActionForm>
        </section>
    }
}

async fn load(id: UserId) -> Result<Shown, AppError> {
    let me = me().await?;
    let new_reset = match take_one_time() {
        Some(OneTime::Reset(reset)) => Some(reset),
        Some(OneTime::Token(_) | OneTime::Invite(_) | OneTime::RecoveryCodes(_)) | None => None,
    };
    Ok(Shown { me, person: person(id).await?, origin: origin(), new_reset })
}
