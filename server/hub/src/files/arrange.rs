//! Where files and folders that are chosen together come to be. A folder is named with a `/` at its end, and is there
//! as long as something is below it, or it is kept with nothing in it.

use super::FilePath;
use crate::error::{Error, Result};
use std::collections::{BTreeMap, BTreeSet};

/// Files and folders that somebody chooses at once.
const MOST_CHOSEN: usize = 1_000;

/// From which path a file comes, and to which it goes.
pub(super) type Way = (FilePath, FilePath);

/// Every file that is chosen, by itself or with a folder, once: under the outermost of what was chosen. `empty` are the
/// folders that are kept with nothing in them.
///
/// # Errors
///
/// If one of them is not there, or nothing is chosen, or too much.
pub(super) fn chosen<'a>(
    there: &BTreeSet<String>,
    empty: &BTreeSet<String>,
    names: &'a [String],
) -> Result<BTreeMap<&'a str, Vec<String>>> {
    if names.is_empty() {
        return Err(Error::invalid("Choose some files first."));
    }
    if names.len() > MOST_CHOSEN {
        return Err(Error::Limit(
            "Choose 1,000 files or folders at most, or a folder that has them.".to_owned(),
        ));
    }
    let mut found = BTreeMap::new();
    for name in names {
        let is_inside =
            |other: &String| other.ends_with('/') && other != name && name.starts_with(other.as_str());
        if names.iter().any(is_inside) {
            continue;
        }
        let files: Vec<String> = match name.ends_with('/') {
            true => below(there, name).cloned().collect(),
            false => there.get(name).cloned().into_iter().collect(),
        };
        if files.is_empty() && !(name.ends_with('/') && below(empty, name).next().is_some()) {
            let what = name.trim_end_matches('/');
            return Err(Error::Conflict(format!(
                "There is no {what} any more. Somebody moved or deleted it meanwhile."
            )));
        }
        found.insert(name.as_str(), files);
    }
    Ok(found)
}

/// The ways of what is chosen into the folder `into`, which is empty for beside all folders: under the last part of
/// its path, or if it is one thing alone, under `name`. What `stays` is what is there besides.
///
/// # Errors
///
/// If something is at the end of a way already, a folder would come into itself, or a path would be none.
pub(super) fn ways(
    chosen: &BTreeMap<&str, Vec<String>>,
    stays: &BTreeSet<String>,
    into: &str,
    name: Option<&str>,
) -> Result<Vec<Way>> {
    if name.is_some() && chosen.len() != 1 {
        return Err(Error::invalid("Only one file or folder at a time can be given a name."));
    }
    if name.is_some_and(|name| name.contains('/')) {
        return Err(Error::invalid("A name has no slash in it. Move it to bring it into another folder."));
    }
    let (mut ways, mut taken) = (Vec::new(), BTreeSet::new());
    for (from, files) in chosen {
        let whole = from.trim_end_matches('/');
        let to = end(from, into, name)?;
        if from.ends_with('/') && format!("{to}/").starts_with(from) && to != whole {
            return Err(Error::invalid(format!("{whole} cannot come into itself. Choose another folder.")));
        }
        free(stays, &to)?;
        if !taken.insert(to.clone()) {
            return Err(Error::Conflict(format!("Two of these would be {to}. Move one after the other.")));
        }
        for file in files {
            let path = format!("{to}{}", &file[whole.len()..]);
            ways.push((FilePath::check(file)?, FilePath::check(&path)?));
        }
    }
    Ok(ways)
}

/// Where a file or a folder that is chosen comes to be, as what is there is spelled.
pub(super) fn end(from: &str, into: &str, name: Option<&str>) -> Result<String> {
    let whole = from.trim_end_matches('/');
    let own = name.unwrap_or_else(|| whole.rsplit('/').next().unwrap_or(whole));
    let to = if into.is_empty() { own.to_owned() } else { format!("{into}/{own}") };
    Ok(FilePath::check(&to)?.to_string())
}

/// Fails if there is a file or a folder at the path, or a file where a folder of it would be.
fn free(there: &BTreeSet<String>, path: &str) -> Result<()> {
    if there.contains(path) {
        return Err(Error::Conflict(format!(
            "There is a file {path} already. Choose another name or folder."
        )));
    }
    if below(there, &format!("{path}/")).next().is_some() {
        return Err(Error::Conflict(format!(
            "There is a folder {path} already. Choose another name or folder."
        )));
    }
    let above = path.match_indices('/').map(|(at, _)| &path[..at]).find(|above| there.contains(*above));
    match above {
        Some(file) => Err(Error::Conflict(format!("{file} is a file, and nothing can be in it."))),
        None => Ok(()),
    }
}

fn below<'a>(there: &'a BTreeSet<String>, folder: &'a str) -> impl Iterator<Item = &'a String> {
    there.range(folder.to_owned()..).take_while(move |path| path.starts_with(folder))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn set(paths: &[&str]) -> BTreeSet<String> {
        paths.iter().map(|path| (*path).to_owned()).collect()
    }

    fn told(there: &[&str], names: &[&str], into: &str, name: Option<&str>) -> String {
        let there = set(there);
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let told = chosen(&there, &set(&["kept/", "kept/in/"]), &names).and_then(|chosen| {
            let leave: BTreeSet<&String> = chosen.values().flatten().collect();
            let stays = there.iter().filter(|path| !leave.contains(path)).cloned().collect();
            ways(&chosen, &stays, into, name)
        });
        match told {
            Ok(ways) => ways.iter().map(|(from, to)| format!("{from}>{to}")).collect::<Vec<_>>().join(" "),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn what_is_chosen_keeps_its_name_and_comes_where_nothing_is() {
        let there = ["a", "b/c", "b/d/e", "bc", "f/c"];
        for (names, into, name, expected) in [
            (vec!["a"], "f", None, "a>f/a"),
            (vec!["b/"], "f", None, "b/c>f/b/c b/d/e>f/b/d/e"),
            (vec!["b/d/"], "", None, "b/d/e>d/e"),
            (vec!["b/", "b/c"], "f", None, "b/c>f/b/c b/d/e>f/b/d/e"),
            (vec!["b/"], "", Some("moss"), "b/c>moss/c b/d/e>moss/d/e"),
            (vec!["b/c"], "b", Some("moss"), "b/c>b/moss"),
            (vec!["a"], "new/deep", None, "a>new/deep/a"),
        ] {
            assert_eq!(told(&there, &names, into, name), expected, "{names:?}");
        }
        for (names, into, name, why) in [
            (vec![], "", None, "Choose some files"),
            (vec!["x"], "", None, "There is no x any more"),
            (vec!["x/"], "", None, "There is no x any more"),
            (vec!["b/c"], "f", None, "There is a file f/c already"),
            (vec!["a"], "", Some("b"), "There is a folder b already"),
            (vec!["b/d/"], "", Some("f"), "There is a folder f already"),
            (vec!["a"], "bc", None, "bc is a file"),
            (vec!["b/"], "b/d", None, "cannot come into itself"),
            (vec!["b/c", "f/c"], "", None, "Two of these would be c"),
            (vec!["a", "bc"], "", Some("x"), "Only one file"),
            (vec!["a"], "", Some("x/y"), "no slash"),
            (vec!["a"], "..", None, "leads up"),
        ] {
            let told = told(&there, &names, into, name);
            assert!(told.contains(why), "{names:?} into {into}: {told}");
        }
    }

    #[test]
    fn another_spelling_of_what_is_there_is_the_same() {
        let there = ["a", "caf\u{e9}", "\u{e9}/a"];
        for (into, name, why) in [
            ("", Some("cafe\u{301}"), "There is a file caf\u{e9} already"),
            ("e\u{301}", None, "There is a file \u{e9}/a already"),
        ] {
            let told = told(&there, &["a"], into, name);
            assert!(told.contains(why), "{told}");
        }
    }

    proptest! {
        #[test]
        fn no_way_ends_where_something_is_or_another_ends(
            there in prop::collection::btree_set("[ab](/[ab]){0,2}", 1..8),
            names in prop::collection::vec("[ab](/[ab]){0,1}/?", 1..4),
            into in "([ab](/[ab])?)?",
        ) {
            let Ok(chosen) = chosen(&there, &BTreeSet::new(), &names) else { return Ok(()) };
            let leave: BTreeSet<&String> = chosen.values().flatten().collect();
            let stays: BTreeSet<String> = there.iter().filter(|path| !leave.contains(path)).cloned().collect();
            let Ok(ways) = ways(&chosen, &stays, &into, None) else { return Ok(()) };
            let ends: BTreeSet<&str> = ways.iter().map(|(_, to)| to.as_str()).collect();
            prop_assert_eq!(ends.len(), leave.len());
            prop_assert!(ends.iter().all(|end| !stays.contains(*end)));
        }
    }
}
