//! A form that is empty again once what was typed is kept.

use leptos::html::Form;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;

/// For the `node_ref` of a form whose page stays: after each success it shows what it showed at first.
pub fn emptied_by<S>(action: ServerAction<S>) -> NodeRef<Form>
where
    S: ServerFn + Clone + Send + Sync + 'static,
    S::Output: Clone + Send + Sync + 'static,
    S::Error: Clone + Send + Sync + 'static,
{
    let form = NodeRef::<Form>::new();
    Effect::new(move |_| {
        if let (Some(Ok(_)), Some(form)) = (action.value().get(), form.get()) {
            form.reset();
        }
    });
    form
}
