//! Footnotes: each begins with its number at the foot of the page.

const NOTE: &str = "<w:footnote w:id=\"";
const PARAGRAPH: &str = "<w:p>";
/// What a paragraph looks like, which stands before its runs.
const LOOK: (&str, &str) = ("<w:pPr>", "</w:pPr>");
const NUMBER: &str = "<w:r><w:rPr><w:rStyle w:val=\"FootnoteReference\"/></w:rPr><w:footnoteRef/></w:r>\
    <w:r><w:t xml:space=\"preserve\"> </w:t></w:r>";

/// The part with the numbers, which the writer leaves out. What stands between the text and the notes is none of them:
/// it has its type before its id.
pub(super) fn with_numbers(xml: &str) -> String {
    let mut parts = xml.split(NOTE);
    let mut all = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        all.push_str(NOTE);
        let Some(at) = part.find(PARAGRAPH).map(|at| at + PARAGRAPH.len()) else {
            all.push_str(part);
            continue;
        };
        let look = if part[at..].starts_with(LOOK.0) { part[at..].find(LOOK.1) } else { None };
        let (before, after) = part.split_at(look.map_or(at, |end| at + end + LOOK.1.len()));
        all.extend([before, NUMBER, after]);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_note_begins_with_its_number_and_what_is_none_has_none() {
        let part = |number: &str| {
            format!(
                "<w:footnotes><w:footnote w:type=\"separator\" w:id=\"-1\"><w:p><w:r/></w:p></w:footnote>\
                 <w:footnote w:id=\"1\"><w:p>{number}<w:r/></w:p><w:p><w:r/></w:p></w:footnote>\
                 <w:footnote w:id=\"2\"><w:p><w:pPr><w:keepNext/></w:pPr>{number}<w:r/></w:p></w:footnote>\
                 </w:footnotes>"
            )
        };
        assert_eq!(with_numbers(&part("")), part(NUMBER));
        assert_eq!(with_numbers("<w:footnotes/>"), "<w:footnotes/>");
    }
}
