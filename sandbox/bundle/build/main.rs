//! Builds what the frames are served: the two documents (`pages`) and the worker (`worker`), as
//! files in `OUT_DIR` that the library embeds, each also compressed (`squeeze`).

mod pages;
mod squeeze;
mod worker;

use squeeze::Effort;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

const INPUTS: &[&str] = &[
    "build",
    "../agent/Cargo.toml",
    "../agent/prompt",
    "../agent/src",
    "../page",
    "../protocol/Cargo.toml",
    "../protocol/src",
    "../worker/Cargo.toml",
    "../worker/src",
    "../../Cargo.lock",
    "../../Cargo.toml",
];

fn main() -> Result<(), Box<dyn Error>> {
    for input in INPUTS {
        println!("cargo::rerun-if-changed={input}");
    }
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../page");
    let effort = match env::var("PROFILE")?.as_str() {
        "release" => Effort::Most,
        _ => Effort::Least,
    };

    let loop_frame = pages::loop_frame(&page)?;
    squeeze::write(&out, "loop.html", loop_frame.html.as_bytes(), effort)?;
    fs::write(out.join("loop.sha256"), loop_frame.script_sha256)?;
    fs::write(out.join("app.js"), pages::app_script(&page)?)?;
    squeeze::write(&out, "skin.html", pages::skin_frame(&page)?.as_bytes(), effort)?;

    let built = if is_clippy() { worker::Built::default() } else { worker::build(&out)? };
    let shim = fs::read_to_string(page.join("shim.js"))?;
    squeeze::write(&out, "worker.js", (built.glue + &shim).as_bytes(), effort)?;
    squeeze::write(&out, "worker.wasm", &built.wasm, effort)?;
    Ok(())
}

/// `cargo clippy` reads no embedded file and has an `OUT_DIR` of its own, so it need not wait for the worker.
fn is_clippy() -> bool {
    env::var_os("RUSTC_WORKSPACE_WRAPPER")
        .is_some_and(|wrapper| Path::new(&wrapper).file_stem() == Some("clippy-driver".as_ref()))
}
