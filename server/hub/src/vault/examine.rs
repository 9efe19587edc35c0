//! How the stored secrets are, for whoever looks after the hub.

use super::{SealedRow, sealed_row};
use crate::Hub;
use crate::error::{Error, Result};
use crate::vault::Place;
use sqlx::Row as _;

impl Hub {
    /// Tries to open every secret and says in words how that went.
    pub async fn examine_secrets(&self) -> Result<String> {
        let rows = sqlx::query(
            "SELECT user_id, provider_id, purpose, key_id, sealed_key, sealed_value FROM secrets ORDER BY id",
        )
        .fetch_all(self.store.read())
        .await?;
        let mut closed = 0;
        for row in &rows {
            let (user, provider, purpose): (String, String, String) =
                (row.try_get("user_id")?, row.try_get("provider_id")?, row.try_get("purpose")?);
            let place = Place { user: &user, provider: &provider, purpose: &purpose };
            let sealed: SealedRow = sealed_row(row)?;
            closed += usize::from(self.vault.open(place, &sealed).is_none());
        }
        let all = rows.len();
        if closed > 0 {
            return Err(Error::Conflict(format!(
                "{closed} of {all} stored keys cannot be opened with this master key. Put the right one back, or enter them again."
            )));
        }
        let rotating = match self.vault.keyring.is_rotating() {
            true => "; a rotation of the master key is not done: `vivarium key rotate` goes on with it",
            false => "",
        };
        Ok(format!("{all} stored keys, and all of them open{rotating}"))
    }
}
