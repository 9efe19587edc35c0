//! Writes down what the person says, if the browser can: many send it to a service of their maker's.

use super::perform::Running;
use super::requests::{self, Key, done, fail};
use js_sys::{Array, Function, Reflect};
use leptos::prelude::{set_timeout, window};
use serde_json::json;
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{SpeechRecognition, SpeechRecognitionEvent};

/// Longest that it listens at one request.
const MAX_LISTENING: Duration = Duration::from_secs(60);

pub(super) struct Recognition {
    engine: SpeechRecognition,
    _on_result: Closure<dyn FnMut(SpeechRecognitionEvent)>,
    _on_error: Closure<dyn FnMut(JsValue)>,
    _on_end: Closure<dyn FnMut()>,
}

impl Drop for Recognition {
    fn drop(&mut self) {
        self.engine.set_onresult(None);
        self.engine.set_onerror(None);
        self.engine.set_onend(None);
        self.engine.abort();
    }
}

/// What was understood so far.
#[derive(Default)]
struct Transcription {
    text: String,
    error: Option<String>,
}

pub(super) fn listen(key: Key, lang: Option<&str>, interim: bool) {
    let Some(engine) = engine() else {
        return fail(key, "NotSupportedError", "This browser does not write down what is said.");
    };
    if let Some(lang) = lang {
        engine.set_lang(lang);
    }
    engine.set_interim_results(interim);
    let heard = Rc::new(RefCell::new(Transcription::default()));
    let hearing = Recognition {
        _on_result: when_understood(&engine, key, interim, &heard),
        _on_error: when_failed(&engine, &heard),
        _on_end: when_over(&engine, key, &heard),
        engine: engine.clone(),
    };
    if !requests::run(key, Running::Hearing(hearing)) {
        return;
    }
    if engine.start().is_err() {
        return fail(key, "NotAllowedError", "The browser did not begin to listen.");
    }
    set_timeout(
        move || {
            if requests::is_wanted(key) {
                engine.stop();
            }
        },
        MAX_LISTENING,
    );
}

/// Chromium has it under a name of its own.
fn engine() -> Option<SpeechRecognition> {
    let found = ["SpeechRecognition", "webkitSpeechRecognition"].into_iter().find_map(|name| {
        let maker = Reflect::get(&window(), &name.into()).ok()?;
        maker.dyn_into::<Function>().ok()
    })?;
    Reflect::construct(&found, &Array::new()).ok().map(JsCast::unchecked_into)
}

fn when_understood(
    engine: &SpeechRecognition,
    key: Key,
    interim: bool,
    heard: &Rc<RefCell<Transcription>>,
) -> Closure<dyn FnMut(SpeechRecognitionEvent)> {
    let heard = Rc::clone(heard);
    let on_result =
        Closure::<dyn FnMut(SpeechRecognitionEvent)>::new(move |event: SpeechRecognitionEvent| {
            let Some((text, is_final)) = transcript(&event) else { return };
            if interim {
                requests::event(key, json!({ "transcript": text, "isFinal": is_final }));
            }
            heard.borrow_mut().text = text;
        });
    engine.set_onresult(Some(on_result.as_ref().unchecked_ref()));
    on_result
}

/// All that was understood, and whether the engine is sure of the whole.
fn transcript(event: &SpeechRecognitionEvent) -> Option<(String, bool)> {
    let results = event.results()?;
    let mut text = String::new();
    let mut is_final = true;
    for i in 0..results.length() {
        let result = results.get(i)?;
        is_final &= result.is_final();
        text += &result.get(0)?.transcript();
    }
    Some((text.trim().to_owned(), is_final))
}

fn when_failed(
    engine: &SpeechRecognition,
    heard: &Rc<RefCell<Transcription>>,
) -> Closure<dyn FnMut(JsValue)> {
    let heard = Rc::clone(heard);
    let on_error = Closure::<dyn FnMut(JsValue)>::new(move |event: JsValue| {
        heard.borrow_mut().error =
            Reflect::get(&event, &"error".into()).ok().and_then(|error| error.as_string());
    });
    engine.set_onerror(Some(on_error.as_ref().unchecked_ref()));
    on_error
}

fn when_over(
    engine: &SpeechRecognition,
    key: Key,
    heard: &Rc<RefCell<Transcription>>,
) -> Closure<dyn FnMut()> {
    let heard = Rc::clone(heard);
    let on_end = Closure::<dyn FnMut()>::new(move || {
        let heard = heard.take();
        // Later: what ends then owns the closure that is running now.
        set_timeout(move || conclude(key, heard), Duration::ZERO);
    });
    engine.set_onend(Some(on_end.as_ref().unchecked_ref()));
    on_end
}

fn conclude(key: Key, heard: Transcription) {
    let Transcription { text, error } = heard;
    let (name, message) = match error.as_deref() {
        None if text.is_empty() => ("TimeoutError", "Nothing was heard.".to_owned()),
        None => return done(key, json!(text)),
        Some("no-speech") => ("TimeoutError", "Nothing was heard.".to_owned()),
        Some("aborted") => ("AbortError", "It was stopped.".to_owned()),
        Some("audio-capture") => ("NotFoundError", "There is no microphone.".to_owned()),
        Some(error @ ("not-allowed" | "service-not-allowed")) => {
            ("NotAllowedError", format!("The browser does not allow it: {error}."))
        }
        Some(error) => ("NotSupportedError", format!("The browser's speech service failed: {error}.")),
    };
    fail(key, name, &message);
}
