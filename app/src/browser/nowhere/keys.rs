use leptos::prelude::ArcRwSignal;
use protocol::run::{KeyLack, KeySlot};
use protocol::view::shell::DeviceKeys;
use protocol::{ProviderId, UserId};

type KeyResult = Result<(), String>;

const NONE: &str = "Only a browser keeps keys.";

pub fn held() -> ArcRwSignal<DeviceKeys> {
    ArcRwSignal::new(DeviceKeys::default())
}

pub fn enter(_person: UserId) {}

pub fn lock() {}

pub fn has_passkeys() -> bool {
    false
}

pub async fn unlock(_passphrase: &str) -> KeyResult {
    Err(NONE.to_owned())
}

pub async fn unlock_with_passkey() -> KeyResult {
    Err(NONE.to_owned())
}

pub async fn add_passkey(_passphrase: &str) -> KeyResult {
    Err(NONE.to_owned())
}

pub async fn drop_passkey() -> KeyResult {
    Err(NONE.to_owned())
}

pub async fn change(_old: &str, _new: &str) -> KeyResult {
    Err(NONE.to_owned())
}

pub async fn keep(_slot: &KeySlot, _key: &str, _passphrase: &str) -> KeyResult {
    Err(NONE.to_owned())
}

pub async fn key_of(_slot: &KeySlot) -> Result<String, KeyLack> {
    Err(KeyLack::Missing)
}

pub async fn forget(_provider: &ProviderId) -> KeyResult {
    Err(NONE.to_owned())
}

pub async fn forget_all() -> KeyResult {
    Err(NONE.to_owned())
}
