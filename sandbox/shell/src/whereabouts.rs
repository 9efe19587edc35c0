//! What the browser knows of the person who uses it, for what they want their agents told.

use crate::services::position;
use language::t;
use leptos::prelude::window;
use protocol::frame::PositionOptions;

/// How long a device may look for where it is, and how old what it found may be.
const LOOKS_MS: u32 = 20_000;
const OLDEST_MS: u32 = 60_000;

/// As in `navigator.language`.
pub fn language() -> Option<String> {
    window().navigator().language()
}

/// Latitude and longitude in degrees, or why there are none. The browser asks the person.
pub async fn find() -> Result<(f64, f64), String> {
    let options =
        PositionOptions { high_accuracy: false, timeout_ms: Some(LOOKS_MS), maximum_age_ms: Some(OLDEST_MS) };
    match position::find(options).await {
        Ok(found) => Ok((found.latitude, found.longitude)),
        Err(problem) if problem.message.is_empty() => {
            Err(t("This browser does not tell where it is. Write it instead.").to_owned())
        }
        Err(problem) if problem.message == position::NOT_FOUND => Err(t(position::NOT_FOUND).to_owned()),
        // The browser's own words.
        Err(problem) => Err(problem.message),
    }
}
