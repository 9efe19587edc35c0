//! Logs to standard error. `RUST_LOG` chooses what, `VIVARIUM_LOG_FORMAT` how; no body and no secret is ever logged.

use crate::config::LogFormat;
use tracing_subscriber::EnvFilter;

pub fn start(format: LogFormat, filter: Option<&str>) {
    let filter = filter.and_then(|filter| EnvFilter::try_new(filter).ok());
    let filter = filter.unwrap_or_else(|| EnvFilter::new("warn,vivarium=info,hub=info"));
    let lines =
        tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_target(false);
    match format {
        LogFormat::Text => lines.init(),
        LogFormat::Json => lines.json().init(),
    }
}
