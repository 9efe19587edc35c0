//! Documents of parts: what a model wrote of them, and the files that they name.

use super::chart::csv;
use super::document::{Asked, given, paper};
use super::pictures::{self, Allowance, Pictures};
use super::text;
use crate::documents::{Draft, Format, Named, NamedTable, Parts, PartsDraft, blocks, names, slides};
use crate::gateway::Caller;
use crate::tools::ToolError;
use agent::tools::{ResolvedCall, whole_path};

/// Characters of what a document says of itself.
const LONGEST: usize = 1_000;

/// The parts that a call gives, none: it gives something else.
pub(super) fn parts_of(call: &ResolvedCall, format: Format) -> Result<Option<Parts>, ToolError> {
    let input = |name: &str| call.input().get(name).filter(|value| !value.is_null());
    let (of_text, of_deck, layout) = (input("blocks"), input("slides"), input("layout"));
    let is_alone = text(call, "content").is_empty() && input("sheets").is_none();
    let parts = match (format, of_text, of_deck) {
        (_, None, None) if layout.is_none() => return Ok(None),
        (_, None, None) => Err("layout belongs to blocks or slides. Leave it out, or give these.".to_owned()),
        (_, Some(_), Some(_)) => {
            Err("Give blocks for a DOCX or PDF, or slides for a PPTX, not both.".to_owned())
        }
        _ if !is_alone => Err("With blocks or slides give no content and no sheets.".to_owned()),
        (Format::Docx | Format::Pdf, Some(values), None) => blocks(values, layout),
        (Format::Pptx, None, Some(values)) => slides(values, layout),
        (_, Some(_), None) => {
            Err("blocks make a DOCX or a PDF: let the path end in .docx or .pdf.".to_owned())
        }
        (_, None, Some(_)) => Err("slides make a PPTX: let the path end in .pptx.".to_owned()),
    };
    parts.map(Some).map_err(ToolError)
}

/// With the files that they name, without which nothing is made.
pub(super) async fn asked(
    caller: &Caller<'_>,
    call: &ResolvedCall,
    parts: Parts,
    format: Format,
) -> Result<Asked, ToolError> {
    let (title, author) = (given(call, "title"), given(call, "author"));
    for (name, said) in [("title", &title), ("author", &author)] {
        let length = said.as_ref().map_or(0, |said| said.chars().count());
        if length > LONGEST {
            return Err(ToolError(format!("{name} has {length} characters, and can have {LONGEST}.")));
        }
    }
    let Named { pictures, tables: named } = names(&parts);
    let mut allowance = Allowance::whole();
    let Pictures { named: pictures, notes, mut untrusted } =
        pictures::named(caller, &pictures, &mut allowance).await?;
    let mut tables: Vec<NamedTable> = Vec::new();
    for (place, name) in named {
        if tables.iter().any(|table| table.name == name) {
            continue;
        }
        let path = whole_path(&name);
        let read = allowance.in_time(&place, csv(caller, &path)).await?;
        let (csv, is_by_strangers) = read.map_err(|ToolError(why)| ToolError(format!("{place}: {why}")))?;
        allowance.take(&place, csv.len())?;
        untrusted |= is_by_strangers;
        tables.push(NamedTable { name, csv, untrusted: is_by_strangers });
    }
    let draft = PartsDraft {
        parts,
        title,
        author,
        is_pdf: format == Format::Pdf,
        paper: paper(call),
        pictures,
        tables,
    };
    Ok(Asked { draft: Draft::Parts(draft), notes, untrusted })
}
