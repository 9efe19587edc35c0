//! Opens a camera, a microphone or a screen: the browser asks the person once more, by its own rules.

use super::browser;
use super::pictures;
use super::requests::{Key, fail, is_wanted};
use super::sound;
use js_sys::{JSON, Promise};
use leptos::prelude::window;
use protocol::frame::{Facing, VideoOptions};
use serde_json::{Value, json};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{DisplayMediaStreamConstraints, MediaStream, MediaStreamConstraints, MediaStreamTrack};

#[derive(Clone, Copy)]
pub(super) enum Source {
    Camera(VideoOptions),
    Microphone,
    Screen(VideoOptions),
}

pub(super) async fn open(key: Key, source: Source) {
    let opened = match promise(source) {
        Ok(Some(promise)) => JsFuture::from(promise).await,
        Ok(None) => {
            let why = "The browser gives none of this to a page that is not encrypted.";
            return fail(key, "NotSupportedError", why);
        }
        Err(error) => Err(error),
    };
    let stream: MediaStream = match opened {
        Ok(stream) => stream.unchecked_into(),
        Err(error) => {
            let (name, message) = browser::words(&error);
            return fail(key, &name, &message);
        }
    };
    if !is_wanted(key) {
        return stop(&stream);
    }
    match source {
        Source::Camera(options) | Source::Screen(options) => {
            pictures::begin(key, stream, options.frame_rate).await;
        }
        Source::Microphone => sound::begin(key, stream),
    }
}

/// Lets go of the device.
pub(super) fn stop(stream: &MediaStream) {
    for track in stream.get_tracks() {
        let track: MediaStreamTrack = track.unchecked_into();
        track.set_onended(None);
        track.stop();
    }
}

/// Nothing where the browser has no devices for this page.
fn promise(source: Source) -> Result<Option<Promise>, JsValue> {
    let devices = window().navigator().media_devices()?;
    if devices.is_undefined() {
        return Ok(None);
    }
    let promise = match source {
        Source::Camera(options) => {
            let constraints = MediaStreamConstraints::new();
            constraints.set_video(&constraint(options)?);
            devices.get_user_media_with_constraints(&constraints)?
        }
        Source::Microphone => {
            let constraints = MediaStreamConstraints::new();
            constraints.set_audio(&JsValue::TRUE);
            devices.get_user_media_with_constraints(&constraints)?
        }
        Source::Screen(options) => {
            let constraints = DisplayMediaStreamConstraints::new();
            constraints.set_video(&constraint(options)?);
            devices.get_display_media_with_constraints(&constraints)?
        }
    };
    Ok(Some(promise))
}

/// What the page would like, as wishes that no device has to meet.
fn constraint(options: VideoOptions) -> Result<JsValue, JsValue> {
    let VideoOptions { width, height, frame_rate, facing } = options;
    let facing = facing.map(|facing| match facing {
        Facing::User => "user",
        Facing::Environment => "environment",
    });
    let mut wishes = serde_json::Map::new();
    let numbers = [("width", width), ("height", height), ("frameRate", frame_rate)];
    for (name, number) in numbers {
        if let Some(number) = number {
            wishes.insert(name.to_owned(), json!({ "ideal": number }));
        }
    }
    if let Some(facing) = facing {
        wishes.insert("facingMode".to_owned(), json!({ "ideal": facing }));
    }
    if wishes.is_empty() {
        return Ok(JsValue::TRUE);
    }
    JSON::parse(&Value::Object(wishes).to_string())
}
