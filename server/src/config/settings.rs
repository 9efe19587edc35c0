//! Where the value of a variable comes from: the environment, or a file of lines `NAME=value` below it, which
//! is read once. Such a file is also what systemd takes as an `EnvironmentFile`.

use super::NAMES;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::{env, fs, io};

/// Read if it is there and may be read, as the packages put it.
const USUAL: &str = "/etc/vivarium/vivarium.env";
/// Never read from the file: it names the file, or is for a hub elsewhere.
const ENVIRONMENT_ONLY: [&str; 3] = ["VIVARIUM_CONFIG", "VIVARIUM_HUB", "VIVARIUM_TOKEN"];

static FILE: LazyLock<SettingsFile> = LazyLock::new(SettingsFile::open);

#[derive(Debug, Default)]
struct SettingsFile {
    path: PathBuf,
    /// Values by name, with the number of their line.
    values: BTreeMap<String, (usize, String)>,
    problems: Vec<String>,
}

/// Where a value was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    Environment,
    Line(&'static Path, usize),
}

/// The value, unless it is empty.
pub(super) fn read(name: &str) -> Option<String> {
    found(name).map(|(value, _)| value)
}

pub(super) fn found(name: &str) -> Option<(String, Origin)> {
    let is_said = |value: &String| !value.trim().is_empty();
    if let Some(value) = env::var(name).ok().filter(is_said) {
        return Some((value, Origin::Environment));
    }
    let (line, value) = FILE.values.get(name)?;
    is_said(value).then(|| (value.clone(), Origin::Line(&FILE.path, *line)))
}

/// What is wrong with the file.
pub(super) fn problems() -> Vec<String> {
    FILE.problems.clone()
}

impl SettingsFile {
    fn open() -> Self {
        let named = env::var_os("VIVARIUM_CONFIG").filter(|name| !name.is_empty());
        let path = named.as_ref().map_or_else(|| PathBuf::from(USUAL), PathBuf::from);
        match fs::read_to_string(&path) {
            Ok(text) => Self::parse(path, &text),
            // Nobody named it, and it may be there for somebody else.
            Err(error)
                if named.is_none()
                    && matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied) =>
            {
                Self::default()
            }
            Err(error) => {
                let problem = format!("{} cannot be read: {error}.", path.display());
                Self { path, problems: vec![problem], ..Self::default() }
            }
        }
    }

    fn parse(path: PathBuf, text: &str) -> Self {
        let mut file = Self { path, ..Self::default() };
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            if line.is_empty() || line.starts_with(['#', ';']) {
                continue;
            }
            let told = match line.split_once('=') {
                None => Some("it is not NAME=value".to_owned()),
                Some((name, value)) => file.take(number, name.trim_end(), value.trim()),
            };
            if let Some(problem) = told {
                file.problems.push(format!("{} line {number}: {problem}.", file.path.display()));
            }
        }
        file
    }

    /// What is wrong with the line.
    fn take(&mut self, number: usize, name: &str, value: &str) -> Option<String> {
        if ENVIRONMENT_ONLY.contains(&name) {
            return Some(format!("{name} is read from the environment alone"));
        }
        if !NAMES.contains(&name) {
            return Some(format!("there is no setting {name}"));
        }
        let quoted = ['"', '\''].iter().find_map(|mark| value.strip_prefix(*mark)?.strip_suffix(*mark));
        let value = quoted.unwrap_or(value).to_owned();
        let before = self.values.insert(name.to_owned(), (number, value));
        before.map(|(first, _)| format!("{name} stands in line {first} already"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_lines_of_names_and_values_and_all_that_is_wrong_is_told_at_once() {
        let file = SettingsFile::parse(
            "v.env".into(),
            "# a comment\n; another\n\n VIVARIUM_ADDR = 0.0.0.0:3000\nDATABASE_URL=\"postgres://a?b=c\"\n\
             RUST_LOG='a=b'\nVIVARIUM_TLS_KEY=\"half\nVIVARIUM_DATA_DIR=\n",
        );
        let values: Vec<_> =
            file.values.iter().map(|(name, (line, value))| (&**name, *line, &**value)).collect();
        assert_eq!(
            values,
            [
                ("DATABASE_URL", 5, "postgres://a?b=c"),
                ("RUST_LOG", 6, "a=b"),
                ("VIVARIUM_ADDR", 4, "0.0.0.0:3000"),
                ("VIVARIUM_DATA_DIR", 8, ""),
                ("VIVARIUM_TLS_KEY", 7, "\"half"),
            ]
        );
        assert_eq!(file.problems, [""; 0]);
        let wrong = SettingsFile::parse(
            "v.env".into(),
            "VIVARIUM_ADR=1\nVIVARIUM_ADDR=1\nVIVARIUM_ADDR=2\nexport\nVIVARIUM_TOKEN=x\n",
        );
        assert_eq!(
            wrong.problems,
            [
                "v.env line 1: there is no setting VIVARIUM_ADR.",
                "v.env line 3: VIVARIUM_ADDR stands in line 2 already.",
                "v.env line 4: it is not NAME=value.",
                "v.env line 5: VIVARIUM_TOKEN is read from the environment alone.",
            ]
        );
    }
}
