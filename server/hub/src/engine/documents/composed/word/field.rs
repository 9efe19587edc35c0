//! What office programs reckon: numbers of pages, and the contents.

use super::super::xml::escaped;
use super::styles::{CONTENTS, CONTENTS_TITLE};
use crate::engine::structure::{Contents as Wanted, Words};
use office_oxide::ir::{Element, InlineContent, Paragraph, ParagraphAlignment, TextSpan};

/// What a model writes, and what the writer takes for the field.
const NUMBERS: [(&str, &str); 2] = [("{page}", "{PAGE}"), ("{pages}", "{NUMPAGES}")];
/// Where the contents belong, in a paragraph of its own, until they are put there.
const MARK: &str = "\u{e000}contents\u{e000}";

/// A line of a header or footer, with the numbers of pages in it.
pub(super) fn line(text: &str, align: ParagraphAlignment) -> Element {
    let mut content = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let found =
            NUMBERS.iter().filter_map(|(written, field)| Some((rest.find(written)?, *written, *field))).min();
        let (end, written, field) = found.unwrap_or((rest.len(), "", ""));
        content
            .extend([&rest[..end], field].into_iter().filter(|part| !part.is_empty()).map(TextSpan::plain));
        rest = &rest[end + written.len()..];
    }
    let content = content.into_iter().map(InlineContent::Text).collect();
    Element::Paragraph(Paragraph { content, alignment: Some(align), ..Paragraph::default() })
}

/// The headings, and where they are listed.
#[derive(Default)]
pub(super) struct Contents {
    headings: Vec<(u8, String)>,
    wanted: Option<Wanted>,
}

impl Contents {
    pub(super) fn heading(&mut self, level: u8, text: &str) {
        self.headings.push((level, text.split_whitespace().collect::<Vec<_>>().join(" ")));
    }

    /// The text that stands where they go.
    pub(super) fn place(&mut self, wanted: &Wanted) -> Words {
        self.wanted = Some(wanted.clone());
        Words::of(MARK)
    }

    /// The document with the headings as a field, whose pages office programs find out.
    pub(super) fn put_into(&self, xml: &str) -> String {
        let paragraph = self.wanted.as_ref().and_then(|wanted| {
            let at = xml.find(MARK)?;
            let start = xml[..at].rfind("<w:p>")?;
            let end = at + xml[at..].find("</w:p>")? + "</w:p>".len();
            Some((start, end, wanted))
        });
        match paragraph {
            Some((start, end, wanted)) => format!("{}{}{}", &xml[..start], self.field(wanted), &xml[end..]),
            None => xml.to_owned(),
        }
    }

    fn field(&self, wanted: &Wanted) -> String {
        let title = wanted.title.iter().map(|title| paragraph(CONTENTS_TITLE, &run(title)));
        let begin = format!(
            "<w:r><w:fldChar w:fldCharType=\"begin\" w:dirty=\"true\"/></w:r>\
             <w:r><w:instrText xml:space=\"preserve\"> TOC \\o \"1-{}\" \\h \\z \\u </w:instrText></w:r>\
             <w:r><w:fldChar w:fldCharType=\"separate\"/></w:r>",
            wanted.levels
        );
        let listed = self.headings.iter().filter(|(level, _)| *level <= wanted.levels).enumerate();
        let entries = listed.map(|(at, (level, text))| {
            let begin = if at == 0 { begin.as_str() } else { "" };
            paragraph(&format!("{CONTENTS}{level}"), &format!("{begin}{}", run(text)))
        });
        let end = "<w:p><w:r><w:fldChar w:fldCharType=\"end\"/></w:r></w:p>".to_owned();
        title.chain(entries).chain([end]).collect()
    }
}

fn paragraph(style: &str, runs: &str) -> String {
    format!("<w:p><w:pPr><w:pStyle w:val=\"{style}\"/></w:pPr>{runs}</w:p>")
}

fn run(text: &str) -> String {
    format!("<w:r><w:t xml:space=\"preserve\">{}</w:t></w:r>", escaped(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_pages_stand_where_a_line_has_their_words() {
        for (text, expected) in [
            ("Moss", &["Moss"][..]),
            ("{page}", &["{PAGE}"]),
            ("Page {page} of {pages}.", &["Page ", "{PAGE}", " of ", "{NUMPAGES}", "."]),
            ("{pages}{page", &["{NUMPAGES}", "{page"]),
        ] {
            let Element::Paragraph(paragraph) = &line(text, ParagraphAlignment::Left) else { panic!() };
            let words = |inline: &InlineContent| match inline {
                InlineContent::Text(span) => span.text.clone(),
                _ => String::new(),
            };
            assert_eq!(paragraph.content.iter().map(words).collect::<Vec<_>>(), expected, "{text}");
        }
    }
}
