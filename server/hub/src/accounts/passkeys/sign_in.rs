//! Signing in with a passkey, without name and password.

use super::answer::{Ceremony, ClientData, Signed};
use super::challenge::{self, Purpose};
use super::party::Party;
use super::{Unfit, party_of};
use crate::access::Visitor;
use crate::accounts::Accounts;
use crate::accounts::sessions::{self, NewSession};
use crate::audit::{Actor, AuditEvent};
use crate::error::{Error, Result};
use crate::store::{FromRow, Row, query};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use protocol::view::{AuditAction, Me, PasskeyChallenge};

/// What a browser brings. Everything is in base64url, and nothing of it is believed yet.
#[derive(Clone, Debug)]
pub struct PasskeyAnswer {
    /// Which passkey.
    pub credential: String,
    pub client_data: String,
    pub authenticator_data: String,
    pub signature: String,
    /// Whose it is, by what the passkey was made with.
    pub person: Option<String>,
}

/// What the hub knows of it.
struct StoredPasskey {
    me: Me,
    id: String,
    name: String,
    public_key: Vec<u8>,
    disabled: bool,
}

impl Accounts<'_> {
    /// Something for any passkey of this hub to sign.
    pub fn passkey_challenge(self, door: &str) -> Result<PasskeyChallenge> {
        let party = party_of(door)?;
        Ok(PasskeyChallenge { challenge: self.new_challenge(Purpose::SignIn), party: party.id })
    }

    /// Opens a fresh session.
    pub async fn sign_in_with_passkey<'a>(
        self,
        answer: &PasskeyAnswer,
        door: &str,
        visitor: impl Into<Visitor<'a>>,
    ) -> Result<NewSession> {
        let visitor = visitor.into();
        let party = party_of(door)?;
        let client_data = decode(&answer.client_data)?;
        let client = ClientData::read(&client_data, Ceremony::Get, &party).map_err(wrong)?;
        let until = self.check_challenge(Purpose::SignIn, &client.challenge)?;
        let known = self.passkey(&answer.credential).await?.ok_or_else(unknown)?;
        let sign_count = match verify(answer, &client_data, &known, &party) {
            Ok(sign_count) => i64::from(sign_count),
            Err(error) => {
                self.note_misfit(&known, &visitor, "a passkey whose answer does not fit").await?;
                return Err(error);
            }
        };
        if known.disabled {
            return Err(Error::Forbidden("This account is disabled. Ask the administrator of this hub."));
        }
        let now = self.hub.now();
        let mut tx = self.hub.store().write().await?;
        challenge::use_up(&mut tx, &client.challenge, until, now).await?;
        // Authenticators that do not count always say nothing.
        let used = query(
            "UPDATE passkeys SET sign_count = $1, last_used_at = $2
             WHERE id = $3 AND (sign_count < $1 OR (sign_count = 0 AND $1 = 0))",
            (sign_count, now, &known.id),
        )
        .execute(&mut *tx)
        .await?;
        if used == 0 {
            tx.rollback().await?;
            self.close_to(&known, &visitor).await?;
            return Err(Error::invalid(
                "This passkey was used elsewhere since, so there may be a copy of it. Sign in with your password, and remove it.",
            ));
        }
        let session = sessions::open(&mut tx, known.me, &visitor, now).await?;
        let device = sessions::device_name_of(&visitor);
        let line = AuditEvent::done(AuditAction::SignedIn, &session.viewer);
        self.hub
            .audit()
            .note(&mut tx, line.object(&format!("{device}, with the passkey {}", known.name)))
            .await?;
        tx.commit().await?;
        Ok(session)
    }

    async fn passkey(self, credential: &str) -> Result<Option<StoredPasskey>> {
        let row = query(
            "SELECT passkeys.id AS passkey, passkeys.name AS called, passkeys.public_key,
                    users.id, users.name, users.role, users.disabled
             FROM passkeys JOIN users ON users.id = passkeys.user_id WHERE passkeys.credential_id = $1",
            (credential,),
        )
        .fetch_optional::<Row>(self.hub.store().read())
        .await?;
        row.map(|row| {
            Ok(StoredPasskey {
                me: Me::from_row(&row)?,
                id: row.get("passkey")?,
                name: row.get("called")?,
                public_key: row.get("public_key")?,
                disabled: row.get("disabled")?,
            })
        })
        .transpose()
    }

    /// Lets nobody in with it any more: of two that count apart nobody can tell which is the person's, and
    /// either will be ahead at some time.
    async fn close_to(self, known: &StoredPasskey, visitor: &Visitor<'_>) -> Result<()> {
        let mut tx = self.hub.store().write().await?;
        query("UPDATE passkeys SET sign_count = $1 WHERE id = $2", (u32::MAX, &known.id))
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        self.note_misfit(known, visitor, "a passkey whose counter went back").await
    }

    async fn note_misfit(self, known: &StoredPasskey, visitor: &Visitor<'_>, what: &str) -> Result<()> {
        let mut tx = self.hub.store().write().await?;
        let line = AuditEvent::done(AuditAction::SignedIn, Actor::from(visitor)).refused();
        self.hub.audit().note(&mut tx, line.about(&known.me.id.0, &known.me.name).object(what)).await?;
        tx.commit().await?;
        Ok(())
    }
}

/// The counter, if the answer is that of this passkey and of its person.
fn verify(answer: &PasskeyAnswer, client_data: &[u8], known: &StoredPasskey, party: &Party) -> Result<u32> {
    if let Some(person) = &answer.person
        && decode(person)? != known.me.id.0.as_bytes()
    {
        return Err(unknown());
    }
    let (authenticator_data, signature) = (decode(&answer.authenticator_data)?, decode(&answer.signature)?);
    let signed = Signed { client_data, authenticator_data: &authenticator_data, signature: &signature };
    signed.verify(&known.public_key, party).map_err(wrong)
}

fn decode(text: &str) -> Result<Vec<u8>> {
    URL_SAFE_NO_PAD.decode(text).map_err(|_| wrong(Unfit::Format))
}

fn unknown() -> Error {
    Error::invalid(
        "This hub does not know this passkey; it may have been removed. Sign in with your password.",
    )
}

fn wrong(why: Unfit) -> Error {
    Error::invalid(match why {
        Unfit::Origin | Unfit::Party => "Your browser signed for another address than that of this hub.",
        Unfit::NobodyThere | Unfit::NotVerified => {
            "Your device did not check who uses it. Set up a PIN, a finger or a face on it, or sign in with your password."
        }
        Unfit::Format | Unfit::Ceremony | Unfit::Key | Unfit::Signature => {
            "The answer of your device does not fit. Try again, or sign in with your password."
        }
    })
}
