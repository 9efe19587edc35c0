//! The server functions of shared providers and of groups, for administrators.

use crate::AppError;
use leptos::prelude::*;
use leptos::server_fn::codec::{GetUrl, PostUrl};
use protocol::view::{GroupView, Share, SharedProvider};
use protocol::{GroupId, ProviderId, UserId};

#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};
#[cfg(feature = "ssr")]
use crate::money::amount;

/// What is shared here, by any administrator.
#[server(prefix = "/api", endpoint = "sharing/list", input = GetUrl)]
pub async fn list_shared() -> Result<Vec<SharedProvider>, AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(ADMINS))?;
    Ok(admin.shared_providers().await?)
}

/// On what terms a provider is shared; `null`: it is not.
#[server(prefix = "/api", endpoint = "sharing/get", input = GetUrl)]
pub async fn get_share(provider: ProviderId) -> Result<Option<Share>, AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(ADMINS))?;
    Ok(admin.share(&provider).await?)
}

/// Shares a provider of one's own, in place of how it was shared before. `models` are set apart by commas
/// or line ends; none: all.
#[server(prefix = "/api", endpoint = "sharing/set", input = PostUrl)]
pub async fn share_provider(
    provider: ProviderId,
    #[server(default)] everyone: bool,
    #[server(default)] people: Vec<UserId>,
    #[server(default)] groups: Vec<GroupId>,
    #[server(default)] models: String,
    #[server(default)] per_month: String,
) -> Result<(), AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(ADMINS))?;
    let models = models.split([',', '\n']).map(str::trim).filter(|model| !model.is_empty());
    let share = Share {
        everyone,
        people,
        groups,
        models: models.map(str::to_owned).collect(),
        per_month: amount::read(&per_month)?,
    };
    admin.share_provider(&provider, &share).await?;
    leptos_axum::redirect(&format!("/providers/{provider}/share?done=shared"));
    Ok(())
}

/// Takes a shared provider back, whichever administrator shared it.
#[server(prefix = "/api", endpoint = "sharing/stop", input = PostUrl)]
pub async fn stop_sharing(provider: ProviderId) -> Result<(), AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(ADMINS))?;
    admin.stop_sharing(&provider).await?;
    leptos_axum::redirect("/providers");
    Ok(())
}

#[server(prefix = "/api", endpoint = "groups/list", input = GetUrl)]
pub async fn list_groups() -> Result<Vec<GroupView>, AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(ADMINS))?;
    Ok(admin.groups().await?)
}

/// Without an `id` a group is added.
#[server(prefix = "/api", endpoint = "groups/save", input = PostUrl)]
pub async fn save_group(
    #[server(default)] id: String,
    name: String,
    #[server(default)] people: Vec<UserId>,
) -> Result<GroupId, AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(ADMINS))?;
    let id = (!id.is_empty()).then_some(GroupId(id));
    let id = admin.save_group(id.as_ref(), &name, &people).await?;
    leptos_axum::redirect("/groups?done=saved");
    Ok(id)
}

/// What was shared with the group is not shared with it any more.
#[server(prefix = "/api", endpoint = "groups/delete", input = PostUrl)]
pub async fn delete_group(id: GroupId) -> Result<(), AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(ADMINS))?;
    admin.delete_group(&id).await?;
    leptos_axum::redirect("/groups");
    Ok(())
}

#[cfg(feature = "ssr")]
const ADMINS: &str = "Only an administrator shares providers and groups people.";
