//! Passes requests on to a model's server and the answers back, and knows nothing of either.

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::Response;
use axum::routing::post;
use reqwest::Client;

#[expect(clippy::disallowed_methods, reason = "the bare limit has no hub to ask for a client")]
pub async fn serve(upstream: &str) {
    let client = Client::builder().no_proxy().tcp_nodelay(true).build().unwrap();
    let state = (client, format!("{upstream}/v1/chat/completions"));
    let router = Router::new().route("/v1/chat/completions", post(pass)).with_state(state);
    super::serve(router, "127.0.0.1:0").await;
}

async fn pass(State((client, url)): State<(Client, String)>, request: Request) -> Response {
    let body: Bytes = axum::body::to_bytes(request.into_body(), usize::MAX).await.unwrap();
    let answer = client.post(url).header(CONTENT_TYPE, "application/json").body(body).send().await.unwrap();
    let kind = answer.headers()[CONTENT_TYPE].clone();
    let mut response = Response::new(Body::from_stream(answer.bytes_stream()));
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}
