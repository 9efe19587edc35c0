//! Guessing passwords: after some failures for a name, a wait that grows. It is the same whether or
//! not the person exists, and it does not touch those who are signed in.

use crate::Hub;
use crate::error::{Error, Result};
use sqlx::Row;

/// Failures that are forgotten after this time without another one.
const MEMORY_MS: i64 = 15 * 60 * 1000;
const FREE_ATTEMPTS: i64 = 5;
const FIRST_WAIT_MS: i64 = 30 * 1000;

impl Hub {
    /// Books an attempt before the password is looked at, so that many at once count as many.
    /// What succeeds is forgotten with [`Hub::forget_attempts`].
    pub(super) async fn count_attempt(&self, login: &str) -> Result<()> {
        let now = self.now();
        let mut tx = self.store.write().await?;
        sqlx::query("DELETE FROM sign_in_failures WHERE last_at <= $1")
            .bind(now - MEMORY_MS)
            .execute(&mut *tx)
            .await?;
        // The update that changes nothing takes the row's lock, for another attempt at this moment.
        let row = sqlx::query(
            "INSERT INTO sign_in_failures (login, count, last_at) VALUES ($1, 0, $2)
             ON CONFLICT (login) DO UPDATE SET count = sign_in_failures.count
             RETURNING count, last_at",
        )
        .bind(login)
        .bind(now)
        .fetch_one(&mut *tx)
        .await?;
        let (failures, last_at): (i64, i64) = (row.try_get("count")?, row.try_get("last_at")?);
        let remaining = remaining_ms(failures, last_at, now);
        if remaining > 0 {
            return Err(Error::Limit(refusal(remaining)));
        }
        sqlx::query("UPDATE sign_in_failures SET count = $1, last_at = $2 WHERE login = $3")
            .bind(failures + 1)
            .bind(now)
            .bind(login)
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        Ok(())
    }

    pub(super) async fn forget_attempts(&self, login: &str) -> Result<()> {
        let mut tx = self.store.write().await?;
        sqlx::query("DELETE FROM sign_in_failures WHERE login = $1").bind(login).execute(&mut *tx).await?;
        tx.commit().await?;
        Ok(())
    }
}

/// What is left of the wait. Without one it is nothing, even for an attempt that looked at the clock
/// before another one at the same time and was booked after it.
fn remaining_ms(failures: i64, last_at: i64, now: i64) -> i64 {
    match wait_ms(failures) {
        0 => 0,
        wait => last_at + wait - now,
    }
}

/// How long after the last of so many failures the next attempt has to wait.
fn wait_ms(failures: i64) -> i64 {
    if failures < FREE_ATTEMPTS {
        return 0;
    }
    let doublings = (failures - FREE_ATTEMPTS).min(5);
    (FIRST_WAIT_MS << doublings).min(MEMORY_MS)
}

fn refusal(remaining_ms: i64) -> String {
    let seconds = (remaining_ms + 999) / 1000;
    let wait = match (seconds, (seconds + 59) / 60) {
        (1, _) => "1 second".to_owned(),
        (2..=59, _) => format!("{seconds} seconds"),
        (_, 1) => "1 minute".to_owned(),
        (_, minutes) => format!("{minutes} minutes"),
    };
    format!("Too many failed attempts for this name. Try again in {wait}.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_free_attempt_does_not_wait_for_one_that_was_booked_a_moment_later() {
        assert_eq!(remaining_ms(FREE_ATTEMPTS - 1, 1_007, 1_000), 0);
        assert_eq!(remaining_ms(FREE_ATTEMPTS, 1_007, 1_000), FIRST_WAIT_MS + 7);
    }

    #[test]
    fn the_wait_grows_with_the_failures() {
        let waits: Vec<i64> = [0, 4, 5, 6, 7, 8, 9, 10, 1000].map(|failures| wait_ms(failures) / 1000).into();
        assert_eq!(waits, [0, 0, 30, 60, 120, 240, 480, 900, 900]);
    }

    #[test]
    fn the_refusal_says_when_to_try_again() {
        for (remaining_ms, expected) in [
            (1, "1 second"),
            (1001, "2 seconds"),
            (59_000, "59 seconds"),
            (60_000, "1 minute"),
            (60_001, "2 minutes"),
            (900_000, "15 minutes"),
        ] {
            assert_eq!(
                refusal(remaining_ms),
                format!("Too many failed attempts for this name. Try again in {expected}.")
            );
        }
    }
}
