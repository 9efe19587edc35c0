//! A bucket of a store that speaks as S3 does. A backup is there whole or not at all: what is sent in parts has its
//! name only when the store has put them together.

mod answer;
mod request;
mod upload;

use super::place::{KeptBackup, is_name, made_at};
use super::{BackupError, Result};
use crate::clock::Clock;
use crate::outbound::{Outbound, Reach, Target};
use aws_credential_types::Credentials;
use reqwest::Method;
use reqwest::header::CONTENT_LENGTH;
use std::fmt;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::fs::{self, OpenOptions};
use tokio::io::AsyncWriteExt;
use tokio::time::timeout;

/// Pages of a list, of a thousand names each.
const PAGES: usize = 100;
/// Bytes of a page.
const LARGEST_PAGE: usize = 4 * 1024 * 1024;
/// How long the next bytes of a backup may take to come.
const PATIENCE: Duration = Duration::from_secs(60);

/// What opens buckets, as whoever runs the hub names it.
#[derive(Clone)]
pub struct BucketAccess {
    endpoint: Target,
    region: String,
    credentials: Credentials,
}

/// A bucket, and what the names begin with there that backups have.
#[derive(Clone)]
pub struct Bucket {
    access: BucketAccess,
    name: String,
    prefix: String,
    outbound: Arc<OnceLock<Outbound>>,
    clock: Clock,
}

impl BucketAccess {
    /// Without an `endpoint` it is that of AWS. The key is `id:secret`. Fails with a sentence.
    pub fn parse(endpoint: Option<&str>, region: &str, key: &str) -> std::result::Result<Self, String> {
        let usual = format!("https://s3.{region}.amazonaws.com");
        let endpoint = Target::parse(endpoint.unwrap_or(&usual)).map_err(|error| error.to_string())?;
        if endpoint.url().scheme() != "https" && !endpoint.is_local() {
            return Err("VIVARIUM_S3_ENDPOINT has to start with https://, unless it is near by.".to_owned());
        }
        let Some((id, secret)) =
            key.split_once(':').filter(|(id, secret)| !id.is_empty() && !secret.is_empty())
        else {
            return Err(
                "VIVARIUM_S3_KEY is an access key and its secret, with a colon between them.".to_owned()
            );
        };
        Ok(Self {
            endpoint,
            region: region.to_owned(),
            credentials: Credentials::new(id, secret, None, None, "settings"),
        })
    }
}

impl Bucket {
    /// `s3://bucket/prefix`. Fails with a sentence.
    pub fn parse(address: &str, access: &BucketAccess) -> std::result::Result<Self, String> {
        let wrong = || format!("{address} is no address of a bucket, like s3://bucket/prefix.");
        let (name, prefix) = address.strip_prefix("s3://").map(split).ok_or_else(wrong)?;
        let is_word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '.' | '-');
        let is_fine = |part: &str| {
            !matches!(part, "" | "." | "..")
                && part.chars().all(|c| c.is_ascii_alphanumeric() || "!-_.()".contains(c))
        };
        if !(3..=63).contains(&name.len())
            || !name.chars().all(is_word)
            || !prefix.is_empty() && !prefix.split('/').all(is_fine)
        {
            return Err(wrong());
        }
        Ok(Self {
            access: access.clone(),
            name: name.to_owned(),
            prefix: prefix.to_owned(),
            outbound: Arc::default(),
            clock: Clock::default(),
        })
    }

    /// The backups in it, in no order.
    pub(super) async fn list(&self) -> Result<Vec<KeptBackup>> {
        let (start, mut found, mut next) = (self.key(""), Vec::new(), None::<String>);
        for _ in 0..PAGES {
            let mut query = vec![("list-type", "2"), ("prefix", start.as_str())];
            query.extend(next.as_deref().map(|token| ("continuation-token", token)));
            let answer = self.asked(Method::GET, "", &query, &[]).await?;
            let page = String::from_utf8_lossy(&answer.start_of_body(LARGEST_PAGE).await).into_owned();
            let entries = answer::all(&page, "Contents").filter_map(|entry| {
                let name = answer::first(entry, "Key")?.strip_prefix(&start)?.to_owned();
                let bytes = answer::first(entry, "Size")?.parse().ok()?;
                Some(KeptBackup { made: made_at(&name).filter(|_| is_name(&name))?, name, bytes })
            });
            found.extend(entries);
            next = answer::first(&page, "NextContinuationToken");
            if next.is_none() {
                return Ok(found);
            }
        }
        Err(self.failed("it holds more than can be looked through. Name a prefix that is for backups alone"))
    }

    pub(super) async fn delete(&self, name: &str) -> Result<()> {
        self.asked(Method::DELETE, name, &[], &[]).await.map(drop)
    }

    /// Puts the file there under this name.
    pub async fn put(&self, name: &str, file: &Path) -> Result<()> {
        let bytes = upload::upload(self, name, file).await?;
        let there = self.asked(Method::HEAD, name, &[], &[]).await?;
        match there.header(CONTENT_LENGTH).and_then(|length| length.parse::<u64>().ok()) {
            Some(length) if length != bytes => Err(self.failed("what is there is not what was sent")),
            Some(_) | None => Ok(()),
        }
    }

    /// Writes what is there under this name into a new file.
    pub async fn get(&self, name: &str, to: &Path) -> Result<()> {
        let written = self.write(name, to).await;
        if written.is_err() {
            // Half of a backup is none.
            let _ = fs::remove_file(to).await;
        }
        written
    }

    async fn write(&self, name: &str, to: &Path) -> Result<()> {
        let unwritten = |error| BackupError::File(to.to_owned(), error);
        let mut answer = self.asked(Method::GET, name, &[], &[]).await?;
        let length = answer.header(CONTENT_LENGTH).and_then(|length| length.parse::<u64>().ok());
        let mut file = OpenOptions::new().write(true).create_new(true).open(to).await.map_err(unwritten)?;
        let mut came = 0;
        loop {
            let next = timeout(PATIENCE, answer.next()).await;
            let next = next.map_err(|_| self.failed("it took too long to go on"))?;
            let Some(bytes) = next.map_err(|error| self.failed(&error.to_string()))? else { break };
            file.write_all(&bytes).await.map_err(unwritten)?;
            came += bytes.len() as u64;
        }
        if length.is_some_and(|length| length != came) {
            return Err(self.failed("it broke off"));
        }
        file.sync_all().await.map_err(unwritten)
    }

    /// The server is the choice of whoever runs the hub.
    fn outbound(&self) -> &Outbound {
        self.outbound.get_or_init(|| Outbound::new(Reach { private: true, loopback: true }))
    }

    /// The whole name of what is called so behind the prefix.
    fn key(&self, name: &str) -> String {
        match self.prefix.as_str() {
            "" => name.to_owned(),
            prefix => format!("{prefix}/{name}"),
        }
    }

    fn failed(&self, why: &str) -> BackupError {
        BackupError::Bucket(self.to_string(), why.trim_end_matches('.').to_owned())
    }
}

impl fmt::Display for Bucket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let slash = if self.prefix.is_empty() { "" } else { "/" };
        write!(f, "s3://{}{slash}{}", self.name, self.prefix)
    }
}

impl fmt::Debug for Bucket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bucket({self})")
    }
}

impl fmt::Debug for BucketAccess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BucketAccess({})", self.endpoint.place())
    }
}

fn split(address: &str) -> (&str, &str) {
    let (name, prefix) = address.split_once('/').unwrap_or((address, ""));
    (name, prefix.trim_end_matches('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_has_one_spelling_and_its_key_is_shown_nowhere() {
        let access = BucketAccess::parse(None, "eu-west-1", "AKIAEXAMPLE:word:canary").unwrap();
        for (address, expected) in [
            ("s3://backups", Some("s3://backups")),
            ("s3://backups/", Some("s3://backups")),
            ("s3://backups/hub/one/", Some("s3://backups/hub/one")),
            ("s3://backups/../one", None),
            ("s3://backups//one", None),
            ("s3://backups/a b", None),
            ("s3://B", None),
            ("https://backups/one", None),
        ] {
            let bucket = Bucket::parse(address, &access).ok();
            assert_eq!(bucket.as_ref().map(ToString::to_string).as_deref(), expected, "{address}");
            assert!(!format!("{bucket:?} {access:?}").contains("canary"));
        }
        for (endpoint, key) in
            [("http://s3.example.org", "a:b"), ("s3.example.org", "a:b"), ("https://s3.example.org", "ab")]
        {
            BucketAccess::parse(Some(endpoint), "eu-west-1", key).unwrap_err();
        }
    }
}
