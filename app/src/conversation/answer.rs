//! What a tool answered with, where a page takes that apart.

use serde::de::DeserializeOwned;

/// None: it is no answer of this form.
pub(super) fn read<T: DeserializeOwned>(result: &str) -> Option<T> {
    // What hooks add stands below.
    let answer = result.split_once("\n\n").map_or(result, |(answer, _)| answer);
    serde_json::from_str(answer).ok()
}
