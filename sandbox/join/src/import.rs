//! `import './x.js';` and `import { a, b } from './x.js';`, and no other form.

use crate::module::{UNKNOWN, name};

pub(crate) struct Import {
    /// As it is written.
    pub(crate) from: String,
    pub(crate) names: Vec<String>,
}

/// Reads one from its first word to its semicolon.
pub(crate) fn read(statement: &str) -> Result<Import, String> {
    parts(statement).ok_or(UNKNOWN.to_owned()).and_then(|(names, from)| {
        let names = names.split(',').filter(|part| !part.trim().is_empty()).map(name);
        Ok(Import { from: from.to_owned(), names: names.collect::<Result<_, _>>()? })
    })
}

fn parts(statement: &str) -> Option<(&str, &str)> {
    let rest = statement.strip_prefix("import ")?.strip_suffix(';')?;
    let (names, quoted) = match rest.strip_prefix('{') {
        None => ("", rest),
        Some(braced) => braced.split_once("} from ")?,
    };
    let from = quoted.strip_prefix('\'')?.strip_suffix('\'')?;
    (!from.contains('\'')).then_some((names, from))
}

/// The path of what a module imports, from the module's own.
pub(crate) fn resolved(module: &str, from: &str) -> Result<String, String> {
    if !(from.starts_with("./") || from.starts_with("../")) || !from.ends_with(".js") {
        return Err(format!("{module} imports {from}, which is not the path of a script here"));
    }
    let mut path: Vec<_> = module.split('/').collect();
    path.pop();
    for step in from.split('/') {
        match step {
            "." => {}
            ".." if path.pop().is_none() => {
                return Err(format!("{module} imports {from}, which is outside of the folder"));
            }
            ".." => {}
            step => path.push(step),
        }
    }
    Ok(path.join("/"))
}
