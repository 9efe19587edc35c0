//! Text inside `title` and `textarea`, which the server writes without escaping it.

use leptos::prelude::*;
use leptos_meta::Title;

/// The page's title, where it holds words of a person.
#[component]
pub fn PageTitle(text: String) -> impl IntoView {
    view! { <Title text=written(text)/> }
}

/// A `textarea` that holds `text` at first. Its attributes are given with `attr:`.
#[component]
pub fn TextArea(text: String) -> impl IntoView {
    view! { <textarea>{written(text)}</textarea> }
}

/// How the text has to be given so that it is read as it is.
fn written(text: String) -> String {
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
    fn an_empty_text_leaves_the_textarea_empty() {
        assert_eq!(view! { <TextArea text=String::new()/> }.to_html(), "<textarea></textarea>");
    }
}
