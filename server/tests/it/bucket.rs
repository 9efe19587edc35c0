//! Backups in a bucket: put there by hand and by the hub itself, and what is left of one that breaks off.

use crate::backup::{Desk, digest, refused, said};
use crate::live::agent;
use crate::world::{self, Endpoint, Program, run};
use hub::backups::{BackupError, BackupPlace, Bucket, BucketAccess};
use serde_json::json;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

/// Bytes that are sent in parts.
const LARGE: usize = 20 * 1024 * 1024;

/// A store that checks signatures, with a bucket called backups.
struct Store {
    process: Child,
    url: String,
    key: String,
}

impl Store {
    fn start() -> Self {
        let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("hub/tests/s3");
        let mut command = Command::new(tests.join(".venv/bin/python"));
        command.arg(tests.join("server.py")).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().expect("`.ci/tools.sh test` installs it");
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let (url, key) = line.trim().strip_prefix("listening ").unwrap().split_once(' ').unwrap();
        Self { process, url: url.to_owned(), key: key.to_owned() }
    }

    fn settings(&self) -> [(&str, &str); 2] {
        [("VIVARIUM_S3_ENDPOINT", self.url.as_str()), ("VIVARIUM_S3_KEY", self.key.as_str())]
    }

    /// The bucket, at this address of the store.
    fn bucket(&self, url: &str, prefix: &str) -> Bucket {
        // Another test may have done it.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let access = BucketAccess::parse(Some(url), "us-east-1", &self.key).unwrap();
        Bucket::parse(&format!("s3://backups/{prefix}"), &access).unwrap()
    }

    async fn names(&self, prefix: &str) -> Vec<String> {
        let found = BackupPlace::Bucket(Box::new(self.bucket(&self.url, prefix))).found().await.unwrap();
        found.into_iter().map(|backup| backup.name).collect()
    }

    /// An address at which it is reached until so many bytes went one way or the other.
    fn cut_after(&self, bytes: usize) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (store, left) =
            (self.url.trim_start_matches("http://").to_owned(), Arc::new(AtomicUsize::new(bytes)));
        thread::spawn(move || {
            for near in listener.incoming().flatten() {
                let far = TcpStream::connect(&store).unwrap();
                let (near_again, far_again) = (near.try_clone().unwrap(), far.try_clone().unwrap());
                let (left, left_again) = (Arc::clone(&left), Arc::clone(&left));
                thread::spawn(move || pass(near, far, &left));
                thread::spawn(move || pass(far_again, near_again, &left_again));
            }
        });
        url
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn pass(mut from: TcpStream, mut to: TcpStream, left: &AtomicUsize) {
    let mut buffer = [0; 16 * 1024];
    while let Ok(count @ 1..) = from.read(&mut buffer) {
        let take = |left: usize| left.checked_sub(count);
        if left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, take).is_err()
            || to.write_all(&buffer[..count]).is_err()
        {
            break;
        }
    }
    // They may be closed already.
    let _ = (from.shutdown(Shutdown::Both), to.shutdown(Shutdown::Both));
}

#[tokio::test]
async fn a_backup_in_a_bucket_comes_back_in_either_database() {
    let (desk, store, database) = (Desk::new(), Store::start(), world::database());
    let program = Program::start_with(&store.settings());
    let endpoint = Endpoint::start();
    let caller = program.caller("ada");
    let agent = agent(&caller, &endpoint).await;
    caller.call("/api/agents/send", &json!({ "agent": agent, "text": "Grüße, \u{1f33f}" })).await;
    let passphrase = desk.text("passphrase");
    let sealed = ["--passphrase-file", passphrase.as_str()];
    let taken =
        said(&program.command(&[&["backup", "--to", "s3://backups/one/hub"], &sealed[..]].concat(), ""));
    assert!(taken.starts_with("Wrote s3://backups/one/hub/vivarium-"), "{taken}");
    let checked = said(&program.command(&["restore", "s3://backups/one/hub", "--check"], ""));

    let home = TempDir::new().unwrap();
    let there = [&store.settings()[..], &[("DATABASE_URL", database.as_str())]].concat();
    let restore = [&["restore", "s3://backups/one/hub/"], &sealed[..]].concat();
    let restored = said(&run(home.path(), &there, &restore, ""));
    assert!(restored.starts_with("Restored s3://backups/one/hub"), "{restored}");
    let back = said(&run(home.path(), &there, &["backup", "--to", "s3://backups/two"], ""));
    let name = store.names("two").await.remove(0);
    let other = TempDir::new().unwrap();
    let named = format!("s3://backups/two/{name}");
    said(&run(other.path(), &store.settings(), &["restore", &named], ""));
    let last =
        said(&run(other.path(), &store.settings(), &["backup", "--to", &desk.text("last.backup")], ""));
    // What the hub did after it was taken is not in it.
    let digests = [&checked, &back, &last].map(|said| digest(said));
    assert!(digests.iter().all(|found| *found == digest(&taken)), "{digests:?}");
    for folder in [program.folder.path(), home.path(), other.path()] {
        let drafts = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        let drafts: Vec<_> =
            drafts.filter(|name| name.to_str().unwrap().ends_with(|c: char| c.is_ascii_digit())).collect();
        assert!(drafts.is_empty(), "{drafts:?}");
    }
}

#[tokio::test]
async fn a_hub_keeps_the_newest_in_a_bucket_and_one_whose_key_is_wrong_says_so() {
    let (desk, store) = (Desk::new(), Store::start());
    let old = desk.path("old");
    fs::write(&old, "old").unwrap();
    let bucket = store.bucket(&store.url, "kept");
    for name in ["vivarium-20200101-000000.backup", "vivarium-20200102-000000.backup", "notes.txt"] {
        bucket.put(name, &old).await.unwrap();
    }
    let kept = [("VIVARIUM_BACKUP_DIR", "s3://backups/kept"), ("VIVARIUM_BACKUP_KEEP", "2")];
    let settings = [&store.settings()[..], &kept].concat();
    let program = Program::start_with(&settings);
    let names = loop {
        let names = store.names("kept").await;
        if names.len() == 2 && !names.contains(&"vivarium-20200101-000000.backup".to_owned()) {
            break names;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    assert_eq!(names[1], "vivarium-20200102-000000.backup");
    bucket.get("notes.txt", &desk.path("notes")).await.unwrap();
    let made = format!("s3://backups/kept/{}", names[0]);
    said(&program.command(&["restore", &made, "--check"], ""));
    let found = said(&program.command(&["doctor"], ""));
    assert!(found.contains(&format!("ok    backups: {made}, the newest of 2")), "{found}");
    let shown = said(&program.command(&["config"], ""));
    assert!(shown.contains("VIVARIUM_S3_KEY=(not shown)"), "{shown}");

    let (id, secret) = store.key.split_once(':').unwrap();
    let wrong = format!("{id}:{}", secret.to_uppercase());
    let wrong = [("VIVARIUM_S3_ENDPOINT", store.url.as_str()), ("VIVARIUM_S3_KEY", &wrong)];
    let home = TempDir::new().unwrap();
    let text = refused(&run(home.path(), &wrong, &["restore", &made, "--check"], ""));
    assert!(
        text.contains("answered 403 SignatureDoesNotMatch") && !text.contains(&secret.to_uppercase()),
        "{text}"
    );
    for (address, expected) in [("s3://backups/nothing", "no backup"), ("s3://b", "no address of a bucket")] {
        let text = refused(&run(home.path(), &store.settings(), &["restore", address, "--check"], ""));
        assert!(text.contains(expected), "{text}");
    }
    let text = refused(&run(home.path(), &[], &["restore", &made, "--check"], ""));
    assert!(text.contains("VIVARIUM_S3_KEY"), "{text}");
}

#[tokio::test]
async fn what_breaks_off_on_the_way_is_not_seen_and_leaves_what_was_there() {
    let (desk, store) = (Desk::new(), Store::start());
    let bytes: Vec<u8> = (0..LARGE).map(|number| (number % 251) as u8).collect();
    let (small, large, come) = (desk.path("small"), desk.path("large"), desk.path("come"));
    fs::write(&small, "whole").unwrap();
    fs::write(&large, &bytes).unwrap();
    let bucket = store.bucket(&store.url, "cut");
    let (first, second) = ("vivarium-20260101-000000.backup", "vivarium-20260102-000000.backup");
    bucket.put(first, &small).await.unwrap();
    let cut = store.bucket(&store.cut_after(LARGE / 2), "cut");
    let broken = cut.put(second, &large).await.unwrap_err();
    assert!(matches!(broken, BackupError::Bucket(..)), "{broken}");
    assert_eq!(store.names("cut").await, [first]);
    bucket.put(second, &large).await.unwrap();
    assert_eq!(store.names("cut").await, [second, first]);
    bucket.get(second, &come).await.unwrap();
    assert!(fs::read(&come).unwrap() == bytes, "it is what was sent");
    fs::remove_file(&come).unwrap();
    let cut = store.bucket(&store.cut_after(LARGE / 2), "cut");
    cut.get(second, &come).await.unwrap_err();
    assert!(!come.exists(), "half of a backup is none");
}
