//! Turning it on: the password again, a picture for the app, and the first code.

use super::super::field::{Code, CodeField, Password, PasswordField};
use super::api::{ConfirmSecondFactor, LeaveSecondFactor, StartSecondFactor};
use crate::ui::ActionFailure;
use leptos::form::ActionForm;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use protocol::view::{NewSecondFactor, QrPicture};

#[component]
pub(super) fn Ask(name: String, start: ServerAction<StartSecondFactor>) -> impl IntoView {
    view! {
        <section class="section" aria-labelledby="start">
            <div class="section-head">
                <h2 id="start">"Set it up"</h2>
                <p>
                    "You need an authenticator app: Aegis, Google Authenticator, 1Password, or any other that "
                    "makes six-digit codes."
                </p>
            </div>
            <ActionFailure value=start.value()/>
            <ActionForm action=start attr:class="form">
                // Tells a password manager whose password this is.
                <input type="text" autocomplete="username" value=name hidden readonly/>
                <PasswordField name="password" label="Your password" password=Password::Current/>
                <div class="form-end"><button type="submit" class="button" data-kind="primary">"Go on"</button></div>
            </ActionForm>
        </section>
    }
}

#[component]
pub(super) fn SetUp(started: NewSecondFactor, confirm: ServerAction<ConfirmSecondFactor>) -> impl IntoView {
    let NewSecondFactor { secret, address, picture } = started;
    view! {
        <section class="section" aria-labelledby="scan">
            <div class="section-head">
                <h2 id="scan">"1. Give it to your app"</h2>
                <p>"Scan the picture with the app. Or type what stands below it, as a key that counts by time."</p>
            </div>
            <div class="factor">
                <Qr picture/>
                <div class="factor-key">
                    <code class="secret-value">{in_groups(&secret)}</code>
                    <p class="actions"><a class="button" href=address>"Open in an app on this device"</a></p>
                </div>
            </div>
        </section>
        <section class="section" aria-labelledby="confirm">
            <div class="section-head">
                <h2 id="confirm">"2. Type the code that it shows"</h2>
                <p>"The second factor is on from then. Your open sessions and tokens stay as they are."</p>
            </div>
            <ActionFailure value=confirm.value()/>
            <ActionForm action=confirm attr:class="form">
                <CodeField id="code" label="Code" code=Code::ByTime hint="Six digits."/>
                <div class="form-end">
                    <button type="submit" class="button" data-kind="primary">"Turn it on"</button>
                </div>
            </ActionForm>
            <form class="actions" method="post" action=LeaveSecondFactor::url()>
                <button type="submit" class="button" data-kind="quiet">"Do not set it up"</button>
            </form>
        </section>
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
