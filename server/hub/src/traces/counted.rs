//! What the hub counts, as OTLP has it. Names are those of Prometheus as a collector would make them again: a dot after
//! the first word, and the unit beside the name.

use super::span::{nanos, text};
use crate::figures::{Figure, Histogram, Value, Values};
use opentelemetry_proto::tonic::metrics::v1::metric::Data;
use opentelemetry_proto::tonic::metrics::v1::number_data_point::Value as Number;
use opentelemetry_proto::tonic::metrics::v1::{
    self as otlp, AggregationTemporality, Gauge, HistogramDataPoint, Metric, NumberDataPoint, Sum,
};

/// What was counted from `since` to `now`, in Unix milliseconds.
pub(super) fn metrics(figures: &[Figure], since: i64, now: i64) -> Vec<Metric> {
    figures.iter().map(|figure| metric(figure, since, now)).collect()
}

fn metric(Figure { name, help, values }: &Figure, since: i64, now: i64) -> Metric {
    let (name, unit) = named(name);
    let temporality = AggregationTemporality::Cumulative.into();
    let data = match values {
        Values::Counter(values) => Data::Sum(Sum {
            data_points: values.iter().map(|value| point(value, since, now)).collect(),
            aggregation_temporality: temporality,
            is_monotonic: true,
        }),
        Values::Gauge(values) => {
            Data::Gauge(Gauge { data_points: values.iter().map(|value| point(value, since, now)).collect() })
        }
        Values::Histogram(histogram) => Data::Histogram(otlp::Histogram {
            data_points: vec![spread(histogram, since, now)],
            aggregation_temporality: temporality,
        }),
    };
    let (unit, description) = (unit.to_owned(), (*help).to_owned());
    Metric { name, unit, description, data: Some(data), ..Metric::default() }
}

/// `vivarium_tool_call_seconds` is `vivarium.tool_call` in `s`. Of what is only counted the unit is left out: a gauge in
/// `1` would be called a ratio.
fn named(name: &str) -> (String, &'static str) {
    let (name, unit) = [("_total", ""), ("_seconds", "s"), ("_bytes", "By")]
        .into_iter()
        .find_map(|(end, unit)| Some((name.strip_suffix(end)?, unit)))
        .unwrap_or((name, ""));
    (name.replacen('_', ".", 1), unit)
}

fn point(Value { of, value }: &Value, since: i64, now: i64) -> NumberDataPoint {
    NumberDataPoint {
        attributes: of.map(|(label, of)| text(label, of)).into_iter().collect(),
        start_time_unix_nano: nanos(since),
        time_unix_nano: nanos(now),
        value: Some(Number::AsInt(i64::try_from(*value).unwrap_or(i64::MAX))),
        ..NumberDataPoint::default()
    }
}

#[expect(clippy::cast_precision_loss, reason = "milliseconds")]
fn spread(Histogram { bounds, buckets, sum }: &Histogram, since: i64, now: i64) -> HistogramDataPoint {
    let seconds = |millis: u64| millis as f64 / 1000.0;
    HistogramDataPoint {
        start_time_unix_nano: nanos(since),
        time_unix_nano: nanos(now),
        count: buckets.iter().sum(),
        sum: Some(seconds(*sum)),
        bucket_counts: buckets.clone(),
        explicit_bounds: bounds.iter().map(|bound| seconds(*bound)).collect(),
        ..HistogramDataPoint::default()
    }
}
