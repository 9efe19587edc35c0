//! Opens the database and answers each request from it: no page, no accounts, no sandbox.

use axum::Router;
use axum::extract::State;
use axum::routing::get;
use hub::store::Store;
use std::path::Path;

pub async fn serve(folder: &str, address: &str) {
    let store = Store::open_folder(Path::new(folder)).await.unwrap();
    let page = async |State(store): State<Store>| store.examine().await.unwrap();
    super::serve(Router::new().route("/sign-in", get(page)).with_state(store), address).await;
}
