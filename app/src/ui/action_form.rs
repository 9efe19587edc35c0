//! A form that sends its fields to a server function: by script where there is script, and as any form where
//! there is none.

use super::FormAction;
use crate::prelude::*;
use leptos::ev::SubmitEvent;
use leptos::form::form_data_from_event;
use leptos::html::Form;
use leptos::server_fn::ServerFn;
use leptos::server_fn::error::{FromServerFnError, IntoAppError, ServerFnErrorErr};
use leptos::web_sys::{UrlSearchParams, wasm_bindgen::JsValue};

#[component]
pub fn ActionForm<F>(
    action: FormAction<F>,
    #[prop(optional)] node_ref: Option<NodeRef<Form>>,
    children: Children,
) -> impl IntoView
where
    F: ServerFn + 'static,
    F::Output: Send + Sync + 'static,
    F::Error: Send + Sync + 'static,
{
    form(F::url(), *action, node_ref.unwrap_or_default(), children)
}

/// Apart, so that the browser's program has one for each type of answer and not one for each function.
fn form<O, E>(
    url: &'static str,
    action: Action<String, Result<O, E>>,
    node_ref: NodeRef<Form>,
    children: Children,
) -> AnyView
where
    O: Send + Sync + 'static,
    E: FromServerFnError + Send + Sync + 'static,
{
    let (value, version) = (action.value(), action.version());
    let (pending, input) = (action.pending(), action.input());
    // A second press means the same. The other forms of an action go out meanwhile.
    let is_on_its_way = move |fields: &String| {
        pending.get_untracked() && input.with_untracked(|input| input.as_ref() == Some(fields))
    };
    let submit = move |event: SubmitEvent| {
        if event.default_prevented() {
            return;
        }
        event.prevent_default();
        match fields(&event) {
            Ok(fields) if is_on_its_way(&fields) => {}
            Ok(fields) => drop(action.dispatch(fields)),
            Err(error) => {
                value.set(Some(Err(ServerFnErrorErr::Args(format!("{error:?}")).into_app_error())));
                version.update(|version| *version += 1);
            }
        }
    };
    view! {
        <form action=url method="post" node_ref=node_ref on:submit=submit>
            {children()}
        </form>
    }
    .into_any()
}

/// What the form holds, with the button that was pressed, as a browser would send it.
fn fields(event: &SubmitEvent) -> Result<String, JsValue> {
    let data = form_data_from_event(event).map_err(|error| JsValue::from(error.to_string()))?;
    // A button without a name was given an empty one.
    data.delete("");
    Ok(UrlSearchParams::new_with_str_sequence_sequence(&data)?.to_string().into())
}
