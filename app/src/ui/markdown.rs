//! Markdown as elements, never as HTML text: what a model writes cannot become markup of ours.

mod blocks;
mod cite;
mod link;
mod math;
mod render;
#[cfg(test)]
mod tests;

use crate::prelude::*;
use blocks::{Block, Blocks};
pub use cite::{Cited, Source, key_of, links, titled_links};
pub use link::link_out;

/// Markdown that may still be arriving. Only blocks that changed, or chips of which did, are rendered again. Links to
/// sources that are `cited` are chips.
#[component]
pub fn Markdown(
    #[prop(into)] source: Signal<String>,
    #[prop(optional)] cited: Option<Memo<Cited>>,
) -> impl IntoView {
    let blocks = StoredValue::new(Blocks::default());
    let shown = Memo::new(move |_| {
        source.with(|source| blocks.try_update_value(|blocks| blocks.update(source)).unwrap_or_default())
    });
    let chips =
        move |block: &Block| cited.map(|cited| cited.with_untracked(|cited| cited.chips(&block.text)));
    view! {
        <div class="prose">
            <For
                each=move || {
                    if let Some(cited) = cited {
                        cited.track();
                    }
                    shown.get()
                }
                key=move |block| (block.index, block.version, chips(block))
                children=move |block| match cited {
                    Some(cited) => cited.with_untracked(|cited| render::render(&block.text, cited)),
                    None => render::render(&block.text, &Cited::default()),
                }
            />
        </div>
    }
}

/// The words alone, on one line: for where there is no room for more.
pub fn plain(source: &str) -> String {
    render::plain(source)
}

/// What this renderer understands beyond CommonMark.
fn options() -> pulldown_cmark::Options {
    use pulldown_cmark::Options;
    Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_MATH
        // A block is read without the others, where a reference has its footnote.
        | Options::ENABLE_OLD_FOOTNOTES
}
