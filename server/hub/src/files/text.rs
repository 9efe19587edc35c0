//! Files as texts, in the encoding that they have.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use std::borrow::Cow;
use std::fmt;

/// In a text nothing of these is there.
const NUL: char = '\0';
/// Of what is in no encoding of Unicode, signs that texts have beside letters.
const USUAL: [u8; 5] = *b"\t\n\r\x0c\x1b";
const LITTLE: [u8; 2] = [0xff, 0xfe];
const BIG: [u8; 2] = [0xfe, 0xff];
/// Fewest letters that tell UTF-16 without a mark.
const FEWEST: usize = 4;
/// Bytes that an encoding is guessed by.
const LOOKED_AT: usize = 64 * 1024;

/// How a text is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextEncoding {
    Utf8,
    Utf16 {
        is_big: bool,
        /// The order of its bytes stands at its beginning.
        is_marked: bool,
    },
    /// One of those from before Unicode, each for the letters of a part of the world.
    Regional(&'static Encoding),
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
            Self::Utf16 { is_big, is_marked } => {
                let (mark, unit): (_, fn(u16) -> [u8; 2]) =
                    if is_big { (BIG, u16::to_be_bytes) } else { (LITTLE, u16::to_le_bytes) };
                let mark = is_marked.then_some(mark);
                mark.into_iter().flatten().chain(text.encode_utf16().flat_map(unit)).collect()
            }
            Self::Regional(encoding) => match encoding.encode(text) {
                (bytes, _, false) => bytes.into_owned(),
                (_, _, true) => {
                    let has_no_place = |sign: &char| encoding.encode(sign.encode_utf8(&mut [0; 4])).2;
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
            Self::Utf16 { is_big: false, .. } => "UTF-16LE",
            Self::Utf16 { is_big: true, .. } => "UTF-16BE",
            Self::Regional(encoding) => encoding.name(),
        })
    }
}

/// None: it is no text in UTF-8.
pub(crate) fn text_of(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok().filter(|text| !text.contains(NUL))
}

/// A text in UTF-8, in UTF-16, or in an encoding from before Unicode. None: it is no text. Written again as it is, it
/// has the same bytes.
pub(crate) fn decoded(bytes: &[u8]) -> Option<Decoded<'_>> {
    if let Some(text) = text_of(bytes) {
        return Some(Decoded { text: text.into(), encoding: TextEncoding::Utf8 });
    }
    for (mark, is_big) in [(LITTLE, false), (BIG, true)] {
        if let Some(rest) = bytes.strip_prefix(&mark) {
            return wide(rest, is_big, true);
        }
    }
    if kind_of_content(bytes).is_some() {
        return None;
    }
    match order(bytes) {
        Some(is_big) => wide(bytes, is_big, false),
        None => regional(bytes),
    }
}

/// Which encoding those who wrote this are likely to have used: for what has to be read whatever it is.
pub(crate) fn likely_encoding(bytes: &[u8]) -> &'static Encoding {
    let high = bytes.iter().filter(|byte| !byte.is_ascii()).count();
    if in_utf8(bytes) * 2 >= high { UTF_8 } else { guessed(bytes) }
}

/// Whether its bytes are in the big order, if it is UTF-16 without a mark: of two bytes one is nothing in most letters.
fn order(bytes: &[u8]) -> Option<bool> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    if !rest.is_empty() || pairs.len() < FEWEST {
        return None;
    }
    let nothing = |place: usize| pairs.iter().filter(|pair| pair[place] == 0).count();
    match (nothing(0), nothing(1)) {
        (0, most) if most * 2 > pairs.len() => Some(false),
        (most, 0) if most * 2 > pairs.len() => Some(true),
        _ => None,
    }
}

fn wide(bytes: &[u8], is_big: bool, is_marked: bool) -> Option<Decoded<'_>> {
    let unit = if is_big { u16::from_be_bytes } else { u16::from_le_bytes };
    let (pairs, rest) = bytes.as_chunks::<2>();
    if !rest.is_empty() {
        return None;
    }
    let text: Result<String, _> = char::decode_utf16(pairs.iter().map(|pair| unit(*pair))).collect();
    let is_odd = |sign: char| match is_marked {
        true => sign == NUL,
        false => u8::try_from(sign).is_ok_and(|sign| !is_usual(sign)),
    };
    let text = text.ok().filter(|text| !text.contains(is_odd))?;
    Some(Decoded { text: text.into(), encoding: TextEncoding::Utf16 { is_big, is_marked } })
}

fn regional(bytes: &[u8]) -> Option<Decoded<'_>> {
    if !bytes.iter().copied().all(is_usual) {
        return None;
    }
    let high = bytes.iter().filter(|byte| !byte.is_ascii()).count();
    // What is UTF-8 in a part of it is that with a fault, and would not be read as what it says. Of other encodings a
    // few letters look like it.
    let most = |encoding| if encoding == WINDOWS_1252 { 0 } else { high / 2 };
    let in_utf8 = in_utf8(bytes);
    let tried = [guessed(bytes), WINDOWS_1252].into_iter().filter(|encoding| in_utf8 <= most(*encoding));
    tried.into_iter().find_map(|encoding| {
        let text = encoding.decode_without_bom_handling_and_without_replacement(bytes)?;
        let encoding = TextEncoding::Regional(encoding);
        (encoding.encode(&text).as_deref() == Ok(bytes)).then_some(Decoded { text, encoding })
    })
}

fn is_usual(byte: u8) -> bool {
    !byte.is_ascii_control() || USUAL.contains(&byte)
}

fn guessed(bytes: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(&bytes[..bytes.len().min(LOOKED_AT)], bytes.len() <= LOOKED_AT);
    detector.guess(None, Utf8Detection::Deny)
}

/// How many bytes of letters beyond ASCII are UTF-8.
fn in_utf8(bytes: &[u8]) -> usize {
    bytes.utf8_chunks().flat_map(|chunk| chunk.valid().bytes()).filter(|byte| !byte.is_ascii()).count()
}

/// The media type of what is no text, by how it begins and not by its name. None: nobody knows.
pub(crate) fn kind_of_content(bytes: &[u8]) -> Option<&'static str> {
    infer::get(bytes).map(|kind| kind.mime_type()).filter(|kind| !kind.starts_with("text/"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{GBK, SHIFT_JIS, WINDOWS_1251};
    use proptest::prelude::*;

    #[test]
    fn a_text_has_the_encoding_that_its_bytes_are_in() {
        let utf16 = |is_big, is_marked| TextEncoding::Utf16 { is_big, is_marked };
        let regional = TextEncoding::Regional;
        for (bytes, expected) in [
            (&b"a\xc3\xa4"[..], Some(("aä", TextEncoding::Utf8))),
            (b"\xef\xbb\xbfa", Some(("\u{feff}a", TextEncoding::Utf8))),
            (b"\xff\xfea\0\xe4\0", Some(("aä", utf16(false, true)))),
            (b"\xfe\xff\0a\x20\xac", Some(("a€", utf16(true, true)))),
            (b"a\0;\0\xe4\0\r\0\n\0", Some(("a;ä\r\n", utf16(false, false)))),
            (b"\0a\0;\x20\xac\0\n", Some(("a;€\n", utf16(true, false)))),
            (b"Gr\xfc\xdfe \x80\r\n", Some(("Grüße €\r\n", regional(WINDOWS_1252)))),
            (b"Stra\xdfe;M\xfcnchen;1,5\r\n", Some(("Straße;München;1,5\r\n", regional(WINDOWS_1252)))),
            (b"\xcf\xf0\xe8\xe2\xe5\xf2, \xec\xe8\xf0!", Some(("Привет, мир!", regional(WINDOWS_1251)))),
            (
                b"\x93\xfa\x96{\x8c\xea\x82\xcc\x95\xb6\x8e\x9a\x97\xf1\x82\xc5\x82\xb7\x81B",
                Some(("日本語の文字列です。", regional(SHIFT_JIS))),
            ),
            (
                b"\xd5\xe2\xca\xc7\xd2\xbb\xb8\xf6\xd6\xd0\xce\xc4\xce\xc4\xbc\xfe\xa1\xa3",
                Some(("这是一个中文文件。", regional(GBK))),
            ),
            (b"\xff\xfea\0\xe4", None),
            (b"\xff\xfe\0\xd8a\0", None),
            (b"\xff\xfea\0\0\0", None),
            (b"a\0b", None),
            (b"a\0\x01\0b\0c\0", None),
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
        assert_eq!(TextEncoding::Regional(WINDOWS_1252).encode("a→b"), Err('→'));
        assert_eq!(TextEncoding::Regional(WINDOWS_1252).encode("ä€"), Ok(b"\xe4\x80".to_vec()));
    }

    proptest! {
        #[test]
        fn a_text_written_again_has_the_same_bytes(bytes in prop_oneof![
            prop::collection::vec(prop_oneof![9 => 0x20_u8..=255, 1 => Just(b'\n')], 0..40),
            ("\\PC{0,20}", any::<[bool; 2]>()).prop_map(|(text, [is_big, is_marked])| {
                TextEncoding::Utf16 { is_big, is_marked }.encode(&text).unwrap()
            }),
            ("[а-я ]{0,20}").prop_map(|text| TextEncoding::Regional(WINDOWS_1251).encode(&text).unwrap()),
            ("[ぁ-ん ]{0,20}").prop_map(|text| TextEncoding::Regional(SHIFT_JIS).encode(&text).unwrap()),
        ]) {
            if let Some(Decoded { text, encoding }) = decoded(&bytes) {
                prop_assert_eq!(encoding.encode(&text), Ok(bytes.clone()));
            }
        }
    }
}
