//! A key that only this agent uses.

use super::api::{ForgetAgentKey, SetAgentKey};
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, Done, Field, FormAction, Section, emptied_by};
use protocol::AgentId;

#[component]
pub fn KeySection(id: AgentId, own_key: bool) -> impl IntoView {
    let set = FormAction::<SetAgentKey>::new();
    let forget = FormAction::<ForgetAgentKey>::new();
    let has_key = RwSignal::new(own_key);
    Effect::new(move |_| {
        if set.value().with(|value| matches!(value, Some(Ok(())))) {
            has_key.set(true);
        }
    });
    Effect::new(move |_| {
        if forget.value().with(|value| matches!(value, Some(Ok(())))) {
            has_key.set(false);
        }
    });
    let state = move || {
        t(match has_key.get() {
            true => "It has one, and uses it in place of its provider's.",
            false => "It has none: it uses its provider's.",
        })
    };
    let form = emptied_by(set);
    let forgotten = StoredValue::new(id.0.clone());
    view! {
        <Section
            id="own-key"
            title="A key of its own"
            lead=view! { "For the provider that it has now, and for this agent alone. " {state} }.into_any()
        >
            <Done what="key" words="Its key is kept."/>
            <Done what="forgotten" words="Its key is forgotten."/>
            <ActionFailure value=set.value()/>
            <ActionFailure value=forget.value()/>
            <ActionForm action=set node_ref=form attr:class="form" attr:autocomplete="off">
                <input type="hidden" name="id" value=id.0/>
                <Field
                    id="agent-key"
                    label="Key"
                    hint="Kept encrypted, sent to that provider only, never shown again. A copy of the agent does not get it."
                >
                    <input
                        class="input input-code"
                        id="agent-key"
                        name="key"
                        type="password"
                        required
                        autocomplete="off"
                        spellcheck="false"
                        aria-describedby="agent-key-hint"
                    />
                </Field>
                <div class="form-end"><button type="submit" class="button">"Keep this key"</button></div>
            </ActionForm>
            <Show when=move || has_key.get()>
                <ActionForm action=forget attr:class="actions">
                    <input type="hidden" name="id" value=forgotten.get_value()/>
                    <button type="submit" class="button" data-kind="quiet">"Forget its key"</button>
                </ActionForm>
            </Show>
        </Section>
    }
}
