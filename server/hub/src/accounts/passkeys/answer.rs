//! What a browser and its authenticator say (WebAuthn, level 2), read and held against what was asked.
//! Pure: no clock, no database.

use super::Unfit;
use super::cose::PublicKey;
use super::party::Party;
use ciborium::Value;
use serde::Deserialize;
use sha2::{Digest, Sha256};

/// Somebody was there.
const PRESENT: u8 = 0x01;
/// The authenticator knows who: by a finger, a face or a PIN.
const VERIFIED: u8 = 0x04;
const CAN_BE_COPIED: u8 = 0x08;
const WAS_COPIED: u8 = 0x10;
const HAS_KEY: u8 = 0x40;
const HAS_EXTENSIONS: u8 = 0x80;
/// Hash, flags and counter.
const HEAD: usize = 32 + 1 + 4;
const LONGEST_ID: usize = 1023;

/// What the browser says that it asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ceremony {
    Create,
    Get,
}

/// What the browser puts before the authenticator's words.
#[derive(Debug, Deserialize)]
pub(super) struct ClientData {
    #[serde(rename = "type")]
    kind: String,
    /// The challenge that was answered.
    pub(super) challenge: String,
    origin: String,
    #[serde(default, rename = "crossOrigin")]
    cross_origin: bool,
}

impl ClientData {
    /// Whatever the challenge is good for is for the caller to say.
    pub(super) fn read(json: &[u8], ceremony: Ceremony, party: &Party) -> Result<Self, Unfit> {
        let data: Self = serde_json::from_slice(json).map_err(|_| Unfit::Format)?;
        let kind = match ceremony {
            Ceremony::Create => "webauthn.create",
            Ceremony::Get => "webauthn.get",
        };
        if data.kind != kind {
            return Err(Unfit::Ceremony);
        }
        if data.origin != party.origin || data.cross_origin {
            return Err(Unfit::Origin);
        }
        Ok(data)
    }
}

/// A passkey that was just made.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NewPasskey {
    pub(super) credential: Vec<u8>,
    /// As it came.
    pub(super) public_key: Vec<u8>,
    pub(super) sign_count: u32,
}

/// Reads what a new passkey is. Who made the authenticator is not asked (attestation `none`).
pub(super) fn made(attestation: &[u8], party: &Party) -> Result<NewPasskey, Unfit> {
    let mut rest = attestation;
    let Ok(Value::Map(fields)) = ciborium::from_reader::<Value, _>(&mut rest) else {
        return Err(Unfit::Format);
    };
    let data = fields.iter().find(|(key, _)| key.as_text() == Some("authData"));
    let data = data.and_then(|(_, value)| value.as_bytes()).ok_or(Unfit::Format)?;
    let (head, key) = head(data, party)?;
    if head.flags & HAS_KEY == 0 || key.len() < 18 {
        return Err(Unfit::Key);
    }
    let length = usize::from(u16::from_be_bytes([key[16], key[17]]));
    let (credential, key) = key[18..].split_at_checked(length).ok_or(Unfit::Format)?;
    if credential.is_empty() || length > LONGEST_ID {
        return Err(Unfit::Format);
    }
    let mut rest = key;
    PublicKey::read(&mut rest)?;
    let public_key = key[..key.len() - rest.len()].to_vec();
    if !rest.is_empty() && head.flags & HAS_EXTENSIONS == 0 {
        return Err(Unfit::Format);
    }
    Ok(NewPasskey { credential: credential.to_vec(), public_key, sign_count: head.sign_count })
}

/// What was signed with a passkey.
#[derive(Clone, Copy, Debug)]
pub(super) struct Signed<'a> {
    pub(super) client_data: &'a [u8],
    pub(super) authenticator_data: &'a [u8],
    pub(super) signature: &'a [u8],
}

impl Signed<'_> {
    /// The counter of the authenticator, if the passkey with this key signed it.
    pub(super) fn verify(&self, public_key: &[u8], party: &Party) -> Result<u32, Unfit> {
        let (head, rest) = head(self.authenticator_data, party)?;
        if !rest.is_empty() && head.flags & (HAS_EXTENSIONS | HAS_KEY) == 0 {
            return Err(Unfit::Format);
        }
        let digest = Sha256::digest(self.client_data);
        let message = [self.authenticator_data, digest.as_slice()].concat();
        PublicKey::read(&mut &*public_key)?.verify(&message, self.signature)?;
        Ok(head.sign_count)
    }
}

struct Head {
    flags: u8,
    sign_count: u32,
}

/// The part that both answers begin with.
fn head<'a>(data: &'a [u8], party: &Party) -> Result<(Head, &'a [u8]), Unfit> {
    let (head, rest) = data.split_first_chunk::<HEAD>().ok_or(Unfit::Format)?;
    if head[..32] != *Sha256::digest(party.id.as_bytes()) {
        return Err(Unfit::Party);
    }
    let flags = head[32];
    if flags & PRESENT == 0 {
        return Err(Unfit::NobodyThere);
    }
    if flags & VERIFIED == 0 {
        return Err(Unfit::NotVerified);
    }
    if flags & WAS_COPIED != 0 && flags & CAN_BE_COPIED == 0 {
        return Err(Unfit::Format);
    }
    let sign_count = u32::from_be_bytes([head[33], head[34], head[35], head[36]]);
    Ok((Head { flags, sign_count }, rest))
}
