//! The server functions of the audit.

use crate::AppError;
use crate::prelude::*;
use crate::transport::Queried;
use protocol::AgentId;
use protocol::view::{AuditAction, AuditPage, AuditState, CallLine, CallOutcome, CallsPage};

#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};
#[cfg(feature = "ssr")]
use hub::{AuditQuery, CallPlace, CallsQuery};
#[cfg(feature = "ssr")]
use protocol::{CallId, RunId, UserId};

/// What the person did, and what concerns them.
#[server(prefix = "/api", endpoint = "audit/own", protocol = Queried)]
pub async fn own_audit(
    #[server(default)] text: String,
    #[server(default)] action: Option<AuditAction>,
    #[server(default)] before: Option<u64>,
) -> Result<AuditPage, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).audit().read(&AuditQuery { text, action, before }).await?)
}

/// What anybody did, or what concerns `person`, an id.
#[server(prefix = "/api", endpoint = "audit/all", protocol = Queried)]
pub async fn all_audit(
    #[server(default)] person: String,
    #[server(default)] text: String,
    #[server(default)] action: Option<AuditAction>,
    #[server(default)] before: Option<u64>,
) -> Result<AuditPage, AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(t(ADMINS)))?;
    let person = (!person.is_empty()).then_some(UserId(person));
    Ok(admin.audit().read(person.as_ref(), &AuditQuery { text, action, before }).await?)
}

/// The calls of tools of the person's agents and of their pages, the newest first.
#[server(prefix = "/api", endpoint = "audit/own_calls", protocol = Queried)]
pub async fn own_calls(
    #[server(default)] text: String,
    #[server(default)] outcome: Option<CallOutcome>,
    #[server(default)] before: Option<String>,
) -> Result<CallsPage, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).audit().calls(&CallsQuery { text, outcome, before }).await?)
}

/// Who decided about one call of a run. `null`: nothing is kept of it.
#[server(prefix = "/api", endpoint = "audit/call", protocol = Queried)]
pub async fn get_call(
    agent: AgentId,
    #[server(default)] run: String,
    #[server(default)] turn: u32,
    #[server(default)] call: String,
) -> Result<Option<CallLine>, AppError> {
    let viewer = viewer()?;
    let (run, call) = (RunId(run), CallId(call));
    let place = CallPlace { agent: &agent, run: &run, turn, call: &call };
    Ok(hub().for_viewer(&viewer).audit().call(place).await?)
}

/// Those of everybody's agents, or of those of `person`, an id: which tool, and what became of it.
#[server(prefix = "/api", endpoint = "audit/all_calls", protocol = Queried)]
pub async fn all_calls(
    #[server(default)] person: String,
    #[server(default)] text: String,
    #[server(default)] outcome: Option<CallOutcome>,
    #[server(default)] before: Option<String>,
) -> Result<CallsPage, AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(t(ADMINS)))?;
    let person = (!person.is_empty()).then_some(UserId(person));
    Ok(admin.audit().calls(person.as_ref(), &CallsQuery { text, outcome, before }).await?)
}

/// Reads all of it and says whether it is what was written.
#[server(name = GetAuditState, prefix = "/api", endpoint = "audit/state", protocol = Queried)]
pub async fn audit_state() -> Result<AuditState, AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(t(ADMINS)))?;
    Ok(admin.audit().state().await?)
}

#[cfg(feature = "ssr")]
const ADMINS: &str = key!("Only an administrator sees what others did.");
