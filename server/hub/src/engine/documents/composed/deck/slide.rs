//! One slide: its parts, each in its place.

use super::super::chart::{Look, Native, URI};
use super::super::shown::Shown;
use super::super::xml::escaped;
use super::body::{self, Text};
use super::room::{Room, Size};
use super::theme::Palette;
use super::{layouts, table};
use crate::engine::documents::pictures::Prepared;
use crate::engine::structure::{Column, Layout, Slide, Words};

/// A slide before it has its place in the package.
pub(super) struct Drawn {
    pub(super) layout: Layout,
    xml: String,
    /// What it leads to. Where the id of one belongs stands its mark.
    pub(super) targets: Vec<Target>,
    pub(super) notes: Option<String>,
}

pub(super) enum Target {
    Address(String),
    Picture { bytes: Vec<u8>, is_png: bool },
    Chart(Native),
}

/// Stands around the number of a target. No text has it, because XML has no such letter.
const MARK: char = '\u{1}';
const TABLE: &str = "http://schemas.openxmlformats.org/drawingml/2006/table";

impl Drawn {
    /// With the ids of what it leads to.
    pub(super) fn with(&self, ids: &[String]) -> String {
        let parts = self.xml.split(MARK).enumerate().map(|(at, part)| match at % 2 {
            0 => part,
            _ => part.parse::<usize>().ok().and_then(|number| ids.get(number)).map_or("", String::as_str),
        });
        parts.collect()
    }
}

/// Shapes so far, and what they lead to.
pub(super) struct Canvas {
    shapes: String,
    count: usize,
    targets: Vec<Target>,
    pub(super) palette: Palette,
}

pub(super) fn draw(
    place: &str,
    of: &Slide,
    size: Size,
    palette: Palette,
    shown: &mut Shown<'_>,
) -> Result<Drawn, String> {
    let mut canvas = Canvas { shapes: String::new(), count: 1, targets: Vec::new(), palette };
    let layout = of.layout();
    if let Some(title) = &of.title {
        let kind = if layout == Layout::Title { "type=\"ctrTitle\"" } else { "type=\"title\"" };
        canvas.line("Title", kind, title);
    }
    let body = of.body();
    match layout {
        Layout::Title | Layout::Section => {
            let kind = if layout == Layout::Title {
                "type=\"subTitle\" idx=\"1\""
            } else {
                "type=\"body\" idx=\"1\""
            };
            if let Some(subtitle) = &of.subtitle {
                canvas.line("Subtitle", kind, subtitle);
            }
        }
        Layout::TwoColumns => {
            let rooms = size.body().split(2);
            for (column, (name, index, room)) in
                [&of.left, &of.right].into_iter().zip([("left", 1, rooms[0]), ("right", 2, rooms[1])])
            {
                let Some(column) = column else { continue };
                let ph = format!("sz=\"half\" idx=\"{index}\"");
                canvas.column(&format!("{place}.{name}"), column, room, Some(&ph), shown)?;
            }
        }
        Layout::Picture => {
            let (room, text) = size.body().uneven();
            if let Some(part) = &body.picture {
                let place = format!("{place}.picture");
                let picture = shown.picture(&place, &part.path)?;
                canvas.picture(picture, part.alt.as_deref(), room, Some("type=\"pic\" idx=\"1\""));
            }
            if body.has_words() {
                let text_of = Text::of(&body);
                text_of.note_overflow(place, text, &mut shown.notes);
                canvas.text("Text", Some("type=\"body\" sz=\"half\" idx=\"2\""), None, &text_of);
            }
        }
        Layout::Content => canvas.column(place, &body, size.body(), Some("idx=\"1\""), shown)?,
        Layout::Blank => canvas.column(place, &body, size.whole(), None, shown)?,
    }
    let notes = of.notes.as_deref().filter(|notes| !notes.trim().is_empty());
    Ok(Drawn {
        layout,
        xml: layouts::slide(&canvas.shapes),
        targets: canvas.targets,
        notes: notes.map(|notes| layouts::notes_slide(&body::lines(notes))),
    })
}

impl Canvas {
    fn id(&mut self) -> usize {
        self.count += 1;
        self.count
    }

    /// Remembers where something leads, and gives its mark.
    pub(super) fn lead_to(&mut self, target: Target) -> String {
        self.targets.push(target);
        format!("{MARK}{}{MARK}", self.targets.len() - 1)
    }

    fn line(&mut self, name: &str, kind: &str, words: &Words) {
        self.text(name, Some(kind), None, &Text::plain(words));
    }

    /// What a column has, each in its part of the room. Its words stand in the place of the layout if there is one.
    fn column(
        &mut self,
        place: &str,
        column: &Column,
        room: Room,
        kind: Option<&str>,
        shown: &mut Shown<'_>,
    ) -> Result<(), String> {
        let things = column.things();
        let mut rooms = room.shared(things).into_iter();
        let mut next = || rooms.next().unwrap_or(room);
        if column.has_words() {
            let (text, room) = (Text::of(column), next());
            text.note_overflow(place, room, &mut shown.notes);
            // Alone it stands where the layout has it.
            let own_room = (things > 1 || kind.is_none()).then_some(room);
            self.text("Text", kind, own_room, &text);
        }
        if let Some(of) = &column.table {
            let room = next();
            let xml = table::table(of, room, self);
            table::note_overflow(&format!("{place}.table"), of, room, &mut shown.notes);
            self.frame("Table", None, room, TABLE, &xml);
        }
        if let Some(part) = &column.picture {
            let picture = shown.picture(&format!("{place}.picture"), &part.path)?;
            self.picture(picture, part.alt.as_deref(), next(), None);
        }
        if let Some(part) = &column.chart {
            let chart = shown.native(&format!("{place}.chart"), part, Look::Theme)?;
            self.chart(chart, part.alt.as_deref().or(part.title.as_deref()), next());
        }
        Ok(())
    }

    fn text(&mut self, name: &str, kind: Option<&str>, room: Option<Room>, text: &Text<'_>) {
        let id = self.id();
        let (locks, place) = match kind {
            Some(kind) => (
                "<p:cNvSpPr><a:spLocks noGrp=\"1\"/></p:cNvSpPr>",
                format!("<p:nvPr><p:ph {kind}/></p:nvPr>"),
            ),
            None => ("<p:cNvSpPr txBox=\"1\"/>", "<p:nvPr/>".to_owned()),
        };
        let geometry = room.map_or_else(String::new, |room| {
            format!("{}<a:prstGeom prst=\"rect\"><a:avLst/></a:prstGeom>", room.xml('a'))
        });
        let paragraphs = text.xml(self);
        self.shapes.push_str(&format!(
            "<p:sp><p:nvSpPr><p:cNvPr id=\"{id}\" name=\"{name} {id}\"/>{locks}{place}</p:nvSpPr>\
             <p:spPr>{geometry}</p:spPr><p:txBody><a:bodyPr wrap=\"square\"><a:normAutofit/></a:bodyPr><a:lstStyle/>\
             {paragraphs}</p:txBody></p:sp>"
        ));
    }

    fn chart(&mut self, chart: Native, alt: Option<&str>, room: Room) {
        let mark = self.lead_to(Target::Chart(chart));
        let xml = format!("<c:chart xmlns:c=\"{URI}\" r:id=\"{mark}\"/>");
        self.frame("Chart", alt, room, URI, &xml);
    }

    /// What is no text and no picture, by the name of its kind.
    fn frame(&mut self, name: &str, alt: Option<&str>, room: Room, kind: &str, xml: &str) {
        let (id, frame) = (self.id(), room.xml('p'));
        let alt = alt.map(|alt| format!(" descr=\"{}\"", escaped(alt.trim()))).unwrap_or_default();
        self.shapes.push_str(&format!(
            "<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id=\"{id}\" name=\"{name} {id}\"{alt}/><p:cNvGraphicFramePr>\
             <a:graphicFrameLocks noGrp=\"1\"/></p:cNvGraphicFramePr><p:nvPr/></p:nvGraphicFramePr>{frame}\
             <a:graphic><a:graphicData uri=\"{kind}\">{xml}</a:graphicData></a:graphic></p:graphicFrame>"
        ));
    }

    fn picture(&mut self, picture: &Prepared, alt: Option<&str>, room: Room, kind: Option<&str>) {
        let id = self.id();
        let target = Target::Picture { bytes: picture.bytes.clone(), is_png: picture.is_png };
        let mark = self.lead_to(target);
        let room = room.around(picture.width, picture.height).xml('a');
        let alt = escaped(alt.unwrap_or_default().trim());
        let place =
            kind.map_or_else(|| "<p:nvPr/>".to_owned(), |kind| format!("<p:nvPr><p:ph {kind}/></p:nvPr>"));
        self.shapes.push_str(&format!(
            "<p:pic><p:nvPicPr><p:cNvPr id=\"{id}\" name=\"Picture {id}\" descr=\"{alt}\"/><p:cNvPicPr>\
             <a:picLocks noChangeAspect=\"1\"/></p:cNvPicPr>{place}</p:nvPicPr><p:blipFill><a:blip r:embed=\"{mark}\"/>\
             <a:stretch><a:fillRect/></a:stretch></p:blipFill><p:spPr>{room}<a:prstGeom prst=\"rect\"><a:avLst/>\
             </a:prstGeom></p:spPr></p:pic>"
        ));
    }
}
