//! Each module after those that it imports: the order in which a browser would run them.

use crate::Read;
use crate::import::resolved;
use crate::module::{self, Module};

/// With their paths.
pub(crate) type Modules = Vec<(String, Module)>;

pub(crate) fn ordered(entries: &[&str], left_out: &[&str], read: Read<'_>) -> Result<Modules, String> {
    let mut walk = Walk { left_out, read, way: Vec::new(), done: Vec::new() };
    for entry in entries {
        walk.visit(entry)?;
    }
    Ok(walk.done)
}

struct Walk<'a> {
    left_out: &'a [&'a str],
    read: Read<'a>,
    /// From an entry to where it is now.
    way: Vec<String>,
    done: Modules,
}

impl Walk<'_> {
    fn visit(&mut self, path: &str) -> Result<(), String> {
        if self.left_out.contains(&path) || self.done.iter().any(|(done, _)| done == path) {
            return Ok(());
        }
        if let Some(start) = self.way.iter().position(|on_the_way| on_the_way == path) {
            return Err(format!("these import each other: {} → {path}", self.way[start..].join(" → ")));
        }
        let text = (self.read)(path).map_err(|error| match self.way.last() {
            Some(importer) => format!("{importer} imports {path}: {error}"),
            None => format!("{path}: {error}"),
        })?;
        let module = module::read(&text).map_err(|error| format!("{path}: {error}"))?;
        self.way.push(path.to_owned());
        for import in &module.imports {
            self.visit(&resolved(path, &import.from)?)?;
        }
        self.way.pop();
        self.done.push((path.to_owned(), module));
        Ok(())
    }
}
