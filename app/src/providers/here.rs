//! Models on the person's own device: this browser tries them, and their pages are loaded anew when
//! there is another one, because a page may connect only to what it was allowed when it was made.

use super::FetchingModel;
use super::api::SaveProvider;
use crate::browser::device;
use crate::prelude::*;
use crate::ui::{FailureBanner, FormAction, Icon};
use protocol::agent::ProviderKind;
use protocol::view::{ProviderReach, ProviderView};
use protocol::{Failure, ProviderId};

/// What came of the last try from this browser.
pub(super) type Tried = RwSignal<Option<Result<String, Failure>>>;

/// Without script there is no browser to try it with, and so no button.
#[component]
pub(super) fn TryHere(provider: ProviderView, tried: Tried) -> impl IntoView {
    let is_scripted = RwSignal::new(false);
    let is_trying = RwSignal::new(false);
    Effect::new(move |_| is_scripted.set(true));
    let label = say!("Test connection to {name} from this browser", name = provider.name);
    let is_own = provider.kind == ProviderKind::InBrowser;
    let provider = StoredValue::new(provider);
    let words = t(if is_own { "Try, and fetch it" } else { "Test connection" });
    view! {
        <Show when=move || is_scripted.get()>
            <button
                type="button"
                class="button"
                aria-label=label.clone()
                aria-busy=move || is_trying.get().then_some("true")
                on:click=move |_| provider.with_value(|provider| try_here(provider, tried, is_trying))
            >
                {words}
            </button>
        </Show>
    }
}

#[component]
pub(super) fn TriedHere(tried: Tried) -> impl IntoView {
    let outcome = move || {
        Some(match tried.get()? {
            Ok(words) => view! {
                <div class="banner" data-kind="done" role="status">
                    <Icon name="check"/>
                    <p class="banner-text">{words}</p>
                </div>
            }
            .into_any(),
            Err(failure) => view! { <FailureBanner failure/> }.into_any(),
        })
    };
    view! {
        <FetchingModel/>
        {outcome}
    }
}

/// Loads the page anew when a provider was saved that this browser calls.
pub(super) fn reload_when_saved(save: FormAction<SaveProvider>) {
    Effect::new(move |_| {
        let saved = save.value().with(|value| match value {
            Some(Ok(ProviderView {
                id, reach: ProviderReach::Device | ProviderReach::DeviceKey, ..
            })) => Some(id.clone()),
            Some(Ok(_) | Err(_)) | None => None,
        });
        if let Some(id) = saved {
            load_anew(&id);
        }
    });
}

fn load_anew(saved: &ProviderId) {
    if let Err(error) = window().location().set_href(&format!("/providers?saved={saved}")) {
        leptos::logging::error!("The browser refused to load the page anew: {error:?}");
    }
}

fn try_here(provider: &ProviderView, tried: Tried, is_trying: RwSignal<bool>) {
    let ProviderView { id, name, kind, models_at, key_slot, .. } = provider.clone();
    if kind == ProviderKind::InBrowser {
        is_trying.set(true);
        return leptos::task::spawn_local(async move {
            let outcome = device::try_own().await;
            let _ = tried.try_set(Some(outcome));
            let _ = is_trying.try_set(false);
        });
    }
    let Some(models_at) = models_at else { return };
    is_trying.set(true);
    leptos::task::spawn_local(async move {
        let outcome = match device::models(id, kind, &models_at, key_slot.as_ref()).await {
            Ok(list) => Ok(match list.models.len() {
                0 => say!("{name}: connected from this browser, but there is no model yet."),
                count => plural!(
                    count,
                    "{name}: connected from this browser, 1 model.",
                    "{name}: connected from this browser, {count} models."
                ),
            }),
            Err(failure) => Err(failure),
        };
        // The person may have left the page.
        let _ = tried.try_set(Some(outcome));
        let _ = is_trying.try_set(false);
    });
}
