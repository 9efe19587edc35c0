//! How a sealed parcel lies in a file or a link: what it is, how it was sealed, and the sealed text.
//! Whoever changes a byte of it gets an error: all before the nonce is bound to the text.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use language::t;

const MAGIC: &[u8] = b"vivarium settings\n";
/// Of the envelope. Another number is another layout.
const VERSION: u8 = 1;
const SALT: usize = 16;
const NONCE: usize = 12;
const KEY: usize = 32;
const TAG: usize = 16;
/// Longest parcel, sealed.
pub const MAX_ENVELOPE_BYTES: usize = 256 * 1024;
/// Longest that goes into a link: some programs cut longer ones.
pub const LONGEST_IN_LINK: usize = 12 * 1024;
/// What begins the fragment of a link.
const MARK: &str = "take.";
/// More rounds than anybody chooses, and not so many that opening hangs.
const MOST_ROUNDS: u32 = 10_000_000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Envelope {
    pub how: SealedWith,
    pub nonce: Vec<u8>,
    pub text: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SealedWith {
    /// With a key of chance, which the link holds too.
    Key,
    Passphrase {
        salt: Vec<u8>,
        rounds: u32,
    },
}

/// Why nothing comes out of a file or a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnvelopeError {
    NotOurs,
    Newer,
    Cut,
    TooLarge,
    /// The text does not open: another passphrase, or something was changed on the way.
    Sealed,
    /// It opened, and what is in it is not what it says.
    Unreadable,
}

impl EnvelopeError {
    pub fn words(self) -> &'static str {
        t(match self {
            Self::NotOurs => {
                "These are no settings of Vivarium. Choose the file, or copy the whole link, that the other hub made."
            }
            Self::Newer => {
                "A newer Vivarium made these settings. Update this hub, or make them anew with the older one."
            }
            Self::Cut => {
                "These settings are not whole. Copy the file or the link again, from its first to its last letter."
            }
            Self::TooLarge => "These are no settings: they would not be larger than 256 KB.",
            Self::Sealed => {
                "This does not open: the passphrase is another one, or something was changed on the way. Nothing was taken."
            }
            Self::Unreadable => {
                "This opened, but what is in it cannot be read. Make it anew where it comes from. Nothing was taken."
            }
        })
    }
}

impl SealedWith {
    /// What the text is bound to: all of the envelope but the nonce, which the cipher binds itself.
    pub fn bound(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.push(VERSION);
        match self {
            Self::Key => bytes.push(0),
            Self::Passphrase { salt, rounds } => {
                bytes.push(1);
                bytes.extend_from_slice(salt);
                bytes.extend_from_slice(&rounds.to_be_bytes());
            }
        }
        bytes
    }
}

impl Envelope {
    pub fn to_bytes(&self) -> Vec<u8> {
        [self.how.bound().as_slice(), &self.nonce, &self.text].concat()
    }

    pub fn read(bytes: &[u8]) -> Result<Self, EnvelopeError> {
        if bytes.len() > MAX_ENVELOPE_BYTES {
            return Err(EnvelopeError::TooLarge);
        }
        let mut rest = bytes.strip_prefix(MAGIC).ok_or(EnvelopeError::NotOurs)?;
        let [version, kind] = *take::<2>(&mut rest)?;
        if version != VERSION {
            return Err(if version > VERSION { EnvelopeError::Newer } else { EnvelopeError::NotOurs });
        }
        let how = match kind {
            0 => SealedWith::Key,
            1 => {
                let salt = take::<SALT>(&mut rest)?.to_vec();
                let rounds = u32::from_be_bytes(*take::<4>(&mut rest)?);
                if rounds == 0 || rounds > MOST_ROUNDS {
                    return Err(EnvelopeError::Sealed);
                }
                SealedWith::Passphrase { salt, rounds }
            }
            _ => return Err(EnvelopeError::Newer),
        };
        let nonce = take::<NONCE>(&mut rest)?.to_vec();
        if rest.len() < TAG {
            return Err(EnvelopeError::Cut);
        }
        Ok(Self { how, nonce, text: rest.to_vec() })
    }
}

/// The fragment of a link that holds the key and all the rest.
pub fn fragment(key: &[u8], envelope: &Envelope) -> String {
    format!("{MARK}{}.{}", URL_SAFE_NO_PAD.encode(key), URL_SAFE_NO_PAD.encode(envelope.to_bytes()))
}

/// Reads a link, or what stands behind the `#` of one.
pub fn read_link(text: &str) -> Result<(Vec<u8>, Envelope), EnvelopeError> {
    let text = text.trim();
    let fragment = text.rsplit_once('#').map_or(text, |(_, fragment)| fragment);
    let parts = fragment.strip_prefix(MARK).and_then(|rest| rest.split_once('.'));
    let (key, parcel) = parts.ok_or(EnvelopeError::NotOurs)?;
    if parcel.len() > MAX_ENVELOPE_BYTES * 2 {
        return Err(EnvelopeError::TooLarge);
    }
    let decode = |text: &str| URL_SAFE_NO_PAD.decode(text).map_err(|_| EnvelopeError::Cut);
    let key = decode(key)?;
    if key.len() != KEY {
        return Err(EnvelopeError::Cut);
    }
    Ok((key, Envelope::read(&decode(parcel)?)?))
}

fn take<'a, const N: usize>(rest: &mut &'a [u8]) -> Result<&'a [u8; N], EnvelopeError> {
    let (taken, left) = rest.split_first_chunk::<N>().ok_or(EnvelopeError::Cut)?;
    *rest = left;
    Ok(taken)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn envelopes() -> impl Strategy<Value = Envelope> {
        let how = prop_oneof![
            Just(SealedWith::Key),
            (prop::collection::vec(any::<u8>(), SALT), 1..=MOST_ROUNDS)
                .prop_map(|(salt, rounds)| SealedWith::Passphrase { salt, rounds }),
        ];
        let bytes = |length| prop::collection::vec(any::<u8>(), length);
        (how, bytes(NONCE..=NONCE), bytes(TAG..=400)).prop_map(|(how, nonce, text)| Envelope {
            how,
            nonce,
            text,
        })
    }

    proptest! {
        #[test]
        fn what_was_packed_is_unpacked(envelope in envelopes(), key in prop::collection::vec(any::<u8>(), KEY)) {
            prop_assert_eq!(Envelope::read(&envelope.to_bytes()), Ok(envelope.clone()));
            let link = format!("https://hub.example/account/transfer#{}", fragment(&key, &envelope));
            prop_assert_eq!(read_link(&link), Ok((key, envelope)));
        }

        #[test]
        fn a_changed_byte_shows_or_changes_what_the_cipher_checks(
            envelope in envelopes(),
            at in any::<prop::sample::Index>(),
            flip in 1..=255_u8,
        ) {
            let mut bytes = envelope.to_bytes();
            let at = at.index(bytes.len());
            bytes[at] ^= flip;
            if let Ok(read) = Envelope::read(&bytes) {
                let checked = |one: &Envelope| (one.how.bound(), one.nonce.clone(), one.text.clone());
                prop_assert_ne!(checked(&read), checked(&envelope));
            }
        }

        #[test]
        fn what_is_cut_is_not_read_as_whole(envelope in envelopes(), at in any::<prop::sample::Index>()) {
            let bytes = envelope.to_bytes();
            prop_assert_ne!(Envelope::read(&bytes[..at.index(bytes.len())]), Ok(envelope));
        }

        #[test]
        fn nothing_that_is_pasted_breaks_it(text in ".{0,300}") {
            let _ = read_link(&text);
            let _ = Envelope::read(text.as_bytes());
        }
    }

    #[test]
    fn another_version_says_what_to_do() {
        let envelope = Envelope { how: SealedWith::Key, nonce: vec![0; NONCE], text: vec![0; TAG] };
        let mut bytes = envelope.to_bytes();
        for (version, expected) in
            [(0, EnvelopeError::NotOurs), (2, EnvelopeError::Newer), (255, EnvelopeError::Newer)]
        {
            bytes[MAGIC.len()] = version;
            assert_eq!(Envelope::read(&bytes), Err(expected));
        }
        assert_eq!(Envelope::read(&vec![0; MAX_ENVELOPE_BYTES + 1]), Err(EnvelopeError::TooLarge));
        assert_eq!(read_link("https://hub.example/account"), Err(EnvelopeError::NotOurs));
    }
}
