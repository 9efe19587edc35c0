//! Tables whose cells may be several.

use super::words::{Align, Colour, OfWords, Words};
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;

#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Table {
    #[serde(default)]
    pub(crate) header: Vec<Cell>,
    pub(crate) rows: Vec<Vec<Cell>>,
    /// How wide the columns are to each other.
    #[serde(default)]
    pub(crate) widths: Vec<f64>,
    /// Column by column.
    #[serde(default)]
    pub(crate) align: Vec<Align>,
    #[serde(default)]
    pub(crate) caption: Option<String>,
}

/// Written as a text, a number, true, false, null, a list of runs, or with what it spans.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Cell {
    pub(crate) text: Words,
    pub(crate) colspan: usize,
    pub(crate) rowspan: usize,
    pub(crate) background: Option<Colour>,
    pub(crate) align: Option<Align>,
}

/// What stands at a place of the grid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Spot<'t> {
    Cell(&'t Cell),
    /// Of a cell that begins further left, or above, or both.
    Covered {
        left: bool,
        above: bool,
    },
}

/// Why the cells of a row are no grid with those of the others. The header is the first row if there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Misfit {
    /// As wide as its cells are with those that reach into it.
    Width { row: usize, has: usize },
    /// A cell reaches below the last row, or across one that another covers.
    Span { row: usize, cell: usize },
}

impl Table {
    pub(crate) fn all_rows(&self) -> impl Iterator<Item = &[Cell]> {
        let header = (!self.header.is_empty()).then_some(self.header.as_slice());
        header.into_iter().chain(self.rows.iter().map(Vec::as_slice))
    }

    /// Columns of the first row.
    pub(crate) fn columns(&self) -> usize {
        let widths = |row: &[Cell]| row.iter().map(|cell| cell.colspan).fold(0, usize::saturating_add);
        self.all_rows().next().map_or(0, widths)
    }

    /// All rows, as wide as the first. Needs spans within reason.
    pub(crate) fn grid(&self) -> Result<Vec<Vec<Spot<'_>>>, Misfit> {
        let (columns, count) = (self.columns(), self.all_rows().count());
        // Rows that a cell above covers yet in each column, and whether that cell begins there.
        let mut covered = vec![(0_usize, false); columns];
        let mut grid = Vec::new();
        for (row, cells) in self.all_rows().enumerate() {
            let free = covered.iter().filter(|(left, _)| *left == 0).count();
            let wanted = cells.iter().map(|cell| cell.colspan).fold(0, usize::saturating_add);
            if wanted != free {
                return Err(Misfit::Width { row, has: wanted.saturating_add(columns - free) });
            }
            let mut spots: Vec<Spot<'_>> = Vec::with_capacity(columns);
            let mut cells = cells.iter().enumerate();
            while spots.len() < columns {
                let at = spots.len();
                if let (1.., begins) = covered[at] {
                    covered[at].0 -= 1;
                    spots.push(Spot::Covered { left: !begins, above: true });
                    continue;
                }
                let Some((number, cell)) = cells.next() else { break };
                let reaches = at..at + cell.colspan;
                let is_free = reaches.end <= columns && covered[reaches.clone()].iter().all(|one| one.0 == 0);
                if !is_free || cell.colspan == 0 || cell.rowspan == 0 || cell.rowspan > count - row {
                    return Err(Misfit::Span { row, cell: number });
                }
                for column in reaches {
                    covered[column] = (cell.rowspan - 1, column == at);
                    spots.push(match column == at {
                        true => Spot::Cell(cell),
                        false => Spot::Covered { left: true, above: false },
                    });
                }
            }
            grid.push(spots);
        }
        Ok(grid)
    }

    /// How much of the width each column has, of 1.
    pub(crate) fn shares(&self) -> Vec<f64> {
        let columns = self.columns();
        let widths = if self.widths.len() == columns { self.widths.clone() } else { vec![1.0; columns] };
        let all: f64 = widths.iter().sum();
        widths.into_iter().map(|width| width / all).collect()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Spanning {
    text: Words,
    #[serde(default = "one")]
    colspan: usize,
    #[serde(default = "one")]
    rowspan: usize,
    background: Option<Colour>,
    align: Option<Align>,
}

const fn one() -> usize {
    1
}

impl From<Words> for Cell {
    fn from(text: Words) -> Self {
        Self { text, colspan: 1, rowspan: 1, background: None, align: None }
    }
}

impl<'de> Deserialize<'de> for Cell {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OfCell)
    }
}

struct OfCell;

impl<'de> Visitor<'de> for OfCell {
    type Value = Cell;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text, a number, true, false, null, a list of runs, or {\"text\": …, \"colspan\": 2}")
    }

    fn visit_unit<E: Error>(self) -> Result<Cell, E> {
        Ok(Words::default().into())
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Cell, E> {
        self.visit_str(&value.to_string())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Cell, E> {
        self.visit_str(&value.to_string())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Cell, E> {
        self.visit_str(&value.to_string())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Cell, E> {
        self.visit_str(&value.to_string())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Cell, E> {
        OfWords.visit_str(text).map(Cell::from)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, runs: A) -> Result<Cell, A::Error> {
        Words::deserialize(SeqAccessDeserializer::new(runs)).map(Cell::from)
    }

    fn visit_map<A: MapAccess<'de>>(self, cell: A) -> Result<Cell, A::Error> {
        let Spanning { text, colspan, rowspan, background, align } =
            Spanning::deserialize(MapAccessDeserializer::new(cell))?;
        Ok(Cell { text, colspan, rowspan, background, align })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn cells_that_span_cover_those_beside_and_below_and_rows_that_do_not_fit_are_named() {
        let wide =
            |colspan: usize, rowspan: usize| json!({ "text": "x", "colspan": colspan, "rowspan": rowspan });
        for (rows, expected) in [
            (json!([["a", 1], [null, true]]), Ok("cc cc")),
            (json!([[wide(2, 1)], ["a", "b"]]), Ok("cl cc")),
            (json!([[wide(2, 2), "a"], ["b"]]), Ok("clc abc")),
            (json!([["a", wide(1, 2)], ["b"]]), Ok("cc ca")),
            (json!([]), Ok("")),
            (json!([["a", "b"], ["c"]]), Err(Misfit::Width { row: 1, has: 1 })),
            (json!([["a", wide(1, 2)], ["b", "c"]]), Err(Misfit::Width { row: 1, has: 3 })),
            (json!([["a", wide(1, 2)]]), Err(Misfit::Span { row: 0, cell: 1 })),
            (json!([["a", wide(1, 2), "b"], [wide(2, 1)]]), Err(Misfit::Span { row: 1, cell: 0 })),
            (json!([[wide(0, 1), "a"]]), Err(Misfit::Span { row: 0, cell: 0 })),
        ] {
            let table: Table = serde_json::from_value(json!({ "rows": Value::clone(&rows) })).unwrap();
            let shown = table.grid().map(|grid| {
                let letter = |spot: &Spot<'_>| match spot {
                    Spot::Cell(_) => 'c',
                    Spot::Covered { left: true, above: true } => 'b',
                    Spot::Covered { left: true, .. } => 'l',
                    Spot::Covered { .. } => 'a',
                };
                let rows: Vec<String> = grid.iter().map(|row| row.iter().map(letter).collect()).collect();
                rows.join(" ")
            });
            assert_eq!(shown, expected.map(str::to_owned), "{rows}");
        }
    }
}
