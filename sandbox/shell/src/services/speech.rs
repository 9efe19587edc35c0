//! Says a page's words aloud. The browser says one after the other; stopping stops them all.

use super::perform::Running;
use super::requests::{self, Key, done, fail};
use js_sys::{Array, Promise, Reflect};
use leptos::prelude::{set_timeout, window};
use protocol::frame::Speech;
use serde_json::{Value, json};
use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{SpeechSynthesis, SpeechSynthesisUtterance, SpeechSynthesisVoice};

/// A browser finds its voices some time after it was asked for them first.
const ATTEMPTS: u32 = 5;
const PAUSE_MS: i32 = 200;

pub(super) struct Utterance {
    engine: SpeechSynthesis,
    utterance: SpeechSynthesisUtterance,
    is_over: Rc<Cell<bool>>,
    _on_end: Closure<dyn FnMut(JsValue)>,
}

impl Drop for Utterance {
    fn drop(&mut self) {
        self.utterance.set_onend(None);
        self.utterance.set_onerror(None);
        if !self.is_over.get() {
            self.engine.cancel();
        }
    }
}

pub(super) async fn speak(key: Key, speech: Speech) {
    let Some(engine) = engine() else { return unsupported(key) };
    let voices = wait_for_voices(&engine).await;
    if voices.is_empty() {
        return unsupported(key);
    }
    if !requests::is_wanted(key) {
        return;
    }
    let Ok(utterance) = SpeechSynthesisUtterance::new_with_text(&speech.text) else {
        return unsupported(key);
    };
    set_up(&utterance, &speech, &voices);
    let is_over = Rc::new(Cell::new(false));
    let on_end = {
        let is_over = Rc::clone(&is_over);
        Closure::<dyn FnMut(JsValue)>::new(move |event: JsValue| {
            is_over.set(true);
            let error = Reflect::get(&event, &"error".into()).ok().and_then(|error| error.as_string());
            // Later: what ends then owns the closure that is running now.
            set_timeout(move || conclude(key, error.as_deref()), Duration::ZERO);
        })
    };
    utterance.set_onend(Some(on_end.as_ref().unchecked_ref()));
    utterance.set_onerror(Some(on_end.as_ref().unchecked_ref()));
    let held = Utterance { engine: engine.clone(), utterance: utterance.clone(), is_over, _on_end: on_end };
    if requests::run(key, Running::Utterance(held)) {
        engine.speak(&utterance);
    }
}

pub(super) async fn voices(key: Key) {
    let Some(engine) = engine() else { return unsupported(key) };
    let voices = wait_for_voices(&engine).await;
    let told: Vec<Value> = voices
        .iter()
        .map(|voice| json!({ "name": voice.name(), "lang": voice.lang(), "default": voice.default() }))
        .collect();
    done(key, Value::Array(told));
}

fn engine() -> Option<SpeechSynthesis> {
    window().speech_synthesis().ok().filter(|found| !found.is_undefined())
}

fn unsupported(key: Key) {
    fail(key, "NotSupportedError", "This browser has no voice.");
}

async fn wait_for_voices(engine: &SpeechSynthesis) -> Vec<SpeechSynthesisVoice> {
    for attempt in 1.. {
        let voices = voices_of(&engine.get_voices());
        if !voices.is_empty() || attempt == ATTEMPTS {
            return voices;
        }
        pause().await;
    }
    Vec::new()
}

fn voices_of(voices: &Array) -> Vec<SpeechSynthesisVoice> {
    voices.iter().map(JsCast::unchecked_into).collect()
}

async fn pause() {
    let timer = Promise::new(&mut |resolve, _| {
        let set = window().set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, PAUSE_MS);
        if set.is_err() {
            // Without a timer there is no pause.
            let _ = resolve.call0(&JsValue::NULL);
        }
    });
    // It is never rejected.
    let _ = JsFuture::from(timer).await;
}

fn set_up(utterance: &SpeechSynthesisUtterance, speech: &Speech, voices: &[SpeechSynthesisVoice]) {
    if let Some(lang) = &speech.lang {
        utterance.set_lang(lang);
    }
    let named = speech.voice.as_ref().and_then(|name| voices.iter().find(|voice| voice.name() == *name));
    if let Some(voice) = named {
        utterance.set_voice(Some(voice));
    }
    if let Some(rate) = speech.rate {
        utterance.set_rate(rate);
    }
    if let Some(pitch) = speech.pitch {
        utterance.set_pitch(pitch);
    }
    if let Some(volume) = speech.volume {
        utterance.set_volume(volume);
    }
}

/// `error` is the engine's word for what went wrong, if anything did.
fn conclude(key: Key, error: Option<&str>) {
    match error {
        None => done(key, Value::Null),
        Some("canceled" | "interrupted") => fail(key, "AbortError", "It was stopped."),
        Some("not-allowed") => {
            fail(key, "NotAllowedError", "The browser speaks only after the person has pressed something.");
        }
        Some(error) => fail(key, "NotSupportedError", &format!("The browser could not say it: {error}.")),
    }
}
