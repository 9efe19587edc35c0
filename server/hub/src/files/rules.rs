//! How much one file and one folder may have, as administrators say.

use super::stored::{LARGEST_FILE, TOTAL};
use crate::access::Admin;
use crate::accounts;
use crate::audit::AuditEvent;
use crate::error::{Error, Result};
use crate::store::query;
use protocol::view::{AuditAction, FileRules};

/// Its place among the settings of the hub, which [`super::Changing::begin`] names as well.
const SETTING: &str = "files";
const MEGABYTE: usize = 1024 * 1024;
/// What a folder may be given, in megabytes: what is packed and what a room of a command begins with has no more.
const MOST_OF_FOLDER: u32 = 100;

/// In bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    pub(super) file: usize,
    pub(super) folder: usize,
}

impl Room {
    /// As the setting says.
    pub(super) fn said(setting: Option<&str>) -> Self {
        let FileRules { file_mb, folder_mb } = read(setting);
        let bytes = |mb: u32| usize::try_from(mb).unwrap_or(usize::MAX).saturating_mul(MEGABYTE);
        Self {
            file: file_mb.map_or(LARGEST_FILE, |mb| bytes(mb).min(LARGEST_FILE)),
            folder: folder_mb.map_or(TOTAL, bytes),
        }
    }
}

fn read(setting: Option<&str>) -> FileRules {
    setting.and_then(|said| serde_json::from_str(said).ok()).unwrap_or_default()
}

/// Megabytes, as people write them.
pub(super) fn in_mb(bytes: usize) -> usize {
    bytes / MEGABYTE
}

/// What administrators say of files.
#[derive(Clone, Copy, Debug)]
pub struct FilesOfAll<'a> {
    admin: Admin<'a>,
}

impl<'a> Admin<'a> {
    pub fn files(&self) -> FilesOfAll<'a> {
        FilesOfAll { admin: *self }
    }
}

impl FilesOfAll<'_> {
    pub async fn read(self) -> Result<FileRules> {
        let said: Option<String> = query("SELECT value FROM settings WHERE key = $1", (SETTING,))
            .fetch_optional(self.admin.hub.store().read())
            .await?;
        Ok(read(said.as_deref()))
    }

    /// It holds for what is written from now on; what is there stays.
    pub async fn set(self, rules: FileRules) -> Result<FileRules> {
        if rules.file_mb.is_some_and(|mb| !(1..=5).contains(&mb)) {
            return Err(Error::invalid("A file has 1 to 5 MB. Leave the field empty for 5."));
        }
        if rules.folder_mb.is_some_and(|mb| !(1..=MOST_OF_FOLDER).contains(&mb)) {
            return Err(Error::invalid(
                "The files of an agent have 1 to 100 MB. Leave the field empty for 50.",
            ));
        }
        let text = serde_json::to_string(&rules)?;
        let parts = [
            rules.file_mb.map(|mb| format!("{mb} MB each")),
            rules.folder_mb.map(|mb| format!("{mb} MB together")),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        let words = if parts.is_empty() { "as usual".to_owned() } else { parts.join(", ") };
        let hub = self.admin.hub;
        let mut tx = hub.store().write().await?;
        accounts::put_setting(&mut tx, SETTING, &text).await?;
        let line = AuditEvent::done(AuditAction::FilesSet, self.admin.viewer).about_nobody().object(&words);
        hub.audit().note(&mut tx, line).await?;
        tx.commit().await?;
        self.read().await
    }
}
