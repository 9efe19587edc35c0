//! `vivarium backup`, `restore` and `move`: what was there is there again, in either database, or it is said why
//! not and nothing was changed.

use crate::live::agent;
use crate::world::{self, Caller, Endpoint, Program, run};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::Duration;
use tempfile::TempDir;

const PASSPHRASE: &str = "moss and ferns and stones";

/// A folder with a passphrase and room for backups.
pub struct Desk(TempDir);

impl Desk {
    pub fn new() -> Self {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("passphrase"), format!("{PASSPHRASE}\n")).unwrap();
        Self(folder)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn text(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }
}

/// What the command said; it has to end well.
pub fn said(output: &Output) -> String {
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    said
}

/// Why the command did not do it.
pub fn refused(output: &Output) -> String {
    assert!(!output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

pub fn digest(said: &str) -> String {
    said.lines().find_map(|line| line.strip_prefix("Digest ")).expect("it says the digest").to_owned()
}

async fn json_of(caller: &Caller, path: &str) -> Value {
    caller.get(path).await.json().await.unwrap()
}

/// Whether a sealed key opens there.
fn is_healthy(program: &Program) {
    let found = said(&program.command(&["doctor"], ""));
    assert!(found.contains(" stored keys, and all of them open\n"), "{found}");
}

#[tokio::test]
async fn a_backup_of_sqlite_under_load_comes_back_in_postgresql() {
    comes_back(&[], &[("DATABASE_URL", &world::database())]).await;
}

#[tokio::test]
async fn a_backup_of_postgresql_under_load_comes_back_in_sqlite() {
    comes_back(&[("DATABASE_URL", &world::database())], &[]).await;
}

async fn comes_back(here: &[(&str, &str)], there: &[(&str, &str)]) {
    let desk = Desk::new();
    let program = Program::start_with(here);
    let endpoint = Endpoint::start();
    let mut caller = program.caller("ada");
    let busy = agent(&caller, &endpoint).await;
    let agent = agent(&caller, &endpoint).await;
    caller.call("/api/agents/send", &json!({ "agent": busy, "text": "script: slow" })).await;
    for text in ["script: tools", "script: draw", "Grüße, \u{1f33f}\u{0001}"] {
        caller.call("/api/agents/send", &json!({ "agent": agent, "text": text })).await;
    }
    let backup = desk.text("one.backup");
    let taken = said(
        &program.command(&["backup", "--to", &backup, "--passphrase-file", &desk.text("passphrase")], ""),
    );
    let text = refused(&program.command(&["backup", "--to", &backup], ""));
    assert!(text.contains("replaces none"), "{text}");
    let checked = said(&program.command(&["restore", &backup, "--check"], ""));
    assert_eq!(digest(&checked), digest(&taken));

    let home = TempDir::new().unwrap();
    let restored =
        run(home.path(), there, &["restore", &backup, "--passphrase-file", &desk.text("passphrase")], "");
    assert!(said(&restored).starts_with("Restored "), "{restored:?}");
    let again = desk.text("two.backup");
    let second = said(&run(home.path(), there, &["backup", "--to", &again], ""));
    assert_eq!(digest(&second), digest(&taken), "nothing has run there yet");

    let other = Program::start_in(home, there);
    is_healthy(&other);
    let before = json_of(&caller, &format!("/api/agents/entries?agent={agent}&after=0")).await;
    caller.url.clone_from(&other.url);
    let after = json_of(&caller, &format!("/api/agents/entries?agent={agent}&after=0")).await;
    let (before, after) = (before.as_array().unwrap(), after.as_array().unwrap());
    let same = before.iter().zip(after).take_while(|(before, after)| before == after).count();
    assert!(same >= 3, "{same} of {} entries", after.len());
    // What was under way goes on there.
    caller.call("/api/agents/stop", &json!({ "agent": busy })).await;
}

#[tokio::test]
async fn a_hub_moves_to_postgresql_and_back_with_everything() {
    let desk = Desk::new();
    let mut program = Program::start();
    let endpoint = Endpoint::start();
    let mut caller = program.caller("ada");
    let agent = agent(&caller, &endpoint).await;
    caller.call("/api/agents/send", &json!({ "agent": agent, "text": "script: draw" })).await;
    let url = world::database();
    let running = refused(&program.command(&["move", "--to", &url], ""));
    assert!(running.contains("Another hub uses the database"), "{running}");
    program.kill();
    let there = said(&program.command(&["move", "--to", &url], ""));
    let back = desk.path("back");
    fs::create_dir(&back).unwrap();
    let file = format!("sqlite://{}?mode=rwc", back.join("vivarium.db").display());
    let from = [("DATABASE_URL", url.as_str())];
    let returned = said(&run(program.folder.path(), &from, &["move", "--to", &file], ""));
    assert_eq!(digest(&there), digest(&returned));
    let twice = refused(&run(program.folder.path(), &from, &["move", "--to", &file], ""));
    assert!(twice.contains("There is a database at"), "{twice}");
    for name in ["vivarium.db", "vivarium.db-wal", "vivarium.db-shm"] {
        // Some of them are not there.
        let _ = fs::remove_file(program.folder.path().join(name));
    }
    fs::rename(back.join("vivarium.db"), program.folder.path().join("vivarium.db")).unwrap();
    program.restart();
    is_healthy(&program);
    caller.url.clone_from(&program.url);
    assert_eq!(json_of(&caller, "/api/agents/list").await[0]["id"], json!(agent));
}

#[test]
fn a_hub_that_runs_on_postgresql_is_not_moved_and_not_moved_onto() {
    let (desk, url) = (Desk::new(), world::database());
    let program = Program::start_with(&[("DATABASE_URL", &url)]);
    let file = format!("sqlite://{}?mode=rwc", desk.path("moved.db").display());
    let away = refused(&program.command(&["move", "--to", &file], ""));
    assert!(away.contains("a hub is running") && away.contains("Stop them first."), "{away}");
    assert!(!desk.path("moved.db").exists());
    let onto = refused(&run(TempDir::new().unwrap().path(), &[], &["move", "--to", &url], ""));
    assert!(onto.contains("a hub is running"), "{onto}");
}

#[tokio::test]
async fn what_is_no_whole_backup_is_refused_in_words_and_leaves_nothing() {
    let desk = Desk::new();
    let program = Program::start();
    program.add_user("ada");
    let backup = desk.text("whole.backup");
    said(&program.command(&["backup", "--to", &backup], ""));
    let running = refused(&program.command(&["restore", &backup], ""));
    assert!(running.contains("Another hub uses the database"), "{running}");

    let whole = fs::read(&backup).unwrap();
    let mut text = String::new();
    GzDecoder::new(&*whole).read_to_string(&mut text).unwrap();
    let changed = |index: usize| {
        let mut bytes = whole.clone();
        bytes[index] ^= 1;
        bytes
    };
    let half = &text[..text.len() / 2];
    let cases: [(&str, Vec<u8>, &str); 10] = [
        ("empty", Vec::new(), "is no backup"),
        ("text", b"Dear diary".to_vec(), "is no backup"),
        ("another-gzip", packed("{}\n"), "is no backup"),
        ("cut", whole[..whole.len() / 2].to_vec(), "is damaged"),
        ("end-gone", packed(&text[..text.trim_end().rfind('\n').unwrap() + 1]), "its end is missing"),
        ("cut-and-packed", packed(half), "is damaged"),
        ("changed-byte", changed(whole.len() - 6), "is damaged"),
        ("changed-value", packed(&text.replacen("\"ada\"", "\"eve\"", 1)), "does not hold what it should"),
        ("more", packed(&format!("{text}[1]\n")), "something stands after its end"),
        ("newer", packed(&text.replacen("\"schema\":", "\"schema\":9", 1)), "newer than this program"),
    ];
    let home = TempDir::new().unwrap();
    for (name, bytes, expected) in cases {
        let file = desk.path(name);
        fs::write(&file, bytes).unwrap();
        let why = refused(&run(home.path(), &[], &["restore", &file.display().to_string()], ""));
        assert!(why.contains(expected), "{name}: {why}");
        assert!(!home.path().join("vivarium.db").exists(), "{name}");
    }
    let sealed = desk.text("sealed.backup");
    let passphrase = desk.text("passphrase");
    said(&program.command(&["backup", "--to", &sealed, "--passphrase-file", &passphrase], ""));
    fs::write(desk.path("wrong"), "stones and ferns and moss").unwrap();
    let arguments = ["restore", &sealed, "--passphrase-file", &desk.text("wrong")];
    let why = refused(&run(home.path(), &[], &arguments, ""));
    assert!(why.contains("The passphrase does not open the keys"), "{why}");
    assert!(!home.path().join("vivarium.db").exists());
    // Nothing of all that is in the way of the whole one.
    let told = said(&run(home.path(), &[], &["restore", &backup], ""));
    assert!(told.contains("Put the master key of that hub at"), "{told}");
    let why = refused(&run(home.path(), &[], &["restore", &backup], ""));
    assert!(why.contains("There is a database at"), "{why}");
}

#[test]
fn a_backup_of_another_hub_is_not_put_beside_a_key_that_does_not_open_it() {
    let desk = Desk::new();
    let (one, mut other) = (Program::start(), Program::start());
    one.add_user("ada");
    let backup = desk.text("one.backup");
    said(&one.command(&["backup", "--to", &backup], ""));
    other.kill();
    let database = other.folder.path().join("vivarium.db");
    for end in ["", "-wal", "-shm"] {
        // Some of them are not there.
        let _ = fs::remove_file(format!("{}{end}", database.display()));
    }
    let why = refused(&run(other.folder.path(), &[], &["restore", &backup], ""));
    assert!(
        why.contains("does not open what the backup holds") && why.contains("Nothing was changed."),
        "{why}"
    );
    assert!(!database.exists());
    let key = "07".repeat(32);
    let given = [("VIVARIUM_MASTER_KEY", key.as_str())];
    let why = refused(&run(TempDir::new().unwrap().path(), &given, &["restore", &backup], ""));
    assert!(why.contains("does not open what the backup holds"), "{why}");
    fs::copy(one.folder.path().join("master.key"), other.folder.path().join("master.key")).unwrap();
    said(&run(other.folder.path(), &[], &["restore", &backup], ""));
    other.restart();
    is_healthy(&other);
}

fn packed(text: &str) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
    packer.write_all(text.as_bytes()).unwrap();
    packer.finish().unwrap()
}

#[tokio::test]
async fn a_restore_that_is_killed_leaves_nothing_half_on_sqlite() {
    killed(&[]).await;
}

#[tokio::test]
async fn a_restore_that_is_killed_leaves_nothing_half_on_postgresql() {
    killed(&[("DATABASE_URL", &world::database())]).await;
}

async fn killed(there: &[(&str, &str)]) {
    let desk = Desk::new();
    let program = Program::start();
    program.add_user("ada");
    let backup = desk.text("one.backup");
    let taken = said(&program.command(&["backup", "--to", &backup], ""));
    let home = TempDir::new().unwrap();
    for wait in [10, 60, 120, 200, 300] {
        let mut restoring = world::spawn_in(home.path(), there, &["restore", &backup]);
        tokio::time::sleep(Duration::from_millis(wait)).await;
        restoring.kill().unwrap();
        restoring.wait().unwrap();
        if is_there(home.path(), there) {
            break;
        }
    }
    if !is_there(home.path(), there) {
        said(&run(home.path(), there, &["restore", &backup], ""));
    }
    // Whichever of them got to its end.
    let second = said(&run(home.path(), there, &["backup", "--to", &desk.text("two.backup")], ""));
    assert_eq!(digest(&second), digest(&taken));
}

/// Whether a backup can be taken of what is there.
fn is_there(folder: &Path, there: &[(&str, &str)]) -> bool {
    if there.is_empty() {
        return folder.join("vivarium.db").exists();
    }
    let desk = Desk::new();
    run(folder, there, &["backup", "--to", &desk.text("look.backup")], "").status.success()
}

#[tokio::test]
async fn a_hub_makes_backups_by_itself_and_keeps_the_newest() {
    let desk = Desk::new();
    let folder = desk.path("kept");
    fs::create_dir(&folder).unwrap();
    let old = |name: &str, hours: u64| {
        let file = fs::File::create(folder.join(name)).unwrap();
        let now = file.metadata().unwrap().modified().unwrap();
        file.set_modified(now - Duration::from_secs(hours * 3600)).unwrap();
    };
    old("vivarium-20200101-000000.backup", 60);
    old("vivarium-20200102-000000.backup", 30);
    old("notes.txt", 90);
    let (folder_text, passphrase) = (folder.display().to_string(), desk.text("passphrase"));
    let program = Program::start_with(&[
        ("VIVARIUM_BACKUP_DIR", folder_text.as_str()),
        ("VIVARIUM_BACKUP_KEEP", "2"),
        ("VIVARIUM_BACKUP_PASSPHRASE_FILE", passphrase.as_str()),
    ]);
    let names = || {
        let names =
            fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> = names.collect();
        names.sort();
        names
    };
    let names = loop {
        let names = names();
        if names.len() == 3 && !names.contains(&"vivarium-20200101-000000.backup".to_owned()) {
            break names;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    assert_eq!(names[..2], ["notes.txt", "vivarium-20200102-000000.backup"]);
    let made = folder.join(&names[2]).display().to_string();
    said(&program.command(&["restore", &made, "--check"], ""));
    let found = said(&program.command(&["doctor"], ""));
    assert!(found.contains("ok    backups: "), "{found}");
}
