//! The browser's clock.

use js_sys::Intl::DateTimeFormat;
use js_sys::{Array, Date, Object, Reflect};
use leptos::prelude::document;
use wasm_bindgen::JsValue;

/// In Unix milliseconds.
pub fn now() -> f64 {
    Date::now()
}

/// A point in time that is near, in Unix milliseconds, as this device tells the time: without its year.
pub fn format_time(at: i64) -> String {
    formatted(at, &[("weekday", "short"), ("day", "numeric"), ("month", "short")])
}

/// A point in time, in Unix milliseconds, as this device tells the time.
pub fn format_date(at: i64) -> String {
    formatted(at, &DATE)
}

/// The same with the zone in which it is told.
pub fn format_date_in_zone(at: i64) -> String {
    let [day, month, year] = DATE;
    formatted(at, &[day, month, year, ("timeZoneName", "short")])
}

const DATE: [(&str, &str); 3] = [("day", "numeric"), ("month", "short"), ("year", "numeric")];

/// With hour and minute, in the language of the document.
fn formatted(at: i64, parts: &[(&str, &str)]) -> String {
    let options = Object::new();
    for (part, how) in parts.iter().chain(&[("hour", "2-digit"), ("minute", "2-digit")]) {
        // A plain object takes any name.
        let _ = Reflect::set(&options, &JsValue::from_str(part), &JsValue::from_str(how));
    }
    let date = Date::new(&JsValue::from_f64(at as f64));
    String::from(date.to_locale_string(&locale(), &options))
}

/// That of the document's language, in which English is written as the server writes it.
fn locale() -> String {
    let tag = document().document_element().and_then(|root| root.get_attribute("lang"));
    tag.filter(|tag| !tag.is_empty() && tag != "en").unwrap_or_else(|| "en-GB".to_owned())
}

/// The name of its time zone.
pub fn zone() -> Option<String> {
    let format = DateTimeFormat::new(&Array::new(), &Object::new());
    let name = Reflect::get(&format.resolved_options(), &JsValue::from_str("timeZone"));
    name.ok().and_then(|name| name.as_string())
}
