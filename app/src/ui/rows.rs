//! Rows of a list that is read anew, each the same element for as long as what it shows is there: who has the focus in
//! one, or is about to press it, keeps it.

use crate::prelude::*;
use std::hash::Hash;

/// A row for each of `items`, known by its `key`. One that is other than it was is drawn anew over what is there.
pub fn rows<T, K, V>(
    items: impl Fn() -> Vec<T> + Send + Sync + 'static,
    key: fn(&T) -> K,
    draw: impl Fn(T) -> V + Clone + Send + Sync + 'static,
) -> impl IntoView
where
    T: Clone + PartialEq + Send + Sync + 'static,
    K: Clone + Eq + Hash + Send + Sync + 'static,
    V: IntoView + 'static,
{
    let items = Memo::new(move |_| items());
    let keys = Memo::new(move |_| items.with(|items| items.iter().map(key).collect::<Vec<K>>()));
    let row = move |own: K| {
        let draw = draw.clone();
        let item =
            Memo::new(move |_| items.with(|items| items.iter().find(|item| key(item) == own).cloned()));
        move || item.get().map(|item| draw(item).into_any())
    };
    view! { <For each=move || keys.get() key=K::clone children=row/> }
}
