//! What an archive holds, read as a whole: nothing is made of one that is not in order.

use super::dom_state::{self, DomState};
use super::manifest::{self, Manifest};
use super::schedules;
use super::storage::{self, Kept, Snapshot};
use super::zip::{Entries, against, pack, unpack};
use crate::error::{Error, Result};
use crate::files::{self, FilePath};
use crate::skins::{check_size, document};
use protocol::archive::ArchivedSchedule;
use protocol::frame::SkinPage;
use std::collections::BTreeMap;

/// Where flo.monster puts its own script into a document.
const BOOTSTRAP: &str = "<!-- FLO_BOOTSTRAP -->";

pub(super) type Files = BTreeMap<FilePath, Vec<u8>>;

#[derive(Debug, Default)]
pub(super) struct Content {
    pub(super) manifest: Manifest,
    pub(super) page: Option<SkinPage>,
    pub(super) kept: Kept,
    pub(super) files: Files,
    pub(super) schedules: Vec<ArchivedSchedule>,
    /// Files beside those that an archive has.
    pub(super) strays: Vec<String>,
}

impl Content {
    pub(super) fn read(bytes: &[u8]) -> Result<Self> {
        let mut entries = unpack(bytes)?;
        let manifest = entries.remove(manifest::FILE).or_else(|| entries.remove("manifest.yml"));
        let manifest = manifest.ok_or_else(|| Error::invalid("The archive has no manifest.yaml."))?;
        let manifest = Manifest::read(&text(manifest::FILE, manifest)?)?;
        let srcdoc = entries.remove(&manifest.entry_points.srcdoc);
        let srcdoc = srcdoc.map(|bytes| text(&manifest.entry_points.srcdoc, bytes)).transpose()?;
        let snapshot = match &manifest.entry_points.storage {
            None => None,
            Some(path) => {
                let bytes = entries
                    .remove(path)
                    .ok_or_else(|| against(path, "the manifest names it, and it is missing"))?;
                Some(json::<Snapshot>(path, &bytes)?)
            }
        };
        let told = entries.remove(schedules::FILE);
        let schedules = told.as_deref().map(schedules::read).transpose()?.unwrap_or_default();
        let (mut files, strays) = split(entries, &manifest.entry_points.files)?;
        let state = files.remove(&FilePath::check(dom_state::FILE)?);
        let state_path = format!("{}{}", manifest.entry_points.files, dom_state::FILE);
        let state = state.map(|bytes| json::<DomState>(&state_path, &bytes)).transpose()?;
        let document = srcdoc.as_deref().map(page_of).transpose()?;
        let page = match state {
            Some(state) => Some(state.page(document)?),
            None => document,
        };
        if let Some(page) = &page {
            check_size(page)?;
        }
        let kept = snapshot.map(Snapshot::kept).unwrap_or_default();
        Ok(Self { manifest, page, kept, files, schedules, strays })
    }

    /// A template that comes with the product.
    pub(super) fn template(manifest: &str, srcdoc: &str) -> Result<Self> {
        Ok(Self { manifest: Manifest::read(manifest)?, page: Some(page_of(srcdoc)?), ..Self::default() })
    }

    /// The same as an archive, in the layout that every manifest has unless it says otherwise.
    pub(super) fn write(mut self, now: i64) -> Result<Vec<u8>> {
        let folder = self.manifest.entry_points.files.clone();
        let mut entries = Entries::new();
        for (path, bytes) in self.files {
            entries.insert(format!("{folder}{path}"), bytes);
        }
        if let Some(page) = &self.page {
            let state = serde_json::to_vec(&DomState::of(page, now))?;
            entries.insert(format!("{folder}{}", dom_state::FILE), state);
            let mut shown = page.clone();
            shown.head.insert_str(0, BOOTSTRAP);
            let path = self.manifest.entry_points.srcdoc.clone();
            entries.insert(path, document::write(&shown).into_bytes());
        }
        let snapshot = serde_json::to_vec_pretty(&Snapshot::of(&self.kept, now))?;
        entries.insert(storage::FILE.to_owned(), snapshot);
        self.manifest.entry_points.storage = Some(storage::FILE.to_owned());
        if !self.schedules.is_empty() {
            entries.insert(schedules::FILE.to_owned(), serde_json::to_vec_pretty(&self.schedules)?);
        }
        entries.insert(manifest::FILE.to_owned(), self.manifest.write()?.into_bytes());
        pack(&entries)
    }
}

fn page_of(srcdoc: &str) -> Result<SkinPage> {
    document::read(&srcdoc.replace(BOOTSTRAP, ""))
}

fn split(entries: Entries, folder: &str) -> Result<(Files, Vec<String>)> {
    let (mut kept, mut strays) = (Files::new(), Vec::new());
    for (name, bytes) in entries {
        let Some(path) = name.strip_prefix(folder) else {
            strays.push(name);
            continue;
        };
        if bytes.len() > files::FILE && path != dom_state::FILE {
            return Err(against(&name, "a file has at most 5 MB"));
        }
        kept.insert(FilePath::check(path)?, bytes);
    }
    Ok((kept, strays))
}

fn text(name: &str, bytes: Vec<u8>) -> Result<String> {
    String::from_utf8(bytes).map_err(|_| against(name, "it is not written in UTF-8"))
}

fn json<T: serde::de::DeserializeOwned>(name: &str, bytes: &[u8]) -> Result<T> {
    serde_json::from_slice(bytes).map_err(|error| Error::invalid(format!("{name} cannot be read: {error}.")))
}
