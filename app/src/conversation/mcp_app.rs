//! The page of a tool of an MCP server, under the line of its call: sealed, and with what it wants of the person beside
//! it.

mod asks;

use super::api::entries;
use super::context::ConversationContext;
use super::strangers::fenced;
use super::thread::{Body, Key, Progress, input_text};
use super::transcript::RenderedItem;
use crate::browser::mcp_app::{self, AppState};
use crate::mcp_servers::api::{list_mcp_apps, read_mcp_app};
use crate::prelude::*;
use crate::ui::visible;
use asks::{Hosts, Uses, WishOf, Words};
use leptos::html;
use leptos::task::spawn_local;
use leptos::wasm_bindgen::JsCast;
use protocol::AgentId;
use protocol::log::EntryBody;
use protocol::model::{Block, ToolResult};
use protocol::view::McpApp;
use protocol::view::shell::AppStart;
use serde_json::json;
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
    words: RwSignal<BTreeMap<Key, (String, String)>>,
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
    let is_shown = Memo::new(move |was_shown: Option<&bool>| {
        let was_made = body.with(|body| match body {
            Body::Tool { progress: Progress::Running(_), .. } => true,
            Body::Tool { progress: Progress::Finished { result, .. }, .. } => !result.is_error,
            _ => false,
        });
        // What it shows is not taken away because the call came to nothing.
        (was_made || was_shown == Some(&true))
            && apps.tools.with(|tools| tools.as_ref().is_some_and(|tools| tools.contains(&tool)))
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
                        let Call { input, result } = Call::of(&shown, &agent).await;
                        let Some(Some(place)) = place.try_get_untracked() else { return };
                        failure.set(None);
                        app.set(Some(found.clone()));
                        let start = AppStart { agent, tool, app: found, input };
                        mcp_app::show(start, place.unchecked_ref(), state);
                        // It may have ended in the meantime.
                        match result.or_else(|| result_of(&shown)) {
                            Some(result) => mcp_app::finish(state, &result),
                            None if is_dropped(&shown) => mcp_app::cancel(state),
                            None => {}
                        }
                    }
                    Err(error) => {
                        let _ = failure.try_set(Some(error.to_string()));
                    }
                }
            });
        }
    };
    let load = Callback::new(move |()| load());
    Effect::new(move |_| {
        if place.get().is_some() {
            load.run(());
        }
    });
    follow(shown.clone(), agent, state);
    let key = StoredValue::new(shown.key.clone());
    let server = Signal::derive(move || {
        app.with(|app| app.as_ref().map(|app| app.server_name.clone()).unwrap_or_default())
    });
    Effect::new(move |_| {
        let (words, key) = (visible(&state.words.get()), key.get_value());
        let server = server.get_untracked();
        context.apps.words.update(|known| match words.is_empty() {
            true => drop(known.remove(&key)),
            false => drop(known.insert(key, (server, words))),
        });
    });
    // What needs the person stands in the conversation.
    Effect::new(move |_| {
        let wants = |app: &McpApp| !app.wanted.is_empty() || !app.wants_to_use.is_empty();
        let is_asked = app.with(|app| app.as_ref().is_some_and(wants))
            || context.transcript.open.with(|open| !open.is_empty());
        if state.is_full.get() && is_asked {
            mcp_app::leave_full(state);
        }
    });
    let own = shown.key;
    on_cleanup(move || {
        mcp_app::close(state);
        let _ = context.apps.words.try_update(|known| known.remove(&own));
    });
    let height = move || format!("{}px", state.height.get().unwrap_or(HEIGHT));
    let is_gone = move || state.ended.with(Option::is_some) || failure.with(Option::is_some);
    let is_bordered = move || app.with(|app| app.as_ref().is_none_or(|app| app.is_bordered));
    view! {
        <div class="mcp-app">
            <div class="mcp-app-cover" popover="manual" data-full=move || state.is_full.get().then_some("true") hidden=is_gone>
                <div class="mcp-app-bar">
                    <p>"A page of " <b>{server}</b></p>
                    <button class="button" type="button" on:click=move |_| mcp_app::leave_full(state)>"Back to the conversation"</button>
                </div>
                <div class="mcp-app-place" node_ref=place style:block-size=height data-bordered=move || is_bordered().then_some("true")></div>
            </div>
            <Show when=is_gone>
                <Gone load>{move || failure.get().or_else(|| state.ended.get().map(str::to_owned))}</Gone>
            </Show>
            <Show when=move || state.is_refused.get()>
                <Gone load>"You said no three times. What this page wants of you is refused."</Gone>
            </Show>
            <Hosts app load/>
            <Uses app load/>
            <WishOf state server context/>
            <Words state server key context/>
        </div>
    }
}

/// Why it is not as it was, and how it comes anew.
#[component]
fn Gone(load: Callback<()>, children: Children) -> impl IntoView {
    view! {
        <div class="notice" role="status">
            <span class="notice-text">{children()}</span>
            <button class="button" type="button" on:click=move |_| load.run(())>"Show it again"</button>
        </div>
    }
}

/// Tells it what came of a call that goes on, when that is there.
fn follow(shown: RenderedItem, agent: AgentId, state: AppState) {
    let shown = StoredValue::new(shown);
    Effect::new(move |_| {
        let (is_over, is_dropped, is_whole) = shown.with_value(|shown| {
            shown.body.track();
            (result_of(shown).is_some(), is_dropped(shown), shown.cut.is_empty())
        });
        match (is_over, is_whole) {
            (true, true) => {
                let result = shown.with_value(result_of);
                if let Some(result) = result {
                    mcp_app::finish(state, &result);
                }
            }
            (true, false) => {
                let (shown, agent) = (shown.get_value(), agent.clone());
                spawn_local(async move {
                    if let Some(result) = Call::of(&shown, &agent).await.result {
                        mcp_app::finish(state, &result);
                    }
                });
            }
            (false, _) if is_dropped => mcp_app::cancel(state),
            (false, _) => {}
        }
    });
}

fn result_of(shown: &RenderedItem) -> Option<ToolResult> {
    shown.body.with_untracked(|body| match body {
        Body::Tool { progress: Progress::Finished { result, .. }, .. } => Some(result.clone()),
        _ => None,
    })
}

fn is_dropped(shown: &RenderedItem) -> bool {
    shown.body.with_untracked(|body| matches!(body, Body::Tool { progress: Progress::Dropped, .. }))
}

/// What a call was given and brought, whole.
struct Call {
    input: serde_json::Value,
    result: Option<ToolResult>,
}

impl Call {
    /// Gets the rest, where the conversation has only its beginning.
    async fn of(shown: &RenderedItem, agent: &AgentId) -> Self {
        let mut text = shown.text.get_untracked();
        let mut result = result_of(shown);
        for seq in &shown.cut {
            let found = entries(agent.clone(), seq - 1).await.unwrap_or_default();
            match found.into_iter().next().map(|entry| entry.body) {
                Some(EntryBody::Block { block: Block::ToolUse(call), .. }) => text = input_text(&call.input),
                Some(EntryBody::ToolFinished { result: whole, .. }) => result = Some(whole),
                _ => {}
            }
        }
        Self { input: serde_json::from_str(&text).unwrap_or_else(|_| json!({})), result }
    }
}
