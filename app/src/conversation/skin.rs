//! The place of the agent's page. The frame itself lies over it, put there by the script; without
//! script a picture of the page stands in for it.

use super::desk::Desk;
use crate::sandbox::Stage;
use leptos::html;
use leptos::prelude::*;

#[component]
pub fn SkinPlace(desk: Desk, place: NodeRef<html::Section>) -> impl IntoView {
    let content = move || match desk.stage.get() {
        Stage::Empty => view! { <Empty name=desk.name.get_value()/> }.into_any(),
        Stage::Shown => view! { <Picture agent=desk.agent.get_value().0/> }.into_any(),
        Stage::Broken { why } => view! { <Broken why desk/> }.into_any(),
    };
    view! { <section class="skin" aria-label="Skin" id="skin-place" node_ref=place>{content}</section> }
}

#[component]
fn Empty(name: String) -> impl IntoView {
    view! {
        <div class="empty">
            <svg class="plant" viewBox="0 0 240 240" aria-hidden="true"><use href="/plant.svg#plant"/></svg>
            <h2>"Nothing drawn yet"</h2>
            <p>"Ask " {name} " for something to see, and it appears here."</p>
        </div>
    }
}

#[component]
fn Picture(agent: String) -> impl IntoView {
    let still = format!(
        r#"<p class="empty" data-size="small">Without JavaScript this is only a <a href="/sandbox/still/{agent}">picture of the page</a>.</p>"#
    );
    view! { <noscript inner_html=still></noscript> }
}

#[component]
fn Broken(why: String, desk: Desk) -> impl IntoView {
    view! {
        <div class="empty" role="alert">
            <h2>"The page is not running"</h2>
            <p>{why}</p>
            <div class="actions">
                <button class="button" type="button" on:click=move |_| reload(desk)>"Reload"</button>
            </div>
        </div>
    }
}

#[cfg(feature = "hydrate")]
fn reload(desk: Desk) {
    desk.agent.with_value(crate::sandbox::reload);
}

#[cfg(not(feature = "hydrate"))]
fn reload(_desk: Desk) {}
