//! The line that tells whoever runs the hub that its disk is full, on every page.

use crate::prelude::*;
use crate::ui::Icon;
use protocol::view::DiskRoom;

#[component]
pub(super) fn DiskLine(room: DiskRoom) -> impl IntoView {
    let words = t(match room {
        DiskRoom::Enough => return ().into_any(),
        DiskRoom::Little => "The hub's disk is nearly full. Make room, before nothing can be saved.",
        DiskRoom::Full => {
            "The hub's disk is full: what is there can be read, and nothing can be saved. Make room on it; nothing has to be restarted."
        }
    });
    view! {
        <div class="banner" data-kind="warn" role="note">
            <Icon name="warn"/>
            <p class="banner-text">{words} " " <a href="/admin/status">"How the hub is"</a></p>
        </div>
    }
    .into_any()
}
