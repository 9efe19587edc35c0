//! Serves what other nodes hand on, as if it had come here.

use super::HEADERS;
use super::accept::GuardedStream;
use crate::between_nodes::HandedOn;
use crate::limits::{Connection, Limits};
use axum::{Extension, Router};
use hub::Hub;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::convert::Infallible;
use std::sync::Arc;

/// Serves what other nodes hand on, if there are any. It never ends.
pub async fn serve(hub: &Hub, router: Router, limits: &Arc<Limits>) -> Infallible {
    let Some(mut streams) = hub.cluster().begun_streams() else { return std::future::pending().await };
    while let Some(stream) = streams.recv().await {
        let connection = Connection::open(limits, stream.client);
        let stream = GuardedStream::new(stream, &connection);
        let service = router.clone().layer(Extension(connection)).layer(Extension(HandedOn));
        hub.cluster().spawn(async move {
            let serving = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEADERS)
                .serve_connection(TokioIo::new(stream), TowerToHyperService::new(service))
                .with_upgrades();
            // Whoever handed it on hears of it.
            let _ = serving.await;
        });
    }
    std::future::pending().await
}
