//! Which providers hear what is dictated and say what is read aloud, in place of the device.

use super::api::ChooseSpeech;
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, Done, Field, FormAction, FormEnd, Section, kept};
use protocol::view::{ProviderReach, ProviderView, SpeechChoice, SpeechChoices, SpeechPart};

#[component]
pub(super) fn SpeechSection(
    speech: SpeechChoices,
    providers: Vec<ProviderView>,
    choose: FormAction<ChooseSpeech>,
) -> impl IntoView {
    let is_on_devices = |provider: &ProviderView| provider.reach == ProviderReach::DeviceKey;
    let has_device_keys = providers.iter().any(is_on_devices).then(|| {
        view! { <p class="faint">"Providers whose key stays on your devices are not used for this: the hub calls these servers, and has no such key."</p> }
    });
    let fit: Vec<(String, String)> = providers
        .into_iter()
        .filter(|provider| provider.reach == ProviderReach::Hub && provider.kind.has_speech())
        .map(|provider| (provider.id.0, provider.name))
        .collect();
    let forms = match fit.is_empty() && speech == SpeechChoices::default() {
        true => view! {
            <div class="empty">
                <h3>"Your device does it"</h3>
                <p>
                    "To have it done elsewhere, add a provider above that speaks OpenAI's format and that the hub calls: "
                    "OpenAI, Groq, or a server of your own, like whisper.cpp, Speaches or Kokoro."
                </p>
            </div>
        }
        .into_any(),
        false => [SpeechPart::Hearing, SpeechPart::Speaking]
            .map(|part| {
                let known = (part, speech.of(part).cloned(), fit.clone());
                kept(known, move |(part, choice, fit)| view! { <PartForm part choice fit choose/> })
            })
            .collect_view()
            .into_any(),
    };
    view! {
        <Section
            id="speech"
            title="Voice"
            lead="You dictate and are read to by your device, or by a server that speaks OpenAI's format: what you say then goes through the hub to that server, and its key stays in the hub."
        >
            <ActionFailure value=choose.value()/>
            <Done what="hearing" words="Saved. Dictate in any conversation to try it."/>
            <Done what="speaking" words="Saved. Have an answer read aloud to try it."/>
            {has_device_keys}
            {forms}
            <p class="faint">
                "For limits on spending, a minute of sound counts as 1,000 tokens and a spoken character as one. Where no price is known, enter it under "
                <a href="/models">"Models"</a> "."
            </p>
        </Section>
    }
}

#[component]
fn PartForm(
    part: SpeechPart,
    choice: Option<SpeechChoice>,
    /// Id and name of those that can be chosen.
    fit: Vec<(String, String)>,
    choose: FormAction<ChooseSpeech>,
) -> impl IntoView {
    let (words, model_words, save) = match part {
        SpeechPart::Hearing => (t("Dictation"), t("Model for dictation"), t("Save dictation")),
        SpeechPart::Speaking => (t("Reading aloud"), t("Model for reading aloud"), t("Save reading aloud")),
    };
    let (provider_id, model_id, example) = match part {
        SpeechPart::Hearing => ("speech-hearing", "speech-hearing-model", "whisper-1"),
        SpeechPart::Speaking => ("speech-speaking", "speech-speaking-model", "tts-1"),
    };
    let SpeechChoice { provider, model, voice } = choice.unwrap_or_else(|| SpeechChoice {
        provider: "".into(),
        model: String::new(),
        voice: String::new(),
    });
    let options = fit.into_iter().map(move |(id, name)| {
        let is_chosen = id == provider.0;
        view! { <option value=id selected=is_chosen>{name}</option> }
    });
    let voice = (part == SpeechPart::Speaking).then(|| {
        view! {
            <Field id="speech-voice" label="Voice" hint="As the server calls it: alloy, af_heart, …">
                <input
                    class="input input-code"
                    id="speech-voice"
                    name="voice"
                    value=voice
                    maxlength="200"
                    autocapitalize="none"
                    autocomplete="off"
                    spellcheck="false"
                    aria-describedby="speech-voice-hint"
                />
            </Field>
        }
    });
    view! {
        <ActionForm action=choose attr:class="form" attr:autocomplete="off">
            <input type="hidden" name="part" value=part.name()/>
            <Field id=provider_id label=words>
                <select class="input" id=provider_id name="provider">
                    <option value="">"This device's own"</option>
                    {options.collect_view()}
                </select>
            </Field>
            <Field id=model_id label=model_words hint={say!("As the server calls it, for example {example}.")}>
                <input
                    class="input input-code"
                    id=model_id
                    name="model"
                    value=model
                    maxlength="200"
                    autocapitalize="none"
                    autocomplete="off"
                    spellcheck="false"
                    aria-describedby=format!("{model_id}-hint")
                />
            </Field>
            {voice}
            <FormEnd words=save/>
        </ActionForm>
    }
}
