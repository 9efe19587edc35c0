//! Pages as the bytes of a PDF, with its outline, its structure and what it says of itself.

use super::fonts::Fonts;
use super::page::{Entry, Group, GroupId, Ink, Mark, Page, Place, Sheet, Structure};
use super::{About, Pictures};
use krilla::Document;
use krilla::action::{Action, LinkAction};
use krilla::annotation::{Annotation, LinkAnnotation, Target};
use krilla::destination::XyzDestination;
use krilla::geom::{PathBuilder, Point, Rect, Size, Transform};
use krilla::image::Image;
use krilla::metadata::Metadata;
use krilla::outline::{Outline, OutlineNode};
use krilla::page::PageSettings;
use krilla::paint::Fill;
use krilla::surface::Surface;
use krilla::tagging::{
    Artifact, ArtifactType, ContentTag, ListNumbering, Node, SpanTag, TableHeaderScope, Tag, TagGroup,
    TagKind, TagTree,
};
use std::rc::Rc;

/// What stands in a group, in its order.
type Contents = Vec<Vec<Node>>;

/// A place on a page that leads elsewhere.
struct Link {
    place: Place,
    to: Rc<str>,
    text: String,
    /// The group that it is in, and where in that.
    at: Option<(GroupId, usize)>,
}

pub(super) fn write(
    sheet: Sheet,
    pages: &[Page],
    entries: &[Entry],
    structure: &Structure,
    about: &About,
    fonts: &Fonts,
    pictures: &Pictures,
) -> Result<Vec<u8>, String> {
    let mut document = Document::new();
    let mut contents: Contents = structure.groups.iter().map(|_| Vec::new()).collect();
    let images: Vec<Image> = pictures.images();
    for drawn in pages {
        let settings = PageSettings::from_wh(sheet.width, sheet.height).ok_or("it has no size")?;
        let mut page = document.start_page_with(settings);
        let mut surface = page.surface();
        let mut links = Vec::new();
        for mark in drawn.ground.iter().chain(&drawn.marks) {
            draw(&mut surface, mark, fonts, &images, &mut contents, &mut links);
        }
        surface.finish();
        for link in links {
            let Link { place, to, text, at } = link;
            let target = Target::Action(Action::Link(LinkAction::new(to.to_string())));
            let Some(rect) = rect(place) else { continue };
            let annotation = Annotation::new_link(LinkAnnotation::new(rect, target), Some(text));
            let annotation = page.add_tagged_annotation(annotation);
            if let Some((group, at)) = at
                && let Node::Group(link) = &mut contents[group.0][at]
            {
                link.push(annotation);
            }
        }
        page.finish();
    }
    document.set_outline(outline(entries));
    document.set_metadata(metadata(about));
    let mut tree = TagTree::new();
    tree.children = children(structure, Structure::WHOLE, &mut contents);
    document.set_tag_tree(tree);
    document.finish().map_err(|error| format!("{error:?}"))
}

fn draw(
    surface: &mut Surface,
    mark: &Mark,
    fonts: &Fonts,
    images: &[Image],
    contents: &mut Contents,
    links: &mut Vec<Link>,
) {
    match mark {
        Mark::Text { run, left, baseline, ink, group } => {
            let content = match group {
                Some(_) => surface.start_tagged(ContentTag::Span(SpanTag::empty())),
                None => surface.start_tagged(ContentTag::Artifact(Artifact::with_kind(ArtifactType::Page))),
            };
            fill(surface, *ink);
            let raised = if run.style.raised { run.size * 0.5 } else { 0.0 };
            let at = Point::from_xy(left + run.x, baseline - raised);
            let font = fonts.font(run.run.font);
            surface.draw_glyphs(at, &run.run.glyphs, font, &run.run.text, run.size, false);
            if run.style.struck || run.link.is_some() {
                let y = if run.style.struck { baseline - run.size * 0.3 } else { baseline + run.size * 0.16 };
                area(surface, Place { x: left + run.x, y, width: run.width, height: 0.55 }, 0.0);
            }
            surface.end_tagged();
            let node = match &run.link {
                Some(_) => TagGroup::with_children(Tag::Link, vec![Node::Leaf(content)]).into(),
                None => Node::Leaf(content),
            };
            let at = group.map(|group| {
                contents[group.0].push(node);
                (group, contents[group.0].len() - 1)
            });
            if let Some(to) = &run.link {
                let top = baseline - run.size;
                let place = Place { x: left + run.x, y: top, width: run.width, height: run.size * 1.3 };
                links.push(Link { place, to: Rc::clone(to), text: run.run.text.clone(), at });
            }
        }
        Mark::Area { place, radius, ink } => {
            surface.start_tagged(ContentTag::Artifact(Artifact::with_kind(ArtifactType::Layout)));
            fill(surface, *ink);
            area(surface, *place, *radius);
            surface.end_tagged();
        }
        Mark::Picture { picture, place, group } => {
            let Some(size) = Size::from_wh(place.width, place.height) else { return };
            let content = surface.start_tagged(ContentTag::Other);
            surface.push_transform(&Transform::from_translate(place.x, place.y));
            surface.draw_image(images[*picture].clone(), size);
            surface.pop();
            surface.end_tagged();
            contents[group.0].push(Node::Leaf(content));
        }
    }
}

fn fill(surface: &mut Surface, ink: Ink) {
    surface.set_fill(Some(Fill { paint: ink.color().into(), ..Fill::default() }));
}

fn rect(place: Place) -> Option<Rect> {
    Rect::from_xywh(place.x, place.y, place.width.max(0.1), place.height.max(0.1))
}

fn area(surface: &mut Surface, place: Place, radius: f32) {
    let Some(rect) = rect(place) else { return };
    let mut path = PathBuilder::new();
    let (left, top, right, bottom) = (rect.left(), rect.top(), rect.right(), rect.bottom());
    let radius = radius.min(rect.width() / 2.0).min(rect.height() / 2.0);
    if radius <= 0.0 {
        path.push_rect(rect);
    } else {
        path.move_to(left + radius, top);
        path.line_to(right - radius, top);
        path.quad_to(right, top, right, top + radius);
        path.line_to(right, bottom - radius);
        path.quad_to(right, bottom, right - radius, bottom);
        path.line_to(left + radius, bottom);
        path.quad_to(left, bottom, left, bottom - radius);
        path.line_to(left, top + radius);
        path.quad_to(left, top, left + radius, top);
        path.close();
    }
    if let Some(path) = path.finish() {
        surface.draw_path(&path);
    }
}

/// Headings within those before them that are higher.
fn outline(entries: &[Entry]) -> Outline {
    let mut outline = Outline::new();
    let mut open: Vec<(u8, OutlineNode)> = Vec::new();
    let close = |open: &mut Vec<(u8, OutlineNode)>, outline: &mut Outline, level: u8| {
        while open.last().is_some_and(|(last, _)| *last >= level) {
            let Some((_, node)) = open.pop() else { return };
            match open.last_mut() {
                Some((_, around)) => around.push_child(node),
                None => outline.push_child(node),
            }
        }
    };
    for entry in entries {
        close(&mut open, &mut outline, entry.level);
        let to = XyzDestination::new(entry.page, Point::from_xy(0.0, (entry.y - 12.0).max(0.0)));
        open.push((entry.level, OutlineNode::new(entry.text.clone(), to).with_open(true)));
    }
    close(&mut open, &mut outline, 0);
    outline
}

fn metadata(about: &About) -> Metadata {
    let mut metadata = Metadata::new().creator("Vivarium".to_owned());
    if let Some(title) = &about.title {
        metadata = metadata.title(title.clone());
    }
    if let Some(author) = &about.author {
        metadata = metadata.authors(vec![author.clone()]);
    }
    metadata
}

fn children(structure: &Structure, of: GroupId, contents: &mut Contents) -> Vec<Node> {
    let mut nodes = std::mem::take(&mut contents[of.0]);
    for id in &structure.groups[of.0].1 {
        let within = children(structure, *id, contents);
        nodes.push(TagGroup::with_children(kind(&structure.groups[id.0].0), within).into());
    }
    nodes
}

fn kind(group: &Group) -> TagKind {
    match group {
        Group::Whole => Tag::Div.into(),
        Group::Heading(level) => Tag::Hn(*level, None).into(),
        Group::Paragraph => Tag::P.into(),
        Group::Code => Tag::Code.into(),
        Group::Quote => Tag::BlockQuote.into(),
        Group::List { is_numbered: true } => Tag::L(ListNumbering::Decimal).into(),
        Group::List { is_numbered: false } => Tag::L(ListNumbering::Circle).into(),
        Group::Item => Tag::LI.into(),
        Group::Label => Tag::Lbl.into(),
        Group::Body => Tag::LBody.into(),
        Group::Table => Tag::Table.into(),
        Group::Row => Tag::TR.into(),
        Group::HeadCell => Tag::TH(TableHeaderScope::Column).into(),
        Group::Cell => Tag::TD.into(),
        Group::Figure(alt) => Tag::Figure((!alt.is_empty()).then(|| alt.clone())).into(),
        Group::Note => Tag::Note.into(),
    }
}
