//! The browser's driver of the loop. `driver` holds what it does, without a browser; here is the
//! thin edge to JavaScript. Nothing in this crate has the network.

mod device;
mod driver;

pub use driver::Driver;

use js_sys::Function;
use protocol::frame::FromWorker;
use std::cell::RefCell;
use std::panic;
use wasm_bindgen::prelude::*;

thread_local! {
    static DRIVER: RefCell<Driver> = RefCell::default();
    static POST: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// Keeps `post`, which takes each outgoing message as text, and says that the worker is ready.
#[wasm_bindgen]
pub fn boot(post: Function) {
    POST.set(Some(post));
    panic::set_hook(Box::new(|panic| send(driver::broken(panic.to_string()))));
    send(FromWorker::Ready);
}

/// Takes in a message of the shell's.
#[wasm_bindgen]
pub fn receive(text: &str) {
    DRIVER.with_borrow_mut(|driver| driver.receive(text, &mut send));
}

fn send(message: FromWorker) {
    let text = serde_json::to_string(&message).expect("every message has string keys only");
    POST.with_borrow(|post| {
        let Some(post) = post else {
            return;
        };
        post.call1(&JsValue::NULL, &JsValue::from_str(&text)).expect("a text can always be posted");
    });
}
