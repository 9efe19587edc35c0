//! Hashing and checking passwords: argon2id, beside the async threads, only so many at once.

use super::attempts::Counter;
use crate::access::{Visitor, rate_limit_key};
use crate::clock::random;
use crate::error::{Error, Result};
use crate::fair_queue::{FairQueue, QueueFull};
use argon2::password_hash::{PasswordHash, PasswordHasher, PasswordVerifier, SaltString};
use argon2::{ARGON2ID_IDENT, Algorithm, Argon2, Params, Version};

const LANES: u32 = 1;

/// What one hash of a password costs, and so each guess of who stole it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HashCost {
    memory_kib: u32,
    passes: u32,
}

impl Default for HashCost {
    /// The floor that OWASP names.
    fn default() -> Self {
        Self { memory_kib: 19_456, passes: 2 }
    }
}

impl HashCost {
    /// For people who guard nothing, as those of tests.
    pub fn least() -> Self {
        Self { memory_kib: Params::MIN_M_COST, passes: Params::MIN_T_COST }
    }
}

/// Hashes at a time: for people who are known, and for all others.
const CONCURRENT_HASHES: usize = 2;
/// How many of one may wait for a hash, and of all strangers. One more is turned away: a flood must not pile up.
const WAITING: usize = 32;
const STRANGERS_WAITING: usize = 128;

#[derive(Debug)]
pub(crate) struct Passwords {
    cost: HashCost,
    known: FairQueue<String>,
    strangers: FairQueue<String>,
}

/// For whom a password is hashed.
#[derive(Clone, Debug)]
pub(super) enum HashPriority {
    /// Signed in, or in a browser that was here before.
    Known(String),
    /// By the address, if there is one.
    Stranger(String),
}

impl HashPriority {
    pub(super) fn person(id: &str) -> Self {
        Self::Known(id.to_owned())
    }

    /// Who tries to sign in, by what their attempts are counted by.
    pub(super) fn counted(counters: &[Counter]) -> Self {
        let who = counters.iter().find_map(|counter| match counter {
            Counter::Known(key) => Some(Self::Known(key.clone())),
            Counter::Address(key) => Some(Self::Stranger(key.clone())),
            Counter::Code(_) | Counter::Name(_) | Counter::Password(_) | Counter::Person(_) => None,
        });
        who.unwrap_or(Self::Stranger(String::new()))
    }

    pub(super) fn visitor(visitor: &Visitor<'_>) -> Self {
        Self::Stranger(visitor.address.map(|address| rate_limit_key(address).to_string()).unwrap_or_default())
    }
}

/// What a check of a password found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PasswordCheck {
    Wrong,
    Right,
    /// Right, but the stored hash took less work than hashes should: store a new one.
    RightButWeak,
}

impl Passwords {
    pub(super) fn new(cost: HashCost) -> Self {
        Self {
            cost,
            known: FairQueue::new(CONCURRENT_HASHES, WAITING),
            strangers: FairQueue::bounded(CONCURRENT_HASHES, WAITING, STRANGERS_WAITING),
        }
    }

    pub(super) async fn hash(&self, who: &HashPriority, password: &str) -> Result<String> {
        let (cost, password) = (self.cost, password.to_owned());
        self.work(who, move || hash(&password, cost)).await?
    }

    /// Compares with the stored hash. Without one (nobody has that name) it does the same work.
    pub(super) async fn verify(
        &self,
        who: &HashPriority,
        stored: Option<String>,
        password: &str,
    ) -> Result<PasswordCheck> {
        let (cost, password) = (self.cost, password.to_owned());
        self.work(who, move || match stored {
            Some(stored) => verify(&stored, &password, cost),
            None => verify(&nobodys_hash(cost), &password, cost).map(|_| PasswordCheck::Wrong),
        })
        .await?
    }

    async fn work<T: Send + 'static>(
        &self,
        who: &HashPriority,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T> {
        let place = match who {
            HashPriority::Known(key) => self.known.enter(key).await,
            HashPriority::Stranger(address) => self.strangers.enter(address).await,
        };
        let place = place.map_err(|QueueFull| {
            Error::Limit("Too many people are signing in at this moment. Try again in a minute.".to_owned())
        })?;
        let done = tokio::task::spawn_blocking(move || {
            let result = job();
            drop(place);
            result
        });
        done.await.map_err(Error::internal)
    }
}

fn hash(password: &str, cost: HashCost) -> Result<String> {
    let params = Params::new(cost.memory_kib, cost.passes, LANES, None).expect("the parameters are in range");
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    let salt = SaltString::encode_b64(&random::<16>()).map_err(Error::internal)?;
    let hash = argon2.hash_password(password.as_bytes(), &salt).map_err(Error::internal)?;
    Ok(hash.to_string())
}

/// With the work that the stored hash took.
fn verify(stored: &str, password: &str, cost: HashCost) -> Result<PasswordCheck> {
    let hash = PasswordHash::new(stored).map_err(Error::internal)?;
    match Argon2::default().verify_password(password.as_bytes(), &hash) {
        Ok(()) if is_weak(&hash, cost)? => Ok(PasswordCheck::RightButWeak),
        Ok(()) => Ok(PasswordCheck::Right),
        Err(argon2::password_hash::Error::Password) => Ok(PasswordCheck::Wrong),
        Err(error) => Err(Error::internal(error)),
    }
}

fn is_weak(hash: &PasswordHash<'_>, cost: HashCost) -> Result<bool> {
    let params = Params::try_from(hash).map_err(Error::internal)?;
    let is_less = params.m_cost() < cost.memory_kib || params.t_cost() < cost.passes;
    Ok(hash.algorithm != ARGON2ID_IDENT || is_less)
}

/// A well-formed hash of full work that belongs to no password.
fn nobodys_hash(HashCost { memory_kib, passes }: HashCost) -> String {
    let (salt, output) = ("A".repeat(22), "A".repeat(43));
    format!("$argon2id$v=19$m={memory_kib},t={passes},p={LANES}${salt}${output}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::future::join_all;

    #[tokio::test]
    async fn a_password_is_found_right_or_wrong() {
        let passwords = Passwords::new(HashCost::default());
        let stored = passwords.hash(&HashPriority::person("ada"), "correct horse").await.unwrap();
        assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{stored}");
        check(&passwords, Some(&stored), "correct horse", PasswordCheck::Right).await;
        check(&passwords, Some(&stored), "correct horse ", PasswordCheck::Wrong).await;
        check(&passwords, Some(&stored), "", PasswordCheck::Wrong).await;
        check(&passwords, None, "correct horse", PasswordCheck::Wrong).await;
    }

    #[tokio::test]
    async fn hashes_of_less_work_are_found_weak() {
        for (algorithm, memory, passes, expected) in [
            (Algorithm::Argon2id, 19_456, 2, PasswordCheck::Right),
            (Algorithm::Argon2id, 19_464, 3, PasswordCheck::Right),
            (Algorithm::Argon2id, 19_455, 2, PasswordCheck::RightButWeak),
            (Algorithm::Argon2id, 19_456, 1, PasswordCheck::RightButWeak),
            (Algorithm::Argon2i, 19_456, 2, PasswordCheck::RightButWeak),
        ] {
            let params = Params::new(memory, passes, LANES, None).unwrap();
            let salt = SaltString::encode_b64(&[7; 16]).unwrap();
            let stored = Argon2::new(algorithm, Version::V0x13, params)
                .hash_password(b"correct horse", &salt)
                .unwrap();
            check(&Passwords::new(HashCost::default()), Some(&stored.to_string()), "correct horse", expected)
                .await;
        }
    }

    #[test]
    fn an_unknown_name_costs_the_same_work() {
        let text = nobodys_hash(HashCost::default());
        let hash = PasswordHash::new(&text).unwrap();
        let params = Params::try_from(&hash).unwrap();
        assert_eq!((params.m_cost(), params.t_cost(), params.p_cost()), (19_456, 2, LANES));
        assert_eq!(hash.hash.map(|output| output.len()), Some(32));
    }

    #[tokio::test]
    async fn a_flood_is_turned_away_and_keeps_out_nobody_who_is_known_or_comes_from_elsewhere() {
        let passwords = Passwords::new(HashCost::default());
        let flood = HashPriority::Stranger("192.0.2.1".to_owned());
        let waiting = join_all((0..100).map(|_| passwords.hash(&flood, "correct horse")));
        let others = [HashPriority::person("ada"), HashPriority::Stranger("198.51.100.1".to_owned())];
        let others = join_all(others.iter().map(|who| passwords.hash(who, "correct horse")));
        let (flooded, others) = tokio::join!(waiting, others);
        let turned_away = flooded.iter().filter(|hash| matches!(hash, Err(Error::Limit(_)))).count();
        assert_eq!(turned_away, 100 - 1 - WAITING);
        assert!(others.iter().all(Result::is_ok));
    }

    async fn check(passwords: &Passwords, stored: Option<&str>, password: &str, expected: PasswordCheck) {
        let verdict = passwords
            .verify(&HashPriority::person("ada"), stored.map(str::to_owned), password)
            .await
            .unwrap();
        assert_eq!(verdict, expected, "{stored:?} {password:?}");
    }
}
