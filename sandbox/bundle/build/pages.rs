//! Puts each frame document together: one HTML file and one inline script made of modules.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use join::Host;
use sha2::{Digest, Sha256};
use std::error::Error;
use std::fs;
use std::path::Path;

/// Where the script goes in the HTML.
const SLOT: &str = "<script></script>";

const LOOP_SCRIPT: &str = "loop.js";
const SKIN_SCRIPT: &str = "skin/start.js";
const APP_SCRIPT: &str = "app/start.js";

/// The end of a script's worker, which the loop frame's script holds as a text.
const SCRIPT_WORKER: &str = "scripts/worker.js";

pub(crate) struct LoopFrame {
    pub(crate) html: String,
    /// Of the inline script, in Base64, as a policy's `sha256-` source takes it.
    pub(crate) script_sha256: String,
}

pub(crate) fn loop_frame(folder: &Path) -> Result<LoopFrame, Box<dyn Error>> {
    let worker = read(folder, SCRIPT_WORKER).map_err(|error| format!("{SCRIPT_WORKER}: {error}"))?;
    let worker = format!("const WORKER = {};\n", quoted(&worker));
    let script = closure(folder, LOOP_SCRIPT, &worker)?;
    Ok(LoopFrame {
        html: fill(folder, "loop.html", &script)?,
        script_sha256: STANDARD.encode(Sha256::digest(script.as_bytes())),
    })
}

pub(crate) fn skin_frame(folder: &Path) -> Result<String, Box<dyn Error>> {
    let script = closure(folder, SKIN_SCRIPT, "")?;
    fill(folder, "skin.html", &script)
}

/// What runs before anything else in the page of a tool of an MCP server.
pub(crate) fn app_script(folder: &Path) -> Result<String, Box<dyn Error>> {
    closure(folder, APP_SCRIPT, "")
}

/// A script and all that it imports, below `first`.
fn closure(folder: &Path, script: &str, first: &str) -> Result<String, Box<dyn Error>> {
    let modules = join::join(&[script], Host::default(), &|path| read(folder, path))?;
    Ok(format!("(() => {{\n'use strict';\n{first}{modules}}})();\n"))
}

fn read(folder: &Path, file: &str) -> Result<String, String> {
    let text = fs::read_to_string(folder.join(file)).map_err(|error| error.to_string())?;
    if text.contains("</script") || text.contains("<!--") {
        return Err("this text would end the inline script early".to_owned());
    }
    Ok(text)
}

/// A text as a JavaScript literal.
fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('`', "\\`").replace("${", "\\${");
    format!("`{escaped}`")
}

fn fill(folder: &Path, file: &str, script: &str) -> Result<String, Box<dyn Error>> {
    let html = fs::read_to_string(folder.join(file))?;
    let Some((before, after)) = html.split_once(SLOT) else {
        return Err(format!("{file}: {SLOT} is missing").into());
    };
    Ok(format!("{before}<script>{script}</script>{after}"))
}
