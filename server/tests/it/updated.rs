//! `vivarium update`: a run under way goes on in the new program, and a program that does not become ready
//! leaves everything as it was.

use crate::assets::{built, loaded};
use crate::live::agent;
use crate::owned::NOBODY;
use crate::world::{Caller, Endpoint, PASSWORD, PROGRAM, a_moment, clean, run};
use serde_json::{Value, json};
use std::fs::{self, Permissions};
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// It says a version and never serves.
const SILENT: &str = "exec sleep 600";
/// The same, after it has changed the database as a newer program does.
const NEWER: &str = r#"python3 - "$VIVARIUM_DATA_DIR/vivarium.db" <<'PYTHON'
import sqlite3, sys
database = sqlite3.connect(sys.argv[1])
database.execute("INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) VALUES (999999, 'newer', 1, x'00', 0)")
database.execute("DELETE FROM entries")
database.commit()
PYTHON
exec sleep 600"#;
const ENDS: &str = "exit 1";

#[tokio::test]
async fn a_run_goes_on_in_the_new_program_and_one_that_is_not_ready_leaves_all_as_it_was() {
    let service = Service::start();
    let endpoint = Endpoint::start();
    let ada = service.caller("ada");
    let agent = agent(&ada, &endpoint).await;
    ada.call("/api/agents/send", &json!({ "agent": agent, "text": "script: halves" })).await;
    while endpoint.requests().await.is_empty() {
        a_moment().await;
    }
    let updated = service.update(&service.packed(), "100");
    assert!(updated.status.success(), "{updated:?}");
    let ada = ada.anew();
    serves_its_site(&ada, &agent).await;
    let said = endpoint.with_open_gates(ended(&ada, &agent)).await;
    assert_eq!(said.last().unwrap()["body"]["outcome"]["type"], "completed");

    for body in [SILENT, ENDS, NEWER] {
        let broken = service.broken(body);
        let refused = service.update(&broken, "4");
        let why = String::from_utf8(refused.stderr).unwrap();
        assert!(!refused.status.success() && why.contains("was not kept"), "{why}");
        assert!(why.contains("The old program is in its place again"), "{why}");
        assert_eq!(entries(&ada.anew(), &agent).await, said, "{body}");
        serves_its_site(&ada.anew(), &agent).await;
    }
    for (program, expected) in [
        (service.folder.path().join("nothing"), "No such file"),
        (PathBuf::from("/bin/true"), "is not a Vivarium that runs here"),
    ] {
        let refused = service.update(&program, "4");
        let why = String::from_utf8(refused.stderr).unwrap();
        assert!(!refused.status.success() && why.contains(expected), "{why}");
    }
}

#[test]
fn before_a_hub_is_started_again_its_files_belong_to_the_account_of_its_folder() {
    // Nobody else can give a file away.
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let service = Service::start();
    let data = service.folder.path().join("data");
    let added = run(&data, &[], &["user", "add", "ada", "--password-stdin"], PASSWORD);
    assert!(added.status.success(), "{added:?}");
    chown(data, Some(NOBODY), Some(NOBODY)).unwrap();
    let refused = service.update(&service.broken(NEWER), "4");
    let why = String::from_utf8(refused.stderr).unwrap();
    assert!(why.contains("The old program is in its place again"), "{why}");
    // As they were when the old program was started.
    let owners = fs::read_to_string(service.folder.path().join("owners")).unwrap();
    assert!(!owners.is_empty() && owners.lines().all(|owner| owner == NOBODY.to_string()), "{owners}");
}

/// A hub that commands start and stop, as systemd does.
struct Service {
    folder: TempDir,
    address: String,
}

impl Service {
    fn start() -> Self {
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
        let service = Self { folder: TempDir::new().unwrap(), address };
        fs::copy(PROGRAM, service.program()).unwrap();
        let started = service.command("sh").args(["-c", &service.starting()]).status().unwrap();
        assert!(started.success());
        service
    }

    fn program(&self) -> PathBuf {
        self.folder.path().join("vivarium")
    }

    fn command(&self, program: &str) -> Command {
        let mut command = clean(Path::new(program), &self.folder.path().join("data"));
        command.env("VIVARIUM_ADDR", &self.address).stdin(Stdio::null());
        command
    }

    fn starting(&self) -> String {
        let folder = self.folder.path().display();
        let owners =
            format!("find {folder}/data -maxdepth 1 -type f -printf '%U\\n' 2>/dev/null >{folder}/owners");
        format!("{owners}; {folder}/vivarium serve >>{folder}/log 2>&1 & echo $! >{folder}/pid")
    }

    fn stopping(&self) -> String {
        format!("kill -TERM $(cat {}/pid)", self.folder.path().display())
    }

    fn update(&self, new: &Path, within: &str) -> Output {
        let mut command = self.command(self.program().to_str().unwrap());
        command.arg("update").arg(new).args(["--stop", &self.stopping(), "--start", &self.starting()]);
        // What the started hub keeps open is not waited for.
        let (out, told) = (self.folder.path().join("out"), self.folder.path().join("told"));
        let [out_file, told_file] = [&out, &told].map(|path| fs::File::create(path).unwrap());
        let status = command.args(["--within", within]).stdout(out_file).stderr(told_file).status().unwrap();
        Output { status, stdout: fs::read(out).unwrap(), stderr: fs::read(told).unwrap() }
    }

    /// The program as a package has it, with a site.
    fn packed(&self) -> PathBuf {
        let (site, packed) = (built("one"), self.folder.path().join("packed"));
        let mut pack = Command::new(PROGRAM);
        assert!(pack.arg("pack").arg(&packed).arg("--site").arg(site.path()).status().unwrap().success());
        packed
    }

    /// Another program that knows its version, and then does this.
    fn broken(&self, body: &str) -> PathBuf {
        let path = self.folder.path().join("broken");
        fs::write(&path, format!("#!/bin/sh\n[ \"$1\" = --version ] && exec echo vivarium 9.9.9\n{body}\n"))
            .unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
        path
    }

    fn caller(&self, name: &str) -> Caller {
        let data = self.folder.path().join("data");
        let added = run(&data, &[], &["user", "add", name, "--password-stdin"], PASSWORD);
        assert!(added.status.success(), "{added:?}");
        let token = run(&data, &[], &["token", "create", "--user", name], "").stdout;
        Caller::with_token(
            format!("http://{}", self.address),
            String::from_utf8(token).unwrap().trim().to_owned(),
        )
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = Command::new("sh").args(["-c", &self.stopping()]).status();
    }
}

/// It is the packed one: nothing of a site is beside the other.
async fn serves_its_site(caller: &Caller, agent: &str) {
    for file in loaded(caller, &format!("/agents/{agent}")).await {
        assert_eq!(caller.get(&file).await.status(), 200, "{file}");
    }
}

async fn entries(caller: &Caller, agent: &str) -> Vec<Value> {
    let path = format!("/api/agents/entries?agent={agent}&after=0");
    caller.get(&path).await.json().await.unwrap()
}

async fn ended(caller: &Caller, agent: &str) -> Vec<Value> {
    loop {
        let log = entries(caller, agent).await;
        if log.iter().any(|entry| entry["body"]["type"] == "run_finished") {
            return log;
        }
        a_moment().await;
    }
}
