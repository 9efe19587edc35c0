//! What is in a ZIP, or one file out of it, within the bounds of what is unpacked here.

use super::job::{ArchiveFile, Unpacked};
use crate::error::Error;
use crate::zip;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// Files that are listed.
const LISTED: usize = 2_000;

pub(super) fn open(file: &ArchiveFile) -> Result<Unpacked, String> {
    let bytes = STANDARD.decode(&file.bytes).map_err(|error| error.to_string())?;
    let said = |error: Error| error.to_string();
    let Some(name) = &file.entry else {
        let (files, more) = zip::list(&bytes, LISTED).map_err(said)?;
        return Ok(Unpacked::Listed { files, more });
    };
    let mut found = zip::unpack_wanted(&bytes, file.most, |other| other == name).map_err(said)?;
    match found.remove(name) {
        Some(content) => Ok(Unpacked::Taken(STANDARD.encode(content))),
        None => Err(format!("There is no {name} in it.")),
    }
}
