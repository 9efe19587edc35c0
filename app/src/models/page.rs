//! The page: look a model up; and for administrators the rows of their own.

use super::api::{
    DeleteFacts, EnterFacts, ForgetOwnPrice, RefreshFacts, SetOwnPrice, entered_facts, look_up_model,
    own_prices, wanted_prices,
};
use super::own::{OwnPrices, Wanted};
use crate::AppError;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::prelude::*;
use crate::session::me;
use crate::together::together;
use crate::ui::{
    ACTIONS, ActionFailure, ActionForm, Choice, Field, FormAction, FormEnd, Section, Table, grouped, hint_id,
    kept_each,
};
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;
use protocol::view::{Me, ModelFacts, OwnPrice, Role, WantedPrice};
use serde::{Deserialize, Serialize};

#[derive(Clone, Serialize, Deserialize)]
struct Models {
    me: Me,
    found: Option<ModelFacts>,
    own: Vec<OwnPrice>,
    /// Empty for those who are no administrators.
    wanted: Vec<WantedPrice>,
    /// `None` for those who are no administrators.
    entered: Option<Vec<ModelFacts>>,
}

#[derive(Clone, Copy)]
struct Forms {
    enter: FormAction<EnterFacts>,
    delete: FormAction<DeleteFacts>,
    refresh: FormAction<RefreshFacts>,
    set_own: FormAction<SetOwnPrice>,
    forget_own: FormAction<ForgetOwnPrice>,
}

#[component]
pub fn ModelsPage() -> impl IntoView {
    let forms = Forms {
        enter: FormAction::new(),
        delete: FormAction::new(),
        refresh: FormAction::new(),
        set_own: FormAction::new(),
        forget_own: FormAction::new(),
    };
    let query = use_query_map();
    let asked = Memo::new(move |_| query.with(|query| query.get("model").unwrap_or_default()));
    let changes = move || {
        let shared =
            (forms.enter.version().get(), forms.delete.version().get(), forms.refresh.version().get());
        (shared, forms.set_own.version().get(), forms.forget_own.version().get())
    };
    let models = PageResource::new(move || (asked.get(), changes()), |(model, _)| load(model));
    view! {
        <Title text="Models"/>
        <Loaded resource=models view=move |models| view! { <Sections models asked=asked.get_untracked() forms/> }/>
    }
}

#[component]
fn Sections(models: Models, asked: String, forms: Forms) -> impl IntoView {
    let Models { me, found, own, wanted, entered } = models;
    let asked_of = asked.clone();
    view! {
        <Shell me>
            <div class="settings">
                <h1>"Models"</h1>
                <Section
                    id="look-up"
                    title="What is known"
                    lead="Room, prices and abilities that agents go by. A price that is not known is shown as unknown, never as nothing."
                >
                    <form method="get" action="/models" class="form">
                        <Field id="model" label="Model">
                            <input class="input input-code" id="model" name="model" value=asked required maxlength="200"/>
                        </Field>
                        <div class="form-end"><button type="submit" class="button">"Look up"</button></div>
                    </form>
                    {found.map(|facts| view! { <Facts list=vec![facts] delete=None/> })}
                </Section>
                <OwnPrices asked=asked_of list=own set=forms.set_own forget=forms.forget_own/>
                <Wanted list=wanted/>
                {entered.map(|list| view! { <Entered list forms/> })}
            </div>
        </Shell>
    }
}

#[component]
fn Entered(list: Vec<ModelFacts>, forms: Forms) -> impl IntoView {
    let Forms { enter, delete, refresh, set_own: _, forget_own: _ } = forms;
    let fetched = move || match refresh.value().get() {
        Some(Ok(count)) => Some(say!("Fetched what is known of {count} models.")),
        Some(Err(_)) | None => None,
    };
    view! {
        <Section id="entered" title="Entered here" lead="These count before what the program ships and what was fetched.">
            <ActionFailure value=delete.value()/>
            {if list.is_empty() {
                view! { <p class="faint">"Nothing yet."</p> }.into_any()
            } else {
                view! { <Facts list delete=Some(delete)/> }.into_any()
            }}
            <ActionFailure value=enter.value()/>
            <ActionForm action=enter attr:class="form">
                <Fact name="model" label="Model" hint="As the provider calls it, without a date behind it."/>
                <Fact name="context" label="Context, in tokens" hint="Prompt and reply together. Empty: as it is known."/>
                <Fact name="output" label="Longest reply, in tokens" hint="Empty: as it is known."/>
                <fieldset class="choices" data-flow="columns">
                    <legend class="field-label">"Tools"</legend>
                    <Choice name="tools" value="" words="As it is known" checked=true/>
                    <Choice name="tools" value="native" words="Calls them by itself" checked=false/>
                    <Choice name="tools" value="text" words="Writes calls in its text" checked=false/>
                </fieldset>
                <Fact name="input_price" label="Price of a million tokens in" hint="Dollars, like 0.25. Empty: as it is known."/>
                <Fact name="output_price" label="Price of a million tokens out" hint="Dollars, like 2."/>
                <FormEnd words="Enter"/>
            </ActionForm>
        </Section>
        <Section id="fetch" title="Fetch the public list" lead="models.dev lists what providers publish. Nothing of yours is sent there.">
            <ActionFailure value=refresh.value()/>
            {move || fetched().map(|words| view! { <p role="status">{words}</p> })}
            <ActionForm action=refresh>
                <button
                    type="submit"
                    class="button"
                    aria-busy=move || refresh.pending().get().then_some("true")
                >
                    "Fetch now"
                </button>
            </ActionForm>
        </Section>
    }
}

#[component]
fn Fact(name: &'static str, label: &'static str, hint: &'static str) -> impl IntoView {
    let id = format!("enter-{name}");
    let mode = if name == "model" { "text" } else { "decimal" };
    view! {
        <Field id=id.clone() label hint>
            <input
                class="input"
                id=id.clone()
                name=name
                inputmode=mode
                required=name == "model"
                maxlength="200"
                aria-describedby=hint_id(&id)
            />
        </Field>
    }
}

#[component]
fn Facts(list: Vec<ModelFacts>, delete: Option<FormAction<DeleteFacts>>) -> impl IntoView {
    let rows = kept_each(list, move |facts| view! { <FactsRow facts delete/> });
    view! {
        <Table columns=["Model", "Context", "Price in, out", "Tools", ACTIONS] rows/>
    }
}

#[component]
fn FactsRow(facts: ModelFacts, delete: Option<FormAction<DeleteFacts>>) -> impl IntoView {
    let ModelFacts { model, context, is_known, native_tools, price, .. } = facts;
    let room = grouped(context.into());
    let context = if is_known { room } else { say!("{room}, a guess") };
    let price = match price {
        Some(price) => say!("{} a million, {} a million", price.input, price.output),
        None => t("Unknown").to_owned(),
    };
    let entered = model.clone();
    let remove = delete.map(|action| {
        let label = say!("Delete what was entered of {entered}");
        view! {
            <ActionForm action>
                <input type="hidden" name="model" value=entered.clone()/>
                <button type="submit" class="button" data-kind="quiet" aria-label=label>"Delete"</button>
            </ActionForm>
        }
    });
    view! {
        <tr>
            <td>{model.clone()}</td>
            <td data-label="Context" class="num">{context}</td>
            <td data-label="Price">{price}</td>
            <td data-label="Tools">{t(if native_tools { "By itself" } else { "In its text" })}</td>
            <td class="list-end">{remove}</td>
        </tr>
    }
}

async fn load(model: String) -> Result<Models, AppError> {
    let (me, own) = together!(me(), own_prices());
    let found = if model.trim().is_empty() { None } else { Some(look_up_model(model).await?) };
    let (entered, wanted) = match me.role {
        Role::Admin => {
            let (entered, wanted) = together!(entered_facts(), wanted_prices());
            (Some(entered), wanted)
        }
        Role::Member | Role::Guest => (None, Vec::new()),
    };
    Ok(Models { me, found, own, wanted, entered })
}
