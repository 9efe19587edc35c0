//! Values of one kind: addresses, switches, numbers and secrets.

use super::settings::read;
use crate::startup_error::StartupError;
use url::Url;

/// The address of the web that a variable names.
pub(super) fn address(name: &str, example: &str) -> Result<Option<Url>, StartupError> {
    let Some(text) = read(name) else { return Ok(None) };
    let url = Url::parse(&text).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    url.map(Some)
        .ok_or_else(|| StartupError(format!("{name} is {text}, which is not an address like {example}.")))
}

/// Whether it is on, if somebody said.
pub(super) fn switch(name: &str) -> Result<Option<bool>, StartupError> {
    match read(name).as_deref() {
        None => Ok(None),
        Some("on") => Ok(Some(true)),
        Some("off") => Ok(Some(false)),
        Some(other) => Err(StartupError(format!("{name} is {other}; it can be on or off."))),
    }
}

pub(super) fn number(name: &str, usual: u32) -> Result<u32, StartupError> {
    let Some(text) = read(name) else { return Ok(usual) };
    text.trim()
        .parse()
        .map_err(|_| StartupError(format!("{name} is {text}; it can be a whole number, and 0 is no limit.")))
}

/// A secret from the variable, or from the file that `<name>_FILE` names.
pub(super) fn secret(name: &str) -> Result<Option<String>, StartupError> {
    if let Some(value) = read(name) {
        return Ok(Some(value));
    }
    let Some(path) = read(&format!("{name}_FILE")) else { return Ok(None) };
    std::fs::read_to_string(&path)
        .map(|text| Some(text.trim().to_owned()))
        .map_err(|error| StartupError(format!("{name}_FILE names {path}, which cannot be read: {error}")))
}
