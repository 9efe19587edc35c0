//! The server functions of notifications.

use crate::AppError;
use crate::transport::{Posted, Queried};
use leptos::prelude::*;
use protocol::view::{NotificationKind, NotificationList, NotificationSettings};
use protocol::{AgentId, NotificationId};

#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};
#[cfg(feature = "ssr")]
use protocol::view::QuietHours;

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
