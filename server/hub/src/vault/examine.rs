//! How the stored secrets are, for whoever looks after the hub.

use super::{SEALING, SealedRow};
use crate::error::{Error, Result};
use crate::store::{FromRow, Row, query};
use crate::vault::{AssociatedData, Secrets};
use protocol::view::KeyStatus;

impl Secrets<'_> {
    /// Where the master key is, and what it seals.
    pub(crate) async fn status(self) -> Result<KeyStatus> {
        let keyring = &self.hub.vault().keyring;
        let secrets = query("SELECT COUNT(*) FROM secrets", ()).fetch_one(self.hub.store().read()).await?;
        Ok(KeyStatus { in_file: keyring.file().is_some(), rotating: keyring.is_rotating(), secrets })
    }

    /// Fails if the key that seals what is kept is not here, or the next start would not find it.
    pub async fn try_key(self) -> Result<()> {
        let keyring = &self.hub.vault().keyring;
        let sealing: Option<String> = query("SELECT value FROM settings WHERE key = $1", (SEALING,))
            .fetch_optional(self.hub.store().read())
            .await?;
        keyring.try_file().map_err(|error| Error::Conflict(error.to_string()))?;
        if sealing.is_some_and(|id| keyring.find(&id).is_none()) {
            return Err(Error::Conflict(
                "What the database keeps is sealed with another master key. Put the right one back."
                    .to_owned(),
            ));
        }
        Ok(())
    }

    /// Tries to open every secret and says in words how that went.
    pub async fn examine(self) -> Result<String> {
        let rows = query(
            "SELECT user_id, provider_id, purpose, server, key_id, sealed_key, sealed_value FROM secrets
             ORDER BY id",
            (),
        )
        .fetch_all::<Row>(self.hub.store().read())
        .await?;
        let mut closed = 0;
        for row in &rows {
            let (user, provider, purpose): (String, String, String) =
                (row.get("user_id")?, row.get("provider_id")?, row.get("purpose")?);
            let server: Option<String> = row.get("server")?;
            let place = AssociatedData {
                user: &user,
                provider: &provider,
                purpose: &purpose,
                server: server.as_deref(),
            };
            let sealed = SealedRow::from_row(row)?;
            closed += usize::from(self.hub.vault().open(place, &sealed).is_none());
        }
        let all = rows.len();
        if closed > 0 {
            return Err(Error::Conflict(format!(
                "{closed} of {all} stored keys cannot be opened with this master key. Put the right one back, or enter them again."
            )));
        }
        let rotating = match self.hub.vault().keyring.is_rotating() {
            true => "; a rotation of the master key is not done: `vivarium key rotate` goes on with it",
            false => "",
        };
        Ok(format!("{all} stored keys, and all of them open{rotating}"))
    }
}
