//! The server functions of shared providers and of groups, for administrators.

use crate::AppError;
use crate::prelude::*;
use crate::transport::{Posted, Queried};
use protocol::view::{GroupView, Share, SharedProvider};
use protocol::{GroupId, ProviderId, UserId};
use serde::{Deserialize, Serialize};

#[cfg(feature = "ssr")]
use crate::amount;
#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};

/// What is shared here, by any administrator.
#[server(prefix = "/api", endpoint = "sharing/list", protocol = Queried)]
pub async fn list_shared() -> Result<Vec<SharedProvider>, AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(t(ADMINS)))?;
    Ok(admin.providers().list().await?)
}

/// On what terms a provider is shared; `null`: it is not.
#[server(prefix = "/api", endpoint = "sharing/get", protocol = Queried)]
pub async fn get_share(provider: ProviderId) -> Result<Option<Share>, AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(t(ADMINS)))?;
    Ok(admin.providers().share(&provider).await?)
}

/// Names of models: in a form one text, in which commas or line ends set them apart.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Models {
    List(Vec<String>),
    Text(String),
}

impl Default for Models {
    fn default() -> Self {
        Self::List(Vec::new())
    }
}

impl From<Models> for Vec<String> {
    fn from(models: Models) -> Self {
        let models = match models {
            Models::List(models) => models,
            Models::Text(text) => text.split([',', '\n']).map(str::to_owned).collect(),
        };
        models.iter().map(|model| model.trim()).filter(|model| !model.is_empty()).map(str::to_owned).collect()
    }
}

/// Shares a provider of one's own, in place of how it was shared before. Without `models`: all.
#[server(prefix = "/api", endpoint = "sharing/set", protocol = Posted)]
pub async fn share_provider(
    provider: ProviderId,
    #[server(default)] everyone: bool,
    #[server(default)] people: Vec<UserId>,
    #[server(default)] groups: Vec<GroupId>,
    #[server(default)] models: Models,
    #[server(default)] per_month: String,
) -> Result<(), AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(t(ADMINS)))?;
    let share =
        Share { everyone, people, groups, models: models.into(), per_month: amount::read(&per_month)? };
    admin.providers().put(&provider, &share).await?;
    crate::context::redirect(&format!("/providers/{provider}/share?done=shared"));
    Ok(())
}

/// Takes a shared provider back, whichever administrator shared it.
#[server(prefix = "/api", endpoint = "sharing/stop", protocol = Posted)]
pub async fn stop_sharing(provider: ProviderId) -> Result<(), AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(t(ADMINS)))?;
    admin.providers().stop_sharing(&provider).await?;
    crate::context::redirect("/providers");
    Ok(())
}

#[server(prefix = "/api", endpoint = "groups/list", protocol = Queried)]
pub async fn list_groups() -> Result<Vec<GroupView>, AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(t(ADMINS)))?;
    Ok(admin.groups().list().await?)
}

/// Without an `id` a group is added.
#[server(prefix = "/api", endpoint = "groups/save", protocol = Posted)]
pub async fn save_group(
    #[server(default)] id: String,
    name: String,
    #[server(default)] people: Vec<UserId>,
) -> Result<GroupId, AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(t(ADMINS)))?;
    let id = (!id.is_empty()).then_some(GroupId(id));
    let id = admin.groups().save(id.as_ref(), &name, &people).await?;
    crate::context::redirect("/groups?done=saved");
    Ok(id)
}

/// What was shared with the group is not shared with it any more.
#[server(prefix = "/api", endpoint = "groups/delete", protocol = Posted)]
pub async fn delete_group(id: GroupId) -> Result<(), AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(t(ADMINS)))?;
    admin.groups().delete(&id).await?;
    crate::context::redirect("/groups");
    Ok(())
}

#[cfg(feature = "ssr")]
const ADMINS: &str = key!("Only an administrator shares providers and groups people.");
