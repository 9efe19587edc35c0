//! The frame documents and the worker that they run, as the server serves them. Built by
//! `build/main.rs`; nothing happens here at run time.

/// The loop frame's document. Its policy must allow its one inline script by [`LOOP_SCRIPT_SHA256`].
pub const LOOP_HTML: &str = include_str!(concat!(env!("OUT_DIR"), "/loop.html"));

/// For the policy's `'sha256-…'`.
pub const LOOP_SCRIPT_SHA256: &str = include_str!(concat!(env!("OUT_DIR"), "/loop.sha256"));

/// The skin frame's document: one inline script, and an empty page for the agent to draw on.
pub const SKIN_HTML: &str = include_str!(concat!(env!("OUT_DIR"), "/skin.html"));

/// The worker's whole classic script, `glue` in the loop frame's `boot` message.
pub const WORKER_JS: &str = include_str!(concat!(env!("OUT_DIR"), "/worker.js"));

/// `wasm` in the loop frame's `boot` message.
pub const WORKER_WASM: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/worker.wasm"));

#[cfg(test)]
mod tests {
    use super::*;
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    use sha2::{Digest, Sha256};

    #[test]
    fn the_hash_is_that_of_the_loop_frames_one_script() {
        let script = only_script(LOOP_HTML);
        assert_eq!(STANDARD.encode(Sha256::digest(script.as_bytes())), LOOP_SCRIPT_SHA256);
    }

    #[test]
    fn the_skin_frames_script_is_one_closure() {
        let script = only_script(SKIN_HTML);
        assert!(script.starts_with("(() => {\n'use strict';\n"));
        assert!(script.ends_with("})();\n"));
    }

    #[test]
    fn the_worker_is_webassembly_and_its_glue_is_a_classic_script() {
        assert!(WORKER_WASM.starts_with(b"\0asm"));
        assert!(WORKER_JS.contains("wasm_bindgen"));
        assert!(!WORKER_JS.contains("import.meta"));
    }

    fn only_script(html: &str) -> &str {
        let (before, rest) = html.split_once("<script>").expect("the document has a script");
        let (script, after) = rest.split_once("</script>").expect("the script ends");
        assert!(!before.contains("<script") && !after.contains("<script"));
        script
    }
}
