//! Files in folders, an agent's own and those that agents share: read and written by path, and opened by a person's
//! browser under an address that is signed and soon over. Every change leaves a version. The page's frame has no way
//! to them.

mod agents_md;
mod arrange;
mod awaited;
mod bin_room;
mod changing;
mod empty_folders;
mod folders;
mod given;
mod handing_on;
mod link;
mod mount;
mod name;
mod of_call;
mod of_run;
mod outputs;
mod part;
mod path;
mod preview;
mod reads;
mod respelling;
mod rules;
mod stored;
mod text;
mod together;
mod undo;
mod uploads;
mod versions;

use crate::Hub;
pub(crate) use awaited::{AwaitedPath, MOST_NOTED, forget_awaited, note_upload};
pub(crate) use changing::{Changing, NewFile, There, parts};
pub(crate) use empty_folders::{
    change_empty_folders, copy_empty_folders, empty_folders, forget_empty_folders, move_empty_folders,
};
pub(crate) use folders::lock;
pub use given::{LONGEST_LINK_HOURS, MOST_GIVEN_LINKS};
pub(crate) use link::FileAddress;
pub use link::{Opened, SignedLink, media_type};
pub(crate) use mount::Mount;
pub(crate) use of_run::changed_by;
pub(crate) use outputs::{is_among_outputs, keep_output, output_path};
pub use part::PartAsked;
pub(crate) use path::FilePath;
pub use preview::PagePicture;
pub(crate) use reads::{last_device_read, last_read, note_device_read, note_read};
pub(crate) use respelling::respell;
pub use stored::LARGEST_FILE;
pub(crate) use stored::{
    FilePlace, Stat, Written, contents, copy_all, delete, digest_of, now_there, open, put, read, rename,
    stats,
};
pub(crate) use text::{Decoded, TextEncoding, decoded, kind_of_content, likely_encoding, text_of};
pub use together::Download;
pub(crate) use together::ZipQueue;
pub(crate) use uploads::{open_upload, uploads};
pub(crate) use versions::{content, of_file, restore};

use crate::access::Scoped;
use crate::error::Result;
use crate::store::{Json, Row, query};
use folders::Names;
use protocol::FolderId;
use protocol::files::{FileAuthor, FileView};

/// What the viewer and their agents keep by path.
#[derive(Clone, Copy, Debug)]
pub struct OwnFiles<'a> {
    scoped: Scoped<'a>,
}

impl<'a> Scoped<'a> {
    pub fn files(&self) -> OwnFiles<'a> {
        OwnFiles { scoped: *self }
    }
}

/// Files in one answer.
pub const MOST_LISTED: usize = 1_000;

/// Which files of a folder are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileListing {
    /// The path behind which it begins. Empty: at the first.
    pub after: String,
    /// What stands in their paths, in whichever case. Empty: anything.
    pub find: String,
    /// So many at most. None, and more than that: [`MOST_LISTED`].
    pub most: Option<usize>,
}

/// Files, opened with a signed link.
#[derive(Clone, Copy, Debug)]
pub struct Files<'a> {
    hub: &'a Hub,
}

impl Hub {
    pub fn files(&self) -> Files<'_> {
        Files { hub: self }
    }
}

impl OwnFiles<'_> {
    /// Files by path, each with an address that opens it for a quarter of an hour.
    pub async fn list(self, folder: impl Into<FolderId>, listing: &FileListing) -> Result<Vec<FileView>> {
        let folder = &folder.into();
        self.require(folder).await?;
        let names = self.names().await?;
        // Letters of ASCII alone, as both databases do.
        let find = listing.find.trim().to_ascii_lowercase();
        let rows = query(
            "SELECT path, size, digest, at, version, author, untrusted FROM files
             WHERE folder_id = $1 AND path > $2 AND ($3 = '' OR REPLACE(LOWER(path), $3, '') <> LOWER(path))
             ORDER BY path LIMIT $4",
            (folder, &listing.after, find, listing.most.unwrap_or(MOST_LISTED).min(MOST_LISTED)),
        )
        .fetch_all::<Row>(self.scoped.hub.store().read())
        .await?;
        rows.iter().map(|row| self.view(folder, row, &names)).collect()
    }

    fn view(self, folder: &FolderId, row: &Row, names: &Names) -> Result<FileView> {
        let (path, digest): (String, String) = (row.get("path")?, row.get("digest")?);
        let author: Option<Json<FileAuthor>> = row.get("author")?;
        Ok(FileView {
            size: row.get("size")?,
            at: row.get("at")?,
            version: row.get("version")?,
            author: author.map(|Json(author)| names.named(author)),
            untrusted: row.get("untrusted")?,
            url: self.scoped.hub.files().sign_link(folder, &path, &digest).address(),
            path,
        })
    }

    pub async fn read(self, folder: impl Into<FolderId>, path: &str) -> Result<Vec<u8>> {
        let folder = &folder.into();
        self.require(folder).await?;
        read(self.scoped.hub.store().read(), folder, &FilePath::check(path)?).await
    }

    /// Writes the file, in place of the one that was there.
    pub async fn write(self, folder: impl Into<FolderId>, path: &str, bytes: &[u8]) -> Result<()> {
        self.upload(folder, vec![(path.to_owned(), bytes.to_owned())]).await.map(|_| ())
    }

    /// Writes all of these, or none, and gives their paths.
    pub async fn upload(
        self,
        folder: impl Into<FolderId>,
        files: Vec<(String, Vec<u8>)>,
    ) -> Result<Vec<String>> {
        let folder = &folder.into();
        self.require(folder).await?;
        self.scoped.hub.spaces().require(&self.scoped.viewer.me.id).await?;
        let mut paths = Vec::new();
        for (path, bytes) in files {
            paths.push((FilePath::check(&path)?, bytes));
        }
        let mut tx = self.scoped.hub.store().write().await?;
        for (path, bytes) in &paths {
            put(&mut tx, folder, path, bytes, &self.by_person()).await?;
        }
        tx.commit().await?;
        self.tell(folder).await;
        Ok(paths.into_iter().map(|(path, _)| path.to_string()).collect())
    }

    /// Gives the file another path, where nothing may be.
    pub async fn rename(self, folder: impl Into<FolderId>, path: &str, to: &str) -> Result<()> {
        let folder = folder.into();
        let (path, to) = (FilePath::check(path)?, FilePath::check(to)?);
        self.require(&folder).await?;
        let mut tx = self.scoped.hub.store().write().await?;
        let (from, to) =
            (FilePlace { folder: folder.clone(), path }, FilePlace { folder: folder.clone(), path: to });
        rename(&mut tx, &from, &to, &self.by_person()).await?;
        tx.commit().await?;
        self.tell(&folder).await;
        Ok(())
    }

    /// Puts the file into the bin, from which it comes back for 30 days.
    pub async fn delete(self, folder: impl Into<FolderId>, path: &str) -> Result<()> {
        let folder = &folder.into();
        let path = FilePath::check(path)?;
        self.require(folder).await?;
        let mut tx = self.scoped.hub.store().write().await?;
        delete(&mut tx, folder, &path, &self.by_person()).await?;
        tx.commit().await?;
        self.tell(folder).await;
        Ok(())
    }

    fn by_person(self) -> Written {
        Written::by(FileAuthor::Person, self.scoped.hub.now())
    }
}
