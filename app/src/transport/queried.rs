//! How a server function that only reads takes its arguments: in the address.

use super::request::send;
use leptos::server_fn::client::Client;
use leptos::server_fn::codec::{FromReq, GetUrl, IntoReq, IntoRes, Json};
use leptos::server_fn::error::FromServerFnError;
use leptos::server_fn::server::Server;
use leptos::server_fn::{Http, Protocol};
use serde::de::DeserializeOwned;
use std::future::Future;

/// `protocol = Queried`.
pub struct Queried;

impl<Input, Output, C, S, E> Protocol<Input, Output, C, S, E> for Queried
where
    Input: IntoReq<GetUrl, C::Request, E> + FromReq<GetUrl, S::Request, E> + Send,
    Output: IntoRes<Json, S::Response, E> + DeserializeOwned + Send,
    E: FromServerFnError + Send + Sync,
    C: Client<E>,
    S: Server<E>,
{
    const METHOD: http::Method = http::Method::GET;

    async fn run_server<F, Fut>(request: S::Request, server_fn: F) -> Result<S::Response, E>
    where
        F: Fn(Input) -> Fut + Send,
        Fut: Future<Output = Result<Output, E>> + Send,
    {
        <Http<GetUrl, Json> as Protocol<Input, Output, C, S, E>>::run_server(request, server_fn).await
    }

    async fn run_client(path: &str, input: Input) -> Result<Output, E> {
        send::<C, E, Output>(input.into_req(path, "application/json")).await
    }
}
