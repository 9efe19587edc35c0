//! What kinds of notifications are called, and what became of those that were sent.

use crate::prelude::{say, t};
use protocol::view::{Delivery, DeliveryState, NotificationKind};

pub(super) fn kind_words(kind: NotificationKind) -> &'static str {
    t(match kind {
        NotificationKind::Approval => "A call waits for your yes",
        NotificationKind::Question => "An agent asks you something",
        NotificationKind::Device => "An agent waits for a device",
        NotificationKind::Finished => "An agent is done",
        NotificationKind::Failed => "An agent could not go on",
        NotificationKind::Limit => "An agent has reached a limit on what it may spend",
        NotificationKind::Schedule => "A schedule was due, and nothing began",
        NotificationKind::Message => "An agent tells you something",
    })
}

pub(super) fn kind_icon(kind: NotificationKind) -> &'static str {
    match kind {
        NotificationKind::Approval | NotificationKind::Question | NotificationKind::Message => "info",
        NotificationKind::Device => "device-phone",
        NotificationKind::Finished => "check",
        NotificationKind::Failed | NotificationKind::Schedule => "warn",
        NotificationKind::Limit => "usage",
    }
}

pub(super) fn delivery_words(delivery: &Delivery) -> String {
    let Delivery { name, state, failure, .. } = delivery;
    let why = failure.as_deref().map(|why| format!(": {why}")).unwrap_or_default();
    match state {
        DeliveryState::Waiting if failure.is_some() => say!("tried again for {name}{why}"),
        DeliveryState::Waiting => say!("on its way to {name}"),
        DeliveryState::Sent => say!("sent to {name}"),
        DeliveryState::Skipped => say!("seen before it was sent to {name}"),
        DeliveryState::GivenUp => say!("not sent to {name}{why}"),
    }
}
