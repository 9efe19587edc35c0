//! Turning it on: the password again, a picture for the app, and the first code.

use super::super::field::{Code, CodeField, Password, PasswordField};
use super::api::{ConfirmSecondFactor, LeaveSecondFactor, StartSecondFactor};
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, FormAction, FormEnd, Section};
use leptos::server_fn::ServerFn;
use protocol::view::{NewSecondFactor, QrPicture};

#[component]
pub(super) fn Ask(name: String, start: FormAction<StartSecondFactor>) -> impl IntoView {
    view! {
        <Section
            id="start"
            title="Set it up"
            lead="You need an authenticator app: Aegis, Google Authenticator, 1Password, or any other that makes six-digit codes."
        >
            <ActionFailure value=start.value()/>
            <ActionForm action=start attr:class="form">
                // Tells a password manager whose password this is.
                <input type="text" autocomplete="username" value=name hidden readonly/>
                <PasswordField name="password" label="Your password" password=Password::Current/>
                <FormEnd words="Go on"/>
            </ActionForm>
        </Section>
    }
}

#[component]
pub(super) fn SetUp(started: NewSecondFactor, confirm: FormAction<ConfirmSecondFactor>) -> impl IntoView {
    let NewSecondFactor { secret, address, picture } = started;
    view! {
        <Section
            id="scan"
            title="1. Give it to your app"
            lead="Scan the picture with the app. Or type what stands below it, as a key that counts by time."
        >
            <div class="factor">
                <Qr picture/>
                <div class="factor-key">
                    <code class="secret-value">{in_groups(&secret)}</code>
                    <p class="actions"><a class="button" href=address>"Open in an app on this device"</a></p>
                </div>
            </div>
        </Section>
        <Section
            id="confirm"
            title="2. Type the code that it shows"
            lead="The second factor is on from then. Your open sessions and tokens stay as they are."
        >
            <ActionFailure value=confirm.value()/>
            <ActionForm action=confirm attr:class="form">
                <CodeField id="code" label="Code" code=Code::ByTime hint="Six digits."/>
                <FormEnd words="Turn it on"/>
            </ActionForm>
            <form class="actions" method="post" action=LeaveSecondFactor::url()>
                <button type="submit" class="button" data-kind="quiet">"Do not set it up"</button>
            </form>
        </Section>
    }
}

#[component]
fn Qr(picture: QrPicture) -> impl IntoView {
    let QrPicture { size, path } = picture;
    view! {
        <svg class="qr" viewBox=format!("0 0 {size} {size}") role="img" aria-label="The key as a QR code" shape-rendering="crispEdges">
            <path d=path/>
        </svg>
    }
}

/// Easier to type.
fn in_groups(secret: &str) -> String {
    let letters: Vec<char> = secret.chars().collect();
    letters.chunks(4).map(|group| group.iter().collect::<String>()).collect::<Vec<_>>().join(" ")
}
