//! The server functions that manage people. All are for administrators.

use crate::AppError;
use leptos::prelude::*;
use leptos::server_fn::codec::{GetUrl, PostUrl};
use protocol::UserId;
use protocol::view::{NewReset, PersonView, Role};

#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};
#[cfg(feature = "ssr")]
use protocol::view::OneTime;

#[server(prefix = "/api", endpoint = "people/list", input = GetUrl)]
pub async fn people() -> Result<Vec<PersonView>, AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(ADMINS))?;
    Ok(admin.people().await?)
}

#[server(prefix = "/api", endpoint = "people/get", input = GetUrl)]
pub async fn person(id: UserId) -> Result<PersonView, AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(ADMINS))?;
    Ok(admin.person(&id).await?)
}

#[server(prefix = "/api", endpoint = "people/set_role", input = PostUrl)]
pub async fn set_role(id: UserId, role: Role) -> Result<(), AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(ADMINS))?;
    admin.set_role(&id, role).await?;
    leptos_axum::redirect(&format!("/admin/people/{id}?done=role"));
    Ok(())
}

#[server(prefix = "/api", endpoint = "people/disable", input = PostUrl)]
pub async fn disable_person(id: UserId) -> Result<(), AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(ADMINS))?;
    Ok(admin.disable(&id).await?)
}

#[server(prefix = "/api", endpoint = "people/enable", input = PostUrl)]
pub async fn enable_person(id: UserId) -> Result<(), AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(ADMINS))?;
    Ok(admin.enable(&id).await?)
}

/// `name` is the person's, typed once more.
#[server(prefix = "/api", endpoint = "people/remove", input = PostUrl)]
pub async fn remove_person(id: UserId, name: String) -> Result<(), AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(ADMINS))?;
    admin.remove(&id, &name).await?;
    leptos_axum::redirect("/admin?done=removed");
    Ok(())
}

/// The answer is the only time that the link's code is seen.
#[server(prefix = "/api", endpoint = "people/reset_password", input = PostUrl)]
pub async fn reset_password(id: UserId) -> Result<NewReset, AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(ADMINS))?;
    let reset = admin.reset_password(&id).await?;
    if crate::context::is_plain_form() {
        hub.for_viewer(&viewer).show_once(OneTime::Reset(reset.clone()));
    }
    Ok(reset)
}

/// For somebody who lost it. Their password stays.
#[server(prefix = "/api", endpoint = "people/drop_second_factor", input = PostUrl)]
pub async fn drop_second_factor(id: UserId) -> Result<(), AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(ADMINS))?;
    admin.drop_second_factor(&id).await?;
    leptos_axum::redirect(&format!("/admin/people/{id}?done=second-factor"));
    Ok(())
}

#[cfg(feature = "ssr")]
const ADMINS: &str = "Only an administrator manages people.";
