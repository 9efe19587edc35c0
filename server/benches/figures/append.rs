//! P10: a durable append through the hub, in this process, against a loop over SQLite that runs the same
//! statements with the same settings: one after another, and from eight writers at once.

use crate::figure::{Figure, title};
use crate::process;
use hub::clock::Clock;
use hub::store::Store;
use hub::{HashCost, Hub, Keyring, OpenDataAddresses, Reach, Setup, Tab, TerminalUse, Viewer};
use protocol::agent::Home;
use protocol::view::{AgentDraft, LoopSettings, Role};
use protocol::{AgentId, TabId};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::task::JoinSet;

const APPENDS: usize = 2000;
const WRITERS: usize = 8;
const BETWEEN: Duration = Duration::from_millis(25);

pub async fn measure() {
    let mut one = Side::new("hub, one writer");
    let mut many = Side::new(format!("hub, {WRITERS} writers"));
    let mut raw = Side::new("raw SQLite, an append in each transaction");
    let mut grouped = Side::new(format!("raw SQLite, {WRITERS} in each transaction"));
    for _ in 0..2 {
        one.push(appends_by_hub(1).await);
        raw.push(appends_by_sqlite(1));
        grouped.push(appends_by_sqlite(WRITERS));
        many.push(appends_by_hub(WRITERS).await);

        many.push(appends_by_hub(WRITERS).await);
        grouped.push(appends_by_sqlite(WRITERS));
        raw.push(appends_by_sqlite(1));
        one.push(appends_by_hub(1).await);
    }
    title("P10 durable append (WAL, FULL)");
    one.rate.print_beside(&raw.rate);
    many.rate.print_beside(&raw.rate);
    grouped.rate.print();
    title("P10 CPU of an append");
    one.cpu.print_beside(&raw.cpu);
    many.cpu.print_beside(&grouped.cpu);
}

/// How fast somebody appends, and what it costs.
struct Side {
    rate: Figure,
    cpu: Figure,
}

impl Side {
    fn new(name: impl Into<String>) -> Self {
        let name = name.into();
        Self { rate: Figure::new(name.clone(), "appends/s"), cpu: Figure::new(name, "µs CPU") }
    }

    fn push(&mut self, (rate, cpu): (f64, f64)) {
        self.rate.raw.push(rate);
        self.cpu.raw.push(cpu);
    }
}

/// Appends in a second by so many tabs at once, and the microseconds of CPU of each.
async fn appends_by_hub(writers: usize) -> (f64, f64) {
    let folder = TempDir::new().unwrap();
    let clock = Clock::default();
    let (hub, viewer) = open(folder.path(), clock.clone()).await;
    let agent = agent(&hub, &viewer).await;
    let mut tabs = JoinSet::new();
    let (began, worked) = (Instant::now(), process::own_cpu());
    for number in 0..writers {
        let tab = hub.open_tab(viewer.clone(), TabId(format!("tab {number}"))).unwrap();
        tabs.spawn(write(tab, agent.clone(), APPENDS / writers, clock.clone()));
    }
    tabs.join_all().await;
    let each = (per_second(began), (process::own_cpu() - worked).as_secs_f64() * 1e6 / APPENDS as f64);
    hub.close().await;
    each
}

async fn write(tab: Tab, agent: AgentId, count: usize, clock: Clock) {
    for value in 0..count {
        // A page may not write so often.
        clock.advance(BETWEEN);
        tab.set_state(&agent, "count".to_owned(), json!(value)).await.unwrap();
    }
}

/// The same by the loop in `append/raw.py`.
fn appends_by_sqlite(batch: usize) -> (f64, f64) {
    let folder = TempDir::new().unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/figures/append/raw.py");
    let migrations = concat!(env!("CARGO_MANIFEST_DIR"), "/../migrations");
    let output = Command::new("python3")
        .args([script, migrations])
        .arg(folder.path().join("raw.db"))
        .args([APPENDS.to_string(), batch.to_string()])
        .output()
        .expect("python3 runs the raw loop");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout);
    let mut numbers = text.split_whitespace().map(|number| number.parse().expect("it prints numbers"));
    (numbers.next().expect("appends in a second"), numbers.next().expect("microseconds of each"))
}

pub async fn open(folder: &Path, clock: Clock) -> (Hub, Viewer) {
    let setup = Setup {
        store: Store::open_folder(folder).await.unwrap(),
        keyring: Keyring::from_text(&"07".repeat(32)).expect("32 bytes in hex"),
        reach: Reach { private: true, loopback: true },
        web: Reach::default(),
        listed: Reach::default(),
        clock,
        person_bytes: None,
        folder: folder.to_owned(),
        engine: PathBuf::new(),
        terminal: TerminalUse::Nobody,
        programs: None,
        side_calls: false,
        passwords: HashCost::default(),
        open_data: OpenDataAddresses::default(),
        searxng: None,
        sentence_in: |_, english| english.into(),
        web_contact: None,
        mail: None,
        log: None,
        traces: None,
        nats: None,
    };
    let hub = Hub::open(setup).await.unwrap();
    hub.accounts().add_user("ada", "correct horse battery", Role::Admin).await.unwrap();
    let viewer = hub.accounts().viewer_named("ada").await.unwrap().expect("she was added");
    (hub, viewer)
}

async fn agent(hub: &Hub, viewer: &Viewer) -> AgentId {
    let draft = AgentDraft {
        name: "Ada's".to_owned(),
        colour: "#3a7d44".to_owned(),
        instructions: String::new(),
        provider: String::new(),
        model: String::new(),
        fallback_provider: String::new(),
        fallback_model: String::new(),
        tools: Vec::new(),
        max_output_tokens: 0,
        home: Home::Hub,
        loop_settings: LoopSettings::default(),
    };
    hub.for_viewer(viewer).agents().create(draft).await.unwrap().id
}

fn per_second(began: Instant) -> f64 {
    let appends = u32::try_from(APPENDS).expect("a small number");
    f64::from(appends) / began.elapsed().as_secs_f64()
}
