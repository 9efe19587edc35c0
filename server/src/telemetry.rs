//! Logs to standard error. `RUST_LOG` chooses what, `VIVARIUM_LOG_FORMAT` how; no body and no secret is ever logged.

use crate::config::LogFormat;
use tracing_subscriber::EnvFilter;

pub fn start(format: LogFormat) {
    let filter =
        EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("warn,vivarium=info,hub=info"));
    let lines =
        tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_target(false);
    match format {
        LogFormat::Text => lines.init(),
        LogFormat::Json => lines.json().init(),
    }
}
