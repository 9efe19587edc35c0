//! The pages where an agent is made, changed, copied and deleted. Where all of them are is `wall`, talking to
//! one is `conversation`.

pub mod api;
mod command_rows;
mod delete;
mod edit;
pub(crate) mod form;
mod home_choice;
mod hook_rows;
mod key_form;
pub mod loop_fields;
mod loop_form;
pub mod network_form;
mod new;
mod number_field;
mod pause;
mod pin;
mod program_address;
mod proposing;
mod reserve_fields;
mod sampling_fields;
mod secrets_form;
mod tool_choices;
pub mod usual;
#[cfg(feature = "ssr")]
mod wish;
mod wishing;

pub use delete::DeleteAgentPage;
pub use edit::EditAgentPage;
pub use new::NewAgentPage;
pub use pause::PauseButton;
pub use pin::PinButton;
#[cfg(feature = "ssr")]
pub(crate) use wish::first_model;
pub use wishing::Wish;

use crate::prelude::*;
use leptos_router::hooks::use_params_map;
use protocol::AgentId;

/// The agent that the page's address names.
pub(crate) fn agent_in_path() -> Memo<AgentId> {
    let params = use_params_map();
    Memo::new(move |_| AgentId(params.read().get("id").unwrap_or_default()))
}
