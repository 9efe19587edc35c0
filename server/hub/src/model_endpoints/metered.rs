//! A program's call on its way: whatever becomes of it, what it used is settled once, also when the program
//! hangs up in the middle.

use crate::Hub;
use crate::ledger::{CallPhase, Metered, ReservedAmount, Spender};
use crate::models::{CallTerms, Called};
use crate::providers::Asker;
use crate::tally::{Settlement, Tally};
use futures_util::stream::{BoxStream, Peekable};
use futures_util::{FutureExt, StreamExt, stream};
use protocol::model::{ModelEvent, ModelRequest, Usage};
use protocol::view::CallKind;
use protocol::{ProviderId, UserId};
use std::pin::Pin;

/// Whose call it is, and of what.
#[derive(Clone, Debug)]
pub(super) struct BilledCall {
    pub(super) spender: Spender,
    pub(super) owner: UserId,
    pub(super) provider: ProviderId,
    pub(super) model: String,
}

struct Meter {
    hub: Hub,
    bill: BilledCall,
    terms: CallTerms,
    tally: Tally,
}

/// Makes the call and gives its events. It is settled before the last one is out, or when the stream is dropped;
/// where the database is away, as soon as it is back. Whoever waits for this waits to the end: else money would be
/// held for nobody.
pub(super) async fn metered(
    hub: Hub,
    bill: BilledCall,
    request: ModelRequest,
) -> BoxStream<'static, ModelEvent> {
    let tally = Tally::default();
    let asker = Asker { person: bill.owner.clone(), agent: None };
    let provider = Some(bill.provider.clone());
    let Called { terms, events } = hub.models().call(asker, &bill.spender, provider, request, &tally).await;
    let meter = Meter { hub, bill, terms, tally };
    stream::unfold((events.peekable(), meter), |(mut events, meter)| async {
        let event = events.next().await?;
        match event {
            ModelEvent::Usage { .. }
                if meter.terms.held == ReservedAmount::Most && !ends_at_once(&mut events) =>
            {
                meter.keep_told().await;
            }
            ModelEvent::Stopped { .. } | ModelEvent::Failed { .. } => {
                if let Some(first_try) = meter.settle() {
                    first_try.await;
                }
            }
            ModelEvent::BlockStarted { .. }
            | ModelEvent::Delta { .. }
            | ModelEvent::BlockFinished { .. }
            | ModelEvent::Usage { .. }
            | ModelEvent::Cited { .. }
            | ModelEvent::Unknown { .. } => {}
        }
        Some((event, (events, meter)))
    })
    .boxed()
}

/// Whether the end is there already: then what was told is settled with it.
fn ends_at_once(events: &mut Peekable<BoxStream<'static, ModelEvent>>) -> bool {
    let next = Pin::new(events).peek().now_or_never();
    matches!(next, Some(Some(ModelEvent::Stopped { .. } | ModelEvent::Failed { .. })))
}

impl Meter {
    fn metered(&self, usage: Usage) -> Metered {
        let BilledCall { spender: _, owner, provider, model } = self.bill.clone();
        let usage = usage.bounded();
        Metered {
            cost: self.hub.models().cost(&self.terms, &model, &usage),
            owner,
            provider: Some(provider),
            is_lent: self.terms.is_lent,
            is_servers: self.terms.is_servers,
            model,
            usage,
            kind: CallKind::Program,
        }
    }

    /// What a process that ends within the call leaves to the next one. The call goes on without it.
    async fn keep_told(&self) {
        let Some(usage) = self.tally.used() else { return };
        if let Err(error) =
            self.hub.ledger().keep_told(&self.bill.spender, None, &self.metered(usage), CallPhase::On).await
        {
            tracing::error!(error = ?error, "what a program's call used so far was not kept");
        }
    }

    /// Once. It is done also if nobody waits for it.
    fn settle(&self) -> Option<impl Future<Output = ()> + use<>> {
        let metered = match self.tally.settle()? {
            Settlement::Used(usage) => Some(self.metered(usage)),
            Settlement::Unused if self.terms.held == ReservedAmount::Nothing => return None,
            Settlement::Unused => None,
        };
        Some(self.hub.ledger().settle(self.bill.spender.clone(), metered, self.terms.held))
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        drop(self.settle());
    }
}
