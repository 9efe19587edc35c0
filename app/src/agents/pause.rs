//! Pausing an agent, and letting it go on.

use super::api::PauseAgent;
use crate::prelude::*;
use crate::ui::{ActionForm, FormAction, Icon};
use protocol::AgentId;

/// A button that says what it does to whom, and shows it where there is room.
#[component]
pub fn PauseButton(
    agent: AgentId,
    #[prop(into)] name: String,
    paused: bool,
    action: FormAction<PauseAgent>,
    #[prop(optional)] in_words: bool,
) -> impl IntoView {
    let (words, label, icon) = if paused {
        (t("Resume"), say!("Resume {name}"), "play")
    } else {
        (t("Pause"), say!("Pause {name}"), "pause")
    };
    let shown = in_words.then_some(words);
    view! {
        <ActionForm action>
            <input type="hidden" name="agent" value=agent.0/>
            <input type="hidden" name="paused" value=(!paused).to_string()/>
            <button
                type="submit"
                class="button"
                data-shape=(!in_words).then_some("icon")
                aria-label=label.clone()
                title=label
            >
                <Icon name=icon small=true/>
                {shown}
            </button>
        </ActionForm>
    }
}
