//! Keys that a person keeps on this device: sealed in the browser's database, opened with a passphrase
//! or a passkey for this tab alone, and used by the shell for its own requests. No frame and no worker ever sees
//! one, and neither does the hub.

pub(crate) mod crypto;
mod passkey;
mod record;
mod ring;

pub use passkey::is_there as has_passkeys;
pub(crate) use record::{ROUNDS, SHORTEST};
pub(crate) use ring::{Wish, is_known, want, when_changed};
pub use ring::{
    add_passkey, change, drop_passkey, enter, forget, forget_all, held, keep, key_of, lock, unlock,
    unlock_with_passkey,
};
