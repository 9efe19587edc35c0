//! Tables as Markdown, and CSV as one.

use super::{LONGEST, Unopened};
use crate::engine::convert::separated;
use crate::engine::job::{DocumentPart, DocumentText};
use csv::{ReaderBuilder, StringRecord};
use std::fmt::Write as _;

pub(super) fn read(bytes: &[u8]) -> Result<DocumentText, Unopened> {
    let text = String::from_utf8_lossy(bytes);
    let (delimiter, text) = separated(&text);
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter)
        .from_reader(text.as_bytes());
    let mut markdown = String::new();
    let mut columns = 0;
    let mut record = StringRecord::new();
    while reader.read_record(&mut record).map_err(|error| Unopened::Broken(error.to_string()))? {
        let is_first = columns == 0;
        columns = columns.max(record.len());
        row(&mut markdown, record.iter());
        if is_first {
            rule(&mut markdown, columns);
        }
        if markdown.len() > LONGEST {
            return Err(Unopened::TooLong);
        }
    }
    let part = DocumentPart { number: 1, title: String::new(), text: markdown };
    Ok(DocumentText {
        parts: vec![part],
        of: 1,
        has_macros: false,
        has_changes: false,
        has_files: false,
        wordless: Vec::new(),
    })
}

/// Writes a line of a table.
pub(super) fn row<'c>(markdown: &mut String, cells: impl Iterator<Item = &'c str>) {
    markdown.push('|');
    for cell in cells {
        let words: Vec<&str> = cell.split_whitespace().collect();
        let cell = words.join(" ").replace('\\', "\\\\").replace('|', "\\|");
        write!(markdown, " {cell} |").expect("it is a text");
    }
    markdown.push('\n');
}

/// Writes what stands below the head of a table.
pub(super) fn rule(markdown: &mut String, columns: usize) {
    markdown.push('|');
    markdown.push_str(&" --- |".repeat(columns));
    markdown.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_csv_is_a_table_whatever_stands_between_its_cells() {
        for (csv, expected) in [
            ("a,b\n1,2\n", "| a | b |\n| --- | --- |\n| 1 | 2 |\n"),
            ("\u{feff}a;b\r\n1,5;2\r\n", "| a | b |\n| --- | --- |\n| 1,5 | 2 |\n"),
            ("sep=;\na;b,c\n1;2\n", "| a | b,c |\n| --- | --- |\n| 1 | 2 |\n"),
            ("a\tb\n\"x\ny\"\t\"|\"\n", "| a | b |\n| --- | --- |\n| x y | \\| |\n"),
            ("", ""),
        ] {
            assert_eq!(read(csv.as_bytes()).unwrap().parts[0].text, expected, "{csv:?}");
        }
    }
}
