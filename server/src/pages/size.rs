//! Which pages are compressed. The length of a compressed page tells what of it repeats: whoever can
//! put guesses into a page and see how long it gets can find out what else stands there. So only pages
//! on this list are, and none that was asked for with a query, which pages show again.

use crate::encoding::{Encoding, gzip};
use axum::body::{Body, to_bytes};
use axum::extract::{MatchedPath, Request};
use axum::response::Response;
use http::{HeaderValue, StatusCode, header};
use tokio::task::spawn_blocking;

/// Pages that never show a code, a token or a link that lets somebody in.
const WITHOUT_SECRETS: [&str; 19] = [
    "/",
    "/sign-in",
    "/sign-up",
    "/providers",
    "/models",
    "/usage",
    "/schedules",
    "/gallery",
    "/gallery/{archive}",
    "/agents/new",
    "/agents/{id}",
    "/agents/{id}/edit",
    "/agents/{id}/context",
    "/agents/{id}/tools",
    "/agents/{id}/skins",
    "/agents/{id}/budget",
    "/agents/{id}/schedules",
    "/agents/{id}/rules",
    "/agents/{id}/delete",
];

/// How an answer goes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Size {
    /// As it is, whatever the browser takes.
    Whole,
    /// Compressed, if the browser takes that.
    Small(Encoding),
}

impl Size {
    pub(super) fn of(request: &Request) -> Self {
        let page = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str);
        let is_listed = page.is_some_and(|page| WITHOUT_SECRETS.contains(&page));
        if !is_listed || request.uri().query().is_some() {
            return Self::Whole;
        }
        match Encoding::of(request.headers()) {
            Encoding::Brotli | Encoding::Gzip => Self::Small(Encoding::Gzip),
            Encoding::Plain => Self::Small(Encoding::Plain),
        }
    }

    pub(super) async fn give(self, response: Response) -> Response {
        let Self::Small(encoding) = self else { return response };
        let (mut head, body) = response.into_parts();
        encoding.tell(&mut head.headers);
        if encoding == Encoding::Plain {
            return Response::from_parts(head, body);
        }
        let Some(small) = smaller(body).await else {
            head.status = StatusCode::INTERNAL_SERVER_ERROR;
            head.headers.remove(header::CONTENT_ENCODING);
            return Response::from_parts(head, Body::empty());
        };
        head.headers.insert(header::CONTENT_LENGTH, HeaderValue::from(small.len()));
        Response::from_parts(head, Body::from(small))
    }
}

/// `None`: the page broke off, or does not fit.
async fn smaller(body: Body) -> Option<Vec<u8>> {
    let whole = to_bytes(body, usize::MAX).await.ok()?;
    spawn_blocking(move || gzip(&whole)).await.ok()?.ok()
}
