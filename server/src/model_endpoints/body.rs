//! Bodies of requests of programs. What is taken in is counted while it comes, and what it will become before
//! any of it is made.

use crate::limits::{BodyRoom, Limits, QuotaFull};
use crate::nodes;
use axum::body::Body;
use bytes::{Bytes, BytesMut};
use futures_util::StreamExt;
use hub::{ApiError, ApiErrorKind, Viewer};
use std::pin::pin;
use std::time::Duration;
use tokio::time::{sleep, timeout};

const MEGABYTE: usize = 1024 * 1024;
/// Bytes that are read of one that is too large: a client that is still sending would not see the answer.
const DRAINED: usize = 64 * MEGABYTE;
/// Bytes that are looked through in passing.
const SHORT: usize = 64 * 1024;
/// Values and names in a body.
const MAX_NODES: usize = 200_000;
/// How long the next piece may take to come, and all of them.
const PIECE_TIMEOUT: Duration = Duration::from_secs(30);
const WHOLE: Duration = Duration::from_secs(5 * 60);
/// When one that was held back may come again.
const BUSY_MS: u64 = 1_000;

/// A body, and the room that it takes up until it is dropped.
pub struct Read {
    pub bytes: Bytes,
    pub room: BodyRoom,
}

/// One of at most so many megabytes.
pub async fn read(body: Body, limits: &Limits, viewer: &Viewer, megabytes: usize) -> Result<Read, ApiError> {
    let mut room = limits.body(viewer);
    let bytes = take(body, &mut room, megabytes, sleep(WHOLE)).await?;
    let count = values(&bytes).await?;
    if count > MAX_NODES {
        return Err(ApiError::new(
            ApiErrorKind::TooLarge,
            format!("The body holds more than {MAX_NODES} values. Send a shorter conversation."),
        ));
    }
    room.grow(count * nodes::BYTES_PER_NODE).map_err(full)?;
    Ok(Read { bytes, room })
}

/// About how many values it has. A long one is looked through off the threads that serve everybody.
async fn values(bytes: &Bytes) -> Result<usize, ApiError> {
    if bytes.len() <= SHORT {
        return Ok(nodes::count(bytes));
    }
    let bytes = bytes.clone();
    let counting = tokio::task::spawn_blocking(move || nodes::count(&bytes));
    counting.await.map_err(|_| ApiError::new(ApiErrorKind::Internal, "The body could not be read."))
}

/// All of it, unless the end comes first.
async fn take(
    body: Body,
    room: &mut BodyRoom,
    megabytes: usize,
    end: impl Future<Output = ()>,
) -> Result<Bytes, ApiError> {
    let most = megabytes * MEGABYTE;
    let mut chunks = body.into_data_stream();
    let mut end = pin!(end);
    let (mut kept, mut seen) = (BytesMut::new(), 0);
    loop {
        let chunk = tokio::select! {
            biased;
            () = &mut end => return Err(bad("The body did not come to its end in five minutes.")),
            chunk = timeout(PIECE_TIMEOUT, chunks.next()) => chunk,
        };
        let chunk = match chunk {
            Ok(Some(Ok(chunk))) => chunk,
            Ok(None) => break,
            Ok(Some(Err(_))) => return Err(bad("The body broke off.")),
            Err(_) => return Err(bad("The body did not come: nothing for 30 seconds.")),
        };
        seen += chunk.len();
        if seen > DRAINED {
            break;
        }
        if seen <= most {
            room.grow(chunk.len()).map_err(full)?;
            kept.extend_from_slice(&chunk);
        }
    }
    if seen <= most {
        return Ok(kept.freeze());
    }
    Err(ApiError::new(ApiErrorKind::TooLarge, format!("The body is larger than {megabytes} MB. Send less.")))
}

fn bad(message: &str) -> ApiError {
    ApiError::new(ApiErrorKind::BadRequest, message)
}

fn full(full: QuotaFull) -> ApiError {
    let trouble = match full {
        QuotaFull::Own => ApiError::new(
            ApiErrorKind::TooOften,
            "Your programs send too much at the same time. Wait for the answers to some of it.",
        ),
        QuotaFull::All => ApiError::new(
            ApiErrorKind::Overloaded,
            "The hub takes in as much as it can at the moment. Try again soon.",
        ),
    };
    ApiError { retry_after_ms: Some(BUSY_MS), ..trouble }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::{FutureExt, stream};
    use hub::byte_quota::ByteQuota;
    use protocol::UserId;
    use std::convert::Infallible;
    use std::sync::Arc;

    fn room(most: usize) -> BodyRoom {
        Arc::new(ByteQuota::new(most, most)).open(UserId::from("ada"))
    }

    #[tokio::test]
    async fn a_body_that_trickles_is_given_up_at_its_end_of_time() {
        let trickle = stream::repeat_with(|| Ok::<_, Infallible>(Bytes::from_static(b" ")));
        let body = Body::from_stream(trickle.then(async |piece| {
            tokio::task::yield_now().await;
            piece
        }));
        // The end comes after a while that no clock measures.
        let end = async {
            for _ in 0..100 {
                tokio::task::yield_now().await;
            }
        };
        let refused = take(body, &mut room(MEGABYTE), 1, end).await.unwrap_err();
        assert!(refused.message.contains("five minutes"), "{refused:?}");
    }

    #[tokio::test]
    async fn bodies_take_room_while_they_come_and_are_refused_without() {
        let mut small = room(10);
        assert_eq!(take(Body::from("12345"), &mut small, 1, std::future::pending()).await.unwrap(), "12345");
        let refused = take(Body::from("123456"), &mut small, 1, std::future::pending()).await.unwrap_err();
        assert_eq!((refused.kind, refused.retry_after_ms), (ApiErrorKind::TooOften, Some(BUSY_MS)));
    }

    #[tokio::test]
    async fn a_short_body_is_looked_through_without_another_thread_and_a_long_one_is_counted_as_well() {
        let body = |values: usize| Bytes::from(format!("[{}0]", "0,".repeat(values - 1)));
        let short = values(&body(1000)).now_or_never();
        assert_eq!(short.expect("it waits for nobody").unwrap(), 1000);
        assert_eq!(values(&body(SHORT)).await.unwrap(), SHORT);
    }
}
