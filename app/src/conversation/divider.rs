//! Between conversation and skin: dragged, or moved with the arrow keys.

use super::desk::Desk;
use super::storage::{self, Kept};
use leptos::ev::{KeyboardEvent, PointerEvent};
use leptos::html;
use leptos::prelude::*;

const LEAST: f64 = 20.0;
const MOST: f64 = 80.0;
const STEP: f64 = 2.0;

#[component]
pub fn Divider(desk: Desk) -> impl IntoView {
    let line = NodeRef::<html::Div>::new();
    let is_dragging = RwSignal::new(false);
    let press = move |event: KeyboardEvent| {
        let now = desk.split.get_untracked();
        let next = match event.key().as_str() {
            "ArrowLeft" => now - STEP,
            "ArrowRight" => now + STEP,
            "Home" => LEAST,
            "End" => MOST,
            _ => return,
        };
        event.prevent_default();
        set(desk, next);
        keep(desk);
    };
    let drag = move |event: PointerEvent| {
        if is_dragging.get_untracked()
            && let Some(share) = share_at(line, &event)
        {
            set(desk, share);
        }
    };
    let release = move |_: PointerEvent| {
        if is_dragging.get_untracked() {
            is_dragging.set(false);
            let_frames_through(false);
            keep(desk);
        }
    };
    view! {
        <div
            class="divider"
            role="separator"
            aria-orientation="vertical"
            aria-label="Width of the conversation"
            aria-valuenow=move || format!("{:.0}", desk.split.get())
            aria-valuemin=LEAST.to_string()
            aria-valuemax=MOST.to_string()
            tabindex="0"
            data-dragging=move || is_dragging.get().then_some("")
            node_ref=line
            on:keydown=press
            on:pointerdown=move |event| {
                capture(line, &event);
                is_dragging.set(true);
                let_frames_through(true);
            }
            on:pointermove=drag
            on:pointerup=release
            on:pointercancel=release
        ></div>
    }
}

pub fn set(desk: Desk, share: f64) {
    if share.is_finite() {
        desk.split.set(share.clamp(LEAST, MOST));
    }
}

fn keep(desk: Desk) {
    let share = desk.split.get_untracked();
    desk.agent.with_value(|agent| storage::write(Kept::Split, agent, &format!("{share:.1}")));
}

#[cfg(feature = "hydrate")]
fn share_at(line: NodeRef<html::Div>, event: &PointerEvent) -> Option<f64> {
    let page = line.get_untracked()?.parent_element()?.get_bounding_client_rect();
    Some((f64::from(event.client_x()) - page.left()) / page.width() * 100.0)
}

#[cfg(not(feature = "hydrate"))]
fn share_at(_line: NodeRef<html::Div>, _event: &PointerEvent) -> Option<f64> {
    None
}

#[cfg(feature = "hydrate")]
fn capture(line: NodeRef<html::Div>, event: &PointerEvent) {
    event.prevent_default();
    if let Some(line) = line.get_untracked() {
        // A pointer that is gone by now needs no capture.
        let _ = line.set_pointer_capture(event.pointer_id());
    }
}

#[cfg(not(feature = "hydrate"))]
fn capture(_line: NodeRef<html::Div>, _event: &PointerEvent) {}

#[cfg(feature = "hydrate")]
fn let_frames_through(is_dragging: bool) {
    crate::sandbox::set_dragging(is_dragging);
}

#[cfg(not(feature = "hydrate"))]
fn let_frames_through(_is_dragging: bool) {}
