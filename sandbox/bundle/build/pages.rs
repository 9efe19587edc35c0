//! Puts each frame document together: one HTML file and one inline script made of several files.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};
use std::error::Error;
use std::fs;
use std::path::Path;

/// Where the script goes in the HTML.
const SLOT: &str = "<script></script>";

const LOOP_SCRIPTS: &[&str] = &["hello.js", "scripts/run.js", "loop.js"];

/// The end of a script's worker, which the loop frame's script holds as a text.
const SCRIPT_WORKER: &str = "scripts/worker.js";

/// In this order, inside one closure.
const SKIN_SCRIPTS: &[&str] = &[
    "hello.js",
    "skin/pristine.js",
    "skin/rtc.js",
    "skin/json.js",
    "skin/messages.js",
    "skin/port.js",
    "skin/describe.js",
    "skin/problems.js",
    "skin/console.js",
    "skin/elements.js",
    "skin/snapshot.js",
    "skin/made.js",
    "skin/scripts.js",
    "skin/listeners.js",
    "skin/navigation.js",
    "skin/typed.js",
    "skin/page.js",
    "skin/dom.js",
    "skin/runjs.js",
    "skin/state.js",
    "skin/wants.js",
    "skin/options.js",
    "skin/pictures.js",
    "skin/sound.js",
    "skin/media.js",
    "skin/speech.js",
    "skin/geolocation.js",
    "skin/services.js",
    "skin/tell.js",
    "skin/flo.js",
    "skin/start.js",
];

pub(crate) struct LoopFrame {
    pub(crate) html: String,
    /// Of the inline script, in Base64, as a policy's `sha256-` source takes it.
    pub(crate) script_sha256: String,
}

pub(crate) fn loop_frame(folder: &Path) -> Result<LoopFrame, Box<dyn Error>> {
    let worker = format!("const WORKER = {};\n", quoted(&read(folder, SCRIPT_WORKER)?));
    let script = closure(folder, LOOP_SCRIPTS, &worker)?;
    Ok(LoopFrame {
        html: fill(folder, "loop.html", &script)?,
        script_sha256: STANDARD.encode(Sha256::digest(script.as_bytes())),
    })
}

pub(crate) fn skin_frame(folder: &Path) -> Result<String, Box<dyn Error>> {
    let script = closure(folder, SKIN_SCRIPTS, "")?;
    fill(folder, "skin.html", &script)
}

fn closure(folder: &Path, files: &[&str], first: &str) -> Result<String, Box<dyn Error>> {
    let mut script = format!("(() => {{\n'use strict';\n{first}");
    for file in files {
        script.push_str(&read(folder, file)?);
    }
    script.push_str("})();\n");
    Ok(script)
}

fn read(folder: &Path, file: &str) -> Result<String, Box<dyn Error>> {
    let text = fs::read_to_string(folder.join(file)).map_err(|error| format!("{file}: {error}"))?;
    if text.contains("</script") || text.contains("<!--") {
        return Err(format!("{file}: this text would end the inline script early").into());
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
