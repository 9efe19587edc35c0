//! What a file is, by its bytes: whatever its name says. Only among archives the name tells documents from others.

use super::take_in::{LARGEST_TEXT, Refused};
use crate::documents::{DocumentKind, kind_of};
use crate::files::{decoded, text_of};
use std::borrow::Cow;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// One of those that are read here.
    Picture,
    /// One that an agent reads by its pages, slides or sheets.
    Document(DocumentKind),
    Text,
    /// Nothing that is looked into here.
    File,
}

/// Bytes that pictures begin with, of the kinds that are read here.
const PICTURES: [&[u8]; 4] = [b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a"];
/// Brands of the pictures that Apple's cameras make, behind `ftyp`.
const HEIF: [&[u8]; 6] = [b"heic", b"heix", b"hevc", b"mif1", b"msf1", b"avif"];

/// Bytes of what is looked at as a text in another encoding than UTF-8, where a letter has two at most of those that
/// such a text is kept in. Whoever brings more of them has nothing guessed and written out for it.
const LARGEST_DECODED: usize = 2 * LARGEST_TEXT;

/// Whether it is a picture, be it one that is read here or one of Apple's cameras.
pub(crate) fn is_picture(bytes: &[u8]) -> bool {
    is_read(bytes) || is_heif(bytes)
}

fn is_read(bytes: &[u8]) -> bool {
    let is_webp = bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP");
    is_webp || PICTURES.iter().any(|start| bytes.starts_with(start))
}

fn is_heif(bytes: &[u8]) -> bool {
    bytes.get(4..8) == Some(b"ftyp") && bytes.get(8..12).is_some_and(|brand| HEIF.contains(&brand))
}

impl Kind {
    pub(super) fn of(name: &str, bytes: &[u8]) -> Result<Self, Refused> {
        if is_read(bytes) {
            return Ok(Self::Picture);
        }
        if is_heif(bytes) {
            return Err(Refused::Heif);
        }
        if let Some(kind) = kind_of(name, bytes) {
            return Ok(Self::Document(kind));
        }
        if bytes.is_empty() {
            return Err(Refused::Empty);
        }
        let text = match bytes.len() > LARGEST_DECODED {
            true => text_of(bytes).map(Cow::Borrowed),
            false => decoded(bytes).map(|read| read.text),
        };
        match text {
            Some(text) if !text.contains(is_no_text) => Ok(Self::Text),
            Some(_) | None => Ok(Self::File),
        }
    }
}

/// Control characters that no text has, in any language.
pub(super) fn is_no_text(char: char) -> bool {
    char.is_control() && !matches!(char, '\t' | '\n' | '\r' | '\u{c}' | '\u{1b}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_what_its_bytes_say() {
        for (bytes, expected) in [
            (b"\x89PNG\r\n\x1a\n....".as_slice(), Ok(Kind::Picture)),
            (b"\xff\xd8\xff\xe0", Ok(Kind::Picture)),
            (b"RIFF\x10\0\0\0WEBPVP8 ", Ok(Kind::Picture)),
            (b"GIF89a", Ok(Kind::Picture)),
            (b"RIFF\x10\0\0\0WAVEfmt ", Ok(Kind::File)),
            (b"\0\0\0\x18ftypheic\0", Err(Refused::Heif)),
            (b"", Err(Refused::Empty)),
            (b"<svg onload='alert(1)'/>", Ok(Kind::Text)),
            ("Grüße\n\u{1b}[0m".as_bytes(), Ok(Kind::Text)),
            (b"\xef\xbb\xbfa;b\r\n", Ok(Kind::Text)),
            (b"MZ\x90\0\x03", Ok(Kind::File)),
            (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3", Ok(Kind::Document(DocumentKind::Pdf))),
            (b"PK\x03\x04\x14\0", Ok(Kind::File)),
            (b"latin-1: \xe4", Ok(Kind::Text)),
            (b"\xff\xfea\0\x01\0", Ok(Kind::File)),
            (b"a\0b", Ok(Kind::File)),
            (&[0xe4; LARGEST_DECODED], Ok(Kind::Text)),
            (&[0xe4; LARGEST_DECODED + 1], Ok(Kind::File)),
        ] {
            assert_eq!(Kind::of("file", bytes), expected, "{:?}", String::from_utf8_lossy(bytes));
        }
    }
}
