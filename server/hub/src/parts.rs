//! What every use case reaches for, behind the crate's wall.

use crate::clock::Clock;
use crate::ledger::{Desk, Limited};
use crate::programs::{Bearer, Named};
use crate::providers::Usable;
use crate::store::{Remembered, Store};
use crate::{
    accounts, approvals, engine, facts, gateway, live, models, outbound, programs, providers, runs,
    schedules, vault,
};
use protocol::{ProviderId, UserId};
use std::sync::Arc;

pub struct Parts {
    pub(crate) store: Store,
    pub(crate) clock: Clock,
    pub(crate) vault: vault::Vault,
    pub(crate) passwords: accounts::Passwords,
    pub(crate) shown_once: accounts::ShownOnce,
    pub(crate) starting: accounts::Starting,
    pub(crate) outbound: outbound::Outbound,
    /// For what agents reach: public addresses and no others, whatever providers may have.
    pub(crate) web: outbound::Outbound,
    pub(crate) engine: engine::Engine,
    pub(crate) lanes: models::Lanes,
    pub(crate) model_lists: programs::Lists,
    /// By what is kept of a token.
    pub(crate) bearers: Remembered<String, Option<Bearer>>,
    pub(crate) usable: Remembered<(UserId, ProviderId), Option<Usable>>,
    /// What each person's programs can name.
    pub(crate) named: Remembered<UserId, Arc<[Named]>>,
    pub(crate) limited: Remembered<Limited, Arc<[bool]>>,
    pub(crate) desk: Desk,
    pub(crate) facts: facts::Known,
    pub(crate) live: live::Live,
    pub(crate) page_bytes: live::PageBytes,
    pub(crate) approvals: approvals::Approvals,
    pub(crate) results: gateway::Results,
    pub(crate) paces: gateway::Paces,
    pub(crate) blocked: gateway::Blocked,
    pub(crate) runs: runs::Runs,
    pub(crate) schedules: schedules::Schedules,
    pub(crate) device_origins: providers::Origins,
}
