//! Keys that a person keeps on this device: sealed in the browser's database, opened with a passphrase
//! or a passkey for this tab alone, and used by the shell for its own requests. No frame and no worker ever sees
//! one, and neither does the hub. A server has none of this.

#![cfg_attr(not(feature = "hydrate"), allow(dead_code, reason = "a server keeps no keys of devices"))]

#[cfg(feature = "hydrate")]
pub mod crypto;
mod entry;
mod held;
mod more;
#[cfg(feature = "hydrate")]
mod passkey;
mod passkey_form;
mod prompt;
#[cfg(any(feature = "hydrate", test))]
mod record;
#[cfg(any(feature = "hydrate", test))]
mod redact;
#[cfg(feature = "hydrate")]
mod ring;
mod rows;
mod section;
#[cfg(feature = "hydrate")]
mod store;
mod unlock;

pub use entry::Secret;
pub use held::{Held, Lock, held};
pub use prompt::KeyPrompt;
#[cfg(feature = "hydrate")]
pub use record::{ROUNDS, SHORTEST};
#[cfg(feature = "hydrate")]
pub use redact::Redactor;
#[cfg(feature = "hydrate")]
pub use ring::{Wish, is_known, keep, key_of, want, when_changed};
pub use section::KeysSection;
pub use unlock::Unlock;
