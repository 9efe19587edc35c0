//! The programs of the machine that look at code and run none of it, as far as there are such.

/// What checks one language.
pub(super) struct Checker {
    pub(super) language: &'static str,
    /// Of its files.
    pub(super) endings: &'static [&'static str],
    /// Each that is there is asked.
    pub(super) programs: &'static [Program],
}

pub(super) struct Program {
    pub(super) name: &'static str,
    /// For bash, with the files as its arguments.
    run: &'static str,
}

/// Stands before the name of a language and of a program in a line that is ours.
pub(super) const BEGINS: &str = "=== checked";

pub(super) const CHECKERS: [Checker; 9] = [
    Checker {
        language: "python",
        endings: &["py", "pyi"],
        programs: &[
            Program {
                name: "python3",
                run: r#"python3 -c '
import ast, sys, warnings
warnings.simplefilter("ignore")
for path in sys.argv[1:]:
    try:
        ast.parse(open(path, "rb").read(), path)
    except SyntaxError as error:
        print(f"{path}:{error.lineno or 1}:{error.offset or 1}: error: {error.msg}")
    except Exception as error:
        print(f"{path}:1:1: error: {error}")
' "$@""#,
            },
            Program { name: "ruff", run: r#"ruff check --quiet --no-cache --output-format concise -- "$@""# },
        ],
    },
    Checker {
        language: "javascript",
        endings: &["js", "mjs", "cjs"],
        programs: &[Program {
            name: "node",
            // Whatever it is called, a module is checked only as one.
            run: r#"for file in "$@"; do
    as=$file
    case $file in
        *.js) grep -qE '^[[:space:]]*(import[[:space:]{*"]|export[[:space:]{*])' "$file" && as=/tmp/module.mjs && cp "$file" $as ;;
    esac
    said=$(node --check "$as" 2>&1) || printf '%s\n' "${said//$as/$file}"
done"#,
        }],
    },
    Checker {
        language: "typescript",
        endings: &["ts", "tsx", "mts", "cts"],
        programs: &[Program { name: "tsc", run: r#"tsc --noEmit --pretty false --skipLibCheck "$@""# }],
    },
    Checker {
        language: "shell",
        endings: &["sh", "bash"],
        programs: &[
            Program { name: "bash", run: r#"for file in "$@"; do bash -n -- "$file"; done"# },
            Program { name: "shellcheck", run: r#"shellcheck -f gcc -- "$@""# },
        ],
    },
    Checker { language: "c", endings: &["c"], programs: &[Program { name: "gcc", run: GCC }] },
    Checker {
        language: "c++",
        endings: &["cc", "cpp", "cxx"],
        programs: &[Program {
            name: "g++",
            run: r#"g++ -fsyntax-only -Wall -fno-diagnostics-show-caret -fdiagnostics-color=never "$@""#,
        }],
    },
    Checker {
        language: "go",
        endings: &["go"],
        programs: &[Program { name: "gofmt", run: r#"gofmt -e -l "$@" >/dev/null"# }],
    },
    Checker {
        language: "rust",
        endings: &["rs"],
        programs: &[Program {
            name: "cargo",
            run: r#"for file in "$@"; do
    folder=$(dirname "$file")
    until [ -e "$folder/Cargo.toml" ] || [ "$folder" = / ]; do folder=$(dirname "$folder"); done
    [ "$folder" = / ] || printf '%s\n' "$folder"
done | sort -u | while IFS= read -r folder; do
    (cd "$folder" && CARGO_TARGET_DIR=/tmp/target cargo check --offline --quiet --message-format short 2>&1) |
        while IFS= read -r line; do printf '%s/%s\n' "$folder" "$line"; done
done"#,
        }],
    },
    Checker {
        language: "php",
        endings: &["php"],
        programs: &[Program { name: "php", run: r#"for file in "$@"; do php -n -l -- "$file"; done"# }],
    },
];

const GCC: &str = r#"gcc -fsyntax-only -Wall -fno-diagnostics-show-caret -fdiagnostics-color=never "$@""#;

/// What bash is to run to have all of it checked.
pub(super) fn script(asked: &[(&'static Checker, Vec<String>)]) -> String {
    let mut script = String::from("exec 2>&1\n");
    for (checker, paths) in asked.iter().filter(|(_, paths)| !paths.is_empty()) {
        let paths: Vec<String> = paths.iter().map(|path| quoted(path)).collect();
        script += &format!("set -- {}\n", paths.join(" "));
        for Program { name, run } in checker.programs {
            let language = checker.language;
            script += &format!(
                "if command -v {name} >/dev/null; then\nprintf '{BEGINS} {language} {name}\\n'\n{run}\nfi\n"
            );
        }
    }
    // What a checker says with its code is in its lines.
    script + "exit 0\n"
}

fn quoted(path: &str) -> String {
    format!("'{}'", path.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_one_word_whatever_is_in_it() {
        assert_eq!(quoted("/agent/a b$(c).py"), "'/agent/a b$(c).py'");
        assert_eq!(quoted("/agent/it's"), r"'/agent/it'\''s'");
    }

    #[test]
    fn every_ending_is_of_one_language() {
        let mut all: Vec<&str> = CHECKERS.iter().flat_map(|checker| checker.endings).copied().collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }
}
