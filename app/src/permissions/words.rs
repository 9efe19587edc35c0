//! How permissions are called.

use protocol::Permission;

/// What was decided, as the settings page lists it.
pub(super) fn title(permission: Permission) -> &'static str {
    match permission {
        Permission::Camera => "Camera",
        Permission::Microphone => "Microphone",
        Permission::Screen => "Screen",
        Permission::Location => "Location",
        Permission::Listen => "Speech as text",
        Permission::Notifications => "Notices while you are elsewhere",
        Permission::View => "Changing the view",
        Permission::Links => "Opening links",
    }
}
