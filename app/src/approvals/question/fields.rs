//! What an answer is entered into, for each kind of it. The names are those of the server function.

use super::super::file::FileAnswer;
use crate::prelude::*;
use crate::ui::{Spelled, TextArea, link_out};
use leptos::html;
use protocol::question::{Answer, Field, QuestionOption, TextFormat, Wanted};

/// Which argument of the function a control is, and what it is called where nobody sees.
#[derive(Clone, Default)]
pub(super) struct Place {
    /// Of a form, the field with this number.
    field: Option<usize>,
    label: Option<String>,
    /// Nothing has to be entered.
    optional: bool,
}

impl Place {
    fn text(&self) -> String {
        self.field.map_or_else(|| "text".to_owned(), |at| format!("fields[{at}][text]"))
    }

    fn chosen(&self) -> String {
        self.field.map_or_else(|| "chosen[]".to_owned(), |at| format!("fields[{at}][chosen][]"))
    }

    fn label(&self, usual: &str) -> String {
        self.label.clone().unwrap_or_else(|| usual.to_owned())
    }
}

pub(super) fn control(wanted: Wanted, default: Option<Answer>, place: Place) -> AnyView {
    let text = match &default {
        Some(Answer::Text { text }) => text.clone(),
        Some(Answer::Number { number }) => number.to_string(),
        Some(Answer::Date { date }) => date.clone(),
        Some(
            Answer::Chosen { .. }
            | Answer::File { .. }
            | Answer::Kept
            | Answer::Form { .. }
            | Answer::Skipped,
        )
        | None => String::new(),
    };
    let (name, required) = (place.text(), !place.optional);
    match wanted {
        Wanted::Choice { options, other } => {
            view! { <Options kind="radio" options other default hint=None place/> }.into_any()
        }
        Wanted::Several { options, other, least, most } => {
            let hint = Some(match least == most {
                true => say!("Choose {least}."),
                false => say!("Choose {least} to {most}."),
            });
            view! { <Options kind="checkbox" options other default hint place/> }.into_any()
        }
        Wanted::Text { least, most, format: Some(format) } => {
            let kind = match format {
                TextFormat::Email => "email",
                TextFormat::Uri => "url",
                TextFormat::DateTime => "text",
            };
            view! {
                <input class="input" type=kind name=name value=text required=required minlength=least maxlength=most autocomplete="off" aria-label=place.label(t("Your answer"))/>
            }
            .into_any()
        }
        Wanted::Text { least, most, format: None } => {
            let (most, least) = (most.unwrap_or(4000).min(4000).to_string(), least.map(|least| least.to_string()));
            let rows = if place.field.is_some() { "1" } else { "3" };
            view! {
                <TextArea
                    text
                    attr:class="input asked-words"
                    attr:name=name
                    attr:rows=rows
                    attr:minlength=least
                    attr:maxlength=most
                    attr:required=required
                    attr:aria-label=place.label(t("Your answer"))
                />
            }
            .into_any()
        }
        Wanted::Number { least, most, whole } => view! {
            <input
                class="input asked-short"
                type="number"
                step=if whole { "1" } else { "any" }
                inputmode=if whole { "numeric" } else { "decimal" }
                name=name
                value=text
                min=least.map(|least| least.to_string())
                max=most.map(|most| most.to_string())
                required=required
                aria-label=place.label(t("Your answer, a number"))
            />
        }
        .into_any(),
        Wanted::Date => view! {
            <input class="input asked-short" type="date" name=name value=text required=required aria-label=place.label(t("Your answer, a date"))/>
        }
        .into_any(),
        Wanted::File => view! { <FileAnswer/> }.into_any(),
        Wanted::Secret { place, header, .. } => view! { <SecretAnswer place header/> }.into_any(),
        Wanted::Form { fields } => {
            let fields = fields.into_iter().enumerate().map(|(at, field)| view! { <FormField at field/> });
            fields.collect_view().into_any()
        }
        Wanted::Visit { url, host } => view! {
            <p class="asked-label">{say!("It leads to {host}:")}</p>
            <p class="asked-note">{link_out(&url, vec![url.clone().into_any()])}</p>
        }
        .into_any(),
    }
}

/// Where a secret goes stands above it: that is what its person agrees to.
#[component]
fn SecretAnswer(place: String, header: String) -> impl IntoView {
    view! {
        <p class="asked-label">"It is only ever sent to " <code><Spelled text=place/></code></p>
        <p class="asked-note">
            {say!("Kept encrypted, in the header {header} of requests there, and never shown again: neither to you nor to the agent or its model.")}
        </p>
        <input
            class="input input-code"
            type="password"
            name="text"
            required
            maxlength="4096"
            autocomplete="off"
            spellcheck="false"
            aria-label=t("Your answer, a secret")
        />
    }
}

#[component]
fn FormField(at: usize, field: Field) -> impl IntoView {
    let Field { name, label, description, wanted, required, suggested } = field;
    let optional = (!required).then(|| t(" (you may leave it out)"));
    let place = Place { field: Some(at), label: Some(label.clone()), optional: !required };
    view! {
        <div class="asked-field">
            <p class="asked-label"><Spelled text=label/> <span class="asked-note">{optional}</span></p>
            {description.map(|text| view! { <p class="asked-note"><Spelled text/></p> })}
            <input type="hidden" name=format!("fields[{at}][name]") value=name/>
            {control(wanted, suggested, place)}
        </div>
    }
}

/// The answers that are offered, and where they may be, words of the person's own.
#[component]
fn Options(
    kind: &'static str,
    options: Vec<QuestionOption>,
    other: bool,
    default: Option<Answer>,
    hint: Option<String>,
    place: Place,
) -> impl IntoView {
    let is_one = kind == "radio";
    let required = is_one && !place.optional;
    let (name, legend) = (place.chosen(), place.label(t("Answers")));
    let usual = match default {
        Some(Answer::Chosen { labels, .. }) => labels,
        Some(
            Answer::Text { .. }
            | Answer::Number { .. }
            | Answer::Date { .. }
            | Answer::File { .. }
            | Answer::Kept
            | Answer::Form { .. }
            | Answer::Skipped,
        )
        | None => Vec::new(),
    };
    // Words that are written stay when another answer is chosen, and are not sent then.
    let is_own_left_out = RwSignal::new(false);
    let choices = options.into_iter().map(|QuestionOption { label, description }| {
        let checked = usual.contains(&label);
        view! {
            <label class="choice" data-edge="">
                <input
                    type=kind
                    name=name.clone()
                    value=label.clone()
                    checked=checked
                    required=required
                    on:change=move |_| is_own_left_out.set(is_one)
                />
                <span><Spelled text=label/></span>
                {description.map(|text| view! { <span class="choice-hint"><Spelled text/></span> })}
            </label>
        }
    });
    view! {
        <fieldset class="choices asked-options">
            <legend class="sr-only">{legend}</legend>
            {hint.map(|hint| view! { <p class="asked-note">{hint}</p> })}
            {choices.collect_view()}
            {other.then(|| view! { <OwnWords is_one is_left_out=is_own_left_out/> })}
        </fieldset>
    }
}

#[component]
fn OwnWords(is_one: bool, is_left_out: RwSignal<bool>) -> impl IntoView {
    let choice = NodeRef::<html::Input>::new();
    let mean = move || {
        is_left_out.set(false);
        if let Some(choice) = choice.get_untracked() {
            choice.set_checked(true);
        }
    };
    view! {
        <div class="choice asked-own" data-edge="">
            {is_one.then(|| view! {
                <input
                    type="radio"
                    name="chosen[]"
                    value=""
                    required
                    aria-label="Other"
                    node_ref=choice
                    on:change=move |_| is_left_out.set(false)
                />
            })}
            <input
                class="input"
                name=move || (!is_left_out.get()).then_some("text")
                maxlength="500"
                autocomplete="off"
                placeholder="Other…"
                aria-label="Other, in your own words"
                on:input=move |_| mean()
            />
        </div>
    }
}
