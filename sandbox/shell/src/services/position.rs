//! Where the person is, once or as they go.

use super::perform::Running;
use super::requests::{self, Key, done, fail};
use crate::mounts::Problem;
use js_sys::Promise;
use language::key;
use leptos::prelude::{set_timeout, window};
use protocol::device::{DeviceLocation, DeviceProblem};
use protocol::frame::PositionOptions as Options;
use serde_json::{Value, json};
use std::time::Duration;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Geolocation, Position, PositionError, PositionOptions};

/// Said where the browser does not say why.
pub(crate) const NOT_FOUND: &str = key!("Where this is could not be found out.");

pub(super) struct Watch {
    geolocation: Geolocation,
    id: i32,
    _on_position: Closure<dyn FnMut(Position)>,
    _on_error: Closure<dyn FnMut(PositionError)>,
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.geolocation.clear_watch(self.id);
    }
}

pub(super) async fn tell(key: Key, options: Options) {
    let Some(geolocation) = geolocation() else { return unsupported(key) };
    match once(&geolocation, options).await {
        Ok(position) => done(key, value_of(&position)),
        Err(error) => {
            let (name, message) = words(&error);
            fail(key, name, &message);
        }
    }
}

/// For the hub, which has asked the person.
pub(crate) async fn find(options: Options) -> Result<DeviceLocation, Problem> {
    let geolocation = geolocation().ok_or(Problem::of(DeviceProblem::Unsupported))?;
    let position = once(&geolocation, options).await.map_err(|error| {
        let (name, message) = words(&error);
        let is_no = name == "NotAllowedError";
        Problem { why: if is_no { DeviceProblem::NotAllowed } else { DeviceProblem::Other }, message }
    })?;
    let coords = position.coords();
    Ok(DeviceLocation {
        latitude: coords.latitude(),
        longitude: coords.longitude(),
        accuracy: coords.accuracy(),
        altitude: coords.altitude(),
        heading: coords.heading().filter(|heading| heading.is_finite()),
        speed: coords.speed(),
        at: position.timestamp() as i64,
    })
}

async fn once(geolocation: &Geolocation, options: Options) -> Result<Position, PositionError> {
    let options = browser_options(options);
    let promise = Promise::new(&mut |resolve, reject| {
        let asked = geolocation.get_current_position_with_error_callback_and_options(
            &resolve,
            Some(&reject),
            &options,
        );
        if let Err(error) = asked {
            // An answer that cannot be given has nobody to hear of it.
            let _ = reject.call1(&JsValue::NULL, &error);
        }
    });
    match JsFuture::from(promise).await {
        Ok(position) => Ok(position.unchecked_into()),
        Err(error) => Err(error.unchecked_into()),
    }
}

pub(super) fn watch(key: Key, options: Options) {
    let Some(geolocation) = geolocation() else { return unsupported(key) };
    let on_position = Closure::<dyn FnMut(Position)>::new(move |position| {
        requests::event(key, value_of(&position));
    });
    let on_error = Closure::<dyn FnMut(PositionError)>::new(move |error| {
        let (name, message) = words(&error);
        if name == "NotAllowedError" {
            // Later: what ends then owns the closure that is running now.
            set_timeout(move || fail(key, name, &message), Duration::ZERO);
        } else {
            requests::event(key, json!({ "failed": name, "message": message }));
        }
    });
    let begun = geolocation.watch_position_with_error_callback_and_options(
        on_position.as_ref().unchecked_ref(),
        Some(on_error.as_ref().unchecked_ref()),
        &browser_options(options),
    );
    match begun {
        Ok(id) => {
            let watch = Watch { geolocation, id, _on_position: on_position, _on_error: on_error };
            requests::run(key, Running::Watch(watch));
        }
        Err(_) => unsupported(key),
    }
}

fn geolocation() -> Option<Geolocation> {
    window().navigator().geolocation().ok().filter(|found| !found.is_undefined())
}

fn unsupported(key: Key) {
    fail(key, "NotSupportedError", "This browser does not tell where it is.");
}

fn browser_options(options: Options) -> PositionOptions {
    let Options { high_accuracy, timeout_ms, maximum_age_ms } = options;
    let given = PositionOptions::new();
    given.set_enable_high_accuracy(high_accuracy);
    if let Some(timeout_ms) = timeout_ms {
        given.set_timeout(timeout_ms);
    }
    if let Some(maximum_age_ms) = maximum_age_ms {
        given.set_maximum_age(maximum_age_ms);
    }
    given
}

fn value_of(position: &Position) -> Value {
    let coords = position.coords();
    json!({
        "coords": {
            "latitude": coords.latitude(),
            "longitude": coords.longitude(),
            "accuracy": coords.accuracy(),
            "altitude": coords.altitude(),
            "altitudeAccuracy": coords.altitude_accuracy(),
            "heading": coords.heading(),
            "speed": coords.speed(),
        },
        "timestamp": position.timestamp(),
    })
}

fn words(error: &PositionError) -> (&'static str, String) {
    let name = match error.code() {
        PositionError::PERMISSION_DENIED => "NotAllowedError",
        PositionError::TIMEOUT => "TimeoutError",
        _ => "NotFoundError",
    };
    let message = error.message();
    let message = if message.is_empty() { NOT_FOUND.to_owned() } else { message };
    (name, message)
}
