//! Between conversation and skin: dragged, or moved with the arrow keys.

use super::context::ConversationContext;
use super::storage::{self, StorageKey};
use crate::browser::{screen, set_dragging};
use crate::prelude::*;
use leptos::ev::{KeyboardEvent, PointerEvent};
use leptos::html;

const MIN_PERCENT: f64 = 20.0;
const MAX_PERCENT: f64 = 80.0;
const STEP: f64 = 2.0;

#[component]
pub fn Divider(context: ConversationContext) -> impl IntoView {
    let line = NodeRef::<html::Div>::new();
    let is_dragging = RwSignal::new(false);
    let press = move |event: KeyboardEvent| {
        let now = context.split.get_untracked();
        let next = match event.key().as_str() {
            "ArrowLeft" => now - STEP,
            "ArrowRight" => now + STEP,
            "Home" => MIN_PERCENT,
            "End" => MAX_PERCENT,
            _ => return,
        };
        event.prevent_default();
        set(context, next);
        keep(context);
    };
    let drag = move |event: PointerEvent| {
        if is_dragging.get_untracked()
            && let Some(share) = share_at(line, &event)
        {
            set(context, share);
        }
    };
    let release = move |_: PointerEvent| {
        if is_dragging.get_untracked() {
            is_dragging.set(false);
            set_dragging(false);
            keep(context);
        }
    };
    view! {
        <div
            class="divider"
            role="separator"
            aria-orientation="vertical"
            aria-label="Width of the conversation"
            aria-valuenow=move || format!("{:.0}", context.split.get())
            aria-valuemin=MIN_PERCENT.to_string()
            aria-valuemax=MAX_PERCENT.to_string()
            tabindex="0"
            data-dragging=move || is_dragging.get().then_some("")
            node_ref=line
            on:keydown=press
            on:pointerdown=move |event| {
                capture(line, &event);
                is_dragging.set(true);
                set_dragging(true);
            }
            on:pointermove=drag
            on:pointerup=release
            on:pointercancel=release
        ></div>
    }
}

pub fn set(context: ConversationContext, share: f64) {
    if share.is_finite() {
        context.split.set(share.clamp(MIN_PERCENT, MAX_PERCENT));
    }
}

fn keep(context: ConversationContext) {
    let share = context.split.get_untracked();
    context.agent.with_value(|agent| storage::write(StorageKey::Split, agent, &format!("{share:.1}")));
}

fn share_at(line: NodeRef<html::Div>, event: &PointerEvent) -> Option<f64> {
    screen::share_at(&line.get_untracked()?.into(), event)
}

fn capture(line: NodeRef<html::Div>, event: &PointerEvent) {
    event.prevent_default();
    if let Some(line) = line.get_untracked() {
        // A pointer that is gone by now needs no capture.
        let _ = line.set_pointer_capture(event.pointer_id());
    }
}
