//! Serving visits together.

use super::{BookingRequest, Books, ReserveRequest, Responder, SettleRequest};
use crate::error::{Error, Result};
use crate::ledger::budget_status::{BudgetStatus, Refusal};
use crate::ledger::held::{self, RunCosts};
use crate::ledger::hold::{Holding, ReservedAmount, limited};
use crate::ledger::price_requests;
use crate::ledger::scope::Scope;
use crate::ledger::server_spending;
use crate::ledger::spending::{Growth, SpendingRecord, meter};
use crate::store::Transaction;
use std::collections::{BTreeMap, BTreeSet};

/// In one transaction. Where that fails, each in one of its own: whoever cannot be served keeps nobody else
/// from it.
pub(super) async fn serve(books: &Books, mut visits: Vec<BookingRequest>) {
    match together(books, &visits).await {
        Ok(holdings) => {
            let mut holdings = holdings.into_iter();
            for visit in visits {
                match visit {
                    BookingRequest::Ask(_, told) => {
                        if let Some(holding) = holdings.next() {
                            tell(told, Ok(holding));
                        }
                    }
                    BookingRequest::Bill(_, told) | BookingRequest::Last(told) => tell(told, Ok(())),
                }
            }
        }
        Err(error) if visits.len() > 1 => {
            tracing::warn!(error = ?error, "programs' calls could not be booked together");
            for visit in visits {
                Box::pin(serve(books, vec![visit])).await;
            }
        }
        Err(error) => {
            if let Some(only) = visits.pop() {
                only.fail(error);
            }
        }
    }
}

impl BookingRequest {
    fn fail(self, error: Error) {
        match self {
            Self::Ask(_, told) => tell(told, Err(error)),
            Self::Bill(_, told) | Self::Last(told) => tell(told, Err(error)),
        }
    }
}

/// Whoever hung up does not need to know.
fn tell<T>(told: Responder<T>, answer: Result<T>) {
    told.send(answer).ok();
}

/// What came of each that asks.
async fn together(books: &Books, visits: &[BookingRequest]) -> Result<Vec<Holding>> {
    let (mut asks, mut bills) = (Vec::new(), Vec::new());
    for visit in visits {
        match visit {
            BookingRequest::Ask(ask, _) => asks.push(ask),
            BookingRequest::Bill(bill, _) => bills.push(bill),
            BookingRequest::Last(_) => {}
        }
    }
    if asks.is_empty() && bills.is_empty() {
        return Ok(Vec::new());
    }
    let mut tx = books.store.write_uncached().await?;
    let now = books.clock.now();
    // What is let go of here suffices for others.
    settle(&mut tx, &bills, now).await?;
    let holdings = hold(&mut tx, &asks, now).await?;
    match bills.is_empty() {
        // A crash lets go of it in any case.
        true => tx.commit_soon().await?,
        false => tx.commit().await?,
    }
    Ok(holdings)
}

async fn settle(tx: &mut Transaction, bills: &[&SettleRequest], now: i64) -> Result<()> {
    let mut lines: BTreeMap<SpendingRecord<'_>, Growth> = BTreeMap::new();
    for SettleRequest { spender, metered } in bills {
        let Some(metered) = metered else { continue };
        let growth =
            lines.entry(SpendingRecord::of(spender.agent(), spender.token(), metered, now)).or_default();
        *growth = growth.by(metered);
    }
    for (line, growth) in &lines {
        meter(tx, line, *growth).await?;
    }
    server_spending::meter(tx, &lines).await?;
    let spenders: Vec<_> = bills.iter().map(|bill| &bill.spender).collect();
    held::release_programs(tx, &spenders).await
}

/// In the order in which they came.
async fn hold(tx: &mut Transaction, asks: &[&ReserveRequest], now: i64) -> Result<Vec<Holding>> {
    let scopes: BTreeSet<Scope<'_>> =
        asks.iter().flat_map(|ask| limited(&ask.call, &ask.has_limit)).collect();
    let mut standings = BTreeMap::new();
    for scope in scopes {
        if let Some(standing) = BudgetStatus::locked(tx, scope, now).await? {
            standings.insert(scope, standing);
        }
    }
    let (mut holdings, mut calls) = (Vec::new(), Vec::new());
    for ReserveRequest { call, has_limit } in asks {
        let refused = limited(call, has_limit).find_map(|scope| {
            let refusal = standings.get(&scope)?.judge(call, scope, RunCosts::default()).err()?;
            Some((scope, refusal))
        });
        let Some((scope, Refusal { why, lacks_price })) = refused else {
            standings.iter_mut().for_each(|(scope, standing)| standing.count(call, *scope));
            calls.push(call);
            holdings.push(Ok(ReservedAmount::Most));
            continue;
        };
        if lacks_price && scope.is_of_administrators() {
            price_requests::note(tx, &call.model, &call.owner, now).await?;
        }
        holdings.push(Err(why));
    }
    held::put_for_programs(tx, &calls).await?;
    Ok(holdings)
}
