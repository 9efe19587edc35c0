//! In one closure each name is one thing, and what is imported has to be there.

use crate::import::resolved;
use crate::module::Module;
use crate::order::Modules;
use std::collections::HashMap;

pub(crate) fn check(above: &Module, stands_for: &[&str], modules: &Modules) -> Result<(), String> {
    let mut owners = HashMap::new();
    let all = modules.iter().map(|(path, module)| (path.as_str(), module));
    for (path, module) in [("the script above", above)].into_iter().chain(all) {
        for name in &module.names {
            if let Some(other) = owners.insert(name, path) {
                return Err(format!("{other} and {path} both declare {name}"));
            }
        }
    }
    for (path, module) in modules {
        for import in &module.imports {
            let from = resolved(path, &import.from)?;
            let given = match modules.iter().find(|(other, _)| *other == from) {
                Some((_, other)) => &other.exports,
                None if stands_for.contains(&from.as_str()) => &above.names,
                None => return Err(format!("{path} imports {from}, which is not there")),
            };
            if let Some(missing) = import.names.iter().find(|name| !given.contains(name)) {
                return Err(format!("{path} imports {missing}, which {from} does not export"));
            }
        }
    }
    Ok(())
}
