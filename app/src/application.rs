//! What the shell needs of this application.

use crate::AppError;
use crate::agents::api::{get_skin, get_state};
use crate::assets::asset;
use crate::permissions::api::{covers_link, set_permission};
use crate::providers::api::read_models;
use crate::session::me;
use shell::{Application, HubFuture};
use std::future::Future;

/// Comes before the first page.
pub fn begin() {
    shell::begin(Application {
        check_in: || asked(async { me().await.map(drop) }),
        read_models: |provider, status, body| asked(read_models(provider, status, body)),
        skin: |agent| asked(get_skin(agent)),
        state: |agent| asked(get_state(agent)),
        covers_link: |agent, url| asked(covers_link(agent, url)),
        set_permission: |agent, permission, host, allowed| {
            asked(set_permission(agent, permission, host, allowed))
        },
        asset,
    });
}

/// Comes before all: pages are drawn in the language of the document.
pub async fn speak() {
    shell::speak(|file| asset(&format!("/languages/{file}"))).await;
}

fn asked<T>(call: impl Future<Output = Result<T, AppError>> + 'static) -> HubFuture<T> {
    Box::pin(async { call.await.map_err(|error| error.0) })
}
