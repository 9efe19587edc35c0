//! What is in a file, as far as it can be shown.

use super::language::language;
use crate::files::size;
use crate::prelude::*;
use crate::ui::Markdown;
use protocol::files::{FilePreview, FileView, PreviewPart};

#[component]
pub(super) fn Preview(file: FileView, preview: FilePreview) -> AnyView {
    let FileView { path, size: bytes, url, .. } = file;
    match preview {
        FilePreview::Text { text, .. } if text.is_empty() => {
            view! { <p class="empty" data-size="small"><span>"The file is empty."</span></p> }.into_any()
        }
        FilePreview::Document { parts, whole } => {
            let first = match parts.len() {
                1 => t("the beginning").to_owned(),
                parts => say!("the first {parts} parts"),
            };
            let parts = parts.into_iter().map(part).collect_view();
            view! { {parts} {more(whole, first, bytes)} }.into_any()
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
