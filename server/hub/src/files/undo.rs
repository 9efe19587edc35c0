//! A call, or what a person did with several files, taken back as a whole: every file that it was the last to change
//! is what it was before.

use super::changing::{Changing, NewFile, There, named, numbers, parts, rows_of};
use super::of_call::OfCall;
use super::stored::Kept as KeptFile;
use super::{FilePath, Written, digest_of};
use crate::error::{Error, Result};
use crate::files::OwnFiles;
use crate::store::{FromRow, Json, Row, Transaction, query};
use protocol::files::{FileAuthor, UndoneCall};
use protocol::{AgentId, CallId, ConversationId, FolderId};
use sqlx::AssertSqlSafe;
use std::collections::{BTreeMap, BTreeSet};

/// What a file was before the change.
enum Before {
    /// There was none.
    Nothing,
    Version {
        version: u64,
        size: u64,
    },
    /// Nobody knows any more.
    Forgotten,
}

/// A file that is to be what it was.
struct Step {
    path: FilePath,
    before: Before,
    /// Of what is there now, if something is.
    digest: Option<String>,
}

/// Whose change is taken back, and of a person's at which moment.
#[derive(Clone, Copy)]
struct By<'a> {
    author: &'a FileAuthor,
    at: Option<i64>,
}

/// A version that is not the newest, or that is the end of a file.
struct Kept {
    path: String,
    version: u64,
    is_gone: bool,
    size: u64,
    author: Option<Json<FileAuthor>>,
    at: i64,
}

impl FromRow for Kept {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            path: row.get("path")?,
            version: row.get("version")?,
            is_gone: row.get("is_gone")?,
            size: row.get("size")?,
            author: row.get("author")?,
            at: row.get("at")?,
        })
    }
}

impl OwnFiles<'_> {
    /// Takes back what a call of the agent changed, in its own folder and in the workspace that it has.
    pub async fn undo_call(
        self,
        agent: &AgentId,
        conversation: &ConversationId,
        call: &CallId,
    ) -> Result<UndoneCall> {
        let hub = self.scoped.hub;
        let OfCall { folders, authors } = self.of_call(agent, conversation, call).await?;
        hub.spaces().require(&self.scoped.viewer.me.id).await?;
        let (written, mut undone) = (self.by_person(), UndoneCall::default());
        let mut tx = hub.store().write().await?;
        for folder in &folders {
            for author in &authors {
                undo_in(&mut tx, folder, By { author, at: None }, &written, &mut undone).await?;
            }
        }
        if undone == UndoneCall::default() {
            return Err(Error::Conflict(
                "Nothing is as that call left it: all that it changed has been changed since, or was taken back. Versions can still be brought back on the page of each file.".to_owned(),
            ));
        }
        tx.commit().await?;
        for folder in &folders {
            self.tell(folder).await;
        }
        Ok(undone)
    }

    /// Takes back what the person did with several files of the folder at once, at the moment that
    /// [`FilesChange::at`](protocol::files::FilesChange) says.
    ///
    /// # Errors
    ///
    /// If nothing is as it was left then, or the folder is not the viewer's.
    pub async fn undo_change(self, folder: impl Into<FolderId>, at: i64) -> Result<UndoneCall> {
        let folder = folder.into();
        self.require(&folder).await?;
        if at < 0 {
            return Err(Error::invalid("There is no such moment."));
        }
        self.scoped.hub.spaces().require(&self.scoped.viewer.me.id).await?;
        let mut undone = UndoneCall::default();
        let by = By { author: &FileAuthor::Person, at: Some(at) };
        let mut tx = self.scoped.hub.store().write().await?;
        let written = self.at_a_moment(&mut tx, &folder).await?;
        undo_in(&mut tx, &folder, by, &written, &mut undone).await?;
        if undone == UndoneCall::default() {
            return Err(Error::Conflict(
                "Nothing is as it was left then: it has been changed since, or was taken back.".to_owned(),
            ));
        }
        tx.commit().await?;
        self.tell(&folder).await;
        Ok(undone)
    }
}

async fn undo_in(
    tx: &mut Transaction,
    folder: &FolderId,
    by: By<'_>,
    written: &Written,
    undone: &mut UndoneCall,
) -> Result<()> {
    let mut changing = Changing::begin(tx, folder, written.at).await?;
    let paths: Vec<String> = query(
        "SELECT path FROM files WHERE folder_id = $1 AND author = $2 AND (at = $3 OR $3 = -1)
         UNION ALL
         SELECT path FROM file_versions gone
         WHERE folder_id = $1 AND bytes IS NULL AND author = $2 AND (at = $3 OR $3 = -1)
         AND NOT EXISTS (SELECT 1 FROM files f WHERE f.folder_id = $1 AND f.path = gone.path)
         AND NOT EXISTS (SELECT 1 FROM file_versions later WHERE later.folder_id = $1 AND later.path = gone.path
                         AND later.version > gone.version)",
        (folder, Json(by.author), by.at.unwrap_or(-1)),
    )
    .fetch_all(&mut **changing.tx)
    .await?;
    let mut steps = Vec::new();
    for part in parts(paths, |_| 0) {
        let paths = part.iter().map(|path| FilePath::check(path)).collect::<Result<Vec<_>>>()?;
        let there = changing.there(&paths).await?;
        for (path, before) in before(&mut changing, &paths, &there, by).await? {
            let digest = there.get(&path).map(|there| there.digest.clone());
            steps.push(Step { path, before, digest });
        }
    }
    let stuck = stuck(&mut changing, &steps, by).await?;
    // What is not kept any more may have been any of them.
    let is_stuck = |digest: &str| stuck.contains(digest) || stuck.contains("");
    let (mut gone, mut back, mut taken) = (Vec::new(), Vec::new(), BTreeSet::new());
    for Step { path, before, digest } in steps {
        match before {
            Before::Nothing if digest.as_deref().is_some_and(is_stuck) => undone.left += 1,
            Before::Nothing => {
                taken.extend(digest);
                gone.push(path);
            }
            Before::Version { version, size } => back.push((path, version, size)),
            Before::Forgotten => undone.left += 1,
        }
    }
    for part in parts(gone, |_| 0) {
        undone.undone += changing.delete(&part, written).await?.len() as u64;
    }
    for part in parts(back, |(.., size)| *size) {
        bring_back(&mut changing, part, &taken, written, undone).await?;
    }
    changing.end(written.at).await
}

/// Writes what the files were. Where one cannot be that has been `taken` from where it was moved to, nothing is done.
async fn bring_back(
    changing: &mut Changing<'_>,
    part: Vec<(FilePath, u64, u64)>,
    taken: &BTreeSet<String>,
    written: &Written,
    undone: &mut UndoneCall,
) -> Result<()> {
    let files = contents(changing, part).await?;
    let digests: Vec<String> = files.iter().map(|file| digest_of(&file.bytes)).collect();
    for (outcome, digest) in changing.put(files, written).await?.into_iter().zip(digests) {
        match outcome {
            Ok(_) => undone.undone += 1,
            Err(why) if taken.contains(&digest) => return Err(Error::Conflict(why)),
            Err(_) => undone.left += 1,
        }
    }
    Ok(())
}

/// Digests of files that the change ended and that cannot come back: something else is there, or they are not kept any
/// more, which is an empty digest. What was moved from there has to stay where it is.
async fn stuck(changing: &mut Changing<'_>, steps: &[Step], by: By<'_>) -> Result<BTreeSet<String>> {
    let ended: Vec<(String, String)> = query(
        "SELECT gone.path, COALESCE(kept.digest, '') FROM file_versions gone
         LEFT JOIN file_versions kept ON kept.folder_id = gone.folder_id AND kept.path = gone.path
                                     AND kept.version = gone.version - 1 AND kept.bytes IS NOT NULL
         WHERE gone.folder_id = $1 AND gone.bytes IS NULL AND gone.author = $2 AND (gone.at = $3 OR $3 = -1)",
        (changing.folder, Json(by.author), by.at.unwrap_or(-1)),
    )
    .fetch_all(&mut **changing.tx)
    .await?;
    let settled: BTreeSet<&str> = steps
        .iter()
        .filter(|step| !matches!(step.before, Before::Forgotten))
        .map(|step| step.path.as_str())
        .collect();
    let stays = ended.into_iter().filter(|(path, _)| !settled.contains(path.as_str()));
    Ok(stays.map(|(_, digest)| digest).collect())
}

/// What each of the files was before the change began.
async fn before(
    changing: &mut Changing<'_>,
    paths: &[FilePath],
    there: &BTreeMap<FilePath, There>,
    by: By<'_>,
) -> Result<BTreeMap<FilePath, Before>> {
    let text = format!(
        "SELECT path, version, CASE WHEN bytes IS NULL THEN 1 ELSE 0 END AS is_gone, size, author, at FROM file_versions
         WHERE folder_id = $1 AND path IN ({}) ORDER BY path, version DESC",
        numbers(paths.len())
    );
    let rows: Vec<Kept> =
        query(AssertSqlSafe(text), named(changing.folder, paths)).fetch_all(&mut **changing.tx).await?;
    let mut kept = BTreeMap::<String, Vec<Kept>>::new();
    for row in rows {
        kept.entry(row.path.clone()).or_default().push(row);
    }
    let mut before = BTreeMap::new();
    for path in paths {
        let kept = kept.remove(path.as_str()).unwrap_or_default();
        let is_theirs = |kept: &&Kept| {
            let author = kept.author.as_ref().is_some_and(|Json(author)| author == by.author);
            author && by.at.is_none_or(|at| at == kept.at)
        };
        let last = kept.iter().find(|kept| !is_theirs(kept));
        let oldest = kept.last().map(|kept| kept.version);
        let oldest = oldest.or_else(|| there.get(path).map(|there| there.version));
        let was = match last {
            Some(kept) if kept.is_gone => Before::Nothing,
            Some(kept) => Before::Version { version: kept.version, size: kept.size },
            None if oldest == Some(1) => Before::Nothing,
            None => Before::Forgotten,
        };
        before.insert(path.clone(), was);
    }
    Ok(before)
}

async fn contents(changing: &mut Changing<'_>, versions: Vec<(FilePath, u64, u64)>) -> Result<Vec<NewFile>> {
    let text = format!(
        "SELECT path, bytes, untrusted, by_others, author FROM file_versions WHERE bytes IS NOT NULL
         AND (folder_id, path, version) IN (VALUES {})",
        rows_of(3, versions.len())
    );
    let named: Vec<_> = versions
        .iter()
        .map(|(path, version, _)| (changing.folder.clone(), path.as_str().to_owned(), *version))
        .collect();
    let rows: Vec<Row> = query(AssertSqlSafe(text), named).fetch_all(&mut **changing.tx).await?;
    let file = |row: &Row| {
        let path: String = row.get("path")?;
        Ok(KeptFile::from_row(row)?.brought_to(FilePath::check(&path)?))
    };
    rows.iter().map(file).collect()
}
