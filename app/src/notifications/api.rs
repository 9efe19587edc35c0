//! The server functions of notifications.

use crate::AppError;
use crate::prelude::*;
use crate::transport::{Posted, Queried};
use protocol::view::{
    ChannelKind, NewChannel, NotificationKind, NotificationList, NotificationSettings, ReachView,
};
use protocol::{AgentId, ChannelId, NotificationId};

#[cfg(feature = "ssr")]
use crate::context::{facts, hub, viewer};
#[cfg(feature = "ssr")]
use hub::Reached;
#[cfg(feature = "ssr")]
use protocol::view::{ChannelDraft, OneTime, PushDraft, QuietHours};

/// Where and in which language this request reached the hub.
#[cfg(feature = "ssr")]
fn reached(origin: &str) -> Reached<'_> {
    Reached { origin, language: language::current() }
}

/// The newest first; those before `before`, if that is not empty.
#[server(prefix = "/api", endpoint = "notifications/list", protocol = Queried)]
pub async fn list_notifications(#[server(default)] before: String) -> Result<NotificationList, AppError> {
    let viewer = viewer()?;
    let before = (!before.is_empty()).then_some(NotificationId(before));
    Ok(hub().for_viewer(&viewer).notifications().list(before.as_ref()).await?)
}

#[server(prefix = "/api", endpoint = "notifications/read", protocol = Posted)]
pub async fn read_notification(id: NotificationId) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).notifications().mark_read(&id).await?;
    crate::context::redirect("/notifications");
    Ok(())
}

#[server(prefix = "/api", endpoint = "notifications/read_all", protocol = Posted)]
pub async fn read_all_notifications() -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).notifications().mark_all_read().await?;
    crate::context::redirect("/notifications");
    Ok(())
}

#[server(name = GetNotificationSettings, prefix = "/api", endpoint = "notifications/settings", protocol = Queried)]
pub async fn notification_settings() -> Result<NotificationSettings, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).notifications().settings().await?)
}

/// Without `quiet_from` and `quiet_until` there are no quiet hours.
#[server(prefix = "/api", endpoint = "notifications/set", protocol = Posted)]
pub async fn set_notifications(
    #[server(default)] kinds: Vec<NotificationKind>,
    #[server(default)] quiet_from: String,
    #[server(default)] quiet_until: String,
    #[server(default)] zone: String,
    #[server(default)] but_waiting: bool,
) -> Result<(), AppError> {
    let viewer = viewer()?;
    let quiet = (!quiet_from.is_empty() || !quiet_until.is_empty()).then_some(QuietHours {
        from: quiet_from,
        until: quiet_until,
        zone,
        but_waiting,
    });
    hub().for_viewer(&viewer).notifications().set(NotificationSettings { kinds, quiet }).await?;
    crate::context::redirect("/notifications/settings?done=set");
    Ok(())
}

/// The person's agents of which they hear nothing.
#[server(prefix = "/api", endpoint = "notifications/muted", protocol = Queried)]
pub async fn muted_agents() -> Result<Vec<AgentId>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).notifications().muted().await?)
}

#[server(prefix = "/api", endpoint = "notifications/mute", protocol = Posted)]
pub async fn mute_agent(agent: AgentId, #[server(default)] muted: bool) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).notifications().mute(&agent, muted).await?;
    crate::context::redirect("/notifications/settings#agents");
    Ok(())
}

/// Where the person is reached, and the key with which a browser asks its push service.
#[server(prefix = "/api", endpoint = "notifications/reach", protocol = Queried)]
pub async fn notification_reach() -> Result<ReachView, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).notifications().reach().await?)
}

/// Notifies the asking device from now on, by this subscription of its browser's.
#[server(prefix = "/api", endpoint = "notifications/push_on", protocol = Posted)]
pub async fn push_on(
    #[server(default)] endpoint: String,
    #[server(default)] p256dh: String,
    #[server(default)] auth: String,
    #[server(default)] buttons: bool,
) -> Result<(), AppError> {
    let viewer = viewer()?;
    let draft = PushDraft { endpoint, p256dh, auth, buttons };
    hub().for_viewer(&viewer).notifications().push_on(&draft, reached(&facts().origin)).await?;
    crate::context::redirect("/notifications/settings?done=push_on#devices");
    Ok(())
}

/// Takes in the subscription that the browser of the asking device, which is notified, has now.
#[server(prefix = "/api", endpoint = "notifications/push_renew", protocol = Posted)]
pub async fn push_renew(endpoint: String, p256dh: String, auth: String) -> Result<(), AppError> {
    let viewer = viewer()?;
    let draft = PushDraft { endpoint, p256dh, auth, ..PushDraft::default() };
    Ok(hub().for_viewer(&viewer).notifications().push_renew(&draft).await?)
}

/// Notifies the asking device no more.
#[server(prefix = "/api", endpoint = "notifications/push_off", protocol = Posted)]
pub async fn push_off() -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).notifications().push_off().await?;
    crate::context::redirect("/notifications/settings?done=push_off#devices");
    Ok(())
}

/// The answer is the only time that the secret of a webhook is seen.
#[server(prefix = "/api", endpoint = "notifications/add_channel", protocol = Posted)]
pub async fn add_channel(
    kind: ChannelKind,
    address: String,
    #[server(default)] token: String,
    #[server(default)] room: String,
) -> Result<NewChannel, AppError> {
    let viewer = viewer()?;
    let hub = hub();
    let own = hub.for_viewer(&viewer);
    let draft = ChannelDraft { kind, address, token, room };
    let added = own.notifications().add_channel(&draft, reached(&facts().origin)).await?;
    if crate::response::is_plain_form() && added.secret.is_some() {
        own.account().show_once(OneTime::Channel(added.clone()));
    }
    crate::context::redirect("/notifications/settings#channels");
    Ok(added)
}

/// Sends something to this channel, or to the device of this id, at once. What is not taken there is an error.
#[server(prefix = "/api", endpoint = "notifications/try_out", protocol = Posted)]
pub async fn try_channel(id: ChannelId) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).notifications().try_channel(&id).await?;
    crate::context::redirect("/notifications/settings?done=tried");
    Ok(())
}

/// With the code that was sent to an address for mail.
#[server(prefix = "/api", endpoint = "notifications/confirm_channel", protocol = Posted)]
pub async fn confirm_channel(id: ChannelId, #[server(default)] code: String) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).notifications().confirm_channel(&id, &code).await?;
    crate::context::redirect("/notifications/settings#channels");
    Ok(())
}

#[server(prefix = "/api", endpoint = "notifications/remove_channel", protocol = Posted)]
pub async fn remove_channel(id: ChannelId) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).notifications().remove_channel(&id).await?;
    crate::context::redirect("/notifications/settings#channels");
    Ok(())
}
