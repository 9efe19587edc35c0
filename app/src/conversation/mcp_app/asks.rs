//! What a page wants that only its person can say yes to. The page is right above: no button takes a press that was meant
//! for it.

use super::super::context::ConversationContext;
use super::super::strangers::fenced;
use super::super::thread::Key;
use crate::browser::mcp_app::{self, AppState};
use crate::files::size;
use crate::mcp_servers::api::answer_app_hosts;
use crate::mcp_servers::words::permission;
use crate::prelude::*;
use crate::ui::{Icon, PressGuard, Spelled, visible};
use leptos::html;
use leptos::task::spawn_local;
use protocol::McpServerId;
use protocol::view::McpApp;
use protocol::view::shell::AppWish;

/// Which hosts it wants to reach, once for each server.
#[component]
pub(super) fn Hosts(app: RwSignal<Option<McpApp>>, load: Callback<()>) -> impl IntoView {
    let wanted =
        Memo::new(move |_| app.with(|app| app.as_ref().filter(|app| !app.wanted.is_empty()).cloned()));
    let failure = RwSignal::new(None::<String>);
    let answer = move |allow: bool| {
        let Some(McpApp { server, wanted, .. }) = wanted.get_untracked() else { return };
        settle((server, wanted), allow, failure, load);
    };
    move || {
        wanted.get().map(|McpApp { server_name, wanted, .. }| {
            let hosts = wanted.into_iter().map(|host| view! { <li><code>{host}</code></li> }).collect_view();
            view! {
                <Asked label="Hosts" no={t("Refuse")} yes={t("Allow")} answer=Callback::new(answer)>
                    <p>"Pages of " <b>{server_name}</b> " want to reach:"</p>
                    <ul class="mcp-app-hosts">{hosts}</ul>
                    <small>"What they show and what you type into them can go there."</small>
                    {move || failure.get().map(|why| view! { <p role="alert">{why}</p> })}
                </Asked>
            }
        })
    }
}

/// What of the device it wants to use, once for each server.
#[component]
pub(super) fn Uses(app: RwSignal<Option<McpApp>>, load: Callback<()>) -> impl IntoView {
    let wanted =
        Memo::new(move |_| app.with(|app| app.as_ref().filter(|app| !app.wants_to_use.is_empty()).cloned()));
    let failure = RwSignal::new(None::<String>);
    let answer = move |allow: bool| {
        let Some(McpApp { server, wants_to_use, .. }) = wanted.get_untracked() else { return };
        let named = wants_to_use.into_iter().map(|permission| permission.name().to_owned()).collect();
        settle((server, named), allow, failure, load);
    };
    move || {
        wanted.get().map(|McpApp { server_name, wants_to_use, .. }| {
            let uses = wants_to_use.into_iter().map(|it| view! { <li>{permission(it)}</li> }).collect_view();
            view! {
                <Asked label="Your device" no={t("Refuse")} yes={t("Allow")} answer=Callback::new(answer)>
                    <p>"Pages of " <b>{server_name}</b> " want to use:"</p>
                    <ul class="mcp-app-hosts">{uses}</ul>
                    <small>"What they see and hear there can go to this server. Your browser may ask as well."</small>
                    {move || failure.get().map(|why| view! { <p role="alert">{why}</p> })}
                </Asked>
            }
        })
    }
}

/// Says so for these names, and shows the page with what it has now.
fn settle(
    (server, named): (McpServerId, Vec<String>),
    allow: bool,
    failure: RwSignal<Option<String>>,
    load: Callback<()>,
) {
    spawn_local(async move {
        match answer_app_hosts(server, named, allow).await {
            Ok(()) => {
                let _ = failure.try_set(None);
                load.try_run(());
            }
            Err(error) => {
                let _ = failure.try_set(Some(error.to_string()));
            }
        }
    });
}

/// What it wants now.
#[component]
pub(super) fn WishOf(state: AppState, server: Signal<String>, context: ConversationContext) -> impl IntoView {
    let name = context.name.get_value();
    move || {
        state.wish.get().map(|wish| {
            let (what, words, yes, is_said) = match wish {
                AppWish::Link { host, url } => {
                    (say!(" wants to open a page of {host}"), url, t("Open"), false)
                }
                AppWish::Say { text } => (say!(" wants to say to {name}"), visible(&text), t("Send"), true),
                AppWish::Save { name, bytes } => {
                    let size = size(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
                    (say!(" wants to give you a file of {size}"), name, t("Save"), false)
                }
            };
            let said = is_said.then(|| words.clone());
            let answer = move |allow: bool| {
                if let Some(text) = said.as_ref().filter(|_| allow) {
                    let head = format!("A page of my MCP server {} says:", server.get_untracked());
                    context.send(format!("{head}\n{}", fenced(text)), Vec::new());
                }
                mcp_app::answer(state, allow);
            };
            view! {
                <Asked label="A wish of the page" no={t("No")} yes answer=Callback::new(answer)>
                    <p>"A page of " <b>{server}</b> {what} ":"</p>
                    <blockquote class="message-quote"><Spelled text=words/></blockquote>
                </Asked>
            }
        })
    }
}

#[component]
fn Asked(
    label: &'static str,
    no: &'static str,
    yes: &'static str,
    answer: Callback<bool>,
    children: Children,
) -> impl IntoView {
    let actions = NodeRef::<html::Div>::new();
    let settled = PressGuard::of(actions);
    let press = move |allow: bool| {
        if settled.get_untracked() {
            answer.run(allow);
        }
    };
    view! {
        <div class="notice" data-kind="ask" role="alertdialog" aria-label=label>
            <div class="notice-text">{children()}</div>
            <div class="actions" node_ref=actions>
                <button class="button" type="button" aria-disabled=move || settled.disabled() on:click=move |_| press(false)>{no}</button>
                <button class="button" data-kind="primary" type="button" aria-disabled=move || settled.disabled() on:click=move |_| press(true)>{yes}</button>
            </div>
        </div>
    }
}

/// What goes along with the next message.
#[component]
pub(super) fn Words(
    state: AppState,
    server: Signal<String>,
    key: StoredValue<Key>,
    context: ConversationContext,
) -> impl IntoView {
    let goes_along = Memo::new(move |_| {
        let known = key.with_value(|key| context.apps.words.with(|known| known.get(key).cloned()));
        known.map(|(_, words)| words)
    });
    move || {
        goes_along.get().map(|words| {
            view! {
                <details class="mcp-app-words">
                    <summary><Icon name="send" small=true/> "What this page shows goes along with your next message"</summary>
                    <p>"In the words of " {server} ":"</p>
                    <blockquote class="message-quote"><Spelled text=words/></blockquote>
                    <button class="button" type="button" on:click=move |_| state.words.set(String::new())>"Leave it out"</button>
                </details>
            }
        })
    }
}
