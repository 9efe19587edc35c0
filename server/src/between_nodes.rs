//! HTTP from one node to another, over streams that go by NATS: each request has a stream of its own.

use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use http::{StatusCode, header};
use hub::{Hub, NodeId, Requester};
use hyper::client::conn::http1 as client;
use hyper_util::rt::TokioIo;
use std::net::IpAddr;
use tokio::io::{AsyncWriteExt, copy, split};

/// A request that another node took, and this one serves.
#[derive(Clone, Copy, Debug)]
pub struct HandedOn;

/// What only tells of the way to the node that took the request.
const OF_THE_WAY: [header::HeaderName; 4] = [
    header::HeaderName::from_static("x-forwarded-for"),
    header::HeaderName::from_static("x-forwarded-proto"),
    header::HeaderName::from_static("x-forwarded-host"),
    header::FORWARDED,
];

/// Why another node answered nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unanswered {
    /// It was not sent.
    Unreached,
    /// Nobody knows whether it was taken.
    Broken,
}

/// What the other node answers.
pub async fn forward(
    hub: &Hub,
    node: &NodeId,
    (requester, client): (&Requester, IpAddr),
    mut request: Request,
) -> Result<Response, Unanswered> {
    let stream =
        hub.cluster().open_stream(node, requester, client).await.map_err(|_| Unanswered::Unreached)?;
    let (mut sender, connection) =
        client::handshake(TokioIo::new(stream)).await.map_err(|_| Unanswered::Unreached)?;
    hub.cluster().spawn(async move {
        // Who waits for the answer hears of it.
        let _ = connection.with_upgrades().await;
    });
    let host = request.uri().authority().map(|authority| authority.as_str().to_owned());
    let headers = request.headers_mut();
    for name in OF_THE_WAY {
        headers.remove(name);
    }
    // In HTTP/2 it stands in the address.
    if let Some(host) = host.and_then(|host| host.parse().ok()) {
        headers.insert(header::HOST, host);
    }
    let path = request.uri().path_and_query().cloned().ok_or(Unanswered::Unreached)?;
    *request.uri_mut() = path.into();
    *request.version_mut() = http::Version::HTTP_11;
    let outer = hyper::upgrade::on(&mut request);
    let mut answer = sender.send_request(request).await.map_err(|_| Unanswered::Broken)?;
    if answer.status() == StatusCode::SWITCHING_PROTOCOLS {
        let inner = hyper::upgrade::on(&mut answer);
        hub.cluster().spawn(async move {
            let (Ok(outer), Ok(inner)) = (outer.await, inner.await) else { return };
            let (mut from_client, mut to_client) = split(TokioIo::new(outer));
            let (mut from_node, mut to_node) = split(TokioIo::new(inner));
            // Whichever ends first ends the other: a socket has said good-bye by then, or never will.
            let _ = tokio::select! {
                ended = copy(&mut from_client, &mut to_node) => ended,
                ended = copy(&mut from_node, &mut to_client) => ended,
            };
            // They may be gone already.
            let _ = tokio::join!(to_client.shutdown(), to_node.shutdown());
        });
    }
    Ok(answer.map(Body::new))
}
