//! Builds the worker crate to WebAssembly with a cargo of its own, and its JavaScript glue.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};
use wasm_bindgen_cli_support::Bindgen;

const TARGET: &str = "wasm32-unknown-unknown";

/// Set by the cargo around this one, for the host's build. They would change the worker's.
const FOREIGN: &[&str] = &[
    "CARGO_BUILD_TARGET",
    "CARGO_ENCODED_RUSTFLAGS",
    "CARGO_MAKEFLAGS",
    "CARGO_TARGET_DIR",
    "MAKEFLAGS",
    "RUSTC_WRAPPER",
    "RUSTFLAGS",
];
const FOREIGN_PREFIXES: &[&str] = &["CARGO_CFG_", "CARGO_FEATURE_", "CARGO_PROFILE_", "LEPTOS_"];

#[derive(Default)]
pub(crate) struct Built {
    pub(crate) glue: String,
    pub(crate) wasm: Vec<u8>,
}

pub(crate) fn build(out: &Path) -> Result<Built, Box<dyn Error>> {
    let profile = match env::var("PROFILE")?.as_str() {
        "release" => "wasm-release",
        _ => "wasm-dev",
    };
    let target_dir = target_dir(out)?;
    let output = cargo(profile, &target_dir)?.output()?;
    if !output.status.success() {
        return Err(explain(&String::from_utf8_lossy(&output.stderr)).into());
    }
    Bindgen::new()
        .input_path(target_dir.join(TARGET).join(profile).join("worker.wasm"))
        .out_name("glue")
        .no_modules(true)?
        .typescript(false)
        .generate(out)?;
    Ok(Built { glue: fs::read_to_string(out.join("glue.js"))?, wasm: fs::read(out.join("glue_bg.wasm"))? })
}

/// A folder beside the outer build's profiles. The same folder would wait for the outer cargo's
/// lock for ever.
fn target_dir(out: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let outer = out
        .ancestors()
        .find(|folder| folder.ends_with("build"))
        .and_then(|build| build.parent()?.parent())
        .ok_or("OUT_DIR is not inside a target folder")?;
    Ok(outer.join("sandbox-worker"))
}

fn cargo(profile: &str, target_dir: &Path) -> Result<Command, Box<dyn Error>> {
    let mut command = Command::new(env::var_os("CARGO").ok_or("cargo did not name itself")?);
    command
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["build", "--locked", "--package=worker", "--lib"])
        .arg(format!("--target={TARGET}"))
        .arg(format!("--profile={profile}"))
        .arg("--target-dir")
        .arg(target_dir);
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        let is_foreign = FOREIGN.contains(&text.as_ref())
            || FOREIGN_PREFIXES.iter().any(|prefix| text.starts_with(prefix));
        if is_foreign {
            command.env_remove(&name);
        }
    }
    Ok(command)
}

fn explain(stderr: &str) -> String {
    if stderr.contains("can't find crate for `core`") || stderr.contains("can't find crate for `std`") {
        return format!("the target {TARGET} is not installed; run: rustup target add {TARGET}\n\n{stderr}");
    }
    format!("the worker did not build\n\n{stderr}")
}
