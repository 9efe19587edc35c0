//! Many files of a folder, written and deleted in few statements: their number follows that of the parts, and each
//! part is bounded.

use super::rules::{Room, in_mb};
use super::stored::{MAX_FILES_PER_FOLDER, Written, digest_of};
use super::{FilePath, awaited, lock, outputs, versions};
use crate::error::{Error, Result};
use crate::store::{Json, Transaction, query};
use protocol::FolderId;
use protocol::files::FileAuthor;
use sqlx::AssertSqlSafe;
use std::collections::{BTreeMap, BTreeSet};

/// Files that one statement is about, and their bytes.
pub(crate) const PART: usize = 200;
pub(crate) const PART_BYTES: u64 = 4 * 1024 * 1024;

/// A folder to which nobody else writes until the transaction ends.
pub(crate) struct Changing<'t> {
    pub(super) tx: &'t mut Transaction,
    pub(super) folder: &'t FolderId,
    /// What is in it by now, and its bytes.
    files: usize,
    bytes: usize,
    room: Room,
}

/// A file that is to be there.
#[derive(Debug)]
pub(crate) struct NewFile {
    pub(crate) path: FilePath,
    pub(crate) bytes: Vec<u8>,
    /// Whether strangers may have written it, whoever writes it now.
    pub(crate) untrusted: bool,
    /// Whether somebody else than the person wrote what stands in it, whoever puts it there.
    pub(crate) by_others: bool,
}

/// A file as it is.
#[derive(Clone, Debug)]
pub(crate) struct There {
    pub(crate) version: u64,
    pub(crate) digest: String,
    size: usize,
}

impl There {
    pub(crate) fn bytes(&self) -> u64 {
        self.size as u64
    }
}

impl<'t> Changing<'t> {
    pub(crate) async fn begin(tx: &'t mut Transaction, folder: &'t FolderId, now: i64) -> Result<Self> {
        lock(tx, folder, now).await?;
        let (files, bytes, said): (usize, usize, Option<String>) = query(
            "SELECT COUNT(*), CAST(COALESCE(SUM(size), 0) AS BIGINT),
                    (SELECT value FROM settings WHERE key = 'files')
             FROM files WHERE folder_id = $1",
            (folder,),
        )
        .fetch_one(&mut **tx)
        .await?;
        Ok(Self { tx, folder, files, bytes, room: Room::said(said.as_deref()) })
    }

    pub(crate) fn folder(&self) -> &FolderId {
        self.folder
    }

    /// Those of the paths, of a part at most, at which there is a file.
    pub(crate) async fn there(&mut self, paths: &[FilePath]) -> Result<BTreeMap<FilePath, There>> {
        if paths.is_empty() {
            return Ok(BTreeMap::new());
        }
        let text = format!(
            "SELECT path, version, digest, size FROM files WHERE folder_id = $1 AND path IN ({})",
            numbers(paths.len())
        );
        let rows: Vec<(String, u64, String, usize)> =
            query(AssertSqlSafe(text), named(self.folder, paths)).fetch_all(&mut **self.tx).await?;
        rows.into_iter()
            .map(|(path, version, digest, size)| {
                Ok((FilePath::check(&path)?, There { version, digest, size }))
            })
            .collect()
    }

    /// What is in those of the paths that are in a folder which nobody else changes meanwhile, of a part at most, by path,
    /// and whether words of strangers may stand in it.
    pub(crate) async fn contents_of(
        &mut self,
        folder: &FolderId,
        paths: &[FilePath],
    ) -> Result<Vec<(String, (Vec<u8>, bool))>> {
        if paths.is_empty() {
            return Ok(Vec::new());
        }
        let text = format!(
            "SELECT path, bytes, untrusted FROM files WHERE folder_id = $1 AND path IN ({})",
            numbers(paths.len())
        );
        let rows: Vec<(String, Vec<u8>, bool)> =
            query(AssertSqlSafe(text), named(folder, paths)).fetch_all(&mut **self.tx).await?;
        Ok(rows.into_iter().map(|(path, bytes, untrusted)| (path, (bytes, untrusted))).collect())
    }

    /// Writes what there is room for, each path once, and gives the version of each, or why it was not written. What
    /// is there already makes no version.
    pub(crate) async fn put(
        &mut self,
        files: Vec<NewFile>,
        written: &Written,
    ) -> Result<Vec<std::result::Result<u64, String>>> {
        let paths: Vec<FilePath> = files.iter().map(|file| file.path.clone()).collect();
        let there = self.there(&paths).await?;
        let new: Vec<FilePath> = paths.into_iter().filter(|path| !there.contains_key(path)).collect();
        let last = self.last_versions(&new).await?;
        let (mut outcomes, mut rows) = (Vec::new(), Vec::new());
        let mut changed = Vec::new();
        let (mut same, mut replaced, mut many) = (Vec::new(), Vec::new(), BTreeMap::<u64, Vec<_>>::new());
        for file in files {
            let NewFile { path, bytes, untrusted, by_others } = file;
            let untrusted = untrusted || written.untrusted;
            let digest = digest_of(&bytes);
            let before = there.get(&path);
            if let Some(before) = before.filter(|before| before.digest == digest) {
                outcomes.push(Ok(before.version));
                // What they bring back or move there is not theirs for that.
                if !untrusted && !by_others {
                    same.push(path);
                }
                continue;
            }
            if let Err(why) = self.make_room(&path, bytes.len(), before.map(|before| before.size)) {
                outcomes.push(Err(why));
                continue;
            }
            let version = match before {
                Some(before) => before.version,
                None => last.get(&path).copied().unwrap_or_default(),
            } + 1;
            outcomes.push(Ok(version));
            if before.is_some() {
                replaced.push(path.clone());
            }
            changed.push(path.clone());
            if version > versions::MAX_VERSIONS_PER_FILE {
                many.entry(version).or_default().push(path.clone());
            }
            rows.push((
                self.folder.clone(),
                path.as_str().to_owned(),
                bytes.len(),
                digest,
                written.at,
                version,
                Json(&written.by),
                untrusted,
                by_others,
                bytes,
            ));
        }
        if written.by == FileAuthor::Person {
            self.stand_by(&same).await?;
        }
        versions::keep(self, &replaced, written.at).await?;
        if !rows.is_empty() {
            let text = format!(
                "INSERT INTO files (folder_id, path, size, digest, at, version, author, untrusted, by_others, bytes) VALUES {}
                 ON CONFLICT (folder_id, path) DO UPDATE
                 SET bytes = excluded.bytes, size = excluded.size, digest = excluded.digest, at = excluded.at,
                     version = excluded.version, author = excluded.author, untrusted = excluded.untrusted,
                     by_others = excluded.by_others",
                rows_of(10, rows.len())
            );
            query(AssertSqlSafe(text), rows).execute(&mut **self.tx).await?;
        }
        for (version, paths) in many {
            versions::forget_before(self, &paths, version).await?;
        }
        awaited::note(self.tx, self.folder, &changed, written).await?;
        Ok(outcomes)
    }

    /// Puts those that are there into the bin, and says which they were.
    pub(crate) async fn delete(
        &mut self,
        paths: &[FilePath],
        written: &Written,
    ) -> Result<BTreeSet<FilePath>> {
        let there = self.there(paths).await?;
        let gone: Vec<FilePath> = there.keys().cloned().collect();
        if gone.is_empty() {
            return Ok(BTreeSet::new());
        }
        versions::keep(self, &gone, written.at).await?;
        let text = format!("DELETE FROM files WHERE folder_id = $1 AND path IN ({})", numbers(gone.len()));
        query(AssertSqlSafe(text), named(self.folder, &gone)).execute(&mut **self.tx).await?;
        versions::keep_end(self, &there, written).await?;
        awaited::note(self.tx, self.folder, &gone, written).await?;
        self.files -= there.len();
        self.bytes -= there.values().map(|file| file.size).sum::<usize>();
        Ok(gone.into_iter().collect())
    }

    /// Takes files away with all that they were: none of it comes back.
    pub(super) async fn forget(&mut self, paths: &[FilePath]) -> Result<()> {
        let there = self.there(paths).await?;
        if there.is_empty() {
            return Ok(());
        }
        for table in ["files", "file_versions"] {
            let text =
                format!("DELETE FROM {table} WHERE folder_id = $1 AND path IN ({})", numbers(paths.len()));
            query(AssertSqlSafe(text), named(self.folder, paths)).execute(&mut **self.tx).await?;
        }
        self.files -= there.len();
        self.bytes -= there.values().map(|file| file.size).sum::<usize>();
        Ok(())
    }

    /// In bytes.
    pub(super) fn largest_file(&self) -> usize {
        self.room.file
    }

    /// Lets go of what is more than is kept of what was, and of what commands said a day ago.
    pub(crate) async fn end(mut self, now: i64) -> Result<()> {
        outputs::let_go(&mut self, now).await?;
        versions::prune(&mut self, now).await
    }

    /// Of the paths, at which nothing is, the number of the last change.
    async fn last_versions(&mut self, paths: &[FilePath]) -> Result<BTreeMap<FilePath, u64>> {
        if paths.is_empty() {
            return Ok(BTreeMap::new());
        }
        let text = format!(
            "SELECT path, MAX(version) FROM file_versions WHERE folder_id = $1 AND path IN ({}) GROUP BY path",
            numbers(paths.len())
        );
        let rows: Vec<(String, u64)> =
            query(AssertSqlSafe(text), named(self.folder, paths)).fetch_all(&mut **self.tx).await?;
        rows.into_iter().map(|(path, version)| Ok((FilePath::check(&path)?, version))).collect()
    }

    fn make_room(
        &mut self,
        path: &FilePath,
        bytes: usize,
        before: Option<usize>,
    ) -> std::result::Result<(), String> {
        let room = self.room;
        if bytes > room.file {
            return Err(format!("{path} is larger than {} MB.", in_mb(room.file)));
        }
        if before.is_none() && self.files >= MAX_FILES_PER_FOLDER {
            return Err(
                "There are 20,000 files already, and a folder has no more. Delete some first.".to_owned()
            );
        }
        let total = self.bytes - before.unwrap_or_default() + bytes;
        if total > room.folder {
            let most = in_mb(room.folder);
            return Err(format!(
                "With {path} all files together are larger than {most} MB. Delete some first."
            ));
        }
        self.bytes = total;
        self.files += usize::from(before.is_none());
        Ok(())
    }

    /// The person puts there what is there already: it is theirs from then on, whoever wrote it.
    async fn stand_by(&mut self, paths: &[FilePath]) -> Result<()> {
        if paths.is_empty() {
            return Ok(());
        }
        let text = format!(
            "UPDATE files SET author = '{}', untrusted = 0, by_others = 0 WHERE folder_id = $1 AND path IN ({})",
            serde_json::to_string(&FileAuthor::Person)?,
            numbers(paths.len())
        );
        query(AssertSqlSafe(text), named(self.folder, paths)).execute(&mut **self.tx).await?;
        Ok(())
    }
}

/// The folder and then the paths, for a text that has [`numbers`].
pub(super) fn named(folder: &FolderId, paths: &[FilePath]) -> Vec<(String,)> {
    let paths = paths.iter().map(|path| (path.as_str().to_owned(),));
    std::iter::once((folder.0.clone(),)).chain(paths).collect()
}

/// Of so many values behind the first one.
pub(super) fn numbers(count: usize) -> String {
    (2..count + 2).map(|number| format!("${number}")).collect::<Vec<_>>().join(", ")
}

/// Rows of so many values each.
pub(super) fn rows_of(values: usize, rows: usize) -> String {
    let row = |row: usize| {
        let numbers: Vec<String> =
            (row * values + 1..=(row + 1) * values).map(|number| format!("${number}")).collect();
        format!("({})", numbers.join(", "))
    };
    (0..rows).map(row).collect::<Vec<_>>().join(", ")
}

/// Parts of what is there, in its order, each of which a few statements take.
pub(crate) fn parts<T>(all: impl IntoIterator<Item = T>, size: impl Fn(&T) -> u64) -> Vec<Vec<T>> {
    let (mut parts, mut bytes) = (Vec::<Vec<T>>::new(), 0);
    for one in all {
        bytes += size(&one);
        match parts.last_mut() {
            Some(part) if part.len() < PART && bytes <= PART_BYTES => part.push(one),
            Some(_) | None => {
                bytes = size(&one);
                parts.push(vec![one]);
            }
        }
    }
    parts
}

/// Why it was not written, where all were to be or none.
pub(super) fn all_written(outcomes: Vec<std::result::Result<u64, String>>) -> Result<Vec<u64>> {
    outcomes.into_iter().collect::<std::result::Result<_, _>>().map_err(Error::Limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_bounded_in_files_and_in_bytes_and_has_what_is_larger_alone() {
        let sizes = |all: Vec<u64>| parts(all, |size| *size).iter().map(Vec::len).collect::<Vec<_>>();
        assert_eq!(sizes(vec![1; 450]), [200, 200, 50]);
        assert_eq!(sizes(vec![PART_BYTES / 2; 5]), [2, 2, 1]);
        assert_eq!(sizes(vec![1, PART_BYTES + 1, 1]), [1, 1, 1]);
        assert!(sizes(Vec::new()).is_empty());
    }

    #[test]
    fn every_value_of_every_row_has_its_number() {
        assert_eq!(rows_of(2, 3), "($1, $2), ($3, $4), ($5, $6)");
        assert_eq!(numbers(2), "$2, $3");
    }
}
