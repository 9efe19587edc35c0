//! A model call as a span: it ends with the last event of its stream, or when nobody waits for that any more.

use super::Traces;
use super::figures::CallFigures;
use super::span::{failed, number, provider, span, text, texts, word};
use crate::clock::{Moment, random};
use crate::ledger::{Slot, Spender};
use opentelemetry_proto::tonic::trace::v1::Span;
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use protocol::RunId;
use protocol::agent::ProviderKind;
use protocol::model::{ModelEvent, Usage};
use std::sync::{Arc, Mutex, PoisonError};

/// Copies are the same call.
#[derive(Clone)]
pub(crate) struct CallTrace(Option<Arc<Mutex<Open>>>);

struct Open {
    traces: Arc<Traces>,
    run: Option<RunId>,
    id: Vec<u8>,
    began: Moment,
    began_at: i64,
    model: String,
    most_output: u32,
    provider: Option<ProviderKind>,
    usage: Usage,
    /// Why it stopped, or what went wrong.
    end: Option<Result<String, String>>,
}

impl Traces {
    pub(crate) fn call(self: &Arc<Self>, spender: &Spender, model: &str, most_output: u32) -> CallTrace {
        let Some(on) = &self.on else { return CallTrace(None) };
        let (id, began_at) = (random::<8>().to_vec(), on.clock.now());
        let run = match spender {
            Spender::Run { run, slot, .. } => {
                if *slot == Slot::Turn {
                    on.under_way().called(run, &id, began_at);
                }
                Some(run.clone())
            }
            Spender::Program { .. } | Spender::Speech { .. } | Spender::Person { .. } => None,
        };
        let traces = Arc::clone(self);
        let (began, model) = (on.clock.moment(), model.to_owned());
        let (usage, provider, end) = (Usage::default(), None, None);
        CallTrace(Some(Arc::new(Mutex::new(Open {
            traces,
            run,
            id,
            began,
            began_at,
            model,
            most_output,
            provider,
            usage,
            end,
        }))))
    }
}

impl CallTrace {
    pub(crate) fn goes_to(&self, kind: ProviderKind) {
        self.with(|open| open.provider = Some(kind));
    }

    pub(crate) fn note(&self, event: &ModelEvent) {
        match event {
            ModelEvent::Usage { usage } => self.with(|open| open.usage = *usage),
            ModelEvent::Stopped { reason } => self.with(|open| open.end = Some(Ok(word(reason)))),
            ModelEvent::Failed { failure } => self.with(|open| open.end = Some(Err(word(&failure.kind)))),
            ModelEvent::BlockStarted { .. }
            | ModelEvent::Delta { .. }
            | ModelEvent::BlockFinished { .. }
            | ModelEvent::Cited { .. }
            | ModelEvent::Unknown { .. } => {}
        }
    }

    fn with(&self, change: impl FnOnce(&mut Open)) {
        if let Some(open) = &self.0 {
            change(&mut open.lock().unwrap_or_else(PoisonError::into_inner));
        }
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        let Some(on) = &self.traces.on else { return };
        let (now, millis) = (on.clock.now(), on.clock.moment().ms_since(self.began));
        let provider = self.provider.map_or("_OTHER", provider);
        let parent = self.run.as_ref().map(|run| on.id("run", run)).unwrap_or_default();
        let trace = self.run.as_ref().map_or_else(|| random::<16>().to_vec(), |run| on.trace(run));
        let id = std::mem::take(&mut self.id);
        let mut span = span(format!("chat {}", self.model), id, parent, self.began_at, now);
        span.kind = SpanKind::Client.into();
        span.attributes = vec![
            text("gen_ai.operation.name", "chat"),
            text("gen_ai.provider.name", provider),
            text("gen_ai.request.model", &self.model),
            number("gen_ai.request.max_tokens", self.most_output.into()),
            number("gen_ai.usage.input_tokens", self.usage.prompt()),
            number("gen_ai.usage.output_tokens", self.usage.output),
            number("gen_ai.usage.cache_read.input_tokens", self.usage.cache_read),
            number("gen_ai.usage.cache_creation.input_tokens", self.usage.cache_write),
        ];
        let error = match self.end.take() {
            Some(Ok(reason)) => {
                span.attributes.push(texts("gen_ai.response.finish_reasons", &reason));
                None
            }
            Some(Err(kind)) => Some(kind),
            None => Some("aborted".to_owned()),
        };
        if let Some(kind) = &error {
            failed(&mut span, kind);
        }
        on.figures().call(&CallFigures { provider, model: &self.model, usage: &self.usage, millis, error });
        on.take(Span { trace_id: trace, ..span });
    }
}
