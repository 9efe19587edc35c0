//! Notifications, and where they are sent.

use crate::golden::{Section, every, section};
use crate::samples::AT;
use protocol::view::{
    ChannelKind, ChannelView, Delivery, DeliveryState, NotificationKind, NotificationList,
    NotificationSettings, NotificationView, PushDeviceView, QuietHours, ReachView,
};

pub fn sections() -> Vec<Section> {
    vec![
        every!(NotificationKind {
            NotificationKind::Approval => [NotificationKind::Approval],
            NotificationKind::Question => [NotificationKind::Question],
            NotificationKind::Device => [NotificationKind::Device],
            NotificationKind::Finished => [NotificationKind::Finished],
            NotificationKind::Failed => [NotificationKind::Failed],
            NotificationKind::Limit => [NotificationKind::Limit],
            NotificationKind::Schedule => [NotificationKind::Schedule],
            NotificationKind::Message => [NotificationKind::Message],
        }),
        section(
            "NotificationList",
            &[
                NotificationList {
                    list: vec![NotificationView {
                        id: "told-1".into(),
                        kind: NotificationKind::Finished,
                        agent: "agent-1".into(),
                        title: "Ada is done".to_owned(),
                        body: "Moss grows.".to_owned(),
                        link: "/agents/agent-1".to_owned(),
                        at: AT,
                        quiet: true,
                        read: true,
                        deliveries: vec![Delivery {
                            kind: ChannelKind::Ntfy,
                            name: "https://ntfy.sh".to_owned(),
                            state: DeliveryState::GivenUp,
                            failure: Some("https://ntfy.sh answered 500.".to_owned()),
                        }],
                    }],
                    unread: 1,
                    more: true,
                },
                NotificationList::default(),
            ],
        ),
        every!(ChannelKind {
            ChannelKind::Push => [ChannelKind::Push],
            ChannelKind::Webhook => [ChannelKind::Webhook],
            ChannelKind::Ntfy => [ChannelKind::Ntfy],
            ChannelKind::Mail => [ChannelKind::Mail],
            ChannelKind::Matrix => [ChannelKind::Matrix],
        }),
        every!(DeliveryState {
            DeliveryState::Waiting => [DeliveryState::Waiting],
            DeliveryState::Sent => [DeliveryState::Sent],
            DeliveryState::Skipped => [DeliveryState::Skipped],
            DeliveryState::GivenUp => [DeliveryState::GivenUp],
        }),
        section(
            "ReachView",
            &[ReachView {
                devices: vec![PushDeviceView {
                    id: "device-1".into(),
                    name: "Firefox".to_owned(),
                    buttons: true,
                    current: true,
                }],
                channels: vec![channel(), unconfirmed_channel()],
                push_key: "BAAA".to_owned(),
                mail: true,
            }],
        ),
        section(
            "NotificationSettings",
            &[
                NotificationSettings {
                    kinds: vec![NotificationKind::Approval],
                    quiet: Some(QuietHours {
                        from: "22:00".to_owned(),
                        until: "07:00".to_owned(),
                        zone: "Europe/Vienna".to_owned(),
                        but_waiting: true,
                    }),
                },
                NotificationSettings::default(),
            ],
        ),
    ]
}

pub fn channel() -> ChannelView {
    let place = "https://ntfy.sh".to_owned();
    ChannelView { id: "channel-1".into(), kind: ChannelKind::Ntfy, place, unconfirmed: false }
}

pub fn unconfirmed_channel() -> ChannelView {
    let place = "ada@example.org".to_owned();
    ChannelView { id: "channel-2".into(), kind: ChannelKind::Mail, place, unconfirmed: true }
}
