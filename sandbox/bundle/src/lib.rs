//! The frame documents and the worker that they run, as the server serves them. Built by
//! `build/main.rs`; nothing happens here at run time.

/// A file as it is, and as most browsers take it.
#[derive(Clone, Copy)]
pub struct Embedded {
    pub plain: &'static [u8],
    pub brotli: &'static [u8],
    pub gzip: &'static [u8],
}

macro_rules! embedded {
    ($name:literal) => {
        Embedded {
            plain: include_bytes!(concat!(env!("OUT_DIR"), "/", $name)),
            brotli: include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".br")),
            gzip: include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".gz")),
        }
    };
}

/// The loop frame's document. Its policy must allow its one inline script by [`LOOP_SCRIPT_SHA256`].
pub const LOOP_HTML: Embedded = embedded!("loop.html");

/// For the policy's `'sha256-…'`.
pub const LOOP_SCRIPT_SHA256: &str = include_str!(concat!(env!("OUT_DIR"), "/loop.sha256"));

/// Runs first in the page of a tool of an MCP server.
pub const APP_SCRIPT: &str = include_str!(concat!(env!("OUT_DIR"), "/app.js"));

/// The skin frame's document: one inline script, and an empty page for the agent to draw on.
pub const SKIN_HTML: Embedded = embedded!("skin.html");

/// The worker's whole classic script, `glue` in the loop frame's `boot` message.
pub const WORKER_JS: Embedded = embedded!("worker.js");

/// `wasm` in the loop frame's `boot` message.
pub const WORKER_WASM: Embedded = embedded!("worker.wasm");

#[cfg(test)]
mod tests {
    use super::*;
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    use flate2::read::GzDecoder;
    use sha2::{Digest, Sha256};
    use std::io::Read;

    #[test]
    fn the_hash_is_that_of_the_loop_frames_one_script() {
        let script = only_script(text(LOOP_HTML));
        assert_eq!(STANDARD.encode(Sha256::digest(script.as_bytes())), LOOP_SCRIPT_SHA256);
    }

    #[test]
    fn the_skin_frames_script_is_one_closure() {
        let script = only_script(text(SKIN_HTML));
        assert!(script.starts_with("(() => {\n'use strict';\n"));
        assert!(script.ends_with("})();\n"));
        assert!(!script.contains("\nimport ") && !script.contains("\nexport "));
    }

    #[test]
    fn the_worker_is_webassembly_and_its_glue_is_a_classic_script() {
        assert!(WORKER_WASM.plain.starts_with(b"\0asm"));
        assert!(text(WORKER_JS).contains("wasm_bindgen"));
        assert!(!text(WORKER_JS).contains("import.meta"));
    }

    #[test]
    fn what_is_compressed_is_the_file_itself() {
        for file in [LOOP_HTML, SKIN_HTML, WORKER_JS, WORKER_WASM] {
            let mut unpacked = Vec::new();
            brotli::Decompressor::new(file.brotli, 4096).read_to_end(&mut unpacked).unwrap();
            assert!(unpacked == file.plain && file.brotli.len() < file.plain.len());
            unpacked.clear();
            GzDecoder::new(file.gzip).read_to_end(&mut unpacked).unwrap();
            assert!(unpacked == file.plain && file.gzip.len() < file.plain.len());
        }
    }

    fn text(file: Embedded) -> &'static str {
        str::from_utf8(file.plain).expect("it was made of text")
    }

    fn only_script(html: &str) -> &str {
        let (before, rest) = html.split_once("<script>").expect("the document has a script");
        let (script, after) = rest.split_once("</script>").expect("the script ends");
        assert!(!before.contains("<script") && !after.contains("<script"));
        script
    }
}
