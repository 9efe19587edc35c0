//! Server-sent events on their way out.

use bytes::Bytes;
use futures_util::stream::{self, BoxStream, Stream, StreamExt};
use std::convert::Infallible;
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// After so long without a word a comment says that the connection stands.
const QUIET: Duration = Duration::from_secs(15);

pub fn kept_alive(events: BoxStream<'static, Bytes>) -> impl Stream<Item = Result<Bytes, Infallible>> + Send {
    // One for all of them: a timer that is put off is cheaper than another one.
    let quiet = Box::pin(sleep(QUIET));
    stream::unfold((events, quiet), |(mut events, mut quiet)| async move {
        quiet.as_mut().reset(Instant::now() + QUIET);
        let bytes = tokio::select! {
            biased;
            bytes = events.next() => bytes?,
            () = quiet.as_mut() => Bytes::from_static(b": still here\n\n"),
        };
        Some((Ok(bytes), (events, quiet)))
    })
}
