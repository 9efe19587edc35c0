//! Backups that an administrator has made: one at a time, among those that the hub makes by itself.

use crate::talk::a_moment;
use crate::world::{World, on_sqlite};
use hub::backups::{BackupPlace, BackupPlan, backup_name};
use hub::{AuditQuery, Viewer};
use protocol::FailureKind;
use protocol::view::{AuditAction, BackupStatus};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

/// Writes where it is told to, once it may. Or says why it cannot.
const PROGRAM: &str = r#"#!/bin/sh
while [ -e "$0.waits" ]; do sleep 0.02; done
if [ -e "$0.full" ]; then echo "The disk is full." >&2; exit 1; fi
echo whole > "$3"
"#;

/// A hub that has its backups made by the program above, and none to make by itself.
struct Desk {
    folder: TempDir,
    root: Viewer,
}

impl Desk {
    async fn new(world: &World) -> Self {
        let desk = Self { folder: TempDir::new().unwrap(), root: world.admin("root").await };
        let kept = desk.kept();
        fs::create_dir(&kept).unwrap();
        fs::write(kept.join(backup_name(world.clock.now())), "whole").unwrap();
        let plan = BackupPlan {
            place: BackupPlace::Folder(kept),
            every: Duration::from_secs(24 * 3600),
            keep: 7,
            passphrase_file: None,
            program: desk.program(),
        };
        // By a process of its own: a file that another one still has open to write cannot be run.
        let write = r#"printf %s "$1" > "$2" && chmod 755 "$2""#;
        let written = Command::new("sh").args(["-c", write, "sh", PROGRAM]).arg(desk.program()).status();
        assert!(written.unwrap().success());
        world.hub.keep_backups(plan);
        desk
    }

    fn kept(&self) -> PathBuf {
        self.folder.path().join("kept")
    }

    fn program(&self) -> PathBuf {
        self.folder.path().join("program")
    }

    /// What the program looks for.
    fn sign(&self, name: &str) -> PathBuf {
        self.program().with_extension(name)
    }

    async fn status(&self, world: &World) -> BackupStatus {
        let admin = world.hub.as_admin(&self.root).unwrap();
        admin.hub_status().read().await.unwrap().backups.expect("there is a place")
    }
}

fn count(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}

#[tokio::test]
async fn an_administrator_has_one_backup_made_at_a_time_and_hears_how_it_went() {
    on_sqlite(async |world: World| {
        let desk = Desk::new(&world).await;
        let admin = world.hub.as_admin(&desk.root).unwrap();
        File::create(desk.sign("waits")).unwrap();
        let meanwhile = async {
            while desk.status(&world).await.under_way_since.is_none() {
                a_moment().await;
            }
            let second = admin.backups().back_up_now().await.unwrap_err().into_failure();
            fs::remove_file(desk.sign("waits")).unwrap();
            second
        };
        let (first, second) = tokio::join!(admin.backups().back_up_now(), meanwhile);
        first.unwrap();
        assert_eq!(second.kind, FailureKind::Conflict, "{second}");
        while desk.status(&world).await.under_way_since.is_some() {
            a_moment().await;
        }
        assert_eq!(count(&desk.kept()), 2, "the one that was there, and one more within the same second");
        assert_eq!(desk.status(&world).await.failure, None);

        File::create(desk.sign("full")).unwrap();
        let refused = admin.backups().back_up_now().await.unwrap_err().into_failure();
        assert_eq!((refused.kind, refused.message.as_str()), (FailureKind::Upstream, "The disk is full."));
        let status = desk.status(&world).await;
        assert_eq!(status.failure.expect("it failed").why, "The disk is full.");
        assert_eq!((status.under_way_since, count(&desk.kept())), (None, 2));

        let audit = world.hub.for_viewer(&desk.root).audit().read(&AuditQuery::default()).await.unwrap();
        let begun = audit.lines.iter().filter(|line| line.action == AuditAction::BackupBegun);
        assert_eq!(begun.count(), 2, "who was sent away began none");
    })
    .await;
}

#[tokio::test]
async fn a_hub_without_a_place_for_backups_says_what_to_do() {
    on_sqlite(async |world: World| {
        let root = world.admin("root").await;
        let admin = world.hub.as_admin(&root).unwrap();
        let refused = admin.backups().back_up_now().await.unwrap_err().into_failure();
        assert_eq!(refused.kind, FailureKind::Invalid);
        assert!(refused.message.contains("VIVARIUM_BACKUP_DIR"), "{refused}");
    })
    .await;
}

#[tokio::test]
async fn what_was_left_of_a_backup_is_swept_away_and_what_is_being_written_is_not() {
    on_sqlite(async |world: World| {
        let desk = Desk::new(&world).await;
        let kept = desk.kept();
        let written = File::create(kept.join("vivarium-20260101-000001.unfinished")).unwrap();
        written.lock().unwrap();
        for name in ["vivarium-20260101-000000.unfinished", "notes.unfinished"] {
            fs::write(kept.join(name), "half").unwrap();
        }
        world.hub.as_admin(&desk.root).unwrap().backups().back_up_now().await.unwrap();
        let is_there = |name: &str| kept.join(name).exists();
        assert!(!is_there("vivarium-20260101-000000.unfinished"));
        assert!(is_there("vivarium-20260101-000001.unfinished") && is_there("notes.unfinished"));
    })
    .await;
}
