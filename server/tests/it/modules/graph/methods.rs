//! Which module says what a method does: a method needs no import, wherever its type was made.

use std::collections::{BTreeMap, BTreeSet};

/// Names that types of the standard library and of crates from elsewhere have too.
const OF_OTHERS: &str = "
    abort and_then as_deref as_mut as_ref as_str bytes cancel chars clear clone close cmp contains entry
    eq extend filter find first flush get get_untracked insert into_any into_iter into_view is_empty
    is_err is_none is_ok is_some iter keys last len lines lock map max min next ok parse pop push read
    recv remove replace retain send set split take to_owned to_string trim unwrap_or unwrap_or_default
    update values with write
";

#[derive(Clone, Default)]
pub struct Methods {
    /// By type and name: the modules that have such a method for others.
    of_types: BTreeMap<(String, String), BTreeSet<String>>,
    /// The modules that define a type of this name.
    types: BTreeMap<String, BTreeSet<String>>,
    /// By name: the modules that have a function of that name, whoever may call it.
    named: BTreeMap<String, BTreeSet<String>>,
    /// Functions of the other crates here.
    elsewhere: BTreeSet<String>,
    /// By name: the modules that have such a method for others, of whatever type.
    open: BTreeMap<String, BTreeSet<String>>,
}

impl Methods {
    /// Takes in what a file defines.
    pub fn read(&mut self, module: &str, code: &str) {
        for line in code.lines() {
            let mut words = line.split_whitespace().skip_while(|word| word.starts_with("pub"));
            if let (Some("enum" | "struct" | "trait" | "type" | "union"), Some(name)) =
                (words.next(), words.next())
            {
                self.types.entry(first_word(name).to_owned()).or_default().insert(module.to_owned());
            }
        }
        for (of, block) in blocks(code) {
            for line in block.lines() {
                let Some((before, signature)) = line.split_once("fn ") else { continue };
                let name = first_word(signature);
                if name.is_empty() || !before.split_whitespace().all(is_before_a_function) {
                    continue;
                }
                self.named.entry(name.to_owned()).or_default().insert(module.to_owned());
                let is_open = before.contains("pub ") || before.contains("pub(crate) ");
                if let (Some(of), true) = (of, is_open) {
                    let key = (of.to_owned(), name.to_owned());
                    self.of_types.entry(key).or_default().insert(module.to_owned());
                    self.open.entry(name.to_owned()).or_default().insert(module.to_owned());
                }
            }
        }
    }

    /// Takes in the names of another crate, which are none of this one's.
    pub fn read_elsewhere(&mut self, names: &BTreeSet<String>) {
        self.elsewhere.extend(names.iter().cloned());
    }

    /// The modules whose methods a file of this module calls.
    pub fn called(&self, module: &str, code: &str) -> BTreeSet<String> {
        let mut called = BTreeSet::new();
        for (of, block) in blocks(code) {
            for (at, _) in block.match_indices('(') {
                let name = last_word(&block[..at]);
                if !self.open.contains_key(name) {
                    continue;
                }
                let before = &block[..at - name.len()];
                let one = if let Some(before) = before.strip_suffix("::") {
                    self.of(last_word(before), name)
                } else if let Some(before) = before.strip_suffix('.') {
                    let receiver = last_word(before.trim_end());
                    match receiver {
                        "self" => of.and_then(|of| self.of(of, name)).or_else(|| self.only(name)),
                        receiver => self
                            .of(&as_type(receiver), name)
                            .or_else(|| self.only(name))
                            .filter(|_| !is_of_others(name) && !self.is_own(module, name)),
                    }
                } else {
                    None
                };
                called.extend(one.cloned());
            }
        }
        called
    }

    fn is_own(&self, module: &str, name: &str) -> bool {
        self.named.get(name).is_some_and(|modules| modules.contains(module))
    }

    /// Where several modules have a type of this name, nobody can tell which it is.
    fn of(&self, of: &str, name: &str) -> Option<&String> {
        if self.types.get(of).is_some_and(|modules| modules.len() > 1) {
            return None;
        }
        self.of_types.get(&(of.to_owned(), name.to_owned())).and_then(sole)
    }

    /// The module that alone has a function of this name: whoever has such a method, it is that one. A name of one
    /// word may be one of the standard library's.
    fn only(&self, name: &str) -> Option<&String> {
        let module = sole(self.named.get(name)?).and_then(|_| sole(self.open.get(name)?))?;
        let is_ours = name.contains('_') && !is_of_others(name) && !self.elsewhere.contains(name);
        is_ours.then_some(module)
    }
}

/// The functions that a file defines.
pub fn names(code: &str) -> Vec<String> {
    let names = code.split("fn ").skip(1).map(first_word).filter(|name| !name.is_empty());
    names.map(str::to_owned).collect()
}

fn is_of_others(name: &str) -> bool {
    OF_OTHERS.split_whitespace().any(|other| other == name)
}

fn sole(modules: &BTreeSet<String>) -> Option<&String> {
    modules.first().filter(|_| modules.len() == 1)
}

/// The text by its `impl` blocks, each with its type if it is one of the type's own.
fn blocks(code: &str) -> Vec<(Option<&str>, &str)> {
    let mut starts: Vec<usize> = code.match_indices("\nimpl").map(|(at, _)| at + 1).collect();
    starts.insert(0, 0);
    let ends = starts.iter().skip(1).copied().chain([code.len()]);
    let parts = starts.iter().zip(ends).map(|(from, to)| &code[*from..to]);
    parts
        .flat_map(|part| match part.split_once("\n}") {
            Some((block, rest)) if part.starts_with("impl") => vec![(inherent(block), block), (None, rest)],
            _ => vec![(None, part)],
        })
        .collect()
}

/// `impl<'a> Scoped<'a> {` as `Scoped`; of a trait for a type, nothing.
fn inherent(block: &str) -> Option<&str> {
    let head = block.split_once('{').map_or(block, |(head, _)| head).strip_prefix("impl")?;
    if head.contains(" for ") {
        return None;
    }
    let of = match head.strip_prefix('<') {
        Some(rest) => rest.split_once("> ")?.1,
        None => head,
    };
    Some(first_word(of.trim()))
}

fn is_before_a_function(word: &str) -> bool {
    ["async", "const", "extern", "pub", "pub(crate)", "pub(super)", "unsafe"].contains(&word)
}

/// `appending` as `Appending`, `tab_link` as `TabLink`.
fn as_type(name: &str) -> String {
    let of_word = |word: &str| {
        let mut chars = word.chars();
        chars.next().into_iter().flat_map(char::to_uppercase).chain(chars).collect::<String>()
    };
    name.split('_').map(of_word).collect()
}

fn first_word(text: &str) -> &str {
    &text[..text.find(|c: char| !is_of_a_word(c)).unwrap_or(text.len())]
}

fn last_word(text: &str) -> &str {
    text.rsplit(|c: char| !is_of_a_word(c)).next().unwrap_or_default()
}

fn is_of_a_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
