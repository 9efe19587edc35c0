//! What kinds of notifications are called.

use protocol::view::NotificationKind;

pub(super) fn kind_words(kind: NotificationKind) -> &'static str {
    match kind {
        NotificationKind::Approval => "A call waits for your yes",
        NotificationKind::Question => "An agent asks you something",
        NotificationKind::Device => "An agent waits for a device",
        NotificationKind::Finished => "An agent is done",
        NotificationKind::Failed => "An agent could not go on",
        NotificationKind::Limit => "An agent has reached a limit on what it may spend",
        NotificationKind::Schedule => "A schedule was due, and nothing began",
    }
}

pub(super) fn kind_icon(kind: NotificationKind) -> &'static str {
    match kind {
        NotificationKind::Approval | NotificationKind::Question => "info",
        NotificationKind::Device => "device-phone",
        NotificationKind::Finished => "check",
        NotificationKind::Failed | NotificationKind::Schedule => "warn",
        NotificationKind::Limit => "usage",
    }
}
