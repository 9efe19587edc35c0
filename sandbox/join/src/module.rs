//! One module: what it takes, gives and declares, and its text without the words for it.

use crate::declaration::declared;
use crate::import::{self, Import};

pub(crate) const UNKNOWN: &str = "a form of import or export that is not known here";

#[derive(Default)]
pub(crate) struct Module {
    pub(crate) imports: Vec<Import>,
    pub(crate) exports: Vec<String>,
    /// At its top level, those of `exports` included.
    pub(crate) names: Vec<String>,
    pub(crate) text: String,
}

pub(crate) fn read(text: &str) -> Result<Module, String> {
    let mut module = Module::default();
    let mut rest = text;
    while !rest.is_empty() {
        let line = rest.split_inclusive('\n').next().unwrap_or(rest);
        let length = module.take(line, rest).map_err(|error| format!("`{}`: {error}", line.trim()))?;
        rest = &rest[length..];
    }
    Ok(module)
}

impl Module {
    /// Takes what `rest` begins with, and says how long that is.
    fn take(&mut self, line: &str, rest: &str) -> Result<usize, String> {
        if let Some(length) = comment(line, rest)? {
            // Types of other modules are for readers of the files.
            if !line.starts_with("/** @import ") {
                self.text.push_str(&rest[..length]);
            }
            return Ok(length);
        }
        if line.starts_with("import ") {
            let end = rest.find(';').ok_or("no end of this import")? + 1;
            self.imports.push(import::read(&rest[..end])?);
            return match rest[end..].strip_prefix('\n') {
                Some(_) => Ok(end + 1),
                None => Err("something follows this import in its line".to_owned()),
            };
        }
        let exported = line.strip_prefix("export ");
        let code = exported.unwrap_or(line);
        if has_word(code, "import") || has_word(code, "export") {
            return Err(UNKNOWN.to_owned());
        }
        let names = declared(&rest[line.len() - code.len()..])?;
        if exported.is_some() {
            if names.is_empty() {
                return Err(UNKNOWN.to_owned());
            }
            self.exports.extend(names.iter().cloned());
        }
        self.names.extend(names);
        self.text.push_str(code);
        Ok(line.len())
    }
}

/// The length of the comment that begins with this line, if nothing else is in its lines.
fn comment(line: &str, rest: &str) -> Result<Option<usize>, String> {
    let start = line.trim_start();
    if start.starts_with("//") {
        return Ok(Some(line.len()));
    }
    if !start.starts_with("/*") {
        return Ok(None);
    }
    let end = rest.find("*/").ok_or("no end of this comment")? + 2;
    let after = rest[end..].split_inclusive('\n').next().unwrap_or_default();
    Ok(after.trim().is_empty().then_some(end + after.len()))
}

fn has_word(code: &str, word: &str) -> bool {
    code.split(|letter: char| !is_of_name(letter)).any(|found| found == word)
}

pub(crate) fn is_of_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || letter == '$'
}

/// The name that a text is, if it is one.
pub(crate) fn name(text: &str) -> Result<String, String> {
    let text = text.trim();
    if text.is_empty() || !text.chars().all(is_of_name) {
        return Err(format!("`{text}` is not just a name"));
    }
    Ok(text.to_owned())
}
