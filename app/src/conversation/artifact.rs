//! A piece of interface that the agent shows within the conversation.

use super::desk::Desk;
use super::thread::{Body, Progress};
use super::tool::Tool;
use super::transcript::Shown;
use leptos::html;
use leptos::prelude::*;
use serde::Deserialize;

/// The tool whose calls are shown as what they make.
pub const TOOL: &str = "render_ui";

/// Height of a piece before its content told, in pixels.
const HEIGHT: i64 = 160;

/// The input of such a call.
#[derive(Clone, PartialEq, Deserialize)]
struct Piece {
    html: String,
    #[serde(default)]
    title: String,
    height: Option<i64>,
}

#[component]
pub fn Artifact(shown: Shown, desk: Desk) -> impl IntoView {
    let piece = {
        let (body, text) = (shown.body.clone(), shown.text.clone());
        Memo::new(move |_| {
            let is_shown = body.with(|body| match body {
                Body::Tool { progress: Progress::Finished { result, .. }, .. } => !result.is_error,
                _ => false,
            });
            if is_shown { text.with(|text| serde_json::from_str::<Piece>(text).ok()) } else { None }
        })
    };
    view! {
        <li class="artifact">
            <Tool shown name=TOOL.to_owned()/>
            {move || piece.get().map(|piece| view! { <Framed piece desk/> })}
        </li>
    }
}

/// The frame's place. Without script the line above it has the source.
#[component]
fn Framed(piece: Piece, desk: Desk) -> impl IntoView {
    let place = NodeRef::<html::Div>::new();
    let told = RwSignal::new(None::<i64>);
    let ended = RwSignal::new(None::<&'static str>);
    let is_wanted = RwSignal::new(true);
    let asked = piece.height;
    let height = move || format!("{}px", asked.or_else(|| told.get()).unwrap_or(HEIGHT));
    mount(place, piece, desk, told, ended, is_wanted);
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

#[cfg(feature = "hydrate")]
fn mount(
    place: NodeRef<html::Div>,
    piece: Piece,
    desk: Desk,
    height: RwSignal<Option<i64>>,
    ended: RwSignal<Option<&'static str>>,
    is_wanted: RwSignal<bool>,
) {
    use crate::sandbox::{ShownArtifact, close_artifact, show_artifact};
    use wasm_bindgen::JsCast;

    let frame = RwSignal::new(None);
    Effect::new(move |_| {
        let Some(place) = place.get() else { return };
        if !is_wanted.get() {
            return;
        }
        is_wanted.set(false);
        let title = if piece.title.is_empty() { "Shown by the agent" } else { piece.title.as_str() };
        let shown = ShownArtifact { frame, height, ended };
        show_artifact(desk.agent.get_value(), title, piece.html.clone(), place.unchecked_ref(), shown);
    });
    on_cleanup(move || {
        if let Some(Some(frame)) = frame.try_get_untracked() {
            close_artifact(frame);
        }
    });
}

#[cfg(not(feature = "hydrate"))]
fn mount(
    _place: NodeRef<html::Div>,
    _piece: Piece,
    _desk: Desk,
    _height: RwSignal<Option<i64>>,
    _ended: RwSignal<Option<&'static str>>,
    _is_wanted: RwSignal<bool>,
) {
}
