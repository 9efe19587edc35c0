//! Where a person gets a key of a provider.

use super::provider_kind::key_page;
use crate::prelude::*;
use protocol::agent::ProviderKind;

/// For the kind that is chosen. Without script nobody knows which that is, and nothing is said.
#[component]
pub fn KeyPlace(of: RwSignal<ProviderKind>) -> impl IntoView {
    let is_scripted = RwSignal::new(false);
    Effect::new(move |_| is_scripted.set(true));
    move || {
        let page = key_page(of.get()).filter(|_| is_scripted.get())?;
        let host = page.trim_start_matches("https://").split('/').next().unwrap_or(page);
        let words = say!("Get a key at {host}");
        Some(view! { <a href=page target="_blank" rel="noreferrer">{words}</a> })
    }
}
