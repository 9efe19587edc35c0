//! In which language a file is written, by the end of its name and in the words of what colours code.

/// None: its name does not say.
pub(super) fn language(path: &str) -> Option<&'static str> {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    if name == "makefile" {
        return Some("makefile");
    }
    let (_, ending) = name.rsplit_once('.')?;
    Some(match ending {
        "rs" => "rust",
        "js" | "mjs" | "cjs" | "jsx" => "javascript",
        "ts" | "tsx" => "typescript",
        "py" => "python",
        "rb" => "ruby",
        "sh" | "bash" | "zsh" => "bash",
        "c" | "h" => "c",
        "cc" | "cpp" | "hpp" => "cpp",
        "cs" => "csharp",
        "java" => "java",
        "kt" => "kotlin",
        "go" => "go",
        "swift" => "swift",
        "php" => "php",
        "lua" => "lua",
        "pl" => "perl",
        "r" => "r",
        "sql" => "sql",
        "json" | "jsonl" => "json",
        "yaml" | "yml" => "yaml",
        "toml" | "ini" | "conf" => "ini",
        "css" => "css",
        "scss" => "scss",
        "less" => "less",
        "html" | "htm" | "xml" | "svg" | "srcdoc" => "xml",
        "diff" | "patch" => "diff",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::language;

    #[test]
    fn a_language_is_known_by_the_end_of_a_name() {
        for (path, expected) in [
            ("src/main.rs", Some("rust")),
            ("A.PY", Some("python")),
            ("deep/Makefile", Some("makefile")),
            ("a.rs/notes", None),
            ("a.txt", None),
            ("a", None),
        ] {
            assert_eq!(language(path), expected, "{path}");
        }
    }
}
