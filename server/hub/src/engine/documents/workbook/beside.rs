//! What lies on the sheets of an XLSX beside their cells, which the reader of these passes over: notes, charts and
//! pictures.

use office_oxide::core::Result;
use office_oxide::core::chart::chart_text_lines;
use office_oxide::core::opc::{OpcReader, PartName};
use office_oxide::core::relationships::{Relationships, TargetMode, rel_types};
use office_oxide::core::xml::{
    make_fast_reader, optional_attr_str, optional_prefixed_attr_str, read_text_content_fast,
};
use quick_xml::events::Event;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Cursor;

/// Of one kind on one sheet that are told, and characters of one.
const MOST_LINES: usize = 200;
const LONGEST: usize = 2_000;

pub(super) struct Beside {
    package: OpcReader<Cursor<Vec<u8>>>,
    /// The part of each sheet, by its name.
    sheets: BTreeMap<String, PartName>,
}

struct Note {
    cell: String,
    /// Which of the authors of its part wrote it.
    author: Option<usize>,
    text: String,
}

impl Beside {
    pub(super) fn of(bytes: Vec<u8>) -> Result<Self> {
        let mut package = OpcReader::new(Cursor::new(bytes))?;
        let book = package.main_document_part()?;
        let (leads, xml) = (package.read_rels_for(&book)?, package.read_part(&book)?);
        let mut sheets = BTreeMap::new();
        let mut reader = make_fast_reader(&xml);
        loop {
            match reader.read_event()? {
                Event::Start(ref tag) | Event::Empty(ref tag) if tag.local_name().as_ref() == "sheet" => {
                    let name = optional_attr_str(tag, "name")?;
                    if let (Some(name), Some(id)) = (name, optional_prefixed_attr_str(tag, "id")?) {
                        sheets.insert(name.into_owned(), leads.resolve_target(&id, &book)?);
                    }
                }
                Event::Eof => return Ok(Self { package, sheets }),
                _ => {}
            }
        }
    }

    /// On the sheet of this name, as Markdown. Nothing is an empty text.
    pub(super) fn on(&mut self, sheet: &str) -> Result<String> {
        let Some(part) = self.sheets.get(sheet).cloned() else { return Ok(String::new()) };
        let leads = self.package.read_rels_for(&part)?;
        let notes = self.notes(&part, &leads)?;
        let (mut charts, mut pictures) = (Vec::new(), Vec::new());
        for (drawing, xml) in self.parts(&part, &leads, rel_types::DRAWING)? {
            let leads = self.package.read_rels_for(&drawing)?;
            for (_, chart) in self.parts(&drawing, &leads, rel_types::CHART)? {
                charts.push(chart_text_lines(&chart).join("; "));
            }
            pictures.extend(pictures_of(&xml)?);
        }
        Ok([("Notes on cells", notes), ("Charts", charts), ("Pictures", pictures)]
            .iter()
            .map(|(title, lines)| listed(title, lines))
            .collect())
    }

    /// Each as a line. Newer programs write what was said to each other, and once more for older ones.
    fn notes(&mut self, sheet: &PartName, leads: &Relationships) -> Result<Vec<String>> {
        let (mut lines, mut known) = (Vec::new(), BTreeSet::new());
        for kind in [rel_types::THREADED_COMMENTS, rel_types::COMMENTS] {
            let mut cells = BTreeSet::new();
            for (_, xml) in self.parts(sheet, leads, kind)? {
                let (authors, notes) = notes_of(&xml)?;
                for note in notes.into_iter().filter(|note| !known.contains(&note.cell)) {
                    let by = note.author.and_then(|at| authors.get(at)).filter(|by| !by.is_empty());
                    let by = by.map(|by| format!(" ({by})")).unwrap_or_default();
                    lines.push(format!("{}{by}: {}", note.cell, note.text));
                    cells.insert(note.cell);
                }
            }
            known.extend(cells);
        }
        Ok(lines)
    }

    /// Those of one kind that a part leads to.
    fn parts(
        &mut self,
        from: &PartName,
        leads: &Relationships,
        kind: &str,
    ) -> Result<Vec<(PartName, Vec<u8>)>> {
        let within =
            leads.get_by_type(kind).into_iter().filter(|lead| lead.target_mode == TargetMode::Internal);
        let read = within.map(|lead| -> Result<(PartName, Vec<u8>)> {
            let part = from.resolve_relative(&lead.target)?;
            let bytes = self.package.read_part(&part)?;
            Ok((part, bytes))
        });
        read.collect()
    }
}

fn notes_of(xml: &[u8]) -> Result<(Vec<String>, Vec<Note>)> {
    let (mut authors, mut notes) = (Vec::new(), Vec::<Note>::new());
    let mut reader = make_fast_reader(xml);
    loop {
        match reader.read_event()? {
            Event::Start(ref tag) => match tag.local_name().as_ref() {
                "author" => authors.push(read_text_content_fast(&mut reader)?),
                "comment" | "threadedComment" => {
                    let cell = optional_attr_str(tag, "ref")?.unwrap_or_default().into_owned();
                    let author = optional_attr_str(tag, "authorId")?.and_then(|id| id.parse().ok());
                    notes.push(Note { cell, author, text: String::new() });
                }
                "text" => {
                    let text = read_text_content_fast(&mut reader)?;
                    if let Some(note) = notes.last_mut() {
                        note.text.push_str(&text);
                    }
                }
                _ => {}
            },
            Event::Eof => return Ok((authors, notes)),
            _ => {}
        }
    }
}

/// What stands for each to who does not see it.
fn pictures_of(xml: &[u8]) -> Result<Vec<String>> {
    let (mut pictures, mut is_within) = (Vec::new(), false);
    let mut reader = make_fast_reader(xml);
    loop {
        match reader.read_event()? {
            Event::Start(ref tag) if tag.local_name().as_ref() == "pic" => is_within = true,
            Event::End(ref tag) if tag.local_name().as_ref() == "pic" => is_within = false,
            Event::Start(ref tag) | Event::Empty(ref tag)
                if is_within && tag.local_name().as_ref() == "cNvPr" =>
            {
                pictures.push(optional_attr_str(tag, "descr")?.unwrap_or_default().into_owned());
            }
            Event::Eof => return Ok(pictures),
            _ => {}
        }
    }
}

pub(super) fn listed(title: &str, lines: &[String]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let told = lines.iter().take(MOST_LINES).map(|line| match line.trim() {
        "" => "- [without words]\n".to_owned(),
        line => {
            let line: String = line.chars().take(LONGEST).collect();
            format!("- {}\n", line.lines().collect::<Vec<_>>().join("\n  "))
        }
    });
    let more = lines.len().saturating_sub(MOST_LINES);
    let more = if more > 0 { format!("- [and {more} more]\n") } else { String::new() };
    format!("\n{title}:\n{}{more}", told.collect::<String>())
}
