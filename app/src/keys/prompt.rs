//! Asks for the passphrase, on whichever page the person is, while an agent waits for a key.

use super::unlock::Unlock;
use crate::browser::keys;
use crate::prelude::*;
use crate::ui::Icon;
use protocol::UserId;
use protocol::run::KeyLack;
use protocol::view::shell::Lock;

#[component]
pub fn KeyPrompt(person: UserId) -> impl IntoView {
    let held = keys::held();
    Effect::new(move |_| keys::enter(person.clone()));
    let names = {
        let held = held.clone();
        Memo::new(move |_| {
            let of = |lack: KeyLack| {
                held.with(|held| {
                    let mut names: Vec<_> =
                        held.wanted.iter().filter(|one| one.1 == lack).map(|one| one.0.clone()).collect();
                    names.dedup();
                    names.join(", ")
                })
            };
            (of(KeyLack::Locked), of(KeyLack::Missing))
        })
    };
    let is_locked =
        move || names.with(|(locked, _)| !locked.is_empty()) && held.with(|held| held.state == Lock::Locked);
    let is_missing = move || names.with(|(_, missing)| !missing.is_empty());
    view! {
        <Show when=is_locked>
            <section class="key-prompt" aria-label="A key is wanted">
                <div class="banner" data-kind="ask">
                    <Icon name="key"/>
                    <p class="banner-text" role="status">
                        {move || say!("An agent waits for the key of {provider}.", provider = names.with(|(locked, _)| locked.clone()))}
                        <small>"It is locked on this device. It opens for this tab alone."</small>
                    </p>
                    <Unlock id="key-prompt"/>
                </div>
            </section>
        </Show>
        <Show when=is_missing>
            <section class="key-prompt" aria-label="A key is missing">
                <div class="banner" data-kind="ask">
                    <Icon name="key"/>
                    <p class="banner-text" role="status">
                        {move || say!("An agent waits for the key of {provider}, which is not on this device.", provider = names.with(|(_, missing)| missing.clone()))}
                        <small>"Enter it here, or take the run over on a device that has it."</small>
                    </p>
                    <a class="button" href="/providers#device-keys">"Enter the key"</a>
                </div>
            </section>
        </Show>
    }
}
