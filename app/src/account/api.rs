//! The server functions of accounts.

use crate::AppError;
use crate::prelude::*;
use crate::transport::{Posted, Queried};
use protocol::view::{
    DeviceView, NewInvite, NewToken, PackedConversations, SideCallSettings, SignInStep, SignUpMode, Space,
    TokenScope, TokenView, Welcome,
};
use protocol::{AgentId, DeviceId, TokenId};

#[cfg(feature = "ssr")]
use crate::amount;
#[cfg(feature = "ssr")]
use crate::context::{
    end_session, facts, hub, keep_tried_name, renew_session, set_pending, set_session, viewer,
};
#[cfg(feature = "ssr")]
use protocol::view::OneTime;

/// What a visitor may do.
#[server(name = GetWelcome, prefix = "/api", endpoint = "account/welcome", protocol = Queried)]
pub async fn welcome() -> Result<Welcome, AppError> {
    let welcome = hub().accounts().welcome().await?;
    Ok(Welcome { insecure: facts().insecure, ..welcome })
}

#[server(prefix = "/api", endpoint = "account/sign_in", protocol = Posted)]
pub async fn sign_in(name: String, password: String) -> Result<SignInStep, AppError> {
    let found = hub().accounts().sign_in(&name, &password, facts().visitor()).await;
    match found.inspect_err(|_| keep_tried_name(&name))? {
        hub::SignIn::Done(session) => {
            enter(&session).await?;
            Ok(SignInStep::Done)
        }
        hub::SignIn::CodeNeeded(pending) => {
            set_pending(&pending);
            crate::context::redirect("/sign-in/code");
            Ok(SignInStep::CodeNeeded)
        }
    }
}

/// Whose code is owed; nobody's if that took too long.
#[server(prefix = "/api", endpoint = "account/pending_sign_in", protocol = Queried)]
pub async fn pending_sign_in() -> Result<Option<String>, AppError> {
    match facts().pending {
        Some(secret) => Ok(hub().accounts().pending_name(&secret).await?),
        None => Ok(None),
    }
}

/// The second step: a code of the person's app, or a recovery code.
#[server(prefix = "/api", endpoint = "account/sign_in_code", protocol = Posted)]
pub async fn sign_in_code(code: String) -> Result<(), AppError> {
    let facts = facts();
    let secret = facts.pending.as_deref().unwrap_or_default();
    let session = hub().accounts().sign_in_with_code(secret, &code, facts.visitor()).await?;
    enter(&session).await
}

/// `invite` is the code of an invitation link, or empty.
#[server(prefix = "/api", endpoint = "account/sign_up", protocol = Posted)]
pub async fn sign_up(
    #[server(default)] invite: String,
    name: String,
    password: String,
) -> Result<(), AppError> {
    let invite = Some(invite.as_str()).filter(|invite| !invite.is_empty());
    let session = hub().accounts().sign_up(invite, &name, &password, facts().visitor()).await;
    enter(&session.inspect_err(|_| keep_tried_name(&name))?).await
}

#[server(prefix = "/api", endpoint = "account/set_up", protocol = Posted)]
pub async fn set_up(code: String, name: String, password: String) -> Result<(), AppError> {
    let session = hub().accounts().set_up(&code, &name, &password, facts().visitor()).await;
    enter(&session.inspect_err(|_| keep_tried_name(&name))?).await
}

/// Whose password a reset link is for; nobody's if it was used or is too old.
#[server(prefix = "/api", endpoint = "account/reset_for", protocol = Queried)]
pub async fn reset_for(code: String) -> Result<Option<String>, AppError> {
    Ok(hub().accounts().reset_for(&code).await?)
}

/// Takes a new password from whoever has a reset link.
#[server(prefix = "/api", endpoint = "account/choose_password", protocol = Posted)]
pub async fn choose_password(code: String, password: String) -> Result<(), AppError> {
    hub().accounts().choose_password(&code, &password, facts().visitor()).await?;
    crate::context::redirect("/sign-in?done=reset");
    Ok(())
}

/// What one's agents keep, and may.
#[server(prefix = "/api", endpoint = "account/space", protocol = Queried)]
pub async fn own_space() -> Result<Space, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).space().read().await?)
}

/// Which model calls are made for the viewer in the background.
#[server(name = GetSideCalls, prefix = "/api", endpoint = "account/side_calls", protocol = Queried)]
pub async fn side_calls() -> Result<SideCallSettings, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).side_calls().settings().await?)
}

/// What is left out is not done.
#[server(prefix = "/api", endpoint = "account/set_side_calls", protocol = Posted)]
pub async fn set_side_calls(
    #[server(default)] titles: bool,
    #[server(default)] memories: bool,
) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).side_calls().set(SideCallSettings { titles, memories }).await?;
    crate::context::redirect("/account?done=side_calls#side-calls");
    Ok(())
}

/// After how many days without use one's conversations are deleted.
#[server(prefix = "/api", endpoint = "account/conversations_kept", protocol = Queried)]
pub async fn conversations_kept() -> Result<Option<u32>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).conversations().kept_days().await?)
}

/// No days: for ever.
#[server(prefix = "/api", endpoint = "account/keep_conversations", protocol = Posted)]
pub async fn keep_conversations(#[server(default)] days: String) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).conversations().keep_for(days_of(&days)?).await?;
    crate::context::redirect("/account?done=retention#old-conversations");
    Ok(())
}

/// What of one's conversations is packed, and when that is done.
#[server(name = GetPackedConversations, prefix = "/api", endpoint = "account/packed_conversations", protocol = Queried)]
pub async fn packed_conversations() -> Result<PackedConversations, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).conversations().packed().await?)
}

/// No days: as an administrator says for all; 0: never.
#[server(prefix = "/api", endpoint = "account/pack_conversations", protocol = Posted)]
pub async fn pack_conversations(#[server(default)] days: String) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).conversations().pack_after(days_of(&days)?).await?;
    crate::context::redirect("/account?done=packing#packing");
    Ok(())
}

/// Empty: none.
#[cfg(feature = "ssr")]
fn days_of(given: &str) -> Result<Option<u32>, hub::Error> {
    match given.trim() {
        "" => Ok(None),
        given => given.parse().map(Some).map_err(|_| hub::Error::invalid(t("A number of days, or nothing."))),
    }
}

#[server(prefix = "/api", endpoint = "account/devices", protocol = Queried)]
pub async fn devices() -> Result<Vec<DeviceView>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).account().devices().await?)
}

#[server(prefix = "/api", endpoint = "account/revoke_device", protocol = Posted)]
pub async fn revoke_device(id: DeviceId) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).account().revoke_device(&id).await?)
}

#[server(prefix = "/api", endpoint = "account/change_password", protocol = Posted)]
pub async fn change_password(current: String, new: String) -> Result<(), AppError> {
    let viewer = viewer()?;
    if let Some(session) = hub().for_viewer(&viewer).account().change_password(&current, &new).await? {
        renew_session(&session);
    }
    crate::context::redirect("/account?done=password");
    Ok(())
}

/// Deletes the viewer's account with all that is theirs.
#[server(prefix = "/api", endpoint = "account/erase", protocol = Posted)]
pub async fn erase_account(password: String) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).account().erase(&password).await?;
    end_session();
    crate::context::redirect("/sign-in?done=erased");
    Ok(())
}

#[server(prefix = "/api", endpoint = "account/tokens", protocol = Queried)]
pub async fn tokens() -> Result<Vec<TokenView>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).account().tokens().await?)
}

/// The answer is the only time that the token itself is seen. `chosen`: it opens only these agents.
#[server(prefix = "/api", endpoint = "account/create_token", protocol = Posted)]
pub async fn create_token(
    name: String,
    #[server(default)] scope: TokenScope,
    #[server(default)] relays: bool,
    #[server(default)] per_month: String,
    #[server(default)] chosen: bool,
    #[server(default)] agents: Vec<AgentId>,
) -> Result<NewToken, AppError> {
    let viewer = viewer()?;
    let opened = hub::OpenedAgents::chosen(chosen, agents)?;
    let per_month = amount::read(&per_month)?;
    let words = if relays { hub::Words::OfOthers } else { hub::Words::Own };
    let token =
        hub().for_viewer(&viewer).account().make_token(&name, scope, words, per_month, opened).await?;
    if crate::response::is_plain_form() {
        hub().for_viewer(&viewer).account().show_once(OneTime::Token(token.clone()));
    }
    Ok(token)
}

/// Dollars as text; empty is no limit.
#[server(prefix = "/api", endpoint = "account/limit_token", protocol = Posted)]
pub async fn limit_token(id: TokenId, #[server(default)] per_month: String) -> Result<(), AppError> {
    let viewer = viewer()?;
    let per_month = amount::read(&per_month)?;
    Ok(hub().for_viewer(&viewer).account().limit_token(&id, per_month).await?)
}

#[server(prefix = "/api", endpoint = "account/revoke_token", protocol = Posted)]
pub async fn revoke_token(id: TokenId) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).account().revoke_token(&id).await?)
}

/// The answer is the only time that the invitation's code is seen.
#[server(prefix = "/api", endpoint = "account/invite", protocol = Posted)]
pub async fn invite() -> Result<NewInvite, AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let Some(admin) = hub.as_admin(&viewer) else {
        return Err(hub::Error::Forbidden(t("Only an administrator invites people.")).into());
    };
    let invite = admin.people().invite().await?;
    if crate::response::is_plain_form() {
        hub.for_viewer(&viewer).account().show_once(OneTime::Invite(invite.clone()));
    }
    Ok(invite)
}

#[server(prefix = "/api", endpoint = "account/set_sign_up", protocol = Posted)]
pub async fn set_sign_up(mode: SignUpMode) -> Result<(), AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let Some(admin) = hub.as_admin(&viewer) else {
        return Err(hub::Error::Forbidden(t("Only an administrator says who may sign up.")).into());
    };
    Ok(admin.people().set_sign_up(mode).await?)
}

/// Puts the new session into the browser, in place of the one that it may have had.
#[cfg(feature = "ssr")]
pub(super) async fn enter(session: &hub::NewSession) -> Result<(), AppError> {
    if let Some(before) = facts().viewer.filter(|viewer| viewer.device().is_some()) {
        hub().for_viewer(&before).account().sign_out().await?;
    }
    set_session(session);
    crate::context::redirect("/");
    Ok(())
}
