//! Offering a device to be notified, once, where something has happened that its person wants to hear of.

use crate::browser::services::may_offer_notifications;
use crate::browser::storage::Store;
use crate::prelude::*;
use crate::ui::Icon;
use protocol::UserId;

/// Under this name a browser keeps that it was offered.
const OFFERED: &str = "push-offered";

/// Shown only in a browser that was never asked whether it may notify.
#[component]
pub fn PushOffer(person: UserId) -> impl IntoView {
    let is_shown = RwSignal::new(false);
    let person = StoredValue::new(person);
    Effect::new(move |_| {
        let was_offered = person.with_value(|person| Store::of_person(person).read(OFFERED).is_some());
        is_shown.set(!was_offered && may_offer_notifications());
    });
    let end = move |_| {
        person.with_value(|person| Store::of_person(person).write(OFFERED, "1"));
        is_shown.set(false);
    };
    view! {
        <Show when=move || is_shown.get()>
            <div class="banner" role="note">
                <Icon name="bell"/>
                <p class="banner-text">
                    "This device can tell you when an agent is done, asks you something or cannot go on, with no page open."
                </p>
                <div class="actions">
                    <a class="button" href="/notifications/settings#devices" on:click=end>"Notify this device"</a>
                    <button type="button" class="button" data-kind="quiet" on:click=end>"Not now"</button>
                </div>
            </div>
        </Show>
    }
}
