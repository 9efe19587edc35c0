//! Files as texts, in the encoding that they have.

use encoding_rs::WINDOWS_1252;
use std::borrow::Cow;
use std::fmt;

/// In a text nothing of these is there.
const NUL: char = '\0';
/// Of what is in no known encoding, signs that texts have beside letters.
const USUAL: [u8; 5] = *b"\t\n\r\x0c\x1b";
const LITTLE: [u8; 2] = [0xff, 0xfe];
const BIG: [u8; 2] = [0xfe, 0xff];

/// How a text is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextEncoding {
    Utf8,
    /// With a mark at its beginning, as all of UTF-16 here.
    Utf16Le,
    Utf16Be,
    /// What one byte a letter is taken for, Latin-1 among it.
    Windows1252,
}

/// A text, and how it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Decoded<'b> {
    pub(crate) text: Cow<'b, str>,
    pub(crate) encoding: TextEncoding,
}

impl TextEncoding {
    /// The text as bytes, or the first sign that has no place in them.
    pub(crate) fn encode(self, text: &str) -> Result<Vec<u8>, char> {
        Ok(match self {
            Self::Utf8 => text.as_bytes().to_owned(),
            Self::Utf16Le => marked(LITTLE, text, u16::to_le_bytes),
            Self::Utf16Be => marked(BIG, text, u16::to_be_bytes),
            Self::Windows1252 => match WINDOWS_1252.encode(text) {
                (bytes, _, false) => bytes.into_owned(),
                (_, _, true) => {
                    let has_no_place = |sign: &char| WINDOWS_1252.encode(sign.encode_utf8(&mut [0; 4])).2;
                    return Err(text.chars().find(has_no_place).unwrap_or(NUL));
                }
            },
        })
    }
}

impl fmt::Display for TextEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Utf8 => "UTF-8",
            Self::Utf16Le => "UTF-16LE",
            Self::Utf16Be => "UTF-16BE",
            Self::Windows1252 => "windows-1252",
        })
    }
}

fn marked(mark: [u8; 2], text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    mark.into_iter().chain(text.encode_utf16().flat_map(bytes)).collect()
}

/// None: it is no text in UTF-8.
pub(crate) fn text_of(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok().filter(|text| !text.contains(NUL))
}

/// A text in UTF-8, in UTF-16 with a mark, or in one byte a letter. None: it is no text. Written again as it is, it
/// has the same bytes.
pub(crate) fn decoded(bytes: &[u8]) -> Option<Decoded<'_>> {
    if let Some(text) = text_of(bytes) {
        return Some(Decoded { text: text.into(), encoding: TextEncoding::Utf8 });
    }
    if let Some(rest) = bytes.strip_prefix(&LITTLE) {
        return wide(rest, u16::from_le_bytes, TextEncoding::Utf16Le);
    }
    if let Some(rest) = bytes.strip_prefix(&BIG) {
        return wide(rest, u16::from_be_bytes, TextEncoding::Utf16Be);
    }
    let is_text = bytes.iter().all(|byte| !byte.is_ascii_control() || USUAL.contains(byte));
    // What is UTF-8 in a part of it is that with a fault, and would not be read as what it says.
    let has_utf8 = bytes.utf8_chunks().any(|chunk| !chunk.valid().is_ascii());
    if !is_text || has_utf8 || kind_of_content(bytes).is_some() {
        return None;
    }
    let (text, _) = WINDOWS_1252.decode_without_bom_handling(bytes);
    Some(Decoded { text, encoding: TextEncoding::Windows1252 })
}

fn wide(bytes: &[u8], unit: fn([u8; 2]) -> u16, encoding: TextEncoding) -> Option<Decoded<'_>> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    if !rest.is_empty() {
        return None;
    }
    let text: Result<String, _> = char::decode_utf16(pairs.iter().map(|pair| unit(*pair))).collect();
    let text = text.ok().filter(|text| !text.contains(NUL))?;
    Some(Decoded { text: text.into(), encoding })
}

/// The media type of what is no text, by how it begins and not by its name. None: nobody knows.
pub(crate) fn kind_of_content(bytes: &[u8]) -> Option<&'static str> {
    infer::get(bytes).map(|kind| kind.mime_type()).filter(|kind| !kind.starts_with("text/"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_text_has_the_encoding_that_its_bytes_are_in() {
        for (bytes, expected) in [
            (&b"a\xc3\xa4"[..], Some(("aä", TextEncoding::Utf8))),
            (b"\xef\xbb\xbfa", Some(("\u{feff}a", TextEncoding::Utf8))),
            (b"\xff\xfea\0\xe4\0", Some(("aä", TextEncoding::Utf16Le))),
            (b"\xfe\xff\0a\x20\xac", Some(("a€", TextEncoding::Utf16Be))),
            (b"Gr\xfc\xdfe \x80\r\n", Some(("Grüße €\r\n", TextEncoding::Windows1252))),
            (b"\xff\xfea\0\xe4", None),
            (b"\xff\xfe\0\xd8a\0", None),
            (b"\xff\xfea\0\0\0", None),
            (b"a\0b", None),
            (b"\xe4\x01", None),
            (b"Gr\xc3\xbc\xdfe", None),
            (b"\x89PNG\r\n\x1a\n\0", None),
        ] {
            let found = decoded(bytes);
            let found = found.as_ref().map(|found| (found.text.as_ref(), found.encoding));
            assert_eq!(found, expected, "{bytes:?}");
        }
    }

    #[test]
    fn what_is_no_text_has_its_kind_from_its_bytes() {
        for (bytes, kind) in [
            (&b"\x89PNG\r\n\x1a\n"[..], Some("image/png")),
            (b"%PDF-1.7\n", Some("application/pdf")),
            (b"PK\x03\x04\x14\0\0\0\0\0\0\0\0\0", Some("application/zip")),
            (b"\x1f\x8b\x08\0", Some("application/gzip")),
            (b"\x01\x02\x03", None),
        ] {
            assert_eq!(kind_of_content(bytes), kind, "{bytes:?}");
        }
    }

    #[test]
    fn a_sign_without_a_place_is_named() {
        assert_eq!(TextEncoding::Windows1252.encode("a→b"), Err('→'));
        assert_eq!(TextEncoding::Windows1252.encode("ä€"), Ok(b"\xe4\x80".to_vec()));
    }

    proptest! {
        #[test]
        fn a_text_written_again_has_the_same_bytes(bytes in prop_oneof![
            prop::collection::vec(prop_oneof![9 => 0x20_u8..=255, 1 => Just(b'\n')], 0..40),
            "\\PC{0,20}".prop_map(|text| TextEncoding::Utf16Le.encode(&text).unwrap()),
            "\\PC{0,20}".prop_map(|text| TextEncoding::Utf16Be.encode(&text).unwrap()),
        ]) {
            if let Some(Decoded { text, encoding }) = decoded(&bytes) {
                prop_assert_eq!(encoding.encode(&text), Ok(bytes.clone()));
            }
        }
    }
}
