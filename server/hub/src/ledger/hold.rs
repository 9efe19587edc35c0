//! Holding money for a model call before it is made.

use super::booking_queue::{BookingRequest, ReserveRequest};
use super::budget_status::{BudgetStatus, Refusal};
use super::held::{self, RunCosts};
use super::scope::Scope;
use super::spender::{Slot, Spender};
use super::{caps, price_requests, resume};
use crate::error::{Error, Result};
use crate::ledger::Ledger;
use crate::store::query;
use protocol::{LimitOf, Micros, ProviderId, UserId};
use std::sync::Arc;

const UNDER_WAY: &str =
    "A model call of this run is under way already, or the run is over. Try again in a moment.";

/// A model call that is about to be made.
#[derive(Clone, Debug)]
pub(crate) struct PricedCall {
    pub(crate) owner: UserId,
    pub(crate) spender: Spender,
    pub(crate) provider: ProviderId,
    /// Whether the provider is an administrator's, who shares it.
    pub(crate) is_lent: bool,
    /// Whether an administrator pays for it.
    pub(crate) is_servers: bool,
    pub(crate) model: String,
    pub(crate) most: CostBound,
}

/// The most that a call can cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CostBound {
    Known(Micros),
    /// By a price that the person entered: it counts for their own limits.
    OwnWord(Micros),
    Unknown,
}

/// What is held for a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ReservedAmount {
    /// It is under no limit.
    #[default]
    Nothing,
    /// The most that it can cost.
    Most,
}

/// Scopes, by name and owner, in the order of a call.
pub(crate) type Limited = Vec<(LimitOf, String)>;

/// What is held, or why the call is not made, in words.
pub(crate) type Holding = std::result::Result<ReservedAmount, String>;

impl PricedCall {
    /// All limits that it has to keep to, in order.
    pub(super) fn scopes(&self) -> Vec<Scope<'_>> {
        let Self { owner, provider, .. } = self;
        let shared = self.is_lent.then_some(Scope::Shared { provider, person: owner });
        let server = self.is_servers.then_some(Scope::Server);
        server
            .into_iter()
            .chain([Scope::Member(owner)])
            .chain(shared)
            .chain([Scope::Person(owner)])
            .chain(self.spender.agent().map(Scope::Agent))
            .chain(self.spender.token().map(Scope::Token))
            .chain(self.spender.schedule().map(Scope::Schedule))
            .chain(self.spender.pipeline().map(Scope::Pipeline))
            .collect()
    }
}

impl CostBound {
    pub(super) fn micros(self) -> Option<Micros> {
        match self {
            Self::Known(most) | Self::OwnWord(most) => Some(most),
            Self::Unknown => None,
        }
    }

    /// What counts for this limit.
    pub(super) fn under(self, scope: Scope<'_>) -> Option<Micros> {
        match self {
            Self::OwnWord(_) if scope.is_of_administrators() => None,
            Self::Known(_) | Self::OwnWord(_) | Self::Unknown => self.micros(),
        }
    }
}

impl Ledger<'_> {
    /// Holds the most that the call can cost, or says which limit it would pass. Where nothing is limited
    /// nothing is held.
    pub(crate) async fn hold(self, call: PricedCall) -> Result<Holding> {
        let has_limit = self.have_limits(&call).await?;
        if !has_limit.contains(&true) {
            return Ok(Ok(ReservedAmount::Nothing));
        }
        let run = match &call.spender {
            Spender::Program { .. } | Spender::Speech { .. } | Spender::Person { .. } => {
                return self
                    .hub
                    .booking_queue()
                    .visit(|told| BookingRequest::Ask(ReserveRequest { call, has_limit }, told))
                    .await;
            }
            Spender::Run { run, .. } => run,
        };
        let mut tx = self.hub.store().write_uncached().await?;
        for scope in limited(&call, &has_limit) {
            let Some(standing) = BudgetStatus::locked(&mut tx, scope, self.hub.now()).await? else {
                continue;
            };
            let of_run = RunCosts::read(&mut tx, run).await?;
            let Err(Refusal { why, lacks_price }) = standing.judge(&call, scope, of_run) else { continue };
            if let Spender::Run { run, slot: Slot::Turn, .. } = &call.spender {
                resume::note(&mut tx, run, scope, lacks_price).await?;
            }
            if lacks_price && scope.is_of_administrators() {
                price_requests::note(&mut tx, &call.model, &call.owner, self.hub.now()).await?;
            }
            tx.commit().await?;
            return Ok(Err(why));
        }
        if !held::put_for_run(&mut tx, &call, run).await? {
            return Err(Error::Conflict(UNDER_WAY.to_owned()));
        }
        // A crash lets go of it in any case.
        tx.commit_soon().await?;
        Ok(Ok(ReservedAmount::Most))
    }

    /// Which of its scopes have a limit, in their order.
    async fn have_limits(self, call: &PricedCall) -> Result<Arc<[bool]>> {
        let scopes = call.scopes();
        let key = scopes.iter().map(|scope| (scope.of(), scope.owner().to_owned())).collect();
        let have = self.hub.limited().get(self.hub.store(), key, async {
            let found = caps::among(self.hub.store().read(), &scopes).await?;
            Ok(scopes.iter().map(|scope| found.iter().any(|(with, _)| with == scope)).collect())
        });
        have.await
    }

    /// Lets go of whatever was held for calls when the hub stopped.
    pub(super) async fn release_all(self, person: Option<&UserId>) -> Result<()> {
        let mut tx = self.hub.store().write().await?;
        query(
            "DELETE FROM holds WHERE CAST($1 AS TEXT) IS NULL
               OR COALESCE((SELECT a.user_id FROM runs r JOIN agents a ON a.id = r.agent_id WHERE r.id = holds.run_id),
                           user_id) = $1",
            (person,),
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(())
    }
}

/// The scopes of a call that have a limit.
pub(super) fn limited<'a>(call: &'a PricedCall, has_limit: &[bool]) -> impl Iterator<Item = Scope<'a>> {
    call.scopes().into_iter().zip(has_limit).filter_map(|(scope, has)| has.then_some(scope))
}
