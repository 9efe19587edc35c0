//! Public keys as authenticators give them (COSE, RFC 9053), of the three kinds that every one of them
//! speaks.

use super::Unfit;
use ciborium::Value;
use ring::signature::{
    ECDSA_P256_SHA256_ASN1, ED25519, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents, UnparsedPublicKey,
};

/// The numbers of the algorithms, the one that is liked best first.
pub(super) const ALGORITHMS: [i64; 3] = [ES256, ED_DSA, RS256];

const ES256: i64 = -7;
const ED_DSA: i64 = -8;
const RS256: i64 = -257;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PublicKey {
    /// A point that is not compressed.
    P256(Vec<u8>),
    Ed25519(Vec<u8>),
    Rsa {
        n: Vec<u8>,
        e: Vec<u8>,
    },
}

impl PublicKey {
    /// Reads one key from the front of `bytes`, which goes on behind it.
    pub(super) fn read(bytes: &mut &[u8]) -> Result<Self, Unfit> {
        let Ok(Value::Map(fields)) = ciborium::from_reader::<Value, _>(bytes) else { return Err(Unfit::Key) };
        let field = |label: i64| {
            let found = fields.iter().find(|(key, _)| key.as_integer() == Some(label.into()));
            found.map(|(_, value)| value)
        };
        let number = |label| field(label)?.as_integer().and_then(|number| i64::try_from(number).ok());
        let octets = |label| field(label).and_then(Value::as_bytes).cloned();
        let sized = |label, size| octets(label).filter(|bytes| bytes.len() == size);
        let key = match (number(1), number(3), number(-1)) {
            (Some(2), Some(ES256), Some(1)) => sized(-2, 32)
                .zip(sized(-3, 32))
                .map(|(x, y)| Self::P256([&[4], x.as_slice(), y.as_slice()].concat())),
            (Some(1), Some(ED_DSA), Some(6)) => sized(-2, 32).map(Self::Ed25519),
            (Some(3), Some(RS256), _) => octets(-1).zip(octets(-2)).map(|(n, e)| Self::Rsa { n, e }),
            _ => None,
        };
        key.ok_or(Unfit::Key)
    }

    pub(super) fn verify(&self, message: &[u8], signature: &[u8]) -> Result<(), Unfit> {
        let verdict = match self {
            Self::P256(point) => {
                UnparsedPublicKey::new(&ECDSA_P256_SHA256_ASN1, point).verify(message, signature)
            }
            Self::Ed25519(point) => UnparsedPublicKey::new(&ED25519, point).verify(message, signature),
            Self::Rsa { n, e } => {
                RsaPublicKeyComponents { n, e }.verify(&RSA_PKCS1_2048_8192_SHA256, message, signature)
            }
        };
        verdict.map_err(|_| Unfit::Signature)
    }
}
