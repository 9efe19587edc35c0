//! Hashing and checking passwords: argon2id, beside the async threads, only so many at once.

use crate::clock::random;
use crate::error::{Error, Result};
use argon2::password_hash::{PasswordHash, PasswordHasher, PasswordVerifier, SaltString};
use argon2::{ARGON2ID_IDENT, Algorithm, Argon2, Params, Version};
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Work of one hash: the floor that OWASP names.
const MEMORY_KIB: u32 = 19_456;
const PASSES: u32 = 2;
const LANES: u32 = 1;

/// How many may wait for a hash. One more is turned away: a flood must not pile up.
const WAITING: usize = 64;

#[derive(Debug)]
pub(crate) struct Passwords {
    queue: Arc<Semaphore>,
    permits: Arc<Semaphore>,
}

/// What a check of a password found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Wrong,
    Right,
    /// Right, but the stored hash took less work than hashes should: store a new one.
    RightButWeak,
}

impl Default for Passwords {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self { queue: Arc::new(Semaphore::new(WAITING)), permits: Arc::new(Semaphore::new(cores.min(2))) }
    }
}

impl Passwords {
    pub(super) async fn hash(&self, password: &str) -> Result<String> {
        let password = password.to_owned();
        self.work(move || hash(&password)).await?
    }

    /// Compares with the stored hash. Without one (nobody has that name) it does the same work.
    pub(super) async fn verify(&self, stored: Option<String>, password: &str) -> Result<Verdict> {
        let password = password.to_owned();
        self.work(move || match stored {
            Some(stored) => verify(&stored, &password),
            None => verify(&nobodys_hash(), &password).map(|_| Verdict::Wrong),
        })
        .await?
    }

    async fn work<T: Send + 'static>(&self, job: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        let Ok(place) = Arc::clone(&self.queue).try_acquire_owned() else {
            return Err(Error::Limit(
                "Too many people are signing in at this moment. Try again in a minute.".to_owned(),
            ));
        };
        let permit = self.permit().await;
        let done = tokio::task::spawn_blocking(move || {
            let result = job();
            drop((permit, place));
            result
        });
        done.await.map_err(Error::internal)
    }

    async fn permit(&self) -> OwnedSemaphorePermit {
        Arc::clone(&self.permits).acquire_owned().await.expect("the semaphore is never closed")
    }
}

fn argon2() -> Argon2<'static> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, None).expect("the parameters are in range");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

fn hash(password: &str) -> Result<String> {
    let salt = SaltString::encode_b64(&random::<16>()).map_err(Error::internal)?;
    let hash = argon2().hash_password(password.as_bytes(), &salt).map_err(Error::internal)?;
    Ok(hash.to_string())
}

fn verify(stored: &str, password: &str) -> Result<Verdict> {
    let hash = PasswordHash::new(stored).map_err(Error::internal)?;
    match argon2().verify_password(password.as_bytes(), &hash) {
        Ok(()) if is_weak(&hash)? => Ok(Verdict::RightButWeak),
        Ok(()) => Ok(Verdict::Right),
        Err(argon2::password_hash::Error::Password) => Ok(Verdict::Wrong),
        Err(error) => Err(Error::internal(error)),
    }
}

fn is_weak(hash: &PasswordHash<'_>) -> Result<bool> {
    let params = Params::try_from(hash).map_err(Error::internal)?;
    Ok(hash.algorithm != ARGON2ID_IDENT || params.m_cost() < MEMORY_KIB || params.t_cost() < PASSES)
}

/// A well-formed hash of full work that belongs to no password.
fn nobodys_hash() -> String {
    let (salt, output) = ("A".repeat(22), "A".repeat(43));
    format!("$argon2id$v=19$m={MEMORY_KIB},t={PASSES},p={LANES}${salt}${output}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_password_is_found_right_or_wrong() {
        let passwords = Passwords::default();
        let stored = passwords.hash("correct horse").await.unwrap();
        assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{stored}");
        check(&passwords, Some(&stored), "correct horse", Verdict::Right).await;
        check(&passwords, Some(&stored), "correct horse ", Verdict::Wrong).await;
        check(&passwords, Some(&stored), "", Verdict::Wrong).await;
        check(&passwords, None, "correct horse", Verdict::Wrong).await;
    }

    #[tokio::test]
    async fn hashes_of_less_work_are_found_weak() {
        for (algorithm, memory, passes, lanes, expected) in [
            (Algorithm::Argon2id, MEMORY_KIB, PASSES, LANES, Verdict::Right),
            (Algorithm::Argon2id, MEMORY_KIB + 8, PASSES + 1, LANES, Verdict::Right),
            (Algorithm::Argon2id, MEMORY_KIB - 1, PASSES, LANES, Verdict::RightButWeak),
            (Algorithm::Argon2id, MEMORY_KIB, PASSES - 1, LANES, Verdict::RightButWeak),
            (Algorithm::Argon2i, MEMORY_KIB, PASSES, LANES, Verdict::RightButWeak),
        ] {
            let params = Params::new(memory, passes, lanes, None).unwrap();
            let salt = SaltString::encode_b64(&[7; 16]).unwrap();
            let stored = Argon2::new(algorithm, Version::V0x13, params)
                .hash_password(b"correct horse", &salt)
                .unwrap();
            check(&Passwords::default(), Some(&stored.to_string()), "correct horse", expected).await;
        }
    }

    #[test]
    fn an_unknown_name_costs_the_same_work() {
        let text = nobodys_hash();
        let hash = PasswordHash::new(&text).unwrap();
        let params = Params::try_from(&hash).unwrap();
        assert_eq!((params.m_cost(), params.t_cost(), params.p_cost()), (MEMORY_KIB, PASSES, LANES));
        assert_eq!(hash.hash.map(|output| output.len()), Some(32));
    }

    #[tokio::test]
    async fn a_flood_is_turned_away() {
        let passwords = Passwords::default();
        let _all =
            Arc::clone(&passwords.queue).try_acquire_many_owned(u32::try_from(WAITING).unwrap()).unwrap();
        assert!(matches!(passwords.hash("correct horse").await, Err(Error::Limit(_))));
    }

    async fn check(passwords: &Passwords, stored: Option<&str>, password: &str, expected: Verdict) {
        let verdict = passwords.verify(stored.map(str::to_owned), password).await.unwrap();
        assert_eq!(verdict, expected, "{stored:?} {password:?}");
    }
}
