//! What the bin has room for. Where it has none, what was put aside first goes for good, and the person is told before.

use super::empty_folders::kept_empty;
use super::{FilePath, OwnFiles, arrange, stats};
use crate::error::{Error, Result};
use crate::files::versions::{BIN_MS, MAX_VERSIONS, OLDEST, TOTAL};
use crate::store::query;
use protocol::FolderId;
use std::collections::BTreeSet;

impl OwnFiles<'_> {
    /// How many files would leave the bin for good, if so many of so many bytes together were deleted now.
    ///
    /// # Errors
    ///
    /// If the folder is not the viewer's.
    pub async fn leaving_bin(self, folder: impl Into<FolderId>, files: u64, bytes: u64) -> Result<u64> {
        let folder = &folder.into();
        self.require(folder).await?;
        let (store, since) = (self.scoped.hub.store().read(), self.scoped.hub.now() - BIN_MS);
        let (mut count, mut total): (u64, u64) = query(
            "SELECT COUNT(*), CAST(COALESCE(SUM(size), 0) AS BIGINT) FROM file_versions WHERE folder_id = $1",
            (folder,),
        )
        .fetch_one(store)
        .await?;
        // Of each, what it is and that it is gone.
        count = count.saturating_add(files.saturating_mul(2));
        total = total.saturating_add(bytes);
        let is_full = |count: u64, total: u64| count > MAX_VERSIONS as u64 || total > TOTAL;
        let (mut leaving, mut last) = (0, (i64::MIN, String::new(), 0_u64));
        while is_full(count, total) {
            let (aside_at, path, version) = last.clone();
            let oldest: Vec<(i64, String, u64, u64, bool)> = query(
                "SELECT kept.aside_at, kept.path, kept.version, kept.size,
                        CAST(CASE WHEN kept.bytes IS NOT NULL AND gone.at > $2
                            AND NOT EXISTS (SELECT 1 FROM file_versions later
                                            WHERE later.folder_id = kept.folder_id
                                              AND later.path = kept.path AND later.version > gone.version)
                            AND NOT EXISTS (SELECT 1 FROM files f
                                            WHERE f.folder_id = kept.folder_id AND f.path = kept.path)
                        THEN 1 ELSE 0 END AS BIGINT)
                 FROM file_versions kept
                 LEFT JOIN file_versions gone ON gone.folder_id = kept.folder_id AND gone.path = kept.path
                                             AND gone.version = kept.version + 1 AND gone.bytes IS NULL
                 WHERE kept.folder_id = $1 AND (kept.aside_at, kept.path, kept.version) > ($3, $4, $5)
                 ORDER BY kept.aside_at, kept.path, kept.version LIMIT $6",
                (folder, since, aside_at, path, version, OLDEST),
            )
            .fetch_all(store)
            .await?;
            if oldest.is_empty() {
                break;
            }
            for (aside_at, path, version, size, is_in_bin) in oldest {
                if !is_full(count, total) {
                    break;
                }
                (count, total) = (count.saturating_sub(1), total.saturating_sub(size));
                leaving += u64::from(is_in_bin);
                last = (aside_at, path, version);
            }
        }
        Ok(leaving)
    }

    /// Fails if files would leave the bin for good when these were deleted: files, and whole folders that end with `/`.
    ///
    /// # Errors
    ///
    /// Also if the folder is not the viewer's. What is not there is nothing to be told of.
    pub async fn require_room_in_bin(self, folder: impl Into<FolderId>, names: &[String]) -> Result<()> {
        let folder = folder.into();
        self.require(&folder).await?;
        let store = self.scoped.hub.store().read();
        let (mut files, mut bytes) = (0, 0);
        match names {
            [one] if !one.ends_with('/') => {
                let Ok(path) = FilePath::check(one) else { return Ok(()) };
                let size: Option<u64> = query(
                    "SELECT size FROM files WHERE folder_id = $1 AND path = $2",
                    (&folder, path.as_str()),
                )
                .fetch_optional(store)
                .await?;
                (files, bytes) = (u64::from(size.is_some()), size.unwrap_or_default());
            }
            names => {
                let all = stats(store, &folder, None).await?;
                let there: BTreeSet<String> = all.iter().map(|file| file.path.clone()).collect();
                let empty = kept_empty(store, &folder).await?;
                let Ok(chosen) = arrange::chosen(&there, &empty, names) else { return Ok(()) };
                let chosen: BTreeSet<String> = chosen.into_values().flatten().collect();
                for file in all.iter().filter(|file| chosen.contains(&file.path)) {
                    (files, bytes) = (files + 1, bytes + file.size);
                }
            }
        }
        match self.leaving_bin(&folder, files, bytes).await? {
            0 => Ok(()),
            leaving => Err(Error::Conflict(format!(
                "The bin has no room for all of this: {} would leave it for good. Restore what you want to keep, delete less at once, or say that you are sure.",
                if leaving == 1 {
                    "a file deleted before".to_owned()
                } else {
                    format!("{leaving} files deleted before")
                },
            ))),
        }
    }
}
