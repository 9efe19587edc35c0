//! A page that still shows what stood at the address before.

use crate::prelude::*;

/// Lets nothing of the page be used while that is so, and no word go to what is no longer meant.
pub fn rest_while(is_leaving: impl Fn() -> bool + 'static) {
    Effect::new(move |_| {
        if is_leaving() {
            mark(true);
            on_cleanup(|| mark(false));
        }
    });
}

fn mark(is_leaving: bool) {
    let Some(main) = document().get_element_by_id("main") else { return };
    for (name, value) in [("inert", ""), ("aria-busy", "true")] {
        let marked = if is_leaving { main.set_attribute(name, value) } else { main.remove_attribute(name) };
        if let Err(error) = marked {
            leptos::logging::warn!("The browser did not change {name}: {error:?}");
        }
    }
}
