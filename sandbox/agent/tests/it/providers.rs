//! The codecs at their boundary: recorded bytes in, events out; a request in, a body out.

mod encoding;
mod failures;
mod model_lists;
mod reduction;
mod robustness;
mod streams;

use agent::providers::Wire;
use std::path::{Path, PathBuf};

const WIRES: [(Wire, &str); 2] = [(Wire::Anthropic, "anthropic"), (Wire::OpenAiChat, "openai-chat")];

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

/// The files in `folder` that end in `.extension`, by name.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a readable entry").path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no .{extension} in {}", folder.display());
    files
}

/// Compares with the text in `path`, or writes it there when `UPDATE_EXPECT` is set.
fn expect_file(path: &Path, actual: &str) {
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(path, actual).expect("a writable fixture");
    }
    let expected = std::fs::read_to_string(path).unwrap_or_default();
    assert_eq!(actual, expected, "{}", path.display());
}
