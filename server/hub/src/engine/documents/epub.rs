//! EPUB, chapter by chapter, as Markdown. A chapter is a page of the web, and read as such.

use super::{Unopened, Wanted, attribute, broken, has, parts};
use crate::engine::job::{DocumentPart, DocumentText};
use crate::engine::readable;
use crate::zip;
use office_oxide::core::xml::resolve_general_ref;
use percent_encoding::percent_decode_str;
use quick_xml::Reader;
use quick_xml::events::Event;
use std::collections::{BTreeMap, BTreeSet};

/// Where it says what the list of its files is called.
const CONTAINER: &str = "META-INF/container.xml";
/// Where it says which of them only a reader with a key can read.
const LOCKED: &str = "META-INF/encryption.xml";
/// Bytes of all chapters, and of what tells of them.
const LARGEST: u64 = 64 * 1024 * 1024;
const LARGEST_LIST: u64 = 8 * 1024 * 1024;
/// Elements of HTML that have no end.
const VOID: [&str; 13] =
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"];

pub(super) fn read(bytes: &[u8], wanted: &Wanted) -> Result<DocumentText, Unopened> {
    let mut found = zip::unpack_wanted(bytes, LARGEST_LIST, |name| name == CONTAINER || name == LOCKED)
        .map_err(broken)?;
    let container = found.remove(CONTAINER).ok_or_else(|| broken("it does not say where its text is"))?;
    let list = list_in(&container)?.ok_or_else(|| broken("it does not say where its text is"))?;
    let locked = found.remove(LOCKED).unwrap_or_default();
    let mut found = zip::unpack_wanted(bytes, LARGEST_LIST, |name| name == list).map_err(broken)?;
    let book =
        Book::of(&found.remove(&list).ok_or_else(|| broken("it has no list of its chapters"))?, &list)?;
    if book.chapters.first().is_some_and(|chapter| has(&locked, chapter.as_bytes())) {
        return Err(Unopened::Encrypted);
    }
    let named: BTreeSet<&str> = book.chapters.iter().map(String::as_str).collect();
    let chapters = zip::unpack_wanted(bytes, LARGEST, |name| named.contains(name)).map_err(broken)?;
    let of = book.chapters.len();
    if of == 0 {
        return Err(broken("it has no list of its chapters"));
    }
    parts(of, wanted, |number| {
        let chapter = chapters.get(&book.chapters[number - 1]);
        let html = chapter.map(|bytes| ended(&String::from_utf8_lossy(bytes))).unwrap_or_default();
        let mut text = readable::whole(&html);
        if number == 1 {
            text = format!("{}{text}", book.head());
        }
        Ok(DocumentPart { number, title: format!("Chapter {number} of {of}"), text })
    })
}

/// Where the list of its files is.
fn list_in(container: &[u8]) -> Result<Option<String>, Unopened> {
    let mut reader = Reader::from_reader(container);
    reader.config_mut().expand_empty_elements = true;
    loop {
        match reader.read_event().map_err(broken)? {
            Event::Start(ref tag) if tag.local_name().into_inner() == "rootfile" => {
                return attribute(tag, "full-path");
            }
            Event::Eof => return Ok(None),
            _ => {}
        }
    }
}

/// What the list says.
#[derive(Default)]
struct Book {
    title: String,
    authors: Vec<String>,
    /// Paths in the archive, in the order in which they are read, each once.
    chapters: Vec<String>,
}

impl Book {
    fn of(list: &[u8], path: &str) -> Result<Self, Unopened> {
        let mut reader = Reader::from_reader(list);
        reader.config_mut().expand_empty_elements = true;
        let (mut book, mut files, mut order) = (Self::default(), BTreeMap::new(), Vec::<String>::new());
        let (mut said, mut is_told) = (String::new(), false);
        loop {
            match reader.read_event().map_err(broken)? {
                Event::Start(ref tag) => match tag.local_name().into_inner() {
                    "item" => {
                        if let (Some(id), Some(href)) = (attribute(tag, "id")?, attribute(tag, "href")?) {
                            files.insert(id, beside(path, &href));
                        }
                    }
                    "itemref" => order.extend(attribute(tag, "idref")?),
                    "title" | "creator" => {
                        said.clear();
                        is_told = true;
                    }
                    _ => {}
                },
                Event::Text(ref text) if is_told => said.push_str(text),
                Event::GeneralRef(ref entity) if is_told => {
                    said.push_str(&resolve_general_ref(entity).map_err(broken)?);
                }
                Event::End(ref tag) => {
                    let words = said.split_whitespace().collect::<Vec<_>>().join(" ");
                    match tag.local_name().into_inner() {
                        "title" if book.title.is_empty() => book.title = words,
                        "creator" if !words.is_empty() => book.authors.push(words),
                        _ => {}
                    }
                    said.clear();
                    is_told = false;
                }
                Event::Eof => break,
                _ => {}
            }
        }
        let mut seen = BTreeSet::new();
        let chapters =
            order.iter().filter_map(|id| files.get(id)).filter(|path| seen.insert((*path).clone()));
        book.chapters = chapters.cloned().collect();
        Ok(book)
    }

    fn head(&self) -> String {
        let title = if self.title.is_empty() { String::new() } else { format!("# {}\n\n", self.title) };
        let by = if self.authors.is_empty() {
            String::new()
        } else {
            format!("By {}\n\n", self.authors.join(", "))
        };
        format!("{title}{by}")
    }
}

/// The path that a link in the file at this path leads to.
fn beside(path: &str, href: &str) -> String {
    let href =
        percent_decode_str(href.split('#').next().unwrap_or_default()).decode_utf8_lossy().into_owned();
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in href.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// XHTML with an end for each element that has none of its own: a reader of HTML takes `<title/>` for the beginning of one.
fn ended(xhtml: &str) -> String {
    let (mut html, mut rest) = (String::with_capacity(xhtml.len()), xhtml);
    while let Some(at) = rest.find('<') {
        html.push_str(&rest[..at]);
        let tag = &rest[at..];
        let end = end_of(tag);
        let (tag, after) = tag.split_at(end);
        rest = after;
        let name: &str = tag[1..].split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
        match tag.strip_suffix("/>") {
            Some(open) if !name.is_empty() && !VOID.contains(&name) => {
                html.push_str(open);
                html.push_str("></");
                html.push_str(name);
                html.push('>');
            }
            _ => html.push_str(tag),
        }
    }
    html.push_str(rest);
    html
}

/// Where the tag ends with which a text begins. What is in quotes does not end it.
fn end_of(tag: &str) -> usize {
    let mut quote = None;
    for (at, letter) in tag.char_indices().skip(1) {
        match (quote, letter) {
            (Some(open), letter) if open == letter => quote = None,
            (None, '"' | '\'') => quote = Some(letter),
            (None, '>') => return at + 1,
            (None, '<') => return at,
            _ => {}
        }
    }
    tag.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_leads_to_a_file_beside_its_own_and_never_above_all() {
        for (path, href, expected) in [
            ("OEBPS/book.opf", "text/one.xhtml", "OEBPS/text/one.xhtml"),
            ("book.opf", "one%20two.xhtml#three", "one two.xhtml"),
            ("a/b/book.opf", "../c/./one.xhtml", "a/c/one.xhtml"),
            ("book.opf", "../../etc/passwd", "etc/passwd"),
        ] {
            assert_eq!(beside(path, href), expected, "{path} {href}");
        }
    }

    #[test]
    fn what_ends_in_itself_has_an_end_for_readers_of_html() {
        for (xhtml, html) in [
            ("<title/><p>a</p>", "<title></title><p>a</p>"),
            ("<script src=\"a>b\"/>c", "<script src=\"a>b\"></script>c"),
            ("a<br/><img src='x'/>b", "a<br/><img src='x'/>b"),
            ("1 < 2 <i />", "1 < 2 <i ></i>"),
            ("<!-- a --><a", "<!-- a --><a"),
        ] {
            assert_eq!(ended(xhtml), html, "{xhtml}");
        }
    }

    #[test]
    fn a_book_names_its_chapters_in_their_order_and_each_once() {
        let list = "<package><metadata><dc:title>On &amp; moss</dc:title><dc:creator>Ada</dc:creator></metadata>\
                    <manifest><item id=\"a\" href=\"a.xhtml\"/><item id=\"b\" href=\"b.xhtml\"/></manifest>\
                    <spine><itemref idref=\"b\"/><itemref idref=\"a\"/><itemref idref=\"b\"/><itemref idref=\"c\"/>\
                    </spine></package>";
        let book = Book::of(list.as_bytes(), "OEBPS/book.opf").unwrap();
        assert_eq!(book.chapters, ["OEBPS/b.xhtml", "OEBPS/a.xhtml"]);
        assert_eq!(book.head(), "# On & moss\n\nBy Ada\n\n");
    }
}
