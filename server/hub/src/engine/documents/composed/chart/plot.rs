//! What is drawn: the series with their names and numbers, and where in the workbook these stand.

use super::{First, HEAD, Look, Series, Shape, Table, URI, WORKBOOK, axes, escaped, workbook};

/// How a cell is written where nothing is said of it.
pub(super) const GENERAL: &str = "General";

/// The whole part.
pub(super) fn space(shape: Shape, table: &Table, first: &First<'_>, look: Look) -> String {
    let (size, size_of_title) = look.sizes();
    let title = table.title.as_deref().map(|text| title(text, size_of_title, look));
    let has_none = u8::from(title.is_none());
    // A pie has a colour for each of its parts, which nothing else says.
    let legend = match shape == Shape::Pie || table.series.len() > 1 {
        true => "<c:legend><c:legendPos val=\"b\"/><c:overlay val=\"0\"/></c:legend>",
        false => "",
    };
    format!(
        "{HEAD}<c:chartSpace xmlns:c=\"{URI}\" xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\" \
         xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"><c:date1904 val=\"0\"/>\
         <c:roundedCorners val=\"0\"/><c:chart>{}<c:autoTitleDeleted val=\"{has_none}\"/><c:plotArea><c:layout/>{}\
         </c:plotArea>{legend}<c:plotVisOnly val=\"1\"/><c:dispBlanksAs val=\"gap\"/></c:chart>\
         <c:spPr><a:noFill/><a:ln><a:noFill/></a:ln></c:spPr><c:txPr><a:bodyPr/><a:lstStyle/><a:p><a:pPr>\
         <a:defRPr sz=\"{size}\"><a:solidFill>{}</a:solidFill></a:defRPr></a:pPr><a:endParaRPr lang=\"en-US\"/></a:p>\
         </c:txPr><c:externalData r:id=\"{WORKBOOK}\"><c:autoUpdate val=\"0\"/></c:externalData></c:chartSpace>",
        title.unwrap_or_default(),
        plot(shape, table, first, look),
        look.text(),
    )
}

pub(super) fn title(text: &str, size: u32, look: Look) -> String {
    let (colour, text) = (look.text(), escaped(text));
    let letters = format!("sz=\"{size}\" b=\"1\"><a:solidFill>{colour}</a:solidFill>");
    format!(
        "<c:title><c:tx><c:rich><a:bodyPr/><a:lstStyle/><a:p><a:pPr><a:defRPr {letters}</a:defRPr></a:pPr>\
         <a:r><a:rPr lang=\"en-US\" {letters}</a:rPr><a:t>{text}</a:t></a:r></a:p></c:rich></c:tx>\
         <c:overlay val=\"0\"/></c:title>"
    )
}

fn plot(shape: Shape, table: &Table, first: &First<'_>, look: Look) -> String {
    let series: String =
        table.series.iter().enumerate().map(|(at, one)| series(shape, at, one, first, look)).collect();
    let ids = axes::ids();
    let drawn = match shape {
        Shape::Bars => format!(
            "<c:barChart><c:barDir val=\"col\"/><c:grouping val=\"clustered\"/><c:varyColors val=\"0\"/>{series}\
             <c:gapWidth val=\"80\"/>{ids}</c:barChart>"
        ),
        Shape::Line => format!(
            "<c:lineChart><c:grouping val=\"standard\"/><c:varyColors val=\"0\"/>{series}<c:marker val=\"1\"/>{ids}\
             </c:lineChart>"
        ),
        Shape::Pie => {
            format!("<c:pieChart><c:varyColors val=\"1\"/>{series}<c:firstSliceAng val=\"0\"/></c:pieChart>")
        }
        Shape::Points { .. } => format!(
            "<c:scatterChart><c:scatterStyle val=\"lineMarker\"/><c:varyColors val=\"0\"/>{series}{ids}\
             </c:scatterChart>"
        ),
    };
    let axes = if shape == Shape::Pie { String::new() } else { axes::axes(table, first, look) };
    drawn + &axes
}

fn series(shape: Shape, at: usize, of: &Series, first: &First<'_>, look: Look) -> String {
    let fill = format!("<a:solidFill>{}</a:solidFill>", look.series(at));
    let line = format!("<c:spPr><a:ln w=\"28575\" cap=\"rnd\">{fill}<a:round/></a:ln></c:spPr>");
    let no_mark = "<c:marker><c:symbol val=\"none\"/></c:marker>";
    let looks = match shape {
        Shape::Bars => format!("<c:spPr>{fill}</c:spPr><c:invertIfNegative val=\"0\"/>"),
        Shape::Line | Shape::Points { joined: true } => format!("{line}{no_mark}"),
        Shape::Points { joined: false } => format!(
            "<c:spPr><a:ln w=\"28575\"><a:noFill/></a:ln></c:spPr><c:marker><c:symbol val=\"circle\"/>\
             <c:size val=\"7\"/><c:spPr>{fill}<a:ln><a:noFill/></a:ln></c:spPr></c:marker>"
        ),
        Shape::Pie => slices(of.values.len(), look),
    };
    // The first column says what the rows are called.
    let (column, rows) = (at + 1, of.values.len());
    let across = match first {
        First::Words(words) => texts(&workbook::below(0, rows), words.iter().map(String::as_str)),
        First::Numbers(values, format) => numbers(&workbook::below(0, rows), values, format),
    };
    let values = numbers(&workbook::below(column, rows), &of.values, GENERAL);
    let name = texts(&workbook::head(column), [of.name.as_str()].into_iter());
    let (x, y) = match shape {
        Shape::Points { .. } => ("xVal", "yVal"),
        Shape::Bars | Shape::Line | Shape::Pie => ("cat", "val"),
    };
    let smooth = match shape {
        Shape::Line | Shape::Points { .. } => "<c:smooth val=\"0\"/>",
        Shape::Bars | Shape::Pie => "",
    };
    format!(
        "<c:ser><c:idx val=\"{at}\"/><c:order val=\"{at}\"/><c:tx>{name}</c:tx>{looks}<c:{x}>{across}</c:{x}>\
         <c:{y}>{values}</c:{y}>{smooth}</c:ser>"
    )
}

/// A colour for each part of a pie, and its share beside it.
fn slices(count: usize, look: Look) -> String {
    let slice = |at: usize| {
        format!(
            "<c:dPt><c:idx val=\"{at}\"/><c:bubble3D val=\"0\"/><c:spPr><a:solidFill>{}</a:solidFill></c:spPr></c:dPt>",
            look.series(at)
        )
    };
    let slices: String = (0..count).map(slice).collect();
    format!(
        "{slices}<c:dLbls><c:dLblPos val=\"outEnd\"/><c:showLegendKey val=\"0\"/><c:showVal val=\"0\"/>\
         <c:showCatName val=\"0\"/><c:showSerName val=\"0\"/><c:showPercent val=\"1\"/><c:showBubbleSize val=\"0\"/>\
         <c:showLeaderLines val=\"0\"/></c:dLbls>"
    )
}

fn texts<'t>(place: &str, texts: impl ExactSizeIterator<Item = &'t str>) -> String {
    let count = texts.len();
    let points: String = texts.enumerate().map(|(at, text)| point(at, &escaped(text))).collect();
    format!(
        "<c:strRef><c:f>{place}</c:f><c:strCache><c:ptCount val=\"{count}\"/>{points}</c:strCache></c:strRef>"
    )
}

/// What has no number is left out of its place.
fn numbers(place: &str, values: &[Option<f64>], format: &str) -> String {
    let there = values.iter().enumerate().filter_map(|(at, value)| Some((at, (*value)?)));
    let points: String = there.map(|(at, value)| point(at, &value.to_string())).collect();
    format!(
        "<c:numRef><c:f>{place}</c:f><c:numCache><c:formatCode>{format}</c:formatCode>\
         <c:ptCount val=\"{}\"/>{points}</c:numCache></c:numRef>",
        values.len()
    )
}

fn point(at: usize, value: &str) -> String {
    format!("<c:pt idx=\"{at}\"><c:v>{value}</c:v></c:pt>")
}
