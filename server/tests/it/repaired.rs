//! `vivarium doctor --repair`: beside a hub it does nothing, and afterwards all is well that was not.

use crate::backup::{refused, said};
use crate::world::{self, Program, run};
use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

const REPAIR: [&str; 2] = ["doctor", "--repair"];

/// A file that nobody has written to for so many minutes.
fn left(path: &Path, minutes: u64) {
    let file = File::create(path).unwrap();
    let now = file.metadata().unwrap().modified().unwrap();
    file.set_modified(now - Duration::from_secs(minutes * 60)).unwrap();
}

#[tokio::test]
async fn what_a_machine_left_behind_is_put_right_once_no_hub_runs() {
    let mut program = Program::start();
    program.add_user("ada");
    assert!(refused(&program.command(&REPAIR, "")).contains("Another hub uses the database"));
    program.kill();
    let folder = program.folder.path();
    let path = |name: &str| folder.join(name);
    left(&path("vivarium.restoring"), 90);
    left(&path("vivarium.download-7"), 5);
    left(&path("notes.txt"), 900);
    fs::set_permissions(path("vivarium.db"), Permissions::from_mode(0o644)).unwrap();
    let found = said_or_not(&run(folder, &[], &["doctor"], ""));
    assert!(found.contains("wrong data folder") && found.contains("ok    leftover files: 1, "), "{found}");
    let mended = said(&run(folder, &[], &REPAIR, ""));
    for expected in ["mended permissions: ", "mended leftover file: removed "] {
        assert!(mended.contains(expected), "{mended}");
    }
    assert!(!mended.contains("kept   the database"), "nothing in it was wrong: {mended}");
    let there = ["vivarium.restoring", "vivarium.download-7", "notes.txt"].map(|name| path(name).exists());
    assert_eq!(there, [false, true, true]);
    assert_eq!(fs::metadata(path("vivarium.db")).unwrap().permissions().mode() & 0o777, 0o600);
    let again = said(&run(folder, &[], &REPAIR, ""));
    assert!(!again.contains("mended"), "{again}");
    program.restart();
    assert_eq!(program.stranger().get("/healthz").await.status(), 200);
}

#[test]
fn a_database_on_a_server_is_left_alone_while_somebody_has_it_open() {
    let database = world::database();
    let settings = [("DATABASE_URL", database.as_str())];
    let mut program = Program::start_with(&settings);
    let text = refused(&program.command(&REPAIR, ""));
    assert!(text.contains("connections to the database are open"), "{text}");
    program.kill();
    // The server notices a moment later that nobody is there.
    let mended = loop {
        let output = program.command(&REPAIR, "");
        if output.status.success() {
            break said(&output);
        }
    };
    assert!(!mended.contains("mended"), "{mended}");
}

fn said_or_not(output: &std::process::Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}
