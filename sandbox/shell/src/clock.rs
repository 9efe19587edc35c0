//! The browser's clock.

use js_sys::Intl::DateTimeFormat;
use js_sys::{Array, Date, Object, Reflect};
use wasm_bindgen::JsValue;

/// In Unix milliseconds.
pub fn now() -> f64 {
    Date::now()
}

/// A point in time, in Unix milliseconds, as this device tells the time.
pub fn format_time(at: i64) -> String {
    let options = Object::new();
    for (part, how) in [
        ("weekday", "short"),
        ("day", "numeric"),
        ("month", "short"),
        ("hour", "2-digit"),
        ("minute", "2-digit"),
    ] {
        // A plain object takes any name.
        let _ = Reflect::set(&options, &JsValue::from_str(part), &JsValue::from_str(how));
    }
    let date = Date::new(&JsValue::from_f64(at as f64));
    String::from(date.to_locale_string("en-GB", &options))
}

/// The name of its time zone.
pub fn zone() -> Option<String> {
    let format = DateTimeFormat::new(&Array::new(), &Object::new());
    let name = Reflect::get(&format.resolved_options(), &JsValue::from_str("timeZone"));
    name.ok().and_then(|name| name.as_string())
}
