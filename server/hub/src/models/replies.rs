//! Replies that are being made hold memory many times over until they are in the log: in the codec, in what
//! is shown, in what each follower is sent. So a person has so much of them at a time, whoever answers.

use crate::byte_quota::{ByteQuota, ByteReservation, QuotaFull};
use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};
use protocol::model::{ModelEvent, ModelFailure, ModelFailureKind};
use protocol::words;
use std::sync::Arc;

/// Bytes of replies under way, of all and of one person.
const ALL: usize = 96 * 1024 * 1024;
const OF_ONE: usize = 16 * 1024 * 1024;

/// What models answer and is not over.
pub(super) struct Replies(pub(super) Arc<ByteQuota>);

impl Default for Replies {
    fn default() -> Self {
        Self(Arc::new(ByteQuota::new(ALL, OF_ONE)))
    }
}

/// The same events, as long as there is room for what they say. A failure follows where there is none.
pub(super) fn bounded(
    events: BoxStream<'static, ModelEvent>,
    room: ByteReservation,
) -> BoxStream<'static, ModelEvent> {
    let state = (events, Some(room));
    stream::unfold(state, |(mut events, mut room)| async move {
        let taken = room.as_mut()?;
        let event = events.next().await?;
        match taken.grow(said(&event)) {
            Ok(()) => Some((event, (events, room))),
            Err(full) => Some((ModelEvent::Failed { failure: refusal(full) }, (events, None))),
        }
    })
    .boxed()
}

/// Bytes that an event adds to the reply.
fn said(event: &ModelEvent) -> usize {
    match event {
        ModelEvent::Delta { text, .. } => text.len(),
        ModelEvent::BlockStarted { .. }
        | ModelEvent::BlockFinished { .. }
        | ModelEvent::Usage { .. }
        | ModelEvent::Stopped { .. }
        | ModelEvent::Failed { .. }
        | ModelEvent::Cited { .. }
        | ModelEvent::Unknown { .. } => 0,
    }
}

fn refusal(full: QuotaFull) -> ModelFailure {
    let message = match full {
        QuotaFull::Own => {
            words!(
                "Your agents are being told more at the same time than the hub holds for one person. Let some of them end first."
            )
        }
        QuotaFull::All => {
            words!(
                "All agents of this hub together are being told more than it holds. Try again in a moment."
            )
        }
    };
    ModelFailure { kind: ModelFailureKind::Server, message: message.to_owned(), retry_after_ms: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::UserId;

    #[tokio::test]
    async fn replies_of_a_person_have_so_much_room_together_and_give_it_back() {
        let rooms = Arc::new(ByteQuota::new(100, 60));
        let open = |bytes: usize, person: &str| {
            let deltas =
                (0..bytes / 10).map(|_| ModelEvent::Delta { index: 0, text: "leaf leaf ".to_owned() });
            bounded(stream::iter(deltas).boxed(), rooms.open(UserId::from(person)))
        };
        let is_failure = |event: &ModelEvent| matches!(event, ModelEvent::Failed { .. });
        let mut first = open(50, "ada");
        for _ in 0..5 {
            first.next().await.unwrap();
        }
        let second: Vec<ModelEvent> = open(50, "ada").collect().await;
        assert_eq!(second.iter().map(is_failure).collect::<Vec<_>>(), [false, true]);
        let other: Vec<ModelEvent> = open(50, "eve").collect().await;
        assert!(other.len() == 5 && !other.iter().any(is_failure));
        drop(first);
        let third: Vec<ModelEvent> = open(50, "ada").collect().await;
        assert!(third.len() == 5 && !third.iter().any(is_failure));
    }
}
