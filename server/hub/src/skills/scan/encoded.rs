//! Runs of letters and digits that one cannot read: what they say when they are decoded.

use super::Scan;
use super::flat::Flat;
use super::rules::{of_commands, regex};
use base64::Engine;
use base64::alphabet::{STANDARD, URL_SAFE};
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use protocol::view::SkillRule;
use regex::Regex;
use std::sync::LazyLock;

/// From so many characters on nobody writes it for people.
const LONG: usize = 200;
/// Bytes of a run that are decoded.
const DECODED: usize = 64 * 1024;

static RUN: LazyLock<Regex> = LazyLock::new(|| regex(r"[A-Za-z0-9+/_-]{24,}={0,2}"));
static HEX: LazyLock<Regex> = LazyLock::new(|| regex(r"^([0-9a-f]{2})+$"));

const CONFIG: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_padding_mode(DecodePaddingMode::Indifferent)
    .with_decode_allow_trailing_bits(true);

pub(super) fn look(path: &str, flat: &Flat, scan: &mut Scan) {
    for found in RUN.find_iter(&flat.text) {
        let run = found.as_str();
        let line = flat.line(found.start());
        let said = decoded(run);
        if let Some(said) = said.as_ref().filter(|said| of_commands(said).is_some()) {
            scan.find(SkillRule::EncodedCommand, path, line, &format!("{} says: {said}", &run[..24]));
        } else if run.len() >= LONG {
            scan.find(SkillRule::LongEncoded, path, line, run);
        }
    }
}

/// What it says, if that is a text.
fn decoded(run: &str) -> Option<String> {
    let run = &run[..run.len().min(DECODED)];
    let bytes = if HEX.is_match(run) {
        data_encoding::HEXLOWER_PERMISSIVE.decode(run.as_bytes()).ok()?
    } else {
        let alphabet = if run.contains(['-', '_']) { &URL_SAFE } else { &STANDARD };
        let whole = run.trim_end_matches('=');
        // A single letter at the end stands for nothing.
        let whole = if whole.len() % 4 == 1 { &whole[..whole.len() - 1] } else { whole };
        GeneralPurpose::new(alphabet, CONFIG).decode(whole).ok()?
    };
    // Some shells read two bytes for a letter.
    let bytes: Vec<u8> = match bytes.iter().skip(1).step_by(2).all(|byte| *byte == 0) {
        true => bytes.into_iter().step_by(2).collect(),
        false => bytes,
    };
    let text = String::from_utf8(bytes).ok()?;
    (!text.chars().any(|letter| letter.is_control() && !letter.is_whitespace())).then_some(text)
}
