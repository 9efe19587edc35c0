//! The two axes of a chart: what is below it, and the numbers beside it.

use super::plot::title;
use super::{First, Look, Table};

const BELOW: u32 = 1;
const BESIDE: u32 = 2;

/// As what is drawn names them.
pub(super) fn ids() -> String {
    format!("<c:axId val=\"{BELOW}\"/><c:axId val=\"{BESIDE}\"/>")
}

pub(super) fn axes(table: &Table, first: &First<'_>, look: Look) -> String {
    let between = match first {
        First::Words(_) => "between",
        First::Numbers(..) => "midCat",
    };
    format!("{}{}", below(table.x_title.as_deref(), first, look), beside(table, between, look))
}

fn below(words: Option<&str>, first: &First<'_>, look: Look) -> String {
    let (kind, format, rest) = match first {
        First::Words(_) => (
            "catAx",
            "General",
            "<c:auto val=\"0\"/><c:lblAlgn val=\"ctr\"/><c:lblOffset val=\"100\"/><c:noMultiLvlLbl val=\"0\"/>",
        ),
        First::Numbers(_, format) => ("valAx", *format, "<c:crossBetween val=\"midCat\"/>"),
    };
    let title = words.map_or_else(String::new, |words| title(words, look.sizes().0, look));
    let line = look.line();
    format!(
        "<c:{kind}><c:axId val=\"{BELOW}\"/><c:scaling><c:orientation val=\"minMax\"/></c:scaling>\
         <c:delete val=\"0\"/><c:axPos val=\"b\"/>{title}<c:numFmt formatCode=\"{format}\" sourceLinked=\"0\"/>\
         <c:majorTickMark val=\"none\"/><c:minorTickMark val=\"none\"/><c:tickLblPos val=\"low\"/>\
         <c:spPr><a:ln w=\"9525\"><a:solidFill>{line}</a:solidFill></a:ln></c:spPr><c:crossAx val=\"{BESIDE}\"/>\
         <c:crosses val=\"autoZero\"/>{rest}</c:{kind}>"
    )
}

fn beside(table: &Table, between: &str, look: Look) -> String {
    let title = table.y_title.as_deref().map_or_else(String::new, |words| title(words, look.sizes().0, look));
    let line = look.line();
    format!(
        "<c:valAx><c:axId val=\"{BESIDE}\"/><c:scaling><c:orientation val=\"minMax\"/></c:scaling>\
         <c:delete val=\"0\"/><c:axPos val=\"l\"/><c:majorGridlines><c:spPr><a:ln w=\"9525\"><a:solidFill>{line}\
         </a:solidFill></a:ln></c:spPr></c:majorGridlines>{title}<c:numFmt formatCode=\"General\" sourceLinked=\"0\"/>\
         <c:majorTickMark val=\"none\"/><c:minorTickMark val=\"none\"/><c:tickLblPos val=\"low\"/>\
         <c:spPr><a:ln><a:noFill/></a:ln></c:spPr><c:crossAx val=\"{BELOW}\"/><c:crosses val=\"autoZero\"/>\
         <c:crossBetween val=\"{between}\"/></c:valAx>"
    )
}
