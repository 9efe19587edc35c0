//! What an archive holds, read as a whole: nothing is made of one that is not in order.

use super::dom_state::{self, DomState};
use super::lenient;
use super::made_tools;
use super::manifest::{self, Manifest};
use super::schedules;
use super::storage::{self, AgentStorage, Snapshot};
use crate::archives::Archives;
use crate::error::{Error, Result};
use crate::files::{self, FilePath};
use crate::made_tools::MadeTool;
use crate::network;
use crate::nodes;
use crate::policy;
use crate::skins::{check_size, document};
use crate::zip::{Entries, against, pack, unpack};
use protocol::UserId;
use protocol::archive::ArchivedSchedule;
use protocol::page::SkinPage;
use protocol::view::{CarriedRule, Network};
use serde::de::DeserializeOwned;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// Where flo.monster puts its own script into a document.
const BOOTSTRAP: &str = "<!-- FLO_BOOTSTRAP -->";

/// Values and names in one of its JSON files: each takes far more room than it has as text.
const VALUES: usize = 200_000;

/// The folder of conversations.
pub(super) const CONVERSATIONS: &str = "conversations/";

/// Rules about calls that an archive proposes.
const PROPOSED: usize = 50;

pub(super) type Files = BTreeMap<FilePath, Vec<u8>>;

#[derive(Debug, Default)]
pub(super) struct Content {
    pub(super) manifest: Manifest,
    pub(super) page: Option<SkinPage>,
    pub(super) kept: AgentStorage,
    pub(super) files: Files,
    pub(super) schedules: Vec<ArchivedSchedule>,
    pub(super) tools: Vec<MadeTool>,
    /// Conversations as they are exported, by the names of their files.
    pub(super) conversations: Entries,
    /// Files beside those that an archive has.
    pub(super) strays: Vec<String>,
    /// Files and parts of files that cannot be read, and why where that is not plain.
    pub(super) unread: Vec<String>,
    /// What else is in it and cannot be here, a sentence each.
    pub(super) lost: Vec<String>,
}

/// A page as it lies in an archive. Only the engine reads HTML that others wrote.
#[derive(Debug, Default)]
pub(super) struct Drawn {
    srcdoc: Option<String>,
    state: Option<DomState>,
}

impl Archives<'_> {
    /// The content with its page.
    pub(super) async fn read_page(
        self,
        person: &UserId,
        (content, drawn): (Content, Drawn),
    ) -> Result<Content> {
        let Drawn { srcdoc, state } = drawn;
        let viewport = state.as_ref().and_then(DomState::viewport).map(str::to_owned);
        let document = match srcdoc {
            Some(srcdoc) => {
                Some(self.hub.skins().read_document(person, srcdoc.replace(BOOTSTRAP, ""), viewport).await?)
            }
            None => None,
        };
        let page = match state {
            Some(state) => Some(state.page(document)).filter(|page| *page != SkinPage::default()),
            None => document.map(|document| document.page),
        };
        if let Some(page) = &page {
            check_size(page)?;
        }
        Ok(Content { page, ..content })
    }
}

impl Content {
    pub(super) fn read(bytes: &[u8]) -> Result<(Self, Drawn)> {
        let mut entries = unpack(bytes)?;
        let manifest = entries.remove(manifest::FILE).or_else(|| entries.remove("manifest.yml"));
        let manifest = manifest.ok_or_else(|| Error::invalid("The archive has no manifest.yaml."))?;
        let (manifest, left_out) = Manifest::read(&text(manifest::FILE, manifest)?)?;
        let mut content = Self { manifest, ..Self::default() };
        content.leave_out(manifest::FILE, left_out);
        let entry_points = content.manifest.entry_points.clone();
        let srcdoc = entries.remove(&entry_points.srcdoc);
        let srcdoc = srcdoc.map(|bytes| content.document(&entry_points.srcdoc, &bytes));
        if let Some(path) = &entry_points.storage {
            match entries.remove(path) {
                Some(bytes) => content.kept = content.parts::<Snapshot>(path, &bytes)?.kept()?,
                None => content.unread.push(format!("{path} (it is missing)")),
            }
        }
        let told = entries.remove(schedules::FILE);
        content.schedules = told.as_deref().map(schedules::read).transpose()?.unwrap_or_default();
        if let Some(made) = entries.remove(made_tools::FILE) {
            let archived = content.parts(made_tools::FILE, &made)?;
            (content.tools, content.lost) = made_tools::checked(archived);
        }
        if content.manifest.vivarium.is_some() {
            let (said, others) = entries.into_iter().partition(|(name, _)| name.starts_with(CONVERSATIONS));
            (content.conversations, entries) = (said, others);
        }
        let state = entries.remove(&format!("{}{}", entry_points.files, dom_state::FILE));
        content.take_files(entries, &entry_points.files)?;
        let state = match state {
            Some(bytes) => {
                let path = format!("{}{}", entry_points.files, dom_state::FILE);
                let state: DomState = content.parts(&path, &bytes)?;
                content.lost.extend(state.notices());
                Some(state)
            }
            None => None,
        };
        Ok((content, Drawn { srcdoc, state }))
    }

    /// What it had been allowed of the web, if that can be allowed here.
    pub(super) fn proposed_network(&self) -> Option<&Network> {
        let network = &self.manifest.vivarium.as_ref()?.network;
        Some(network).filter(|network| !network.is_off() && network::is_sound(network))
    }

    /// The rules about its calls that can be some here.
    pub(super) fn proposed_rules(&self) -> impl Iterator<Item = &CarriedRule> {
        let rules = self.manifest.vivarium.as_ref().map(|own| own.rules.as_slice()).unwrap_or_default();
        rules.iter().filter(|rule| policy::is_sound(rule)).take(PROPOSED)
    }

    /// A template that comes with the product.
    pub(super) fn template(manifest: Manifest, srcdoc: &str) -> (Self, Drawn) {
        let drawn = Drawn { srcdoc: Some(srcdoc.to_owned()), state: None };
        (Self { manifest, ..Self::default() }, drawn)
    }

    /// The same as an archive, in the layout that every manifest has unless it says otherwise.
    pub(super) fn write(mut self, now: i64) -> Result<Vec<u8>> {
        let folder = self.manifest.entry_points.files.clone();
        let mut entries = Entries::new();
        for (path, bytes) in self.files {
            entries.insert(format!("{folder}{path}"), bytes);
        }
        entries.extend(self.conversations);
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
        if !self.tools.is_empty() {
            entries.insert(made_tools::FILE.to_owned(), made_tools::write(&self.tools)?);
        }
        entries.insert(manifest::FILE.to_owned(), self.manifest.write()?.into_bytes());
        pack(&entries)
    }

    fn document(&mut self, path: &str, bytes: &[u8]) -> String {
        let words = String::from_utf8_lossy(bytes);
        if matches!(words, Cow::Owned(_)) {
            self.unread.push(format!("{path} (letters that are not written in UTF-8)"));
        }
        words.into_owned()
    }

    /// What can be read of a file of JSON.
    fn parts<T: DeserializeOwned + Default>(&mut self, path: &str, bytes: &[u8]) -> Result<T> {
        check_values(path, bytes)?;
        Ok(match serde_json::from_slice(bytes) {
            Ok(value) => {
                let (read, left_out) = lenient::read(value);
                self.leave_out(path, left_out);
                read
            }
            Err(error) => {
                self.unread.push(format!("{path} ({error})"));
                T::default()
            }
        })
    }

    fn leave_out(&mut self, path: &str, places: Vec<String>) {
        let place = |place: String| match place.as_str() {
            "" => path.to_owned(),
            place => format!("{place} in {path}"),
        };
        self.unread.extend(places.into_iter().map(place));
    }

    fn take_files(&mut self, entries: Entries, folder: &str) -> Result<()> {
        for (name, bytes) in entries {
            let Some(path) = name.strip_prefix(folder) else {
                self.strays.push(name);
                continue;
            };
            if bytes.len() > files::LARGEST_FILE {
                self.unread.push(format!("{name} (larger than 5 MB)"));
                continue;
            }
            match self.files.entry(FilePath::seen(path)?) {
                Entry::Vacant(entry) => {
                    entry.insert(bytes);
                }
                Entry::Occupied(_) => self.unread.push(format!("{name} (another file has the same name)")),
            }
        }
        Ok(())
    }
}

fn text(name: &str, bytes: Vec<u8>) -> Result<String> {
    String::from_utf8(bytes).map_err(|_| against(name, "it is not written in UTF-8"))
}

/// Before any of them is made.
pub(super) fn check_values(name: &str, json: &[u8]) -> Result<()> {
    if nodes::count(json) > VALUES {
        return Err(against(name, &format!("it holds more than {VALUES} values")));
    }
    Ok(())
}
