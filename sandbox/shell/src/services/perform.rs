//! Each kind of request, once nothing stands in its way any more.

use super::capture::{self, Source};
use super::pictures::Pictures;
use super::position::Watch;
use super::recognition::Recognition;
use super::requests::{self, Key, done, fail};
use super::sound::Sound;
use super::speech::Utterance;
use super::{browser, link, notice, position, recognition, speech};
use leptos::task::spawn_local;
use protocol::Permission;
use protocol::frame::Want;
use serde_json::{Value, json};

/// What a request has in use. Dropped, it lets go of it.
pub(super) enum Running {
    Pictures(Pictures),
    Sound(Sound),
    Watch(#[expect(dead_code, reason = "held until it is dropped")] Watch),
    Utterance(#[expect(dead_code, reason = "held until it is dropped")] Utterance),
    Hearing(#[expect(dead_code, reason = "held until it is dropped")] Recognition),
}

impl Running {
    /// The page has taken in what was sent last.
    pub(super) fn taken(&self) {
        match self {
            Self::Pictures(pictures) => pictures.taken(),
            Self::Sound(sound) => sound.taken(),
            Self::Watch(_) | Self::Utterance(_) | Self::Hearing(_) => {}
        }
    }
}

pub(super) fn start(key: Key, want: Want) {
    match want {
        Want::NotifyUser { title, text } => {
            if requests::allows(Permission::Notifications) {
                notice::show_outside(title.as_deref(), &text);
            }
            notice::show(title, text);
            done(key, Value::Null);
        }
        Want::ViewState { view } => {
            if let Some(views) = requests::views() {
                (views.show)(view);
            }
            done(key, json!("changed"));
        }
        Want::OpenLink { url } => {
            if link::open(&url) {
                done(key, Value::Null);
            } else {
                fail(key, "NotAllowedError", "The browser did not open it.");
            }
        }
        Want::Permission { name } => spawn_local(async move {
            let answer = if browser::refuses(name).await { "denied" } else { "granted" };
            done(key, json!(answer));
        }),
        Want::Position { options } => spawn_local(position::tell(key, options)),
        Want::WatchPosition { options } => position::watch(key, options),
        Want::Speak { speech } => spawn_local(speech::speak(key, speech)),
        Want::Voices => spawn_local(speech::voices(key)),
        Want::Listen { lang, interim } => recognition::listen(key, lang.as_deref(), interim),
        Want::Camera { options } => spawn_local(capture::open(key, Source::Camera(options))),
        Want::Microphone => spawn_local(capture::open(key, Source::Microphone)),
        Want::Screen { options } => spawn_local(capture::open(key, Source::Screen(options))),
    }
}
