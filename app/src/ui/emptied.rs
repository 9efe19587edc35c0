//! A form that is empty again once what was typed is kept.

use super::FormAction;
use crate::prelude::*;
use leptos::html::Form;
use leptos::server_fn::ServerFn;

/// For the `node_ref` of a form whose page stays: after each success it shows what it showed at first.
pub fn emptied_by<S>(action: FormAction<S>) -> NodeRef<Form>
where
    S: ServerFn + Clone + Send + Sync + 'static,
    S::Output: Clone + Send + Sync + 'static,
    S::Error: Clone + Send + Sync + 'static,
{
    let form = NodeRef::<Form>::new();
    Effect::new(move |before: Option<usize>| {
        let version = action.version().get();
        let is_done = action.value().with_untracked(|value| matches!(value, Some(Ok(_))));
        // A form that is drawn anew after a success may hold the next thing already.
        if before.is_some_and(|before| before != version)
            && is_done
            && let Some(form) = form.get_untracked()
        {
            form.reset();
        }
        version
    });
    form
}
