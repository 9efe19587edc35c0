//! A device that holds a passkey, and can lie.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ciborium::Value;
use hub::PasskeyAnswer;
use protocol::view::{PasskeyChallenge, PasskeyOptions};
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::json;
use sha2::{Digest, Sha256};

pub const PRESENT: u8 = 0x01;
pub const VERIFIED: u8 = 0x04;
pub const COPIED: u8 = 0x10;
pub const HAS_KEY: u8 = 0x40;

/// What the browser and the device say besides their key.
#[derive(Clone, Debug)]
pub struct Words {
    pub kind: &'static str,
    pub challenge: String,
    pub origin: String,
    pub cross_origin: bool,
    pub party: String,
    pub flags: u8,
    pub count: u32,
    /// Bytes after the usual ones.
    pub more: Vec<u8>,
}

pub struct Authenticator {
    key: EcdsaKeyPair,
    pub credential: Vec<u8>,
    person: String,
    count: u32,
}

/// Client data and attestation.
pub struct Creation {
    pub client_data: String,
    pub attestation: String,
}

impl Authenticator {
    /// Makes a passkey as it was asked, but for what `lie` changes.
    pub fn make(options: &PasskeyOptions, origin: &str, lie: impl FnOnce(&mut Words)) -> (Self, Creation) {
        let random = SystemRandom::new();
        let algorithm = &ECDSA_P256_SHA256_ASN1_SIGNING;
        let document = EcdsaKeyPair::generate_pkcs8(algorithm, &random).expect("chance");
        let key = EcdsaKeyPair::from_pkcs8(algorithm, document.as_ref(), &random).expect("a key");
        let credential = hub::clock::random::<16>().to_vec();
        let mut words = Words {
            kind: "webauthn.create",
            challenge: options.challenge.clone(),
            origin: origin.to_owned(),
            cross_origin: false,
            party: options.party.clone(),
            flags: PRESENT | VERIFIED | HAS_KEY,
            count: 1,
            more: Vec::new(),
        };
        lie(&mut words);
        let device = Self { key, credential, person: options.person.clone(), count: words.count };
        let mut data = words.head();
        data.extend_from_slice(&[0; 16]);
        data.extend_from_slice(&16_u16.to_be_bytes());
        data.extend_from_slice(&device.credential);
        data.extend_from_slice(&device.public_key());
        data.extend_from_slice(&words.more);
        let attestation = Value::Map(vec![
            (Value::Text("fmt".to_owned()), Value::Text("none".to_owned())),
            (Value::Text("attStmt".to_owned()), Value::Map(Vec::new())),
            (Value::Text("authData".to_owned()), Value::Bytes(data)),
        ]);
        let creation =
            Creation { client_data: text(&words.client_data()), attestation: text(&encoded(&attestation)) };
        (device, creation)
    }

    /// Signs in as it was asked, but for what `lie` changes before the signature.
    pub fn sign(
        &mut self,
        challenge: &PasskeyChallenge,
        origin: &str,
        lie: impl FnOnce(&mut Words),
    ) -> PasskeyAnswer {
        self.count += u32::from(self.count > 0);
        let mut words = Words {
            kind: "webauthn.get",
            challenge: challenge.challenge.clone(),
            origin: origin.to_owned(),
            cross_origin: false,
            party: challenge.party.clone(),
            flags: PRESENT | VERIFIED,
            count: self.count,
            more: Vec::new(),
        };
        lie(&mut words);
        let (client_data, mut data) = (words.client_data(), words.head());
        data.extend_from_slice(&words.more);
        let message = [data.as_slice(), Sha256::digest(&client_data).as_slice()].concat();
        let signature = self.key.sign(&SystemRandom::new(), &message).expect("chance");
        PasskeyAnswer {
            credential: text(&self.credential),
            client_data: text(&client_data),
            authenticator_data: text(&data),
            signature: text(signature.as_ref()),
            person: Some(self.person.clone()),
        }
    }

    fn public_key(&self) -> Vec<u8> {
        let point = self.key.public_key().as_ref();
        let number = |number: i64| Value::Integer(number.into());
        encoded(&Value::Map(vec![
            (number(1), number(2)),
            (number(3), number(-7)),
            (number(-1), number(1)),
            (number(-2), Value::Bytes(point[1..33].to_vec())),
            (number(-3), Value::Bytes(point[33..].to_vec())),
        ]))
    }
}

impl Words {
    fn head(&self) -> Vec<u8> {
        let mut head = Sha256::digest(self.party.as_bytes()).to_vec();
        head.push(self.flags);
        head.extend_from_slice(&self.count.to_be_bytes());
        head
    }

    fn client_data(&self) -> Vec<u8> {
        let Self { kind, challenge, origin, cross_origin, .. } = self;
        json!({ "type": kind, "challenge": challenge, "origin": origin, "crossOrigin": cross_origin })
            .to_string()
            .into_bytes()
    }
}

fn encoded(value: &Value) -> Vec<u8> {
    let mut bytes = Vec::new();
    ciborium::into_writer(value, &mut bytes).expect("a vector takes any bytes");
    bytes
}

fn text(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}
