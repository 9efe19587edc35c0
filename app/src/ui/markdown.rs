//! Markdown as elements, never as HTML text: what a model writes cannot become markup of ours.

mod blocks;
mod cite;
mod growing;
mod link;
mod math;
mod parts;
mod render;
#[cfg(test)]
mod tests;

use crate::prelude::*;
pub use blocks::GrowingLinks;
use blocks::{Block, Blocks};
pub use cite::{Cited, Source, key_of, titled_links};
pub use link::link_out;

/// Markdown that may still be arriving. Only blocks that changed, or chips of which did, are rendered again; of code and of
/// tables that grow only what is added. Links to sources that are `cited` are chips.
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
        move |block: &Block| cited.map(|cited| cited.with_untracked(|cited| cited.chips(&block.links)));
    view! {
        <div class="prose">
            <For
                each=move || {
                    if let Some(cited) = cited {
                        cited.track();
                    }
                    shown.get()
                }
                key=move |block| (block.index, block.drawn(), chips(block))
                children=move |block| match &block.growing {
                    Some(growing) => parts::in_parts(growing, block.index, shown, cited),
                    None => parts::with_cited(cited, |cited| render::render(&block.text, cited)),
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
