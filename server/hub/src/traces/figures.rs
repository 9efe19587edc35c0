//! Histograms of model calls, from the start of the process.

use super::span::{nanos, text};
use opentelemetry_proto::tonic::common::v1::KeyValue;
use opentelemetry_proto::tonic::metrics::v1::metric::Data;
use opentelemetry_proto::tonic::metrics::v1::{
    AggregationTemporality, Histogram, HistogramDataPoint, Metric,
};
use protocol::model::Usage;
use std::collections::HashMap;

/// As the conventions have them: tokens, and seconds.
const TOKENS: [f64; 14] = [
    1.0,
    4.0,
    16.0,
    64.0,
    256.0,
    1024.0,
    4096.0,
    16384.0,
    65536.0,
    262_144.0,
    1_048_576.0,
    4_194_304.0,
    16_777_216.0,
    67_108_864.0,
];
const SECONDS: [f64; 14] =
    [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
/// Kinds of calls that are told apart. What is more counts as others.
const KINDS: usize = 500;
const OTHER: &str = "_OTHER";

pub(super) struct Figures {
    pub(super) since: i64,
    tokens: HashMap<Kind, Counts>,
    seconds: HashMap<Kind, Counts>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Kind {
    provider: &'static str,
    model: String,
    /// Which tokens, or what went wrong.
    detail: Option<(&'static str, String)>,
}

#[derive(Default)]
struct Counts {
    count: u64,
    sum: f64,
    buckets: [u64; 15],
}

/// A call that has ended.
pub(super) struct CallFigures<'a> {
    pub(super) provider: &'static str,
    pub(super) model: &'a str,
    pub(super) usage: &'a Usage,
    pub(super) millis: i64,
    pub(super) error: Option<String>,
}

impl Figures {
    pub(super) fn since(now: i64) -> Self {
        Self { since: now, tokens: HashMap::new(), seconds: HashMap::new() }
    }

    pub(super) fn call(&mut self, call: &CallFigures<'_>) {
        let CallFigures { provider, model, usage, millis, error } = call;
        let kind = |detail| Kind { provider, model: (*model).to_owned(), detail };
        #[expect(clippy::cast_precision_loss, reason = "a sum of figures")]
        let (input, output, seconds) = (usage.prompt() as f64, usage.output as f64, *millis as f64 / 1000.0);
        for (which, tokens) in [("input", input), ("output", output)] {
            let kind = kind(Some(("gen_ai.token.type", which.to_owned())));
            add(&mut self.tokens, kind, tokens, &TOKENS);
        }
        let error = error.clone().map(|error| ("error.type", error));
        add(&mut self.seconds, kind(error), seconds, &SECONDS);
    }

    pub(super) fn metrics(&self, now: i64) -> Vec<Metric> {
        let histogram = |name: &str, unit: &str, counts: &HashMap<Kind, Counts>, bounds: &[f64]| {
            let points = counts.iter().map(|(kind, counts)| self.point(kind, counts, bounds, now)).collect();
            let temporality = AggregationTemporality::Cumulative.into();
            Metric {
                name: name.to_owned(),
                unit: unit.to_owned(),
                data: Some(Data::Histogram(Histogram {
                    data_points: points,
                    aggregation_temporality: temporality,
                })),
                ..Metric::default()
            }
        };
        vec![
            histogram("gen_ai.client.token.usage", "{token}", &self.tokens, &TOKENS),
            histogram("gen_ai.client.operation.duration", "s", &self.seconds, &SECONDS),
        ]
    }

    fn point(&self, kind: &Kind, counts: &Counts, bounds: &[f64], now: i64) -> HistogramDataPoint {
        HistogramDataPoint {
            attributes: attributes(kind),
            start_time_unix_nano: nanos(self.since),
            time_unix_nano: nanos(now),
            count: counts.count,
            sum: Some(counts.sum),
            bucket_counts: counts.buckets.to_vec(),
            explicit_bounds: bounds.to_vec(),
            ..HistogramDataPoint::default()
        }
    }
}

fn attributes(Kind { provider, model, detail }: &Kind) -> Vec<KeyValue> {
    let mut attributes = vec![
        text("gen_ai.operation.name", "chat"),
        text("gen_ai.provider.name", provider),
        text("gen_ai.request.model", model),
    ];
    attributes.extend(detail.as_ref().map(|(key, value)| text(key, value)));
    attributes
}

fn add(all: &mut HashMap<Kind, Counts>, kind: Kind, value: f64, bounds: &[f64]) {
    let is_room = all.len() < KINDS || all.contains_key(&kind);
    let kind = if is_room { kind } else { Kind { model: OTHER.to_owned(), provider: OTHER, ..kind } };
    let counts = all.entry(kind).or_default();
    counts.count += 1;
    counts.sum += value;
    let bucket = bounds.iter().position(|bound| value <= *bound).unwrap_or(bounds.len());
    counts.buckets[bucket] += 1;
}
