//! `vivarium config`: what is set, and where.

use super::NAMES;
use super::settings::{Origin, found};

/// What is in them opens something.
const SECRET: [&str; 7] = [
    "DATABASE_URL",
    "OTEL_EXPORTER_OTLP_HEADERS",
    "VIVARIUM_MASTER_KEY",
    "VIVARIUM_NATS_URL",
    "VIVARIUM_S3_KEY",
    "VIVARIUM_SMTP_URL",
    "VIVARIUM_TOKEN",
];

/// A line for each variable that is set. No secret is in it.
pub fn show() -> String {
    let mut text = String::new();
    for name in NAMES {
        let Some((value, origin)) = found(name) else { continue };
        let value = if SECRET.contains(name) { "(not shown)" } else { &value };
        let origin = match origin {
            Origin::Environment => "environment".to_owned(),
            Origin::Line(path, line) => format!("{} line {line}", path.display()),
        };
        text.push_str(&format!("{name}={value}  # {origin}\n"));
    }
    if text.is_empty() {
        text.push_str("Nothing is set: all is as it usually is.\n");
    }
    text
}
