//! Text inside `title` and `textarea`, which the server writes without escaping it.

use crate::prelude::*;
use leptos::text_prop::TextProp;
use leptos_meta::Title;

/// The page's title, where it holds words of a person.
#[component]
pub fn PageTitle(#[prop(into)] text: Signal<String>) -> impl IntoView {
    view! { <Title text=title(text)/> }
}

/// The server writes the title last, when the signals of the page may be gone, so it reads it at once. In a browser a
/// page that was drawn again leaves titles behind, of which the last is read once more when the page is left.
fn title(text: Signal<String>) -> TextProp {
    match cfg!(feature = "ssr") {
        true => written(text.get_untracked()).into(),
        false => TextProp::from(move || text.try_get().unwrap_or_default()),
    }
}

/// A `textarea` that holds `text` at first. Its attributes are given with `attr:`.
#[component]
pub fn TextArea(text: String) -> impl IntoView {
    view! { <textarea>{written(text)}</textarea> }
}

/// How the text of a `textarea` has to be given so that it is read as it is, where [`TextArea`] is not enough.
pub fn written(text: String) -> String {
    if cfg!(feature = "ssr") { text.replace('&', "&amp;").replace('<', "&lt;") } else { text }
}

#[cfg(all(test, feature = "ssr"))]
mod tests {
    use super::*;

    #[test]
    fn a_text_cannot_leave_its_textarea() {
        let text = "a &lt; b</textarea><script>alert(1)</script>".to_owned();
        let html = view! { <TextArea text/> }.to_html();
        let inner = "a &amp;lt; b&lt;/textarea>&lt;script>alert(1)&lt;/script>";
        assert_eq!(html, format!("<textarea>{inner}</textarea>"));
    }

    #[test]
    fn a_title_outlives_what_the_page_was_made_of() {
        let owner = Owner::new();
        let title = owner.with(|| title(Signal::derive(|| "Ada & Bob".to_owned())));
        owner.cleanup();
        assert_eq!(title.get(), "Ada &amp; Bob");
    }

    #[test]
    fn an_empty_text_leaves_the_textarea_empty() {
        assert_eq!(view! { <TextArea text=String::new()/> }.to_html(), "<textarea></textarea>");
    }
}
