//! Where something stands in what a model wrote.

use serde::de::DeserializeOwned;
use serde_json::Value;

/// A value of its kind, or what is wrong with it and where.
pub(super) fn read<T: DeserializeOwned>(place: &str, value: &Value) -> Result<T, String> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let path = error.path().to_string();
        let place = match path.as_str() {
            "." => place.to_owned(),
            path if path.starts_with('[') => format!("{place}{path}"),
            path => format!("{place}.{path}"),
        };
        let why = error.into_inner().to_string();
        format!("{place}: {}.", why.trim_end_matches('.'))
    })
}
