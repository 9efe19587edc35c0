//! One block of Markdown as a view. Markup of the text's own is shown, not obeyed.

use super::cite::{Cited, chip};
use super::link::link_out;
use super::math::{delimited, or_text};
use super::options;
use crate::prelude::*;
use crate::ui::CopyCode;
use pulldown_cmark::{
    Alignment, CodeBlockKind, CowStr, Event, HeadingLevel, LinkType, Parser, Tag, TagEnd, TextMergeStream,
};

/// Elements inside each other beyond this are shown flat: hostile nesting must not use up the stack.
const MAX_DEPTH: usize = 24;

pub fn render(source: &str, cited: &Cited) -> AnyView {
    let source = delimited(source);
    Renderer { events: TextMergeStream::new(events(&source)), depth: 0, cited }.children().into_any()
}

fn events(source: &str) -> impl Iterator<Item = Event<'_>> {
    Parser::new_ext(source, options())
        .into_offset_iter()
        .map(|(event, range)| or_text(event, source.get(range.end..).unwrap_or_default()))
}

/// All words, without what makes them look like something.
pub fn plain(source: &str) -> String {
    let mut words = String::new();
    for event in events(&delimited(source)) {
        match event {
            Event::End(TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::Item | TagEnd::TableCell) => {
                words.push(' ')
            }
            event => words.push_str(&self::words(&event)),
        }
    }
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

struct Renderer<'a, I: Iterator<Item = Event<'a>>> {
    events: I,
    depth: usize,
    cited: &'a Cited,
}

impl<'a, I: Iterator<Item = Event<'a>>> Renderer<'a, I> {
    /// What is inside the open element, up to and including its end.
    fn children(&mut self) -> Vec<AnyView> {
        let mut views = Vec::new();
        while let Some(event) = self.events.next() {
            match event {
                Event::End(_) => break,
                Event::Start(tag) if self.depth < MAX_DEPTH => {
                    self.depth += 1;
                    views.push(self.element(tag));
                    self.depth -= 1;
                }
                Event::Start(_) => views.push(self.flat().into_any()),
                event => views.extend(leaf(event)),
            }
        }
        views
    }

    /// The text of an open element, without the elements in it.
    fn flat(&mut self) -> String {
        let mut text = String::new();
        let mut open = 1usize;
        for event in self.events.by_ref() {
            match event {
                Event::Start(_) => open += 1,
                Event::End(_) => open -= 1,
                event => text.push_str(&words(&event)),
            }
            if open == 0 {
                break;
            }
        }
        text
    }

    fn element(&mut self, tag: Tag<'a>) -> AnyView {
        match tag {
            Tag::Heading { level, .. } => heading(level, self.children()),
            Tag::BlockQuote(_) => view! { <blockquote>{self.children()}</blockquote> }.into_any(),
            Tag::CodeBlock(kind) => self.code_block(&kind),
            Tag::List(Some(start)) => view! { <ol start=start.to_string()>{self.children()}</ol> }.into_any(),
            Tag::List(None) => view! { <ul>{self.children()}</ul> }.into_any(),
            Tag::Item => view! { <li>{self.children()}</li> }.into_any(),
            Tag::Table(alignments) => self.table(&alignments),
            Tag::Emphasis => view! { <em>{self.children()}</em> }.into_any(),
            Tag::Strong => view! { <strong>{self.children()}</strong> }.into_any(),
            Tag::Strikethrough => view! { <s>{self.children()}</s> }.into_any(),
            Tag::Superscript => view! { <sup>{self.children()}</sup> }.into_any(),
            Tag::Subscript => view! { <sub>{self.children()}</sub> }.into_any(),
            Tag::Link { dest_url, .. } if self.cited.has(&dest_url) => {
                let words = self.flat();
                chip(self.cited, &dest_url, &words).unwrap_or_else(|| words.into_any())
            }
            Tag::Link { link_type, dest_url, .. } => link(link_type, &dest_url, self.children()),
            Tag::Image { link_type, dest_url, .. } => self.image(link_type, &dest_url),
            Tag::FootnoteDefinition(label) => {
                view! { <div class="footnote"><sup>{label.into_string()}</sup>{self.children()}</div> }
                    .into_any()
            }
            Tag::Paragraph
            | Tag::HtmlBlock
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
            | Tag::MetadataBlock(_) => view! { <p>{self.children()}</p> }.into_any(),
            Tag::TableHead | Tag::TableRow | Tag::TableCell => self.children().into_any(),
        }
    }

    fn code_block(&mut self, kind: &CodeBlockKind<'a>) -> AnyView {
        let language = language(kind);
        code_frame(language, self.flat().into_any())
    }

    /// An image would be fetched from wherever the text says: the person decides.
    fn image(&mut self, link_type: LinkType, target: &str) -> AnyView {
        let alternative = self.flat();
        let words = if alternative.is_empty() { target.to_owned() } else { alternative };
        link(link_type, target, vec![words.into_any()])
    }

    fn table(&mut self, alignments: &[Alignment]) -> AnyView {
        let (head, rows) = self.head_and_rows(alignments);
        table_frame(head, rows.into_any())
    }

    fn head_and_rows(&mut self, alignments: &[Alignment]) -> (Option<AnyView>, Vec<AnyView>) {
        let mut head = None;
        let mut rows = Vec::new();
        while let Some(event) = self.events.next() {
            match event {
                Event::Start(Tag::TableHead) => {
                    let cells = self.cells(alignments, |align, cell| {
                        view! { <th scope="col" style:text-align=align>{cell}</th> }.into_any()
                    });
                    head = Some(view! { <thead><tr>{cells}</tr></thead> }.into_any());
                }
                Event::Start(_) => {
                    let cells = self.cells(alignments, |align, cell| {
                        view! { <td style:text-align=align>{cell}</td> }.into_any()
                    });
                    rows.push(view! { <tr>{cells}</tr> }.into_any());
                }
                Event::End(_) => break,
                _ => {}
            }
        }
        (head, rows)
    }

    fn cells(
        &mut self,
        alignments: &[Alignment],
        wrap: fn(Option<&'static str>, Vec<AnyView>) -> AnyView,
    ) -> Vec<AnyView> {
        let mut cells = Vec::new();
        while let Some(Event::Start(_)) = self.events.next() {
            let align = alignments.get(cells.len()).and_then(|alignment| match alignment {
                Alignment::None => None,
                Alignment::Left => Some("start"),
                Alignment::Center => Some("center"),
                Alignment::Right => Some("end"),
            });
            cells.push(wrap(align, self.children()));
        }
        cells
    }
}

/// Code below the line that opens it.
pub fn growing_code(head: &str, code: AnyView) -> AnyView {
    let language = match Parser::new_ext(head, options()).next() {
        Some(Event::Start(Tag::CodeBlock(kind))) => language(&kind),
        _ => None,
    };
    code_frame(language, code)
}

/// A table of which these are the first two lines.
pub fn growing_table(head: &str, rows: AnyView, cited: &Cited) -> AnyView {
    table_frame(table_of(head, cited).0, rows)
}

/// A row of such a table.
pub fn growing_row(head: &str, row: &str, cited: &Cited) -> AnyView {
    table_of(&format!("{head}{row}"), cited).1.into_any()
}

fn table_of(source: &str, cited: &Cited) -> (Option<AnyView>, Vec<AnyView>) {
    let mut renderer = Renderer { events: TextMergeStream::new(events(source)), depth: 1, cited };
    match renderer.events.next() {
        Some(Event::Start(Tag::Table(alignments))) => renderer.head_and_rows(&alignments),
        _ => (None, Vec::new()),
    }
}

fn language(kind: &CodeBlockKind<'_>) -> Option<String> {
    match kind {
        CodeBlockKind::Fenced(info) => info.split_whitespace().next().map(str::to_owned),
        CodeBlockKind::Indented => None,
    }
}

fn code_frame(language: Option<String>, code: AnyView) -> AnyView {
    view! {
        <div class="code-block">
            <pre tabindex="0" data-language=language><code>{code}</code></pre>
            <CopyCode/>
        </div>
    }
    .into_any()
}

fn table_frame(head: Option<AnyView>, rows: AnyView) -> AnyView {
    view! { <table tabindex="0">{head}<tbody>{rows}</tbody></table> }.into_any()
}

/// The page has its own first two levels.
fn heading(level: HeadingLevel, children: Vec<AnyView>) -> AnyView {
    match level {
        HeadingLevel::H1 => view! { <h3>{children}</h3> }.into_any(),
        HeadingLevel::H2 => view! { <h4>{children}</h4> }.into_any(),
        HeadingLevel::H3 => view! { <h5>{children}</h5> }.into_any(),
        HeadingLevel::H4 | HeadingLevel::H5 | HeadingLevel::H6 => view! { <h6>{children}</h6> }.into_any(),
    }
}

fn link(link_type: LinkType, target: &str, children: Vec<AnyView>) -> AnyView {
    let target = match link_type {
        LinkType::Email => format!("mailto:{target}"),
        LinkType::Inline
        | LinkType::Reference
        | LinkType::ReferenceUnknown
        | LinkType::Collapsed
        | LinkType::CollapsedUnknown
        | LinkType::Shortcut
        | LinkType::ShortcutUnknown
        | LinkType::Autolink
        | LinkType::WikiLink { .. } => target.to_owned(),
    };
    if is_own_page(&target) {
        return view! { <a href=target>{children}</a> }.into_any();
    }
    if !leads_outside(&target) {
        return view! { <span>{children}</span> }.into_any();
    }
    if starts_with(&target, "mailto:") {
        return view! { <a href=target rel="noopener noreferrer nofollow" target="_blank">{children}</a> }
            .into_any();
    }
    link_out(&target, children)
}

/// Pages of this hub that a text may lead to: they show, and change nothing.
const OWN_PAGES: [&str; 11] = [
    "/account",
    "/agents/new",
    "/gallery",
    "/memory",
    "/context",
    "/models",
    "/providers",
    "/schedules",
    "/search",
    "/usage",
    "/web-search",
];

/// Letter for letter: what a link has besides could put words of strangers into a page of ours.
fn is_own_page(target: &str) -> bool {
    OWN_PAGES.contains(&target)
}

/// Whether a link goes where links of strangers may go.
fn leads_outside(target: &str) -> bool {
    ["https:", "http:", "mailto:"].iter().any(|scheme| starts_with(target, scheme))
}

fn starts_with(target: &str, scheme: &str) -> bool {
    target.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
}

fn leaf(event: Event<'_>) -> Option<AnyView> {
    match event {
        Event::Code(code) => Some(view! { <code>{code.into_string()}</code> }.into_any()),
        Event::InlineMath(formula) => {
            Some(view! { <span class="math" data-math="inline">{formula.into_string()}</span> }.into_any())
        }
        // It may be wider than the page.
        Event::DisplayMath(formula) => {
            let formula = formula.trim().to_owned();
            Some(view! { <span class="math" data-math="display" tabindex="0">{formula}</span> }.into_any())
        }
        Event::FootnoteReference(label) => Some(view! { <sup>{label.into_string()}</sup> }.into_any()),
        Event::HardBreak => Some(view! { <br/> }.into_any()),
        Event::Rule => Some(view! { <hr/> }.into_any()),
        Event::TaskListMarker(done) => {
            Some(view! { <input type="checkbox" disabled checked=done aria-label={t(if done { "Done" } else { "To do" })}/> }.into_any())
        }
        event => {
            let words = words(&event);
            (!words.is_empty()).then(|| words.into_string().into_any())
        }
    }
}

/// An event as plain text.
fn words<'e>(event: &'e Event<'_>) -> CowStr<'e> {
    match event {
        Event::Text(text)
        | Event::Code(text)
        | Event::InlineMath(text)
        | Event::DisplayMath(text)
        | Event::Html(text)
        | Event::InlineHtml(text)
        | Event::FootnoteReference(text) => CowStr::Borrowed(text),
        Event::SoftBreak | Event::HardBreak => CowStr::Borrowed("\n"),
        Event::Start(_) | Event::End(_) | Event::Rule | Event::TaskListMarker(_) => CowStr::Borrowed(""),
    }
}
