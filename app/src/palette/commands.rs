//! What the palette does by itself, beside leading somewhere.

use crate::AppError;
use crate::agents::api::pause_all_agents;
use crate::appearance::api::{appearance, set_appearance};
use crate::prelude::*;
use protocol::view::{Appearance, Theme};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// All agents, or lets them go on.
    PauseAll(bool),
    Colours(Theme),
    ShowShortcuts,
}

/// Each with its words and its icon.
pub(super) const COMMANDS: &[(Command, &str, &str)] = &[
    (Command::PauseAll(true), key!("Pause all agents"), "pause"),
    (Command::PauseAll(false), key!("Resume all agents"), "play"),
    (Command::Colours(Theme::Dark), key!("Dark colours"), "skin"),
    (Command::Colours(Theme::Light), key!("Light colours"), "skin"),
    (Command::Colours(Theme::System), key!("Colours as the device is set"), "skin"),
    (Command::ShowShortcuts, key!("Keyboard shortcuts"), "info"),
];

impl Command {
    /// `shortcuts`: whether the list of them is open.
    pub(super) async fn run(self, shortcuts: RwSignal<bool>) -> Result<(), AppError> {
        match self {
            Self::PauseAll(paused) => pause_all_agents(paused).await,
            Self::Colours(theme) => choose(theme).await,
            Self::ShowShortcuts => {
                shortcuts.try_set(true);
                Ok(())
            }
        }
    }
}

/// Keeps it for this device, and has the document look so.
async fn choose(theme: Theme) -> Result<(), AppError> {
    let Appearance { language, contrast, text_size, .. } = appearance().await?;
    let tag = language.map(|language| language.tag().to_owned()).unwrap_or_default();
    set_appearance(tag, theme, contrast, text_size, true).await?;
    let Some(root) = document().document_element() else { return Ok(()) };
    let changed = match theme {
        Theme::System => root.remove_attribute("data-theme"),
        Theme::Light => root.set_attribute("data-theme", "light"),
        Theme::Dark => root.set_attribute("data-theme", "dark"),
    };
    if changed.is_err() {
        leptos::logging::warn!("The colours are those of the next page.");
    }
    Ok(())
}
