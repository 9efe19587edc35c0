//! Sending a file: at once if it is small, and otherwise in parts, of which nothing is seen until all are there.

use super::{BackupError, Bucket, Result, answer};
use reqwest::Method;
use reqwest::header::ETAG;
use std::fmt::Write;
use std::path::Path;
use tokio::fs::File;
use tokio::io::AsyncReadExt;

/// Bytes of a part, which is in memory while it is sent.
const PART: u64 = 8 * 1024 * 1024;
/// Stores take ten thousand of them.
const MOST_PARTS: u64 = 9_000;
/// Bytes of an answer.
const LARGEST_ANSWER: usize = 64 * 1024;

/// Gives how many bytes it has.
pub(super) async fn upload(bucket: &Bucket, name: &str, path: &Path) -> Result<u64> {
    let unread = |error| BackupError::File(path.to_owned(), error);
    let mut file = File::open(path).await.map_err(unread)?;
    let length = file.metadata().await.map_err(unread)?.len();
    if length <= PART {
        let body = part(&mut file, PART).await.map_err(unread)?;
        bucket.asked(Method::PUT, name, &[], &body).await?;
        return Ok(length);
    }
    let begun = bucket.asked(Method::POST, name, &[("uploads", "")], &[]).await?;
    let begun = String::from_utf8_lossy(&begun.start_of_body(LARGEST_ANSWER).await).into_owned();
    let id = answer::first(&begun, "UploadId").ok_or_else(|| bucket.failed("it takes nothing in parts"))?;
    let sent = in_parts(bucket, name, &id, &mut file, PART.max(length / MOST_PARTS)).await;
    if sent.is_err() {
        // What cannot be taken back is not seen either, and stores let go of it after some days.
        let _ = bucket.asked(Method::DELETE, name, &[("uploadId", &id)], &[]).await;
    }
    sent.map(|()| length)
}

async fn in_parts(bucket: &Bucket, name: &str, id: &str, file: &mut File, size: u64) -> Result<()> {
    let mut whole = "<CompleteMultipartUpload>".to_owned();
    for number in 1.. {
        let body = part(file, size).await.map_err(|error| bucket.failed(&error.to_string()))?;
        if body.is_empty() {
            break;
        }
        let query = [("partNumber", &*number.to_string()), ("uploadId", id)];
        let taken = bucket.asked(Method::PUT, name, &query, &body).await?;
        let tag = taken.header(ETAG).ok_or_else(|| bucket.failed("it gives a part no name"))?;
        let tag = html_escape::encode_text(tag);
        write!(whole, "<Part><PartNumber>{number}</PartNumber><ETag>{tag}</ETag></Part>")
            .expect("writing to a string cannot fail");
    }
    whole.push_str("</CompleteMultipartUpload>");
    let done = bucket.asked(Method::POST, name, &[("uploadId", id)], whole.as_bytes()).await?;
    let said = String::from_utf8_lossy(&done.start_of_body(LARGEST_ANSWER).await).into_owned();
    // It may have answered 200 before it knew.
    match answer::first(&said, "ETag") {
        Some(_) => Ok(()),
        None => Err(bucket.failed("it did not put the parts together")),
    }
}

async fn part(file: &mut File, size: u64) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(size).read_to_end(&mut bytes).await?;
    Ok(bytes)
}
