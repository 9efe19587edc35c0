//! The line that says how far this browser is with fetching its own model.

use crate::ui::Icon;
use leptos::prelude::*;

#[component]
pub fn FetchingModel() -> impl IntoView {
    let percent = RwSignal::new(None::<u32>);
    #[cfg(feature = "hydrate")]
    Effect::new(move |_| percent.set(super::fetching::fetched().get()));
    move || {
        percent.get().map(|percent| {
            view! {
                <div class="banner" data-kind="info" role="status">
                    <Icon name="info"/>
                    <p class="banner-text">
                        {format!("This browser fetches its model: {percent} %. ")}
                        <small>"That happens once, and may take a while."</small>
                    </p>
                </div>
            }
        })
    }
}
