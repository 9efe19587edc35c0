//! Server-sent events on their way out.

use bytes::Bytes;
use futures_util::stream::{self, BoxStream, Stream, StreamExt};
use std::convert::Infallible;
use std::time::Duration;
use tokio::time::timeout;

/// After so long without a word a comment says that the connection stands.
const QUIET: Duration = Duration::from_secs(15);

pub fn kept_alive(events: BoxStream<'static, Bytes>) -> impl Stream<Item = Result<Bytes, Infallible>> + Send {
    stream::unfold(events, |mut events| async {
        let bytes = match timeout(QUIET, events.next()).await {
            Ok(bytes) => bytes?,
            Err(_) => Bytes::from_static(b": still here\n\n"),
        };
        Some((Ok(bytes), events))
    })
}
