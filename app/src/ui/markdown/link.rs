//! A link out of what a model wrote. Browsers look a host up when the pointer rests on a link, and connect
//! when it is pressed down: both tell its owner that somebody is reading. So the address is no `href`
//! until the person has decided; by keyboard, in the link's own menu and without script it is there.

use crate::prelude::*;
use leptos::ev::{KeyboardEvent, MouseEvent};
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{Element, Event};

pub fn link_out(address: &str, children: Vec<AnyView>) -> AnyView {
    let open = move |event: &Event| {
        event.prevent_default();
        if let Some(address) = element(event).and_then(|link| link.get_attribute("data-address")) {
            // With `noopener` no answer tells whether there is a tab.
            let _ = window().open_with_url_and_target_and_features(&address, "_blank", "noopener,noreferrer");
        }
    };
    view! {
        <a
            class="link-out"
            role="link"
            tabindex="0"
            title=address.to_owned()
            data-address=address.to_owned()
            on:click=move |event: MouseEvent| open(&event)
            on:auxclick=move |event: MouseEvent| {
                if event.button() == MIDDLE {
                    open(&event);
                }
            }
            on:keydown=move |event: KeyboardEvent| {
                if event.key() == "Enter" {
                    open(&event);
                }
            }
            on:contextmenu=move |event| name_address(&event)
            on:pointerleave=move |event| forget_address(&event)
            on:blur=move |event| forget_address(&event)
        >
            {children}
        </a>
    }
    .into_any()
}

const MIDDLE: i16 = 1;

/// The browser's menu offers what it offers for links: to copy it, and to open it elsewhere.
fn name_address(event: &Event) {
    let Some(link) = element(event) else { return };
    if let Some(address) = link.get_attribute("data-address") {
        // An attribute of this name cannot be refused.
        let _ = link.set_attribute("href", &address);
    }
}

fn forget_address(event: &Event) {
    if let Some(link) = element(event) {
        let _ = link.remove_attribute("href");
    }
}

fn element(event: &Event) -> Option<Element> {
    event.current_target().and_then(|target| target.dyn_into().ok())
}
