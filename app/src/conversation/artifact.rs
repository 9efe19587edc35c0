//! A piece of interface that the agent shows within the conversation.

use super::api::entries;
use super::context::ConversationContext;
use super::thread::{Body, Progress, input_text};
use super::tool::Tool;
use super::transcript::RenderedItem;
use crate::browser::artifact;
use crate::prelude::*;
use leptos::html;
use leptos::task::spawn_local;
use leptos::wasm_bindgen::JsCast;
use protocol::log::EntryBody;
use protocol::model::Block;
use serde::Deserialize;

/// The tool whose calls are shown as what they make.
pub const TOOL: &str = "render_ui";

/// Height of a piece before its content told, in pixels.
const HEIGHT: i64 = 160;

/// The input of such a call.
#[derive(Clone, PartialEq, Deserialize)]
struct ArtifactInput {
    html: String,
    #[serde(default)]
    title: String,
    height: Option<i64>,
}

#[component]
pub fn Artifact(shown: RenderedItem, context: ConversationContext) -> impl IntoView {
    let is_whole = RwSignal::new(shown.cut.is_empty());
    complete(&shown, context, is_whole);
    let piece = {
        let (body, text) = (shown.body.clone(), shown.text.clone());
        Memo::new(move |_| {
            let is_shown = body.with(|body| match body {
                Body::Tool { progress: Progress::Finished { result, .. }, .. } => !result.is_error,
                _ => false,
            });
            if is_shown && is_whole.get() {
                text.with(|text| serde_json::from_str::<ArtifactInput>(text).ok())
            } else {
                None
            }
        })
    };
    view! {
        <li class="artifact">
            <Tool shown name=TOOL.to_owned() context/>
            {move || piece.get().map(|piece| view! { <Framed piece context/> })}
        </li>
    }
}

/// Gets the whole piece, where the page has only its beginning.
fn complete(shown: &RenderedItem, context: ConversationContext, is_whole: RwSignal<bool>) {
    let (cut, text) = (shown.cut.clone(), shown.text.clone());
    Effect::new(move |_| {
        let Some(seq) = cut.first().copied() else { return };
        let (agent, text) = (context.agent.get_value(), text.clone());
        spawn_local(async move {
            let found = entries(agent, seq - 1).await.unwrap_or_default().into_iter().next();
            if let Some(EntryBody::Block { block: Block::ToolUse(call), .. }) = found.map(|entry| entry.body)
            {
                text.set(input_text(&call.input));
                is_whole.set(true);
            }
        });
    });
}

/// The frame's place. Without script the line above it has the source.
#[component]
fn Framed(piece: ArtifactInput, context: ConversationContext) -> impl IntoView {
    let place = NodeRef::<html::Div>::new();
    let told = RwSignal::new(None::<i64>);
    let ended = RwSignal::new(None::<&'static str>);
    let is_wanted = RwSignal::new(true);
    let asked = piece.height;
    let height = move || format!("{}px", asked.or_else(|| told.get()).unwrap_or(HEIGHT));
    mount(place, piece, context, told, ended, is_wanted);
    view! {
        <div class="artifact-place" node_ref=place style:block-size=height hidden=move || ended.get().is_some()></div>
        <Show when=move || ended.get().is_some()>
            <p class="notice" role="status">
                <span class="notice-text">{move || ended.get()}</span>
                <button class="button" type="button" on:click=move |_| is_wanted.set(true)>"Show it again"</button>
            </p>
        </Show>
    }
}

fn mount(
    place: NodeRef<html::Div>,
    piece: ArtifactInput,
    context: ConversationContext,
    height: RwSignal<Option<i64>>,
    ended: RwSignal<Option<&'static str>>,
    is_wanted: RwSignal<bool>,
) {
    let frame = artifact::ArtifactState::new(height, ended);
    Effect::new(move |_| {
        let Some(place) = place.get() else { return };
        if !is_wanted.get() {
            return;
        }
        is_wanted.set(false);
        let title = if piece.title.is_empty() { t("Shown by the agent") } else { piece.title.as_str() };
        artifact::show(context.agent.get_value(), title, piece.html.clone(), place.unchecked_ref(), frame);
    });
    on_cleanup(move || artifact::close(frame));
}
