//! The page of one person, for administrators.

use super::api::{
    DisablePerson, DropSecondFactor, EnablePerson, RemovePerson, ResetPassword, SetRole, person,
};
use super::people::role_words;
use crate::AppError;
use crate::account::{ShownOnce, take_one_time};
use crate::chrome::{Loaded, PageResource, Shell};
use crate::money::api::Limit;
use crate::money::{LimitFields, Spending};
use crate::origin::origin;
use crate::prelude::*;
use crate::session::me;
use crate::together::together;
use crate::ui::{ActionFailure, ActionForm, Choice, Done, Field, FormAction, PageTitle, Section, When};
use leptos_router::hooks::use_params_map;
use protocol::UserId;
use protocol::view::{Me, NewReset, OneTime, PersonView, Role};
use serde::{Deserialize, Serialize};

/// All that the page shows.
#[derive(Clone, Serialize, Deserialize)]
struct PageData {
    me: Me,
    person: PersonView,
    /// Where reset links lead.
    origin: String,
    /// What the form post before this page made.
    new_reset: Option<NewReset>,
}

#[derive(Clone, Copy)]
struct Forms {
    set_role: FormAction<SetRole>,
    disable: FormAction<DisablePerson>,
    enable: FormAction<EnablePerson>,
    remove: FormAction<RemovePerson>,
    reset: FormAction<ResetPassword>,
    drop_factor: FormAction<DropSecondFactor>,
    limit: FormAction<Limit>,
}

impl Forms {
    fn new() -> Self {
        Self {
            set_role: FormAction::new(),
            disable: FormAction::new(),
            enable: FormAction::new(),
            remove: FormAction::new(),
            reset: FormAction::new(),
            drop_factor: FormAction::new(),
            limit: FormAction::new(),
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
    let shown = PageResource::new(move || (id(), forms.answered()), |(id, _)| load(UserId(id)));
    view! { <Loaded resource=shown view=move |shown| view! { <Sections shown forms/> }/> }
}

#[component]
fn Sections(shown: PageData, forms: Forms) -> impl IntoView {
    let PageData { me, person, origin, new_reset } = shown;
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
                            None => t("never seen").into_any(),
                        }}
                        {person.node.as_deref().map(|node| say!(", served by node {node}", node = short(node)))}
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

/// As the page of the hub's status names it: names of one time begin alike.
fn short(node: &str) -> String {
    node.chars().skip(node.chars().count().saturating_sub(8)).collect()
}

#[component]
fn RoleSection(id: String, role: Role, set_role: FormAction<SetRole>) -> impl IntoView {
    view! {
        <section class="section" aria-labelledby="role">
            <div class="section-head"><h2 id="role">"Role"</h2></div>
            <ActionFailure value=set_role.value()/>
            <Done what="role" words="The role is set."/>
            <ActionForm action=set_role attr:class="form">
                <input type="hidden" name="id" value=id/>
                <fieldset class="choices">
                    <legend class="sr-only">"Role"</legend>
                    <Choice name="role" value="admin" words="Administrator: runs the hub, and manages people" checked=role == Role::Admin/>
                    <Choice name="role" value="member" words="Member: brings in own providers and tokens" checked=role == Role::Member/>
                    <Choice name="role" value="guest" words="Guest: works with what others share" checked=role == Role::Guest/>
                </fieldset>
                <div class="form-end"><button type="submit" class="button">"Save"</button></div>
            </ActionForm>
        </section>
    }
}

#[component]
fn LimitSection(person: PersonView, limit: FormAction<Limit>) -> impl IntoView {
    let PersonView { id, budget, .. } = person;
    view! {
        <Section
            id="limits"
            title="Limits on spending"
            lead="They count beside those that people set for themselves, and only administrators change them."
        >
            <ActionFailure value=limit.value()/>
            <Done what="limits" words="The limits are saved."/>
            <Spending budget/>
            <ActionForm action=limit attr:class="form">
                <input type="hidden" name="person" value=id.0/>
                <LimitFields caps=budget.caps of="person".to_owned()/>
                <div class="form-end"><button type="submit" class="button">"Save"</button></div>
            </ActionForm>
        </Section>
    }
}

#[component]
fn ResetSection(
    id: String,
    origin: String,
    new_reset: Option<NewReset>,
    reset: FormAction<ResetPassword>,
) -> impl IntoView {
    let shown = move || reset.value().get().and_then(Result::ok).or_else(|| new_reset.clone());
    view! {
        <Section
            id="reset"
            title="Forgotten password"
            lead="A link with which they choose a new one, within a day. It works once, and then signs their devices out."
        >
            <ActionFailure value=reset.value()/>
            {move || shown().map(|new| view! {
                <ShownOnce words=say!("Send this link to {name}.", name = new.name) what=t("the link") value=format!("{origin}{}", new.path)/>
            })}
            <ActionForm action=reset attr:class="actions">
                <input type="hidden" name="id" value=id/>
                <button type="submit" class="button">"Create reset link"</button>
            </ActionForm>
        </Section>
    }
}

#[component]
fn FactorSection(id: String, is_on: bool, drop_factor: FormAction<DropSecondFactor>) -> impl IntoView {
    let (words, form) = if is_on {
        (
            t(
                "They sign in with a code besides the password. If they lost phone and recovery codes, take it away: \
               their password is enough then, and they see in their account that you did it.",
            ),
            view! {
                <ActionForm action=drop_factor attr:class="actions">
                    <input type="hidden" name="id" value=id/>
                    <button type="submit" class="button">"Take the second factor away"</button>
                </ActionForm>
            }
            .into_any(),
        )
    } else {
        (t("They sign in with their password alone."), ().into_any())
    };
    view! {
        <Section id="factor" title="Second factor" lead=words>
            <ActionFailure value=drop_factor.value()/>
            <Done what="second-factor" words="The second factor is taken away."/>
            {form}
        </Section>
    }
}

#[component]
fn ShutOut(person: PersonView, forms: Forms) -> impl IntoView {
    let Forms { disable, enable, remove, .. } = forms;
    let PersonView { id, name, disabled, is_self, .. } = person;
    let hint = say!("Type {name} to say that you mean it.");
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
        <Section
            id="out"
            title="Shut out"
            lead=view! { "Who is disabled is signed out at once, and what runs for them ends. Their agents stay. " {is_self.then(|| t("This is your own account."))} }.into_any()
        >
            <ActionFailure value=disable.value()/>
            <ActionFailure value=enable.value()/>
            {switch}
            <ActionFailure value=remove.value()/>
            <ActionForm action=remove attr:class="form">
                <input type="hidden" name="id" value=id.0/>
                <Field id="remove-name" label=say!("Remove {name} with all agents and keys") hint>
                    <input class="input" id="remove-name" name="name" required maxlength="40" autocomplete="off" aria-describedby="remove-name-hint"/>
                </Field>
                <div class="form-end">
                    <button type="submit" class="button" data-kind="danger">"Remove the account"</button>
                </div>
            </ActionForm>
        </Section>
    }
}

async fn load(id: UserId) -> Result<PageData, AppError> {
    let (me, person) = together!(me(), person(id));
    // Taken last: what fails before it leaves it for the next try.
    let new_reset = match take_one_time() {
        Some(OneTime::Reset(reset)) => Some(reset),
        Some(
            OneTime::Token(_)
            | OneTime::Invite(_)
            | OneTime::RecoveryCodes(_)
            | OneTime::Channel(_)
            | OneTime::WebhookSecret(_),
        )
        | None => None,
    };
    Ok(PageData { me, person, origin: origin(), new_reset })
}
