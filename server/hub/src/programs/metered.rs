//! A program's call on its way: whatever becomes of it, what it used is settled once, also when the program
//! hangs up in the middle.

use crate::Hub;
use crate::ledger::{Held, Metered, Spender};
use crate::models::{Called, Terms};
use agent::context::{tokens_about, tokens_of_text};
use futures_util::stream::BoxStream;
use futures_util::stream::Peekable;
use futures_util::{FutureExt, StreamExt, stream};
use protocol::model::{ModelEvent, ModelRequest, Usage};
use protocol::view::CallKind;
use protocol::{ProviderId, UserId};
use std::pin::Pin;

/// Whose call it is, and of what.
#[derive(Clone, Debug)]
pub(super) struct Bill {
    pub(super) spender: Spender,
    pub(super) owner: UserId,
    pub(super) provider: ProviderId,
    pub(super) model: String,
}

struct Meter {
    hub: Hub,
    bill: Bill,
    terms: Terms,
    /// As the provider counted.
    usage: Option<Usage>,
    /// Tokens of the request, by its length.
    input: u64,
    /// Bytes of the reply.
    heard: usize,
    has_begun: bool,
    is_settled: bool,
}

/// The call's events. It is settled before the last one is out, or when the stream is dropped.
pub(super) fn metered(
    hub: &Hub,
    bill: Bill,
    request: &ModelRequest,
    called: Called,
) -> BoxStream<'static, ModelEvent> {
    let Called { terms, events } = called;
    let meter = Meter {
        hub: hub.clone(),
        bill,
        terms,
        usage: None,
        input: tokens_about(request),
        heard: 0,
        has_begun: false,
        is_settled: false,
    };
    stream::unfold((meter, events.peekable()), |(mut meter, mut events)| async {
        let event = events.next().await?;
        let has_ended = meter.note(&event);
        if let ModelEvent::Usage { .. } = event
            && meter.terms.held == Held::Most
            && !ends_at_once(&mut events)
        {
            meter.keep_told().await;
        }
        if has_ended {
            let (hub, spender, metered) = meter.close();
            settle(hub, spender, metered).await;
        }
        Some((event, (meter, events)))
    })
    .boxed()
}

/// Whether the end is there already: then what was told is settled with it.
fn ends_at_once(events: &mut Peekable<BoxStream<'static, ModelEvent>>) -> bool {
    let next = Pin::new(events).peek().now_or_never();
    matches!(next, Some(Some(ModelEvent::Stopped { .. } | ModelEvent::Failed { .. })))
}

impl Meter {
    /// Whether that was the last one.
    fn note(&mut self, event: &ModelEvent) -> bool {
        match event {
            ModelEvent::BlockStarted { .. } | ModelEvent::BlockFinished { .. } => self.has_begun = true,
            ModelEvent::Delta { text, .. } => {
                self.has_begun = true;
                self.heard += text.len();
            }
            ModelEvent::Usage { usage } => self.usage = Some(*usage),
            ModelEvent::Stopped { .. } => return true,
            ModelEvent::Failed { .. } => {
                self.usage = self.used_so_far();
                return true;
            }
            ModelEvent::Unknown { .. } => {}
        }
        false
    }

    /// A provider counts at the end: of a reply that broke off the length is known, and what it did count.
    fn used_so_far(&self) -> Option<Usage> {
        if !self.has_begun {
            return self.usage;
        }
        let counted = self.usage.unwrap_or(Usage { input: self.input, ..Usage::default() });
        Some(Usage { output: counted.output.max(tokens_of_text(self.heard)), ..counted })
    }

    fn metered(&self) -> Option<Metered> {
        let Bill { spender: _, owner, provider, model } = self.bill.clone();
        self.usage.map(Usage::bounded).map(|usage| Metered {
            cost: self.hub.cost(&self.terms, &model, &usage),
            owner,
            provider: Some(provider),
            is_lent: self.terms.is_lent,
            model,
            usage,
            kind: CallKind::Program,
        })
    }

    /// What a process that ends within the call leaves to the next one. The call goes on without it.
    async fn keep_told(&self) {
        let Some(metered) = self.metered() else { return };
        if let Err(error) = self.hub.keep_told(&self.bill.spender, None, &metered).await {
            tracing::error!(error = ?error, "what a program's call used so far was not kept");
        }
    }

    fn close(&mut self) -> (Hub, Spender, Option<Metered>) {
        self.is_settled = true;
        (self.hub.clone(), self.bill.spender.clone(), self.metered())
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        if self.is_settled {
            return;
        }
        self.usage = self.used_so_far();
        let (hub, spender, metered) = self.close();
        // Without a runtime the process ends, and the next one lets go of what is held.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(settle(hub, spender, metered));
        }
    }
}

async fn settle(hub: Hub, spender: Spender, metered: Option<Metered>) {
    if let Err(error) = hub.settle_call(&spender, metered.as_ref()).await {
        tracing::error!(error = ?error, "a program's call was not booked");
    }
}
