//! The server functions that manage people. All are for administrators.

use crate::AppError;
use crate::prelude::*;
use crate::transport::{Posted, Queried};
use protocol::UserId;
use protocol::view::{FileRules, HubStatus, NewReset, PersonView, Role, TerminalSettings, TerminalUse};

#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};
#[cfg(feature = "ssr")]
use protocol::view::{OneTime, TerminalRoom, TerminalRules};

/// How the hub is: what it measures itself.
#[server(name = GetHubStatus, prefix = "/api", endpoint = "hub/status", protocol = Queried)]
pub async fn hub_status() -> Result<HubStatus, AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(t(ADMINS)))?;
    Ok(admin.hub_status().read().await?)
}

/// Has the hub log what `filter` says, in the grammar of `RUST_LOG`, for 1 to 1,440 `minutes`. An empty one is what is
/// usual.
#[server(prefix = "/api", endpoint = "hub/choose_log_levels", protocol = Posted)]
pub async fn choose_log_levels(filter: String, minutes: u32) -> Result<(), AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(t(ADMINS)))?;
    admin.log_levels().choose(&filter, minutes).await?;
    crate::context::redirect("/admin/status?done=log#log");
    Ok(())
}

/// Has a backup made now, beside those that the hub makes by itself. `false`: it takes a while, and the status says how
/// it went.
#[server(prefix = "/api", endpoint = "hub/back_up", protocol = Posted)]
pub async fn back_up() -> Result<bool, AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(t(ADMINS)))?;
    let is_done = admin.backups().back_up_now().await?;
    let page = if is_done { "/admin/status?done=backup#backups" } else { "/admin/status#backups" };
    crate::context::redirect(page);
    Ok(is_done)
}

/// Has a node hand its people to the others, or take people on again.
#[server(prefix = "/api", endpoint = "hub/hand_over", protocol = Posted)]
pub async fn hand_over(node: String, hands_over: bool) -> Result<(), AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(t(ADMINS)))?;
    admin.nodes().hand_over(&node, hands_over).await?;
    crate::context::redirect("/admin/status#nodes");
    Ok(())
}

/// By name, at most [`PEOPLE_AT_ONCE`](protocol::view::PEOPLE_AT_ONCE): who comes after this name, and has the text in
/// theirs.
#[server(prefix = "/api", endpoint = "people/list", protocol = Queried)]
pub async fn people(
    #[server(default)] after: String,
    #[server(default)] text: String,
) -> Result<Vec<PersonView>, AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(t(ADMINS)))?;
    Ok(admin.people().list(&after, &text).await?)
}

#[server(prefix = "/api", endpoint = "people/get", protocol = Queried)]
pub async fn person(id: UserId) -> Result<PersonView, AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(t(ADMINS)))?;
    Ok(admin.people().get(&id).await?)
}

#[server(prefix = "/api", endpoint = "people/set_role", protocol = Posted)]
pub async fn set_role(id: UserId, role: Role) -> Result<(), AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(t(ADMINS)))?;
    admin.people().set_role(&id, role).await?;
    crate::context::redirect(&format!("/admin/people/{id}?done=role"));
    Ok(())
}

#[server(prefix = "/api", endpoint = "people/disable", protocol = Posted)]
pub async fn disable_person(id: UserId) -> Result<(), AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(t(ADMINS)))?;
    Ok(admin.people().disable(&id).await?)
}

#[server(prefix = "/api", endpoint = "people/enable", protocol = Posted)]
pub async fn enable_person(id: UserId) -> Result<(), AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(t(ADMINS)))?;
    Ok(admin.people().enable(&id).await?)
}

/// `name` is the person's, typed once more.
#[server(prefix = "/api", endpoint = "people/remove", protocol = Posted)]
pub async fn remove_person(id: UserId, name: String) -> Result<(), AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(t(ADMINS)))?;
    admin.people().remove(&id, &name).await?;
    crate::context::redirect("/admin?done=removed");
    Ok(())
}

/// The answer is the only time that the link's code is seen.
#[server(prefix = "/api", endpoint = "people/reset_password", protocol = Posted)]
pub async fn reset_password(id: UserId) -> Result<NewReset, AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(t(ADMINS)))?;
    let reset = admin.people().reset_password(&id).await?;
    if crate::response::is_plain_form() {
        hub.for_viewer(&viewer).account().show_once(OneTime::Reset(reset.clone()));
    }
    Ok(reset)
}

/// For somebody who lost it. Their password stays.
#[server(prefix = "/api", endpoint = "people/drop_second_factor", protocol = Posted)]
pub async fn drop_second_factor(id: UserId) -> Result<(), AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(t(ADMINS)))?;
    admin.people().drop_second_factor(&id).await?;
    crate::context::redirect(&format!("/admin/people/{id}?done=second-factor"));
    Ok(())
}

/// Who has a terminal, how much of it, and what stands against it.
#[server(name = GetTerminal, prefix = "/api", endpoint = "hub/terminal", protocol = Queried)]
pub async fn terminal() -> Result<TerminalSettings, AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(t(TERMINAL)))?;
    Ok(admin.terminal().read().await?)
}

/// Without `minutes_a_day` there is no limit, and without the others what is usual. It holds from the next command on, and jobs of whoever has no terminal any
/// more are ended.
#[server(prefix = "/api", endpoint = "hub/set_terminal", protocol = Posted)]
pub async fn set_terminal(
    whose: TerminalUse,
    #[server(default)] minutes_a_day: String,
    #[server(default)] memory_mb: String,
    #[server(default)] disk_mb: String,
    #[server(default)] processes: String,
) -> Result<TerminalSettings, AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(t(TERMINAL)))?;
    let room = TerminalRoom {
        memory_mb: whole(&memory_mb)?,
        disk_mb: whole(&disk_mb)?,
        processes: whole(&processes)?,
    };
    let rules = TerminalRules { whose, minutes_a_day: whole(&minutes_a_day)?, room };
    let settings = admin.terminal().set(rules).await?;
    crate::context::redirect("/admin?done=terminal#terminal");
    Ok(settings)
}

/// How much agents keep as files, where it is not as usual.
#[server(name = GetFileRules, prefix = "/api", endpoint = "hub/files", protocol = Queried)]
pub async fn file_rules() -> Result<FileRules, AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(t(FILES)))?;
    Ok(admin.files().read().await?)
}

/// What is left out is as usual. It holds for what is written from now on.
#[server(prefix = "/api", endpoint = "hub/set_files", protocol = Posted)]
pub async fn set_files(
    #[server(default)] file_mb: String,
    #[server(default)] folder_mb: String,
) -> Result<FileRules, AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(t(FILES)))?;
    let rules = FileRules { file_mb: whole(&file_mb)?, folder_mb: whole(&folder_mb)? };
    let rules = admin.files().set(rules).await?;
    crate::context::redirect("/admin?done=files#files");
    Ok(rules)
}

/// After how many days without use conversations are packed whose people say nothing else. `None`: never.
#[server(name = GetAllPackedDays, prefix = "/api", endpoint = "hub/packed_days", protocol = Queried)]
pub async fn all_packed_days() -> Result<Option<u32>, AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(t(PACKING)))?;
    Ok(admin.conversations().packed_days().await?)
}

/// No days: never.
#[server(prefix = "/api", endpoint = "hub/pack_conversations", protocol = Posted)]
pub async fn pack_all_conversations(#[server(default)] days: String) -> Result<(), AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(t(PACKING)))?;
    admin.conversations().pack_after(whole(&days)?).await?;
    crate::context::redirect("/admin?done=packing#packing");
    Ok(())
}

/// Empty: none.
#[cfg(feature = "ssr")]
fn whole(given: &str) -> Result<Option<u32>, hub::Error> {
    match given.trim() {
        "" => Ok(None),
        given => given.parse().map(Some).map_err(|_| hub::Error::invalid(t("Write whole numbers."))),
    }
}

#[cfg(feature = "ssr")]
const FILES: &str = key!("Only an administrator says how much agents keep.");
#[cfg(feature = "ssr")]
const PACKING: &str = key!("Only an administrator says when conversations are packed.");
#[cfg(feature = "ssr")]
const TERMINAL: &str = key!("Only an administrator says who has a terminal.");
#[cfg(feature = "ssr")]
const ADMINS: &str = key!("Only an administrator manages people.");
