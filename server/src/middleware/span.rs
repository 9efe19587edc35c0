//! One span for each request: whatever is logged on its behalf names it.

use axum::extract::{MatchedPath, Request};
use axum::middleware::Next;
use axum::response::Response;
use hub::clock::new_id;
use tracing::{Instrument, info_span};

/// The route and not the path, which may hold a secret: the code of a link, for one.
pub(super) async fn enter(request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str);
    let span = info_span!("request", request.id = new_id(), route);
    next.run(request).instrument(span).await
}
