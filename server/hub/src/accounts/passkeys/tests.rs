//! Answers that a Chromium with a virtual device made, for each kind of key, and those answers changed.

use super::Unfit;
use super::answer::{Ceremony, ClientData, NewPasskey, Signed, made};
use super::party::Party;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Deserialize;

#[derive(Deserialize)]
struct Recorded {
    origin: String,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    alg: i64,
    create: String,
    attestation: String,
    get: String,
    data: String,
    signature: String,
}

#[test]
fn what_a_browser_makes_and_signs_is_believed() {
    let (party, cases) = recorded();
    assert_eq!(cases.iter().map(|case| case.alg).collect::<Vec<_>>(), super::cose::ALGORITHMS);
    for case in cases {
        let made = case.made(&party);
        assert_eq!((made.credential.len(), made.sign_count), (32, 1));
        ClientData::read(&bytes(&case.create), Ceremony::Create, &party).unwrap();
        let client = ClientData::read(&bytes(&case.get), Ceremony::Get, &party).unwrap();
        assert_eq!(bytes(&client.challenge), [7; 32]);
        assert_eq!(case.verify(&made, &party, |_, _, _| {}), Ok(2), "{}", case.alg);
    }
}

#[test]
fn no_changed_bit_is_believed() {
    let (party, cases) = recorded();
    for case in cases {
        let made = case.made(&party);
        for at in [0, 31, 32, 33, 36] {
            let verdict = case.verify(&made, &party, |_, data, _| data[at] ^= 0x80);
            assert!(verdict.is_err(), "{} data {at}", case.alg);
        }
        for at in [0, 20, 90] {
            let verdict = case.verify(&made, &party, |client, _, _| client[at] ^= 1);
            assert_eq!(verdict, Err(Unfit::Signature), "{} client {at}", case.alg);
        }
        for at in [0, 10, 63] {
            let verdict = case.verify(&made, &party, |_, _, signature| signature[at] ^= 1);
            assert_eq!(verdict, Err(Unfit::Signature), "{} signature {at}", case.alg);
        }
        let verdict = case.verify(&made, &party, |_, _, signature| signature.clear());
        assert_eq!(verdict, Err(Unfit::Signature));
        for end in [0, 36] {
            let verdict = case.verify(&made, &party, |_, data, _| data.truncate(end));
            assert_eq!(verdict, Err(Unfit::Format), "{end}");
        }
        for (flags, expected) in
            [(0x04, Unfit::NobodyThere), (0x01, Unfit::NotVerified), (0x15, Unfit::Format)]
        {
            assert_eq!(case.verify(&made, &party, |_, data, _| data[32] = flags), Err(expected));
        }
    }
}

#[test]
fn an_attestation_that_is_cut_or_changed_is_refused_and_never_fatal() {
    let (party, cases) = recorded();
    for case in cases {
        let whole = bytes(&case.attestation);
        for end in 0..whole.len() {
            assert!(made(&whole[..end], &party).is_err(), "{} {end}", case.alg);
        }
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 0xff;
            // Some bits are anybody's: the kind of authenticator, the id, the key itself.
            let _ = made(&changed, &party);
        }
    }
    let deep = [vec![0x81; 100_000], vec![0x00]].concat();
    for hostile in [deep.as_slice(), &[0x9b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], &[0xbf], &[]] {
        assert_eq!(made(hostile, &party), Err(Unfit::Format));
    }
}

#[test]
fn client_data_is_of_this_hub_and_this_ceremony() {
    let (party, cases) = recorded();
    let json = String::from_utf8(bytes(&cases[0].get)).unwrap();
    let framed = json.replace("\"crossOrigin\":false", "\"crossOrigin\":true");
    for (json, ceremony, expected) in [
        (json.as_str(), Ceremony::Create, Unfit::Ceremony),
        (framed.as_str(), Ceremony::Get, Unfit::Origin),
        (&json.replace("localhost", "localhost.evil.example"), Ceremony::Get, Unfit::Origin),
        (&json.replace("http:", "https:"), Ceremony::Get, Unfit::Origin),
        (&json.replace("\"challenge\"", "\"other\""), Ceremony::Get, Unfit::Format),
        ("{}", Ceremony::Get, Unfit::Format),
        ("", Ceremony::Get, Unfit::Format),
    ] {
        assert_eq!(ClientData::read(json.as_bytes(), ceremony, &party).err(), Some(expected), "{json}");
    }
}

impl Case {
    fn made(&self, party: &Party) -> NewPasskey {
        made(&bytes(&self.attestation), party).expect("a browser made it")
    }

    fn verify(
        &self,
        made: &NewPasskey,
        party: &Party,
        change: impl FnOnce(&mut Vec<u8>, &mut Vec<u8>, &mut Vec<u8>),
    ) -> Result<u32, Unfit> {
        let (mut client, mut data, mut signature) =
            (bytes(&self.get), bytes(&self.data), bytes(&self.signature));
        change(&mut client, &mut data, &mut signature);
        let signed = Signed { client_data: &client, authenticator_data: &data, signature: &signature };
        signed.verify(&made.public_key, party)
    }
}

fn recorded() -> (Party, Vec<Case>) {
    let Recorded { origin, cases } = serde_json::from_str(include_str!("recorded.json")).unwrap();
    (Party::of(&origin).expect("localhost has passkeys"), cases)
}

fn bytes(text: &str) -> Vec<u8> {
    URL_SAFE_NO_PAD.decode(text).unwrap()
}
