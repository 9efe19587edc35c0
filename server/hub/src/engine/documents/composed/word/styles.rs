//! Styles of a DOCX beside those that its writer brings.

use crate::engine::structure::Style;

pub(super) const QUOTE: &str = "Quote";
/// The writer brings it.
pub(super) const CODE: &str = "Code";
pub(super) const CONTENTS_TITLE: &str = "TOCHeading";
/// And its level after it.
pub(super) const CONTENTS: &str = "TOC";

/// What holds where nothing else is said.
const DEFAULTS: &str = "<w:docDefaults><w:rPrDefault><w:rPr>\
    <w:rFonts w:ascii=\"Calibri\" w:hAnsi=\"Calibri\" w:eastAsia=\"Calibri\" w:cs=\"Calibri\"/>\
    <w:sz w:val=\"22\"/><w:szCs w:val=\"22\"/></w:rPr></w:rPrDefault><w:pPrDefault><w:pPr>\
    <w:spacing w:after=\"120\" w:line=\"264\" w:lineRule=\"auto\"/></w:pPr></w:pPrDefault></w:docDefaults>";
/// By id and name, with what their paragraphs and their letters look like.
const MORE: [(&str, &str, &str, &str); 7] = [
    (
        "Title",
        "Title",
        "<w:spacing w:before=\"0\" w:after=\"120\"/>",
        "<w:b/><w:color w:val=\"1F3864\"/><w:sz w:val=\"64\"/><w:szCs w:val=\"64\"/>",
    ),
    (
        "Subtitle",
        "Subtitle",
        "<w:spacing w:after=\"360\"/>",
        "<w:color w:val=\"595959\"/><w:sz w:val=\"32\"/><w:szCs w:val=\"32\"/>",
    ),
    ("Lead", "Lead", "<w:spacing w:after=\"200\"/>", "<w:sz w:val=\"26\"/><w:szCs w:val=\"26\"/>"),
    (
        "Note",
        "Note",
        "<w:pBdr><w:left w:val=\"single\" w:sz=\"24\" w:space=\"8\" w:color=\"2F5496\"/></w:pBdr>\
         <w:shd w:val=\"clear\" w:color=\"auto\" w:fill=\"EEF2F8\"/><w:ind w:left=\"240\" w:right=\"240\"/>",
        "",
    ),
    (
        "Caption",
        "caption",
        "<w:spacing w:after=\"200\"/>",
        "<w:i/><w:color w:val=\"595959\"/><w:sz w:val=\"18\"/><w:szCs w:val=\"18\"/>",
    ),
    (QUOTE, "Quote", "<w:ind w:left=\"567\" w:right=\"567\"/>", "<w:i/><w:color w:val=\"404040\"/>"),
    (
        CONTENTS_TITLE,
        "TOC Heading",
        "<w:spacing w:before=\"240\" w:after=\"120\"/>",
        "<w:b/><w:color w:val=\"2F5496\"/><w:sz w:val=\"32\"/><w:szCs w:val=\"32\"/>",
    ),
];
/// The writer has a name for the style of what leads to a footnote, and says nothing of its looks.
const REFERENCE: &str = "<w:name w:val=\"footnote reference\"/>";
const RAISED: &str = "<w:rPr><w:vertAlign w:val=\"superscript\"/></w:rPr>";
const CONTENTS_LEVELS: u32 = 6;
/// Twips from one level of the contents to the next.
const INDENT: u32 = 220;

pub(super) fn named(style: Style) -> Option<&'static str> {
    Some(match style {
        Style::Normal => return None,
        Style::Title => "Title",
        Style::Subtitle => "Subtitle",
        Style::Lead => "Lead",
        Style::Note => "Note",
        Style::Caption => "Caption",
    })
}

/// The part with these among the others.
pub(super) fn with_more(xml: &str) -> String {
    let mut more: String =
        MORE.iter().map(|(id, name, paragraph, letters)| style(id, name, paragraph, letters)).collect();
    for level in 1..=CONTENTS_LEVELS {
        let indent = format!("<w:spacing w:after=\"60\"/><w:ind w:left=\"{}\"/>", (level - 1) * INDENT);
        more.push_str(&style(&format!("{CONTENTS}{level}"), &format!("toc {level}"), &indent, ""));
    }
    let normal = "w:styleId=\"Normal\"";
    xml.replacen(normal, &format!("w:default=\"1\" {normal}"), 1)
        .replacen(REFERENCE, &format!("{REFERENCE}{RAISED}"), 1)
        .replacen("<w:style ", &format!("{DEFAULTS}<w:style "), 1)
        .replacen("</w:styles>", &format!("{more}</w:styles>"), 1)
}

fn style(id: &str, name: &str, paragraph: &str, letters: &str) -> String {
    format!(
        "<w:style w:type=\"paragraph\" w:styleId=\"{id}\"><w:name w:val=\"{name}\"/><w:basedOn w:val=\"Normal\"/>\
         <w:qFormat/><w:pPr>{paragraph}</w:pPr><w:rPr>{letters}</w:rPr></w:style>"
    )
}
