//! What a person does with several files and folders at once: all of it or nothing, and one press takes it back.

use super::arrange::{Way, chosen, end, ways};
use super::changing::{Changing, NewFile, all_written, named, numbers, parts};
use super::empty_folders::kept_empty;
use super::stored::Kept;
use super::{
    FilePath, OwnFiles, Written, contents, copy_empty_folders, forget_empty_folders, lock, move_empty_folders,
};
use crate::error::{Error, Result};
use crate::fair_queue::{FairQueue, Permit, QueueFull};
use crate::store::{FromRow, Row, Transaction, query};
use crate::zip::{Entries, pack};
use protocol::files::FilesChange;
use protocol::{FolderId, UserId};
use sqlx::AssertSqlSafe;
use std::collections::{BTreeMap, BTreeSet};

/// Archives that are made at once. Each is whole in memory, so a person has one at a time made.
const AT_ONCE: usize = 2;
/// Those of one person that wait.
const WAITING: usize = 4;

/// Turns to make an archive of chosen files.
#[derive(Debug)]
pub(crate) struct ZipQueue(FairQueue<UserId>);

impl Default for ZipQueue {
    fn default() -> Self {
        Self(FairQueue::new(AT_ONCE, WAITING))
    }
}

impl ZipQueue {
    async fn turn(&self, person: &UserId) -> Result<Permit<UserId>> {
        self.0.enter(person).await.map_err(|QueueFull| {
            Error::Limit("Too many of your archives are being made. Try again in a moment.".to_owned())
        })
    }
}

/// What was chosen, as one file to be saved.
#[derive(Debug)]
pub struct Download {
    pub name: String,
    pub bytes: Vec<u8>,
    /// Whether it is a zip archive of several.
    pub is_archive: bool,
}

/// Sizes of files by their paths, in bytes.
type Sizes = BTreeMap<String, u64>;

impl OwnFiles<'_> {
    /// Puts files, and whole folders (`names` that end with `/`), into the bin.
    ///
    /// # Errors
    ///
    /// If one of them is not there, or the folder is not the viewer's.
    pub async fn delete_chosen(self, folder: impl Into<FolderId>, names: &[String]) -> Result<FilesChange> {
        let folder = folder.into();
        self.require(&folder).await?;
        let mut tx = self.scoped.hub.store().write().await?;
        let (written, there) = self.begin(&mut tx, &folder).await?;
        let all = paths(&there);
        let empty = kept_empty(&mut *tx, &folder).await?;
        let chosen = chosen(&all, &empty, names)?;
        let folders: Vec<&str> = chosen.keys().filter_map(|name| name.strip_suffix('/')).collect();
        let files: Vec<String> = chosen.values().flatten().cloned().collect();
        let mut changing = Changing::begin(&mut tx, &folder, written.at).await?;
        for part in parts(&files, |path| size(&there, path)) {
            let gone = part.into_iter().map(|path| FilePath::check(path)).collect::<Result<Vec<_>>>()?;
            changing.delete(&gone, &written).await?;
        }
        changing.end(written.at).await?;
        for gone in folders {
            forget_empty_folders(&mut tx, &folder, gone).await?;
        }
        tx.commit().await?;
        self.tell(&folder).await;
        Ok(FilesChange { folder, at: written.at, files: files.len() as u64 })
    }

    /// Moves files and whole folders into the folder `into`, which is empty for beside all folders. A single one can
    /// be given another `name` with that.
    ///
    /// # Errors
    ///
    /// If something is there already, or one of them is not there.
    pub async fn move_chosen(
        self,
        folder: impl Into<FolderId>,
        names: &[String],
        into: &str,
        name: Option<&str>,
    ) -> Result<FilesChange> {
        let folder = folder.into();
        self.require(&folder).await?;
        self.scoped.hub.spaces().require(&self.scoped.viewer.me.id).await?;
        let mut tx = self.scoped.hub.store().write().await?;
        let (written, there) = self.begin(&mut tx, &folder).await?;
        let all = paths(&there);
        let empty = kept_empty(&mut *tx, &folder).await?;
        let chosen = chosen(&all, &empty, names)?;
        let leave: BTreeSet<&String> = chosen.values().flatten().collect();
        let stays = all.iter().filter(|path| !leave.contains(path)).cloned().collect();
        let mut ways = ways(&chosen, &stays, into, name)?;
        ways.retain(|(from, to)| from != to);
        let mut folders = Vec::new();
        for from in chosen.keys().filter_map(|name| name.strip_suffix('/')) {
            folders.push((from, end(from, into, name)?));
        }
        if ways.is_empty() && folders.iter().all(|(from, to)| from == to) {
            return Err(Error::invalid("It is there already. Choose another name or folder."));
        }
        let mut changing = Changing::begin(&mut tx, &folder, written.at).await?;
        let count = ways.len() as u64;
        // All leave first: one may come to be where another was.
        let mut brought = Vec::new();
        for part in parts(ways, |(from, _)| size(&there, from.as_str())) {
            brought.extend(read(&mut changing, &folder, &part).await?);
            let gone: Vec<FilePath> = part.into_iter().map(|(from, _)| from).collect();
            changing.delete(&gone, &written).await?;
        }
        for part in parts(brought, |file| file.bytes.len() as u64) {
            all_written(changing.put(part, &written).await?)?;
        }
        changing.end(written.at).await?;
        for (from, to) in folders {
            move_empty_folders(&mut tx, (&folder, from), (&folder, &to)).await?;
        }
        tx.commit().await?;
        self.tell(&folder).await;
        Ok(FilesChange { folder, at: written.at, files: count })
    }

    /// Copies files and whole folders into the folder `into` of `to`, which may be the same folder of the viewer's.
    ///
    /// # Errors
    ///
    /// If something is there already, there is no room, or one of them is not there.
    pub async fn copy_chosen(
        self,
        folder: impl Into<FolderId>,
        names: &[String],
        to: &FolderId,
        into: &str,
    ) -> Result<FilesChange> {
        let folder = folder.into();
        self.require(&folder).await?;
        self.require(to).await?;
        self.scoped.hub.spaces().require(&self.scoped.viewer.me.id).await?;
        let mut tx = self.scoped.hub.store().write().await?;
        // In one order, whoever copies something the other way at the same moment.
        for each in BTreeSet::from([&folder, to]) {
            lock(&mut tx, each, self.scoped.hub.now()).await?;
        }
        let there = sizes(&mut tx, &folder).await?;
        let (written, at_target) = self.begin(&mut tx, to).await?;
        let all = paths(&there);
        let empty = kept_empty(&mut *tx, &folder).await?;
        let chosen = chosen(&all, &empty, names)?;
        let ways = ways(&chosen, &paths(&at_target), into, None)?;
        let count = ways.len() as u64;
        let mut changing = Changing::begin(&mut tx, to, written.at).await?;
        for part in parts(ways, |(from, _)| size(&there, from.as_str())) {
            let files = read(&mut changing, &folder, &part).await?;
            all_written(changing.put(files, &written).await?)?;
        }
        changing.end(written.at).await?;
        for from in chosen.keys().filter_map(|name| name.strip_suffix('/')) {
            let end = end(from, into, None)?;
            copy_empty_folders(&mut tx, (&folder, from), (to, &end)).await?;
        }
        tx.commit().await?;
        self.tell(to).await;
        Ok(FilesChange { folder: to.clone(), at: written.at, files: count })
    }

    /// A file as it is, or a zip archive of several and of folders, with paths from the folder on in which all are.
    /// Without names it has all files.
    ///
    /// # Errors
    ///
    /// If one of them is not there, or the folder is not the viewer's.
    pub async fn download(self, folder: impl Into<FolderId>, names: &[String]) -> Result<Download> {
        let folder = folder.into();
        let view = self.folder(folder.clone()).await?;
        let store = self.scoped.hub.store().read();
        let there: BTreeMap<String, u64> = super::stats(store, &folder, None)
            .await?
            .into_iter()
            .map(|file| (file.path, file.size))
            .collect();
        let files: Vec<String> = match names {
            [] => there.keys().cloned().collect(),
            names => {
                let empty = kept_empty(store, &folder).await?;
                chosen(&paths(&there), &empty, names)?.into_values().flatten().collect()
            }
        };
        let above = above_all(names);
        let is_archive = !matches!(names, [name] if !name.ends_with('/'));
        let turn = match is_archive {
            true => Some(self.scoped.hub.0.zips.turn(&self.scoped.viewer.me.id).await?),
            false => None,
        };
        let mut entries = Entries::new();
        for part in parts(&files, |path| size(&there, path)) {
            let part = part.into_iter().map(|path| FilePath::check(path)).collect::<Result<Vec<_>>>()?;
            for (path, (bytes, _)) in contents(store, &folder, &part).await? {
                entries.insert(path[above.len()..].to_owned(), bytes);
            }
        }
        if let ([name], false) = (names, is_archive) {
            let bytes = entries.into_values().next().ok_or(Error::NotFound("file"))?;
            let name = name.rsplit('/').next().unwrap_or(name).to_owned();
            return Ok(Download { name, bytes, is_archive: false });
        }
        let name = match names {
            [one] => one.trim_end_matches('/').rsplit('/').next().unwrap_or_default().to_owned(),
            _ => format!("Files of {}", view.name),
        };
        let packed = tokio::task::spawn_blocking(move || {
            let packed = pack(&entries);
            drop((entries, turn));
            packed
        });
        let bytes = packed.await.map_err(Error::internal)??;
        Ok(Download { name: format!("{name}.zip"), bytes, is_archive: true })
    }

    async fn begin(self, tx: &mut Transaction, folder: &FolderId) -> Result<(Written, Sizes)> {
        Ok((self.at_a_moment(tx, folder).await?, sizes(tx, folder).await?))
    }

    /// Nobody else writes into the folder from here on, and no other change of it has this moment.
    pub(super) async fn at_a_moment(self, tx: &mut Transaction, folder: &FolderId) -> Result<Written> {
        let now = self.scoped.hub.now();
        lock(tx, folder, now).await?;
        let last: i64 = query(
            "SELECT COALESCE(MAX(at), 0) FROM (
                 SELECT MAX(at) AS at FROM files WHERE folder_id = $1
                 UNION ALL
                 SELECT MAX(aside_at) AS at FROM file_versions WHERE folder_id = $1) AS changes",
            (folder,),
        )
        .fetch_one(&mut **tx)
        .await?;
        Ok(Written { at: now.max(last + 1), ..self.by_person() })
    }
}

async fn sizes(tx: &mut Transaction, folder: &FolderId) -> Result<Sizes> {
    let rows: Vec<(String, u64)> =
        query("SELECT path, size FROM files WHERE folder_id = $1", (folder,)).fetch_all(&mut **tx).await?;
    Ok(rows.into_iter().collect())
}

/// What is at the beginnings of the ways, as it comes to be at their ends.
async fn read(changing: &mut Changing<'_>, from: &FolderId, part: &[Way]) -> Result<Vec<NewFile>> {
    let text = format!(
        "SELECT path, bytes, untrusted, by_others, author FROM files WHERE folder_id = $1 AND path IN ({})",
        numbers(part.len())
    );
    let ends: BTreeMap<&str, &FilePath> = part.iter().map(|(from, to)| (from.as_str(), to)).collect();
    let begins: Vec<FilePath> = part.iter().map(|(from, _)| from.clone()).collect();
    let rows: Vec<Row> =
        query(AssertSqlSafe(text), named(from, &begins)).fetch_all(&mut **changing.tx).await?;
    let mut files = Vec::new();
    for row in &rows {
        let path: String = row.get("path")?;
        if let Some(end) = ends.get(path.as_str()) {
            files.push(Kept::from_row(row)?.brought_to((*end).clone()));
        }
    }
    Ok(files)
}

fn paths(there: &Sizes) -> BTreeSet<String> {
    there.keys().cloned().collect()
}

fn size(there: &Sizes, path: &str) -> u64 {
    there.get(path).copied().unwrap_or_default()
}

/// The folder in which all of them are, with a `/` at its end. Empty: there is none.
fn above_all(names: &[String]) -> &str {
    let above = |name: &'_ str| name.trim_end_matches('/').rfind('/').map_or(0, |at| at + 1);
    let Some(first) = names.first() else { return "" };
    let mut common = &first[..above(first)];
    for name in names {
        while !name[..above(name)].starts_with(common) {
            common = &common[..above(common)];
        }
    }
    common
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_in_an_archive_begin_in_the_folder_that_has_all() {
        for (names, expected) in [
            (vec!["a/b/c"], "a/b/"),
            (vec!["a/b/"], "a/"),
            (vec!["a/b/c", "a/d/"], "a/"),
            (vec!["a/b/c", "ab/d"], ""),
            (vec!["a"], ""),
        ] {
            let names: Vec<String> = names.into_iter().map(str::to_owned).collect();
            assert_eq!(above_all(&names), expected, "{names:?}");
        }
    }
}
