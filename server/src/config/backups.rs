//! Backups that the hub makes by itself, and buckets for them.

use super::own_program;
use super::settings::read;
use super::values::{number, secret};
use crate::startup_error::StartupError;
use hub::backups::{BackupPlace, BackupPlan, Bucket, BucketAccess};
use std::path::PathBuf;
use std::time::Duration;

/// Absent: the hub makes none.
pub(super) fn backups() -> Result<Option<BackupPlan>, StartupError> {
    let (hours, keep) = (number("VIVARIUM_BACKUP_HOURS", 24)?, number("VIVARIUM_BACKUP_KEEP", 7)?);
    let passphrase_file = read("VIVARIUM_BACKUP_PASSPHRASE_FILE").map(PathBuf::from);
    let Some(place) = read("VIVARIUM_BACKUP_DIR") else { return Ok(None) };
    if hours == 0 || keep == 0 {
        let why = "VIVARIUM_BACKUP_HOURS and VIVARIUM_BACKUP_KEEP are at least 1. Leave VIVARIUM_BACKUP_DIR out for no backups.";
        return Err(StartupError(why.to_owned()));
    }
    let place = match place.starts_with("s3://") {
        true => BackupPlace::Bucket(Box::new(bucket(&place, buckets()?.as_ref())?)),
        false => BackupPlace::Folder(place.into()),
    };
    Ok(Some(BackupPlan {
        place,
        every: Duration::from_secs(u64::from(hours) * 60 * 60),
        keep: keep as usize,
        passphrase_file,
        program: own_program()?,
    }))
}

/// Absent: there is no key for any.
pub(super) fn buckets() -> Result<Option<BucketAccess>, StartupError> {
    let Some(key) = secret("VIVARIUM_S3_KEY")? else { return Ok(None) };
    let region = read("VIVARIUM_S3_REGION").unwrap_or_else(|| "us-east-1".to_owned());
    BucketAccess::parse(read("VIVARIUM_S3_ENDPOINT").as_deref(), region.trim(), &key)
        .map(Some)
        .map_err(StartupError)
}

/// The bucket at an address like `s3://bucket/prefix`.
pub fn bucket(address: &str, access: Option<&BucketAccess>) -> Result<Bucket, StartupError> {
    let access = access.ok_or_else(|| {
        StartupError(format!("{address} needs a key: set VIVARIUM_S3_KEY, an access key and its secret."))
    })?;
    Bucket::parse(address, access).map_err(StartupError)
}
