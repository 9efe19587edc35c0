//! How the model chooses its words, as a form sends it and as fields to fill in.

use super::number_field::NumberField;
use crate::prelude::*;
use crate::ui::{Field, TextArea, hint_id};
use protocol::model::Verbosity;
use protocol::view::SamplingSettings;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct SamplingFields {
    #[serde(default)]
    temperature: NumberField<f64>,
    #[serde(default)]
    top_p: NumberField<f64>,
    #[serde(default)]
    top_k: NumberField<u32>,
    #[serde(default)]
    presence_penalty: NumberField<f64>,
    #[serde(default)]
    frequency_penalty: NumberField<f64>,
    #[serde(default)]
    seed: NumberField<i64>,
    #[serde(default)]
    verbosity: VerbosityField,
    /// An object, or the text of one as a form sends it.
    #[serde(default)]
    extra: Option<Value>,
}

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum VerbosityField {
    #[default]
    #[serde(rename = "")]
    Leave,
    Low,
    Medium,
    High,
}

impl From<SamplingFields> for SamplingSettings {
    fn from(fields: SamplingFields) -> Self {
        let SamplingFields {
            temperature,
            top_p,
            top_k,
            presence_penalty,
            frequency_penalty,
            seed,
            verbosity,
            extra,
        } = fields;
        Self {
            temperature: temperature.into(),
            top_p: top_p.into(),
            top_k: top_k.into(),
            presence_penalty: presence_penalty.into(),
            frequency_penalty: frequency_penalty.into(),
            seed: seed.into(),
            verbosity: match verbosity {
                VerbosityField::Leave => None,
                VerbosityField::Low => Some(Verbosity::Low),
                VerbosityField::Medium => Some(Verbosity::Medium),
                VerbosityField::High => Some(Verbosity::High),
            },
            extra,
        }
    }
}

const VERBOSITIES: [(&str, &str, Option<Verbosity>); 4] = [
    ("", key!("As the provider has it"), None),
    ("low", key!("Short"), Some(Verbosity::Low)),
    ("medium", key!("Medium"), Some(Verbosity::Medium)),
    ("high", key!("Long"), Some(Verbosity::High)),
];

const EXTRA_HINT: &str = key!(
    "A JSON object that goes into each request as it is, for what has no field here: at most 4 KB. What the hub answers for (model, messages, tools, limits, stream) is refused when you save. Not for the model in reserve, and not where somebody shares a provider with you. Empty: nothing."
);

/// `unfold` is called when one of them cannot be sent as it is.
#[component]
pub(super) fn Sampling(settings: SamplingSettings, unfold: Callback<()>) -> impl IntoView {
    let SamplingSettings {
        temperature,
        top_p,
        top_k,
        presence_penalty,
        frequency_penalty,
        seed,
        verbosity,
        extra,
    } = settings;
    let extra = extra.and_then(|fields| serde_json::to_string_pretty(&fields).ok()).unwrap_or_default();
    let field =
        |name: &'static str, label: &'static str, hint: &'static str, bounds: (i64, i64), step, value| {
            let id = format!("sampling-{name}");
            let (least, most) = bounds;
            view! {
                <Field id=id.clone() label hint>
                    <input
                        class="input num"
                        id=id.clone()
                        name=format!("loop_settings[sampling][{name}]")
                        type="number"
                        min=least.to_string()
                        max=most.to_string()
                        step=step
                        value=value
                        aria-describedby=hint_id(&id)
                        on:invalid=move |_| unfold.run(())
                    />
                </Field>
            }
        };
    let lengths = VERBOSITIES
        .into_iter()
        .map(|(value, words, each)| view! { <option value=value selected=each == verbosity>{t(words)}</option> })
        .collect_view();
    let text = |number: Option<f64>| number.map(|number| number.to_string());
    view! {
        <fieldset class="choices">
            <legend class="field-label">"How it chooses its words"</legend>
            <p class="field-hint">"Empty: as the provider has it. Not every model takes each of these; one that does not says so when it is asked."</p>
            <div class="form-group">
                {field("temperature", t("Temperature"), t("0 to 2. Low is steady, high is varied."), (0, 2), "any", text(temperature))}
                {field("top_p", t("Top p"), t("0 to 1. Only the likeliest words that make up this part."), (0, 1), "any", text(top_p))}
                {field("top_k", t("Top k"), t("Only so many of the likeliest words."), (1, 1000), "1", top_k.map(|count| count.to_string()))}
                {field("presence_penalty", t("Presence penalty"), t("-2 to 2. High leads to new topics."), (-2, 2), "any", text(presence_penalty))}
                {field("frequency_penalty", t("Frequency penalty"), t("-2 to 2. High repeats less."), (-2, 2), "any", text(frequency_penalty))}
                {field("seed", t("Seed"), t("Equal requests then have replies that are more alike."), (0, (1 << 53) - 1), "1", seed.map(|seed| seed.to_string()))}
                <div class="field">
                    <label class="field-label" for="sampling-verbosity">"Length of its answers"</label>
                    <select class="input" id="sampling-verbosity" name="loop_settings[sampling][verbosity]">{lengths}</select>
                </div>
            </div>
            <Field id="sampling-extra" label="Extra fields for its provider" hint=t(EXTRA_HINT)>
                <TextArea
                    text=extra
                    attr:class="input input-code"
                    attr:id="sampling-extra"
                    attr:name="loop_settings[sampling][extra]"
                    attr:rows="4"
                    attr:maxlength="16384"
                    attr:spellcheck="false"
                    attr:autocomplete="off"
                    attr:placeholder="{\"min_p\": 0.1}"
                    attr:aria-describedby="sampling-extra-hint"
                />
            </Field>
        </fieldset>
    }
}
