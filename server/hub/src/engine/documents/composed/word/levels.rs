//! Levels of lists: each counts from 1, and stands further in than the one above it.

const LEVEL: &str = "<w:lvl w:ilvl=\"";
const END: &str = "</w:lvl>";
/// Twips from one level to the next.
const STEP: u32 = 360;

/// The part with this in each of its levels, of which the writer says neither.
pub(super) fn with_places(xml: &str) -> String {
    let mut parts = xml.split(LEVEL);
    let mut all = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (head, rest) = part.split_once('>').unwrap_or((part, ""));
        let level: u32 = head.trim_end_matches('"').parse().unwrap_or_default();
        let place =
            format!("<w:pPr><w:ind w:left=\"{}\" w:hanging=\"{STEP}\"/></w:pPr>{END}", (level + 1) * STEP);
        all.push_str(&format!("{LEVEL}{head}><w:start w:val=\"1\"/>{}", rest.replacen(END, &place, 1)));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_level_has_a_start_and_its_place() {
        let level = |number: u32, start: &str, place: &str| {
            format!("<w:lvl w:ilvl=\"{number}\">{start}<w:numFmt w:val=\"decimal\"/>{place}</w:lvl>")
        };
        let place = |twips: u32| format!("<w:pPr><w:ind w:left=\"{twips}\" w:hanging=\"360\"/></w:pPr>");
        let start = "<w:start w:val=\"1\"/>";
        let xml = format!("<w:numbering>{}{}</w:numbering>", level(0, "", ""), level(1, "", ""));
        let expected = format!(
            "<w:numbering>{}{}</w:numbering>",
            level(0, start, &place(360)),
            level(1, start, &place(720))
        );
        assert_eq!(with_places(&xml), expected);
        assert_eq!(with_places("<w:numbering/>"), "<w:numbering/>");
    }
}
