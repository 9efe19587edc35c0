//! A drawing as SVG, which follows the light or dark of whoever looks at it. Texts stay texts.

use super::marks::{Drawing, HEIGHT, Ink, MARGIN, Mark, Rgb, SERIES, Stands, Text, WIDTH};
use html_escape::{encode_double_quoted_attribute, encode_text};
use std::fmt::Write;

const CLASSES: [(&str, Ink); 4] =
    [("paper", Ink::Paper), ("text", Ink::Text), ("soft", Ink::Soft), ("grid", Ink::Grid)];

pub(super) fn write(drawing: &Drawing) -> String {
    let title = if drawing.title.is_empty() { "Chart" } else { &drawing.title };
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" \
         height=\"{HEIGHT}\" role=\"img\" aria-label=\"{}\" \
         font-family=\"Inter, system-ui, sans-serif\">\n<title>{}</title>\n<style>{}@media (prefers-color-scheme: dark) {{ {}}}</style>\n",
        encode_double_quoted_attribute(title),
        encode_text(title),
        styles(Ink::light),
        styles(Ink::dark),
    );
    let _ = writeln!(
        svg,
        "<rect class=\"paper\" width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"{}\"/>",
        MARGIN / 2.0
    );
    for mark in &drawing.marks {
        svg.push_str(&one(mark));
        svg.push('\n');
    }
    svg.push_str("</svg>\n");
    svg
}

fn styles(colour: fn(Ink) -> Rgb) -> String {
    let fixed = CLASSES.iter().map(|(class, ink)| rule(class, colour(*ink)));
    let series = (0..SERIES.len()).map(|at| rule(&format!("s{at}"), colour(Ink::Series(at))));
    fixed.chain(series).collect()
}

fn rule(class: &str, [red, green, blue]: Rgb) -> String {
    let colour = format!("#{red:02x}{green:02x}{blue:02x}");
    format!(".{class} {{ fill: {colour} }} .{class}-line {{ fill: none; stroke: {colour} }} ")
}

fn class(ink: Ink) -> String {
    match ink {
        Ink::Paper => "paper".to_owned(),
        Ink::Text => "text".to_owned(),
        Ink::Soft => "soft".to_owned(),
        Ink::Grid => "grid".to_owned(),
        Ink::Series(at) => format!("s{}", at % SERIES.len()),
    }
}

fn one(mark: &Mark) -> String {
    match mark {
        Mark::Bar { x, y, width, height, ink } => format!(
            "<rect class=\"{}\" x=\"{x:.2}\" y=\"{y:.2}\" width=\"{width:.2}\" height=\"{height:.2}\"/>",
            class(*ink)
        ),
        Mark::Line { points, width, ink } => format!(
            "<polyline class=\"{}-line\" stroke-width=\"{width}\" stroke-linejoin=\"round\" stroke-linecap=\"round\" points=\"{}\"/>",
            class(*ink),
            listed(points)
        ),
        Mark::Area { points, ink } => {
            format!("<polygon class=\"{}\" points=\"{}\"/>", class(*ink), listed(points))
        }
        Mark::Dot { x, y, radius, ink } => {
            format!("<circle class=\"{}\" cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"{radius}\"/>", class(*ink))
        }
        Mark::Text(text) => written(text),
    }
}

fn listed(points: &[(f32, f32)]) -> String {
    points.iter().map(|(x, y)| format!("{x:.2},{y:.2}")).collect::<Vec<_>>().join(" ")
}

fn written(text: &Text) -> String {
    let Text { x, y, size, .. } = text;
    let stands = match text.stands {
        Stands::Begins => "start",
        Stands::Middle => "middle",
        Stands::Ends => "end",
    };
    let bold = if text.bold { " font-weight=\"600\"" } else { "" };
    let turned =
        if text.turned { format!(" transform=\"rotate(-90 {x:.2} {y:.2})\"") } else { String::new() };
    // Some characters are none in XML, whatever stands for them.
    let shown: String =
        text.text.chars().filter(|letter| !matches!(letter, '\u{fffe}' | '\u{ffff}')).collect();
    format!(
        "<text class=\"{}\" x=\"{x:.2}\" y=\"{y:.2}\" font-size=\"{size}\" text-anchor=\"{stands}\"{bold}{turned}>{}</text>",
        class(text.ink),
        encode_text(&shown)
    )
}
