//! The migrations as a list in Rust. The macro of SQLx makes the same, and has SQLx with both databases compiled for the
//! compiler as well.

use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::Path;

const FOLDER: &str = "../../migrations";

/// Elements of an array: number, name with spaces, text.
pub fn list() -> Result<String, Box<dyn Error>> {
    println!("cargo::rerun-if-changed={FOLDER}");
    let mut paths: Vec<_> =
        fs::read_dir(FOLDER)?.map(|entry| Ok(entry?.path())).collect::<Result<_, std::io::Error>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "sql"));
    paths.sort();
    let mut list = String::from("[\n");
    for path in paths {
        let (number, name) =
            numbered(&path).ok_or_else(|| format!("{}: no name of a migration", path.display()))?;
        writeln!(list, "({number}, {name:?}, include_str!({:?})),", path.canonicalize()?)?;
    }
    list.push(']');
    Ok(list)
}

fn numbered(path: &Path) -> Option<(i64, String)> {
    let (number, name) = path.file_stem()?.to_str()?.split_once('_')?;
    Some((number.parse().ok()?, name.replace('_', " ")))
}
