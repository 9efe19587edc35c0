//! The programs of the machine that look at code and run none of it.

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
pub(super) const BEGINS: &str = "=== begun";
/// The same with the code with which the program ended.
pub(super) const ENDS: &str = "=== ended";

pub(super) const CHECKERS: [Checker; 9] = [
    Checker {
        language: "python",
        endings: &["py", "pyi"],
        programs: &[
            Program {
                name: "python3",
                run: r#"python3 -I -c '
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
            Program {
                name: "ruff",
                // It names what is below the folder it stands in without that folder.
                run: r#"ruff check --quiet --no-cache --output-format concise -- "$@" | sed 's|^\([^/]\)|/agent/\1|'"#,
            },
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
        // Cargo runs programs of what it checks, which is the terminal's to allow.
        programs: &[],
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
    let mut script = String::from("exec 2>&1\nset -o pipefail\n");
    for (checker, paths) in asked.iter().filter(|(_, paths)| !paths.is_empty()) {
        let paths: Vec<String> = paths.iter().map(|path| quoted(path)).collect();
        script += &format!("set -- {}\n", paths.join(" "));
        for Program { name, run } in checker.programs {
            let language = checker.language;
            script += &format!(
                "if command -v {name} >/dev/null; then\nprintf '{BEGINS} {language} {name}\\n'\n{run}\n\
                 printf '{ENDS} {language} {name} %s\\n' $?\nfi\n"
            );
        }
    }
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
