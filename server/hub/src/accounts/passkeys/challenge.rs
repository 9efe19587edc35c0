//! Challenges: what an authenticator signs. A challenge carries its own end and a signature of the hub's
//! over what it is for, so that nothing is kept for strangers who ask for one; one that was answered is
//! written down until its end.

use super::super::secrets::stored;
use crate::accounts::Accounts;
use crate::clock::{is_good, random};
use crate::error::{Error, Result};
use crate::store::{Transaction, query};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

const VALID_MS: i64 = 10 * 60 * 1000;
const NONCE: usize = 16;
const END: usize = 8;

/// What the answer is to do.
#[derive(Clone, Copy, Debug)]
pub(super) enum Purpose<'a> {
    SignIn,
    /// To add a passkey for this person.
    Add(&'a str),
}

impl Accounts<'_> {
    pub(super) fn new_challenge(self, purpose: Purpose<'_>) -> String {
        let until = self.hub.now() + VALID_MS;
        let mut bytes = random::<NONCE>().to_vec();
        bytes.extend_from_slice(&until.to_be_bytes());
        let mac = self.challenge_mac(purpose, &bytes).finalize().into_bytes();
        bytes.extend_from_slice(&mac);
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// When it ends. Fails if it is over, or is not one of this hub's for this purpose.
    pub(super) fn check_challenge(self, purpose: Purpose<'_>, challenge: &str) -> Result<i64> {
        let bytes = URL_SAFE_NO_PAD.decode(challenge).map_err(|_| over())?;
        let (signed, mac) = bytes.split_at_checked(NONCE + END).ok_or_else(over)?;
        self.challenge_mac(purpose, signed).verify_slice(mac).map_err(|_| over())?;
        let until = signed[NONCE..].try_into().map(i64::from_be_bytes).map_err(|_| over())?;
        if is_good(until, VALID_MS, self.hub.now()) { Ok(until) } else { Err(over()) }
    }

    fn challenge_mac(self, purpose: Purpose<'_>, signed: &[u8]) -> Hmac<Sha256> {
        let key = self.hub.vault().signing_key("passkey challenge");
        let mut mac = Hmac::new_from_slice(&key).expect("HMAC takes keys of any length");
        let (what, user) = match purpose {
            Purpose::SignIn => (0, ""),
            Purpose::Add(user) => (1, user),
        };
        mac.update(&[what]);
        mac.update(signed);
        mac.update(user.as_bytes());
        mac
    }
}

/// Of two answers to one challenge the first counts.
pub(super) async fn use_up(tx: &mut Transaction, challenge: &str, until: i64, now: i64) -> Result<()> {
    query("DELETE FROM used_challenges WHERE expires_at <= $1", (now,)).execute(&mut **tx).await?;
    let used = query(
        "INSERT INTO used_challenges (challenge_hash, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING",
        (stored(challenge), until),
    )
    .execute(&mut **tx)
    .await?;
    if used == 0 { Err(over()) } else { Ok(()) }
}

pub(super) fn over() -> Error {
    Error::invalid("This took too long, or was answered already. Try it again.")
}
