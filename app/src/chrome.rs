//! What stands around the pages of signed-in people: the line about the hub, the key that is asked for, the page for
//! what is not there. What stands beside them is the side bar.

mod disk_line;
mod drawer_button;
mod hub_line;
mod leaving;
mod loaded;
mod outdated;
mod palette_link;
mod resource;

pub use drawer_button::{Attention, DrawerButton, provide_attention};
pub use hub_line::HubLine;
pub use loaded::Loaded;
pub use palette_link::{PaletteIsOpen, PaletteLink, provide_palette};
pub use resource::PageResource;

use crate::context_reports::Reporting;
use crate::keys::KeyPrompt;
use crate::prelude::*;
use crate::ui::Plant;
use disk_line::DiskLine;
use leptos_meta::Title;
use protocol::view::Me;

/// Whom the last page was for.
#[derive(Clone, Copy)]
struct LastViewer(RwSignal<Option<Me>>);

/// Remembers, for as long as the document is there, for whom its pages are.
pub fn provide_known_person() {
    provide_context(LastViewer(RwSignal::new(None)));
}

pub fn known_person() -> Option<Me> {
    use_context::<LastViewer>().and_then(|LastViewer(me)| me.get_untracked())
}

/// Changes with each page that comes.
pub fn known_person_signal() -> Signal<Option<Me>> {
    let LastViewer(me) = expect_context();
    me.into()
}

pub fn know(me: &Me) {
    if let Some(LastViewer(known)) = use_context() {
        known.set(Some(me.clone()));
    }
}

/// A page behind the sign-in: its own content in the one `main`.
#[component]
pub fn Shell(me: Me, children: Children) -> impl IntoView {
    know(&me);
    view! {
        <HubLine/>
        <KeyPrompt person=me.id/>
        {(!me.reports.is_empty()).then(|| view! { <Reporting reports=me.reports/> })}
        {me.disk.map(|room| view! { <DiskLine room/> })}
        <main id="main">{children()}</main>
    }
}

#[component]
pub fn NotFound() -> impl IntoView {
    #[cfg(feature = "ssr")]
    crate::response::set_status(protocol::FailureKind::NotFound);
    view! {
        <Title text="Not here"/>
        <main id="main" class="settings">
            <div class="empty">
                <Plant/>
                <h1>"There is nothing here"</h1>
                <p>"The page is gone, or it never was, or it belongs to somebody else."</p>
                <div class="actions"><a class="button" href="/">"Go to your agents"</a></div>
            </div>
        </main>
    }
}
