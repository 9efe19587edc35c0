//! What a program in a room asks of its proxy: a tunnel to a host, or a page that is not sealed.

use super::WayOut;
use super::traffic::Counted;
use super::tunnel::Tunnel;
use crate::outbound::Target;
use bytes::Bytes;
use futures_util::future::{Either, select};
use http_body_util::{Either as Body, Full};
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::client::conn::http1::{self, Connection};
use hyper::header::{CONNECTION, HOST, HeaderMap, HeaderName, HeaderValue, TRANSFER_ENCODING, UPGRADE};
use hyper::{Method, Request, Response, StatusCode, Uri, upgrade};
use hyper_util::rt::TokioIo;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll};
use tokio::net::TcpStream;

/// RFC 9110, 7.6.1 and 11.7: they are for one connection, and this is the end of it.
const OF_ONE_CONNECTION: [HeaderName; 8] = [
    CONNECTION,
    HeaderName::from_static("keep-alive"),
    HeaderName::from_static("proxy-connection"),
    HeaderName::from_static("proxy-authorization"),
    HeaderName::from_static("proxy-authenticate"),
    HeaderName::from_static("te"),
    TRANSFER_ENCODING,
    UPGRADE,
];

type Answer = Response<Body<Full<Bytes>, Forwarded>>;

/// Why a request goes no further.
struct Refusal {
    status: StatusCode,
    place: String,
    why: String,
}

pub(super) async fn answer(
    way_out: &WayOut,
    asked: Request<Incoming>,
    opened: &Mutex<Option<Tunnel>>,
) -> Result<Answer, Infallible> {
    let answered = match *asked.method() == Method::CONNECT {
        true => open(way_out, asked, opened).await,
        false => forward(way_out, asked).await,
    };
    Ok(answered.unwrap_or_else(|Refusal { status, place, why }| {
        way_out.traffic.note_refused(&place, &why);
        let mut answer = said(status, format!("{why}\n"));
        // Whoever wanted a tunnel waits for the end of it.
        answer.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        answer
    }))
}

async fn open(
    way_out: &WayOut,
    mut asked: Request<Incoming>,
    opened: &Mutex<Option<Tunnel>>,
) -> Result<Answer, Refusal> {
    let authority = asked.uri().to_string();
    let target =
        Target::parse(&format!("https://{authority}/")).map_err(|why| no_address(&authority, why))?;
    let server = way_out
        .gate
        .open_sealed(target.clone(), way_out.pace.clone())
        .await
        .map_err(|why| refused(&target, why))?;
    let tunnel = Tunnel { upgrade: upgrade::on(&mut asked), target, server };
    *opened.lock().unwrap_or_else(PoisonError::into_inner) = Some(tunnel);
    Ok(said(StatusCode::OK, String::new()))
}

async fn forward(way_out: &WayOut, mut asked: Request<Incoming>) -> Result<Answer, Refusal> {
    let address = asked.uri().to_string();
    let target = Target::parse(&address).map_err(|why| no_address(&address, why))?;
    if target.url().scheme() != "http" {
        let why = "Ask for https by CONNECT.".to_owned();
        return Err(Refusal { status: StatusCode::BAD_REQUEST, place: target.place(), why });
    }
    let failed = |_| Refusal {
        status: StatusCode::BAD_GATEWAY,
        place: target.place(),
        why: format!("{} gave no answer.", target.place()),
    };
    let server =
        way_out.gate.open(target.clone(), way_out.pace.clone()).await.map_err(|why| refused(&target, why))?;
    let server = Counted::new(server, target.place(), &way_out.traffic)
        .map_err(|error| refused(&target, error.to_string()))?;
    let (mut sender, connection) = http1::handshake(TokioIo::new(server)).await.map_err(failed)?;
    let authority = address_of(&target);
    let path = match target.url().query() {
        Some(query) => format!("{}?{query}", target.url().path()),
        None => target.url().path().to_owned(),
    };
    *asked.uri_mut() = Uri::try_from(path).map_err(|why| no_address(&address, why))?;
    for_the_next(asked.headers_mut());
    asked
        .headers_mut()
        .insert(HOST, HeaderValue::try_from(authority).map_err(|why| no_address(&address, why))?);
    let (answered, connection) = match select(Box::pin(sender.send_request(asked)), connection).await {
        Either::Left((answered, connection)) => (answered.map_err(failed)?, Some(connection)),
        Either::Right((_, answering)) => (answering.await.map_err(failed)?, None),
    };
    let mut answered = answered.map(|body| Body::Right(Forwarded { body, connection }));
    for_the_next(answered.headers_mut());
    Ok(answered)
}

/// Takes off what was for the connection on which it came.
fn for_the_next(headers: &mut HeaderMap) {
    let named: Vec<HeaderName> = headers
        .get_all(CONNECTION)
        .into_iter()
        .filter_map(|names| names.to_str().ok())
        .flat_map(|names| names.split(','))
        .filter_map(|name| HeaderName::try_from(name.trim()).ok())
        .collect();
    for name in OF_ONE_CONNECTION.iter().chain(&named) {
        headers.remove(name);
    }
}

fn address_of(target: &Target) -> String {
    let host = target.url().host_str().unwrap_or_default();
    target.url().port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

fn refused(target: &Target, why: String) -> Refusal {
    Refusal { status: StatusCode::FORBIDDEN, place: target.place(), why }
}

fn no_address(text: &str, why: impl std::fmt::Display) -> Refusal {
    let place = text.chars().take(100).collect();
    Refusal { status: StatusCode::BAD_REQUEST, place, why: format!("This is no address of the web: {why}.") }
}

fn said(status: StatusCode, text: String) -> Answer {
    let mut answer = Response::new(Body::Left(Full::new(Bytes::from(text))));
    *answer.status_mut() = status;
    answer
}

/// What a server sends, which comes only while its connection is looked after.
pub(super) struct Forwarded {
    body: Incoming,
    /// None: it is over.
    connection: Option<Connection<TokioIo<Counted<TcpStream>>, Incoming>>,
}

impl hyper::body::Body for Forwarded {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        if self.connection.as_mut().is_some_and(|connection| Pin::new(connection).poll(cx).is_ready()) {
            self.connection = None;
        }
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
