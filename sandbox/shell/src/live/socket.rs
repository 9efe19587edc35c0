//! One WebSocket. Dropping it closes it, and nothing more is heard of it.

use protocol::hub::{ClientFrame, HubFrame};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::{CloseEvent, MessageEvent, WebSocket};

/// The close code of a hub that was told too much at once.
const TRY_AGAIN_LATER: u16 = 1013;

pub struct Socket {
    inner: WebSocket,
    _on_open: Closure<dyn FnMut()>,
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_close: Closure<dyn FnMut(CloseEvent)>,
}

/// What a socket tells of itself.
pub enum SocketEvent {
    Opened,
    Frame(Box<HubFrame>),
    Closed,
    /// The hub closed it, because more was said than it takes.
    HeldBack,
}

impl Socket {
    pub fn open(tell: impl Fn(SocketEvent) + Clone + 'static) -> Option<Self> {
        let inner = WebSocket::new(&address()?).ok()?;
        let on_open = {
            let tell = tell.clone();
            Closure::<dyn FnMut()>::new(move || tell(SocketEvent::Opened))
        };
        let on_message = {
            let tell = tell.clone();
            Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
                let Some(text) = event.data().as_string() else { return };
                match serde_json::from_str(&text) {
                    Ok(frame) => tell(SocketEvent::Frame(frame)),
                    Err(error) => {
                        leptos::logging::error!("The hub sent a frame that this page does not know: {error}")
                    }
                }
            })
        };
        let on_close = Closure::<dyn FnMut(CloseEvent)>::new(move |event: CloseEvent| {
            tell(if event.code() == TRY_AGAIN_LATER { SocketEvent::HeldBack } else { SocketEvent::Closed });
        });
        inner.set_onopen(Some(on_open.as_ref().unchecked_ref()));
        inner.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        inner.set_onclose(Some(on_close.as_ref().unchecked_ref()));
        Some(Self { inner, _on_open: on_open, _on_message: on_message, _on_close: on_close })
    }

    pub fn is_open(&self) -> bool {
        self.inner.ready_state() == WebSocket::OPEN
    }

    /// Whether the frame is on its way.
    pub fn send(&self, frame: &ClientFrame) -> bool {
        let Ok(text) = serde_json::to_string(frame) else { return false };
        self.is_open() && self.inner.send_with_str(&text).is_ok()
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        self.inner.set_onopen(None);
        self.inner.set_onmessage(None);
        self.inner.set_onclose(None);
        // Closing a socket that is closed already changes nothing.
        let _ = self.inner.close();
    }
}

fn address() -> Option<String> {
    let location = web_sys::window()?.location();
    let scheme = if location.protocol().ok()? == "https:" { "wss" } else { "ws" };
    Some(format!("{scheme}://{}/live", location.host().ok()?))
}
