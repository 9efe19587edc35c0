//! What a page is told of where it is shown.

use crate::clock;
use leptos::prelude::{document, window};
use protocol::view::McpApp;
use serde_json::{Map, Value, json};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;

const DARK: &str = "(prefers-color-scheme: dark)";

/// Names of the protocol, and the tokens of ours that they are.
const STYLES: [(&str, &str); 14] = [
    ("--color-background-primary", "--paper"),
    ("--color-background-secondary", "--paper-raised"),
    ("--color-background-tertiary", "--paper-sunken"),
    ("--color-text-primary", "--ink"),
    ("--color-text-secondary", "--ink-soft"),
    ("--color-text-tertiary", "--ink-faint"),
    ("--color-text-danger", "--hurt-ink"),
    ("--color-border-primary", "--line-strong"),
    ("--color-border-secondary", "--line"),
    ("--color-ring-primary", "--leaf"),
    ("--font-sans", "--sans"),
    ("--font-mono", "--mono"),
    ("--border-radius-sm", "--radius-6"),
    ("--border-radius-md", "--radius-10"),
];

pub(super) fn whole(app: &McpApp, is_full: bool, (width, height): (i32, i64)) -> Value {
    let tool = json!({ "name": app.name, "inputSchema": app.input_schema });
    let is_touched = matches("(pointer: coarse)");
    let mut context = json!({
        "toolInfo": { "tool": tool },
        "displayMode": mode(is_full),
        "availableDisplayModes": ["inline", "fullscreen"],
        "containerDimensions": { "width": width, "maxHeight": height },
        "platform": if is_touched { "mobile" } else { "web" },
        "deviceCapabilities": { "touch": is_touched, "hover": matches("(hover: hover)") },
    });
    if let (Some(context), Value::Object(look)) = (context.as_object_mut(), look()) {
        context.extend(look);
    }
    if let Some(zone) = clock::zone() {
        context["timeZone"] = zone.into();
    }
    if let Some(locale) = window().navigator().language() {
        context["locale"] = locale.into();
    }
    context
}

/// What was granted of that which it named.
pub(super) fn sandbox(app: &McpApp) -> Value {
    let uses = app.uses.iter().map(|permission| (permission.name().to_owned(), json!({})));
    let uses: Map<String, Value> = uses.collect();
    json!({ "csp": { "connectDomains": app.connect, "resourceDomains": app.load }, "permissions": uses })
}

pub(super) fn mode(is_full: bool) -> &'static str {
    if is_full { "fullscreen" } else { "inline" }
}

/// What changes with the theme.
pub(super) fn look() -> Value {
    // The person may have chosen one for this device.
    let chosen = document().document_element().and_then(|root| root.get_attribute("data-theme"));
    let theme = chosen.unwrap_or_else(|| if matches(DARK) { "dark" } else { "light" }.to_owned());
    json!({ "theme": theme, "styles": { "variables": variables() } })
}

/// Has `tell` told when it is another one.
pub(super) fn watch_theme(tell: impl Fn() + 'static) {
    let Some(media) = window().match_media(DARK).ok().flatten() else { return };
    let listener = Closure::<dyn Fn()>::new(tell).into_js_value();
    // A list of this kind takes any listener.
    let _ = media.add_event_listener_with_callback("change", listener.unchecked_ref());
}

fn matches(query: &str) -> bool {
    window().match_media(query).ok().flatten().is_some_and(|media| media.matches())
}

fn variables() -> Map<String, Value> {
    let styles =
        document().document_element().and_then(|root| window().get_computed_style(&root).ok().flatten());
    let Some(styles) = styles else { return Map::new() };
    let value = |ours: &str| styles.get_property_value(ours).ok().filter(|value| !value.is_empty());
    STYLES.iter().filter_map(|(theirs, ours)| Some(((*theirs).to_owned(), value(ours)?.into()))).collect()
}
