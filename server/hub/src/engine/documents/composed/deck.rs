//! PPTX of slides: a package with one master, a layout for each kind of slide, and slides whose texts stand in the
//! places of their layouts.

mod body;
mod layouts;
mod room;
mod slide;
mod table;
mod theme;

use super::shown::Shown;
use crate::engine::structure::{Look, Ratio, Slide};
use office_oxide::core::core_properties::add_property_parts;
use office_oxide::core::opc::{OpcWriter, PartName};
use office_oxide::core::relationships::{TargetMode, rel_types};
use office_oxide::ir::Metadata;
use room::Size;
use slide::{Drawn, Target};
use std::io::Cursor;
use theme::Palette;

type Package = OpcWriter<Cursor<Vec<u8>>>;
type Done<T> = office_oxide::core::Result<T>;

const KIND: &str = "application/vnd.openxmlformats-officedocument.presentationml.";
const KIND_OF_THEME: &str = "application/vnd.openxmlformats-officedocument.theme+xml";
const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>";
const NAMES: &str = "xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\" \
    xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\" \
    xmlns:p=\"http://schemas.openxmlformats.org/presentationml/2006/main\"";
const PRESENTATION: &str = "/ppt/presentation.xml";
const MASTER: &str = "/ppt/slideMasters/slideMaster1.xml";
const NOTES_MASTER: &str = "/ppt/notesMasters/notesMaster1.xml";
/// Ids of slides, and of the master and its layouts, begin there.
const FIRST_SLIDE: usize = 256;
const FIRST_LAYOUT: u64 = 2_147_483_648;

pub(super) fn write(
    slides: &[Slide],
    look: &Look,
    metadata: &Metadata,
    shown: &mut Shown<'_>,
) -> Result<Vec<u8>, String> {
    let (size, palette) = (Size::of(look.ratio), Palette::of(&look.theme));
    let drawn = slides
        .iter()
        .enumerate()
        .map(|(at, one)| slide::draw(&format!("slides[{at}]"), one, size, palette, shown));
    let drawn: Vec<Drawn> = drawn.collect::<Result<_, _>>()?;
    package(&drawn, look, size, metadata).map_err(|error| format!("{error}."))
}

fn package(slides: &[Drawn], look: &Look, size: Size, metadata: &Metadata) -> Done<Vec<u8>> {
    let mut package = OpcWriter::new(Cursor::new(Vec::new()))?;
    let presentation = PartName::new(PRESENTATION)?;
    package.add_package_rel(rel_types::OFFICE_DOCUMENT, "ppt/presentation.xml");
    add_property_parts(&mut package, Some(metadata))?;
    let has_notes = slides.iter().any(|slide| slide.notes.is_some());
    let master =
        package.add_part_rel(&presentation, rel_types::SLIDE_MASTER, "slideMasters/slideMaster1.xml");
    package.add_part_rel(&presentation, rel_types::THEME, "theme/theme1.xml");
    package.add_part_rel(&presentation, rel_types::PRES_PROPS, "presProps.xml");
    let notes = has_notes.then(|| {
        package.add_part_rel(&presentation, rel_types::NOTES_MASTER, "notesMasters/notesMaster1.xml")
    });
    let ids: Vec<String> = (1..=slides.len())
        .map(|number| {
            package.add_part_rel(&presentation, rel_types::SLIDE, &format!("slides/slide{number}.xml"))
        })
        .collect();
    add(
        &mut package,
        PRESENTATION,
        "presentation.main+xml",
        &opening(&master, notes.as_deref(), &ids, size, look.ratio),
    )?;
    let properties = format!("{HEAD}<p:presentationPr {NAMES}/>");
    add(&mut package, "/ppt/presProps.xml", "presProps+xml", &properties)?;
    add_masters(&mut package, look, size, has_notes)?;
    let mut added = Added::default();
    for (drawn, number) in slides.iter().zip(1..) {
        add_slide(&mut package, drawn, number, &mut added)?;
    }
    Ok(package.finish()?.into_inner())
}

fn add(package: &mut Package, name: &str, kind: &str, xml: &str) -> Done<()> {
    package.add_part(&PartName::new(name)?, &format!("{KIND}{kind}"), xml.as_bytes())
}

fn opening(master: &str, notes: Option<&str>, slides: &[String], size: Size, ratio: Ratio) -> String {
    let notes = notes.map_or_else(String::new, |id| {
        format!("<p:notesMasterIdLst><p:notesMasterId r:id=\"{id}\"/></p:notesMasterIdLst>")
    });
    let slides = slides
        .iter()
        .zip(FIRST_SLIDE..)
        .map(|(id, number)| format!("<p:sldId id=\"{number}\" r:id=\"{id}\"/>"));
    let slides: String = slides.collect();
    let kind = if ratio == Ratio::Narrow { " type=\"screen4x3\"" } else { "" };
    let Size { wide, high } = size;
    format!(
        "{HEAD}<p:presentation {NAMES} saveSubsetFonts=\"1\"><p:sldMasterIdLst>\
         <p:sldMasterId id=\"{FIRST_LAYOUT}\" r:id=\"{master}\"/></p:sldMasterIdLst>{notes}\
         <p:sldIdLst>{slides}</p:sldIdLst><p:sldSz cx=\"{wide}\" cy=\"{high}\"{kind}/>\
         <p:notesSz cx=\"6858000\" cy=\"9144000\"/></p:presentation>"
    )
}

fn add_masters(package: &mut Package, look: &Look, size: Size, has_notes: bool) -> Done<()> {
    let master = PartName::new(MASTER)?;
    let mut ids = Vec::new();
    for (number, layout) in (1..).zip(layouts::all(size)) {
        let target = format!("../slideLayouts/slideLayout{number}.xml");
        ids.push(package.add_part_rel(&master, rel_types::SLIDE_LAYOUT, &target));
        let name = format!("/ppt/slideLayouts/slideLayout{number}.xml");
        package.add_part_rel(
            &PartName::new(&name)?,
            rel_types::SLIDE_MASTER,
            "../slideMasters/slideMaster1.xml",
        );
        add(package, &name, "slideLayout+xml", &layout)?;
    }
    package.add_part_rel(&master, rel_types::THEME, "../theme/theme1.xml");
    let ids: String = ids
        .iter()
        .zip(FIRST_LAYOUT + 1..)
        .map(|(id, number)| format!("<p:sldLayoutId id=\"{number}\" r:id=\"{id}\"/>"))
        .collect();
    add(package, MASTER, "slideMaster+xml", &layouts::master(size, &ids))?;
    let theme = theme::theme(&look.theme, &Palette::of(&look.theme));
    package.add_part(&PartName::new("/ppt/theme/theme1.xml")?, KIND_OF_THEME, theme.as_bytes())?;
    if has_notes {
        package.add_part_rel(&PartName::new(NOTES_MASTER)?, rel_types::THEME, "../theme/theme2.xml");
        add(package, NOTES_MASTER, "notesMaster+xml", &layouts::notes_master())?;
        package.add_part(&PartName::new("/ppt/theme/theme2.xml")?, KIND_OF_THEME, theme.as_bytes())?;
    }
    Ok(())
}

/// How many there are of what has a part of its own.
#[derive(Default)]
struct Added {
    pictures: usize,
    charts: usize,
}

fn add_slide(package: &mut Package, slide: &Drawn, number: usize, added: &mut Added) -> Done<()> {
    let name = format!("/ppt/slides/slide{number}.xml");
    let part = PartName::new(&name)?;
    let layout = layouts::number(slide.layout);
    package.add_part_rel(&part, rel_types::SLIDE_LAYOUT, &format!("../slideLayouts/slideLayout{layout}.xml"));
    let mut ids = Vec::new();
    for target in &slide.targets {
        ids.push(match target {
            Target::Address(address) => {
                package.add_part_rel_with_mode(&part, rel_types::HYPERLINK, address, TargetMode::External)
            }
            Target::Picture { bytes, is_png } => {
                added.pictures += 1;
                let pictures = added.pictures;
                let (ending, kind) = if *is_png { ("png", "image/png") } else { ("jpg", "image/jpeg") };
                package.register_default_content_type(ending, kind);
                let media = PartName::new(&format!("/ppt/media/image{pictures}.{ending}"))?;
                package.add_part(&media, kind, bytes)?;
                package.add_part_rel(&part, rel_types::IMAGE, &format!("../media/image{pictures}.{ending}"))
            }
            Target::Chart(chart) => {
                added.charts += 1;
                let charts = added.charts;
                chart.add_to(package, "ppt", charts)?;
                package.add_part_rel(&part, rel_types::CHART, &format!("../charts/chart{charts}.xml"))
            }
        });
    }
    if let Some(notes) = &slide.notes {
        let name = format!("/ppt/notesSlides/notesSlide{number}.xml");
        let part_of_notes = PartName::new(&name)?;
        package.add_part_rel(
            &part,
            rel_types::NOTES_SLIDE,
            &format!("../notesSlides/notesSlide{number}.xml"),
        );
        package.add_part_rel(&part_of_notes, rel_types::SLIDE, &format!("../slides/slide{number}.xml"));
        package.add_part_rel(&part_of_notes, rel_types::NOTES_MASTER, "../notesMasters/notesMaster1.xml");
        add(package, &name, "notesSlide+xml", notes)?;
    }
    add(package, &name, "slide+xml", &slide.with(&ids))
}
