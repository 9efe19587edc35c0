//! Every route that is not a page, on one screen.

use crate::limits::Limits;
use crate::site::Site;
use crate::{archives, endpoints, events, files, middleware, pages, sandbox, socket, usage};
use axum::Router;
use axum::extract::FromRef;
use axum::routing::{any, get, post};
use hub::Hub;
use leptos::config::LeptosOptions;
use std::sync::Arc;

#[derive(Clone)]
pub struct AppState {
    pub hub: Hub,
    pub site: Arc<Site>,
    pub limits: Arc<Limits>,
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
        .route("/usage/tools.csv", get(usage::tools))
        .route("/admin/usage.csv", get(usage::sheet_of_all))
        .route("/admin/usage/tools.csv", get(usage::tools_of_all))
        .route("/sandbox/skin", get(sandbox::skin))
        .route("/sandbox/loop", get(sandbox::loop_frame))
        .route("/sandbox/still/{agent}", get(sandbox::still))
        .route("/sandbox/still/archive/{archive}", get(sandbox::archive_still))
        .route("/sandbox/worker.js", get(sandbox::worker_script))
        .route("/sandbox/worker.wasm", get(sandbox::worker_module))
        .route("/files/{agent}/{*path}", get(files::open))
        .route("/archives/{agent}", get(archives::export));
    let routes = pages::mount(routes);
    // What takes larger bodies than server functions do, and counts them itself.
    let uploads = Router::new()
        .route("/archives", post(archives::upload))
        .route("/v1/chat/completions", post(endpoints::chat).fallback(endpoints::nothing))
        .route("/v1/responses", post(endpoints::responses).fallback(endpoints::nothing))
        .route("/v1/messages", post(endpoints::messages).fallback(endpoints::nothing))
        .route("/v1/messages/count_tokens", post(endpoints::count_tokens).fallback(endpoints::nothing))
        .route("/v1/models", get(endpoints::models).fallback(endpoints::nothing))
        .route("/v1/models/{*id}", get(endpoints::model).fallback(endpoints::nothing))
        .route("/v1/{*path}", any(endpoints::nothing));
    middleware::wrap(routes, uploads, &state).with_state(state)
}
