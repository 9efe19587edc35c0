//! Commands of root beside a hub that has an account of its own: what they write is that account's.

use crate::backup::{Desk, said};
use crate::world::{PASSWORD, run};
use std::fs;
use std::os::unix::fs::{MetadataExt, chown};
use std::path::Path;
use tempfile::TempDir;

/// The account of `nobody`.
pub const NOBODY: u32 = 65_534;

fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    chown(folder.path(), Some(NOBODY), Some(NOBODY)).unwrap();
    folder
}

fn is_all_theirs(folder: &Path, names: &[&str], after: &str) {
    for name in names {
        assert!(folder.join(name).exists(), "{name} after {after}");
    }
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        assert_eq!(entry.metadata().unwrap().uid(), NOBODY, "{} after {after}", entry.path().display());
    }
}

#[test]
fn what_root_writes_where_another_account_keeps_the_hub_is_that_accounts() {
    // Nobody else can give a file away.
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let (desk, home) = (Desk::new(), folder());
    let (backup, passphrase) =
        (home.path().join("one.backup").display().to_string(), desk.text("passphrase"));
    let commands: [&[&str]; 4] = [
        &["user", "add", "ada", "--password-stdin"],
        &["key", "rotate"],
        &["backup", "--to", &backup, "--passphrase-file", &passphrase],
        &["config"],
    ];
    for command in commands {
        said(&run(home.path(), &[], command, PASSWORD));
        is_all_theirs(home.path(), &["vivarium.db", "master.key"], command[0]);
    }

    let restored = folder();
    said(&run(restored.path(), &[], &["restore", &backup, "--passphrase-file", &passphrase], ""));
    is_all_theirs(restored.path(), &["vivarium.db", "master.key"], "restore");

    let moved = folder();
    let url = format!("sqlite://{}?mode=rwc", moved.path().join("vivarium.db").display());
    said(&run(restored.path(), &[], &["move", "--to", &url], ""));
    is_all_theirs(moved.path(), &["vivarium.db"], "move");

    // A database that is not in the data folder.
    let elsewhere = folder();
    let url = format!("sqlite://{}?mode=rwc", elsewhere.path().join("hub.db").display());
    let beside = [("DATABASE_URL", url.as_str())];
    let arguments = ["restore", &backup, "--passphrase-file", &passphrase];
    said(&run(folder().path(), &beside, &arguments, ""));
    is_all_theirs(elsewhere.path(), &["hub.db"], "restore elsewhere");
}

#[test]
fn what_roots_command_did_not_write_stays_whose_it_is() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let (home, elsewhere) = (folder(), TempDir::new().unwrap());
    let of_root = elsewhere.path().join("of-root");
    fs::write(&of_root, "root's").unwrap();
    fs::hard_link(&of_root, home.path().join("vivarium.linked")).unwrap();
    std::os::unix::fs::symlink(&of_root, home.path().join("vivarium.points")).unwrap();
    said(&run(home.path(), &[], &["user", "add", "ada", "--password-stdin"], PASSWORD));
    assert_eq!(fs::metadata(&of_root).unwrap().uid(), 0);
    let database = home.path().join("vivarium.db");
    assert_eq!(fs::metadata(database).unwrap().uid(), NOBODY);
}
