//! Files of a request: within it as `data:` addresses, or at addresses of the web, from where somebody
//! else has to fetch them.

use super::api_error::ApiError;
use protocol::model::Media;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// What addresses lead to, as far as it was fetched.
#[derive(Debug, Default)]
pub struct Files {
    fetched: BTreeMap<String, Media>,
    missing: RefCell<BTreeSet<String>>,
}

impl Files {
    /// What a request named that was read with these, and they do not have.
    pub fn missing(&self) -> Vec<String> {
        self.missing.borrow().iter().cloned().collect()
    }

    pub fn put(&mut self, address: String, file: Media) {
        self.missing.borrow_mut().remove(&address);
        self.fetched.insert(address, file);
    }

    /// The file at this address. One that is missing is empty.
    pub(super) fn at(&self, field: &str, address: &str, name: Option<&str>) -> Result<Media, ApiError> {
        if let Some(parts) = address.strip_prefix("data:").and_then(|rest| rest.split_once(";base64,")) {
            let (mime, data) = parts;
            let mime = mime.split(';').next().unwrap_or_default();
            return Ok(media(mime, data, name));
        }
        let scheme = address.split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase());
        if !matches!(scheme.as_deref(), Some("http" | "https")) {
            let what = "Send files as data: addresses in base64, or as addresses that begin with https://.";
            return Err(ApiError::field(field, what));
        }
        let Some(file) = self.fetched.get(address) else {
            self.missing.borrow_mut().insert(address.to_owned());
            return Ok(media("", "", name));
        };
        Ok(Media { name: name.map(str::to_owned).or_else(|| file.name.clone()), ..file.clone() })
    }
}

/// A file, under the right name of its type.
pub(super) fn media(mime: &str, data: &str, name: Option<&str>) -> Media {
    let mime = mime.trim().to_ascii_lowercase();
    let mime = if mime == "image/jpg" { "image/jpeg".to_owned() } else { mime };
    Media { mime, data: data.to_owned(), name: name.map(str::to_owned), stored: None }
}

/// What was stored at one provider.
pub(super) fn no_store(field: &str) -> ApiError {
    ApiError::field(field, "There is no store of files here: send the file itself, or its address.")
}
