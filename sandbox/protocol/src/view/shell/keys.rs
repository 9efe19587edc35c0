//! The keys on this device.

use crate::ProviderId;
use crate::run::KeyLack;

/// Nothing is known of it before the browser's database was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeviceKeys {
    pub state: Lock,
    /// For which providers there is a key, and for which of their servers.
    pub keys: Vec<(ProviderId, String)>,
    /// Whether a passkey opens them beside the passphrase.
    pub has_passkey: bool,
    /// What waits for the person, by the name of the provider.
    pub wanted: Vec<(String, KeyLack)>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lock {
    #[default]
    Unknown,
    /// The browser keeps none for pages like this one.
    Unable(Unable),
    /// No passphrase was chosen yet.
    Unset,
    Locked,
    Open,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unable {
    /// The page came over plain HTTP from another machine: browsers encrypt nothing there.
    Insecure,
    /// The browser has no database for this page, as in some private windows.
    NoStore,
}

impl DeviceKeys {
    /// Whether there is a key for this server of this provider.
    pub fn has(&self, provider: &ProviderId, place: &str) -> bool {
        self.keys.iter().any(|(kept, at)| kept == provider && at == place)
    }
}
