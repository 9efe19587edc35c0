//! Bodies of requests to models: images make them long.

use axum::body::Body;
use bytes::{Bytes, BytesMut};
use futures_util::StreamExt;
use hub::{Trouble, TroubleKind};
use std::time::Duration;
use tokio::time::timeout;

/// Largest body, in bytes.
const LIMIT: usize = 32 * 1024 * 1024;
/// Bytes that are read of one that is too large: a client that is still sending would not see the answer.
const DRAINED: usize = 2 * LIMIT;
/// How long the next piece may take to come.
const PATIENCE: Duration = Duration::from_secs(30);

pub(super) async fn read(body: Body) -> Result<Bytes, Trouble> {
    let mut chunks = body.into_data_stream();
    let (mut kept, mut seen) = (BytesMut::new(), 0);
    loop {
        let chunk = match timeout(PATIENCE, chunks.next()).await {
            Ok(Some(Ok(chunk))) => chunk,
            Ok(None) => break,
            Ok(Some(Err(_))) => return Err(bad("The body broke off.")),
            Err(_) => return Err(bad("The body did not come: nothing for 30 seconds.")),
        };
        seen += chunk.len();
        if seen > DRAINED {
            break;
        }
        if seen <= LIMIT {
            kept.extend_from_slice(&chunk);
        }
    }
    if seen <= LIMIT {
        return Ok(kept.freeze());
    }
    Err(Trouble::new(TroubleKind::TooLarge, "The body is larger than 32 MB. Send smaller images, or fewer."))
}

fn bad(message: &str) -> Trouble {
    Trouble::new(TroubleKind::BadRequest, message)
}
