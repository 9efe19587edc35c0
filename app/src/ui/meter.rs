//! How full the context of an agent's model is.

use super::number::grouped;
use crate::prelude::*;
use protocol::view::ContextRoom;

#[component]
pub fn Meter(#[prop(into)] tokens: Signal<u64>, room: ContextRoom) -> impl IntoView {
    view! {
        <span
            class="meter"
            role="meter"
            aria-label="Context"
            aria-valuemin="0"
            aria-valuemax="100"
            aria-valuenow=move || percent(tokens.get(), room).min(100).to_string()
            aria-valuetext=move || meter_words(tokens.get(), room)
            data-level=move || level(percent(tokens.get(), room), room)
            style=move || format!("--full:{}%", percent(tokens.get(), room).min(100))
        ></span>
    }
}

/// The same as a figure.
#[component]
pub fn Percent(#[prop(into)] tokens: Signal<u64>, room: ContextRoom) -> impl IntoView {
    view! { <span class="num">{move || percent(tokens.get(), room)} " %"</span> }
}

/// What the meter says, for those who do not see it.
pub fn meter_words(tokens: u64, room: ContextRoom) -> String {
    let (percent, used, all) = (percent(tokens, room), grouped(tokens), grouped(room.tokens));
    say!("{percent} % full, {used} of {all} tokens")
}

fn percent(tokens: u64, room: ContextRoom) -> u64 {
    tokens.saturating_mul(100).checked_div(room.tokens).unwrap_or(100)
}

fn level(percent: u64, room: ContextRoom) -> &'static str {
    if percent >= room.danger {
        "danger"
    } else if percent >= room.warn {
        "warn"
    } else {
        "calm"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_meter_warns_from_sixty_percent_on() {
        let room = ContextRoom { tokens: 1000, warn: 60, danger: 85 };
        for (tokens, expected) in [
            (0, (0, "calm")),
            (599, (59, "calm")),
            (600, (60, "warn")),
            (849, (84, "warn")),
            (850, (85, "danger")),
            (3000, (300, "danger")),
        ] {
            let percent = percent(tokens, room);
            assert_eq!((percent, level(percent, room)), expected, "{tokens}");
        }
        assert_eq!(percent(1, ContextRoom { tokens: 0, ..room }), 100);
    }
}
