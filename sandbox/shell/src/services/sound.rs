//! Sound of a microphone for the page, in stretches of samples. What the page does not keep up with
//! is left out.

use super::browser;
use super::capture;
use super::perform::Running;
use super::pictures::when_ended;
use super::requests::{self, Key, fail};
use crate::frames;
use js_sys::{Array, Float32Array, Object, Reflect};
use leptos::ev;
use leptos::prelude::*;
use serde_json::json;
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{AudioContext, AudioContextState, AudioProcessingEvent, MediaStream, ScriptProcessorNode};

/// Samples in one stretch.
const STRETCH: u32 = 2048;
/// Stretches that may be on their way.
const ON_THE_WAY: u32 = 16;

pub(super) struct Sound {
    stream: MediaStream,
    context: AudioContext,
    node: ScriptProcessorNode,
    on_the_way: Rc<Cell<u32>>,
    on_press: Option<WindowListenerHandle>,
    _on_samples: Closure<dyn FnMut(AudioProcessingEvent)>,
    _on_ended: Closure<dyn FnMut()>,
}

/// Feeds the page from this stream until the request ends, or the device does.
pub(super) fn begin(key: Key, stream: MediaStream) {
    match Sound::new(key, &stream) {
        Ok(sound) => {
            let rate = f64::from(sound.context.sample_rate());
            if requests::run(key, Running::Sound(sound)) {
                requests::event(key, json!({ "rate": rate }));
            }
        }
        Err(error) => {
            capture::stop(&stream);
            let (name, message) = browser::words(&error);
            fail(key, &name, &message);
        }
    }
}

impl Sound {
    fn new(key: Key, stream: &MediaStream) -> Result<Self, JsValue> {
        let context = AudioContext::new()?;
        let source = context.create_media_stream_source(stream)?;
        let node = context
            .create_script_processor_with_buffer_size_and_number_of_input_channels_and_number_of_output_channels(
                STRETCH, 1, 1,
            )?;
        source.connect_with_audio_node(&node)?;
        // A node that leads nowhere is not run. Nothing is written to its output: it is silent.
        node.connect_with_audio_node(&context.destination())?;
        let on_the_way = Rc::new(Cell::new(0));
        let sent = Rc::clone(&on_the_way);
        let on_samples =
            Closure::<dyn FnMut(AudioProcessingEvent)>::new(move |event: AudioProcessingEvent| {
                if sent.get() < ON_THE_WAY && post(key, &event).is_some() {
                    sent.set(sent.get() + 1);
                }
            });
        node.set_onaudioprocess(Some(on_samples.as_ref().unchecked_ref()));
        Ok(Self {
            on_press: resume_on_press(&context),
            _on_ended: when_ended(stream, key),
            stream: stream.clone(),
            context,
            node,
            on_the_way,
            _on_samples: on_samples,
        })
    }

    /// The page has taken in one stretch.
    pub(super) fn taken(&self) {
        self.on_the_way.set(self.on_the_way.get().saturating_sub(1));
    }
}

/// A browser may hold sound back until the person does something in this page.
fn resume_on_press(context: &AudioContext) -> Option<WindowListenerHandle> {
    let context = context.clone();
    (context.state() == AudioContextState::Suspended).then(|| {
        window_event_listener(ev::pointerdown, move |_| {
            // It resumes, or a later press does it.
            let _ = context.resume();
        })
    })
}

fn post(key: Key, event: &AudioProcessingEvent) -> Option<()> {
    let buffer = event.input_buffer().ok()?;
    let samples = Float32Array::from(buffer.get_channel_data(0).ok()?.as_slice());
    let message = Object::new();
    Reflect::set(&message, &"media".into(), &(key.id as f64).into()).ok()?;
    Reflect::set(&message, &"samples".into(), &samples).ok()?;
    Reflect::set(&message, &"rate".into(), &buffer.sample_rate().into()).ok()?;
    frames::post_value(key.frame, &message, &Array::of1(&samples.buffer())).then_some(())
}

impl Drop for Sound {
    fn drop(&mut self) {
        self.node.set_onaudioprocess(None);
        capture::stop(&self.stream);
        if let Some(listener) = self.on_press.take() {
            listener.remove();
        }
        // It is closed, or was already.
        let _ = self.context.close();
    }
}
