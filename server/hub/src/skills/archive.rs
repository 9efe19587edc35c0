//! The skills of an archive: which ones it has, and the folder of one.

use super::front_matter;
use super::parcel::{MAIN, Parcel, is_left_over};
use super::tarball;
use super::visible::spelled;
use crate::error::{Error, Result};
use crate::files::FilePath;
use crate::zip::{Entries, unpack, unpack_wanted};
use protocol::view::FoundSkill;
use std::collections::BTreeMap;

pub(super) const ZIP: &[u8] = b"PK";
pub(super) const GZIP: &[u8] = b"\x1f\x8b";
/// Skills of which one is chosen.
pub(super) const MOST_SKILLS: usize = 200;
/// Bytes of what says which skills there are, and of one skill, where the archive is that of a repository.
const MAINS: u64 = 8 * 1024 * 1024;
const FOLDER: u64 = 2 * 1024 * 1024;
/// Characters of what is said of a skill that is chosen from several.
const ABOUT: usize = 300;

/// What an archive has of what was asked for.
#[derive(Debug)]
pub(super) enum Contents {
    One(Parcel),
    Several(Vec<FoundSkill>),
}

pub(super) enum Archive<'a> {
    Whole(Entries),
    /// Everything stands below one folder, and only some of it is wanted.
    Repository(&'a [u8]),
}

impl<'a> Archive<'a> {
    /// `None`: it is no archive.
    pub(super) fn of(bytes: &'a [u8]) -> Result<Option<Self>> {
        match bytes {
            bytes if bytes.starts_with(ZIP) => Ok(Some(Self::Whole(unpack(bytes)?))),
            bytes if bytes.starts_with(GZIP) => Ok(Some(Self::Whole(tarball::unpack(bytes)?))),
            _ => Ok(None),
        }
    }

    /// The skill of this folder; without one, the only one there is, or all of them to choose from.
    pub(super) fn find(&self, folder: &str) -> Result<Contents> {
        let folder = folder.trim_matches('/');
        let below = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let mains = self.some(MAINS, |path| path.starts_with(&below) && is_main(path))?;
        let folders = folders(mains.keys());
        match folders.as_slice() {
            [] => Err(Error::invalid(match folder {
                "" => "The archive has no SKILL.md, so it is no skill.".to_owned(),
                folder => format!("There is no SKILL.md in {folder}, so it is no skill."),
            })),
            [only] => self.folder(only).map(Contents::One),
            several if several.len() > MOST_SKILLS => Err(Error::Limit(format!(
                "There are more than {MOST_SKILLS} skills. Name the folder of one."
            ))),
            several => Ok(Contents::Several(several.iter().map(|folder| found(folder, &mains)).collect())),
        }
    }

    fn folder(&self, folder: &str) -> Result<Parcel> {
        let inside =
            |path: &str| path.strip_prefix(folder).filter(|path| !is_left_over(path)).map(str::to_owned);
        let some = self.some(FOLDER, |path| inside(path).is_some())?;
        let files: BTreeMap<String, Vec<u8>> =
            some.into_iter().filter_map(|(path, bytes)| Some((inside(&path)?, bytes))).collect();
        Parcel(files).checked()
    }

    fn some(&self, most: u64, wanted: impl Fn(&str) -> bool) -> Result<Entries> {
        match self {
            Self::Whole(entries) => {
                let wanted = entries.iter().filter(|(path, _)| wanted(path));
                Ok(wanted.map(|(path, bytes)| (path.clone(), bytes.clone())).collect())
            }
            Self::Repository(bytes) => {
                let below = |path: &str| path.split_once('/').map(|(_, below)| below.to_owned());
                let is_wanted = |path: &str| {
                    below(path)
                        .is_some_and(|below| !below.is_empty() && !below.ends_with('/') && wanted(&below))
                };
                let mut entries = Entries::new();
                for (path, bytes) in unpack_wanted(bytes, most, is_wanted)? {
                    let path = below(&path).unwrap_or(path);
                    entries.insert(FilePath::check(&path)?.to_string(), bytes);
                }
                Ok(entries)
            }
        }
    }
}

/// The folders of skills, each ending in a slash. One within another belongs to that.
fn folders<'a>(mains: impl Iterator<Item = &'a String>) -> Vec<&'a str> {
    let mut all: Vec<&str> = mains.map(|path| &path[..path.len() - MAIN.len()]).collect();
    all.sort_unstable();
    let mut folders: Vec<&str> = Vec::new();
    for folder in all {
        // What is within a folder comes right after it.
        if !folders.last().is_some_and(|outer| folder.starts_with(outer)) {
            folders.push(folder);
        }
    }
    folders
}

fn found(folder: &str, mains: &Entries) -> FoundSkill {
    let main = mains.get(&format!("{folder}{MAIN}")).map(Vec::as_slice).unwrap_or_default();
    let head = str::from_utf8(main).ok().and_then(|text| front_matter::read(text).ok()).map(|(head, _)| head);
    let within = folder.trim_end_matches('/').to_owned();
    let name = head.as_ref().map(|head| head.name.as_str()).filter(|name| !name.is_empty());
    let name = name.unwrap_or_else(|| within.rsplit('/').next().unwrap_or_default()).to_owned();
    let about = head.map(|head| head.description);
    let about = about.unwrap_or_else(|| "Its SKILL.md cannot be read.".to_owned());
    FoundSkill { name: told(&name), description: told(&about), within }
}

/// What somebody elsewhere says of a skill, as a person reads it in a list.
pub(super) fn told(text: &str) -> String {
    spelled(&text.chars().take(ABOUT).collect::<String>())
}

fn is_main(path: &str) -> bool {
    (path == MAIN || path.ends_with("/SKILL.md")) && !path.starts_with("__MACOSX/")
}
