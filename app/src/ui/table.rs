//! A table of things that a person has.

use crate::prelude::*;

/// The last column of rows with something to press; who sees the buttons needs no word above them.
pub const ACTIONS: &str = key!("Actions");

/// `rows` are elements `tr`. Rows with forms are drawn by [`super::kept_each`].
#[component]
pub fn Table(#[prop(into)] columns: Vec<&'static str>, rows: AnyView) -> impl IntoView {
    let column = |name: &'static str| match name {
        ACTIONS => {
            view! { <th scope="col" class="list-end"><span class="sr-only">{t(name)}</span></th> }.into_any()
        }
        name => view! { <th scope="col">{name}</th> }.into_any(),
    };
    view! {
        <table class="list">
            <thead><tr>{columns.into_iter().map(column).collect_view()}</tr></thead>
            <tbody>{rows}</tbody>
        </table>
    }
}
