//! Pictures of a camera or a screen for the page: one at a time, the next when the last was taken in.

use super::browser;
use super::capture;
use super::perform::Running;
use super::requests::{self, Key, fail};
use crate::frames;
use js_sys::{Array, Date, Object, Reflect};
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::{Value, json};
use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{HtmlVideoElement, ImageBitmapOptions, MediaStream, MediaStreamTrack};

/// Pictures in a second, at most.
const RATE: u32 = 30;
/// Widest picture; a screen may be wider.
const WIDTH: u32 = 1920;
/// How long to wait for a picture that was not there.
const AGAIN: Duration = Duration::from_millis(200);

pub(super) struct Pictures {
    feed: Rc<Feed>,
    _on_ended: Closure<dyn FnMut()>,
}

struct Feed {
    key: Key,
    stream: MediaStream,
    video: HtmlVideoElement,
    interval_ms: f64,
    sent_at: Cell<f64>,
    /// The page has one that it has not taken in.
    is_owed: Cell<bool>,
}

/// Feeds the page from this stream until the request ends, or the device does.
pub(super) async fn begin(key: Key, stream: MediaStream, rate: Option<u32>) {
    let video = match play(&stream).await {
        Ok(video) => video,
        Err(error) => {
            capture::stop(&stream);
            let (name, message) = browser::words(&error);
            return fail(key, &name, &message);
        }
    };
    let size = json!({ "width": video.video_width(), "height": video.video_height() });
    let interval_ms = 1000.0 / f64::from(rate.unwrap_or(RATE).clamp(1, RATE));
    let feed =
        Rc::new(Feed { key, stream, video, interval_ms, sent_at: Cell::new(0.0), is_owed: Cell::new(false) });
    let on_ended = when_ended(&feed.stream, key);
    let pictures = Pictures { feed: Rc::clone(&feed), _on_ended: on_ended };
    if requests::run(key, Running::Pictures(pictures)) {
        requests::event(key, size);
        spawn_local(send(feed));
    }
}

/// Ends the request when its device is gone, or the person ends it with the browser's own button.
pub(super) fn when_ended(stream: &MediaStream, key: Key) -> Closure<dyn FnMut()> {
    // Later: what ends then owns the closure that is running now.
    let on_ended = Closure::<dyn FnMut()>::new(move || {
        set_timeout(move || requests::done(key, Value::Null), Duration::ZERO);
    });
    for track in stream.get_tracks() {
        track.unchecked_into::<MediaStreamTrack>().set_onended(Some(on_ended.as_ref().unchecked_ref()));
    }
    on_ended
}

async fn play(stream: &MediaStream) -> Result<HtmlVideoElement, JsValue> {
    let video: HtmlVideoElement = document().create_element("video")?.unchecked_into();
    video.set_muted(true);
    video.set_attribute("playsinline", "")?;
    video.set_src_object(Some(stream));
    JsFuture::from(video.play()?).await?;
    Ok(video)
}

async fn send(feed: Rc<Feed>) {
    if !requests::is_wanted(feed.key) {
        return;
    }
    let sent = match picture(&feed.video).await {
        Ok(bitmap) => {
            feed.is_owed.set(true);
            feed.sent_at.set(Date::now());
            post(feed.key, &bitmap).is_some()
        }
        Err(_) => false,
    };
    if !sent {
        feed.is_owed.set(false);
        set_timeout(move || spawn_local(send(feed)), AGAIN);
    }
}

async fn picture(video: &HtmlVideoElement) -> Result<JsValue, JsValue> {
    let options = ImageBitmapOptions::new();
    if video.video_width() > WIDTH {
        options.set_resize_width(WIDTH);
    }
    let made =
        window().create_image_bitmap_with_html_video_element_and_image_bitmap_options(video, &options)?;
    JsFuture::from(made).await
}

fn post(key: Key, bitmap: &JsValue) -> Option<()> {
    let message = Object::new();
    Reflect::set(&message, &"media".into(), &(key.id as f64).into()).ok()?;
    Reflect::set(&message, &"bitmap".into(), bitmap).ok()?;
    frames::post_value(key.frame, &message, &Array::of1(bitmap)).then_some(())
}

impl Pictures {
    /// The page can take another.
    pub(super) fn taken(&self) {
        if !self.feed.is_owed.replace(false) {
            return;
        }
        let feed = Rc::clone(&self.feed);
        let wait_ms = (feed.sent_at.get() + feed.interval_ms - Date::now()).max(0.0);
        set_timeout(move || spawn_local(send(feed)), Duration::from_millis(wait_ms as u64));
    }
}

impl Drop for Pictures {
    fn drop(&mut self) {
        capture::stop(&self.feed.stream);
        self.feed.video.set_src_object(None);
    }
}
