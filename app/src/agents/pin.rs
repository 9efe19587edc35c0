//! Letting an agent stand before the others.

use super::api::PinAgent;
use crate::prelude::*;
use crate::ui::{ActionForm, FormAction, Icon};
use protocol::AgentId;

/// A button that says what it does to whom.
#[component]
pub fn PinButton(
    agent: AgentId,
    #[prop(into)] name: String,
    pinned: bool,
    action: FormAction<PinAgent>,
) -> impl IntoView {
    let label = if pinned { say!("Unpin {name}") } else { say!("Pin {name}") };
    view! {
        <ActionForm action attr:class="pin-form" attr:data-pinned=pinned.then_some("")>
            <input type="hidden" name="agent" value=agent.0/>
            <input type="hidden" name="pinned" value=(!pinned).to_string()/>
            <button type="submit" class="button" data-shape="icon" aria-label=label.clone() title=label>
                <Icon name="pin" small=true/>
            </button>
        </ActionForm>
    }
}
