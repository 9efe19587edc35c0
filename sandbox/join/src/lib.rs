//! Joins JavaScript modules into the text of one closure: each after those that it imports, without
//! the words `import` and `export`. It knows few forms, and what it does not know is an error.
//!
//! It reads lines and no language. What starts a line of a module is at its top level.

mod declaration;
mod import;
mod module;
mod names;
mod order;

#[cfg(test)]
mod tests;

/// Gives the text of a module by its path, which is relative to one folder.
pub type Read<'a> = &'a dyn Fn(&str) -> Result<String, String>;

/// A script above the modules, in place of some of them.
#[derive(Clone, Copy, Default)]
pub struct Host<'a> {
    pub text: &'a str,
    /// Modules that are left out. What is imported from one, the text above declares.
    pub stands_for: &'a [&'a str],
}

/// `entries` and all that they import, each once.
pub fn join(entries: &[&str], host: Host<'_>, read: Read<'_>) -> Result<String, String> {
    let above = module::read(host.text).map_err(|error| format!("the script above: {error}"))?;
    if !above.imports.is_empty() {
        return Err("the script above the modules imports nothing".to_owned());
    }
    let modules = order::ordered(entries, host.stands_for, read)?;
    names::check(&above, host.stands_for, &modules)?;
    Ok(modules.iter().fold(above.text, |text, (_, module)| text + &module.text))
}
