//! What the program says when it cannot start, and what it leaves in its folder when it can.

use crate::world::{PASSWORD, PROGRAM, Program, clean, database, run};
use serde_json::json;
use std::net::TcpListener;
use std::os::unix::fs::{FileExt, PermissionsExt};
use std::path::Path;
use std::process::Output;
use tempfile::TempDir;

fn check(environment: &[(&str, &str)], expect: &str) {
    check_in(TempDir::new().unwrap().path(), environment, expect);
}

fn check_in(folder: &Path, environment: &[(&str, &str)], expect: &str) {
    let output = run(folder, environment, &[], "");
    let said = String::from_utf8(output.stderr).unwrap();
    let lines: Vec<_> = said.lines().filter(|line| line.starts_with("vivarium: ")).collect();
    assert!(!output.status.success(), "{environment:?}");
    assert_eq!(lines.len(), 1, "{said}");
    assert!(lines[0].contains(expect), "{environment:?}: {said}");
}

#[test]
fn each_problem_at_the_start_is_one_clear_line() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    check(&[("VIVARIUM_ADDR", &address)], "is in use");
    check(&[("VIVARIUM_ADDR", "nowhere")], "not an address");
    check(&[("VIVARIUM_DATA_DIR", "/proc/nothing")], "cannot be written");
    check(&[("DATABASE_URL", "mysql://localhost/x")], "DATABASE_URL");
    check(&[("DATABASE_URL", "postgres://nobody@127.0.0.1:1/x")], "database");
    check(&[("VIVARIUM_MASTER_KEY", "short")], "32 bytes");
    check(&[("VIVARIUM_LOG_FORMAT", "xml")], "can be text or json");
    check(&[("VIVARIUM_PUBLIC_URL", "https://example.org/hub")], "a host name of its own");
    check(&[("VIVARIUM_TLS_CERT", "/nowhere.pem")], "VIVARIUM_TLS_KEY");
    check(&[("VIVARIUM_TLS_CERT", "/nowhere.pem"), ("VIVARIUM_TLS_KEY", "/nowhere.key")], "HTTPS files");
}

#[test]
fn settings_come_from_a_file_too_and_all_that_is_wrong_is_told_at_once() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("vivarium.env");
    let told = |environment: &[(&str, &str)], text: &str| {
        std::fs::write(&file, text).unwrap();
        let named = [environment, &[("VIVARIUM_CONFIG", file.to_str().unwrap())]].concat();
        let output = run(folder.path(), &named, &["config"], "");
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let (shown, wrong) = told(
        &[("VIVARIUM_TERMINAL", "admins")],
        "VIVARIUM_TERMINAL=off\nVIVARIUM_PERSON_REQUESTS=\"7\"\nVIVARIUM_MASTER_KEY=canary\n",
    );
    assert!(shown.contains("VIVARIUM_TERMINAL=admins  # environment\n"), "{shown}{wrong}");
    assert!(
        shown.contains("VIVARIUM_PERSON_REQUESTS=7  # ") && shown.contains("vivarium.env line 2\n"),
        "{shown}"
    );
    assert!(shown.contains("VIVARIUM_MASTER_KEY=(not shown)") && !shown.contains("canary"), "{shown}");
    let (shown, wrong) = told(
        &[("VIVARIUM_METRICS_ADDR", "here")],
        "VIVARIUM_TERMNAL=off\nVIVARIUM_LOG_FORMAT=xml\nVIVARIUM_TLS_KEY=a.key\n",
    );
    assert_eq!(shown, "");
    let lines: Vec<_> = wrong.lines().filter(|line| line.starts_with("vivarium: ")).collect();
    for (line, expected) in lines.iter().zip([
        "line 1: there is no setting VIVARIUM_TERMNAL",
        "VIVARIUM_TLS_CERT and VIVARIUM_TLS_KEY",
        "VIVARIUM_LOG_FORMAT is xml",
        "VIVARIUM_METRICS_ADDR is here",
    ]) {
        assert!(line.contains(expected), "{line}");
    }
    assert_eq!(lines.len(), 4, "{wrong}");
}

/// The modes of the folder and of the files in it.
fn modes(folder: &Path) -> Vec<(String, u32)> {
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let files = std::fs::read_dir(folder).unwrap().map(|entry| {
        let path = entry.unwrap().path();
        (path.file_name().unwrap().to_str().unwrap().to_owned(), mode(&path))
    });
    let mut modes: Vec<_> = files.chain([(".".to_owned(), mode(folder))]).collect();
    modes.sort();
    modes
}

fn open_to_all(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn two_hubs_do_not_share_a_folder_and_a_command_beside_one_does() {
    let mut program = Program::start();
    let file = format!("sqlite://{}", program.folder.path().join("vivarium.db").display());
    let elsewhere = TempDir::new().unwrap();
    check_in(program.folder.path(), &[], "Another hub uses the database");
    check_in(elsewhere.path(), &[("DATABASE_URL", &file)], "Another hub uses the database");
    program.add_user("ada");
    // However it ended, its folder is free.
    program.restart();
}

#[test]
fn commands_beside_a_hub_that_starts_for_the_first_time_wait_for_its_database() {
    let folder = TempDir::new().unwrap();
    let add = |name: &'static str| {
        let arguments = ["user", "add", name, "--password-stdin"];
        run(folder.path(), &[], &arguments, PASSWORD)
    };
    let added = std::thread::scope(|scope| {
        let people = ["ada", "ben", "cem"].map(|name| scope.spawn(move || add(name)));
        people.map(|person| person.join().unwrap())
    });
    for output in added {
        assert!(output.status.success(), "{output:?}");
    }
}

#[test]
fn a_file_that_is_no_database_is_said_to_be_damaged_at_once() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("vivarium.db"), "x".repeat(100_000)).unwrap();
    check_in(folder.path(), &[], "is damaged, or is no database");
    let found = wrong(&run(folder.path(), &[], &["doctor"], ""));
    assert!(found.contains("is damaged, or is no database"), "{found}");
}

#[test]
fn doctor_says_of_a_malformed_file_that_it_is_malformed() {
    let mut program = Program::start();
    program.add_user("ada");
    program.kill();
    // What is in the log beside it would heal it.
    assert!(program.command(&["doctor"], "").status.success());
    let file = program.folder.path().join("vivarium.db");
    let length = std::fs::metadata(&file).unwrap().len();
    let file = std::fs::File::options().write(true).open(file).unwrap();
    // Behind the schema, in whatever is kept last.
    file.write_all_at(&[0xaa; 4096], length - 4096).unwrap();
    let found = wrong(&program.command(&["doctor"], ""));
    assert!(found.contains("wrong database: ") && found.contains("damaged"), "{found}");
}

#[tokio::test]
async fn a_hub_with_a_key_of_another_does_not_start_and_with_its_own_has_everything_on_sqlite() {
    keeps_what_no_key_opens(&[]).await;
}

#[tokio::test]
async fn a_hub_with_a_key_of_another_does_not_start_and_with_its_own_has_everything_on_postgresql() {
    keeps_what_no_key_opens(&[("DATABASE_URL", &database())]).await;
}

async fn keeps_what_no_key_opens(environment: &[(&str, &str)]) {
    let mut program = Program::start_with(environment);
    let ada = program.caller("ada");
    let provider =
        json!({ "name": "Test", "kind": "anthropic", "base_url": "http://127.0.0.1:9", "key": "key-good" });
    ada.call("/api/providers/save", &provider).await;
    program.kill();
    let key = program.folder.path().join("master.key");
    let held = std::fs::read_to_string(&key).unwrap();
    let lost = "0a".repeat(32);
    // More than once: what the first start does may open nothing at the second.
    for _ in 0..2 {
        std::fs::write(&key, &lost).unwrap();
        check_in(program.folder.path(), environment, "does not open what the database keeps");
        let found = wrong(&program.command(&["doctor"], ""));
        assert!(
            found.contains("wrong stored keys: What the database keeps is sealed with another"),
            "{found}"
        );
    }
    std::fs::write(&key, held).unwrap();
    let needless = program.command(&["key", "begin-anew"], "");
    let why = String::from_utf8(needless.stderr).unwrap();
    assert!(!needless.status.success() && why.contains("nothing has to begin anew"), "{why}");
    program.restart();
    let found = String::from_utf8(program.command(&["doctor"], "").stdout).unwrap();
    // The seal of the audit is made with what that key opens.
    for expected in ["1 stored keys, and all of them open\n", " lines, whole\n"] {
        assert!(found.contains(expected), "{found}");
    }
    let running = program.command(&["key", "begin-anew"], "");
    let why = String::from_utf8(running.stderr).unwrap();
    assert!(!running.status.success(), "{why}");
    assert!(why.contains("Another hub uses the database") || why.contains("a hub is running"), "{why}");

    program.kill();
    std::fs::write(&key, &lost).unwrap();
    let anew = program.command(&["key", "begin-anew"], "");
    assert!(anew.status.success(), "{anew:?}");
    program.restart();
    let found = String::from_utf8(program.command(&["doctor"], "").stdout).unwrap();
    assert!(found.contains("1 of 1 stored keys cannot be opened"), "{found}");
}

#[test]
fn a_master_key_that_is_missing_is_not_replaced_in_silence() {
    let mut program = Program::start();
    program.add_user("ada");
    program.kill();
    let key = program.folder.path().join("master.key");
    let held = std::fs::read(&key).unwrap();
    std::fs::remove_file(&key).unwrap();
    check_in(program.folder.path(), &[], "master.key is missing");
    let found = wrong(&program.command(&["doctor"], ""));
    assert!(found.contains("master.key is missing"), "{found}");
    assert!(!program.command(&["user", "add", "eve", "--password-stdin"], "long enough").status.success());
    assert!(!key.exists());
    // With it everything is as it was.
    std::fs::write(&key, held).unwrap();
    std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o600)).unwrap();
    program.restart();
}

/// What doctor, who found something, says.
fn wrong(output: &Output) -> String {
    let said = String::from_utf8(output.stdout.clone()).unwrap();
    assert!(!output.status.success(), "{said}");
    said
}

#[test]
fn the_data_folder_is_for_its_owner_alone_also_one_that_was_open_before() {
    let mut program = Program::start();
    let folder = program.folder.path().to_owned();
    let private = |modes: Vec<(String, u32)>| {
        let names: Vec<_> = modes.iter().map(|(name, _)| name.clone()).collect();
        for name in [".", "master.key", "setup-link", "vivarium.db", "vivarium.db-wal", "vivarium.db-shm"] {
            assert!(names.iter().any(|one| one == name), "{name}: {names:?}");
        }
        for (name, mode) in modes {
            assert_eq!(mode, if name == "." { 0o700 } else { 0o600 }, "{name}");
        }
    };
    // The folder of this test is made by the test.
    private(modes(&folder));
    program.kill();
    std::fs::write(folder.join("master.key.bak"), "x").unwrap();
    for (name, _) in modes(&folder) {
        // A key that others can read is not used at all.
        if name != "master.key" {
            open_to_all(&folder.join(&name), if name == "." { 0o755 } else { 0o644 });
        }
    }
    let output = program.command(&["doctor"], "");
    let said = String::from_utf8(output.stdout).unwrap();
    let line = said.lines().find(|line| line.starts_with("wrong data folder: Others can read ")).unwrap();
    for name in ["master.key.bak", "vivarium.db, ", "vivarium.db-wal", "chmod"] {
        assert!(line.contains(name), "{name}: {line}");
    }
    program.restart();
    private(modes(&folder));
}

#[test]
fn a_data_folder_that_the_program_makes_is_for_its_owner_alone() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("data");
    let environment = [("VIVARIUM_DATA_DIR", data.to_str().unwrap())];
    let output = run(folder.path(), &environment, &["user", "add", "ada", "--password-stdin"], PASSWORD);
    assert!(output.status.success(), "{output:?}");
    for (name, mode) in modes(&data) {
        assert_eq!(mode, if name == "." { 0o700 } else { 0o600 }, "{name}");
    }
}

#[tokio::test]
async fn the_first_account_needs_the_set_up_link_and_the_command_line_voids_it() {
    let program = Program::start();
    let link = std::fs::read_to_string(program.folder.path().join("setup-link")).unwrap();
    let path = link.trim().strip_prefix(&program.url).unwrap().to_owned();
    assert_eq!(program.stranger().get(&path).await.status(), 200);
    program.add_user("ada");
    let code = path.rsplit('/').next().unwrap();
    let body = serde_json::json!({ "code": code, "name": "eve", "password": crate::world::PASSWORD });
    assert!(!program.stranger().post("/api/account/set_up", &body).await.status().is_success());
}

#[test]
fn doctor_says_what_is_fine() {
    let program = Program::start();
    let output = program.command(&["doctor"], "");
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{said}");
    assert_eq!(said.lines().filter(|line| line.starts_with("ok ")).count(), said.lines().count(), "{said}");
}

#[test]
fn the_engine_performs_one_command_whatever_the_configuration() {
    let folder = TempDir::new().unwrap();
    let job = serde_json::json!({
        "command": { "type": "run_js", "code": "flo.state.set('a', 1); return 6 * 7", "timeout_ms": 5000 },
        "page": { "head": "", "body": "" },
        "state": {},
    });
    let work = serde_json::json!({ "Command": job });
    let output = run(folder.path(), &[("VIVARIUM_ADDR", "nowhere")], &["engine"], &work.to_string());
    let done: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&done["result"]["value"], &done["set"]), (&42.into(), &serde_json::json!({ "a": 1 })));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn what_is_logged_as_json_is_an_object_a_line() {
    let folder = TempDir::new().unwrap();
    let log = folder.path().join("log");
    let environment = [("VIVARIUM_LOG_FORMAT", "json"), ("RUST_LOG", "debug")];
    drop(Program::start_logged(&environment, log.clone()));
    let said = std::fs::read_to_string(log).unwrap();
    // Killed at the end, it may leave half a line.
    let whole = said.rsplit_once('\n').map(|(whole, _)| whole).unwrap_or_default();
    let lines: Vec<serde_json::Value> =
        whole.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(!lines.is_empty() && lines.iter().all(|line| line["level"].is_string()), "{said}");
}

#[test]
fn doctor_says_of_a_machine_that_cannot_confine_commands_why_there_is_no_terminal() {
    let mut program = Program::start();
    program.kill();
    let tools = TempDir::new().unwrap();
    let unsafe_one = tools.path().join("bwrap");
    std::fs::write(&unsafe_one, "#!/bin/sh\necho as if\n").unwrap();
    open_to_all(&unsafe_one, 0o755);
    let unsafe_one = unsafe_one.to_str().unwrap();
    for (instead, why) in [
        (&["--tmpfs", "/usr/bin"][..], "bubblewrap is not installed"),
        (&["--ro-bind", unsafe_one, "/usr/bin/bwrap"][..], "a room was tried"),
    ] {
        let mut command = clean(Path::new("bwrap"), program.folder.path());
        command.args(["--dev-bind", "/", "/"]).args(instead).args([PROGRAM, "doctor"]);
        let output = command.output().unwrap();
        let said =
            String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        let line = said.lines().find(|line| line.contains("terminal"));
        assert!(line.is_some_and(|line| line.contains("none, because") && line.contains(why)), "{said}");
    }
}
