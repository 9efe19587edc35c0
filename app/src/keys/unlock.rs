//! The one field that opens the keys of this device. What is typed there is not sent anywhere.

use leptos::ev::SubmitEvent;
use leptos::html::Input;
use leptos::prelude::*;

#[component]
pub fn Unlock(
    /// Tells one such form from another on the page.
    id: &'static str,
) -> impl IntoView {
    let trouble = RwSignal::new(None::<String>);
    let is_busy = RwSignal::new(false);
    let field = NodeRef::<Input>::new();
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        open(field, trouble, is_busy);
    };
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
                <button type="submit" class="button" data-kind="primary" aria-busy=move || is_busy.get().then_some("true")>
                    "Unlock"
                </button>
            </div>
            <p class="field-error" id=trouble_id role="alert">{move || trouble.get()}</p>
        </form>
    }
}

#[cfg(feature = "hydrate")]
fn open(field: NodeRef<Input>, trouble: RwSignal<Option<String>>, is_busy: RwSignal<bool>) {
    let Some(input) = field.get_untracked() else { return };
    if is_busy.get_untracked() {
        return;
    }
    is_busy.set(true);
    trouble.set(None);
    leptos::task::spawn_local(async move {
        let outcome = super::ring::unlock(&input.value()).await;
        input.set_value("");
        // The form goes away when the keys are open.
        let _ = trouble.try_set(outcome.err());
        let _ = is_busy.try_set(false);
    });
}

#[cfg(not(feature = "hydrate"))]
fn open(_field: NodeRef<Input>, _trouble: RwSignal<Option<String>>, _is_busy: RwSignal<bool>) {}
