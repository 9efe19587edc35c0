//! Compares examples of the wire types with the files in `golden/`: one file for each wire, one
//! heading for each type, one line for each example. `UPDATE_EXPECT=1` writes the files anew.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::{Debug, Write};
use std::path::PathBuf;
use std::{env, fs};

/// A type and the JSON of its examples.
pub struct Section {
    name: &'static str,
    lines: Vec<String>,
}

/// The section of an enum. A variant that is not listed here does not compile.
macro_rules! every {
    ($type:ident { $($pattern:pat => [$($example:expr),+ $(,)?]),+ $(,)? }) => {{
        let _exhaustive = |value: &$type| match value { $($pattern => {}),+ };
        let mut examples: Vec<$type> = Vec::new();
        $($(
            examples.push($example);
            assert!(matches!(examples.last(), Some($pattern)), "an example stands at another variant");
        )+)+
        crate::golden::section(stringify!($type), &examples)
    }};
}
pub(crate) use every;

/// The section of a type. Every example reads back from its own JSON as the same value.
pub fn section<T>(name: &'static str, examples: &[T]) -> Section
where
    T: Serialize + DeserializeOwned + PartialEq + Debug,
{
    let lines = examples.iter().map(|example| line(name, example)).collect();
    Section { name, lines }
}

fn line<T>(name: &str, example: &T) -> String
where
    T: Serialize + DeserializeOwned + PartialEq + Debug,
{
    let line = serde_json::to_string(example).unwrap();
    let back: T = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{name} {line}: {error}"));
    assert_eq!(&back, example, "{name} {line}");
    line
}

pub fn check(wire: &str, sections: &[Section]) {
    let actual = render(sections);
    if updating() {
        fs::write(path(wire), &actual).unwrap();
        return;
    }
    let expected = read(wire);
    let differences = differences(&expected, &actual);
    assert!(
        differences.is_empty() && expected == actual,
        "{wire} changed on the wire:\n{differences}\nIf it was meant to, raise the version or say why old \
         readers can live with it, and run again with UPDATE_EXPECT=1."
    );
}

pub fn read(wire: &str) -> String {
    fs::read_to_string(path(wire)).unwrap_or_default()
}

/// The golden lines of one type; none while another test is writing them.
pub fn lines_of(wire: &str, name: &str) -> Vec<String> {
    if updating() {
        return Vec::new();
    }
    let heading = format!("# {name}");
    let text = read(wire);
    let lines: Vec<_> = text
        .lines()
        .skip_while(|line| *line != heading)
        .skip(1)
        .take_while(|line| !line.is_empty())
        .map(str::to_owned)
        .collect();
    assert!(!lines.is_empty(), "golden/{wire}.txt has no {name}");
    lines
}

pub fn updating() -> bool {
    env::var_os("UPDATE_EXPECT").is_some_and(|value| value == "1")
}

fn path(wire: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/it/golden/{wire}.txt"))
}

fn render(sections: &[Section]) -> String {
    let blocks: Vec<_> = sections
        .iter()
        .map(|section| format!("# {}\n{}\n", section.name, section.lines.join("\n")))
        .collect();
    blocks.join("\n")
}

/// Lines that only one of the two has.
fn differences(expected: &str, actual: &str) -> String {
    let mut text = String::new();
    for line in expected.lines().filter(|line| !actual.lines().any(|other| other == *line)) {
        writeln!(text, "- {line}").unwrap();
    }
    for line in actual.lines().filter(|line| !expected.lines().any(|other| other == *line)) {
        writeln!(text, "+ {line}").unwrap();
    }
    text
}
