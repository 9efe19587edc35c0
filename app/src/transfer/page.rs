//! The page: settings out of this hub, and settings into it.

use super::api::own_settings;
use super::make::MakeSection;
use super::open::OpenSection;
use crate::AppError;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::prelude::*;
use crate::providers::api::list_providers;
use crate::session::{brings_own, me};
use crate::together::together;
use crate::ui::WhoCan;
use leptos_meta::Title;
use protocol::view::{Me, ProviderView, Settings};
use serde::{Deserialize, Serialize};

#[derive(Clone, Serialize, Deserialize)]
struct Transfer {
    me: Me,
    settings: Settings,
    providers: Vec<ProviderView>,
}

#[component]
pub fn TransferPage() -> impl IntoView {
    let transfer = PageResource::new(|| (), |()| load());
    view! {
        <Title text="Move settings"/>
        <Loaded resource=transfer view=move |transfer| view! { <Sections transfer/> }/>
    }
}

#[component]
fn Sections(transfer: Transfer) -> impl IntoView {
    let Transfer { me, settings, providers } = transfer;
    let is_scripted = RwSignal::new(false);
    Effect::new(move |_| is_scripted.set(true));
    let who_can = (!brings_own(&me)).then(|| {
        view! { <WhoCan words="You can take in prices, limits and rules. Members and administrators can take in providers too."/> }
    });
    let (here, all) = (StoredValue::new(settings), StoredValue::new(providers));
    view! {
        <Shell me>
            <div class="settings">
                <h1>"Move settings"</h1>
                <p>
                    "Providers, prices that you entered, your limits, and rules for all agents, to another device or hub. "
                    "Agents move as archives, from their own pages. Keys that the hub keeps do not move: it gives none out."
                </p>
                {who_can}
                <Show
                    when=move || is_scripted.get()
                    fallback=|| view! { <p>"This needs JavaScript: your browser seals and opens the settings by itself."</p> }
                >
                    <OpenSection here=here.get_value()/>
                    <MakeSection settings=here.get_value() providers=all.get_value()/>
                </Show>
            </div>
        </Shell>
    }
}

async fn load() -> Result<Transfer, AppError> {
    let (me, settings, providers) = together!(me(), own_settings(), list_providers());
    Ok(Transfer { me, settings, providers })
}
