//! The statements of the hub, read off its source: what stands in the first argument of `query`, as a literal, a
//! constant, or an array of them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, ExprCall, ExprLit, File, ItemConst, ItemMod, Lit};

pub struct Source {
    pub statements: Vec<Statement>,
    /// Where one is made at run time, by file.
    pub unread: Vec<String>,
}

#[derive(Debug)]
pub struct Statement {
    /// Below the source of the hub.
    pub file: String,
    pub text: String,
}

/// Texts by name, in each file.
type Constants = BTreeMap<String, BTreeMap<String, String>>;

impl Source {
    pub fn of_the_hub() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut files = Vec::new();
        gather(&root, &root, &mut files);
        let mut constants = Constants::new();
        for (name, file) in &files {
            Naming { constants: &mut constants, file: name }.visit_file(file);
        }
        let mut source = Self { statements: Vec::new(), unread: Vec::new() };
        for (name, file) in &files {
            Finding { source: &mut source, constants: &constants, file: name }.visit_file(file);
        }
        source
    }
}

fn gather(root: &Path, folder: &Path, files: &mut Vec<(String, File)>) {
    let mut inside: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    inside.sort();
    for path in inside {
        let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            // What tests ask is asked of no hub.
            if !path.ends_with("tests") {
                gather(root, &path, files);
            }
        } else if name.ends_with(".rs") && !name.ends_with("tests.rs") {
            files.push((name, syn::parse_file(&fs::read_to_string(&path).unwrap()).unwrap()));
        }
    }
}

/// Takes down constants that are texts.
struct Naming<'a> {
    constants: &'a mut Constants,
    file: &'a str,
}

impl<'ast> Visit<'ast> for Naming<'_> {
    fn visit_item_const(&mut self, item: &'ast ItemConst) {
        if let Some(text) = literal(&item.expr) {
            let by_file = self.constants.entry(item.ident.to_string()).or_default();
            by_file.insert(self.file.to_owned(), text);
        }
    }
}

struct Finding<'a> {
    source: &'a mut Source,
    constants: &'a Constants,
    file: &'a str,
}

impl<'ast> Visit<'ast> for Finding<'_> {
    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        if !module.attrs.iter().any(is_for_tests) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_expr_call(&mut self, call: &'ast ExprCall) {
        visit::visit_expr_call(self, call);
        let is_query = name(&call.func).is_some_and(|name| name == "query");
        let Some(text) = call.args.first().filter(|_| is_query && call.args.len() == 2) else { return };
        let file = self.file.to_owned();
        match self.text(text) {
            Some(text) => self.source.statements.push(Statement { file, text }),
            None => self.source.unread.push(file),
        }
    }
}

impl Finding<'_> {
    fn text(&self, expression: &Expr) -> Option<String> {
        match expression {
            Expr::Array(array) => {
                let parts: Option<Vec<_>> = array.elems.iter().map(|part| self.text(part)).collect();
                Some(parts?.join(" "))
            }
            Expr::Path(_) => {
                let by_file = self.constants.get(&name(expression)?)?;
                by_file.get(self.file).or_else(|| by_file.values().next()).cloned()
            }
            other => literal(other),
        }
    }
}

fn literal(expression: &Expr) -> Option<String> {
    match expression {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
        _ => None,
    }
}

/// The last name of a path.
fn name(expression: &Expr) -> Option<String> {
    let Expr::Path(path) = expression else { return None };
    path.path.segments.last().map(|segment| segment.ident.to_string())
}

fn is_for_tests(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg") && attribute.parse_args::<syn::Ident>().is_ok_and(|of| of == "test")
}
