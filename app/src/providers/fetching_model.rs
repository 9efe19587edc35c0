//! The line that says how far this browser is with fetching its own model.

use crate::browser::device;
use crate::prelude::*;
use crate::ui::Icon;

#[component]
pub fn FetchingModel() -> impl IntoView {
    let percent = RwSignal::new(None::<u32>);
    Effect::new(move |_| percent.set(device::fetched().get()));
    move || {
        percent.get().map(|percent| {
            view! {
                <div class="banner" data-kind="info" role="status">
                    <Icon name="info"/>
                    <p class="banner-text">
                        {say!("This browser fetches its model: {percent} %. ")}
                        <small>"That happens once, and may take a while."</small>
                    </p>
                </div>
            }
        })
    }
}
