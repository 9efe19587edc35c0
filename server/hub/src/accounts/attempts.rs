//! Guessing: after some failures a wait that grows. Counted are the name, whether or not somebody has
//! it, and the network address; a browser that was signed in before has a count of its own, which
//! strangers cannot use up. Nobody who is signed in is touched.

use crate::access::rate_limit_key;
use crate::accounts::Accounts;
use crate::clock::latest_end;
use crate::error::{Error, Result};
use crate::store::{Transaction, query};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use protocol::UserId;
use sha2::Sha256;
use std::net::IpAddr;

const FIRST_WAIT_MS: i64 = 30 * 1000;
/// The longest wait for a password, and how long its failures are kept without another one.
const LONGEST_WAIT_MS: i64 = 15 * 60 * 1000;
/// The same for a code: there are a million, three count at a time, and who is asked for one knew the
/// password. A day is waited for by its person as well, so a right one makes an end of it, and so do a passkey
/// and whoever owns the machine.
const LONGEST_WAIT_FOR_CODES_MS: i64 = 24 * 60 * 60 * 1000;
const MEMORY_OF_CODES_MS: i64 = 30 * LONGEST_WAIT_FOR_CODES_MS;

/// What failures are counted by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Counter {
    /// A network address, across all names.
    Address(String),
    /// A browser that was signed in before, for one name.
    Known(String),
    /// Codes of the second factor that somebody tried who knew the password: a person's, or of a browser
    /// that was signed in before.
    Code(String),
    /// A login name, from anywhere else. It is kept as a keyed hash: it may be a password in the wrong
    /// field.
    Name(String),
    /// Somebody who is signed in and is asked for their password.
    Password(String),
    /// Somebody who is signed in and names another person.
    Person(String),
}

impl Counter {
    pub(super) fn address(address: IpAddr) -> Self {
        Self::Address(rate_limit_key(address).to_string())
    }

    pub(super) fn name(key: &[u8; 32], login: &str) -> Self {
        let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("any length is a key");
        mac.update(login.as_bytes());
        Self::Name(URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes()))
    }

    /// For codes typed after the password: strangers who do not know it cannot use these up, and who does
    /// not those of a browser that is known.
    pub(super) fn code(person: &UserId, with_password: &[Self]) -> Self {
        let known = with_password.iter().find_map(|counter| match counter {
            Self::Known(key) => Some(key.clone()),
            Self::Address(_) | Self::Code(_) | Self::Name(_) | Self::Password(_) | Self::Person(_) => None,
        });
        Self::Code(known.unwrap_or_else(|| person.0.clone()))
    }

    /// For codes typed by somebody who is signed in.
    pub(super) fn code_again(person: &str) -> Self {
        Self::Code(format!("again {person}"))
    }

    fn kind(&self) -> &'static str {
        match self {
            Self::Address(_) => "address",
            Self::Code(_) => "code",
            Self::Known(_) => "known",
            Self::Name(_) => "name",
            Self::Password(_) => "password",
            Self::Person(_) => "person",
        }
    }

    fn key(&self) -> &str {
        match self {
            Self::Address(key)
            | Self::Code(key)
            | Self::Known(key)
            | Self::Name(key)
            | Self::Password(key)
            | Self::Person(key) => key,
        }
    }

    /// Failures before the first wait. Many people can share an address.
    fn free(&self) -> i64 {
        match self {
            Self::Address(_) => 20,
            Self::Code(_) | Self::Known(_) | Self::Name(_) | Self::Password(_) | Self::Person(_) => 5,
        }
    }

    fn longest_wait_ms(&self) -> i64 {
        match self {
            Self::Address(_) | Self::Known(_) | Self::Name(_) | Self::Password(_) | Self::Person(_) => {
                LONGEST_WAIT_MS
            }
            Self::Code(_) => LONGEST_WAIT_FOR_CODES_MS,
        }
    }

    /// How long after the last failure the next attempt has to wait, with so many failures.
    fn wait_ms(&self, failures: i64) -> i64 {
        let Ok(beyond) = u32::try_from(failures - self.free()) else { return 0 };
        FIRST_WAIT_MS.checked_shl(beyond.min(30)).unwrap_or(i64::MAX).min(self.longest_wait_ms())
    }

    /// What is left of the wait. Without one it is nothing, even for an attempt that looked at the clock
    /// before another one at the same time and was booked after it.
    fn remaining_ms(&self, failures: i64, last_at: i64, now: i64) -> i64 {
        match self.wait_ms(failures) {
            0 => 0,
            // Longer ago than that it was, whatever the clock says, if it has been set back since.
            _ if last_at > latest_end(self.longest_wait_ms(), now) => 0,
            wait => last_at + wait - now,
        }
    }

    fn refusal(&self, remaining_ms: i64) -> Error {
        let seconds = (remaining_ms + 999) / 1000;
        let minutes = (seconds + 59) / 60;
        let wait = match (seconds, minutes, (minutes + 59) / 60) {
            (1, ..) => "1 second".to_owned(),
            (2..=59, ..) => format!("{seconds} seconds"),
            (_, 1, _) => "1 minute".to_owned(),
            (_, 2..=90, _) => format!("{minutes} minutes"),
            (_, _, hours) => format!("{hours} hours"),
        };
        let what = match self {
            Self::Address(_) => "from your network",
            Self::Code(_) => "with a code",
            Self::Known(_) | Self::Name(_) => "for this name",
            Self::Password(_) => "in a row",
            Self::Person(_) => "to name somebody",
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
pub(super) struct Attempt(Vec<CountedAttempt>);

#[derive(Clone, Debug)]
struct CountedAttempt {
    counter: Counter,
    /// The failures with this one, and when it was booked.
    count: i64,
    at: i64,
    /// When the one before was booked.
    before_at: i64,
}

impl Accounts<'_> {
    /// Books an attempt before anything is looked at, so that many at once count as many.
    pub(super) async fn count_attempt(self, mut counters: Vec<Counter>) -> Result<Attempt> {
        // Always in the same order: two attempts wait for each other's rows one way round.
        counters.sort();
        let now = self.hub.now();
        let mut tx = self.hub.store().write().await?;
        query(
            "DELETE FROM attempts WHERE last_at <= $1 AND (kind <> 'code' OR last_at <= $2)",
            (now - LONGEST_WAIT_MS, now - MEMORY_OF_CODES_MS),
        )
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

/// Forgets the wrong codes of whoever knew the password of before.
pub(super) async fn forget_codes(tx: &mut Transaction, person: &str) -> Result<()> {
    query("DELETE FROM attempts WHERE kind = 'code' AND key = $1", (person,)).execute(&mut **tx).await?;
    Ok(())
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
                Counter::Code(_)
                | Counter::Known(_)
                | Counter::Name(_)
                | Counter::Password(_)
                | Counter::Person(_) => {
                    query(
                        "DELETE FROM attempts WHERE kind = $1 AND key = $2",
                        (booked.counter.kind(), booked.counter.key()),
                    )
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

impl CountedAttempt {
    /// The time goes back as well, unless another attempt came after: a wait that was over would begin
    /// anew with an attempt that does not count.
    async fn give_back(&self, tx: &mut Transaction) -> Result<()> {
        query(
            "UPDATE attempts
             SET count = count - 1,
                 last_at = CASE WHEN count = $1 AND last_at = $2 THEN $3 ELSE last_at END
             WHERE kind = $4 AND key = $5 AND count > 0",
            (self.count, self.at, self.before_at, self.counter.kind(), self.counter.key()),
        )
        .execute(&mut **tx)
        .await?;
        Ok(())
    }
}

async fn count(tx: &mut Transaction, counter: Counter, now: i64) -> Result<CountedAttempt> {
    // The update that changes nothing takes the row's lock, for another attempt at this moment.
    let (failures, before_at): (i64, i64) = query(
        "INSERT INTO attempts (kind, key, count, last_at) VALUES ($1, $2, 0, $3)
         ON CONFLICT (kind, key) DO UPDATE SET count = attempts.count
         RETURNING count, last_at",
        (counter.kind(), counter.key(), now),
    )
    .fetch_one(&mut **tx)
    .await?;
    let remaining = counter.remaining_ms(failures, before_at, now);
    if remaining > 0 {
        return Err(counter.refusal(remaining));
    }
    query(
        "UPDATE attempts SET count = $1, last_at = $2 WHERE kind = $3 AND key = $4",
        (failures + 1, now, counter.kind(), counter.key()),
    )
    .execute(&mut **tx)
    .await?;
    Ok(CountedAttempt { counter, count: failures + 1, at: now, before_at })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_free_attempt_does_not_wait_for_one_that_was_booked_a_moment_later() {
        let name = Counter::Name("ada".to_owned());
        assert_eq!(name.remaining_ms(4, 1_007, 1_000), 0);
        assert_eq!(name.remaining_ms(5, 1_007, 1_000), FIRST_WAIT_MS + 7);
    }

    #[test]
    fn the_wait_grows_with_the_failures() {
        let name = Counter::Name("ada".to_owned());
        let code = Counter::Code("ada".to_owned());
        let waits = |counter: &Counter| {
            [0, 4, 5, 6, 7, 8, 9, 10, 16, 17, 1000].map(|failures| counter.wait_ms(failures) / 1000)
        };
        assert_eq!(waits(&name), [0, 0, 30, 60, 120, 240, 480, 900, 900, 900, 900]);
        assert_eq!(waits(&code), [0, 0, 30, 60, 120, 240, 480, 960, 61_440, 86_400, 86_400]);
    }

    #[test]
    fn a_wait_is_told_in_words() {
        for (milliseconds, words, wait_seconds) in [
            (1, "1 second.", 1),
            (1500, "2 seconds.", 2),
            (59_001, "1 minute.", 60),
            (61_000, "2 minutes.", 61),
            (900_000, "15 minutes.", 900),
            (5_400_000, "90 minutes.", 5_400),
            (5_460_000, "2 hours.", 5_460),
            (86_400_000, "24 hours.", 86_400),
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
