//! A device as the hub sees it: it has a place, a clipboard, and folders that it was given.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use protocol::device::{
    DeviceAnswer, DeviceAsk, DeviceFile, DeviceLocation, DeviceMount, DevicePath, DeviceProblem, FileDigest,
};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

#[derive(Default)]
pub struct Device {
    pub folders: BTreeSet<String>,
    pub files: BTreeMap<(DeviceMount, String), Vec<u8>>,
    pub clipboard: String,
    /// How often it was asked for something.
    pub asked: usize,
}

impl Device {
    pub fn perform(&mut self, ask: DeviceAsk) -> DeviceAnswer {
        self.asked += 1;
        self.answer(ask).unwrap_or_else(|why| DeviceAnswer::Failed { why, message: String::new() })
    }

    fn answer(&mut self, ask: DeviceAsk) -> Result<DeviceAnswer, DeviceProblem> {
        Ok(match ask {
            DeviceAsk::Location { .. } => DeviceAnswer::Location(DeviceLocation {
                latitude: 52.52,
                longitude: 13.41,
                accuracy: 30.0,
                altitude: None,
                heading: None,
                speed: None,
                at: 1,
            }),
            DeviceAsk::ReadClipboard => DeviceAnswer::Clipboard { text: self.clipboard.clone() },
            DeviceAsk::WriteClipboard { text } => {
                self.clipboard = text;
                DeviceAnswer::Done
            }
            DeviceAsk::Folders => DeviceAnswer::Folders { names: self.folders.iter().cloned().collect() },
            DeviceAsk::List { at } => {
                self.require(&at)?;
                let is_below = |path: &str| {
                    let rest = path.strip_prefix(&at.path);
                    at.path.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
                };
                let there =
                    self.files.iter().filter(|((mount, path), _)| *mount == at.mount && is_below(path));
                let files = there
                    .map(|((_, path), bytes)| DeviceFile {
                        path: path.clone(),
                        size: bytes.len() as u64,
                        at: 1,
                    })
                    .collect();
                DeviceAnswer::Files { files, more: false }
            }
            DeviceAsk::Read { at } => DeviceAnswer::Content { content: STANDARD.encode(self.content(&at)?) },
            DeviceAsk::Write { at, content, was } => {
                self.require(&at)?;
                match (self.content(&at), was) {
                    (Ok(_), None) => return Err(DeviceProblem::Exists),
                    (Ok(there), Some(was)) if digest_of(there) != was => return Err(DeviceProblem::Changed),
                    (Err(_), Some(_)) => return Err(DeviceProblem::Changed),
                    (Ok(_), Some(_)) | (Err(_), None) => {}
                }
                self.files.insert((at.mount, at.path), STANDARD.decode(content).unwrap());
                DeviceAnswer::Done
            }
            DeviceAsk::Delete { at, was } => {
                if digest_of(self.content(&at)?) != was {
                    return Err(DeviceProblem::Changed);
                }
                self.files.remove(&(at.mount, at.path));
                DeviceAnswer::Done
            }
        })
    }

    fn require(&self, at: &DevicePath) -> Result<(), DeviceProblem> {
        match &at.mount {
            DeviceMount::Local(name) if !self.folders.contains(name) => Err(DeviceProblem::NoFolder),
            DeviceMount::Opfs | DeviceMount::Local(_) => Ok(()),
        }
    }

    fn content(&self, at: &DevicePath) -> Result<&[u8], DeviceProblem> {
        self.require(at)?;
        let there = self.files.get(&(at.mount.clone(), at.path.clone()));
        there.map(Vec::as_slice).ok_or(DeviceProblem::Missing)
    }
}

fn digest_of(bytes: &[u8]) -> FileDigest {
    FileDigest(Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    }))
}
