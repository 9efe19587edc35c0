//! The place of the agent's page. The frame itself lies over it, put there by the script; without
//! script a picture of the page stands in for it.

use super::context::ConversationContext;
use crate::browser::skin;
use crate::prelude::*;
use crate::ui::{Icon, Plant};
use leptos::html;
use protocol::view::shell::Stage;

#[component]
pub fn SkinPlace(context: ConversationContext, place: NodeRef<html::Section>) -> impl IntoView {
    let content = move || match context.stage.get() {
        Stage::Empty => view! { <Empty name=context.name.get_value()/> }.into_any(),
        Stage::Shown => view! { <Picture agent=context.agent.get_value().0/> }.into_any(),
        Stage::Silent => view! { <Silent context/> }.into_any(),
        Stage::Returning => view! { <Returning/> }.into_any(),
        Stage::Frozen { has_picture } => view! { <Frozen context has_picture/> }.into_any(),
        Stage::Broken { why } => view! { <Broken why context/> }.into_any(),
    };
    view! { <section class="skin" aria-label="Page" id="skin-place" node_ref=place>{content}</section> }
}

#[component]
fn Empty(name: String) -> impl IntoView {
    view! {
        <div class="empty">
            <Plant/>
            <h2>"Nothing drawn yet"</h2>
            <p>{say!("Ask {name} for something to see, and it appears here.")}</p>
        </div>
    }
}

#[component]
fn Picture(agent: String) -> impl IntoView {
    let link = format!(r#"<a href="/sandbox/still/{agent}">{}</a>"#, t("picture of the page"));
    let still = format!(
        r#"<p class="empty" data-size="small">{}</p>"#,
        say!("Without JavaScript this is only a {link}.")
    );
    view! { <noscript inner_html=still></noscript> }
}

#[component]
fn Silent(context: ConversationContext) -> impl IntoView {
    view! {
        <div class="skin-still">
            <div class="banner" data-kind="warn" role="alert">
                <Icon name="warn"/>
                <p class="banner-text">
                    "The page does not answer" <small>"One of its scripts keeps it busy."</small>
                </p>
                <div class="actions">
                    <button class="button" type="button" on:click=move |_| reload(context)>"Reload"</button>
                    <button class="button" type="button" on:click=move |_| freeze(context)>"Freeze"</button>
                    <button class="button" data-kind="quiet" type="button" on:click=move |_| wait(context)>"Wait"</button>
                </div>
            </div>
        </div>
    }
}

#[component]
fn Returning() -> impl IntoView {
    view! {
        <div class="empty" role="status">
            <p>"The page is being loaded anew."</p>
        </div>
    }
}

#[component]
fn Frozen(context: ConversationContext, has_picture: bool) -> impl IntoView {
    view! {
        <div class="skin-still">
            <div class="banner" data-kind="info" role="status">
                <Icon name="freeze"/>
                <p class="banner-text">"Frozen" <small>"This is a picture. None of its scripts run here."</small></p>
                <div class="actions">
                    <button class="button" type="button" on:click=move |_| reload(context)>"Thaw"</button>
                </div>
            </div>
            {has_picture.then(|| view! { <Still context/> })}
        </div>
    }
}

/// The stored page without life.
#[component]
fn Still(context: ConversationContext) -> impl IntoView {
    let agent = context.agent.get_value();
    view! {
        <iframe
            class="still"
            src=format!("/sandbox/still/{agent}")
            title={say!("Picture of the page of {name}", name = context.name.get_value())}
            tabindex="-1"
            inert
            sandbox=""
        ></iframe>
    }
}

#[component]
fn Broken(why: String, context: ConversationContext) -> impl IntoView {
    view! {
        <div class="empty" role="alert">
            <h2>"The page is not running"</h2>
            <p>{why}</p>
            <div class="actions">
                <button class="button" type="button" on:click=move |_| reload(context)>"Reload"</button>
                <button class="button" type="button" on:click=move |_| freeze(context)>"Freeze"</button>
            </div>
        </div>
    }
}

/// Freezes the page that is shown, or lets it live again. Without script there is none.
#[component]
pub fn FreezeSwitch(context: ConversationContext) -> impl IntoView {
    let is_frozen = move || matches!(context.stage.get(), Stage::Frozen { .. });
    let is_there = move || context.connection.with(Option::is_some) && context.stage.get() != Stage::Empty;
    let words = move || t(if is_frozen() { "Thaw the page" } else { "Freeze the page" });
    view! {
        <Show when=is_there>
            <button
                class="button"
                data-kind="quiet"
                data-shape="icon"
                type="button"
                aria-label=words
                title=words
                on:click=move |_| if is_frozen() { reload(context) } else { freeze(context) }
            >
                <Icon name="freeze"/>
            </button>
        </Show>
    }
}

fn reload(context: ConversationContext) {
    context.agent.with_value(skin::reload);
}

fn freeze(context: ConversationContext) {
    context.agent.with_value(skin::freeze);
}

fn wait(context: ConversationContext) {
    context.agent.with_value(skin::wait);
}
