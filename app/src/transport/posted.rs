//! How a server function that changes something takes its arguments: from a page as a form, so that it works
//! without script, and from a program as JSON, which can say what a form cannot.

use super::request::send;
use leptos::server_fn::Protocol;
use leptos::server_fn::client::Client;
use leptos::server_fn::codec::{FromReq, IntoReq, IntoRes, Json, PostUrl};
use leptos::server_fn::error::{FromServerFnError, IntoAppError, ServerFnErrorErr};
use leptos::server_fn::request::{ClientReq, Req};
use leptos::server_fn::server::Server;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::future::Future;

/// `protocol = Posted`.
pub struct Posted;

impl<Input, Output, C, S, E> Protocol<Input, Output, C, S, E> for Posted
where
    Input: IntoReq<PostUrl, C::Request, E> + FromReq<PostUrl, S::Request, E> + DeserializeOwned + Send,
    Output: IntoRes<Json, S::Response, E> + DeserializeOwned + Send,
    E: FromServerFnError + Send + Sync,
    C: Client<E>,
    S: Server<E>,
{
    const METHOD: http::Method = http::Method::POST;

    async fn run_server<F, Fut>(request: S::Request, server_fn: F) -> Result<S::Response, E>
    where
        F: Fn(Input) -> Fut + Send,
        Fut: Future<Output = Result<Output, E>> + Send,
    {
        let is_json = request.to_content_type().is_some_and(|kind| is_json(&kind));
        let input = match is_json {
            true => read(&request.try_into_bytes().await?).map_err(IntoAppError::into_app_error)?,
            false => Input::from_req(request).await?,
        };
        let output = server_fn(input).await?;
        output.into_res().await
    }

    async fn run_client(path: &str, input: Input) -> Result<Output, E> {
        send::<C, E, Output>(input.into_req(path, "application/json")).await
    }
}

/// Calls the function at `path` with the fields of a form, encoded as a browser encodes them.
pub async fn post_fields<C, E, Output>(path: &str, fields: String) -> Result<Output, E>
where
    C: Client<E>,
    E: FromServerFnError + Send + Sync,
    Output: DeserializeOwned,
{
    let kind = "application/x-www-form-urlencoded";
    send::<C, E, Output>(C::Request::try_new_post(path, kind, "application/json", fields)).await
}

/// Whether this content type is JSON's.
pub fn is_json(kind: &str) -> bool {
    kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json")
}

/// An argument that is `null` is one that was left out.
fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, ServerFnErrorErr> {
    let read = || {
        let mut arguments: Map<String, Value> = serde_json::from_slice(body)?;
        arguments.retain(|_, value| !value.is_null());
        serde_json::from_value(Value::Object(arguments))
    };
    read().map_err(|error: serde_json::Error| ServerFnErrorErr::Args(error.to_string()))
}
