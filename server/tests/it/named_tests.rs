//! The tests that documents name, as what shows that something holds, are there.

use std::fs;
use std::path::Path;

/// Whose files are tests, or have some.
const FOLDERS: [&str; 3] = ["app/src", "sandbox", "server"];

#[test]
fn every_test_that_a_document_names_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut sources = String::new();
    for folder in FOLDERS {
        read_into(&mut sources, &root.join(folder));
    }
    let mut found = 0;
    for document in ["architecture.md", "reliability.md"] {
        let text = fs::read_to_string(root.join("docs").join(document)).unwrap();
        for test in text.split('`').skip(1).step_by(2).filter(|name| is_sentence(name)) {
            assert!(sources.contains(&format!("fn {test}(")), "{document} names {test}, which is nowhere");
            found += 1;
        }
    }
    assert!(found > 40, "only {found} were found");
}

/// The name of a test is one: what has fewer words names something else.
fn is_sentence(name: &str) -> bool {
    let is_name = name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'));
    is_name && name.matches('_').count() >= 5
}

fn read_into(sources: &mut String, folder: &Path) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let (path, name) = (entry.path(), entry.file_name());
        let is_hidden = name.to_string_lossy().starts_with('.');
        if path.is_dir() && !is_hidden && name != "node_modules" && name != "target" {
            read_into(sources, &path);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            sources.push_str(&fs::read_to_string(path).unwrap());
        }
    }
}
