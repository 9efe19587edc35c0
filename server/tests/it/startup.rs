//! What the program says when it cannot start, and what it leaves in its folder when it can.

use crate::world::{Program, run};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use tempfile::TempDir;

fn check(environment: &[(&str, &str)], expect: &str) {
    let folder = TempDir::new().unwrap();
    let output = run(folder.path(), environment, &[], "");
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
    check(&[("VIVARIUM_TLS_CERT", "/nowhere.pem")], "VIVARIUM_TLS_KEY");
    check(&[("VIVARIUM_TLS_CERT", "/nowhere.pem"), ("VIVARIUM_TLS_KEY", "/nowhere.key")], "HTTPS files");
}

#[test]
fn the_key_and_the_set_up_link_are_for_their_owner_alone() {
    let program = Program::start();
    for name in ["master.key", "setup-link"] {
        let mode = std::fs::metadata(program.folder.path().join(name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
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
    let output = run(folder.path(), &[("VIVARIUM_ADDR", "nowhere")], &["engine"], &job.to_string());
    let done: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&done["result"]["value"], &done["set"]), (&42.into(), &serde_json::json!({ "a": 1 })));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}
