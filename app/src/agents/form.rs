//! The fields of an agent's definition, for a new one and for one that is changed.

use super::command_rows::CommandRows;
use super::home_choice::HomeChoices;
use super::loop_form::LoopSection;
use super::reserve_fields::ReserveFields;
use super::tool_choices::ToolChoices;
use crate::models::{ModelPopover, Offered, models_of};
use crate::prelude::*;
use crate::ui::{Field, Icon, TextArea, reveal};
use leptos::ev::Event;
use leptos::task::spawn_local;
use leptos::web_sys::Element;
use protocol::agent::Home;
use protocol::view::{AgentDraft, ProviderOwnership, ProviderView, ToolView};

/// The list of models.
const MODELS: &str = "agent-models";

/// The colours on offer.
pub(super) const COLOURS: [(&str, &str); 8] = [
    ("#3d9a5d", key!("Green")),
    ("#2f8f9d", key!("Teal")),
    ("#4a7fc1", key!("Blue")),
    ("#7d6bc4", key!("Violet")),
    ("#b25fa3", key!("Mauve")),
    ("#c4584f", key!("Red")),
    ("#c57b2c", key!("Amber")),
    ("#8f8a3a", key!("Olive")),
];

/// All fields, to stand in a form of class `form`.
#[component]
pub fn DefinitionFields(
    draft: AgentDraft,
    providers: Vec<ProviderView>,
    tools: Vec<ToolView>,
    /// Whether the person may add a provider.
    may_add: bool,
    /// Where the versions of the instructions are, if there are some.
    #[prop(optional)]
    versions: Option<String>,
    /// Shows at first only what a new agent needs, and the rest behind a word.
    #[prop(optional)]
    is_short: bool,
) -> impl IntoView {
    let AgentDraft {
        name,
        colour,
        instructions,
        provider,
        model,
        fallback_provider,
        fallback_model,
        tools: chosen,
        max_output_tokens,
        home,
        loop_settings,
    } = draft;
    let thinks = RwSignal::new(provider.clone());
    let hub_after_minutes = loop_settings.hub_after_minutes;
    let reaches: Vec<(String, Option<Home>)> =
        providers.iter().map(|each| (each.id.0.clone(), each.reach.only_home())).collect();
    let rows = if is_short { "4" } else { "8" };
    let rest = view! {
        <ReserveFields provider=fallback_provider model=fallback_model providers=providers.clone()/>
        <ToolChoices tools chosen/>
        <Field id="agent-tokens" label="Tokens in one reply, at most">
            <input
                class="input num"
                id="agent-tokens"
                name="max_output_tokens"
                type="number"
                min="1"
                max="200000"
                required
                value=max_output_tokens.to_string()
                on:invalid=move |event| reveal(&event_target::<Element>(&event))
            />
        </Field>
        <HomeChoices home hub_after_minutes chosen=thinks reaches/>
        <CommandRows commands=loop_settings.commands.clone()/>
        <LoopSection settings=loop_settings/>
    };
    view! {
        <Field id="agent-name" label="Name">
            <input class="input" id="agent-name" name="name" value=name required maxlength="60" autocomplete="off"/>
        </Field>
        <Swatches colour/>
        <Field
            id="agent-instructions"
            label="Instructions"
            hint="What it is for, how it should behave, and what its page should look like."
        >
            <TextArea
                text=instructions
                attr:class="input"
                attr:id="agent-instructions"
                attr:name="instructions"
                attr:rows=rows
                attr:maxlength="20000"
                attr:aria-describedby="agent-instructions-hint"
            />
            {versions.map(|address| view! { <p class="field-hint"><a href=address>"Versions of its instructions"</a></p> })}
        </Field>
        <ModelFields provider chosen=thinks model providers may_add/>
        {if is_short { view! { <More>{rest}</More> }.into_any() } else { rest.into_any() }}
    }
}

#[component]
fn More(children: Children) -> impl IntoView {
    view! {
        <details class="fold" data-more="">
            <summary>
                <span class="fold-title">"More"</span>
                <span class="fold-hint">"its tools, its home, how long it may answer, and how it works"</span>
            </summary>
            <div class="fold-body">{children()}</div>
        </details>
    }
}

#[component]
fn Swatches(colour: String) -> impl IntoView {
    let is_ours = COLOURS.iter().any(|(value, _)| *value == colour);
    let own = (!is_ours).then(|| (colour.clone(), key!("Its own")));
    let offered = COLOURS.into_iter().map(|(value, words)| (value.to_owned(), words));
    let swatches = offered
        .chain(own)
        .map(|(value, words)| {
            let checked = value == colour;
            let style = format!("--own:{value}");
            view! {
                <label class="swatch own" style=style>
                    <input type="radio" name="colour" value=value required checked=checked/>
                    <span class="sr-only">{t(words)}</span>
                </label>
            }
        })
        .collect_view();
    view! {
        <fieldset class="swatches">
            <legend class="field-label">"Colour"</legend>
            {swatches}
        </fieldset>
    }
}

/// Provider and model. With script, the models of the chosen provider can be chosen from a list.
#[component]
fn ModelFields(
    provider: String,
    chosen: RwSignal<String>,
    model: String,
    providers: Vec<ProviderView>,
    may_add: bool,
) -> impl IntoView {
    if providers.is_empty() {
        return view! { <NoModel model may_add/> }.into_any();
    }
    let offered = offered_by(chosen, StoredValue::new(providers.clone()));
    let model = RwSignal::new(model);
    // Another provider has other models.
    let choose = move |event: Event| {
        chosen.set(event_target_value(&event));
        model.set(String::new());
    };
    let options = providers
        .into_iter()
        .map(|each| {
            let selected = each.id.0 == provider;
            view! { <option value=each.id.0.clone() selected=selected>{name_of(&each)}</option> }
        })
        .collect_view();
    view! {
        <div class="form-group">
            <Field id="agent-provider" label="Provider">
                <select
                    class="input"
                    id="agent-provider"
                    name="provider"
                    on:change=choose
                >
                    <option value="" selected=provider.is_empty()>"None yet"</option>
                    {options}
                </select>
            </Field>
            <Field id="agent-model" label="Model" hint="The name that the provider gives it. Left empty, it is the first one that the provider has.">
                <div class="model-field">
                    <input
                        class="input input-code"
                        id="agent-model"
                        name="model"
                        value=model.get_untracked()
                        prop:value=move || model.get()
                        on:input=move |event| model.set(event_target_value(&event))
                        maxlength="200"
                        autocomplete="off"
                        spellcheck="false"
                        aria-describedby="agent-model-hint"
                    />
                    <Show when=move || offered.0.with(Option::is_some)>
                        <button class="button" type="button" popovertarget=MODELS aria-label="Choose a model">"Choose"</button>
                    </Show>
                </div>
                <ModelPopover
                    id=MODELS
                    label=t("Choose a model")
                    offered
                    chosen=model
                    choose=Callback::new(move |name| model.set(name))
                />
            </Field>
        </div>
        <Show when=move || chosen.with(String::is_empty)>
            <div class="banner" data-kind="warn" role="status">
                <Icon name="warn"/>
                <p class="banner-text">"Without a provider it cannot answer. It can be kept so, and gets one here later."</p>
            </div>
        </Show>
    }
    .into_any()
}

/// Where there is nothing to choose: what adds it, or who can. The model stays as it was.
#[component]
fn NoModel(model: String, may_add: bool) -> impl IntoView {
    let words = t(match may_add {
        true => {
            "It needs a model to think with, and you have no provider of models yet. It can be made without one, and cannot answer until it has one."
        }
        false => "It needs a model to think with. Ask whoever runs this hub to share a provider with you.",
    });
    let add = may_add.then(|| {
        view! { <a class="button" href="/providers#provider-form">"Add a provider"</a> }
    });
    view! {
        <input type="hidden" name="provider" value=""/>
        <input type="hidden" name="model" value=model/>
        <div class="empty" data-size="small">
            <p>{words}</p>
            {add}
        </div>
    }
}

/// What a provider is called among others.
pub(super) fn name_of(provider: &ProviderView) -> String {
    match provider.whose {
        ProviderOwnership::Own | ProviderOwnership::OwnShared => provider.name.clone(),
        ProviderOwnership::Lent { .. } => say!("{name} (shared by the server)", name = provider.name),
    }
}

/// The models of the chosen provider. One that does not answer has none.
fn offered_by(provider: RwSignal<String>, providers: StoredValue<Vec<ProviderView>>) -> Offered {
    let offered = Offered::default();
    Effect::new(move |_| {
        let asked = provider.get();
        offered.0.set(None);
        if asked.is_empty() {
            return;
        }
        spawn_local(async move {
            let found = providers.with_value(|all| all.iter().find(|each| each.id.0 == asked).cloned());
            let Some(found) = found else { return };
            let list = models_of(found).await.unwrap_or_default();
            if provider.try_get_untracked().is_some_and(|chosen| chosen == asked) {
                offered.0.try_set(Some(list));
            }
        });
    });
    offered
}
