//! What the person has to be asked about.

use super::link;
use super::panel::Matter;
use protocol::Permission;
use protocol::frame::Want;

/// Nothing, if a request needs nobody's word; why not, if it makes no sense.
pub(super) fn of(want: &Want) -> Result<Option<Matter>, &'static str> {
    let permission = match want {
        Want::NotifyUser { .. } | Want::Speak { .. } | Want::Voices => return Ok(None),
        Want::ViewState { view } => return Ok(Some(Matter::View(*view))),
        Want::OpenLink { url } => {
            let link::Address { host, href } =
                link::read(url).ok_or("Only plain addresses of the web can be opened.")?;
            return Ok(Some(Matter::Link { host, url: href }));
        }
        Want::Permission { name: Permission::View | Permission::Links } => {
            return Err("That is asked for when it happens.");
        }
        Want::Permission { name } => *name,
        Want::Position { .. } | Want::WatchPosition { .. } => Permission::Location,
        Want::Listen { .. } => Permission::Listen,
        Want::Camera { .. } => Permission::Camera,
        Want::Microphone => Permission::Microphone,
        Want::Screen { .. } => Permission::Screen,
    };
    Ok(Some(Matter::Permission(permission)))
}

/// The permission, and the host that a decision would be about.
pub(super) fn about(matter: &Matter) -> (Permission, Option<String>) {
    match matter {
        Matter::Permission(permission) => (*permission, None),
        Matter::Link { host, .. } => (Permission::Links, Some(host.clone())),
        Matter::View(_) => (Permission::View, None),
    }
}
