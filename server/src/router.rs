//! Every route that is not a page, on one screen.

use crate::site::Site;
use crate::{events, middleware, pages, sandbox, socket, usage};
use axum::Router;
use axum::extract::FromRef;
use axum::routing::{any, get};
use hub::Hub;
use leptos::config::LeptosOptions;
use std::sync::Arc;

#[derive(Clone)]
pub struct AppState {
    pub hub: Hub,
    pub site: Arc<Site>,
    pub options: LeptosOptions,
}

impl FromRef<AppState> for LeptosOptions {
    fn from_ref(state: &AppState) -> Self {
        state.options.clone()
    }
}

pub fn router(state: AppState) -> Router {
    let routes = Router::new()
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/live", any(socket::upgrade))
        .route("/api/agents/{agent}/events", get(events::follow))
        .route("/api/{*function}", any(pages::server_function))
        .route("/usage.csv", get(usage::sheet))
        .route("/sandbox/skin", get(sandbox::skin))
        .route("/sandbox/loop", get(sandbox::loop_frame))
        .route("/sandbox/still/{agent}", get(sandbox::still))
        .route("/sandbox/worker.js", get(sandbox::worker_script))
        .route("/sandbox/worker.wasm", get(sandbox::worker_module));
    let routes = pages::mount(routes);
    middleware::wrap(routes, &state).with_state(state)
}
