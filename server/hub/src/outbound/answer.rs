//! An answer whose body is still coming.

use super::OutboundError;
use bytes::Bytes;
use reqwest::header::{HeaderMap, HeaderName};

/// Dropping it closes the connection.
#[derive(Debug)]
pub(crate) struct Answer {
    response: reqwest::Response,
    place: String,
}

impl Answer {
    pub(super) fn new(response: reqwest::Response, place: String) -> Self {
        Self { response, place }
    }

    /// One that came before and was kept. `None`: such a status is none.
    pub(crate) fn kept(place: String, status: u16, headers: &HeaderMap, body: Bytes) -> Option<Self> {
        let mut response = http::Response::builder().status(status).body(body).ok()?;
        headers.clone_into(response.headers_mut());
        Some(Self::new(response.into(), place))
    }

    pub(crate) fn status(&self) -> u16 {
        self.response.status().as_u16()
    }

    pub(crate) fn is_success(&self) -> bool {
        self.response.status().is_success()
    }

    pub(crate) fn header(&self, name: HeaderName) -> Option<&str> {
        self.response.headers().get(name)?.to_str().ok()
    }

    pub(crate) fn headers(&self) -> &HeaderMap {
        self.response.headers()
    }

    /// The next bytes of the body, `None` at its end.
    pub(crate) async fn next(&mut self) -> Result<Option<Bytes>, OutboundError> {
        self.response.chunk().await.map_err(|error| OutboundError::of(error, self.place.clone()))
    }

    /// The body's first `limit` bytes. What breaks off is taken as far as it came.
    pub(crate) async fn start_of_body(mut self, limit: usize) -> Vec<u8> {
        let mut body = Vec::new();
        while body.len() < limit
            && let Ok(Some(bytes)) = self.next().await
        {
            body.extend_from_slice(&bytes[..bytes.len().min(limit - body.len())]);
        }
        body
    }
}
