//! What of a device an agent may use.

use crate::golden::{Section, every, section};
use crate::samples::AT;
use protocol::Permission;
use protocol::view::PermissionView;

pub fn sections() -> Vec<Section> {
    vec![
        section("PermissionView", &[permission(None), permission(Some("example.org"))]),
        every!(Permission {
            Permission::Camera => [Permission::Camera],
            Permission::Microphone => [Permission::Microphone],
            Permission::Screen => [Permission::Screen],
            Permission::Location => [Permission::Location],
            Permission::Listen => [Permission::Listen],
            Permission::Notifications => [Permission::Notifications],
            Permission::View => [Permission::View],
            Permission::Links => [Permission::Links],
        }),
    ]
}

pub fn permission(host: Option<&str>) -> PermissionView {
    let permission = if host.is_some() { Permission::Links } else { Permission::Camera };
    PermissionView { permission, host: host.map(str::to_owned), allowed: true, decided_at: AT }
}
