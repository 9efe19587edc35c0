//! The released program with a data folder of its own.

use crate::process::Process;
use std::env;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

const PASSWORD: &str = "correct horse battery";

pub struct Program {
    pub process: Process,
    /// By address, not by name: `http://127.0.0.1:…`.
    pub url: String,
    pub folder: TempDir,
}

impl Program {
    pub fn start() -> Self {
        Self::start_with(&[])
    }

    /// One with these variables besides.
    pub fn start_with(environment: &[(&str, String)]) -> Self {
        let folder = TempDir::new().unwrap();
        let process = Process::greeted(command(folder.path()).envs(environment.iter().cloned()));
        let url = process.greeting.strip_prefix("Vivarium is at ").expect("it says where it is");
        let url = url.replace("localhost", "127.0.0.1");
        Self { process, url, folder }
    }

    /// Adds a person and gives a personal token of theirs.
    pub fn token(&self, name: &str) -> String {
        token(self.folder.path(), name)
    }

    pub fn address(&self) -> &str {
        self.url.trim_start_matches("http://")
    }
}

pub fn token(folder: &Path, name: &str) -> String {
    token_with(folder, &[], name)
}

/// The same where the program has these variables besides.
pub fn token_with(folder: &Path, environment: &[(&str, String)], name: &str) -> String {
    run(folder, environment, &["user", "add", name, "--password-stdin"], PASSWORD);
    run(folder, environment, &["token", "create", "--user", name], "").trim().to_owned()
}

/// The program on any free port, with nothing of the surroundings.
pub fn command(folder: &Path) -> Command {
    let program = env::var("VIVARIUM_BIN").unwrap_or_else(|_| env!("CARGO_BIN_EXE_vivarium").to_owned());
    let mut command = Command::new(program);
    for name in ["DATABASE_URL", "VIVARIUM_PUBLIC_URL", "VIVARIUM_MASTER_KEY", "RUST_LOG"] {
        command.env_remove(name);
    }
    if env::var("LEPTOS_SITE_ROOT").is_err() {
        command.env("LEPTOS_SITE_ROOT", concat!(env!("CARGO_MANIFEST_DIR"), "/../target/site"));
    }
    command.env("VIVARIUM_DATA_DIR", folder).env("VIVARIUM_ADDR", "127.0.0.1:0");
    command
}

fn run(folder: &Path, environment: &[(&str, String)], arguments: &[&str], input: &str) -> String {
    let mut command = command(folder);
    command.envs(environment.iter().cloned());
    let mut process = command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    process.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = process.wait_with_output().unwrap();
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}
