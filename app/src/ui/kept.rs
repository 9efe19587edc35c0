//! What stays on the page as it is, with what is half written in it, for as long as what it shows does. A
//! page whose contents come anew after an action is drawn again over what is there; what is kept is not.

use crate::prelude::*;
use leptos::tachys::reactive_graph::OwnedView;
use leptos::tachys::view::keyed::keyed;
use std::any::Any;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Owns what is kept: each drawing of the page owns only what is drawn anew with the next.
#[derive(Clone)]
struct Keeper(Owner);

/// For the page around what is drawn again.
pub fn provide_keeper() {
    provide_context(Keeper(Owner::new()));
}

/// Each of `items`, drawn once for as long as one that is equal to it is among them. What `draw` uses has to
/// last as long as the page.
pub fn kept_each<T, V>(items: Vec<T>, draw: impl Fn(T) -> V + Clone + Send + 'static) -> AnyView
where
    T: Clone + PartialEq + Send + Sync + 'static,
    V: IntoView + 'static,
{
    let parts = items.into_iter().map(|item| {
        let (shows, draw) = (Shown(Arc::new(item.clone())), draw.clone());
        Part { shows, draw: Box::new(move || draw(item).into_any()) }
    });
    each(parts.collect())
}

/// What `draw` makes of `item`, drawn once for as long as that stays the same.
pub fn kept<T, V>(item: T, draw: impl Fn(T) -> V + Clone + Send + 'static) -> AnyView
where
    T: Clone + PartialEq + Send + Sync + 'static,
    V: IntoView + 'static,
{
    kept_each(vec![item], draw)
}

struct Part {
    shows: Shown,
    draw: Box<dyn FnOnce() -> AnyView + Send>,
}

/// Apart, so that the browser's program has it once.
fn each(parts: Vec<Part>) -> AnyView {
    let keeper = use_context::<Keeper>().map_or_else(Owner::new, |Keeper(owner)| owner);
    let draw = move |_, part: Part| {
        let owner = keeper.with(Owner::new);
        let view = owner.with(part.draw);
        (|_| (), OwnedView::new_with_owner(view, owner))
    };
    keyed(parts, |part: &Part| part.shows.clone(), draw).into_any()
}

/// What a part shows, of whatever type.
#[derive(Clone)]
struct Shown(Arc<dyn Same>);

trait Same: Any + Send + Sync {
    fn is_same(&self, other: &dyn Any) -> bool;
}

impl<T: PartialEq + Send + Sync + 'static> Same for T {
    fn is_same(&self, other: &dyn Any) -> bool {
        other.downcast_ref::<T>().is_some_and(|other| self == other)
    }
}

impl PartialEq for Shown {
    fn eq(&self, other: &Self) -> bool {
        let other: &dyn Any = &*other.0;
        self.0.is_same(other)
    }
}

impl Eq for Shown {}

/// Nothing of it: a page has some dozens of parts, and what they show need not be hashable.
impl Hash for Shown {
    fn hash<H: Hasher>(&self, _state: &mut H) {}
}
