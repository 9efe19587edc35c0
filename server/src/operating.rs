//! For who runs the hub: whether it is ready, and figures on an address of their own.

use crate::startup_error::StartupError;
use crate::state::AppState;
use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::get;
use hub::Hub;
use std::future::pending;
use std::net::SocketAddr;
use tokio::net::TcpListener;

/// How what it names is, is in the log, for who may read it.
pub async fn ready(State(state): State<AppState>) -> impl IntoResponse {
    match state.readiness.look(&state.hub).await {
        None => (StatusCode::OK, "ready\n".to_owned()),
        Some(missing) => (StatusCode::SERVICE_UNAVAILABLE, format!("not ready: {missing}\n")),
    }
}

/// Serves figures at `/metrics` on this address, to whoever reaches it. Without one it only waits.
pub async fn serve_metrics(address: Option<SocketAddr>, hub: &Hub) -> Result<(), StartupError> {
    let Some(address) = address else { return pending().await };
    let failed = |error| {
        StartupError(format!("VIVARIUM_METRICS_ADDR is {address}, which cannot be listened on: {error}."))
    };
    let listener = TcpListener::bind(address).await.map_err(failed)?;
    let router = Router::new().route("/metrics", get(metrics)).with_state(hub.clone());
    axum::serve(listener, router).await.map_err(failed)
}

async fn metrics(State(hub): State<Hub>) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], hub.metrics().await)
}
