//! Logs to standard error. `RUST_LOG` chooses what; no body and no secret is ever logged.

use tracing_subscriber::EnvFilter;

pub fn start() {
    let filter =
        EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("warn,vivarium=info,hub=info"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_target(false).init();
}
