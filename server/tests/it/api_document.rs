//! `docs/api.md` lists every server function, and its section "From a shell" works as it is written.

use crate::world::Program;
use leptos::server_fn::axum::server_fn_paths;
use std::process::Command;

const DOCUMENT: &str = include_str!("../../../docs/api.md");

#[test]
fn every_server_function_is_listed_and_no_other() {
    // The functions register themselves when the crate is linked.
    let _ = app::status_of;
    let mut registered: Vec<_> = server_fn_paths().map(|(path, method)| format!("{method} {path}")).collect();
    registered.sort();
    let mut listed: Vec<_> = DOCUMENT
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split('`').next())
        .filter(|name| name.contains(" /api/") && !name.contains("{"))
        .map(str::to_owned)
        .collect();
    listed.sort();
    assert_eq!(listed, registered);
}

#[test]
fn the_section_from_a_shell_works_as_written() {
    let section = DOCUMENT.split("## From a shell").nth(1).expect("the section is there");
    let section = section.split("\n## ").next().unwrap();
    let script: String =
        section.split("```sh\n").skip(1).filter_map(|block| block.split("```").next()).collect();
    let program = Program::start();
    let endpoint = crate::world::Endpoint::start();
    let binary = std::path::Path::new(env!("CARGO_BIN_EXE_vivarium")).parent().unwrap();
    let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap());
    let output = Command::new("bash")
        .args(["-euo", "pipefail", "-c", &script])
        .env("PATH", path)
        .env("HUB", &program.url)
        .env("VIVARIUM_DATA_DIR", program.folder.path())
        .env("MODEL_URL", &endpoint.url)
        .env("MODEL_KEY", "key-good")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.trim_end().ends_with("You said: Hello from a shell"), "{said}");
}
