//! Where traces go, by the variables that every program of OpenTelemetry reads.

use super::settings::read;
use crate::startup_error::StartupError;
use axum::http::{HeaderName, HeaderValue};
use hub::TracePlan;
use percent_encoding::percent_decode_str;
use std::time::Duration;
use url::Url;

/// Absent: nowhere.
pub(super) fn traces() -> Result<Option<TracePlan>, StartupError> {
    let Some(collector) = read("OTEL_EXPORTER_OTLP_ENDPOINT") else { return Ok(None) };
    if is_disabled()? {
        return Ok(None);
    }
    let is_address = Url::parse(&collector).is_ok_and(|url| {
        matches!(url.scheme(), "http" | "https")
            && url.username().is_empty()
            && url.query().is_none()
            && url.fragment().is_none()
    });
    if !is_address {
        return Err(StartupError(format!(
            "OTEL_EXPORTER_OTLP_ENDPOINT is {collector}, which is not an address like http://127.0.0.1:4318."
        )));
    }
    if let Some(protocol) = read("OTEL_EXPORTER_OTLP_PROTOCOL").filter(|protocol| protocol != "http/protobuf")
    {
        return Err(StartupError(format!(
            "OTEL_EXPORTER_OTLP_PROTOCOL is {protocol}, and http/protobuf is all that is spoken."
        )));
    }
    Ok(Some(TracePlan {
        collector,
        headers: headers()?,
        service: read("OTEL_SERVICE_NAME").unwrap_or_else(|| "vivarium".to_owned()),
        has_traces: is_sent("OTEL_TRACES_EXPORTER")?,
        has_figures: is_sent("OTEL_METRICS_EXPORTER")?,
        patience: millis("OTEL_EXPORTER_OTLP_TIMEOUT", 10_000)?,
        spans_every: millis("OTEL_BSP_SCHEDULE_DELAY", 5_000)?,
        figures_every: millis("OTEL_METRIC_EXPORT_INTERVAL", 60_000)?,
    }))
}

fn is_disabled() -> Result<bool, StartupError> {
    match read("OTEL_SDK_DISABLED").as_deref() {
        None | Some("false") => Ok(false),
        Some("true") => Ok(true),
        Some(other) => Err(StartupError(format!("OTEL_SDK_DISABLED is {other}; it can be true or false."))),
    }
}

fn is_sent(name: &str) -> Result<bool, StartupError> {
    match read(name).as_deref() {
        None | Some("otlp") => Ok(true),
        Some("none") => Ok(false),
        Some(other) => Err(StartupError(format!("{name} is {other}; it can be otlp or none."))),
    }
}

fn millis(name: &str, usual: u64) -> Result<Duration, StartupError> {
    let millis = match read(name) {
        None => Some(usual),
        Some(text) => text.parse().ok().filter(|millis| *millis > 0),
    };
    millis
        .map(Duration::from_millis)
        .ok_or_else(|| StartupError(format!("{name} is not a number of milliseconds, like {usual}.")))
}

/// What is wrong with them is told without them: they may open something.
fn headers() -> Result<Vec<(String, String)>, StartupError> {
    let text = read("OTEL_EXPORTER_OTLP_HEADERS").unwrap_or_default();
    let header = |part: &str| {
        let (name, value) = part.split_once('=')?;
        let name = HeaderName::try_from(name.trim()).ok()?;
        let value = percent_decode_str(value.trim()).decode_utf8().ok()?.into_owned();
        HeaderValue::try_from(&value).ok()?;
        Some((name.to_string(), value))
    };
    let parts = text.split(',').filter(|part| !part.trim().is_empty());
    parts.map(header).collect::<Option<_>>().ok_or_else(|| {
        StartupError("OTEL_EXPORTER_OTLP_HEADERS is no list like name=value,name=value.".to_owned())
    })
}
