//! The page: look a model up; and for administrators the rows of their own.

use super::api::{
    DeleteFacts, EnterFacts, ForgetOwnPrice, RefreshFacts, SetOwnPrice, entered_facts, look_up_model,
    own_prices, wanted_prices,
};
use super::own::{OwnPrices, Wanted};
use crate::AppError;
use crate::account::api::me;
use crate::chrome::Shell;
use crate::ui::{ActionFailure, Loaded, grouped};
use leptos::form::ActionForm;
use leptos::prelude::*;
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
    enter: ServerAction<EnterFacts>,
    delete: ServerAction<DeleteFacts>,
    refresh: ServerAction<RefreshFacts>,
    set_own: ServerAction<SetOwnPrice>,
    forget_own: ServerAction<ForgetOwnPrice>,
}

#[component]
pub fn ModelsPage() -> impl IntoView {
    let forms = Forms {
        enter: ServerAction::new(),
        delete: ServerAction::new(),
        refresh: ServerAction::new(),
        set_own: ServerAction::new(),
        forget_own: ServerAction::new(),
    };
    let query = use_query_map();
    let asked = Memo::new(move |_| query.with(|query| query.get("model").unwrap_or_default()));
    let changes = move || {
        let shared =
            (forms.enter.version().get(), forms.delete.version().get(), forms.refresh.version().get());
        (shared, forms.set_own.version().get(), forms.forget_own.version().get())
    };
    let models = Resource::new_blocking(move || (asked.get(), changes()), |(model, _)| load(model));
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
                <section class="section" aria-labelledby="look-up">
                    <div class="section-head">
                        <h2 id="look-up">"What is known"</h2>
                        <p>"Room, prices and abilities that agents go by. A price that is not known is shown as unknown, never as nothing."</p>
                    </div>
                    <form method="get" action="/models" class="form">
                        <div class="field">
                            <label class="field-label" for="model">"Model"</label>
                            <input class="input input-code" id="model" name="model" value=asked required maxlength="200"/>
                        </div>
                        <div class="form-end"><button type="submit" class="button">"Look up"</button></div>
                    </form>
                    {found.map(|facts| view! { <Facts list=vec![facts] delete=None/> })}
                </section>
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
        Some(Ok(count)) => Some(format!("Fetched what is known of {count} models.")),
        Some(Err(_)) | None => None,
    };
    view! {
        <section class="section" aria-labelledby="entered">
            <div class="section-head">
                <h2 id="entered">"Entered here"</h2>
                <p>"These count before what the program ships and what was fetched."</p>
            </div>
            <ActionFailure value=delete.value()/>
            {if list.is_empty() {
                view! { <p class="faint">"Nothing yet."</p> }.into_any()
            } else {
                view! { <Facts list delete=Some(delete)/> }.into_any()
            }}
            <ActionFailure value=enter.value()/>
            <ActionForm action=enter attr:class="form">
                <Field name="model" label="Model" hint="As the provider calls it, without a date behind it."/>
                <Field name="context" label="Context, in tokens" hint="Prompt and reply together. Empty: as it is known."/>
                <Field name="output" label="Longest reply, in tokens" hint="Empty: as it is known."/>
                <fieldset class="choices" data-flow="columns">
                    <legend class="field-label">"Tools"</legend>
                    <Choice value="" words="As it is known" checked=true/>
                    <Choice value="native" words="Calls them by itself" checked=false/>
                    <Choice value="text" words="Writes calls in its text" checked=false/>
                </fieldset>
                <Field name="input_price" label="Price of a million tokens in" hint="Dollars, like 0.25. Empty: as it is known."/>
                <Field name="output_price" label="Price of a million tokens out" hint="Dollars, like 2."/>
                <div class="form-end">
                    <button type="submit" class="button" data-kind="primary">"Enter"</button>
                </div>
            </ActionForm>
        </section>
        <section class="section" aria-labelledby="fetch">
            <div class="section-head">
                <h2 id="fetch">"Fetch the public list"</h2>
                <p>"models.dev lists what providers publish. Nothing of yours is sent there."</p>
            </div>
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
        </section>
    }
}

#[component]
fn Field(name: &'static str, label: &'static str, hint: &'static str) -> impl IntoView {
    let id = format!("enter-{name}");
    let hint_id = format!("enter-{name}-hint");
    let mode = if name == "model" { "text" } else { "decimal" };
    view! {
        <div class="field">
            <label class="field-label" for=id.clone()>{label}</label>
            <input
                class="input"
                id=id
                name=name
                inputmode=mode
                required=name == "model"
                maxlength="200"
                aria-describedby=hint_id.clone()
            />
            <p class="field-hint" id=hint_id>{hint}</p>
        </div>
    }
}

#[component]
fn Choice(value: &'static str, words: &'static str, checked: bool) -> impl IntoView {
    view! {
        <label class="choice">
            <input type="radio" name="tools" value=value checked=checked/>
            <span>{words}</span>
        </label>
    }
}

#[component]
fn Facts(list: Vec<ModelFacts>, delete: Option<ServerAction<DeleteFacts>>) -> impl IntoView {
    let rows = list.into_iter().map(|facts| view! { <FactsRow facts delete/> }).collect_view();
    view! {
        <table class="list">
            <thead>
                <tr>
                    <th scope="col">"Model"</th>
                    <th scope="col">"Context"</th>
                    <th scope="col">"Price in, out"</th>
                    <th scope="col">"Tools"</th>
                    <th scope="col" class="list-end"><span class="sr-only">"Actions"</span></th>
                </tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
    }
}

#[component]
fn FactsRow(facts: ModelFacts, delete: Option<ServerAction<DeleteFacts>>) -> impl IntoView {
    let ModelFacts { model, context, is_known, native_tools, price, .. } = facts;
    let room = grouped(context.into());
    let context = if is_known { room } else { format!("{room}, a guess") };
    let price = match price {
        Some(price) => format!("{} a million, {} a million", price.input, price.output),
        None => "Unknown".to_owned(),
    };
    let entered = model.clone();
    let remove = delete.map(|action| {
        let label = format!("Delete what was entered of {entered}");
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
            <td data-label="Tools">{if native_tools { "By itself" } else { "In its text" }}</td>
            <td class="list-end">{remove}</td>
        </tr>
    }
}

async fn load(model: String) -> Result<Models, AppError> {
    let me = me().await?;
    let found = if model.trim().is_empty() { None } else { Some(look_up_model(model).await?) };
    let (entered, wanted) = match me.role {
        Role::Admin => (Some(entered_facts().await?), wanted_prices().await?),
        Role::Member | Role::Guest => (None, Vec::new()),
    };
    Ok(Models { me, found, own: own_prices().await?, wanted, entered })
}
