//! A key that only this agent uses.

use super::api::{ForgetAgentKey, SetAgentKey};
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, Field, FormAction, Section};
use protocol::AgentId;

#[component]
pub fn KeySection(id: AgentId, own_key: bool) -> impl IntoView {
    let set = FormAction::<SetAgentKey>::new();
    let forget = FormAction::<ForgetAgentKey>::new();
    let state = t(match own_key {
        true => "It has one, and uses it in place of its provider's.",
        false => "It has none: it uses its provider's.",
    });
    let forgotten = id.0.clone();
    view! {
        <Section
            id="own-key"
            title="A key of its own"
            lead=view! { "For the provider that it has now, and for this agent alone. " {state} }.into_any()
        >
            <ActionFailure value=set.value()/>
            <ActionFailure value=forget.value()/>
            <ActionForm action=set attr:class="form" attr:autocomplete="off">
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
            {own_key.then(|| view! {
                <ActionForm action=forget attr:class="actions">
                    <input type="hidden" name="id" value=forgotten/>
                    <button type="submit" class="button" data-kind="quiet">"Forget its key"</button>
                </ActionForm>
            })}
        </Section>
    }
}
