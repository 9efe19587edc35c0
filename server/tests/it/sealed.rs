//! A provider behind TLS, as the hub finds it.

use crate::mailed::certified;
use crate::things::json_of;
use crate::world::Program;
use axum::extract::Request;
use axum::{Json, Router};
use axum_server::Handle;
use axum_server::tls_rustls::{RustlsConfig, bind_rustls};
use serde_json::json;
use std::net::SocketAddr;
use std::path::Path;

/// Says of which version of HTTP it was asked, in place of its models. In the folder are its certificate and its key.
async fn serve(folder: &Path) -> String {
    // Whoever was first has chosen the same one.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let sealed = RustlsConfig::from_pem_file(folder.join("mail.pem"), folder.join("mail.key")).await.unwrap();
    let router = Router::new().fallback(async |request: Request| {
        Json(json!({ "data": [{ "id": format!("{:?}", request.version()) }] }))
    });
    let handle: Handle<SocketAddr> = Handle::new();
    let server = bind_rustls(([127, 0, 0, 1], 0).into(), sealed).handle(handle.clone());
    #[expect(clippy::disallowed_methods, reason = "what a test starts belongs to the test")]
    tokio::spawn(server.serve(router.into_make_service()));
    format!("https://localhost:{}", handle.listening().await.unwrap().port())
}

#[tokio::test]
async fn a_provider_is_asked_sealed_and_only_if_it_shows_who_it_is() {
    let (folder, stranger) = (certified(), certified());
    let trusted = folder.path().join("mail.pem").display().to_string();
    let program = Program::start_with(&[("SSL_CERT_FILE", &trusted)]);
    let ada = program.caller("ada");
    for (folder, live) in [(&folder, true), (&stranger, false)] {
        let url = serve(folder.path()).await;
        let draft = json!({ "name": url, "kind": "open_ai", "base_url": url, "key": "key-good" });
        let id = ada.call("/api/providers/save", &draft).await["id"].as_str().unwrap().to_owned();
        let models = json_of(&ada, &format!("/api/providers/models?id={id}")).await;
        assert_eq!(models["live"], live, "{models}");
        assert_eq!(models.to_string().contains("HTTP/2.0"), live, "{models}");
    }
}
