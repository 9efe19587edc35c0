//! What the person decided about one agent's page: for good, until the page is loaded anew, or until
//! they come back to the agent.

use protocol::Permission;
use protocol::view::PermissionView;
use protocol::view::shell::PromptAnswer;
use std::collections::{HashMap, HashSet};

#[derive(Debug, Default)]
pub struct Decisions {
    /// As the hub has them; the host is for links.
    stored: HashMap<(Permission, Option<String>), bool>,
    /// Allowed until the frame has another document.
    once: HashSet<Permission>,
    /// Denied for as long as the agent's page is open: loading its frame anew asks nobody again.
    denied: HashSet<Permission>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PermissionState {
    Allowed,
    Denied,
    /// Nobody has decided.
    Ask,
}

impl Decisions {
    pub fn new(stored: Vec<PermissionView>) -> Self {
        let stored = stored.into_iter().map(|view| ((view.permission, view.host), view.allowed)).collect();
        Self { stored, ..Self::default() }
    }

    pub fn verdict(&self, permission: Permission, host: Option<&str>) -> PermissionState {
        let stored = self.stored.get(&(permission, host.map(str::to_owned)));
        match stored {
            Some(false) => PermissionState::Denied,
            _ if self.denied.contains(&permission) => PermissionState::Denied,
            Some(true) => PermissionState::Allowed,
            None if self.once.contains(&permission) => PermissionState::Allowed,
            None => PermissionState::Ask,
        }
    }

    /// Takes what the person answered; whether it is for the hub to keep.
    pub fn choose(
        &mut self,
        permission: Permission,
        host: Option<&str>,
        choice: PromptAnswer,
    ) -> Option<bool> {
        match choice {
            PromptAnswer::Once => {
                if is_remembered(permission) {
                    self.once.insert(permission);
                }
                None
            }
            PromptAnswer::Deny => {
                if is_remembered(permission) {
                    self.denied.insert(permission);
                }
                None
            }
            PromptAnswer::Always | PromptAnswer::Never => {
                let allowed = choice == PromptAnswer::Always;
                self.set(permission, host.map(str::to_owned), Some(allowed));
                Some(allowed)
            }
        }
    }

    /// Denies it until the person comes back to the agent, whatever they decided before.
    pub fn deny(&mut self, permission: Permission) {
        self.once.remove(&permission);
        self.denied.insert(permission);
    }

    /// Takes over what the hub says.
    pub fn set(&mut self, permission: Permission, host: Option<String>, allowed: Option<bool>) {
        self.once.remove(&permission);
        if allowed == Some(true) {
            self.denied.remove(&permission);
        }
        match allowed {
            Some(allowed) => self.stored.insert((permission, host), allowed),
            None => self.stored.remove(&(permission, host)),
        };
    }

    /// The frame has another document.
    pub fn forget_once(&mut self) {
        self.once.clear();
    }
}

/// A link is opened or not, a view changed or not: that says nothing about the next one.
fn is_remembered(permission: Permission) -> bool {
    match permission {
        Permission::Camera
        | Permission::Microphone
        | Permission::Screen
        | Permission::Location
        | Permission::Listen
        | Permission::Notifications => true,
        Permission::View | Permission::Links => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOST: Option<&str> = Some("example.org");

    #[test]
    fn an_answer_holds_for_as_long_as_it_says() {
        let camera = Permission::Camera;
        // What was answered, whether the hub keeps it, what holds then, and after the frame has loaded anew.
        let table = [
            (PromptAnswer::Once, None, PermissionState::Allowed, PermissionState::Ask),
            (PromptAnswer::Always, Some(true), PermissionState::Allowed, PermissionState::Allowed),
            (PromptAnswer::Deny, None, PermissionState::Denied, PermissionState::Denied),
            (PromptAnswer::Never, Some(false), PermissionState::Denied, PermissionState::Denied),
        ];
        for (choice, kept, now, later) in table {
            let mut decisions = Decisions::default();
            assert_eq!(decisions.verdict(camera, None), PermissionState::Ask);
            assert_eq!(decisions.choose(camera, None, choice), kept, "{choice:?}");
            assert_eq!(decisions.verdict(camera, None), now, "{choice:?}");
            assert_eq!(decisions.verdict(Permission::Microphone, None), PermissionState::Ask, "{choice:?}");
            decisions.forget_once();
            assert_eq!(decisions.verdict(camera, None), later, "{choice:?}");
        }
    }

    #[test]
    fn one_link_says_nothing_about_another_host() {
        let mut decisions = Decisions::default();
        let links = Permission::Links;
        for choice in [PromptAnswer::Once, PromptAnswer::Deny] {
            assert_eq!(decisions.choose(links, HOST, choice), None);
            assert_eq!(decisions.verdict(links, HOST), PermissionState::Ask, "{choice:?}");
        }
        assert_eq!(decisions.choose(links, HOST, PromptAnswer::Always), Some(true));
        assert_eq!(decisions.verdict(links, HOST), PermissionState::Allowed);
        assert_eq!(decisions.verdict(links, Some("example.com")), PermissionState::Ask);
        assert_eq!(decisions.verdict(links, None), PermissionState::Ask);
    }

    #[test]
    fn what_was_stopped_does_not_start_again_and_what_was_revoked_is_asked_again() {
        let view =
            PermissionView { permission: Permission::Camera, host: None, allowed: true, decided_at: 0 };
        let mut decisions = Decisions::new(vec![view]);
        assert_eq!(decisions.verdict(Permission::Camera, None), PermissionState::Allowed);
        decisions.deny(Permission::Camera);
        assert_eq!(decisions.verdict(Permission::Camera, None), PermissionState::Denied);
        decisions.set(Permission::Camera, None, Some(true));
        assert_eq!(
            decisions.verdict(Permission::Camera, None),
            PermissionState::Allowed,
            "their newest word counts"
        );

        decisions.choose(Permission::Location, None, PromptAnswer::Once);
        decisions.set(Permission::Location, None, None);
        assert_eq!(decisions.verdict(Permission::Location, None), PermissionState::Ask);
    }
}
