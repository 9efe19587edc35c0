//! Passkeys: a key pair in the person's device, bound to the name of this hub. Each counts as both
//! factors, because it is taken only when the device made sure who uses it.

mod answer;
mod challenge;
mod cose;
mod party;
mod sign_in;
#[cfg(test)]
mod tests;

pub use sign_in::PasskeyAnswer;

use super::reauthenticate::Reauthenticated;
use super::rules::label;
use crate::accounts::{Accounts, OwnAccount};
use crate::audit::AuditEvent;
use crate::clock::new_id;
use crate::error::{Error, Result};
use crate::store;
use crate::store::{FromRow, Row, query};
use answer::{Ceremony, ClientData};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use challenge::Purpose;
use party::Party;
use protocol::PasskeyId;
use protocol::view::{AuditAction, PasskeyOptions, PasskeyPlace, PasskeyView};

const MAX_PASSKEYS: i64 = 20;

/// Why an answer does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unfit {
    Format,
    Ceremony,
    Origin,
    Party,
    NobodyThere,
    NotVerified,
    Key,
    Signature,
}

impl Accounts<'_> {
    /// Where passkeys work. `door` is the address that the hub is configured with, `origin` the one that
    /// the person reached it under.
    pub fn passkey_place(self, door: &str, origin: &str) -> PasskeyPlace {
        match Party::of(door) {
            None => PasskeyPlace::Nowhere,
            Some(party) if party.origin == origin => PasskeyPlace::Here,
            Some(party) if party.is_reachable_from(origin) => PasskeyPlace::At(party.origin),
            Some(_) => PasskeyPlace::Nowhere,
        }
    }

    /// Whether anybody here has one.
    pub async fn has_passkeys(self) -> Result<bool> {
        query("SELECT 1 FROM passkeys LIMIT 1", ()).exists(self.hub.store().read()).await
    }
}

impl OwnAccount<'_> {
    /// The person's passkeys, the oldest first.
    pub async fn passkeys(self) -> Result<Vec<PasskeyView>> {
        query(
            "SELECT id, name, created_at, last_used_at FROM passkeys WHERE user_id = $1 ORDER BY created_at,
                    id",
            (self.scoped.owner(),),
        )
        .fetch_all(self.scoped.hub.store().read())
        .await
    }

    /// What a browser needs to make one.
    pub async fn start_passkey(self, password: &str, door: &str) -> Result<PasskeyOptions> {
        let party = party_of(door)?;
        let Reauthenticated { attempt, .. } =
            self.password_again(password, AuditAction::PasskeyAdded).await?;
        let mut tx = self.scoped.hub.store().write().await?;
        attempt.succeed(&mut tx).await?;
        tx.commit().await?;
        let existing = query("SELECT credential_id FROM passkeys WHERE user_id = $1", (self.scoped.owner(),))
            .fetch_all(self.scoped.hub.store().read())
            .await?;
        Ok(PasskeyOptions {
            challenge: self.scoped.hub.accounts().new_challenge(Purpose::Add(self.scoped.owner())),
            party: party.id,
            person: URL_SAFE_NO_PAD.encode(self.scoped.owner()),
            name: self.scoped.viewer.me.name.clone(),
            algorithms: cose::ALGORITHMS.to_vec(),
            existing,
        })
    }

    /// Keeps a passkey that the person's device made. Both arguments are in base64url.
    pub async fn add_passkey(
        self,
        name: &str,
        client_data: &str,
        attestation: &str,
        door: &str,
    ) -> Result<PasskeyView> {
        let name = label("A passkey's name", name)?;
        let party = party_of(door)?;
        let client = ClientData::read(&decode(client_data)?, Ceremony::Create, &party).map_err(unusable)?;
        let until = self
            .scoped
            .hub
            .accounts()
            .check_challenge(Purpose::Add(self.scoped.owner()), &client.challenge)?;
        let made = answer::made(&decode(attestation)?, &party).map_err(unusable)?;
        let now = self.scoped.hub.now();
        let view = PasskeyView { id: new_id().into(), name, created_at: now, last_used_at: None };
        let mut tx = self.scoped.hub.store().write().await?;
        challenge::use_up(&mut tx, &client.challenge, until, now).await?;
        let count =
            query("SELECT count(*) AS count FROM passkeys WHERE user_id = $1", (self.scoped.owner(),))
                .fetch_one::<Row>(&mut *tx)
                .await?;
        if count.get::<i64>("count")? >= MAX_PASSKEYS {
            return Err(Error::Limit(format!(
                "You have {MAX_PASSKEYS} passkeys. Remove one that you do not use."
            )));
        }
        let added = query(
            "INSERT INTO passkeys (id, user_id, credential_id, public_key, sign_count, name, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (credential_id) DO NOTHING",
            (
                &view.id,
                self.scoped.owner(),
                URL_SAFE_NO_PAD.encode(&made.credential),
                &made.public_key,
                made.sign_count,
                &view.name,
                now,
            ),
        )
        .execute(&mut *tx)
        .await?;
        if added == 0 {
            return Err(Error::Conflict("This passkey is here already.".to_owned()));
        }
        let line = AuditEvent::done(AuditAction::PasskeyAdded, self.scoped.viewer).object(&view.name);
        self.scoped.hub.audit().note(&mut tx, line).await?;
        tx.commit().await?;
        Ok(view)
    }

    pub async fn remove_passkey(self, id: &PasskeyId) -> Result<()> {
        let mut tx = self.scoped.hub.store().write().await?;
        let name: String = query(
            "DELETE FROM passkeys WHERE id = $1 AND user_id = $2 RETURNING name",
            (id, self.scoped.owner()),
        )
        .fetch_optional(&mut *tx)
        .await?
        .ok_or(Error::NotFound("passkey"))?;
        let line = AuditEvent::done(AuditAction::PasskeyRemoved, self.scoped.viewer).object(&name);
        self.scoped.hub.audit().note(&mut tx, line).await?;
        tx.commit().await?;
        Ok(())
    }
}

fn party_of(door: &str) -> Result<Party> {
    Party::of(door).ok_or_else(|| {
        Error::Conflict(
            "Passkeys need a name and HTTPS, or localhost. Set VIVARIUM_PUBLIC_URL to the address of this hub."
                .to_owned(),
        )
    })
}

fn decode(text: &str) -> Result<Vec<u8>> {
    URL_SAFE_NO_PAD.decode(text).map_err(|_| unusable(Unfit::Format))
}

/// Of a new passkey: what to do about it.
fn unusable(why: Unfit) -> Error {
    Error::invalid(match why {
        Unfit::Origin | Unfit::Party => {
            "Your browser made this passkey for another address than that of this hub."
        }
        Unfit::NobodyThere | Unfit::NotVerified => {
            "This device does not check who uses it. Set up a PIN, a finger or a face on it, and try again."
        }
        Unfit::Key => "This device makes passkeys of a kind that the hub does not know.",
        Unfit::Format | Unfit::Ceremony | Unfit::Signature => {
            "The answer of your browser cannot be read. Try again."
        }
    })
}

impl FromRow for PasskeyView {
    fn from_row(row: &store::Row) -> Result<Self> {
        Ok(Self {
            id: row.get("id")?,
            name: row.get("name")?,
            created_at: row.get("created_at")?,
            last_used_at: row.get("last_used_at")?,
        })
    }
}
