//! What a line at the top level of a module declares.

use crate::module::{is_of_name, name};

/// The names that `code` begins with a declaration of; none, if it begins with something else.
pub(crate) fn declared(code: &str) -> Result<Vec<String>, String> {
    let function = code.strip_prefix("async ").unwrap_or(code);
    for word in ["function ", "function* ", "class "] {
        if let Some(rest) = function.strip_prefix(word) {
            return Ok(vec![first_name(rest).0.to_owned()]);
        }
    }
    for word in ["const ", "let ", "var "] {
        if let Some(rest) = code.strip_prefix(word) {
            return variables(rest);
        }
    }
    Ok(Vec::new())
}

fn variables(rest: &str) -> Result<Vec<String>, String> {
    if let Some(pattern) = rest.strip_prefix('{') {
        let (inside, _) = pattern.split_once('}').ok_or("no end of this pattern")?;
        let parts = inside.split(',').filter(|part| !part.trim().is_empty());
        return parts.map(|part| name(part.rsplit(':').next().unwrap_or(part))).collect();
    }
    let (found, after) = first_name(rest);
    if found.is_empty() || !(after.starts_with(" = ") || after.starts_with(" =\n") || after.starts_with(';'))
    {
        return Err("a form of declaration that is not known here".to_owned());
    }
    Ok(vec![found.to_owned()])
}

fn first_name(code: &str) -> (&str, &str) {
    code.split_at(code.find(|letter| !is_of_name(letter)).unwrap_or(code.len()))
}
