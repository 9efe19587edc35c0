//! A server function that forms call, and what became of the last call.

use crate::prelude::*;
use crate::transport::post_fields;
use leptos::server_fn::ServerFn;
use leptos::server_fn::client::Client;
use leptos::server_fn::error::{FromServerFnError, ServerFnUrlError};
use serde::de::DeserializeOwned;
use std::marker::PhantomData;
use std::ops::Deref;

/// As [`ServerAction`], but its input is a form as it stands, encoded: the arguments need not be read only to be
/// written again, and all functions with one type of answer share one action.
pub struct FormAction<F: ServerFn> {
    action: Action<String, Result<F::Output, F::Error>>,
    function: PhantomData<fn() -> F>,
}

impl<F> FormAction<F>
where
    F: ServerFn<Client: Client<F::Error>> + 'static,
    F::Output: DeserializeOwned + Send + Sync + 'static,
    F::Error: Send + Sync + 'static,
{
    pub fn new() -> Self {
        // What the server refused where there is no script stands in the address.
        let refused = use_context::<ServerActionError>()
            .filter(|error| error.path() == F::PATH)
            .map(|error| Err(ServerFnUrlError::<F::Error>::decode_err(error.err())));
        Self { action: action::<F::Client, _, _>(F::url(), refused), function: PhantomData }
    }

    /// Whether a form whose `field` is `value` is being sent; of a value that forms leave as it is, like an id.
    pub fn is_pending_with(self, field: &str, value: &str) -> bool {
        let has =
            |fields: &String| fields.split('&').any(|pair| pair.split_once('=') == Some((field, value)));
        self.pending().get() && self.input().with(|fields| fields.as_ref().is_some_and(has))
    }
}

fn action<C, O, E>(path: &'static str, refused: Option<Result<O, E>>) -> Action<String, Result<O, E>>
where
    C: Client<E> + 'static,
    O: DeserializeOwned + Send + Sync + 'static,
    E: FromServerFnError + Send + Sync + 'static,
{
    Action::new_with_value(refused, move |fields: &String| post_fields::<C, E, O>(path, fields.clone()))
}

impl<F: ServerFn> Deref for FormAction<F> {
    type Target = Action<String, Result<F::Output, F::Error>>;

    fn deref(&self) -> &Self::Target {
        &self.action
    }
}

impl<F: ServerFn> Clone for FormAction<F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F: ServerFn> Copy for FormAction<F> {}
