//! The files that a document of parts names, and where.

use crate::engine::structure::{Block, Column, Parts};

/// Files by the place that names them, in order.
#[derive(Default)]
pub(crate) struct Named {
    pub(crate) pictures: Vec<(String, String)>,
    /// CSV that charts draw.
    pub(crate) tables: Vec<(String, String)>,
}

pub(crate) fn names(parts: &Parts) -> Named {
    let mut named = Named::default();
    match parts {
        Parts::Blocks { blocks, .. } => {
            for (at, block) in blocks.iter().enumerate() {
                match block {
                    Block::Picture(part) => {
                        named.pictures.push((format!("blocks[{at}].path"), part.path.clone()))
                    }
                    Block::Chart(part) => {
                        named
                            .tables
                            .extend(part.path.clone().map(|path| (format!("blocks[{at}].path"), path)));
                    }
                    _ => {}
                }
            }
        }
        Parts::Slides { slides, .. } => {
            for (at, slide) in slides.iter().enumerate() {
                let place = format!("slides[{at}]");
                named.add(&place, &slide.body());
                for (name, column) in [("left", &slide.left), ("right", &slide.right)] {
                    if let Some(column) = column {
                        named.add(&format!("{place}.{name}"), column);
                    }
                }
            }
        }
    }
    named
}

impl Named {
    fn add(&mut self, place: &str, column: &Column) {
        if let Some(picture) = &column.picture {
            self.pictures.push((format!("{place}.picture.path"), picture.path.clone()));
        }
        let path = column.chart.as_ref().and_then(|chart| chart.path.clone());
        self.tables.extend(path.map(|path| (format!("{place}.chart.path"), path)));
    }
}
