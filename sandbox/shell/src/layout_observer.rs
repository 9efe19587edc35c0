//! Keeps a frame over its place in the page, wherever that is.

use super::frames::{self, FrameId};
use leptos::ev;
use leptos::prelude::*;
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::{HtmlElement, ResizeObserver};

/// Follows a place until it is dropped.
pub struct LayoutObserver {
    element: HtmlElement,
    frame: Rc<Cell<Option<FrameId>>>,
    is_away: Rc<Cell<bool>>,
    observer: ResizeObserver,
    on_window_resize: Option<WindowListenerHandle>,
    _on_resize: Closure<dyn FnMut()>,
}

impl LayoutObserver {
    pub fn new(element: HtmlElement) -> Option<Self> {
        let frame = Rc::new(Cell::new(None));
        let is_away = Rc::new(Cell::new(true));
        let follow = {
            let (element, frame, is_away) = (element.clone(), Rc::clone(&frame), Rc::clone(&is_away));
            move || lay(&element, frame.get(), is_away.get())
        };
        let on_resize = Closure::<dyn FnMut()>::new(follow.clone());
        let observer = ResizeObserver::new(on_resize.as_ref().unchecked_ref()).ok()?;
        observer.observe(&element);
        // The place can move without another size, when something above it changes.
        if let Some(body) = document().body() {
            observer.observe(&body);
        }
        let on_window_resize = Some(window_event_listener(ev::resize, move |_| follow()));
        Some(Self { element, frame, is_away, observer, on_window_resize, _on_resize: on_resize })
    }

    /// Lays this frame over the place from now on.
    pub fn set_frame(&self, frame: Option<FrameId>) {
        self.frame.set(frame);
        lay(&self.element, frame, self.is_away.get());
    }

    /// Hides the frame, which goes on with its size, or shows it again.
    pub fn set_away(&self, is_away: bool) {
        self.is_away.set(is_away);
        lay(&self.element, self.frame.get(), is_away);
    }
}

impl Drop for LayoutObserver {
    fn drop(&mut self) {
        self.observer.disconnect();
        if let Some(listener) = self.on_window_resize.take() {
            listener.remove();
        }
    }
}

fn lay(place: &HtmlElement, frame: Option<FrameId>, is_away: bool) {
    let Some(frame) = frame.and_then(frames::element) else { return };
    let rect = place.get_bounding_client_rect();
    let is_round = place.closest("[data-view=min]").is_ok_and(|found| found.is_some());
    let style = HtmlElement::style(&frame);
    let lengths =
        [("--top", rect.top()), ("--left", rect.left()), ("--wide", rect.width()), ("--high", rect.height())];
    // None of these names and values can be refused.
    for (name, length) in lengths {
        let _ = style.set_property(name, &format!("{length}px"));
    }
    let _ = frame.toggle_attribute_with_force("data-away", is_away || rect.width() == 0.0);
    let _ = frame.toggle_attribute_with_force("data-round", is_round);
}
