//! Logs to standard error. `RUST_LOG` chooses what, and administrators for a while; `VIVARIUM_LOG_FORMAT` how. No body
//! and no secret is ever logged.

use crate::config::LogFormat;
use hub::LogWriter;
use std::sync::{Arc, OnceLock};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::reload::{self, Handle};
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Registry, fmt, registry};

/// The crates that this hub is made of.
const OWN: [&str; 5] = ["agent", "app", "hub", "protocol", "vivarium"];
const USUAL: &str = "warn,vivarium=info,hub=info";

/// The log of this process, as soon as it is written.
static WRITER: OnceLock<Arc<Writer>> = OnceLock::new();

struct Writer {
    usual: String,
    handle: Handle<EnvFilter, Registry>,
}

impl LogWriter for Writer {
    fn usual(&self) -> &str {
        &self.usual
    }

    fn read(&self, filter: &str) -> Result<String, String> {
        read(filter)
    }

    fn apply(&self, filter: &str) -> Result<(), String> {
        self.handle.reload(EnvFilter::new(filter)).map_err(|error| error.to_string())
    }
}

/// Libraries may write bodies and keys at `debug` and `trace`, so only our own parts are heard at those. What is applied is
/// what was understood here, and not the text.
fn read(filter: &str) -> Result<String, String> {
    let none = |why: &str| Err(format!("That is nothing to log: {why}. Write it like hub=debug,warn."));
    if filter.contains(['[', ']', '{', '}']) {
        return none("spans cannot be chosen here");
    }
    let parts: Vec<&str> = filter.split(',').map(str::trim).collect();
    let targets: Targets = match parts.join(",").parse() {
        Ok(targets) => targets,
        Err(error) => return none(&error.to_string()),
    };
    let is_loud = |level: LevelFilter| level > LevelFilter::INFO;
    let is_own = |target: &str| OWN.contains(&target.split("::").next().unwrap_or_default());
    let loud = targets.iter().find(|(target, level)| is_loud(*level) && !is_own(target));
    let what = match loud {
        Some((target, _)) => target,
        None if targets.default_level().is_some_and(is_loud) => "everything",
        None => return Ok(targets.to_string()),
    };
    Err(format!(
        "{what} can be logged with info at most: what others wrote may say keys at debug. Of the hub's own parts ({}) everything can.",
        OWN.join(", ")
    ))
}

pub fn start(format: LogFormat, filter: Option<&str>) {
    let usual = filter.filter(|filter| EnvFilter::try_new(filter).is_ok()).unwrap_or(USUAL).to_owned();
    let (filter, handle) = reload::Layer::new(EnvFilter::new(&usual));
    let lines = fmt::layer().with_writer(std::io::stderr).with_target(false);
    match format {
        LogFormat::Text => registry().with(filter).with(lines).init(),
        LogFormat::Json => registry().with(filter).with(lines.json()).init(),
    }
    // There is one log for each process.
    let _ = WRITER.set(Arc::new(Writer { usual, handle }));
}

/// The log of this process, for whoever chooses what stands in it.
pub fn writer() -> Option<Arc<dyn LogWriter>> {
    WRITER.get().map(|writer| Arc::clone(writer) as _)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_what_others_wrote_no_filter_lets_through_more_than_info() {
        for (filter, expected) in [
            ("hub=debug,warn", Ok("hub=debug,warn")),
            ("hub=debug, warn", Ok("hub=debug,warn")),
            ("hub::models=trace", Ok("hub::models=trace")),
            ("info", Ok("info")),
            ("hyper=trace", Err("hyper can be logged with info at most")),
            ("hyper", Err("hyper can be logged with info at most")),
            ("hubris=debug", Err("hubris can be logged with info at most")),
            ("trace", Err("everything can be logged with info at most")),
            ("hub::runs[run]=trace", Err("spans cannot be chosen here")),
            ("hub=loud", Err("That is nothing to log")),
        ] {
            match (read(filter), expected) {
                (Ok(read), Ok(expected)) => assert_eq!(read, expected, "{filter}"),
                (Err(why), Err(expected)) => assert!(why.contains(expected), "{filter}: {why}"),
                (found, _) => panic!("{filter}: {found:?}"),
            }
        }
        // Without a level it would be everything in the grammar of the filter that is applied.
        assert!(!read("hyper=,warn").is_ok_and(|read| read.ends_with('=') || read.contains("=,")));
    }
}
