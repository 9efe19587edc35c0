//! The keys of this device in this tab: whose they are, whether they are open, and who waits for one.
//! They are open in the tab in which the passphrase or the passkey was given, until it is closed, loaded anew, left
//! alone for a while, or told to lock them.

use super::crypto::{self, Master};
use super::passkey;
use super::record::{self, Latch, Padlock, ROUNDS, SHORTEST, SealedKeyRecord, VERSION};
use crate::database::Database;
use language::{key, say, t};
use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::run::{KeyLack, KeySlot};
use protocol::view::shell::{DeviceKeys, Lock, Unable};
use protocol::{ProviderId, UserId};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::time::Duration;
use wasm_bindgen::JsValue;
use web_sys::CryptoKey;

const STORE: Database = Database { name: "vivarium", store: "keys" };

/// Without a call for so long the keys are locked.
const AUTO_LOCK: Duration = Duration::from_secs(15 * 60);
const LONGEST_KEY: usize = 4096;

const WRONG: &str =
    key!("This passphrase does not open the keys on this device. Nothing was changed. Try again.");
const NO_KEY: &str = key!("No key is kept on this device yet.");
const NO_PASSKEY: &str = key!("No passkey opens the keys on this device. Use the passphrase.");
const UNKNOWN: &str = key!("The keys on this device are not known yet. Try again in a moment.");

#[derive(Default)]
struct Ring {
    person: Option<UserId>,
    /// Opens the keys. It cannot be read out.
    master: Option<CryptoKey>,
    idle: Option<TimeoutHandle>,
    waiting: Vec<Box<dyn FnOnce()>>,
    wanted: BTreeMap<u64, (String, KeyLack)>,
    last_wish: u64,
    is_watching: bool,
}

/// Somebody waits for a key, as long as this is there.
pub struct Wish(u64);

impl Drop for Wish {
    fn drop(&mut self) {
        with(|ring| ring.wanted.remove(&self.0));
        show_wanted();
    }
}

thread_local! {
    static RING: RefCell<Ring> = RefCell::default();
    static HELD: ArcRwSignal<DeviceKeys> = ArcRwSignal::new(DeviceKeys::default());
}

pub fn held() -> ArcRwSignal<DeviceKeys> {
    HELD.with(Clone::clone)
}

/// The keys are this person's from now on.
pub fn enter(person: UserId) {
    let is_new = with(|ring| ring.person.replace(person.clone()) != Some(person));
    if !is_new {
        return;
    }
    lock();
    spawn_local(refresh());
    if !with(|ring| std::mem::replace(&mut ring.is_watching, true)) {
        // Another tab may have got a key meanwhile.
        let handle = window_event_listener(leptos::ev::focus, |_| spawn_local(refresh()));
        std::mem::forget(handle);
    }
}

/// Opens the keys of this device in this tab.
pub async fn unlock(passphrase: &str) -> Result<(), String> {
    let person = person()?;
    let padlock = padlock(&person).await?.ok_or_else(|| t(NO_KEY))?;
    let master = open_master(&person, &padlock, passphrase, Master::InUse).await?;
    open(master);
    refresh().await;
    Ok(())
}

/// The same, with the passkey that was added here.
pub async fn unlock_with_passkey() -> Result<(), String> {
    let person = person()?;
    let padlock = padlock(&person).await?;
    let latch = padlock.and_then(|padlock| padlock.passkey).ok_or_else(|| t(NO_PASSKEY))?;
    let with = passkey::use_one(&latch.name, &latch.salt.0).await?;
    let bound = record::bound_latch(&person);
    let master = crypto::open_master(&latch.master, &with, &bound, Master::InUse).await;
    open(master.map_err(|_| t("This passkey does not open the keys on this device. Use the passphrase."))?);
    refresh().await;
    Ok(())
}

/// Has a passkey made that opens the keys beside the passphrase. One that was there does not any more.
pub async fn add_passkey(passphrase: &str) -> Result<(), String> {
    let person = person()?;
    let padlock = padlock(&person).await?.ok_or_else(|| t(NO_KEY))?;
    let master = open_master(&person, &padlock, passphrase, Master::ToBeSealed).await?;
    let salt = crypto::chance::<32>().map_err(unable)?;
    let with = match passkey::make(&salt).await? {
        (name, Some(with)) => (name, with),
        // Some give their secret only to who uses them.
        (name, None) => {
            let with = passkey::use_one(&name, &salt).await?;
            (name, with)
        }
    };
    let (name, with) = with;
    let bound = record::bound_latch(&person);
    let master = crypto::seal_master(&master, &with, &bound).await.map_err(unable)?;
    let latch = Latch { name, salt: record::Bytes(salt.to_vec()), master };
    write(&record::padlock_at(&person), &Padlock { passkey: Some(latch), ..padlock }).await?;
    refresh().await;
    Ok(())
}

/// Only the passphrase opens the keys from now on.
pub async fn drop_passkey() -> Result<(), String> {
    let person = person()?;
    let padlock = padlock(&person).await?.ok_or_else(|| t(NO_KEY))?;
    write(&record::padlock_at(&person), &Padlock { passkey: None, ..padlock }).await?;
    refresh().await;
    Ok(())
}

pub fn lock() {
    let idle = with(|ring| {
        ring.master = None;
        ring.idle.take()
    });
    if let Some(idle) = idle {
        idle.clear();
    }
    HELD.with(|held| {
        held.update(|held| {
            if held.state == Lock::Open {
                held.state = Lock::Locked;
            }
        });
    });
}

/// Keeps a key for the server of this slot, sealed. The first one needs a passphrase that opens them
/// all; later it has to be entered where they are locked.
pub async fn keep(slot: &KeySlot, key: &str, passphrase: &str) -> Result<(), String> {
    let person = person()?;
    let key = key.trim();
    if key.is_empty() || key.len() > LONGEST_KEY || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(
            t("This is not a key: a key is one word of letters, digits and signs. Copy it again.").to_owned()
        );
    }
    let master = match with(|ring| ring.master.clone()) {
        Some(master) => master,
        None => match padlock(&person).await? {
            Some(padlock) => open_master(&person, &padlock, passphrase, Master::InUse).await?,
            None => set_up(&person, passphrase).await?,
        },
    };
    let bound = record::bound_key(&person, &slot.provider, &slot.place);
    let sealed = crypto::seal(key.as_bytes(), &master, bound.as_bytes()).await.map_err(unable)?;
    let kept = SealedKeyRecord { version: VERSION, place: slot.place.clone(), key: sealed };
    write(&record::key_at(&person, &slot.provider), &kept).await?;
    open(master);
    refresh().await;
    Ok(())
}

/// Takes the key of this provider off this device.
pub async fn forget(provider: &ProviderId) -> Result<(), String> {
    let person = person()?;
    STORE.remove(&record::key_at(&person, provider)).await.map_err(unable)?;
    refresh().await;
    Ok(())
}

/// Takes all keys off this device, and their passphrase: the way on for who forgot it.
pub async fn forget_all() -> Result<(), String> {
    let person = person()?;
    for (provider, _) in keys(&person).await.map_err(unable)? {
        STORE.remove(&record::key_at(&person, &provider)).await.map_err(unable)?;
    }
    STORE.remove(&record::padlock_at(&person)).await.map_err(unable)?;
    lock();
    refresh().await;
    Ok(())
}

/// Another passphrase opens the keys from now on.
pub async fn change(old: &str, new: &str) -> Result<(), String> {
    let person = person()?;
    let padlock = padlock(&person).await?.ok_or_else(|| t(NO_KEY))?;
    let master = open_master(&person, &padlock, old, Master::ToBeSealed).await?;
    let (salt, with) = stretched(new).await?;
    let bound = record::bound_master(&person);
    let master = crypto::seal_master(&master, &with, &bound).await.map_err(unable)?;
    let salt = record::Bytes(salt.to_vec());
    let padlock = Padlock { version: VERSION, salt, rounds: ROUNDS, master, ..padlock };
    write(&record::padlock_at(&person), &padlock).await
}

/// The key for this slot, if it is here and open.
pub async fn key_of(slot: &KeySlot) -> Result<String, KeyLack> {
    let person = person().map_err(|_| KeyLack::Missing)?;
    let name = record::key_at(&person, &slot.provider);
    let kept: Option<SealedKeyRecord> = read(&name).await.map_err(|_| KeyLack::Missing)?;
    let kept = kept.filter(|kept| kept.place == slot.place).ok_or(KeyLack::Missing)?;
    let master = with(|ring| ring.master.clone()).ok_or(KeyLack::Locked)?;
    let bound = record::bound_key(&person, &slot.provider, &slot.place);
    let key = crypto::open(&kept.key, &master, bound.as_bytes()).await.map_err(|_| KeyLack::Missing)?;
    rest();
    String::from_utf8(key).map_err(|_| KeyLack::Missing)
}

/// Whether it is known whose keys these are.
pub fn is_known() -> bool {
    with(|ring| ring.person.is_some())
}

/// Tells the person that the key of this provider is wanted here.
pub fn want(name: &str, lack: KeyLack) -> Wish {
    let id = with(|ring| {
        ring.last_wish += 1;
        ring.wanted.insert(ring.last_wish, (name.to_owned(), lack));
        ring.last_wish
    });
    show_wanted();
    Wish(id)
}

/// Calls once, when there may be a key that was not there before.
pub fn when_changed(call: impl FnOnce() + 'static) {
    with(|ring| ring.waiting.push(Box::new(call)));
}

/// Reads anew what this device keeps, and tells all who wait.
async fn refresh() {
    let Ok(person) = person() else { return };
    let KeyringState { state, keys, has_passkey } = look(&person).await;
    HELD.with(|held| {
        held.update(|held| {
            held.state = state;
            held.keys = keys;
            held.has_passkey = has_passkey;
        });
    });
    for call in with(|ring| std::mem::take(&mut ring.waiting)) {
        call();
    }
}

/// What this device keeps.
#[derive(Default)]
struct KeyringState {
    state: Lock,
    keys: Vec<(ProviderId, String)>,
    has_passkey: bool,
}

async fn look(person: &UserId) -> KeyringState {
    if !crypto::is_there() {
        return KeyringState { state: Lock::Unable(Unable::Insecure), ..KeyringState::default() };
    }
    let (Ok(padlock), Ok(keys)) = (padlock(person).await, keys(person).await) else {
        return KeyringState { state: Lock::Unable(Unable::NoStore), ..KeyringState::default() };
    };
    let has_passkey = padlock.as_ref().is_some_and(|padlock| padlock.passkey.is_some());
    let state = match (padlock, with(|ring| ring.master.is_some())) {
        (None, _) => Lock::Unset,
        (Some(_), true) => Lock::Open,
        (Some(_), false) => Lock::Locked,
    };
    KeyringState { state, keys, has_passkey }
}

async fn keys(person: &UserId) -> Result<Vec<(ProviderId, String)>, JsValue> {
    let mut keys = Vec::new();
    for name in STORE.names().await? {
        let Some(provider) = record::provider_at(person, &name) else { continue };
        if let Ok(Some(SealedKeyRecord { place, .. })) = read(&name).await {
            keys.push((provider, place));
        }
    }
    Ok(keys)
}

async fn set_up(person: &UserId, passphrase: &str) -> Result<CryptoKey, String> {
    let (salt, with) = stretched(passphrase).await?;
    let bound = record::bound_master(person);
    let master = crypto::make_master(&with, &bound).await.map_err(unable)?;
    let salt = record::Bytes(salt.to_vec());
    let padlock = Padlock { version: VERSION, salt, rounds: ROUNDS, master, passkey: None };
    write(&record::padlock_at(person), &padlock).await?;
    crypto::open_master(&padlock.master, &with, &bound, Master::InUse).await.map_err(unable)
}

async fn stretched(passphrase: &str) -> Result<([u8; 16], CryptoKey), String> {
    if passphrase.chars().count() < SHORTEST {
        return Err(say!("A passphrase has at least {SHORTEST} characters."));
    }
    let salt = crypto::chance::<16>().map_err(unable)?;
    let with = crypto::stretch(passphrase, &salt, ROUNDS).await.map_err(unable)?;
    Ok((salt, with))
}

async fn open_master(
    person: &UserId,
    padlock: &Padlock,
    passphrase: &str,
    master: Master,
) -> Result<CryptoKey, String> {
    let with = crypto::stretch(passphrase, &padlock.salt.0, padlock.rounds).await.map_err(unable)?;
    let bound = record::bound_master(person);
    crypto::open_master(&padlock.master, &with, &bound, master).await.map_err(|_| t(WRONG).to_owned())
}

fn open(master: CryptoKey) {
    with(|ring| ring.master = Some(master));
    rest();
}

/// The time without a call begins anew.
fn rest() {
    let next = set_timeout_with_handle(lock, AUTO_LOCK).ok();
    let last = with(|ring| std::mem::replace(&mut ring.idle, next));
    if let Some(last) = last {
        last.clear();
    }
}

fn show_wanted() {
    let mut wanted: Vec<(String, KeyLack)> = with(|ring| ring.wanted.values().cloned().collect());
    wanted.dedup();
    HELD.with(|held| held.update(|held| held.wanted = wanted));
}

async fn padlock(person: &UserId) -> Result<Option<Padlock>, String> {
    let padlock: Option<Padlock> = read(&record::padlock_at(person)).await?;
    match padlock {
        Some(padlock) if padlock.version > VERSION => {
            Err(t("The keys on this device were kept by a newer Vivarium. Load the page again.").to_owned())
        }
        Some(_) | None => Ok(padlock),
    }
}

async fn read<T: serde::de::DeserializeOwned>(name: &str) -> Result<Option<T>, String> {
    let kept = STORE.read(name).await.map_err(unable)?;
    let Some(text) = kept.as_string() else { return Ok(None) };
    serde_json::from_str(&text).map(Some).map_err(|_| {
        t("What this browser kept cannot be read. Forget the keys on this device, and enter them again.")
            .to_owned()
    })
}

async fn write(name: &str, value: &impl serde::Serialize) -> Result<(), String> {
    let text = serde_json::to_string(value).map_err(|error| error.to_string())?;
    STORE.write(name, &text.into()).await.map_err(unable)
}

fn person() -> Result<UserId, String> {
    with(|ring| ring.person.clone()).ok_or_else(|| t(UNKNOWN).to_owned())
}

/// The browser's own words never hold what was to be kept.
fn unable(error: JsValue) -> String {
    let name = js_sys::Reflect::get(&error, &"name".into()).ok().and_then(|name| name.as_string());
    let reason = name.unwrap_or_else(|| t("no reason given").to_owned());
    say!("This browser could not do it ({reason}). Nothing was lost.")
}

fn with<T>(look: impl FnOnce(&mut Ring) -> T) -> T {
    RING.with_borrow_mut(look)
}
