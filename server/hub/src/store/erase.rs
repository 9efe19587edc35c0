//! Leaving nothing behind of somebody. SQLite keeps what was deleted in the free parts of its file, and words of it in
//! its full-text index: the file is written anew, and the index is read anew when somebody searches.

use super::group::Writer;
use super::{Dialect, Store, Transaction, Writers, query};
use crate::clock::new_id;
use crate::error::{Error, Result};
use protocol::words;
use std::time::Duration;

/// The setting that says that the file is to be written anew, with a name for what was removed last.
const DUE: &str = "pack_due";
/// How often it is tried to take in what is beside the file, and the pause between: who reads stands in its way.
const TRIES: usize = 120;
const AGAIN: Duration = Duration::from_millis(500);
/// Bytes of a file that is written anew at night alone: nobody writes meanwhile.
const LARGE: u64 = 1024 * 1024 * 1024;
const DAY_MS: i64 = 24 * 60 * 60 * 1000;
/// Of the day (UTC).
const NIGHT_MS: i64 = 2 * 60 * 60 * 1000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PackTime {
    Day,
    Night,
}

/// How long it is until the next night begins.
pub(crate) fn ms_to_night(now: i64) -> i64 {
    DAY_MS - (now - NIGHT_MS).rem_euclid(DAY_MS)
}

impl Store {
    /// Nothing that this transaction deletes is to be left. [`Self::pack`] sees to it once it is committed.
    pub(crate) async fn leave_nothing(&self, tx: &mut Transaction) -> Result<()> {
        if self.dialect() == Dialect::Postgres {
            return Ok(());
        }
        let let_go = [
            "DROP TRIGGER IF EXISTS search_documents_gone",
            "DROP TABLE IF EXISTS search_index",
            "DELETE FROM search_documents",
            // Not deleted: who is reading a log finds that it is not where they were.
            "UPDATE search_progress SET seq = 0",
        ];
        for statement in let_go.iter().chain(self.dialect().full_text()) {
            query(*statement, ()).execute(&mut **tx).await?;
        }
        query(
            "INSERT INTO settings (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE
             SET value = excluded.value",
            (DUE, new_id()),
        )
        .execute(&mut **tx)
        .await?;
        Ok(())
    }

    /// Writes the file anew, until nothing is left of what was removed, also meanwhile.
    /// Fails where that is to wait for the night, or for room.
    pub(crate) async fn pack(&self, time: PackTime) -> Result<()> {
        let Writers::Sqlite(writer) = &self.writers else { return Ok(()) };
        let _turn = writer.turn_to_pack().await;
        while let Some(due) = self.pack_due().await? {
            if let Some(why) = obstacle(self.bytes().await?, writer.free(), time) {
                return Err(Error::Conflict(why.to_owned()));
            }
            writer.pack().await?;
            take_in_log(writer).await?;
            let mut tx = self.write_uncached().await?;
            query("DELETE FROM settings WHERE key = $1 AND value = $2", (DUE, &due))
                .execute(&mut *tx)
                .await?;
            tx.commit().await?;
        }
        Ok(())
    }

    async fn pack_due(&self) -> Result<Option<String>> {
        query("SELECT value FROM settings WHERE key = $1", (DUE,)).fetch_optional(self.read()).await
    }
}

/// Leaves nothing beside the file.
async fn take_in_log(writer: &Writer) -> Result<()> {
    for _ in 0..TRIES {
        if writer.take_in_log().await? {
            return Ok(());
        }
        tokio::time::sleep(AGAIN).await;
    }
    Err(Error::Conflict("Something has been reading the database file for a minute.".to_owned()))
}

/// Why a file of this size is not written anew now. What is written stands beside it until it is taken in, and in a file
/// for the time being before.
fn obstacle(bytes: u64, free: Option<u64>, time: PackTime) -> Option<&'static str> {
    if free.is_some_and(|free| free < bytes.saturating_mul(2)) {
        return Some(words!("The disk has less room than twice the database file takes. Make room."));
    }
    if bytes > LARGE && time == PackTime::Day {
        return Some(words!(
            "The database file is large, and nothing can be saved while it is written anew."
        ));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_file_waits_for_the_night_and_every_one_for_room() {
        use PackTime::{Day, Night};
        for (bytes, free, time, waits_for) in [
            (LARGE, Some(2 * LARGE), Day, None),
            (LARGE + 1, None, Day, Some("large")),
            (LARGE + 1, None, Night, None),
            (LARGE, Some(2 * LARGE - 1), Night, Some("room")),
        ] {
            let why = obstacle(bytes, free, time);
            assert_eq!(why.is_some(), waits_for.is_some(), "{bytes} {free:?} {time:?}");
            assert!(why.unwrap_or_default().contains(waits_for.unwrap_or_default()), "{why:?}");
        }
        let hour = 60 * 60 * 1000;
        for (now, left) in [(0, 2), (2, 24), (3, 23), (25, 1)] {
            assert_eq!(ms_to_night(now * hour), left * hour, "{now}");
        }
    }
}
