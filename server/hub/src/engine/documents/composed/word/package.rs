//! The package of a DOCX, with what its writer has no words for.

use super::charts::Charts;
use super::field::Contents;
use super::{footnotes, levels, styles};
use office_oxide::core::opc::{OpcReader, OpcWriter};
use office_oxide::core::relationships::rel_types;
use office_oxide::core::{Error, Result};
use std::io::Cursor;

const DOCUMENT: &str = "/word/document.xml";
const STYLES: &str = "/word/styles.xml";
const NUMBERING: &str = "/word/numbering.xml";
const FOOTNOTES: &str = "/word/footnotes.xml";
const UNKNOWN: &str = "application/octet-stream";

/// With the styles, the levels of lists, the numbers of footnotes, the contents and the charts.
pub(super) fn completed(bytes: Cursor<Vec<u8>>, contents: &Contents, charts: &Charts) -> Result<Vec<u8>> {
    let mut package = OpcReader::new(bytes)?;
    let mut whole = OpcWriter::new(Cursor::new(Vec::new()))?;
    for (ending, kind) in package.content_types().defaults() {
        whole.register_default_content_type(ending, kind);
    }
    for leads in package.package_rels().all() {
        whole.add_package_rel(&leads.rel_type, &leads.target);
    }
    for name in package.part_names() {
        for leads in package.read_rels_for(&name)?.all() {
            let id = whole.add_part_rel_with_mode(&name, &leads.rel_type, &leads.target, leads.target_mode);
            // The text has the ids, which are counted.
            if id != leads.id {
                return Err(Error::RelationshipNotFound(leads.id.clone()));
            }
        }
        let kind = package.content_types().resolve(&name).unwrap_or(UNKNOWN).to_owned();
        let bytes = package.read_part(&name)?;
        let with = |edit: &dyn Fn(&str) -> String| edit(&String::from_utf8_lossy(&bytes)).into_bytes();
        let bytes = match name.as_str() {
            STYLES => with(&styles::with_more),
            NUMBERING => with(&levels::with_places),
            FOOTNOTES => with(&footnotes::with_numbers),
            DOCUMENT => {
                let mut ids = Vec::new();
                for (number, chart) in charts.all() {
                    let target = format!("charts/chart{number}.xml");
                    ids.push(whole.add_part_rel(&name, rel_types::CHART, &target));
                    chart.add_to(&mut whole, "word", number)?;
                }
                with(&|xml: &str| charts.put_into(&contents.put_into(xml), &ids))
            }
            _ => bytes,
        };
        whole.add_part(&name, &kind, &bytes)?;
    }
    Ok(whole.finish()?.into_inner())
}
