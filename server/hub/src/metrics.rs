//! Figures for who runs the hub. They count what is written into logs, and hold no person's words, names or ids.

mod prometheus;

use crate::Hub;
use crate::figures::{Figure, Histogram, Value, Values};
use crate::log::Observer;
use protocol::log::{CallEvent, Class, Entry, EntryBody, Outcome, RunEvent, Sender};
use protocol::view::ToolCallStatus;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::time::timeout;

/// Upper bounds of what a tool call takes, in milliseconds.
static BOUNDS_MS: [u64; 8] = [10, 50, 100, 500, 1_000, 5_000, 30_000, 120_000];

/// One of them: what takes longer is slow.
const SLOW_MS: u64 = 5_000;

/// How long a figure may be looked for.
const PATIENCE: Duration = Duration::from_millis(500);

#[derive(Default)]
pub(crate) struct Counters {
    messages: AtomicU64,
    runs_started: AtomicU64,
    runs_resumed: AtomicU64,
    completed: AtomicU64,
    stopped: AtomicU64,
    round_limit: AtomicU64,
    failed: AtomicU64,
    interrupted: AtomicU64,
    model_calls: AtomicU64,
    input_tokens: AtomicU64,
    output_tokens: AtomicU64,
    cost_micros: AtomicU64,
    tools_done: AtomicU64,
    tools_failed: AtomicU64,
    tools_denied: AtomicU64,
    tool_millis: AtomicU64,
    /// Tool calls by the first bound that they keep.
    tool_buckets: [AtomicU64; BOUNDS_MS.len() + 1],
    approvals_asked: AtomicU64,
}

impl Counters {
    /// A run of the process before goes on in this one.
    pub(crate) fn resumed(&self) {
        add(&self.runs_resumed, 1);
    }

    pub(crate) fn tool_calls(&self) -> ToolCallStatus {
        let counts: Vec<u64> = self.tool_buckets.iter().map(get).collect();
        let slow = BOUNDS_MS
            .iter()
            .position(|bound| *bound == SLOW_MS)
            .map_or(0, |place| counts[place + 1..].iter().sum());
        ToolCallStatus { ended: counts.iter().sum(), slow }
    }

    fn figures(&self) -> [Figure; 10] {
        [
            Figure::counter("vivarium_messages_total", "Messages of people.", get(&self.messages)),
            Figure::counter("vivarium_runs_started_total", "Runs that began.", get(&self.runs_started)),
            Figure::counter(
                "vivarium_runs_resumed_total",
                "Runs of a process before that went on in this one.",
                get(&self.runs_resumed),
            ),
            Figure::counters(
                "vivarium_runs_ended_total",
                "Runs that ended.",
                "outcome",
                [
                    ("completed", get(&self.completed)),
                    ("stopped", get(&self.stopped)),
                    ("round_limit", get(&self.round_limit)),
                    ("failed", get(&self.failed)),
                    ("interrupted", get(&self.interrupted)),
                ],
            ),
            Figure::counter("vivarium_model_calls_total", "Model calls of agents.", get(&self.model_calls)),
            Figure::counters(
                "vivarium_tokens_total",
                "Tokens of agents' model calls.",
                "kind",
                [("input", get(&self.input_tokens)), ("output", get(&self.output_tokens))],
            ),
            Figure::counter(
                "vivarium_cost_micro_dollars_total",
                "What agents' model calls cost, as far as prices are known.",
                get(&self.cost_micros),
            ),
            Figure::counters(
                "vivarium_tool_calls_total",
                "Tool calls of agents that ended.",
                "outcome",
                [
                    ("done", get(&self.tools_done)),
                    ("failed", get(&self.tools_failed)),
                    ("denied", get(&self.tools_denied)),
                ],
            ),
            Figure {
                name: "vivarium_tool_call_seconds",
                help: "What tool calls of agents took, waiting for people included.",
                values: Values::Histogram(Histogram {
                    bounds: &BOUNDS_MS,
                    buckets: self.tool_buckets.iter().map(get).collect(),
                    sum: get(&self.tool_millis),
                }),
            },
            Figure::counter(
                "vivarium_approvals_asked_total",
                "Questions to people.",
                get(&self.approvals_asked),
            ),
        ]
    }

    fn count(&self, body: &EntryBody) {
        match body.class() {
            Class::Said { from: Sender::Person, .. } => add(&self.messages, 1),
            Class::Run(RunEvent::Started { .. }) => add(&self.runs_started, 1),
            Class::Run(RunEvent::Finished { outcome }) => add(self.of(outcome), 1),
            Class::Used { usage, cost, .. } => {
                add(&self.model_calls, 1);
                add(&self.input_tokens, usage.prompt());
                add(&self.output_tokens, usage.output);
                add(&self.cost_micros, cost.map_or(0, |cost| u64::try_from(cost.0).unwrap_or_default()));
            }
            Class::Call(CallEvent::Finished { result, millis, denied, .. }) => {
                add(
                    match (denied, result.is_error) {
                        (true, _) => &self.tools_denied,
                        (false, true) => &self.tools_failed,
                        (false, false) => &self.tools_done,
                    },
                    1,
                );
                add(&self.tool_millis, millis);
                let bucket = BOUNDS_MS.iter().position(|bound| millis <= *bound).unwrap_or(BOUNDS_MS.len());
                add(&self.tool_buckets[bucket], 1);
            }
            Class::Call(CallEvent::ApprovalAsked { .. }) => add(&self.approvals_asked, 1),
            Class::Said { .. }
            | Class::Run(RunEvent::Moved)
            | Class::Reply(_)
            | Class::Call(_)
            | Class::Loop(_)
            | Class::Compaction(_)
            | Class::HubNotice { .. }
            | Class::Agent(_) => {}
        }
    }

    fn of(&self, outcome: &Outcome) -> &AtomicU64 {
        match outcome {
            Outcome::Completed => &self.completed,
            Outcome::Stopped => &self.stopped,
            Outcome::RoundLimit => &self.round_limit,
            Outcome::Failed { .. } => &self.failed,
            Outcome::Interrupted { .. } => &self.interrupted,
        }
    }
}

impl Observer for Counters {
    fn committed(&self, entries: &[Entry]) {
        entries.iter().for_each(|entry| self.count(&entry.body));
    }
}

fn add(counter: &AtomicU64, more: u64) {
    counter.fetch_add(more, Ordering::Relaxed);
}

fn get(counter: &AtomicU64) -> u64 {
    counter.load(Ordering::Relaxed)
}

impl Hub {
    /// What a scraper reads, in the text format of Prometheus (0.0.4).
    pub async fn metrics(&self) -> String {
        prometheus::page(&self.figures().await)
    }

    /// While the database is away what is in it is left out.
    pub(crate) async fn figures(&self) -> Vec<Figure> {
        let work = self.work_under_way();
        let version = Value { of: Some(("version", env!("CARGO_PKG_VERSION"))), value: 1 };
        let mut figures = vec![
            Figure {
                name: "vivarium_info",
                help: "The version that runs.",
                values: Values::Gauge(vec![version]),
            },
            Figure::gauge("vivarium_runs_under_way", "Runs that this process looks after.", work.runs),
            Figure::gauge("vivarium_tabs", "Tabs and streams that are connected.", work.connections),
            Figure::gauge("vivarium_tasks", "Tasks of the hub that have not ended.", work.tasks),
        ];
        if let Ok(Ok(waiting)) = timeout(PATIENCE, self.waiting()).await {
            let (name, what) = ("vivarium_questions_waiting", "Questions that people have not answered.");
            figures.push(Figure::gauge(name, what, waiting.questions));
            let what = "Notifications on their way to devices and channels.";
            figures.push(Figure::gauge("vivarium_deliveries_waiting", what, waiting.deliveries));
        }
        if let Some(disk) = self.look_at_disk() {
            let what = "Room on the disk of the hub's files.";
            figures.push(Figure::gauge("vivarium_disk_free_bytes", what, disk.free));
        }
        figures.extend(self.counters().figures());
        let spans = self.traces().sent();
        figures.push(Figure::counters(
            "vivarium_spans_total",
            "Spans for a collector of OpenTelemetry.",
            "outcome",
            [("sent", spans.sent), ("dropped", spans.dropped)],
        ));
        figures
    }
}
