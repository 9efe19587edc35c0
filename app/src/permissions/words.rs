//! How permissions are called.

use crate::prelude::t;
use protocol::Permission;

/// What the page wants to do, after "wants to".
pub(crate) fn wish(permission: Permission) -> &'static str {
    t(match permission {
        Permission::Camera => "use the camera",
        Permission::Microphone => "use the microphone",
        Permission::Screen => "see your screen",
        Permission::Location => "know where you are",
        Permission::Listen => "write down what you say",
        Permission::Notifications => "show notices while you are elsewhere",
        Permission::View => "change the view",
        Permission::Links => "open links",
    })
}

/// What the page does right now, after its name.
pub(crate) fn doing(permission: Permission) -> &'static str {
    t(match permission {
        Permission::Camera => "uses the camera",
        Permission::Microphone => "uses the microphone",
        Permission::Screen => "sees your screen",
        Permission::Location => "follows where you are",
        Permission::Listen => "writes down what you say",
        Permission::Notifications => "shows notices",
        Permission::View => "changes the view",
        Permission::Links => "opens links",
    })
}

pub(crate) fn icon(permission: Permission) -> &'static str {
    match permission {
        Permission::Camera => "camera",
        Permission::Microphone | Permission::Listen => "microphone",
        Permission::Screen => "device-laptop",
        Permission::Location => "location",
        Permission::Notifications => "bell",
        Permission::View => "split",
        Permission::Links => "link",
    }
}

/// What was decided, as the settings page lists it.
pub(super) fn title(permission: Permission) -> &'static str {
    t(match permission {
        Permission::Camera => "Camera",
        Permission::Microphone => "Microphone",
        Permission::Screen => "Screen",
        Permission::Location => "Location",
        Permission::Listen => "Speech as text",
        Permission::Notifications => "Notices while you are elsewhere",
        Permission::View => "Changing the view",
        Permission::Links => "Opening links",
    })
}
