//! That the agent cannot answer as it is set up, and the way to what it lacks. What is written meanwhile stays in the
//! composer.

use super::context::ConversationContext;
use crate::prelude::*;
use crate::ui::{ActionForm, Icon};
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::HtmlElement;

/// What an agent cannot answer without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lack {
    /// It has none, or not any more.
    Provider,
    /// A home where its provider can be called.
    Home,
}

/// What leads out of it.
const WAY: &str = "lacking";

#[component]
pub fn Lacking(context: ConversationContext) -> impl IntoView {
    let name = context.name.get_value();
    let lack = Memo::new(move |_| context.lack());
    move || {
        lack.get().map(|lack| {
            let words = match lack {
                Lack::Provider => say!("{name} cannot answer yet: it has no provider of models."),
                Lack::Home => say!("{name} cannot answer on the hub: only a browser can call its provider."),
            };
            view! {
                <div class="banner" data-kind="warn" role="status">
                    <Icon name="warn"/>
                    <p class="banner-text">{words}</p>
                    {way(lack, context)}
                </div>
            }
        })
    }
}

fn way(lack: Lack, context: ConversationContext) -> AnyView {
    let agent = context.agent.get_value();
    match lack {
        Lack::Provider => {
            let address = format!("/agents/{agent}/edit#agent-provider");
            view! { <a class="button" id=WAY href=address>"Choose a provider"</a> }.into_any()
        }
        Lack::Home => {
            let pending = context.move_home.pending();
            view! {
                <ActionForm action=context.move_home>
                    <input type="hidden" name="agent" value=agent.0/>
                    <input type="hidden" name="home" value="browser"/>
                    <input type="hidden" name="when" value="after"/>
                    <input type="hidden" name="tab" value=move || context.tab.get()/>
                    <button class="button" id=WAY type="submit" aria-busy=move || pending.get().then_some("true")>
                        "Let it run in the browser"
                    </button>
                </ActionForm>
            }
            .into_any()
        }
    }
}

/// Whether what somebody sends could not be answered. Leads them to what is missing.
pub fn stops(context: ConversationContext) -> bool {
    if untrack(|| context.lack()).is_none() {
        return false;
    }
    let way = document().get_element_by_id(WAY);
    if let Some(way) = way.and_then(|way| way.dyn_into::<HtmlElement>().ok()) {
        // It is in the page, so that it takes the focus.
        let _ = way.focus();
    }
    true
}
