//! The files of a skill as they came: a `SKILL.md`, alone or in a folder of an archive. What could be run as it is,
//! or be opened once more, is not taken in.

use super::archive::{Archive, Contents};
use crate::error::{Error, Result};
use crate::zip::against;
use protocol::view::PinnedFile;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// The file without which nothing is a skill.
pub(super) const MAIN: &str = "SKILL.md";
const MAIN_BYTES: usize = 128 * 1024;
pub(super) const FILES: usize = 200;
/// Bytes of all files, and of those that are texts.
pub(super) const TOTAL: usize = 2 * 1024 * 1024;
const TEXTS: usize = 512 * 1024;

/// How programs and archives begin.
const PROGRAMS: [&[u8]; 9] = [
    b"\x7fELF",
    b"MZ",
    b"\xfe\xed\xfa\xce",
    b"\xfe\xed\xfa\xcf",
    b"\xce\xfa\xed\xfe",
    b"\xcf\xfa\xed\xfe",
    b"\xca\xfe\xba\xbe",
    b"\0asm",
    b"L\0\0\0\x01\x14\x02\0",
];
const ARCHIVES: [&[u8]; 7] =
    [b"PK\x03\x04", b"\x1f\x8b", b"Rar!", b"7z\xbc\xaf\x27\x1c", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd"];
/// How their names end.
const PROGRAM_NAMES: [&str; 12] =
    ["app", "com", "dll", "dmg", "dylib", "exe", "lnk", "msi", "pkg", "scr", "so", "wasm"];
const ARCHIVE_NAMES: [&str; 14] =
    ["7z", "apk", "bz2", "deb", "gz", "iso", "jar", "rar", "rpm", "tar", "tgz", "whl", "xz", "zip"];

/// Files by their paths below the folder of the skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Parcel(pub(super) BTreeMap<String, Vec<u8>>);

impl Parcel {
    /// Of a `SKILL.md`, or of an archive that has one.
    pub(super) fn read(bytes: &[u8]) -> Result<Self> {
        let Some(archive) = Archive::of(bytes)? else { return Self::alone(bytes) };
        match archive.find("")? {
            Contents::One(parcel) => Ok(parcel),
            Contents::Several(_) => Err(Error::invalid(
                "The archive has several skills. Bring in one at a time: the folder of one, with its SKILL.md.",
            )),
        }
    }

    /// A `SKILL.md` and nothing else.
    pub(super) fn alone(bytes: &[u8]) -> Result<Self> {
        Self(BTreeMap::from([(MAIN.to_owned(), bytes.to_vec())])).checked()
    }

    pub(super) fn checked(self) -> Result<Self> {
        if self.0.len() > FILES {
            return Err(Error::Limit(format!("The skill has more than {FILES} files.")));
        }
        let (mut total, mut texts) = (0, 0);
        for (path, bytes) in &self.0 {
            if let Some(why) = fault(path, bytes) {
                return Err(against(path, why));
            }
            if path.match_indices('/').any(|(end, _)| self.0.contains_key(&path[..end])) {
                return Err(against(path, "its folder is a file as well"));
            }
            total += bytes.len();
            texts += if str::from_utf8(bytes).is_ok() { bytes.len() } else { 0 };
        }
        if total > TOTAL || texts > TEXTS {
            return Err(Error::Limit(
                "The skill is too large: it may have 512 KB of text, and 2 MB in all.".to_owned(),
            ));
        }
        let main = self.main()?;
        if main.len() > MAIN_BYTES {
            return Err(Error::Limit("SKILL.md is larger than 128 KB.".to_owned()));
        }
        Ok(self)
    }

    pub(super) fn main(&self) -> Result<&str> {
        let main = self.0.get(MAIN).ok_or_else(|| Error::invalid("There is no SKILL.md."))?;
        str::from_utf8(main).map_err(|_| Error::invalid("SKILL.md is no text in UTF-8."))
    }

    pub(super) fn bytes(&self) -> usize {
        self.0.values().map(Vec::len).sum()
    }

    pub(super) fn pinned(&self) -> Vec<PinnedFile> {
        let pin = |(path, bytes): (&String, &Vec<u8>)| PinnedFile {
            path: path.clone(),
            bytes: bytes.len() as u64,
            digest: digest(bytes),
        };
        self.0.iter().map(pin).collect()
    }
}

/// SHA-256 in hex.
pub(super) fn digest(bytes: &[u8]) -> String {
    data_encoding::HEXLOWER.encode(&Sha256::digest(bytes))
}

/// One digest for all files of a skill, their names included.
pub(super) fn digest_of(files: &[PinnedFile]) -> String {
    let lines: String = files.iter().map(|file| format!("{} {}\n", file.digest, file.path)).collect();
    digest(lines.as_bytes())
}

/// What systems and version control leave beside files.
pub(super) fn is_left_over(path: &str) -> bool {
    path.starts_with(".git/") || path.rsplit('/').next() == Some(".DS_Store")
}

fn fault(path: &str, bytes: &[u8]) -> Option<&'static str> {
    let end =
        path.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map(|(_, end)| end.to_lowercase());
    let ends = |names: &[&str]| end.as_deref().is_some_and(|end| names.contains(&end));
    let begins = |starts: &[&[u8]]| starts.iter().any(|start| bytes.starts_with(start));
    // One that begins with these letters may be a text.
    let is_text = str::from_utf8(bytes).is_ok_and(|text| !text.contains('\0'));
    if ends(&PROGRAM_NAMES) || (begins(&PROGRAMS) && !is_text) {
        return Some("it is a program, and a skill has none");
    }
    let is_tar = bytes.get(257..262) == Some(b"ustar");
    if ends(&ARCHIVE_NAMES) || ((begins(&ARCHIVES) || is_tar) && !is_text) {
        return Some("it is an archive within the archive");
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zip::{Entries, pack};

    const HEAD: &[u8] = b"---\nname: moss\ndescription: Knows moss.\n---\n";

    fn packed(files: &[(&str, &[u8])]) -> Vec<u8> {
        let entries: Entries =
            files.iter().map(|(path, bytes)| ((*path).to_owned(), bytes.to_vec())).collect();
        pack(&entries).expect("it can be packed")
    }

    #[test]
    fn a_skill_is_the_folder_of_its_file_and_nothing_beside_it() {
        for (files, expected) in [
            (vec![("SKILL.md", HEAD), ("a.md", b"a")], vec!["SKILL.md", "a.md"]),
            (
                vec![("moss/SKILL.md", HEAD), ("moss/b/a.md", b"a"), ("README.md", b"r")],
                vec!["SKILL.md", "b/a.md"],
            ),
            (
                vec![("x/SKILL.md", HEAD), ("x/.git/config", b"a"), ("__MACOSX/x/SKILL.md", b"")],
                vec!["SKILL.md"],
            ),
            (vec![("SKILL.md", HEAD), ("other/SKILL.md", HEAD)], vec!["SKILL.md", "other/SKILL.md"]),
        ] {
            let parcel = Parcel::read(&packed(&files)).expect("it is a skill");
            assert_eq!(parcel.0.keys().map(String::as_str).collect::<Vec<_>>(), expected);
        }
        assert_eq!(Parcel::read(HEAD).expect("it is a skill").main().expect("a text").as_bytes(), HEAD);
    }

    #[test]
    fn what_could_be_run_or_opened_once_more_is_not_taken_in() {
        let many: Vec<(String, &[u8])> = (0..200).map(|n| (format!("f{n}.md"), &b"x"[..])).collect();
        let mut many: Vec<(&str, &[u8])> = many.iter().map(|(path, bytes)| (path.as_str(), *bytes)).collect();
        many.push(("SKILL.md", HEAD));
        let large: String = (0..TEXTS / 4).map(|n| format!("{n}\n")).collect();
        for (files, why) in [
            (vec![("SKILL.md", HEAD), ("run.exe", b"x")], "it is a program"),
            (vec![("SKILL.md", HEAD), ("helper", b"\x7fELF\x02\0\xff")], "it is a program"),
            (vec![("SKILL.md", HEAD), ("picture.png", b"MZ\x90\0\xff")], "it is a program"),
            (vec![("SKILL.md", HEAD), ("more.zip", b"x")], "an archive within"),
            (vec![("SKILL.md", HEAD), ("more.md", b"PK\x03\x04\xff\0")], "an archive within"),
            (vec![("SKILL.md", HEAD), ("a.TAR", b"x")], "an archive within"),
            (vec![("SKILL.md", HEAD), ("a", b"x"), ("a/b/c", b"x")], "is a file as well"),
            (vec![("README.md", b"r")], "no SKILL.md"),
            (vec![("a/SKILL.md", HEAD), ("b/SKILL.md", HEAD)], "several skills"),
            (vec![("SKILL.md", b"\xff\xfe")], "no text"),
            (vec![("SKILL.md", HEAD), ("large.md", large.as_bytes())], "too large"),
            (many, "more than 200 files"),
        ] {
            let error = Parcel::read(&packed(&files)).expect_err(why).to_string();
            assert!(error.contains(why), "{error}");
        }
        assert!(Parcel::read(b"PK nothing").is_err());
    }

    #[test]
    fn a_digest_is_of_every_file_and_its_name() {
        let pinned = |path: &str, bytes: &[u8]| {
            digest_of(&Parcel(BTreeMap::from([(path.to_owned(), bytes.to_vec())])).pinned())
        };
        let one = pinned("SKILL.md", b"a");
        assert_eq!((one.len(), one == pinned("SKILL.md", b"a")), (64, true));
        assert!(one != pinned("SKILL.md", b"b") && one != pinned("SKILL.MD", b"a"));
    }
}
