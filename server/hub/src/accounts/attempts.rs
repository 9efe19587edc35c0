//! Guessing: after some failures a wait that grows. Counted are the name, whether or not somebody has
//! it, and the network address; a browser that was signed in before has a count of its own, which
//! strangers cannot use up. Nobody who is signed in is touched.

use crate::Hub;
use crate::access::household;
use crate::error::{Error, Result};
use crate::store::Transaction;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use sqlx::Row;
use std::net::IpAddr;

/// Failures that are forgotten after this time without another one.
const MEMORY_MS: i64 = 15 * 60 * 1000;
const FIRST_WAIT_MS: i64 = 30 * 1000;

/// What failures are counted by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Counter {
    /// A network address, across all names.
    Address(String),
    /// A browser that was signed in before, for one name.
    Known(String),
    /// A login name, from anywhere else. It is kept as a keyed hash: it may be a password in the wrong
    /// field.
    Name(String),
    /// Somebody who is signed in and is asked for their password.
    Password(String),
}

impl Counter {
    pub(super) fn address(address: IpAddr) -> Self {
        Self::Address(household(address).to_string())
    }

    pub(super) fn name(key: &[u8; 32], login: &str) -> Self {
        let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("any length is a key");
        mac.update(login.as_bytes());
        Self::Name(URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes()))
    }

    fn kind(&self) -> &'static str {
        match self {
            Self::Address(_) => "address",
            Self::Known(_) => "known",
            Self::Name(_) => "name",
            Self::Password(_) => "password",
        }
    }

    fn key(&self) -> &str {
        match self {
            Self::Address(key) | Self::Known(key) | Self::Name(key) | Self::Password(key) => key,
        }
    }

    /// Failures before the first wait. Many people can share an address.
    fn free(&self) -> i64 {
        match self {
            Self::Address(_) => 20,
            Self::Known(_) | Self::Name(_) | Self::Password(_) => 5,
        }
    }

    fn refusal(&self, remaining_ms: i64) -> Error {
        let seconds = (remaining_ms + 999) / 1000;
        let wait = match (seconds, (seconds + 59) / 60) {
            (1, _) => "1 second".to_owned(),
            (2..=59, _) => format!("{seconds} seconds"),
            (_, 1) => "1 minute".to_owned(),
            (_, minutes) => format!("{minutes} minutes"),
        };
        let what = match self {
            Self::Address(_) => "from your network",
            Self::Known(_) | Self::Name(_) => "for this name",
            Self::Password(_) => "in a row",
        };
        Error::TooOften {
            message: format!("Too many failed attempts {what}. Try again in {wait}."),
            wait_seconds: u64::try_from(seconds).unwrap_or(1),
        }
    }
}

/// An attempt that was booked before anything was looked at. Left alone it stays a failure.
#[derive(Clone, Debug)]
#[must_use = "an attempt that is not settled is a failure"]
pub(super) struct Attempt(Vec<Booked>);

#[derive(Clone, Debug)]
struct Booked {
    counter: Counter,
    /// The failures with this one, and when it was booked.
    count: i64,
    at: i64,
    /// When the one before was booked.
    before_at: i64,
}

impl Hub {
    /// Books an attempt before anything is looked at, so that many at once count as many.
    pub(super) async fn count_attempt(&self, mut counters: Vec<Counter>) -> Result<Attempt> {
        // Always in the same order: two attempts wait for each other's rows one way round.
        counters.sort();
        let now = self.now();
        let mut tx = self.store.write().await?;
        sqlx::query("DELETE FROM attempts WHERE last_at <= $1")
            .bind(now - MEMORY_MS)
            .execute(&mut *tx)
            .await?;
        let mut booked = Vec::new();
        for counter in counters {
            booked.push(count(&mut tx, counter, now).await?);
        }
        tx.commit().await?;
        Ok(Attempt(booked))
    }
}

impl Attempt {
    /// Whether a counter has none left after this one.
    pub(super) fn is_last(&self) -> bool {
        self.0.iter().any(|booked| booked.count == booked.counter.free())
    }

    /// After a success. Of a name or browser everything is forgotten; of an address only this attempt,
    /// or else anybody with an account could guess on after each success of theirs.
    pub(super) async fn succeed(&self, tx: &mut Transaction) -> Result<()> {
        for booked in &self.0 {
            match booked.counter {
                Counter::Address(_) => booked.give_back(tx).await?,
                Counter::Known(_) | Counter::Name(_) | Counter::Password(_) => {
                    sqlx::query("DELETE FROM attempts WHERE kind = $1 AND key = $2")
                        .bind(booked.counter.kind())
                        .bind(booked.counter.key())
                        .execute(&mut **tx)
                        .await?;
                }
            }
        }
        Ok(())
    }

    /// It was no failure, but does not prove enough to forget others: as if it had not been.
    pub(super) async fn give_back(&self, tx: &mut Transaction) -> Result<()> {
        for booked in &self.0 {
            booked.give_back(tx).await?;
        }
        Ok(())
    }
}

impl Booked {
    /// The time goes back as well, unless another attempt came after: a wait that was over would begin
    /// anew with an attempt that does not count.
    async fn give_back(&self, tx: &mut Transaction) -> Result<()> {
        sqlx::query(
            "UPDATE attempts
             SET count = count - 1,
                 last_at = CASE WHEN count = $1 AND last_at = $2 THEN $3 ELSE last_at END
             WHERE kind = $4 AND key = $5 AND count > 0",
        )
        .bind(self.count)
        .bind(self.at)
        .bind(self.before_at)
        .bind(self.counter.kind())
        .bind(self.counter.key())
        .execute(&mut **tx)
        .await?;
        Ok(())
    }
}

async fn count(tx: &mut Transaction, counter: Counter, now: i64) -> Result<Booked> {
    // The update that changes nothing takes the row's lock, for another attempt at this moment.
    let row = sqlx::query(
        "INSERT INTO attempts (kind, key, count, last_at) VALUES ($1, $2, 0, $3)
         ON CONFLICT (kind, key) DO UPDATE SET count = attempts.count
         RETURNING count, last_at",
    )
    .bind(counter.kind())
    .bind(counter.key())
    .bind(now)
    .fetch_one(&mut **tx)
    .await?;
    let (failures, before_at): (i64, i64) = (row.try_get("count")?, row.try_get("last_at")?);
    let remaining = remaining_ms(failures - counter.free(), before_at, now);
    if remaining > 0 {
        return Err(counter.refusal(remaining));
    }
    sqlx::query("UPDATE attempts SET count = $1, last_at = $2 WHERE kind = $3 AND key = $4")
        .bind(failures + 1)
        .bind(now)
        .bind(counter.kind())
        .bind(counter.key())
        .execute(&mut **tx)
        .await?;
    Ok(Booked { counter, count: failures + 1, at: now, before_at })
}

/// What is left of the wait. Without one it is nothing, even for an attempt that looked at the clock
/// before another one at the same time and was booked after it.
fn remaining_ms(beyond: i64, last_at: i64, now: i64) -> i64 {
    match wait_ms(beyond) {
        0 => 0,
        wait => last_at + wait - now,
    }
}

/// How long after the last failure the next attempt has to wait, with so many failures beyond the free
/// ones.
fn wait_ms(beyond: i64) -> i64 {
    if beyond < 0 { 0 } else { (FIRST_WAIT_MS << beyond.min(5)).min(MEMORY_MS) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_free_attempt_does_not_wait_for_one_that_was_booked_a_moment_later() {
        assert_eq!(remaining_ms(-1, 1_007, 1_000), 0);
        assert_eq!(remaining_ms(0, 1_007, 1_000), FIRST_WAIT_MS + 7);
    }

    #[test]
    fn the_wait_grows_with_the_failures() {
        let waits: Vec<i64> = [-5, -1, 0, 1, 2, 3, 4, 5, 1000].map(|beyond| wait_ms(beyond) / 1000).into();
        assert_eq!(waits, [0, 0, 30, 60, 120, 240, 480, 900, 900]);
    }

    #[test]
    fn a_wait_is_told_in_words() {
        for (milliseconds, words, wait_seconds) in [
            (1, "1 second.", 1),
            (1500, "2 seconds.", 2),
            (59_001, "1 minute.", 60),
            (61_000, "2 minutes.", 61),
            (900_000, "15 minutes.", 900),
        ] {
            let refusal = Counter::Name("ada".to_owned()).refusal(milliseconds);
            assert_eq!(
                refusal.to_string(),
                format!("Too many failed attempts for this name. Try again in {words}")
            );
            assert!(matches!(refusal, Error::TooOften { wait_seconds: found, .. } if found == wait_seconds));
        }
    }
}
