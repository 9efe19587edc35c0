//! The address to which other programs deliver, and the secret that they show.

use super::api::NewWebhookSecret;
use crate::account::ShownOnce;
use crate::origin::origin;
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, Copy, FormAction, Section, When};
use protocol::ScheduleId;

#[component]
pub fn Webhook(
    id: ScheduleId,
    secret_made_at: Option<i64>,
    fresh: Option<String>,
    renew: FormAction<NewWebhookSecret>,
) -> impl IntoView {
    let address = format!("{}/hooks/{id}", origin());
    let shown = move || renew.value().get().and_then(Result::ok).or_else(|| fresh.clone());
    let words = t(if secret_made_at.is_some() { "Make a new secret" } else { "Make a secret" });
    let state = match secret_made_at {
        Some(at) => view! { <p>"Its secret was made " <When at/> ". A new one takes its place at once."</p> }
            .into_any(),
        None => view! { <p>"It has no secret yet, and takes nothing in before it has one."</p> }.into_any(),
    };
    view! {
        <Section
            id="webhook"
            title="Address"
            lead="A program posts up to 256 KB of text here. Its words are a stranger's: the agent is told so, and what could carry something out because of them asks you."
        >
            <div class="secret-row">
                <code class="secret-value">{address.clone()}</code>
                <Copy what={t("the address")} text=address/>
            </div>
            <p class="field-hint">
                "It shows the secret in the header " <code>{"X-Webhook-Secret"}</code>
                ", or signs with it: as Standard Webhooks do (" <code>{"webhook-signature"}</code>
                "), or as GitHub does (" <code>{"X-Hub-Signature-256"}</code> ")."
            </p>
            <ActionFailure value=renew.value()/>
            {move || shown().map(|secret| view! {
                <ShownOnce words="This is the secret of the address.".to_owned() what={t("the secret")} value=secret/>
            })}
            {state}
            <ActionForm action=renew>
                <input type="hidden" name="id" value=id.0/>
                <button type="submit" class="button">{words}</button>
            </ActionForm>
        </Section>
    }
}
