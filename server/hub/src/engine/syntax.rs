//! Whether texts are in order in a format of data, and where they are not.

use super::job::{DataFormat, SyntaxCheck, SyntaxFault};
use serde::de::IgnoredAny;

pub(super) fn check(SyntaxCheck { texts }: &SyntaxCheck) -> Vec<Option<SyntaxFault>> {
    texts.iter().map(|(format, text)| fault(*format, text.trim_start_matches('\u{feff}'))).collect()
}

fn fault(format: DataFormat, text: &str) -> Option<SyntaxFault> {
    match format {
        DataFormat::Json => serde_json::from_str::<IgnoredAny>(text).err().map(|error| {
            let (line, column) = (error.line() as u64, error.column() as u64);
            SyntaxFault { line: line.max(1), column: column.max(1), message: in_short(&error.to_string()) }
        }),
        // There may be several documents in it.
        DataFormat::Yaml => serde_saphyr::from_multiple::<IgnoredAny>(text).err().map(|error| {
            let place = error.location();
            SyntaxFault {
                line: place.map_or(1, |place| place.line()),
                column: place.map_or(1, |place| place.column()),
                message: in_short(&error.to_string()),
            }
        }),
        DataFormat::Toml => toml::from_str::<IgnoredAny>(text).err().map(|error| {
            let before = &text[..text.floor_char_boundary(error.span().map_or(0, |span| span.start))];
            let line = before.rsplit('\n').next().unwrap_or_default();
            SyntaxFault {
                line: before.matches('\n').count() as u64 + 1,
                column: line.chars().count() as u64 + 1,
                message: in_short(error.message()),
            }
        }),
    }
}

/// Its first line, without the place, which is told by itself.
fn in_short(message: &str) -> String {
    let line = message.lines().next().unwrap_or_default();
    let line = line.strip_prefix("error: ").unwrap_or(line);
    let line = match line.strip_prefix("line ").and_then(|rest| rest.split_once(": ")) {
        Some((_, said)) => said,
        None => line,
    };
    line.split(" at line ").next().unwrap_or_default().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use DataFormat::{Json, Toml, Yaml};

    #[test]
    fn a_fault_has_its_place_and_what_is_in_order_has_none() {
        for (format, text, place) in [
            (Json, "{\"a\": [1, 2]}", None),
            (Json, "{\"a\": 1,\n \"b\" 2}", Some((2, 6))),
            (Json, "", Some((1, 1))),
            (Yaml, "a: 1\n---\nb: [1, 2]\n", None),
            (Yaml, "a: 1\nb: [1, 2\n", Some((2, 4))),
            (Toml, "a = 1\n[b]\nc = \"ä\"\n", None),
            (Toml, "a = 1\nb = = 2\n", Some((2, 5))),
        ] {
            let found = fault(format, text);
            assert_eq!(found.as_ref().map(|fault| (fault.line, fault.column)), place, "{text:?}: {found:?}");
            let is_short = |message: &str| !message.is_empty() && !message.contains(['\n', '1', '2']);
            assert!(found.is_none_or(|fault| is_short(&fault.message)));
        }
    }
}
