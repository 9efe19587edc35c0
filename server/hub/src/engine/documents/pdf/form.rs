//! The fields of a form with what was filled in, each on the first page that shows it.

use super::words;
use pdf_extract::{Dictionary, Document, Object, ObjectId, StringFormat};
use std::collections::{BTreeMap, BTreeSet};

/// Fields with all that is within them, and how deep one may lie.
const MOST_NODES: usize = 5_000;
const DEEPEST: usize = 32;
/// Bit 17 of the flags of a button: it does something and holds nothing.
const DOES_SOMETHING: i64 = 1 << 16;

/// Lines by the numbers of the pages, from 1 on.
#[derive(Default)]
pub(super) struct Form {
    pages: BTreeMap<usize, Vec<String>>,
}

impl Form {
    pub(super) fn of(document: &Document, pages: &BTreeMap<u32, ObjectId>) -> Self {
        let form = document.catalog().and_then(|root| root.get_deref(b"AcroForm", document));
        let Ok(form) = form.and_then(Object::as_dict) else { return Self::default() };
        let mut walk = Walk {
            document,
            shown_on: shown_on(document, pages),
            seen: BTreeSet::new(),
            left: MOST_NODES,
            is_cut: false,
            last: 1,
            form: Self::default(),
        };
        for field in list(document, form, b"Fields") {
            walk.field(field, &Field::default(), 0);
        }
        let Walk { is_cut, last, form: mut read, .. } = walk;
        if is_cut {
            read.add(last, "[There are more fields than are read.]".to_owned());
        } else if read.pages.is_empty() && form.has(b"XFA") {
            let why = "[Its form is of the kind XFA, which is not read. Ask for it printed to a PDF.]";
            read.add(last, why.to_owned());
        }
        read
    }

    pub(super) fn on(&self, page: usize) -> &[String] {
        self.pages.get(&page).map_or(&[], Vec::as_slice)
    }

    fn add(&mut self, page: usize, line: String) {
        self.pages.entry(page).or_default().push(line);
    }
}

/// The page of each thing that stands on one.
fn shown_on(document: &Document, pages: &BTreeMap<u32, ObjectId>) -> BTreeMap<ObjectId, usize> {
    let mut shown = BTreeMap::new();
    for (page, number) in pages.values().zip(1..) {
        let Ok(page) = document.get_dictionary(*page) else { continue };
        for id in list(document, page, b"Annots").iter().filter_map(|object| object.as_reference().ok()) {
            shown.entry(id).or_insert(number);
        }
    }
    shown
}

/// What a list in a dictionary has. None of it: there is no such list.
pub(super) fn list<'d>(document: &'d Document, dictionary: &'d Dictionary, key: &[u8]) -> &'d [Object] {
    let list = dictionary.get_deref(key, document).and_then(Object::as_array);
    list.map_or(&[], Vec::as_slice)
}

/// What a field says of itself, or has from the one that it is within.
#[derive(Default)]
struct Field<'d> {
    name: String,
    label: Option<String>,
    kind: Option<&'d [u8]>,
    flags: i64,
    value: Option<&'d Object>,
}

struct Walk<'d> {
    document: &'d Document,
    shown_on: BTreeMap<ObjectId, usize>,
    seen: BTreeSet<ObjectId>,
    left: usize,
    is_cut: bool,
    /// The page of the last field.
    last: usize,
    form: Form,
}

impl<'d> Walk<'d> {
    fn field(&mut self, object: &'d Object, above: &Field<'d>, depth: usize) {
        if self.left == 0 || depth > DEEPEST {
            self.is_cut = true;
            return;
        }
        self.left -= 1;
        let document = self.document;
        let Ok((id, Object::Dictionary(dictionary))) = document.dereference(object) else { return };
        if id.is_some_and(|id| !self.seen.insert(id)) {
            return;
        }
        let field = self.own(dictionary, above);
        let kids = list(document, dictionary, b"Kids");
        // What has no name there is only a place where this field is shown.
        let (fields, places): (Vec<&Object>, Vec<&Object>) = kids.iter().partition(|kid| {
            let kid = document.dereference(kid).and_then(|(_, kid)| kid.as_dict());
            kid.is_ok_and(|kid| kid.has(b"T") || kid.has(b"Kids"))
        });
        if !fields.is_empty() {
            fields.into_iter().for_each(|kid| self.field(kid, &field, depth + 1));
            return;
        }
        let Some(value) = self.value(&field) else { return };
        let page = places
            .iter()
            .filter_map(|place| place.as_reference().ok())
            .chain(id)
            .find_map(|id| self.shown_on.get(&id).copied());
        self.last = page.unwrap_or(self.last);
        let name = match (field.name.as_str(), &field.label) {
            ("", Some(label)) => label.clone(),
            ("", None) => "(without a name)".to_owned(),
            (name, Some(label)) if name != label => format!("{name} ({label})"),
            (name, _) => name.to_owned(),
        };
        self.form.add(self.last, format!("- {name}: {value}"));
    }

    fn own(&self, dictionary: &'d Dictionary, above: &Field<'d>) -> Field<'d> {
        let get = |key: &[u8]| dictionary.get_deref(key, self.document).ok();
        let line = |key: &[u8]| get(key).and_then(words).map(|words| words.replace("\n  ", " "));
        let name = match (above.name.as_str(), line(b"T")) {
            (above, None) => above.to_owned(),
            ("", Some(name)) => name,
            (above, Some(name)) => format!("{above}.{name}"),
        };
        Field {
            name,
            label: line(b"TU"),
            kind: get(b"FT").and_then(|kind| kind.as_name().ok()).or(above.kind),
            flags: get(b"Ff").and_then(|flags| flags.as_i64().ok()).unwrap_or(above.flags),
            value: get(b"V").or(above.value),
        }
    }

    /// None: it is nothing that anybody fills in.
    fn value(&self, field: &Field<'d>) -> Option<String> {
        match field.kind {
            Some(b"Btn") if field.flags & DOES_SOMETHING != 0 => None,
            Some(b"Btn") => Some(match field.value.and_then(|value| value.as_name().ok()) {
                None | Some(b"Off") => "(not chosen)".to_owned(),
                Some(name) => String::from_utf8_lossy(name).into_owned(),
            }),
            Some(b"Sig") => Some(match field.value.and_then(|value| value.as_dict().ok()) {
                None => "(not signed)".to_owned(),
                Some(signature) => match signature.get_deref(b"Name", self.document).ok().and_then(words) {
                    Some(name) => format!("(signed by {name}, which is not checked)"),
                    None => "(signed, which is not checked)".to_owned(),
                },
            }),
            _ => Some(field.value.and_then(|value| self.text(value)).unwrap_or_else(|| "(empty)".to_owned())),
        }
    }

    fn text(&self, value: &Object) -> Option<String> {
        match value {
            Object::Stream(stream) => {
                words(&Object::String(stream.get_plain_content().ok()?, StringFormat::Literal))
            }
            Object::Array(chosen) => {
                let chosen = chosen.iter().filter_map(|one| words(self.document.dereference(one).ok()?.1));
                Some(chosen.collect::<Vec<_>>().join(", ")).filter(|chosen| !chosen.is_empty())
            }
            Object::Name(name) => Some(String::from_utf8_lossy(name).into_owned()),
            value => words(value),
        }
    }
}
