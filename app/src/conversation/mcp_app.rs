//! The page of a tool of an MCP server, under the line of its call: sealed, and with what it wants of the person beside
//! it.

use super::api::entries;
use super::context::ConversationContext;
use super::strangers::fenced;
use super::thread::{Body, Progress, input_text};
use super::transcript::RenderedItem;
use crate::browser::mcp_app::{self, AppState};
use crate::mcp_servers::api::{answer_app_hosts, list_mcp_apps, read_mcp_app};
use crate::ui::Icon;
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos::wasm_bindgen::JsCast;
use protocol::log::EntryBody;
use protocol::model::{Block, ToolResult};
use protocol::view::McpApp;
use protocol::view::shell::{AppStart, AppWish};
use std::collections::BTreeMap;

/// How names of tools of MCP servers begin.
const OF_SERVERS: &str = "mcp_";
/// Height of a page before it told, in pixels.
const HEIGHT: i64 = 160;

pub fn may_have_page(tool: &str) -> bool {
    tool.starts_with(OF_SERVERS)
}

/// What is known of pages in a conversation.
#[derive(Clone, Copy, Default)]
pub struct Apps {
    /// The tools that have one. Absent: nobody asked so far.
    tools: RwSignal<Option<Vec<String>>>,
    /// What goes along with the person's next message, by call: of which server, and in its words.
    words: RwSignal<BTreeMap<u64, (String, String)>>,
}

impl Apps {
    /// Finds out which tools have a page, once.
    fn ask(self, context: ConversationContext) {
        if self.tools.with_untracked(Option::is_some) {
            return;
        }
        self.tools.set(Some(Vec::new()));
        let agent = context.agent.get_value();
        spawn_local(async move {
            // Without an answer calls are lines, as they are anyway.
            if let Ok(tools) = list_mcp_apps(agent).await {
                let _ = self.tools.try_set(Some(tools));
            }
        });
    }

    /// The message with what pages have to say to it, which is said once.
    pub fn with_words(self, text: String) -> String {
        let mut words = BTreeMap::new();
        self.words.update(|known| words = std::mem::take(known));
        words.into_values().fold(text, |text, (server, words)| {
            format!("{text}\n\nA page of my MCP server {server} shows this now:\n{}", fenced(&words))
        })
    }
}

/// The place of the page, if the tool has one and was called.
#[component]
pub fn McpAppPlace(shown: RenderedItem, name: String, context: ConversationContext) -> impl IntoView {
    let apps = context.apps;
    Effect::new(move |_| apps.ask(context));
    let (tool, body) = (name.clone(), shown.body.clone());
    let is_shown = Memo::new(move |_| {
        let was_made = body.with(|body| match body {
            Body::Tool { progress: Progress::Running(_), .. } => true,
            Body::Tool { progress: Progress::Finished { result, .. }, .. } => !result.is_error,
            _ => false,
        });
        was_made && apps.tools.with(|tools| tools.as_ref().is_some_and(|tools| tools.contains(&tool)))
    });
    let (shown, name) = (StoredValue::new(shown), StoredValue::new(name));
    view! {
        <Show when=move || is_shown.get()>
            <Page shown=shown.get_value() name=name.get_value() context/>
        </Show>
    }
}

#[component]
fn Page(shown: RenderedItem, name: String, context: ConversationContext) -> impl IntoView {
    let place = NodeRef::<html::Div>::new();
    let state = AppState::blank();
    let app = RwSignal::new(None::<McpApp>);
    let failure = RwSignal::new(None::<String>);
    let (agent, tool) = (context.agent.get_value(), StoredValue::new(name));
    let load = {
        let (agent, shown) = (agent.clone(), shown.clone());
        move || {
            let (agent, shown, tool) = (agent.clone(), shown.clone(), tool.get_value());
            spawn_local(async move {
                match read_mcp_app(agent.clone(), tool.clone()).await {
                    Ok(found) => {
                        let Call { input, result } = Call::of(&shown, context).await;
                        let Some(Some(place)) = place.try_get_untracked() else { return };
                        failure.set(None);
                        app.set(Some(found.clone()));
                        let start = AppStart { agent, tool, app: found, input };
                        mcp_app::show(start, place.unchecked_ref(), state);
                        if let Some(result) = result {
                            mcp_app::finish(state, &result.content, result.is_error);
                        }
                    }
                    Err(error) => {
                        let _ = failure.try_set(Some(error.to_string()));
                    }
                }
            });
        }
    };
    let load = StoredValue::new(load);
    Effect::new(move |_| {
        if place.get().is_some() {
            load.with_value(|load| load());
        }
    });
    // What came of a call that goes on is told when it is there.
    let (body, cut) = (shown.body.clone(), shown.cut.is_empty());
    Effect::new(move |_| {
        let result = body.with(|body| match body {
            Body::Tool { progress: Progress::Finished { result, .. }, .. } => Some(result.clone()),
            _ => None,
        });
        if let Some(result) = result.filter(|_| cut) {
            mcp_app::finish(state, &result.content, result.is_error);
        }
    });
    let seq = shown.seq;
    Effect::new(move |_| {
        let words = state.words.get();
        let server = app.with(|app| app.as_ref().map(|app| app.server_name.clone()).unwrap_or_default());
        context.apps.words.update(|known| match words.is_empty() {
            true => drop(known.remove(&seq)),
            false => drop(known.insert(seq, (server, words))),
        });
    });
    on_cleanup(move || {
        mcp_app::close(state);
        let _ = context.apps.words.try_update(|known| known.remove(&seq));
    });
    let height = move || format!("{}px", state.height.get().unwrap_or(HEIGHT));
    let server = move || app.with(|app| app.as_ref().map(|app| app.server_name.clone()).unwrap_or_default());
    let is_gone = move || state.ended.with(Option::is_some) || failure.with(Option::is_some);
    let is_bordered = move || app.with(|app| app.as_ref().is_none_or(|app| app.is_bordered));
    view! {
        <div class="mcp-app">
            <div class="mcp-app-cover" popover="manual" data-full=move || state.is_full.get().then_some("true") hidden=is_gone>
                <div class="mcp-app-bar">
                    <p>"A page of " <b>{server}</b></p>
                    <button class="button" type="button" on:click=move |_| mcp_app::set_full(state, false)>"Back to the conversation"</button>
                </div>
                <div class="mcp-app-place" node_ref=place style:block-size=height data-bordered=move || is_bordered().then_some("true")></div>
            </div>
            <Show when=is_gone>
                <div class="notice" role="status">
                    <span class="notice-text">
                        {move || failure.get().or_else(|| state.ended.get().map(str::to_owned))}
                    </span>
                    <button class="button" type="button" on:click=move |_| load.with_value(|load| load())>"Show it again"</button>
                </div>
            </Show>
            <Hosts app load=Callback::new(move |()| load.with_value(|load| load()))/>
            <Wish state server=Signal::derive(server) context/>
            <Words state server=Signal::derive(server) seq context/>
        </div>
    }
}

/// What a call was given and brought, whole.
struct Call {
    input: serde_json::Value,
    result: Option<ToolResult>,
}

impl Call {
    /// Gets the rest, where the conversation has only its beginning.
    async fn of(shown: &RenderedItem, context: ConversationContext) -> Self {
        let mut text = shown.text.get_untracked();
        let mut result = shown.body.with_untracked(|body| match body {
            Body::Tool { progress: Progress::Finished { result, .. }, .. } => Some(result.clone()),
            _ => None,
        });
        for seq in &shown.cut {
            let found = entries(context.agent.get_value(), seq - 1).await.unwrap_or_default();
            match found.into_iter().next().map(|entry| entry.body) {
                Some(EntryBody::Block { block: Block::ToolUse(call), .. }) => text = input_text(&call.input),
                Some(EntryBody::ToolFinished { result: whole, .. }) => result = Some(whole),
                _ => {}
            }
        }
        Self { input: serde_json::from_str(&text).unwrap_or_default(), result }
    }
}

/// Which hosts it wants to reach, once for each server.
#[component]
fn Hosts(app: RwSignal<Option<McpApp>>, load: Callback<()>) -> impl IntoView {
    let wanted =
        Memo::new(move |_| app.with(|app| app.as_ref().filter(|app| !app.wanted.is_empty()).cloned()));
    let answer = move |allow: bool| {
        let Some(McpApp { server, wanted, .. }) = wanted.get_untracked() else { return };
        spawn_local(async move {
            // What was not taken is asked again when the page is loaded.
            let _ = answer_app_hosts(server, wanted, allow).await;
            load.run(());
        });
    };
    move || {
        wanted.get().map(|McpApp { server_name, wanted, .. }| {
            let hosts = wanted.into_iter().map(|host| view! { <li><code>{host}</code></li> }).collect_view();
            view! {
                <div class="notice" data-kind="ask" role="group" aria-label="Hosts">
                    <div class="notice-text">
                        <p>"Pages of " <b>{server_name}</b> " want to reach:"</p>
                        <ul class="mcp-app-hosts">{hosts}</ul>
                        <small>"What they show and what you type into them can go there."</small>
                    </div>
                    <div class="actions">
                        <button class="button" type="button" on:click=move |_| answer(false)>"Refuse"</button>
                        <button class="button" data-kind="primary" type="button" on:click=move |_| answer(true)>"Allow"</button>
                    </div>
                </div>
            }
        })
    }
}

/// What it wants now that only the person can say yes to.
#[component]
fn Wish(state: AppState, server: Signal<String>, context: ConversationContext) -> impl IntoView {
    let grant = move |wish: AppWish| {
        match wish {
            AppWish::Link { url } => {
                // Whether it opens is the browser's to say, and seen.
                let _ = window().open_with_url_and_target_and_features(&url, "_blank", "noopener,noreferrer");
            }
            AppWish::Say { text } => {
                let head = format!("A page of my MCP server {} says:", server.get_untracked());
                context.send(format!("{head}\n{}", fenced(&text)), Vec::new());
            }
        }
        mcp_app::answer(state, true);
    };
    let name = context.name.get_value();
    move || {
        state.wish.get().map(|wish| {
            let (what, words, yes) = match &wish {
                AppWish::Link { url } => (" wants to open".to_owned(), url.clone(), "Open"),
                AppWish::Say { text } => (format!(" wants to say to {name}"), text.clone(), "Send"),
            };
            view! {
                <div class="notice" data-kind="ask" role="group" aria-label="A wish of the page">
                    <div class="notice-text">
                        <p>"A page of " <b>{server}</b> {what} ":"</p>
                        <blockquote class="message-quote">{words}</blockquote>
                    </div>
                    <div class="actions">
                        <button class="button" type="button" on:click=move |_| mcp_app::answer(state, false)>"No"</button>
                        <button class="button" data-kind="primary" type="button" on:click=move |_| grant(wish.clone())>{yes}</button>
                    </div>
                </div>
            }
        })
    }
}

/// What goes along with the next message.
#[component]
fn Words(state: AppState, server: Signal<String>, seq: u64, context: ConversationContext) -> impl IntoView {
    let goes_along =
        Memo::new(move |_| context.apps.words.with(|known| known.get(&seq).map(|(_, words)| words.clone())));
    move || {
        goes_along.get().map(|words| {
            view! {
                <details class="mcp-app-words">
                    <summary><Icon name="send" small=true/> "What this page shows goes along with your next message"</summary>
                    <p>"In the words of " {server} ":"</p>
                    <blockquote class="message-quote">{words}</blockquote>
                    <button class="button" type="button" on:click=move |_| state.words.set(String::new())>"Leave it out"</button>
                </details>
            }
        })
    }
}
