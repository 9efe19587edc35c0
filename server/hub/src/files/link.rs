//! Signed addresses of files. Who has one can open that file, as it is now, for a quarter of an hour, and nothing else:
//! no session is looked at. One that its person gave away names its row, and holds for as long as they chose and leave it.

use crate::clock::is_good;
use crate::error::{Error, Result};
use crate::files::{FilePath, Files, given};
use crate::store::query;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use protocol::{FolderId, GivenLinkId};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use url::Url;

const KEPT_MS: i64 = 15 * 60 * 1000;
/// The longest of one that is given away.
const LONGEST_MS: i64 = super::LONGEST_LINK_HOURS as i64 * 60 * 60 * 1000;

const OVER: Error =
    Error::Forbidden("This address is over, or was changed. Open the page again for a new one.");

/// An address as it came in, believed by nobody yet.
#[derive(Clone, Debug)]
pub struct SignedLink {
    pub folder: FolderId,
    pub path: String,
    /// Unix milliseconds.
    pub until: i64,
    pub mac: String,
    /// Of one that was given away.
    pub given: Option<GivenLinkId>,
}

/// A file whose address held.
#[derive(Debug)]
pub struct Opened {
    pub bytes: Vec<u8>,
    /// The last part of its path.
    pub name: String,
    /// Its type, if it is a picture in which nothing can run. Anything else is only saved.
    pub picture: Option<&'static str>,
}

impl SignedLink {
    /// Path and query.
    pub(super) fn address(&self) -> String {
        let mut url = Url::parse("http://hub/files").expect("it is an address");
        if let Ok(mut parts) = url.path_segments_mut() {
            parts.push(&self.folder.0).extend(self.path.split('/'));
        }
        let given = self.given.as_ref().map(|GivenLinkId(id)| format!("&given={id}")).unwrap_or_default();
        format!("{}?until={}&mac={}{given}", url.path(), self.until, self.mac)
    }
}

/// Where a file can be had, and as what.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct FileAddress {
    pub(crate) address: String,
    pub(crate) media_type: String,
}

impl Files<'_> {
    /// None: there is no such file.
    pub(crate) async fn address_of(self, folder: &FolderId, path: &FilePath) -> Result<Option<FileAddress>> {
        let digest: Option<String> =
            query("SELECT digest FROM files WHERE folder_id = $1 AND path = $2", (folder, path.as_str()))
                .fetch_optional(self.hub.store().read())
                .await?;
        Ok(digest.map(|digest| FileAddress {
            address: self.sign_link(folder, path.as_str(), &digest).address(),
            media_type: media_type(path.as_str()).to_owned(),
        }))
    }

    pub(super) fn sign_link(self, folder: &FolderId, path: &str, digest: &str) -> SignedLink {
        let until = self.hub.now() + KEPT_MS;
        let link = SignedLink {
            folder: folder.clone(),
            path: path.to_owned(),
            until,
            mac: String::new(),
            given: None,
        };
        self.signed(link, digest)
    }

    /// The address of what was given away, the same each time.
    pub(super) fn sign_given(
        self,
        id: &GivenLinkId,
        folder: &FolderId,
        path: &str,
        digest: &str,
        until: i64,
    ) -> SignedLink {
        let link = SignedLink {
            folder: folder.clone(),
            path: path.to_owned(),
            until,
            mac: String::new(),
            given: Some(id.clone()),
        };
        self.signed(link, digest)
    }

    fn signed(self, link: SignedLink, digest: &str) -> SignedLink {
        let mac = self.link_mac(&link, digest).finalize().into_bytes();
        SignedLink { mac: URL_SAFE_NO_PAD.encode(mac), ..link }
    }

    /// Opens the file that the address names. One that is over, was altered or taken back, or whose file is not what
    /// it was gets the same answer.
    pub async fn open_link(self, link: &SignedLink) -> Result<Opened> {
        let longest = if link.given.is_some() { LONGEST_MS } else { KEPT_MS };
        let now = self.hub.now();
        if !is_good(link.until, longest, now) {
            return Err(OVER);
        }
        let digest: Option<String> = query(
            "SELECT digest FROM files JOIN folders ON folders.id = files.folder_id
                               JOIN users ON users.id = folders.user_id
             WHERE folder_id = $1 AND path = $2 AND users.disabled = 0",
            (&link.folder, &link.path),
        )
        .fetch_optional(self.hub.store().read())
        .await?;
        let digest = digest.unwrap_or_default();
        let mac = URL_SAFE_NO_PAD.decode(&link.mac).map_err(|_| OVER)?;
        self.link_mac(link, &digest).verify_slice(&mac).map_err(|_| OVER)?;
        let bytes = query(
            "SELECT bytes FROM files WHERE folder_id = $1 AND path = $2 AND digest = $3",
            (&link.folder, &link.path, &digest),
        )
        .fetch_optional(self.hub.store().read())
        .await?
        .ok_or(OVER)?;
        if let Some(id) = &link.given {
            let mut tx = self.hub.store().write_uncached().await?;
            if !given::opened(&mut tx, link, id, now).await? {
                return Err(OVER);
            }
            tx.commit().await?;
            let (hub, folder) = (self.hub.clone(), link.folder.clone());
            self.hub.tasks().spawn(async move { hub.files().tell_everywhere(&folder).await });
        }
        let name = link.path.rsplit('/').next().unwrap_or_default().to_owned();
        Ok(Opened { bytes, picture: picture(&name), name })
    }

    /// Every part has its length in front, so that no two addresses look the same.
    fn link_mac(self, link: &SignedLink, digest: &str) -> Hmac<Sha256> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.hub.vault().signing_key("addresses of files"))
            .expect("a key of any length will do");
        let given = link.given.as_ref().map(|GivenLinkId(id)| id.as_str());
        for part in [link.folder.0.as_str(), &link.path, digest].into_iter().chain(given) {
            mac.update(&(part.len() as u64).to_be_bytes());
            mac.update(part.as_bytes());
        }
        mac.update(&link.until.to_be_bytes());
        mac
    }
}

/// What a file is taken for, by the end of its name.
pub fn media_type(name: &str) -> &'static str {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase()).unwrap_or_default();
    picture(name).unwrap_or(match ending.as_str() {
        "txt" | "log" => "text/plain",
        "md" => "text/markdown",
        "csv" => "text/csv",
        "html" | "htm" => "text/html",
        "css" => "text/css",
        "js" | "mjs" => "text/javascript",
        "json" => "application/json",
        "svg" => "image/svg+xml",
        "pdf" => "application/pdf",
        "wasm" => "application/wasm",
        "mp3" => "audio/mpeg",
        "wav" => "audio/wav",
        "ogg" => "audio/ogg",
        "mp4" => "video/mp4",
        "webm" => "video/webm",
        "woff2" => "font/woff2",
        _ => "application/octet-stream",
    })
}

pub(super) fn picture(name: &str) -> Option<&'static str> {
    match name.rsplit_once('.')?.1.to_ascii_lowercase().as_str() {
        "png" => Some("image/png"),
        "jpg" | "jpeg" => Some("image/jpeg"),
        "gif" => Some("image/gif"),
        "webp" => Some("image/webp"),
        "avif" => Some("image/avif"),
        _ => None,
    }
}
