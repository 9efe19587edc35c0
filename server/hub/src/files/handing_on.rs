//! What a person hands on of their files: a copy for another folder. An address for somebody is `given`.

use super::stored::copy;
use super::{FilePath, FilePlace, OwnFiles};
use crate::error::{Error, Result};
use protocol::FolderId;

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
}
