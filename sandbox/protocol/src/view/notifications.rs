//! What a person is told of while they look elsewhere.

use crate::{AgentId, ChannelId, DeviceId, NotificationId};
use serde::{Deserialize, Serialize};

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NotificationKind {
    /// A call waits for a yes.
    Approval,
    /// An agent asks something.
    Question,
    /// A call waits for a device.
    Device,
    Finished,
    Failed,
    /// A limit on what may be spent has stopped an agent.
    Limit,
    /// A schedule was due, and nothing began.
    Schedule,
    /// The agent says something of its own accord.
    Message,
}

impl NotificationKind {
    pub const ALL: [Self; 8] = [
        Self::Approval,
        Self::Question,
        Self::Device,
        Self::Finished,
        Self::Failed,
        Self::Limit,
        Self::Schedule,
        Self::Message,
    ];

    /// As forms, calls and columns name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Approval => "approval",
            Self::Question => "question",
            Self::Device => "device",
            Self::Finished => "finished",
            Self::Failed => "failed",
            Self::Limit => "limit",
            Self::Schedule => "schedule",
            Self::Message => "message",
        }
    }

    /// Whether what stands below the title is a sentence of the hub's, and not an agent's words.
    pub fn is_told_by_the_hub(self, is_of_pipeline: bool) -> bool {
        match self {
            Self::Approval | Self::Device | Self::Failed | Self::Limit | Self::Schedule => true,
            Self::Finished => is_of_pipeline,
            Self::Question | Self::Message => false,
        }
    }

    /// Whether an agent waits for the person meanwhile.
    pub fn waits(self) -> bool {
        match self {
            Self::Approval | Self::Question | Self::Device => true,
            Self::Finished | Self::Failed | Self::Limit | Self::Schedule | Self::Message => false,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotificationView {
    pub id: NotificationId,
    pub kind: NotificationKind,
    pub agent: AgentId,
    pub title: String,
    pub body: String,
    /// Path of the page where that is.
    pub link: String,
    pub at: i64,
    /// It came in quiet hours, and is sent when those end.
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub quiet: bool,
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub read: bool,
    /// Where it was sent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deliveries: Vec<Delivery>,
}

/// How a notification gets somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChannelKind {
    /// To a browser.
    Push,
    Webhook,
    Ntfy,
    /// To an address for mail.
    Mail,
    /// Into a room of Matrix.
    Matrix,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryState {
    /// It is not sent yet, or is tried again.
    Waiting,
    Sent,
    /// The person had seen it by then, or it was of no use any more.
    Skipped,
    GivenUp,
}

/// One notification on its way to one place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delivery {
    pub kind: ChannelKind,
    /// Of the device, or the server.
    pub name: String,
    pub state: DeliveryState,
    /// Why it is not there yet, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

/// The newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotificationList {
    pub list: Vec<NotificationView>,
    pub unread: u32,
    /// There are older ones.
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub more: bool,
}

/// Of what a person wants to hear, and when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotificationSettings {
    pub kinds: Vec<NotificationKind>,
    /// Absent: there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quiet: Option<QuietHours>,
}

impl Default for NotificationSettings {
    fn default() -> Self {
        Self { kinds: NotificationKind::ALL.to_vec(), quiet: None }
    }
}

/// Hours of each day in which nothing is sent. What comes then is sent in one when they end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuietHours {
    /// `HH:MM`. From later to earlier is over midnight.
    pub from: String,
    pub until: String,
    /// IANA name: `Europe/Vienna`.
    pub zone: String,
    /// What agents wait for is sent all the same.
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub but_waiting: bool,
}

/// Where a person is reached.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReachView {
    pub devices: Vec<PushDeviceView>,
    pub channels: Vec<ChannelView>,
    /// With what a browser asks its push service: a point on P-256, in base64url.
    pub push_key: String,
    /// The hub can send mail.
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub mail: bool,
}

/// A browser that is notified.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PushDeviceView {
    pub id: DeviceId,
    pub name: String,
    /// Calls can be answered where the notification is shown.
    pub buttons: bool,
    /// It is the one that asks.
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub current: bool,
}

/// A push subscription, as a browser gives it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PushDraft {
    pub endpoint: String,
    /// In base64url, like `auth`.
    pub p256dh: String,
    pub auth: String,
    pub buttons: bool,
}

/// Where a person hears besides their devices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChannelView {
    pub id: ChannelId,
    pub kind: ChannelKind,
    /// Scheme, host and port of its address, the rest of which is as good as a password; of mail all of it.
    pub place: String,
    /// A code was sent there, and nothing else goes there before the person enters it.
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub unconfirmed: bool,
}

/// A channel that a person adds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelDraft {
    pub kind: ChannelKind,
    pub address: String,
    /// What ntfy or Matrix wants to see; may be empty.
    pub token: String,
    /// The id of a room of Matrix.
    pub room: String,
}

/// A channel that was just added. The secret, of a webhook, is shown once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewChannel {
    pub view: ChannelView,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
}
