//! What the person has to be asked about.

use super::link;
use protocol::Permission;
use protocol::frame::Want;
use protocol::view::shell::PromptSubject;

/// Nothing, if a request needs nobody's word; why not, if it makes no sense.
pub(super) fn of(want: &Want) -> Result<Option<PromptSubject>, &'static str> {
    let permission = match want {
        Want::NotifyUser { .. } | Want::Speak { .. } | Want::Voices => return Ok(None),
        Want::ViewState { view } => return Ok(Some(PromptSubject::View(*view))),
        Want::OpenLink { url } => {
            let link::Address { host, href } =
                link::read(url).ok_or("Only plain addresses of the web can be opened.")?;
            return Ok(Some(PromptSubject::Link { host, url: href }));
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
    Ok(Some(PromptSubject::Permission(permission)))
}

/// The permission, and the host that a decision would be about. None: the browser decides with the person.
pub(super) fn about(matter: &PromptSubject) -> Option<(Permission, Option<String>)> {
    match matter {
        PromptSubject::Permission(permission) => Some((*permission, None)),
        PromptSubject::Link { host, .. } => Some((Permission::Links, Some(host.clone()))),
        PromptSubject::View(_) => Some((Permission::View, None)),
        PromptSubject::Folder { .. } => None,
    }
}
