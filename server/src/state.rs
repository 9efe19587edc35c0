//! What every handler is given.

use crate::assets::Assets;
use crate::limits::Limits;
use crate::mcp_calls::Calls;
use crate::readiness::Readiness;
use crate::site::Site;
use axum::extract::FromRef;
use hub::Hub;
use leptos::config::LeptosOptions;
use std::sync::Arc;

#[derive(Clone)]
pub struct AppState {
    pub hub: Hub,
    pub site: Arc<Site>,
    pub limits: Arc<Limits>,
    pub assets: Arc<Assets>,
    pub readiness: Arc<Readiness>,
    pub mcp_calls: Arc<Calls>,
    pub options: LeptosOptions,
}

impl FromRef<AppState> for LeptosOptions {
    fn from_ref(state: &AppState) -> Self {
        state.options.clone()
    }
}

impl FromRef<AppState> for Arc<Assets> {
    fn from_ref(state: &AppState) -> Self {
        Arc::clone(&state.assets)
    }
}
