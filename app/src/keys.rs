//! The prompts and forms for the keys that stay on this device. What opens and keeps them is the shell's
//! `keys`.

pub mod api;
mod entry;
mod more;
mod passkey_form;
mod prompt;
mod rows;
mod section;
mod unlock;

pub use entry::Secret;
pub use prompt::KeyPrompt;
pub use section::KeysSection;
pub use unlock::Unlock;
