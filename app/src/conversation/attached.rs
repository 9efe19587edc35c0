//! Files of a message, as it shows them.

use crate::prelude::*;
use crate::ui::Icon;
use protocol::Attachment;
use protocol::model::Media;

/// Pictures as thumbnails that open the whole, and other files by name, a PDF with its first page. What an MCP server
/// brought says so.
pub fn attached(files: Vec<Attachment>) -> Option<impl IntoView> {
    (!files.is_empty())
        .then(|| view! { <ul class="attached">{files.into_iter().map(one).collect_view()}</ul> })
}

/// The pictures and files that a call of a tool brought, in the same way.
pub fn brought(media: Vec<Media>) -> Option<impl IntoView> {
    attached(media.into_iter().filter_map(named).collect())
}

fn named(media: Media) -> Option<Attachment> {
    if media.is_app_result() {
        return None;
    }
    let Media { mime, name, stored, .. } = media;
    let stored = stored?;
    let name = name.unwrap_or_else(|| t("Picture").to_owned());
    Some(Attachment {
        id: stored.id,
        name,
        mime,
        size: stored.size,
        dimensions: stored.dimensions,
        server: stored.server,
    })
}

fn one(file: Attachment) -> impl IntoView {
    let address = format!("/attachments/{}", file.id);
    let size = in_words(file.size);
    let title = file.name.clone();
    let from = file.server.as_ref().map(|server| {
        let words = say!("From the MCP server {server}");
        view! { <small class="attached-from">{words}</small> }
    });
    match (file.dimensions, file.is_picture()) {
        (Some(of), true) => view! {
            <li>
                <a href=address.clone() target="_blank" title=title>
                    <img
                        class="attached-picture"
                        src=format!("{address}/thumbnail")
                        width=of.width
                        height=of.height
                        alt=file.name
                        loading="lazy"
                        decoding="async"
                    />
                </a>
                {from}
            </li>
        }
        .into_any(),
        (page, _) => {
            let page = page.map(|of| {
                view! {
                    <img
                        class="attached-page"
                        src=format!("{address}/thumbnail")
                        width=of.width
                        height=of.height
                        alt=""
                        loading="lazy"
                        decoding="async"
                    />
                }
            });
            let icon = page.is_none().then(|| view! { <Icon name="file"/> });
            view! {
                <li>
                    <a class="attached-file" href=address download=title>
                        {page} {icon} <span>{file.name}</span> <small>{size}</small>
                    </a>
                    {from}
                </li>
            }
            .into_any()
        }
    }
}

/// A size as people say it.
pub fn in_words(bytes: u64) -> String {
    match bytes {
        0..1_000 => say!("{bytes} bytes"),
        1_000..1_000_000 => format!("{} KB", bytes.div_ceil(1_000)),
        _ => say!("{whole}.{tenths} MB", whole = bytes / 1_000_000, tenths = bytes % 1_000_000 / 100_000),
    }
}

#[cfg(test)]
mod tests {
    use super::in_words;

    #[test]
    fn a_size_is_told_as_people_say_it() {
        for (bytes, words) in
            [(1, "1 bytes"), (999, "999 bytes"), (1_001, "2 KB"), (240_113, "241 KB"), (1_250_000, "1.2 MB")]
        {
            assert_eq!(in_words(bytes), words);
        }
    }
}
