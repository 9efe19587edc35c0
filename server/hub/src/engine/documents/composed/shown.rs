//! Pictures and charts of a document of parts.

use super::chart::{Look, Native};
use crate::engine::chart::{Chart, draw, read};
use crate::engine::documents::pictures::{Prepared, prepared};
use crate::engine::job::{ChartDraft, ChartTable, NamedPicture};
use crate::engine::structure::{ChartPart, PartsDraft};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::ops::Range;

/// Where the height of a PNG stands, after its width: four bytes each.
const WIDTH: Range<usize> = 16..20;
const HEIGHT: Range<usize> = 20..24;

pub(in crate::engine::documents) struct Shown<'d> {
    draft: &'d PartsDraft,
    pictures: Vec<Prepared>,
    /// What of the parts is not in it as it was meant, in sentences.
    pub(in crate::engine::documents) notes: Vec<String>,
}

impl<'d> Shown<'d> {
    pub(in crate::engine::documents) fn of(draft: &'d PartsDraft) -> Self {
        // One that is missing is told of where it is to stand.
        let pictures =
            draft.pictures.iter().flat_map(|one| prepared(std::slice::from_ref(one), &mut Vec::new()));
        Self { draft, pictures: pictures.collect(), notes: Vec::new() }
    }

    pub(in crate::engine::documents) fn picture(&self, place: &str, path: &str) -> Result<&Prepared, String> {
        let found = self.pictures.iter().find(|picture| picture.name == path);
        found.ok_or_else(|| {
            let is_named = |picture: &&NamedPicture| picture.name == path;
            let mut why = Vec::new();
            prepared(self.draft.pictures.iter().find(is_named).map_or(&[], std::slice::from_ref), &mut why);
            format!("{place}.path: {}", why.first().map_or("there is no such picture.", String::as_str))
        })
    }

    /// A chart, as the picture that it is drawn as.
    pub(in crate::engine::documents) fn chart(
        &mut self,
        place: &str,
        part: &ChartPart,
    ) -> Result<Prepared, String> {
        let draft = self.draft_of(place, part)?;
        let drawn = draw(&draft).map_err(|why| format!("{place}: {why}"))?;
        self.notes.extend(drawn.notes.iter().map(|note| format!("{place}: {note}")));
        let picture = NamedPicture { name: String::new(), bytes: drawn.png };
        painted(&picture).ok_or_else(|| format!("{place}: it could not be painted."))
    }

    /// A chart that office programs draw of its numbers.
    pub(super) fn native(&mut self, place: &str, part: &ChartPart, look: Look) -> Result<Native, String> {
        let draft = self.draft_of(place, part)?;
        let Chart { table, notes } = read(&draft).map_err(|why| format!("{place}: {why}"))?;
        self.notes.extend(notes.iter().map(|note| format!("{place}: {note}")));
        Native::of(draft.kind, &table, look).map_err(|error| format!("{place}: {error}."))
    }

    fn draft_of(&self, place: &str, part: &ChartPart) -> Result<ChartDraft, String> {
        let (table, untrusted) = match (&part.path, &part.columns, &part.rows) {
            (None, Some(columns), Some(rows)) => {
                (ChartTable::Rows { columns: columns.clone(), rows: rows.clone() }, false)
            }
            (path, ..) => {
                let found = self.draft.tables.iter().find(|table| Some(&table.name) == path.as_ref());
                found
                    .map(|found| (ChartTable::Csv(found.csv.clone()), found.untrusted))
                    .ok_or_else(|| format!("{place}: give either the path of a CSV, or columns and rows."))?
            }
        };
        Ok(ChartDraft {
            kind: part.kind,
            title: part.title.clone(),
            x_title: part.x_title.clone(),
            y_title: part.y_title.clone(),
            table,
            x: part.x.clone(),
            y: part.y.clone(),
            untrusted,
        })
    }
}

/// A PNG of our own, which needs no reader.
fn painted(picture: &NamedPicture) -> Option<Prepared> {
    let bytes = STANDARD.decode(&picture.bytes).ok()?;
    let number = |at: Range<usize>| Some(u32::from_be_bytes(bytes.get(at)?.try_into().ok()?));
    let (width, height) = (number(WIDTH)?, number(HEIGHT)?);
    Some(Prepared { name: String::new(), bytes, is_png: true, width, height })
}
