//! A disk that is full in the middle of a backup, a restore or a move: it is said, what was there is there, and
//! nothing of the rest is.

use crate::backup::{Desk, digest, refused, said};
use crate::world::{Program, run};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

const FILL: &str = r#"
import sqlite3, sys
database = sqlite3.connect(sys.argv[1])
rows = [(f"filler {number}",) for number in range(20)]
database.executemany("INSERT INTO settings (key, value) VALUES (?, hex(randomblob(100000)))", rows)
database.commit()
"#;

#[test]
fn a_disk_that_is_full_in_the_middle_is_told_as_that_and_leaves_what_was_there_and_nothing_half() {
    let desk = Desk::new();
    let mut program = Program::start();
    let small = SmallDisk::of_megabytes(4);
    let there = |name: &str| small.path().join(name).display().to_string();

    // So little that it is written at the end.
    let filler = small.path().join("filler");
    fs::write(&filler, vec![7; 8 * 1024 * 1024]).expect_err("it is too large");
    stopped(&small, &program.command(&["backup", "--to", &there("one.backup")], ""));
    fs::remove_file(filler).unwrap();

    program.kill();
    let database = program.folder.path().join("vivarium.db");
    let filled = Command::new("python3").args(["-c", FILL]).arg(database).status().unwrap();
    assert!(filled.success());
    let whole = desk.text("whole.backup");
    let before = digest(&said(&program.command(&["backup", "--to", &whole], "")));
    let tight = SmallDisk::of_megabytes(1);
    let to = tight.path().join("one.backup").display().to_string();
    stopped(&tight, &program.command(&["backup", "--to", &to], ""));
    stopped(&small, &run(small.path(), &[], &["restore", &whole], ""));
    let file = format!("sqlite://{}?mode=rwc", there("moved.db"));
    stopped(&small, &program.command(&["move", "--to", &file], ""));

    let again = said(&program.command(&["backup", "--to", &desk.text("again.backup")], ""));
    assert_eq!(digest(&again), before);
    let checked = said(&program.command(&["restore", &whole, "--check"], ""));
    assert_eq!(digest(&checked), before);
}

/// It said why, and left nothing but the filler and what keeps two hubs apart.
fn stopped(disk: &SmallDisk, output: &Output) {
    let why = refused(output);
    assert!(why.contains("The disk is full") && why.contains("Make room on it and try again."), "{why}");
    for entry in fs::read_dir(disk.path()).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        let is_lock = name.ends_with(".lock") && entry.metadata().unwrap().len() == 0;
        assert!(is_lock || name == "filler", "{name} is left: {why}");
    }
}

/// A disk of its own that is soon full.
pub struct SmallDisk(TempDir);

impl SmallDisk {
    pub fn of_megabytes(size: u32) -> Self {
        let folder = TempDir::new().unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &format!("size={size}m"), "tmpfs"])
            .arg(folder.path())
            .output()
            .unwrap();
        assert!(mounted.status.success(), "the tests run as root, who mounts a small disk: {mounted:?}");
        Self(folder)
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Also while something is open on it.
        let _ = Command::new("umount").arg("-l").arg(self.path()).status();
    }
}
