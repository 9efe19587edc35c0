//! What is in a file, as far as it can be shown.

use super::words::size;
use crate::ui::Markdown;
use leptos::prelude::*;
use protocol::files::{FilePreview, FileView};

#[component]
pub(super) fn Preview(file: FileView, preview: FilePreview) -> AnyView {
    let FileView { path, size: bytes, url, .. } = file;
    match preview {
        FilePreview::Text { text, .. } if text.is_empty() => {
            view! { <p class="empty" data-size="small"><span>"The file is empty."</span></p> }.into_any()
        }
        FilePreview::Text { text, whole } => {
            let more = (!whole).then(|| view! {
                <p class="field-hint">"This is the beginning of it. Download the file to see all " {size(bytes)} "."</p>
            });
            let is_markdown = path.to_ascii_lowercase().ends_with(".md");
            let shown = if is_markdown {
                view! { <div class="file-text"><Markdown source=Signal::stored(text)/></div> }.into_any()
            } else {
                view! { <pre class="file-text" tabindex="0">{text}</pre> }.into_any()
            };
            view! { {shown} {more} }.into_any()
        }
        FilePreview::Picture => view! { <img class="file-picture" src=url alt=path/> }.into_any(),
        FilePreview::Other => {
            view! { <p class="empty" data-size="small"><span>"It cannot be shown here. Download it to open it."</span></p> }
                .into_any()
        }
    }
}
