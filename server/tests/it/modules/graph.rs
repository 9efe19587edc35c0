//! The top modules of a crate, and which names which.

mod methods;

use methods::Methods;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

/// The crates whose types meet in one another's code.
const SOURCES: &[&str] = &[
    "app/src",
    "sandbox/agent/src",
    "sandbox/protocol/src",
    "sandbox/shell/src",
    "server/hub/src",
    "server/src",
];

/// The names of their functions.
static NAMES: LazyLock<BTreeMap<&str, BTreeSet<String>>> = LazyLock::new(|| {
    let names = |folder| sources(folder).values().flat_map(|text| methods::names(&code(text))).collect();
    SOURCES.iter().map(|folder| (*folder, names(folder))).collect()
});

#[derive(Clone, Default)]
pub struct Graph {
    modules: BTreeSet<String>,
    /// What the crate's root shows under another path: the name, and the module that has it.
    shown: BTreeMap<String, String>,
    /// What gives a handle of a noun: the method, and the module that has the noun.
    handles: BTreeMap<String, String>,
    /// What gives a noun's own value to others, by reference.
    accessors: BTreeMap<String, String>,
    /// What the root keeps under a name, and the module whose type it is.
    fields: BTreeMap<String, String>,
    methods: Methods,
    /// From module to module, with the files that say so.
    uses: BTreeMap<String, BTreeMap<String, BTreeSet<String>>>,
}

impl Graph {
    /// Of a crate's sources, by their folder within the workspace. Tests in the sources do not count.
    pub fn read(folder: &str) -> Self {
        let files = sources(folder);
        let modules = files.keys().filter_map(|path| top(path)).collect();
        let mut graph = Self { modules, ..Self::default() };
        for root in ["lib.rs", "main.rs"] {
            graph.read_root(files.get(root).map_or("", String::as_str));
        }
        for (_, names) in NAMES.iter().filter(|(other, _)| **other != folder) {
            graph.methods.read_elsewhere(names);
        }
        for (path, text) in &files {
            if let Some(module) = top(path) {
                graph.read_handles(&module, text);
                graph.methods.read(&module, &code(text));
            }
        }
        for (path, text) in &files {
            if let Some(module) = top(path) {
                graph.read_text(&module, path, text);
            }
        }
        graph
    }

    pub fn is_empty(&self) -> bool {
        self.modules.is_empty()
    }

    pub fn modules(&self) -> impl Iterator<Item = &str> {
        self.modules.iter().map(String::as_str)
    }

    /// Which module uses which.
    pub fn edges(&self) -> impl Iterator<Item = (&str, &str)> {
        self.uses.iter().flat_map(|(from, uses)| uses.keys().map(move |to| (from.as_str(), to.as_str())))
    }

    fn read_root(&mut self, text: &str) {
        for statement in code(text).split(';') {
            let Some((_, path)) = statement.split_once("pub use ") else { continue };
            for path in flat(path) {
                let Some((module, rest)) = path.split_once("::") else { continue };
                let name = rest.rsplit("::").next().unwrap_or(rest);
                self.shown.insert(name.to_owned(), module.to_owned());
            }
        }
        let inner = text.split_once("struct Inner {").and_then(|(_, rest)| rest.split_once("\n}"));
        for (field, of) in inner.into_iter().flat_map(|(fields, _)| fields.lines()).filter_map(field) {
            self.fields.insert(field, of);
        }
    }

    /// `fn runs(&self) -> Runs<'_>`, in an `impl Hub`, `Scoped` or `Admin`.
    fn read_handles(&mut self, module: &str, text: &str) {
        let mut of_a_door = false;
        for line in text.lines() {
            if line.starts_with("impl") {
                of_a_door = ["impl Hub {", "impl<'a> Scoped<'a> {", "impl<'a> Admin<'a> {"].contains(&line);
            }
            let line = line.trim();
            // What is private, no other module can call.
            let signature = line.strip_prefix("pub fn ").or_else(|| line.strip_prefix("pub(crate) fn "));
            if of_a_door
                && let Some((name, gives)) = signature.and_then(|rest| rest.split_once("(&self) -> "))
            {
                let doors = if gives.starts_with('&') { &mut self.accessors } else { &mut self.handles };
                doors.insert(name.to_owned(), module.to_owned());
            }
        }
    }

    /// Takes in a file of a module's.
    pub fn read_text(&mut self, module: &str, file: &str, text: &str) {
        let code = code(text);
        for (at, _) in code.match_indices("crate::") {
            if code[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_' || before == ':')
            {
                continue;
            }
            for path in flat(path_at(&code[at + "crate::".len()..])) {
                let first = path.split("::").next().unwrap_or_default().trim();
                let used = self.shown.get(first).map_or(first, String::as_str).to_owned();
                self.note(module, &used, file);
            }
        }
        // A handle is called at once: what is asked of it comes next.
        for (at, _) in code.match_indices("()") {
            let name =
                code[..at].rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default();
            let is_method = code[..at - name.len()].ends_with('.');
            let next = code[at + 2..].trim_start();
            if is_method && let Some(used) = self.accessors.get(name).cloned() {
                self.note(module, &used, file);
            }
            if is_method
                && next.starts_with('.')
                && !next.starts_with(".await")
                && let Some(used) = self.handles.get(name).cloned()
            {
                self.note(module, &used, file);
            }
        }
        for used in self.methods.called(module, &code) {
            self.note(module, &used, file);
        }
        for (at, _) in code.match_indices(".0.") {
            let name = code[at + 3..].split(|c: char| !(c.is_alphanumeric() || c == '_')).next();
            if let Some(used) = name.and_then(|name| self.fields.get(name)).cloned() {
                self.note(module, &used, file);
            }
        }
    }

    fn note(&mut self, module: &str, used: &str, file: &str) {
        if used != module && self.modules.contains(used) {
            let files = self.uses.entry(module.to_owned()).or_default().entry(used.to_owned());
            files.or_default().insert(file.to_owned());
        }
    }

    /// A way along which a module uses itself, in words.
    pub fn circle(&self) -> Option<String> {
        let mut done = BTreeSet::new();
        self.modules.iter().find_map(|module| self.walk(module, &mut Vec::new(), &mut done))
    }

    fn walk<'a>(
        &'a self,
        module: &'a str,
        way: &mut Vec<&'a str>,
        done: &mut BTreeSet<&'a str>,
    ) -> Option<String> {
        if let Some(from) = way.iter().position(|seen| *seen == module) {
            way.push(module);
            return Some(way[from..].windows(2).map(|pair| self.edge(pair[0], pair[1])).collect());
        }
        if !done.insert(module) {
            return None;
        }
        way.push(module);
        let next = self.uses.get(module).into_iter().flat_map(BTreeMap::keys);
        let circle = next.into_iter().find_map(|used| self.walk(used, way, done));
        way.pop();
        circle
    }

    /// In words, with the files that make it.
    pub fn edge(&self, from: &str, to: &str) -> String {
        let files: Vec<_> = self.uses[from][to].iter().map(String::as_str).collect();
        format!("{from} uses {to} ({}); ", files.join(", "))
    }
}

/// The files of a folder, by their paths in it.
fn sources(folder: &str) -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder);
    let mut files = BTreeMap::new();
    collect(&root, &root, &mut files);
    files
}

fn collect(root: &Path, folder: &Path, files: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.file_stem().is_some_and(|name| name == "tests") {
            continue;
        }
        if path.is_dir() {
            collect(root, &path, files);
        } else if path.extension().is_some_and(|kind| kind == "rs") {
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
            files.insert(name, fs::read_to_string(path).unwrap());
        }
    }
}

/// The module that a file belongs to; `None`: the crate's root.
fn top(path: &str) -> Option<String> {
    let first = path.split('/').next().unwrap_or(path).trim_end_matches(".rs");
    (first != "lib" && first != "main").then(|| first.to_owned())
}

/// `live: Arc<live::Live>,` as the field, and the module of its type.
fn field(line: &str) -> Option<(String, String)> {
    let (name, of) = line.trim().split_once(": ")?;
    let (before, _) = of.split_once("::")?;
    let module = before.rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next()?;
    Some((name.to_owned(), module.to_owned()))
}

/// Without comments.
fn code(text: &str) -> String {
    text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// As much of the text as a path goes, its braces included.
fn path_at(text: &str) -> &str {
    let mut open = 0usize;
    let end = text.char_indices().find(|(_, c)| match c {
        '{' => {
            open += 1;
            false
        }
        '}' if open > 0 => {
            open -= 1;
            false
        }
        c if open > 0 => !(c.is_alphanumeric() || "_:, \n*".contains(*c)),
        c => !(c.is_alphanumeric() || *c == '_' || *c == ':'),
    });
    &text[..end.map_or(text.len(), |(at, _)| at)]
}

/// `a::{b, c::{d}}` as `a::b` and `a::c::d`.
fn flat(path: &str) -> Vec<String> {
    let path = path.trim();
    let Some((before, inside)) = path.split_once('{') else { return vec![path.to_owned()] };
    let inside = inside.trim_end().strip_suffix('}').unwrap_or(inside);
    let mut depth = 0usize;
    let parts = inside.split(|c| {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    });
    parts.flat_map(flat).filter(|part| !part.is_empty()).map(|part| format!("{before}{part}")).collect()
}
