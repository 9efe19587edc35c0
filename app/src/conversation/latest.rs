//! The end of the conversation, where one reads. It scrolls from its end (`.transcript`), so that the
//! browser itself stays there while the list grows, and only a person's own hand leads away from it.

use super::context::ConversationContext;
use crate::prelude::*;
use crate::ui::Icon;

/// Distance from the end from which on it counts as out of sight, in pixels.
const NEAR: i32 = 64;
/// Distance from the beginning up to which it counts as in sight: what comes before is asked for a little earlier.
const NEAR_START: i32 = 300;

/// Leads back, while the end is out of sight.
#[component]
pub fn Latest(context: ConversationContext) -> impl IntoView {
    view! {
        <Show when=move || context.is_away.get()>
            <button class="button latest" type="button" on:click=move |_| show(context)>
                <Icon name="chevron" small=true/>
                "Latest"
            </button>
        </Show>
    }
}

/// The person has scrolled.
pub fn note(context: ConversationContext) {
    let Some(scroller) = context.scroller.get_untracked() else { return };
    // Counted from the end, and so never positive.
    let is_away = scroller.scroll_top() < -NEAR;
    if context.is_away.get_untracked() != is_away {
        context.is_away.set(is_away);
        let_go(context);
    }
    let left = scroller.scroll_height() - scroller.client_height() + scroller.scroll_top();
    let is_at_start = left < NEAR_START;
    if context.is_at_start.get_untracked() != is_at_start {
        context.is_at_start.set(is_at_start);
    }
}

/// What stands far above the end goes, unless somebody reads there.
pub fn let_go(context: ConversationContext) {
    if !context.is_away.get_untracked() {
        context.transcript.let_go();
    }
}

pub fn show(context: ConversationContext) {
    if let Some(scroller) = context.scroller.get_untracked() {
        scroller.set_scroll_top(0);
    }
}
