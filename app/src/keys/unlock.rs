//! What opens the keys of this device: the one field for the passphrase, and a button for the passkey if
//! there is one. What is typed there is not sent anywhere.

use crate::browser::keys;
use crate::prelude::*;
use leptos::ev::SubmitEvent;
use leptos::html::Input;
use leptos::task::spawn_local;

/// What a person opens the keys with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Opener {
    Passphrase,
    Passkey,
}

#[component]
pub fn Unlock(
    /// Tells one such form from another on the page.
    id: &'static str,
) -> impl IntoView {
    let trouble = RwSignal::new(None::<String>);
    let busy = RwSignal::new(None::<Opener>);
    let field = NodeRef::<Input>::new();
    let held = keys::held();
    let has_passkey = Memo::new(move |_| held.with(|held| held.has_passkey));
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        open(Opener::Passphrase, field, trouble, busy);
    };
    let is_busy = move |with: Opener| (busy.get() == Some(with)).then_some("true");
    let (field_id, trouble_id) = (format!("{id}-passphrase"), format!("{id}-trouble"));
    view! {
        <form class="unlock" autocomplete="off" on:submit=submit>
            <label class="field-label" for=field_id.clone()>"Passphrase of this device"</label>
            <div class="unlock-line">
                <input
                    class="input"
                    id=field_id
                    node_ref=field
                    type="password"
                    required
                    autocomplete="off"
                    aria-describedby=trouble_id.clone()
                />
                <button type="submit" class="button" data-kind="primary" aria-busy=move || is_busy(Opener::Passphrase)>
                    "Unlock"
                </button>
            </div>
            <Show when=move || has_passkey.get()>
                <button
                    type="button"
                    class="button unlock-passkey"
                    aria-busy=move || is_busy(Opener::Passkey)
                    on:click=move |_| open(Opener::Passkey, field, trouble, busy)
                >
                    "Use the passkey"
                </button>
            </Show>
            <p class="field-error" id=trouble_id role="alert">{move || trouble.get()}</p>
        </form>
    }
}

fn open(
    with: Opener,
    field: NodeRef<Input>,
    trouble: RwSignal<Option<String>>,
    busy: RwSignal<Option<Opener>>,
) {
    let Some(input) = field.get_untracked() else { return };
    if busy.get_untracked().is_some() {
        return;
    }
    busy.set(Some(with));
    trouble.set(None);
    spawn_local(async move {
        let outcome = match with {
            Opener::Passphrase => keys::unlock(&input.value()).await,
            Opener::Passkey => keys::unlock_with_passkey().await,
        };
        input.set_value("");
        // The form goes away when the keys are open.
        let _ = trouble.try_set(outcome.err());
        let _ = busy.try_set(None);
    });
}
