//! On the way to the collector. Whoever has a span hands it over and goes on: where the queue is full, or nobody
//! takes it, it is counted and gone.

use super::{On, Traces, counted};
use crate::Hub;
use crate::figures::Figure;
use crate::outbound::{Outbound, Reach, Target};
use futures_util::future::BoxFuture;
use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::InstrumentationScope;
use opentelemetry_proto::tonic::metrics::v1::{ResourceMetrics, ScopeMetrics};
use opentelemetry_proto::tonic::resource::v1::Resource;
use opentelemetry_proto::tonic::trace::v1::{ResourceSpans, ScopeSpans, Span};
use prost::Message;
use reqwest::Method;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::time::timeout;

/// Spans that wait, and of one request.
const WAITING: usize = 2048;
const AT_ONCE: usize = 512;
/// What is left when the hub closes may take so long.
const LAST: Duration = Duration::from_secs(1);

/// Where traces and figures go, and how often.
#[derive(Clone)]
pub struct TracePlan {
    /// Without `/v1/traces`.
    pub collector: String,
    /// With each request, as for a token.
    pub headers: Vec<(String, String)>,
    pub service: String,
    pub has_traces: bool,
    pub has_figures: bool,
    /// How long one request may take.
    pub patience: Duration,
    pub spans_every: Duration,
    pub figures_every: Duration,
}

/// Headers may open something.
impl fmt::Debug for TracePlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TracePlan").field("collector", &self.collector).finish_non_exhaustive()
    }
}

/// Spans from the start of the process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sent {
    pub(crate) sent: u64,
    pub(crate) dropped: u64,
}

pub(super) struct Export {
    plan: TracePlan,
    outbound: Outbound,
    to: Sender<Span>,
    from: Mutex<Option<Receiver<Span>>>,
    sent: AtomicU64,
    dropped: AtomicU64,
}

impl Export {
    pub(super) fn new(plan: TracePlan) -> Self {
        let (to, from) = channel(WAITING);
        // Whoever runs the hub names the collector, so it may be near by.
        let outbound = Outbound::new(Reach { private: true, loopback: true });
        let (sent, dropped) = (AtomicU64::new(0), AtomicU64::new(0));
        Self { plan, outbound, to, from: Mutex::new(Some(from)), sent, dropped }
    }

    pub(super) fn take(&self, span: Span) {
        if self.plan.has_traces && self.to.try_send(span).is_err() {
            self.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }

    pub(super) fn sent(&self) -> Sent {
        let get = |count: &AtomicU64| count.load(Ordering::Relaxed);
        Sent { sent: get(&self.sent), dropped: get(&self.dropped) }
    }

    async fn send_spans(&self, spans: Vec<Span>, patience: Duration) {
        let count = u64::try_from(spans.len()).unwrap_or(u64::MAX);
        let scope_spans = vec![ScopeSpans { scope: Some(scope()), spans, ..ScopeSpans::default() }];
        let resource_spans =
            vec![ResourceSpans { resource: Some(self.resource()), scope_spans, ..ResourceSpans::default() }];
        let body = ExportTraceServiceRequest { resource_spans }.encode_to_vec();
        let counter = if self.post("traces", body, patience).await { &self.sent } else { &self.dropped };
        counter.fetch_add(count, Ordering::Relaxed);
    }

    async fn send_figures(&self, on: &On, counted: &[Figure], patience: Duration) {
        let now = on.clock.now();
        let metrics = {
            let calls = on.figures();
            calls.metrics(now).into_iter().chain(counted::metrics(counted, calls.since, now)).collect()
        };
        let scope_metrics = vec![ScopeMetrics { scope: Some(scope()), metrics, ..ScopeMetrics::default() }];
        let resource_metrics = vec![ResourceMetrics {
            resource: Some(self.resource()),
            scope_metrics,
            ..ResourceMetrics::default()
        }];
        let body = ExportMetricsServiceRequest { resource_metrics }.encode_to_vec();
        self.post("metrics", body, patience).await;
    }

    /// Whether the collector took it. It is not asked twice.
    async fn post(&self, what: &str, body: Vec<u8>, patience: Duration) -> bool {
        let url = format!("{}/v1/{what}", self.plan.collector.trim_end_matches('/'));
        let Ok(target) = Target::parse(&url) else { return false };
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/x-protobuf"));
        for (name, value) in &self.plan.headers {
            if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value)) {
                headers.insert(name, value);
            }
        }
        let sending = self.outbound.send(Method::POST, &target, headers, body);
        match timeout(patience, sending).await {
            Ok(Ok(answer)) if answer.is_success() => true,
            Ok(Ok(answer)) => {
                tracing::debug!("the collector answered {}", answer.status());
                false
            }
            Ok(Err(error)) => {
                tracing::debug!("the collector took no {what}: {error}");
                false
            }
            Err(_) => {
                tracing::debug!("the collector took too long for {what}");
                false
            }
        }
    }

    fn resource(&self) -> Resource {
        let attributes = vec![
            super::span::text("service.name", &self.plan.service),
            super::span::text("service.version", env!("CARGO_PKG_VERSION")),
        ];
        Resource { attributes, ..Resource::default() }
    }
}

fn scope() -> InstrumentationScope {
    InstrumentationScope {
        name: "vivarium".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        ..InstrumentationScope::default()
    }
}

impl Traces {
    /// Sends for as long as the hub is open, if a collector is named. `count` says what the hub has counted.
    pub(crate) fn keep_sending(
        self: &Arc<Self>,
        hub: &Hub,
        count: impl Fn(Hub) -> BoxFuture<'static, Vec<Figure>> + Send + Sync + 'static,
    ) {
        let Some(on) = &self.on else { return };
        let Some(mut from) = on.export.from.lock().unwrap_or_else(PoisonError::into_inner).take() else {
            return;
        };
        let (traces, hub) = (Arc::clone(self), hub.clone());
        let tasks = hub.tasks().clone();
        tasks.spawn(async move {
            let Some(on) = &traces.on else { return };
            let plan = &on.export.plan;
            let clock = hub.clock();
            let next =
                |every: Duration| hub.moment().plus_ms(i64::try_from(every.as_millis()).unwrap_or(i64::MAX));
            let mut figures_at = next(plan.figures_every);
            loop {
                let is_closing = tokio::select! {
                    () = hub.tasks().closing() => true,
                    () = clock.until(next(plan.spans_every).min(figures_at)) => false,
                };
                let patience = if is_closing { LAST } else { plan.patience };
                loop {
                    let mut spans = Vec::new();
                    while spans.len() < AT_ONCE
                        && let Ok(span) = from.try_recv()
                    {
                        spans.push(span);
                    }
                    if spans.is_empty() {
                        break;
                    }
                    let is_last = spans.len() < AT_ONCE || is_closing;
                    on.export.send_spans(spans, patience).await;
                    if is_last {
                        break;
                    }
                }
                if plan.has_figures && (is_closing || hub.moment() >= figures_at) {
                    let counted = count(hub.clone()).await;
                    on.export.send_figures(on, &counted, patience).await;
                    figures_at = next(plan.figures_every);
                }
                if is_closing {
                    return;
                }
            }
        });
    }
}
