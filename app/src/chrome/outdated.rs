//! What stands beside a page that is not as it is now, as the last attempt to read it anew failed.

use crate::browser::live;
use crate::prelude::*;
use protocol::view::shell::Connection;

/// Tries again by itself when there is a connection again.
#[component]
pub fn Outdated(again: Callback<()>) -> impl IntoView {
    let connection = live::connection();
    Effect::new(move |was_live: Option<bool>| {
        let is_live = connection.get() == Connection::Live;
        if is_live && was_live == Some(false) {
            again.run(());
        }
        is_live
    });
    view! {
        <div class="outdated" role="status">
            <span>"This page could not be brought up to date"</span>
            <button class="button" type="button" on:click=move |_| again.run(())>"Retry"</button>
        </div>
    }
}
