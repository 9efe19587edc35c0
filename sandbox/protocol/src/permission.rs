use serde::{Deserialize, Serialize};

/// What an agent's page can do outside its frame, if the person lets it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Permission {
    Camera,
    Microphone,
    /// The person's screen, a window, or a tab.
    Screen,
    Location,
    /// Have what the person says written down.
    Listen,
    /// Notices of the system's own while the page is not looked at.
    Notifications,
    /// Change how much of the agent is on the screen.
    View,
    /// Open links to one host without asking.
    Links,
}
