//! The second stage: what the browser itself allows this page, and how its errors read.

use js_sys::{Object, Reflect};
use leptos::prelude::window;
use protocol::Permission;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{DomException, Notification, NotificationPermission, PermissionState, PermissionStatus};

/// Whether the browser has refused it, or would. What it has not been asked yet it will be asked when
/// it is used.
pub(super) async fn refuses(permission: Permission) -> bool {
    let name = match permission {
        Permission::Camera => "camera",
        Permission::Microphone | Permission::Listen => "microphone",
        Permission::Location => "geolocation",
        Permission::Notifications => return refuses_notifications().await,
        Permission::Screen | Permission::View | Permission::Links => return false,
    };
    // A browser that cannot say so does not refuse.
    state_of(name).await == Some(PermissionState::Denied)
}

async fn state_of(name: &str) -> Option<PermissionState> {
    let query = Object::new();
    Reflect::set(&query, &"name".into(), &name.into()).ok()?;
    let asked = window().navigator().permissions().ok()?.query(&query).ok()?;
    let status: PermissionStatus = JsFuture::from(asked).await.ok()?.unchecked_into();
    Some(status.state())
}

async fn refuses_notifications() -> bool {
    if !has_notifications() {
        return true;
    }
    let Ok(asked) = Notification::request_permission() else { return true };
    let _ = JsFuture::from(asked).await;
    Notification::permission() != NotificationPermission::Granted
}

/// Whether nobody has said yet if this browser may show notifications of the hub.
pub fn may_offer_notifications() -> bool {
    has_notifications() && Notification::permission() == NotificationPermission::Default
}

/// Some browsers have them for installed pages only.
pub(super) fn has_notifications() -> bool {
    Reflect::has(&window(), &"Notification".into()) == Ok(true)
}

/// Name and message of whatever the browser threw.
pub(super) fn words(error: &JsValue) -> (String, String) {
    match error.dyn_ref::<DomException>() {
        Some(error) => (error.name(), error.message()),
        None => {
            let field = |name: &str| Reflect::get(error, &name.into()).ok().and_then(|text| text.as_string());
            let name = field("name").unwrap_or_else(|| "NotSupportedError".to_owned());
            (name, field("message").unwrap_or_else(|| "The browser cannot do that.".to_owned()))
        }
    }
}
