//! Each published figure says the command that takes it again, and the command is there.

use std::fs;
use std::path::Path;

#[test]
fn every_figure_of_the_table_says_a_command_that_takes_it() {
    let read = |path: &str| fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path));
    let (makefile, figures) = (read("Makefile").unwrap(), read("server/benches/figures/main.rs").unwrap());
    let document = read("docs/benchmarks.md").unwrap();
    let table = document.lines().skip_while(|line| !line.starts_with("| figure |"));
    let rows: Vec<&str> = table.skip(2).take_while(|line| line.starts_with('|')).collect();
    assert!(rows.len() > 20, "only {} were found", rows.len());
    for row in rows {
        let command = row.trim_end_matches([' ', '|']).rsplit(" | ").next().unwrap_or_default();
        let words: Vec<&str> = command.trim_matches('`').split(' ').collect();
        match words.as_slice() {
            ["make", targets @ .., figure] => {
                let figure =
                    figure.strip_prefix("FIGURE=").unwrap_or_else(|| panic!("{row} names no figure"));
                let is_target =
                    |target: &&str| makefile.lines().any(|line| line.starts_with(&format!("{target}:")));
                assert!(!targets.is_empty() && targets.iter().all(is_target), "{command} is no target");
                let is_there = match targets.contains(&"bench-pages") {
                    true => read(&format!("end2end/bench/{figure}.bench.ts")).is_ok(),
                    false => figures.contains(&format!("\"{figure}\" => ")),
                };
                assert!(is_there, "{command} takes nothing");
            }
            ["cargo", "bench" | "test", "-p", package, ..] => {
                let folders =
                    ["sandbox", "server"].map(|folder| read(&format!("{folder}/{package}/Cargo.toml")));
                assert!(folders.iter().any(Result::is_ok), "{command}: there is no {package}");
            }
            _ => panic!("{row} does not say what takes it"),
        }
    }
}
