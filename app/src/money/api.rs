//! The server functions of money. Limits are dollars as text; an empty one is no limit.

use crate::AppError;
use crate::prelude::*;
use crate::transport::{Posted, Queried};
use protocol::AgentId;
use protocol::Budget;
use protocol::view::{LimitWarning, PersonBudget, UsageBy, UsageView};

#[cfg(feature = "ssr")]
use crate::amount::read;
#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};
#[cfg(feature = "ssr")]
use protocol::Caps;
#[cfg(feature = "ssr")]
use protocol::UserId;

#[server(prefix = "/api", endpoint = "money/agent_budget", protocol = Queried)]
pub async fn agent_budget(agent: AgentId) -> Result<Budget, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).ledger().agent_budget(&agent).await?)
}

/// Replaces all limits of the agent.
#[server(prefix = "/api", endpoint = "money/limit_agent", protocol = Posted)]
pub async fn limit_agent(
    agent: AgentId,
    #[server(default)] per_call: String,
    #[server(default)] per_run: String,
    #[server(default)] per_day: String,
    #[server(default)] per_month: String,
    #[server(default)] ever: String,
) -> Result<(), AppError> {
    let viewer = viewer()?;
    let caps = caps([per_call, per_run, per_day, per_month, ever])?;
    hub().for_viewer(&viewer).ledger().limit_agent(&agent, &caps).await?;
    crate::context::redirect(&format!("/agents/{agent}"));
    Ok(())
}

/// The person's own limit for all their agents.
#[server(prefix = "/api", endpoint = "money/own_budget", protocol = Queried)]
pub async fn own_budget() -> Result<Budget, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).ledger().own_budget().await?)
}

/// Replaces all limits that the person has for themselves.
#[server(prefix = "/api", endpoint = "money/limit_own", protocol = Posted)]
pub async fn limit_own(
    #[server(default)] per_call: String,
    #[server(default)] per_run: String,
    #[server(default)] per_day: String,
    #[server(default)] per_month: String,
    #[server(default)] ever: String,
) -> Result<(), AppError> {
    let viewer = viewer()?;
    let caps = caps([per_call, per_run, per_day, per_month, ever])?;
    hub().for_viewer(&viewer).ledger().limit_own(&caps).await?;
    crate::context::redirect("/usage?done=limits");
    Ok(())
}

/// The limits of the person and of their agents of which most is used up.
#[server(prefix = "/api", endpoint = "money/warnings", protocol = Queried)]
pub async fn limit_warnings() -> Result<Vec<LimitWarning>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).ledger().limit_warnings().await?)
}

/// The last thirty days.
#[server(name = GetUsage, prefix = "/api", endpoint = "money/usage", protocol = Queried)]
pub async fn usage(#[server(default)] by: Option<UsageBy>) -> Result<UsageView, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).ledger().usage_by(by).await?)
}

/// `person` is an id, or empty for the whole server.
#[server(name = GetBudget, prefix = "/api", endpoint = "money/budget", protocol = Queried)]
pub async fn budget(#[server(default)] person: String) -> Result<Budget, AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(t(ADMINS)))?;
    Ok(admin.ledger().budget(named(person).as_ref()).await?)
}

/// Replaces all limits that administrators set for a person, or with an empty `person` for everybody
/// together.
#[server(prefix = "/api", endpoint = "money/limit", protocol = Posted)]
pub async fn limit(
    #[server(default)] person: String,
    #[server(default)] per_call: String,
    #[server(default)] per_run: String,
    #[server(default)] per_day: String,
    #[server(default)] per_month: String,
    #[server(default)] ever: String,
) -> Result<(), AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(t(ADMINS)))?;
    let caps = caps([per_call, per_run, per_day, per_month, ever])?;
    let person = named(person);
    admin.ledger().limit(person.as_ref(), &caps).await?;
    let page = person.map_or_else(|| "/admin".to_owned(), |person| format!("/admin/people/{person}"));
    crate::context::redirect(&format!("{page}?done=limits"));
    Ok(())
}

/// What administrators let each person spend.
#[server(prefix = "/api", endpoint = "money/people", protocol = Queried)]
pub async fn people_budgets() -> Result<Vec<PersonBudget>, AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(t(ADMINS)))?;
    Ok(admin.ledger().people_budgets().await?)
}

/// The last thirty days of everybody; the lines of `agents` are people.
#[server(prefix = "/api", endpoint = "money/all_usage", protocol = Queried)]
pub async fn all_usage(#[server(default)] by: Option<UsageBy>) -> Result<UsageView, AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(t(ADMINS)))?;
    Ok(admin.ledger().usage_by(by).await?)
}

#[cfg(feature = "ssr")]
pub(crate) fn caps(texts: [String; 5]) -> Result<Caps, hub::Error> {
    let [per_call, per_run, per_day, per_month, ever] = &texts;
    Ok(Caps {
        per_call: read(per_call)?,
        per_run: read(per_run)?,
        per_day: read(per_day)?,
        per_month: read(per_month)?,
        ever: read(ever)?,
    })
}

#[cfg(feature = "ssr")]
fn named(person: String) -> Option<UserId> {
    (!person.is_empty()).then_some(UserId(person))
}

#[cfg(feature = "ssr")]
const ADMINS: &str = key!("Only an administrator sees and limits what others spend.");
