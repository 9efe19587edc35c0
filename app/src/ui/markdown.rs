//! Markdown as elements, never as HTML text: what a model writes cannot become markup of ours.

mod blocks;
mod link;
mod math;
mod render;
#[cfg(test)]
mod tests;

use blocks::Blocks;
use leptos::prelude::*;
pub use link::link_out;

/// Markdown that may still be arriving. Only blocks that changed are rendered again.
#[component]
pub fn Markdown(#[prop(into)] source: Signal<String>) -> impl IntoView {
    let blocks = StoredValue::new(Blocks::default());
    let shown = Memo::new(move |_| {
        source.with(|source| blocks.try_update_value(|blocks| blocks.update(source)).unwrap_or_default())
    });
    view! {
        <div class="prose">
            <For
                each=move || shown.get()
                key=|block| (block.index, block.version)
                children=|block| render::render(&block.text)
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
