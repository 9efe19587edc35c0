//! What a person hands on of their files: a copy for another folder, or an address for somebody.

use super::stored::copy;
use super::{FilePath, FilePlace, OwnFiles};
use crate::error::{Error, Result};
use crate::store::query;
use protocol::FolderId;

/// The longest that an address holds that was made to be given away.
pub const LONGEST_LINK_HOURS: u64 = 7 * 24;
const HOUR_MS: i64 = 60 * 60 * 1000;

impl OwnFiles<'_> {
    /// Puts a copy into another folder of the viewer's, under the same path, where nothing may be.
    pub async fn copy_to(self, folder: impl Into<FolderId>, path: &str, to: &FolderId) -> Result<()> {
        let (folder, path) = (folder.into(), FilePath::check(path)?);
        self.require(&folder).await?;
        self.require(to).await?;
        if folder == *to {
            return Err(Error::invalid("It is in that folder already. Choose another one."));
        }
        self.scoped.hub.spaces().require(&self.scoped.viewer.me.id).await?;
        let from = FilePlace { folder, path: path.clone() };
        let target = FilePlace { folder: to.clone(), path };
        let mut tx = self.scoped.hub.store().write().await?;
        copy(&mut tx, &from, &target, &self.by_person()).await?;
        tx.commit().await?;
        self.tell(to).await;
        Ok(())
    }

    /// Path and query of an address that opens the file as it is now for whoever has it, for so many hours. It ends
    /// before that when the file changes or goes.
    pub async fn share(self, folder: impl Into<FolderId>, path: &str, hours: u64) -> Result<String> {
        let (folder, path) = (folder.into(), FilePath::check(path)?);
        self.require(&folder).await?;
        if !(1..=LONGEST_LINK_HOURS).contains(&hours) {
            return Err(Error::invalid(format!("An address holds for 1 to {LONGEST_LINK_HOURS} hours.")));
        }
        let digest: String =
            query("SELECT digest FROM files WHERE folder_id = $1 AND path = $2", (&folder, path.as_str()))
                .fetch_optional(self.scoped.hub.store().read())
                .await?
                .ok_or(Error::NotFound("file"))?;
        let hours = i64::try_from(hours).map_err(Error::internal)?;
        let link = self.scoped.hub.files().sign_link_for(&folder, path.as_str(), &digest, hours * HOUR_MS);
        Ok(link.address())
    }
}
