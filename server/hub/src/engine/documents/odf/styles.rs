//! What its styles say that Markdown has a sign for.

use super::super::{Unopened, attribute, broken};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Default)]
pub(super) struct Styles {
    /// By the names of styles of words, what stands before and after them.
    marks: BTreeMap<String, &'static str>,
    /// Lists, and levels of them, that count.
    counted: BTreeSet<(String, usize)>,
}

impl Styles {
    /// Adds those that a file of the document has.
    pub(super) fn take(&mut self, xml: &[u8]) -> Result<(), Unopened> {
        let mut reader = Reader::from_reader(xml);
        reader.config_mut().expand_empty_elements = true;
        let (mut words, mut list) = (None, None);
        loop {
            match reader.read_event().map_err(broken)? {
                Event::Start(ref tag) => match tag.local_name().as_ref() {
                    "style" => {
                        let is_of_words = attribute(tag, "family")?.as_deref() == Some("text");
                        words = if is_of_words { attribute(tag, "name")? } else { None };
                    }
                    "text-properties" => {
                        if let (Some(name), Some(mark)) = (&words, mark(tag)?) {
                            self.marks.insert(name.clone(), mark);
                        }
                    }
                    "list-style" => list = attribute(tag, "name")?,
                    "list-level-style-number" => {
                        let level = attribute(tag, "level")?.and_then(|level| level.parse().ok());
                        if let (Some(name), Some(level)) = (&list, level) {
                            self.counted.insert((name.clone(), level));
                        }
                    }
                    _ => {}
                },
                Event::Eof => return Ok(()),
                _ => {}
            }
        }
    }

    pub(super) fn mark(&self, name: &str) -> &'static str {
        self.marks.get(name).copied().unwrap_or_default()
    }

    pub(super) fn counts(&self, list: &str, level: usize) -> bool {
        self.counted.contains(&(list.to_owned(), level))
    }
}

fn mark(tag: &BytesStart<'_>) -> Result<Option<&'static str>, Unopened> {
    let weight = attribute(tag, "font-weight")?;
    let is_bold =
        weight.is_some_and(|weight| matches!(weight.as_str(), "bold" | "600" | "700" | "800" | "900"));
    let slant = attribute(tag, "font-style")?;
    let is_slanted = slant.is_some_and(|slant| matches!(slant.as_str(), "italic" | "oblique"));
    Ok(match (is_bold, is_slanted) {
        (true, true) => Some("***"),
        (true, false) => Some("**"),
        (false, true) => Some("*"),
        (false, false) => None,
    })
}
