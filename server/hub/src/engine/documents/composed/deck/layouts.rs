//! The master of a deck, and the layouts that people choose from.

use super::room::{Room, Size};
use super::{HEAD, NAMES};
use crate::engine::structure::Layout;

pub(super) const GROUP: &str = "<p:nvGrpSpPr><p:cNvPr id=\"1\" name=\"\"/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr>\
    <p:grpSpPr><a:xfrm><a:off x=\"0\" y=\"0\"/><a:ext cx=\"0\" cy=\"0\"/><a:chOff x=\"0\" y=\"0\"/>\
    <a:chExt cx=\"0\" cy=\"0\"/></a:xfrm></p:grpSpPr>";
const COLOURS: &str = "<p:clrMap bg1=\"lt1\" tx1=\"dk1\" bg2=\"lt2\" tx2=\"dk2\" accent1=\"accent1\" accent2=\"accent2\" \
    accent3=\"accent3\" accent4=\"accent4\" accent5=\"accent5\" accent6=\"accent6\" hlink=\"hlink\" folHlink=\"folHlink\"/>";
const KEPT: &str = "<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr>";
/// Hundredths of a point, from the first level of bullets to the last.
pub(super) const BULLETS: [u32; 5] = [2_400, 2_000, 1_800, 1_600, 1_600];
const TITLE: u32 = 3_600;
/// EMU from one level to the next.
pub(super) const STEP: u32 = 342_900;

/// As they are counted in the package.
const ALL: [Layout; 6] =
    [Layout::Title, Layout::Content, Layout::TwoColumns, Layout::Section, Layout::Picture, Layout::Blank];

pub(super) fn number(layout: Layout) -> usize {
    ALL.iter().position(|one| *one == layout).map_or(1, |at| at + 1)
}

pub(super) fn all(size: Size) -> Vec<String> {
    ALL.iter().map(|layout| of(*layout, size)).collect()
}

fn of(layout: Layout, size: Size) -> String {
    let (title, body) = (size.title(), size.body());
    let (above, below) = size.opening();
    let large = "<a:lvl1pPr algn=\"l\"><a:defRPr sz=\"4800\"/></a:lvl1pPr>";
    let quiet = "<a:lvl1pPr marL=\"0\" indent=\"0\"><a:buNone/><a:defRPr sz=\"2000\"><a:solidFill>\
        <a:schemeClr val=\"tx2\"/></a:solidFill></a:defRPr></a:lvl1pPr>";
    let head = || place("Title", "type=\"title\"", title, "", "");
    let (kind, name, places) = match layout {
        Layout::Title => (
            "title",
            "Title Slide",
            vec![
                place("Title", "type=\"ctrTitle\"", above, " anchor=\"b\"", large),
                place("Subtitle", "type=\"subTitle\" idx=\"1\"", below, "", quiet),
            ],
        ),
        Layout::Content => {
            ("obj", "Title and Content", vec![head(), place("Content", "idx=\"1\"", body, "", "")])
        }
        Layout::TwoColumns => {
            let columns = body.split(2);
            (
                "twoObj",
                "Two Content",
                vec![
                    head(),
                    place("Left", "sz=\"half\" idx=\"1\"", columns[0], "", ""),
                    place("Right", "sz=\"half\" idx=\"2\"", columns[1], "", ""),
                ],
            )
        }
        Layout::Section => (
            "secHead",
            "Section Header",
            vec![
                place("Title", "type=\"title\"", above, " anchor=\"b\"", large),
                place("Text", "type=\"body\" idx=\"1\"", below, "", quiet),
            ],
        ),
        Layout::Picture => {
            let (picture, text) = body.uneven();
            (
                "picTx",
                "Picture with Caption",
                vec![
                    head(),
                    place("Picture", "type=\"pic\" idx=\"1\"", picture, "", ""),
                    place("Text", "type=\"body\" sz=\"half\" idx=\"2\"", text, "", ""),
                ],
            )
        }
        Layout::Blank => ("blank", "Blank", Vec::new()),
    };
    let places: String =
        places.iter().zip(2..).map(|(place, id)| place.replace("{id}", &format!("{id}"))).collect();
    format!(
        "{HEAD}<p:sldLayout {NAMES} type=\"{kind}\" preserve=\"1\"><p:cSld name=\"{name}\"><p:spTree>{GROUP}{places}\
         </p:spTree></p:cSld>{KEPT}</p:sldLayout>"
    )
}

/// A place for texts, whose id is yet to be put in.
fn place(name: &str, kind: &str, room: Room, body: &str, styles: &str) -> String {
    format!(
        "<p:sp><p:nvSpPr><p:cNvPr id=\"{{id}}\" name=\"{name}\"/><p:cNvSpPr><a:spLocks noGrp=\"1\"/></p:cNvSpPr>\
         <p:nvPr><p:ph {kind}/></p:nvPr></p:nvSpPr><p:spPr>{}<a:prstGeom prst=\"rect\"><a:avLst/></a:prstGeom></p:spPr>\
         <p:txBody><a:bodyPr{body}><a:normAutofit/></a:bodyPr><a:lstStyle>{styles}</a:lstStyle><a:p>\
         <a:endParaRPr/></a:p></p:txBody></p:sp>",
        room.xml('a')
    )
}

pub(super) fn master(size: Size, layouts: &str) -> String {
    let places: String = [
        place("Title", "type=\"title\"", size.title(), " anchor=\"ctr\"", ""),
        place("Text", "type=\"body\" idx=\"1\"", size.body(), "", ""),
    ]
    .iter()
    .zip(2..)
    .map(|(place, id)| place.replace("{id}", &format!("{id}")))
    .collect();
    let bullets: String = (1_u32..)
        .zip(BULLETS)
        .map(|(level, letters)| {
            let margin = STEP * level;
            format!(
                "<a:lvl{level}pPr marL=\"{margin}\" indent=\"-{STEP}\"><a:spcBef><a:spcPts val=\"600\"/></a:spcBef>\
                 <a:buFont typeface=\"Arial\"/><a:buChar char=\"•\"/>{}</a:lvl{level}pPr>",
                letters_of(letters, "mn")
            )
        })
        .collect();
    format!(
        "{HEAD}<p:sldMaster {NAMES}><p:cSld><p:bg><p:bgRef idx=\"1001\"><a:schemeClr val=\"bg1\"/></p:bgRef></p:bg>\
         <p:spTree>{GROUP}{places}</p:spTree></p:cSld>{COLOURS}<p:sldLayoutIdLst>{layouts}</p:sldLayoutIdLst>\
         <p:txStyles><p:titleStyle><a:lvl1pPr algn=\"l\"><a:buNone/>{}</a:lvl1pPr></p:titleStyle>\
         <p:bodyStyle>{bullets}</p:bodyStyle><p:otherStyle/></p:txStyles></p:sldMaster>",
        letters_of(TITLE, "mj")
    )
}

fn letters_of(size: u32, font: &str) -> String {
    format!(
        "<a:defRPr sz=\"{size}\"><a:solidFill><a:schemeClr val=\"tx1\"/></a:solidFill><a:latin typeface=\"+{font}-lt\"/>\
         <a:ea typeface=\"+{font}-ea\"/><a:cs typeface=\"+{font}-cs\"/></a:defRPr>"
    )
}

pub(super) fn notes_master() -> String {
    let picture = Room { x: 685_800, y: 1_143_000, wide: 5_486_400, high: 3_086_100 }.xml('a');
    let text = Room { x: 685_800, y: 4_400_550, wide: 5_486_400, high: 3_600_450 };
    let text = place("Notes", "type=\"body\" idx=\"1\"", text, "", "").replace("{id}", "3");
    format!(
        "{HEAD}<p:notesMaster {NAMES}><p:cSld><p:bg><p:bgRef idx=\"1001\"><a:schemeClr val=\"bg1\"/></p:bgRef></p:bg>\
         <p:spTree>{GROUP}<p:sp><p:nvSpPr><p:cNvPr id=\"2\" name=\"Slide\"/><p:cNvSpPr><a:spLocks noGrp=\"1\" \
         noRot=\"1\" noChangeAspect=\"1\"/></p:cNvSpPr><p:nvPr><p:ph type=\"sldImg\"/></p:nvPr></p:nvSpPr>\
         <p:spPr>{picture}<a:prstGeom prst=\"rect\"><a:avLst/></a:prstGeom></p:spPr></p:sp>{text}</p:spTree></p:cSld>\
         {COLOURS}</p:notesMaster>"
    )
}

pub(super) fn notes_slide(paragraphs: &str) -> String {
    format!(
        "{HEAD}<p:notes {NAMES}><p:cSld><p:spTree>{GROUP}<p:sp><p:nvSpPr><p:cNvPr id=\"2\" name=\"Slide\"/><p:cNvSpPr>\
         <a:spLocks noGrp=\"1\" noRot=\"1\" noChangeAspect=\"1\"/></p:cNvSpPr><p:nvPr><p:ph type=\"sldImg\"/></p:nvPr>\
         </p:nvSpPr><p:spPr/></p:sp><p:sp><p:nvSpPr><p:cNvPr id=\"3\" name=\"Notes\"/><p:cNvSpPr>\
         <a:spLocks noGrp=\"1\"/></p:cNvSpPr><p:nvPr><p:ph type=\"body\" idx=\"1\"/></p:nvPr></p:nvSpPr><p:spPr/>\
         <p:txBody><a:bodyPr/><a:lstStyle/>{paragraphs}</p:txBody></p:sp></p:spTree></p:cSld>{KEPT}</p:notes>"
    )
}

pub(super) fn slide(shapes: &str) -> String {
    format!("{HEAD}<p:sld {NAMES}><p:cSld><p:spTree>{GROUP}{shapes}</p:spTree></p:cSld>{KEPT}</p:sld>")
}
