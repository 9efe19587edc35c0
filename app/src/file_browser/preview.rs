//! What is in a file, as far as it can be shown.

use super::language::language;
use crate::files::{address, page_address, size};
use crate::prelude::*;
use crate::ui::Markdown;
use leptos_router::hooks::use_query_map;
use protocol::files::{FilePreview, FileView, FolderView, PreviewPart};

#[component]
pub(super) fn Preview(
    file: FileView,
    preview: FilePreview,
    /// Where it lies, if the hub keeps it: its pages can be looked at then.
    #[prop(optional)]
    folder: Option<FolderView>,
) -> AnyView {
    let FileView { path, size: bytes, url, version, .. } = file;
    match preview {
        FilePreview::Text { text, .. } if text.is_empty() => {
            view! { <p class="empty" data-size="small"><span>"The file is empty."</span></p> }.into_any()
        }
        FilePreview::Document { parts, whole, pages } => {
            let drawn = folder
                .filter(|_| pages > 0)
                .map(|folder| view! { <Drawn folder path=path.clone() version pages/> });
            let first = match parts.len() {
                1 => t("the beginning").to_owned(),
                parts => say!("the first {parts} parts"),
            };
            let parts = parts.into_iter().map(part).collect_view();
            view! { {drawn} {parts} {more(whole, first, bytes)} }.into_any()
        }
        FilePreview::Unread { why } => {
            view! { <p class="empty" data-size="small"><span>{why}</span></p> }.into_any()
        }
        FilePreview::Text { text, whole } => {
            let first = say!("the first {size}", size = size(text.len() as u64));
            let is_markdown = path.to_ascii_lowercase().ends_with(".md");
            let shown = if is_markdown {
                view! { <div class="file-text"><Markdown source=Signal::stored(text)/></div> }.into_any()
            } else {
                view! { <pre class="file-text" tabindex="0" data-language=language(&path)><code>{text}</code></pre> }.into_any()
            };
            view! { {shown} {more(whole, first, bytes)} }.into_any()
        }
        FilePreview::Picture => view! { <img class="file-picture" src=url alt=path/> }.into_any(),
        FilePreview::Other => {
            view! { <p class="empty" data-size="small"><span>"It is no text, no picture and no document that can be read here. Download it to open it."</span></p> }
                .into_any()
        }
    }
}

/// The pages of a PDF as they look, one at a time.
#[component]
fn Drawn(folder: FolderView, path: String, version: u64, pages: u32) -> impl IntoView {
    let (query, here) = (use_query_map(), address(&folder.id, folder.kind, &path));
    let number = Memo::new(move |_| {
        let asked = query.with(|query| query.get("page")).and_then(|page| page.parse::<u32>().ok());
        asked.unwrap_or(1).clamp(1, pages)
    });
    let words = move || say!("Page {number} of {pages}", number = number.get());
    let to = move |number: u32, words: &'static str| {
        view! { <a class="button" data-kind="quiet" href=format!("{here}&page={number}") data-noscroll="">{words}</a> }
    };
    let (before, after) = (to.clone(), to);
    let before = move || (number.get() > 1).then(|| before(number.get() - 1, t("Previous page")));
    let after = move || (number.get() < pages).then(|| after(number.get() + 1, t("Next page")));
    let source = Memo::new(move |_| page_address(&folder.id, &path, number.get(), version));
    view! {
        <figure class="file-drawn">
            <a href=move || source.get() target="_blank">
                <img class="file-picture" src=move || source.get() alt=words/>
            </a>
            <figcaption class="actions">{before} <span aria-live="polite">{words}</span> {after}</figcaption>
        </figure>
    }
}

fn more(whole: bool, first: String, bytes: u64) -> Option<impl IntoView> {
    (!whole).then(|| {
        view! {
            <p class="field-hint">{say!("Shown is {first}. Download the file to see all {size}.", size = size(bytes))}</p>
        }
    })
}

fn part(part: PreviewPart) -> impl IntoView {
    let PreviewPart { title, text, is_markdown } = part;
    let head = (!title.is_empty()).then(|| view! { <h3 class="file-part">{title.clone()}</h3> });
    let shown = if is_markdown {
        view! { <div class="file-text" tabindex="0" role="group" aria-label=name(&title)><Markdown source=Signal::stored(text)/></div> }
            .into_any()
    } else {
        view! { <pre class="file-text" tabindex="0">{text}</pre> }.into_any()
    };
    view! { {head} {shown} }
}

/// What a reader by ear is told of what scrolls.
fn name(title: &str) -> String {
    if title.is_empty() { t("What is in it").to_owned() } else { title.to_owned() }
}
