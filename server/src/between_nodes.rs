//! HTTP from one node to another, over streams that go by NATS: each request has a stream of its own.

use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use http::{StatusCode, header};
use hub::{Hub, NodeId};
use hyper::client::conn::http1 as client;
use hyper_util::rt::TokioIo;
use protocol::UserId;
use std::net::IpAddr;
use tokio::io::copy_bidirectional;

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

/// What the other node answers. `None`: it cannot be reached.
pub async fn forward(
    hub: &Hub,
    node: &NodeId,
    (person, client): (&UserId, IpAddr),
    mut request: Request,
) -> Option<Response> {
    let stream = hub.cluster().open_stream(node, person, client).await.ok()?;
    let (mut sender, connection) = client::handshake(TokioIo::new(stream)).await.ok()?;
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
        headers.entry(header::HOST).or_insert(host);
    }
    let path = request.uri().path_and_query().cloned()?;
    *request.uri_mut() = path.into();
    *request.version_mut() = http::Version::HTTP_11;
    let outer = hyper::upgrade::on(&mut request);
    let mut answer = sender.send_request(request).await.ok()?;
    if answer.status() == StatusCode::SWITCHING_PROTOCOLS {
        let inner = hyper::upgrade::on(&mut answer);
        hub.cluster().spawn(async move {
            let (Ok(outer), Ok(inner)) = (outer.await, inner.await) else { return };
            // It ends when one of them does.
            let _ = copy_bidirectional(&mut TokioIo::new(outer), &mut TokioIo::new(inner)).await;
        });
    }
    Some(answer.map(Body::new))
}
