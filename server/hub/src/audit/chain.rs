//! The chain and its seal: lines and ends as bytes that cannot stand for anything else.

use crate::error::Result;
use crate::store;
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;

/// A line as it is stored, without its hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StoredLine {
    pub(super) seq: i64,
    pub(super) at: i64,
    pub(super) action: String,
    pub(super) outcome: String,
    pub(super) actor: String,
    pub(super) actor_name: String,
    pub(super) via: String,
    pub(super) person: String,
    pub(super) person_name: String,
    pub(super) object: String,
    pub(super) address: String,
}

/// Which lines there have to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Head {
    /// The newest line, and its hash.
    pub(super) seq: i64,
    pub(super) hash: String,
    /// The oldest line that is kept, and the hash of the one before it.
    pub(super) first_seq: i64,
    pub(super) before_hash: String,
}

/// Lines in a row that were let go of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Gap {
    pub(super) first_seq: i64,
    pub(super) last_seq: i64,
    /// Of the last one.
    pub(super) hash: String,
}

impl StoredLine {
    /// Reads all columns but `hash`.
    pub(super) fn read(row: &store::Row) -> Result<Self> {
        Ok(Self {
            seq: row.get("seq")?,
            at: row.get("at")?,
            action: row.get("action")?,
            outcome: row.get("outcome")?,
            actor: row.get("actor")?,
            actor_name: row.get("actor_name")?,
            via: row.get("via")?,
            person: row.get("person")?,
            person_name: row.get("person_name")?,
            object: row.get("object")?,
            address: row.get("address")?,
        })
    }

    /// The hash that this line has behind one with the hash `before`.
    pub(super) fn hash(&self, before: &str) -> String {
        let texts = [
            &self.action,
            &self.outcome,
            &self.actor,
            &self.actor_name,
            &self.via,
            &self.person,
            &self.person_name,
            &self.object,
            &self.address,
        ];
        let mut bytes = Bytes::new("vivarium audit line");
        bytes.text(before).number(self.seq).number(self.at);
        for text in texts {
            bytes.text(text);
        }
        hex(&Sha256::digest(&bytes.0))
    }
}

impl Head {
    pub(super) fn seal(&self, key: &[u8; 32]) -> String {
        hex(&self.mac(key).finalize().into_bytes())
    }

    pub(super) fn fits(&self, key: &[u8; 32], seal: &str) -> bool {
        from_hex(seal).is_some_and(|seal| self.mac(key).verify_slice(&seal).is_ok())
    }

    fn mac(&self, key: &[u8; 32]) -> Hmac<Sha256> {
        let mut bytes = Bytes::new("vivarium audit head");
        bytes.number(self.seq).text(&self.hash).number(self.first_seq).text(&self.before_hash);
        let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("a key of any length will do");
        mac.update(&bytes.0);
        mac
    }
}

impl Gap {
    pub(super) fn seal(&self, key: &[u8; 32]) -> String {
        hex(&self.mac(key).finalize().into_bytes())
    }

    pub(super) fn fits(&self, key: &[u8; 32], seal: &str) -> bool {
        from_hex(seal).is_some_and(|seal| self.mac(key).verify_slice(&seal).is_ok())
    }

    fn mac(&self, key: &[u8; 32]) -> Hmac<Sha256> {
        let mut bytes = Bytes::new("vivarium audit gap");
        bytes.number(self.first_seq).number(self.last_seq).text(&self.hash);
        let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("a key of any length will do");
        mac.update(&bytes.0);
        mac
    }
}

/// Parts with their length in front, so that no two sequences of parts look the same.
struct Bytes(Vec<u8>);

impl Bytes {
    fn new(kind: &str) -> Self {
        let mut bytes = Self(Vec::new());
        bytes.text(kind);
        bytes
    }

    fn text(&mut self, text: &str) -> &mut Self {
        self.0.extend_from_slice(&(text.len() as u64).to_be_bytes());
        self.0.extend_from_slice(text.as_bytes());
        self
    }

    fn number(&mut self, number: i64) -> &mut Self {
        self.0.extend_from_slice(&number.to_be_bytes());
        self
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut hex, byte| {
        write!(hex, "{byte:02x}").expect("writing to a text cannot fail");
        hex
    })
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u32>> = text.chars().map(|digit| digit.to_digit(16)).collect();
    digits?.chunks_exact(2).map(|pair| u8::try_from(pair[0] * 16 + pair[1]).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_with_anything_else_in_it_has_another_hash() {
        let line = line();
        let hash = line.hash("before");
        let text = || "other".to_owned();
        let others = [
            StoredLine { seq: 8, ..line.clone() },
            StoredLine { at: 1, ..line.clone() },
            StoredLine { action: text(), ..line.clone() },
            StoredLine { outcome: text(), ..line.clone() },
            StoredLine { actor: text(), ..line.clone() },
            StoredLine { actor_name: text(), ..line.clone() },
            StoredLine { via: text(), ..line.clone() },
            StoredLine { person: text(), ..line.clone() },
            StoredLine { person_name: text(), ..line.clone() },
            StoredLine { object: text(), ..line.clone() },
            StoredLine { address: text(), ..line.clone() },
            // What moves from one field to the next.
            StoredLine { actor: "adaAda".to_owned(), actor_name: String::new(), ..line.clone() },
        ];
        for other in others {
            assert_ne!(other.hash("before"), hash, "{other:?}");
        }
        assert_ne!(line.hash("another"), hash);
        assert_eq!(line.hash("before"), hash);
    }

    #[test]
    fn a_seal_fits_its_own_end_and_key_only() {
        let head = Head { seq: 7, hash: "aa".to_owned(), first_seq: 3, before_hash: "bb".to_owned() };
        let seal = head.seal(&[7; 32]);
        assert!(head.fits(&[7; 32], &seal));
        assert!(!head.fits(&[8; 32], &seal));
        let others = [
            Head { seq: 6, ..head.clone() },
            Head { hash: "ab".to_owned(), ..head.clone() },
            Head { first_seq: 4, ..head.clone() },
            Head { before_hash: String::new(), ..head.clone() },
        ];
        for other in others {
            assert!(!other.fits(&[7; 32], &seal), "{other:?}");
        }
        for seal in ["", "zz", &seal[2..]] {
            assert!(!head.fits(&[7; 32], seal), "{seal}");
        }
    }

    fn line() -> StoredLine {
        let text = str::to_owned;
        StoredLine {
            seq: 7,
            at: 1_763_800_000_000,
            action: text("token_made"),
            outcome: text("done"),
            actor: text("ada"),
            actor_name: text("Ada"),
            via: text("browser"),
            person: text("ada"),
            person_name: text("Ada"),
            object: text("backup"),
            address: text("192.0.2.1"),
        }
    }
}
