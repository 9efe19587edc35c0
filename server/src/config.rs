//! Configuration from the environment and a file, read once. [`NAMES`] lists every variable; `.env.example`
//! explains them, and a test holds the two together.

mod backups;
mod limits;
mod nodes;
mod reach;
mod settings;
mod show;
mod traces;
mod values;

use crate::limits::Allowance;
use crate::startup_error::StartupError;
pub use backups::bucket;
use hub::backups::{BackupPlan, BucketAccess};
use hub::{MailServer, NatsAddress, OpenDataAddresses, Reach, TerminalUse, TracePlan};
use reach::Situation;
use settings::read;
pub use show::show;
use std::env;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use url::Url;
use values::{address, secret, switch};

/// Every variable that the program reads, `*_FILE` forms included.
pub const NAMES: &[&str] = &[
    "DATABASE_URL",
    "DATABASE_URL_FILE",
    "OTEL_BSP_SCHEDULE_DELAY",
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "OTEL_EXPORTER_OTLP_HEADERS",
    "OTEL_EXPORTER_OTLP_PROTOCOL",
    "OTEL_EXPORTER_OTLP_TIMEOUT",
    "OTEL_METRICS_EXPORTER",
    "OTEL_METRIC_EXPORT_INTERVAL",
    "OTEL_SDK_DISABLED",
    "OTEL_SERVICE_NAME",
    "OTEL_TRACES_EXPORTER",
    "RUST_LOG",
    "VIVARIUM_ADDR",
    "VIVARIUM_ADDRESS_CONNECTIONS",
    "VIVARIUM_ADDRESS_REQUESTS",
    "VIVARIUM_BACKUP_DIR",
    "VIVARIUM_BACKUP_HOURS",
    "VIVARIUM_BACKUP_KEEP",
    "VIVARIUM_BACKUP_PASSPHRASE_FILE",
    "VIVARIUM_CONFIG",
    "VIVARIUM_DATA_DIR",
    "VIVARIUM_GEOCODING_URL",
    "VIVARIUM_HUB",
    "VIVARIUM_LOG_FORMAT",
    "VIVARIUM_MASTER_KEY",
    "VIVARIUM_MASTER_KEY_FILE",
    "VIVARIUM_MCP_PROGRAMS",
    "VIVARIUM_METRICS_ADDR",
    "VIVARIUM_NATS_URL",
    "VIVARIUM_NATS_URL_FILE",
    "VIVARIUM_PERSON_MEGABYTES",
    "VIVARIUM_PERSON_REQUESTS",
    "VIVARIUM_PERSON_SOCKETS",
    "VIVARIUM_PRIVATE_ADDRESSES",
    "VIVARIUM_PRIVATE_WEB",
    "VIVARIUM_PUBLIC_URL",
    "VIVARIUM_RATES_URL",
    "VIVARIUM_S3_ENDPOINT",
    "VIVARIUM_S3_KEY",
    "VIVARIUM_S3_KEY_FILE",
    "VIVARIUM_S3_REGION",
    "VIVARIUM_SEARXNG_URL",
    "VIVARIUM_SIDE_CALLS",
    "VIVARIUM_SMTP_FROM",
    "VIVARIUM_SMTP_URL",
    "VIVARIUM_SMTP_URL_FILE",
    "VIVARIUM_TERMINAL",
    "VIVARIUM_TLS_CERT",
    "VIVARIUM_TLS_KEY",
    "VIVARIUM_TOKEN",
    "VIVARIUM_TRUSTED_PROXIES",
    "VIVARIUM_WEATHER_URL",
    "VIVARIUM_WEB_CONTACT",
];

#[derive(Clone, Debug)]
pub struct Config {
    pub addr: SocketAddr,
    pub data_dir: PathBuf,
    pub public_url: Option<Url>,
    pub database_url: Option<String>,
    pub master_key: Option<String>,
    pub tls: Option<Tls>,
    pub reach: Reach,
    /// What agents may reach of what their lists name.
    pub listed: Reach,
    /// Whose agents may run commands.
    pub terminal: TerminalUse,
    /// What programs find that are run as MCP servers, beside those of the machine.
    pub programs: Option<PathBuf>,
    /// Whether models are called in the background for people who have not said.
    pub side_calls: bool,
    /// What a person's agents may keep.
    pub person_bytes: Option<u64>,
    /// Where the weather and exchange rates come from.
    pub open_data: OpenDataAddresses,
    /// The SearXNG of people who have no search source of their own.
    pub searxng: Option<Url>,
    /// What servers are told that agents ask: how to reach who runs the hub.
    pub web_contact: Option<String>,
    pub allowance: Allowance,
    pub log_format: LogFormat,
    /// What is logged, as `RUST_LOG` says it.
    pub log_filter: Option<String>,
    /// Where figures are served.
    pub metrics: Option<SocketAddr>,
    /// Backups that the hub makes by itself.
    pub backups: Option<BackupPlan>,
    /// What opens buckets for them.
    pub buckets: Option<BucketAccess>,
    /// What takes the hub's mail.
    pub mail: Option<MailServer>,
    /// Where traces go.
    pub traces: Option<TracePlan>,
    /// Where the nodes of this hub meet, if it has several.
    pub nats: Option<NatsAddress>,
}

/// How lines are logged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    Text,
    /// One object a line.
    Json,
}

/// PEM files.
#[derive(Clone, Debug)]
pub struct Tls {
    pub certificate: PathBuf,
    pub key: PathBuf,
}

impl Config {
    /// Fails with everything that is wrong, a line each.
    pub fn read() -> Result<Self, StartupError> {
        let mut problems = settings::problems();
        let wrong = &mut problems;
        let (addr, public_url, allowance) =
            (kept(addr(), wrong), kept(public_url(), wrong), kept(limits::allowance(), wrong));
        let is_private = Situation {
            listens_here: addr.is_some_and(|addr| addr.ip().is_loopback()),
            public_url: public_url.as_ref().and_then(Option::as_ref),
            is_behind_proxy: allowance.as_ref().is_some_and(|it: &Allowance| !it.trusted_proxies.is_empty()),
        }
        .is_private();
        let (database_url, master_key) =
            (kept(secret("DATABASE_URL"), wrong), kept(secret("VIVARIUM_MASTER_KEY"), wrong));
        let (tls, reach, terminal) =
            (kept(tls(), wrong), kept(reach::reach(is_private), wrong), kept(terminal(), wrong));
        let listed = kept(reach::listed(), wrong);
        let data_dir: PathBuf = read("VIVARIUM_DATA_DIR").unwrap_or_else(|| "data".to_owned()).into();
        let programs = kept(programs(&data_dir), wrong);
        let (side_calls, person_bytes) = (kept(side_calls(), wrong), kept(limits::person_bytes(), wrong));
        let (log_format, metrics, backups) =
            (kept(log_format(), wrong), kept(metrics(), wrong), kept(backups::backups(), wrong));
        let (mail, open_data) = (kept(mail(), wrong), kept(open_data(), wrong));
        let searxng = kept(address("VIVARIUM_SEARXNG_URL", "http://127.0.0.1:8888"), wrong);
        let web_contact = kept(web_contact(), wrong);
        let traces = kept(traces::traces(), wrong);
        let buckets = kept(backups::buckets(), wrong);
        let nats = kept(nodes::nats(public_url.as_ref(), database_url.as_ref()), wrong);
        let whole = || {
            Some(Self {
                addr: addr?,
                data_dir,
                public_url: public_url?,
                database_url: database_url?,
                master_key: master_key?,
                tls: tls?,
                reach: reach?,
                listed: listed?,
                terminal: terminal?,
                programs: programs?,
                side_calls: side_calls?,
                person_bytes: person_bytes?,
                open_data: open_data?,
                searxng: searxng?,
                web_contact: web_contact?,
                allowance: allowance?,
                log_format: log_format?,
                log_filter: read("RUST_LOG"),
                metrics: metrics?,
                backups: backups?,
                buckets: buckets?,
                mail: mail?,
                traces: traces?,
                nats: nats?,
            })
        };
        whole().filter(|_| problems.is_empty()).ok_or_else(|| StartupError(problems.join("\n")))
    }
}

/// What is wrong goes to the problems.
fn kept<T>(value: Result<T, StartupError>, problems: &mut Vec<String>) -> Option<T> {
    value.map_err(|StartupError(problem)| problems.push(problem)).ok()
}

fn addr() -> Result<SocketAddr, StartupError> {
    let addr = read("VIVARIUM_ADDR").unwrap_or_else(|| "127.0.0.1:3000".to_owned());
    addr.parse().map_err(|_| {
        StartupError(format!("VIVARIUM_ADDR is {addr}, which is not an address like 127.0.0.1:3000."))
    })
}

fn public_url() -> Result<Option<Url>, StartupError> {
    let Some(url) = address("VIVARIUM_PUBLIC_URL", "https://vivarium.example.org")? else { return Ok(None) };
    match url.path() == "/" && url.query().is_none() && url.fragment().is_none() {
        true => Ok(Some(url)),
        false => Err(StartupError(format!(
            "VIVARIUM_PUBLIC_URL is {url}: a hub has a host name of its own. Leave out what comes after the name, and give it one like hub.example.org."
        ))),
    }
}

/// What can stand in a header beside a program's name.
fn web_contact() -> Result<Option<String>, StartupError> {
    let Some(contact) = read("VIVARIUM_WEB_CONTACT") else { return Ok(None) };
    let is_fit = |byte: u8| byte.is_ascii_graphic() && !b"()\\".contains(&byte);
    match contact.len() <= 200 && contact.bytes().all(is_fit) {
        true => Ok(Some(contact)),
        false => Err(StartupError(format!(
            "VIVARIUM_WEB_CONTACT is {contact}, which is not an address like https://example.org/about or web@example.org."
        ))),
    }
}

fn open_data() -> Result<OpenDataAddresses, StartupError> {
    let usual = OpenDataAddresses::default();
    let or_usual = |name: &str, usual: Url| -> Result<Url, StartupError> {
        Ok(address(name, usual.as_str())?.unwrap_or(usual))
    };
    Ok(OpenDataAddresses {
        places: or_usual("VIVARIUM_GEOCODING_URL", usual.places)?,
        weather: or_usual("VIVARIUM_WEATHER_URL", usual.weather)?,
        rates: or_usual("VIVARIUM_RATES_URL", usual.rates)?,
    })
}

fn tls() -> Result<Option<Tls>, StartupError> {
    match (read("VIVARIUM_TLS_CERT"), read("VIVARIUM_TLS_KEY")) {
        (None, None) => Ok(None),
        (Some(certificate), Some(key)) => Ok(Some(Tls { certificate: certificate.into(), key: key.into() })),
        _ => Err(StartupError(
            "HTTPS needs both VIVARIUM_TLS_CERT and VIVARIUM_TLS_KEY, two PEM files.".to_owned(),
        )),
    }
}

/// A folder that rooms may see: neither all of the machine nor anything of the hub's.
fn programs(data_dir: &Path) -> Result<Option<PathBuf>, StartupError> {
    let Some(text) = read("VIVARIUM_MCP_PROGRAMS") else { return Ok(None) };
    let wrong = |why: &str| StartupError(format!("VIVARIUM_MCP_PROGRAMS is {text}, {why}."));
    let folder = Path::new(&text);
    let there = folder.canonicalize().ok().filter(|there| there.is_dir() && folder.is_absolute());
    let there = there.ok_or_else(|| wrong("which is no folder, by its whole path like /opt/mcp"))?;
    let data = data_dir.canonicalize().or_else(|_| std::path::absolute(data_dir));
    let data = data.unwrap_or_else(|_| data_dir.to_owned());
    let system = ["/", "/bin", "/dev", "/etc", "/proc", "/root", "/run", "/sys", "/tmp", "/usr", "/var"];
    if data.starts_with(&there)
        || there.starts_with(&data)
        || system.iter().any(|own| there == Path::new(own))
    {
        return Err(wrong("which programs of others may not see: name one for them alone"));
    }
    Ok(Some(there))
}

fn terminal() -> Result<TerminalUse, StartupError> {
    match read("VIVARIUM_TERMINAL").as_deref() {
        None | Some("members") => Ok(TerminalUse::Members),
        Some("off") => Ok(TerminalUse::Nobody),
        Some("admins") => Ok(TerminalUse::Admins),
        Some("everyone") => Ok(TerminalUse::Everyone),
        Some(other) => Err(StartupError(format!(
            "VIVARIUM_TERMINAL is {other}; it can be off, admins, members or everyone."
        ))),
    }
}

fn side_calls() -> Result<bool, StartupError> {
    Ok(switch("VIVARIUM_SIDE_CALLS")?.unwrap_or(true))
}

fn log_format() -> Result<LogFormat, StartupError> {
    match read("VIVARIUM_LOG_FORMAT").as_deref() {
        None | Some("text") => Ok(LogFormat::Text),
        Some("json") => Ok(LogFormat::Json),
        Some(other) => Err(StartupError(format!("VIVARIUM_LOG_FORMAT is {other}; it can be text or json."))),
    }
}

/// Absent: nowhere.
fn metrics() -> Result<Option<SocketAddr>, StartupError> {
    let Some(text) = read("VIVARIUM_METRICS_ADDR") else { return Ok(None) };
    text.parse().map(Some).map_err(|_| {
        StartupError(format!("VIVARIUM_METRICS_ADDR is {text}, which is not an address like 127.0.0.1:9464."))
    })
}

/// Absent: the hub sends no mail.
fn mail() -> Result<Option<MailServer>, StartupError> {
    let Some(url) = secret("VIVARIUM_SMTP_URL")? else { return Ok(None) };
    let from = read("VIVARIUM_SMTP_FROM").unwrap_or_default();
    // It holds a password, so it is not repeated.
    let server = MailServer::parse(&url, &from);
    server.map(Some).map_err(|problem| StartupError(format!("VIVARIUM_SMTP_URL {problem}.")))
}

/// This program, to be started again. Where Linux keeps it even an upgrade under way does not change it.
pub fn own_program() -> Result<PathBuf, StartupError> {
    if cfg!(target_os = "linux") {
        return Ok(PathBuf::from("/proc/self/exe"));
    }
    env::current_exe().map_err(|error| StartupError(format!("The program does not find itself: {error}.")))
}

#[cfg(test)]
mod tests {
    use super::NAMES;

    #[test]
    fn env_example_names_every_variable_and_no_other() {
        let example = include_str!("../../.env.example");
        let mut listed: Vec<_> = example
            .lines()
            .filter_map(|line| line.trim_start_matches("# ").split_once('='))
            .map(|(name, _)| name)
            .filter(|name| name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_'))
            .collect();
        listed.sort_unstable();
        assert_eq!(listed, NAMES);
    }

    #[test]
    fn every_variable_that_the_program_reads_is_in_the_list() {
        let source = concat!(
            include_str!("config.rs"),
            include_str!("config/backups.rs"),
            include_str!("config/limits.rs"),
            include_str!("config/nodes.rs"),
            include_str!("config/reach.rs"),
            include_str!("config/settings.rs"),
            include_str!("config/traces.rs"),
            include_str!("config/values.rs")
        );
        for call in ["read(\"", "secret(\"", "number(\"", "millis(\"", "is_sent(\""] {
            for after in source.split(call).skip(1) {
                let name = after.split('"').next().expect("split gives at least one piece");
                if name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
                    && !name.is_empty()
                {
                    assert!(NAMES.contains(&name), "{name} is not in the list");
                }
            }
        }
    }
}
