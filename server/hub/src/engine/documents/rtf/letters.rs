//! Letters of an RTF: bytes in the encoding of their font, and numbers of Unicode.

use encoding_rs::{Encoding, WINDOWS_1252};
use std::collections::BTreeMap;
use std::mem::take;

#[derive(Default)]
pub(super) struct Letters {
    bytes: Vec<u8>,
    text: String,
    /// The first half of a letter that has two numbers.
    half: Option<u16>,
    usual: Option<&'static Encoding>,
    fonts: BTreeMap<i32, &'static Encoding>,
    /// The font that is being told of.
    told: i32,
}

impl Letters {
    pub(super) fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    /// A number of Unicode, half of one among them, as it stands there: with a sign.
    pub(super) fn unit(&mut self, unit: i32, font: i32) {
        self.decode(font);
        let [low, high, ..] = unit.to_le_bytes();
        let unit = u16::from_le_bytes([low, high]);
        let units: Vec<u16> = self.half.take().into_iter().chain([unit]).collect();
        if units.len() == 1 && (0xd800..0xdc00).contains(&unit) {
            self.half = Some(unit);
            return;
        }
        self.text.push_str(&String::from_utf16_lossy(&units));
    }

    /// What was read since the last time.
    pub(super) fn taken(&mut self, font: i32) -> String {
        self.decode(font);
        take(&mut self.text)
    }

    pub(super) fn forget(&mut self) {
        self.bytes.clear();
        self.text.clear();
    }

    /// The encoding of what has no font with one of its own, by the number of its code page.
    pub(super) fn set_default(&mut self, page: i32) {
        self.usual = of_page(page);
    }

    /// A word of the list of fonts.
    pub(super) fn font(&mut self, word: &str, number: i32) {
        match (word, encoding(number)) {
            ("f", _) => self.told = number,
            (_, Some(encoding)) => {
                self.fonts.insert(self.told, encoding);
            }
            (_, None) => {}
        }
    }

    fn decode(&mut self, font: i32) {
        if self.bytes.is_empty() {
            return;
        }
        let encoding = self.fonts.get(&font).copied().or(self.usual).unwrap_or(WINDOWS_1252);
        let (text, _) = encoding.decode_without_bom_handling(&self.bytes);
        self.text.push_str(&text);
        self.bytes.clear();
    }
}

fn of_page(page: i32) -> Option<&'static Encoding> {
    let label = match page {
        932 => "shift_jis".to_owned(),
        936 => "gbk".to_owned(),
        949 => "euc-kr".to_owned(),
        950 => "big5".to_owned(),
        10_000 => "macintosh".to_owned(),
        65_001 => "utf-8".to_owned(),
        866 => "ibm866".to_owned(),
        page => format!("windows-{page}"),
    };
    Encoding::for_label(label.as_bytes())
}

/// That of a set of characters, as fonts have their numbers.
fn encoding(set: i32) -> Option<&'static Encoding> {
    let page = match set {
        77 => 10_000,
        128 => 932,
        129 => 949,
        134 => 936,
        136 => 950,
        161 => 1253,
        162 => 1254,
        163 => 1258,
        177 => 1255,
        178 => 1256,
        186 => 1257,
        204 => 1251,
        222 => 874,
        238 => 1250,
        _ => return None,
    };
    of_page(page)
}
