//! The list of models in a popover, on a phone as a sheet. A button with its id as `popovertarget` opens it; Escape and
//! a choice give the focus back to that button.

use super::choice::ModelChoice;
use super::offered::Offered;
use crate::prelude::*;
use leptos::html::Div;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{Element, HtmlElement};

/// The children stand above the list.
#[component]
pub fn ModelPopover(
    id: &'static str,
    label: &'static str,
    offered: Offered,
    #[prop(into)] chosen: Signal<String>,
    choose: Callback<String>,
    /// Called when it is opened.
    #[prop(optional)]
    opened: Option<Callback<()>>,
    #[prop(optional)] children: Option<Children>,
) -> impl IntoView {
    let place = NodeRef::<Div>::new();
    let is_open = RwSignal::new(false);
    let toggled = move |_| {
        let is_now = place.get_untracked().is_some_and(|place| is_shown(&place));
        is_open.set(is_now);
        if is_now && let Some(opened) = opened {
            opened.run(());
        }
    };
    let choose = Callback::new(move |model: String| {
        close_popover(id);
        choose.run(model);
    });
    view! {
        <div class="model-popover" id=id popover="auto" role="dialog" aria-label=label node_ref=place on:toggle=toggled>
            {children.map(|children| children())}
            <Show when=move || is_open.get()>
                <ModelChoice id offered chosen choose/>
            </Show>
        </div>
    }
}

/// Closes the popover with this id, if it is open.
pub fn close_popover(id: &str) {
    let place = document().get_element_by_id(id).and_then(|place| place.dyn_into::<HtmlElement>().ok());
    if let Some(place) = place.filter(|place| is_shown(place))
        && place.hide_popover().is_err()
    {
        leptos::logging::warn!("The list of models did not close.");
    }
}

fn is_shown(place: &Element) -> bool {
    place.matches(":popover-open").unwrap_or(false)
}
